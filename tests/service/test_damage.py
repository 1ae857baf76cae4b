"""Every file damaged in every way: found by the doctor, made again by a build, or named."""

import os
import shutil

import pytest

import izwi
from izwi.cases.corpus import Corpus
from izwi.cases.doctor import examine
from izwi.model.errors import StoreError
from izwi.store import snapshots
from izwi.store.layout import Layout
from izwi.store.sums import look, note_sums, read_sums
from tests.e2e.conftest import contents

DERIVED = {
    "text": "layers/text-*/*.parquet",
    "lang": "layers/lang-*/*.parquet",
    "sign": "layers/sign-*/*.parquet",
    "own": "layers/own-*/*.parquet",
    "dup": "layers/dup-*/*.parquet",
    "select": "layers/select-*/*.parquet",
    "tokens": "layers/tokens-*/*.parquet",
    "recipe": "layers/text-*/recipe.json",
    "hashes of a shard": "layers/own-*/*.ngrams/hashes",
    "names of a shard": "layers/own-*/*.ngrams/names.json",
    "ranks of a shard": "layers/own-*/*.ngrams/ranks",
    "groups": "layers/own-*/groups.json",
    "segment": "index/segments/*/segment.json",
    "words": "index/segments/*/word.values*",
    "column": "index/segments/*/word.column.bin",
    "cards": "index/segments/*/cards.arrow",
    "manifest": "index/snapshots/0001.json",
    "current": "index/snapshots/current",
    "list of captures": "warc/*.captures.jsonl",
}


def cut(path):
    os.truncate(path, max(0, path.stat().st_size - 7))


def flip(path):
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    with path.open("r+b") as file:
        file.write(raw)


def flip_unseen(path):
    """Change a byte as a dying disk does: the file's time stays."""
    state = path.stat()
    flip(path)
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def empty(path):
    os.truncate(path, 0)


def remove(path):
    path.unlink()


DAMAGE = [cut, flip, flip_unseen, empty, remove]


@pytest.fixture
def known_folder(own_folder):
    """A corpus whose files lie where they were when their sums were taken."""
    layout = Layout(own_folder)
    note_sums(layout, look(layout), lost=())
    return own_folder


def findings(path):
    return {finding.check: finding for finding in examine(path, scrubbed=None)}


def damaged_file(folder, pattern):
    return sorted(folder.glob(pattern))[0]


def search(folder):
    with izwi.open(folder) as corpus:
        return [line.id for line in corpus.concordance("the").lines]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("pattern", DERIVED.values(), ids=DERIVED.keys())
def test_what_can_be_made_again_is_found_and_made_again(known_folder, pattern, damage):
    whole, found = contents(known_folder), search(known_folder)
    path = damaged_file(known_folder, pattern)
    before = path.read_bytes()
    damage(path)

    seen = findings(known_folder)
    with Corpus(known_folder) as corpus:
        report = corpus.build(workers=1)
        again = corpus.build(workers=1)

    name = path.relative_to(known_folder).as_posix()
    assert not seen[f"file {name}"].is_well
    assert str(known_folder) in seen[f"file {name}"].remedy
    assert report.failures == again.failures == ()
    assert again.warnings == ()
    assert contents(known_folder) == whole
    assert search(known_folder) == found
    if "segments" not in pattern:
        assert path.read_bytes() == before
    after = findings(known_folder)
    assert [check for check, each in after.items() if not each.is_well] in ([], ["browser"])


@pytest.mark.parametrize("damage", [cut, flip, flip_unseen, empty], ids=lambda d: d.__name__)
def test_damaged_captures_are_named_with_what_is_lost(known_folder, damage):
    whole = contents(known_folder)
    warc = damaged_file(known_folder, "warc/*.warc.gz")
    good = warc.read_bytes()
    damage(warc)

    seen = findings(known_folder)[f"file warc/{warc.name}"]
    with Corpus(known_folder) as corpus:
        report = corpus.build(workers=1)
        still = corpus.build(workers=1)

    assert "of its 7 captures cannot be read" in seen.message
    assert "0 of its" not in seen.message
    for each in (report, still):
        assert f"warc/{warc.name} is damaged" in each.failures[0]
    assert contents(known_folder) == whole

    warc.write_bytes(good)
    with Corpus(known_folder) as corpus:
        assert corpus.build(workers=1).failures == ()
    assert findings(known_folder)["files"].is_well


def test_a_text_whose_captures_are_gone_is_left_as_it_is(own_folder):
    damaged_file(own_folder, "warc/*.warc.gz").unlink()
    text = damaged_file(own_folder, "layers/text-*/*.parquet")
    cut(text)

    with Corpus(own_folder) as corpus:
        report = corpus.build(workers=1)

    assert any(f"{text.name} is damaged" in failure for failure in report.failures)
    assert text.exists()


def test_a_copied_folder_is_as_good_as_the_first(own_folder, tmp_path):
    copy = shutil.copytree(own_folder, tmp_path / "copy", copy_function=shutil.copyfile)

    with Corpus(copy) as corpus:
        report = corpus.build(workers=1)

    assert (report.failures, report.warnings, report.shards_built) == ((), (), 0)
    assert findings(copy)["files"].is_well


def test_a_broken_page_of_the_decisions_is_named(own_folder):
    with Corpus(own_folder) as corpus:
        corpus.decide_document(corpus.drops().lines[0].document, "drop", by="test")
    path = own_folder / "curation.sqlite"
    raw = path.read_bytes()
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (len(raw) - 4096))

    assert not findings(own_folder)["curation.sqlite"].is_well


def test_a_damaged_record_of_versions_is_named(own_folder):
    flip(own_folder / "versions.jsonl")

    assert not findings(own_folder)["versions.jsonl"].is_well


def test_numbers_of_versions_never_go_back(own_folder):
    for folder in ("index", "layers"):
        shutil.rmtree(own_folder / folder)

    with Corpus(own_folder) as corpus:
        report = corpus.build(workers=1)
        versions = corpus.versions()

    assert report.snapshot == 2
    assert [each.number for each in versions] == [2]


def lose_a_line(path):
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[1:]), "utf-8")


def spoil_a_letter(path):
    path.write_text(path.read_text("utf-8").replace("http", "htzp", 1), "utf-8")


@pytest.mark.parametrize("damage", [lose_a_line, spoil_a_letter, remove])
def test_what_was_taken_down_stays_so_if_the_list_of_it_is_damaged(own_folder, damage):
    with izwi.open(own_folder) as corpus:
        url = corpus.documents().documents[0].url
        corpus.takedown(url, reason="asked by the owner")
        layout = Layout(own_folder)
        damage(layout.takedowns)

        assert not findings(own_folder)["file takedowns.jsonl"].is_well
        corpus.build()

        assert [entry.target for entry in corpus.takedowns() if entry.covers(url)] == [url]
        assert url not in {each.url for each in corpus.documents().documents}
    assert "file takedowns.jsonl" not in findings(own_folder)


def test_a_list_of_takedowns_that_is_gone_stops_what_would_fetch(own_folder):
    with izwi.open(own_folder) as corpus:
        corpus.takedown(corpus.documents().documents[0].url, reason="asked by the owner")
        Layout(own_folder).takedowns.unlink()

        with pytest.raises(StoreError, match="must not be fetched or served"):
            corpus.gather()


def test_a_takedown_that_was_taken_back_is_no_damage(own_folder):
    with izwi.open(own_folder) as corpus:
        url = corpus.documents().documents[0].url
        corpus.takedown(url, reason="asked by the owner")
        corpus.undo(corpus.changes()[0].id)
        corpus.build()

        assert url in {each.url for each in corpus.documents().documents}
    assert "file takedowns.jsonl" not in findings(own_folder)


@pytest.mark.parametrize("damage", [empty, remove])
@pytest.mark.parametrize("name", ["curation.sqlite", "versions.jsonl", "decisions.jsonl"])
def test_what_people_decided_and_is_gone_is_named(own_folder, name, damage):
    (own_folder / "decisions.jsonl").touch()
    if name == "decisions.jsonl":
        (own_folder / name).write_text('{"word": "x"}\n', "utf-8")
    layout = Layout(own_folder)
    note_sums(layout, look(layout), lost=())

    damage(own_folder / name)

    assert not findings(own_folder)[f"file {name}"].is_well


@pytest.mark.parametrize("damage", [empty, remove])
def test_decisions_that_are_gone_stop_what_would_undo_them(known_folder, damage):
    with izwi.open(known_folder) as corpus:
        document = next(iter(corpus.documents())).id
        corpus.decide_document(document, "drop", by="test")
        corpus.build(workers=1)
        damage(known_folder / "curation.sqlite")

        for attempt in (
            lambda: corpus.build(workers=1),
            lambda: corpus.decide_document(document, "keep", by="another"),
            corpus.changes,
        ):
            with pytest.raises(StoreError, match="what people decided lies in it alone"):
                attempt()
        assert document not in {each.id for each in corpus.documents()}
        assert not findings(known_folder)["file curation.sqlite"].is_well


def test_words_decided_after_the_list_was_lost_do_not_hide_that(known_folder):
    with izwi.open(known_folder) as corpus:
        corpus.decide("bakkie", "accept", by="test")
        corpus.build(workers=1)
        path = known_folder / "decisions.jsonl"
        path.unlink()

        with pytest.raises(StoreError, match="Put back a copy"):
            corpus.decide("a far longer headword than the one before", "accept", by="test")
        path.write_text('{"word": "%s"}\n' % ("x" * 200), "utf-8")

    assert not findings(known_folder)["file decisions.jsonl"].is_well


def test_a_decision_that_was_cut_off_is_no_damage_to_the_list(known_folder):
    with izwi.open(known_folder) as corpus:
        corpus.decide("bakkie", "accept", by="test")
        with (known_folder / "decisions.jsonl").open("a") as file:
            file.write('{"word": "braai", "verd')
        corpus.build(workers=1)
        corpus.decide("braai", "accept", by="test")

        assert findings(known_folder)["files"].is_well
        assert corpus.build(workers=1).failures == ()


@pytest.mark.parametrize("damage", [cut, empty, remove])
def test_a_catalog_that_is_not_whole_is_named(known_folder, damage):
    damage(known_folder / "catalog.sqlite")

    found = [each for each in findings(known_folder).values() if not each.is_well]

    assert any("catalog.sqlite" in f"{each.check} {each.message}" for each in found)


def test_what_is_lost_with_a_catalog_is_said(known_folder):
    (known_folder / "catalog.sqlite").unlink()

    with Corpus(known_folder) as corpus:
        report = corpus.build(workers=1)

    assert any("was refused or failed is not known" in each for each in report.warnings)


def test_counts_that_rot_are_counted_again(known_folder):
    with Corpus(known_folder) as corpus:
        corpus.build(workers=1)
        before = corpus.drops().counts
    path = known_folder / "counts.tsv"
    kept = path.read_text("utf-8")
    path.write_text(kept.replace(", 1]", ", 7]"), "utf-8")
    assert path.read_text("utf-8") != kept

    with Corpus(known_folder) as corpus:
        assert corpus.drops().counts == before
        corpus.build(workers=1)

    assert path.read_text("utf-8") == kept


@pytest.mark.parametrize("damage", [cut, empty, remove])
def test_sums_that_are_not_whole_are_named_and_taken_again(known_folder, damage):
    with Corpus(known_folder) as corpus:
        corpus.build(workers=1)
        before = read_sums(Layout(known_folder))
        damage(known_folder / "sums.jsonl")

        assert not findings(known_folder)["sums.jsonl"].is_well
        corpus.build(workers=1)

    assert "sums.jsonl" not in findings(known_folder)
    assert read_sums(Layout(known_folder)).keys() == before.keys()


def test_versions_are_looked_at_once_however_many_files_are_gone(known_folder, monkeypatch):
    with Corpus(known_folder) as corpus:
        corpus.build(workers=1)
    before = snapshots.restore
    looks = []
    monkeypatch.setattr(snapshots, "restore", lambda layout: looks.append(layout) or before(layout))
    (segment,) = (known_folder / "index" / "segments").iterdir()
    for path in segment.iterdir():
        path.unlink()

    with Corpus(known_folder) as corpus:
        corpus.build(workers=1)

    assert len(looks) == 2  # before the first file, and after the last
