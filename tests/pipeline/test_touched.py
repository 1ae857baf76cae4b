"""Only documents that a change touches are made anew, and the result is that of a fresh build."""

import json
import random
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pytest

from izwi import demoweb
from izwi.curation import takedown
from izwi.index.reader import Segment
from izwi.model.results import ShardReport
from izwi.pipeline import former_owners, owner_changes, patching, touched
from izwi.pipeline.cluster import Elsewhere
from izwi.pipeline.patching import marked_anew
from izwi.pipeline.stages import plan
from izwi.store.catalog import Catalog
from izwi.store.layers import read_documents, rows_that_differ
from izwi.store.ownership import shard_runs
from izwi.store.ownership.shard_runs import ShardRun, read_run_digest
from izwi.store.snapshots import current
from izwi.store.takedowns import Takedown, Takedowns, write_takedowns
from tests.pipeline.pages import Corpus, settings
from tests.store.samples import capture, later, write_shard

SHARDS = [f"2026-11-15-{number:04d}" for number in range(1, 4)]
PAGES = 12
CONFIG = settings()
# Some pages have fewer words, and some more.
STRICT = settings(select="minimum_words = 210")


def paragraphs():
    """Return the longer paragraphs of real prose."""
    text = Path(demoweb.__file__).with_name("articles") / "egolipost.txt"
    return [each for each in text.read_text(encoding="utf-8").split("\n") if len(each.split()) > 25]


def address(shard, number):
    return f"http://one.example/{shard}/{number}"


def pages(shard):
    """Return pages with paragraphs of their own and some that others have, too."""
    dice, found = random.Random(shard), paragraphs()
    for number in range(PAGES):
        texts = dice.sample(found, 5) if number % 3 else found[number : number + 5]
        body = "".join(f"<p>{each}</p>" for each in texts)
        html = f"<html><body><article>{body}</article></body></html>".encode()
        yield later(capture(address(shard, number), html), dice.randrange(1000))


def take_down(corpus, *places):
    """Write that pages are taken down, and return it."""
    gone = Takedowns(
        tuple(
            Takedown(address(SHARDS[shard], number), "asked", "2026-11-17", (SHARDS[shard],))
            for shard, number in places
        )
    )
    write_takedowns(corpus.layout, gone)
    return gone


def corpus_at(root, shards=SHARDS):
    made = Corpus(root)
    for shard in shards:
        write_shard(made.layout, shard, list(pages(shard)))
    return made


def layers(corpus):
    """Return all files of rows, by their names."""
    return {
        path.relative_to(corpus.layout.layers).as_posix(): path.read_bytes()
        for path in corpus.layout.layers.glob("*/*.parquet")
    }


def indexed(corpus):
    """Return what the index says of each document that counts, and how many tokens there are."""
    snapshot = current(corpus.layout)
    segments = [Segment(corpus.layout.segments / e.id, e.gone) for e in snapshot.segments]
    cards = [each.cards.filter(pa.array(~each.is_gone)).to_pylist() for each in segments]
    counted = sum(int(each.document_lengths[each.is_original].sum()) for each in segments)
    assert counted == snapshot.tokens
    rows = [json.dumps(card, default=str, sort_keys=True) for some in cards for card in some]
    return sorted(rows), snapshot.documents, snapshot.tokens


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    corpus = corpus_at(tmp_path_factory.mktemp("touched") / "news")
    corpus.build(CONFIG)
    return corpus


@pytest.fixture
def corpus(built, tmp_path):
    return Corpus(shutil.copytree(built.layout.root, tmp_path / "news"))


@pytest.mark.parametrize("places", [[(0, 0)], [(1, 4)], [(0, 3), (2, 3), (2, 7)]], ids=str)
def test_after_a_take_down_all_is_as_if_the_page_had_never_counted(corpus, tmp_path, places):
    (large,) = current(corpus.layout).segments
    fresh = corpus_at(tmp_path / "fresh")
    fresh.build(CONFIG, excluded=take_down(fresh, *places))

    for last in range(1, len(places) + 1):
        gone = take_down(corpus, *places[:last])
        corpus.build(CONFIG, excluded=gone)

    assert layers(corpus) == layers(fresh)
    assert indexed(corpus) == indexed(fresh)
    assert large.id in {entry.id for entry in current(corpus.layout).segments}
    corpus.build(CONFIG, excluded=gone)
    assert corpus.work == []


def test_no_text_is_tagged_or_indexed_again_that_a_take_down_does_not_touch(corpus):
    gone = take_down(corpus, (1, 4))

    corpus.build(CONFIG, excluded=gone)

    reports = [each for each in corpus.events if isinstance(each, ShardReport)]
    assert {each.stage for each in reports} <= {"own", "judge", "select", "annotate"}
    rows = sum(each.rows for each in reports if each.stage == "annotate")
    assert 0 < rows < len(SHARDS) * PAGES / 2
    segments = current(corpus.layout).segments
    assert sum(part.rows for entry in segments[1:] for part in entry.parts) < PAGES


def test_only_documents_that_are_chosen_otherwise_are_tagged_and_indexed_again(corpus, built):
    corpus.build(CONFIG, excluded=take_down(corpus, (0, 3)))

    old, new = built.layout.layers, corpus.layout.layers
    judged, chosen = (
        sum(
            len(rows_that_differ(path, old / path.relative_to(new)))
            for path in new.glob(f"{layer}-*/*.parquet")
        )
        for layer in ("dup", "select")
    )
    reports = [each for each in corpus.events if isinstance(each, ShardReport)]
    # The page itself is looked at, too.
    assert sum(each.rows for each in reports if each.stage == "annotate") <= chosen + 1 < judged
    segments = current(corpus.layout).segments
    assert sum(part.rows for entry in segments[1:] for part in entry.parts) <= chosen


PHRASE = "nobody at the stadium had expected so much rain"


def pages_with_a_phrase(shard):
    """Return pages of their own words and one phrase; some have a paragraph of the first one."""
    dice, found = random.Random(f"{shard} phrase"), paragraphs()
    for number in range(PAGES):
        words = " ".join(dice.sample(found, 4)).split()
        dice.shuffle(words)
        is_first = (shard, number) == (SHARDS[0], 0)
        texts = [" ".join(words), f"{' '.join(words[9:40])} {PHRASE} {' '.join(words[60:90])}."]
        texts += [found[0]] if number % 5 == 0 else []
        # The longest owns what it shares.
        texts += [" ".join(dice.sample(words, len(words)))] if is_first else []
        body = "".join(f"<p>{each}</p>" for each in texts)
        html = f"<html><body><article>{body}</article></body></html>".encode()
        yield later(capture(address(shard, number), html), number)


def test_only_documents_are_judged_again_about_which_other_owners_say_something_else(
    monkeypatch, tmp_path
):
    corpora = {name: Corpus(tmp_path / name) for name in ("now", "blindly", "fresh")}
    for name, corpus in corpora.items():
        for shard in SHARDS:
            write_shard(corpus.layout, shard, list(pages_with_a_phrase(shard)))
        if name != "fresh":
            corpus.build(CONFIG)
    shutil.copytree(corpora["now"].layout.layers, tmp_path / "before")

    for name, corpus in corpora.items():
        monkeypatch.setattr(former_owners, "_MOST_HASHES", 0 if name == "blindly" else 1 << 21)
        corpus.events.clear()
        corpus.build(CONFIG, excluded=take_down(corpus, (0, 0)))

    now, blindly, fresh = corpora.values()
    differ = sum(
        len(rows_that_differ(path, tmp_path / "before" / path.relative_to(now.layout.layers)))
        for path in now.layout.layers.glob("dup-*/*.parquet")
    )
    # The page itself is looked at, too.
    assert 0 < differ <= rows_done(now, "judge") <= differ + 1
    assert rows_done(blindly, "judge") > len(SHARDS) * PAGES / 2 > differ
    assert layers(now) == layers(blindly) == layers(fresh)


def rows_done(corpus, stage):
    reports = [each for each in corpus.events if isinstance(each, ShardReport)]
    return sum(each.rows for each in reports if each.stage == stage)


def test_a_page_that_is_put_back_counts_again(corpus, built):
    before = indexed(corpus)
    corpus.build(CONFIG, excluded=take_down(corpus, (0, 0)))
    write_takedowns(corpus.layout, Takedowns())

    corpus.build(CONFIG)

    assert indexed(corpus) == before
    assert layers(corpus) == layers(built)


def test_new_pages_have_only_those_judged_again_that_share_a_text(tmp_path, built):
    grown = corpus_at(tmp_path / "grown", SHARDS[1:])
    grown.build(CONFIG)
    write_shard(grown.layout, SHARDS[0], list(pages(SHARDS[0])))

    grown.build(CONFIG)

    assert layers(grown) == layers(built)
    assert indexed(grown) == indexed(built)


def test_a_build_cut_off_after_owners_were_settled_makes_whole_shards(
    corpus, tmp_path, monkeypatch
):
    fresh = corpus_at(tmp_path / "fresh")
    fresh.build(CONFIG, excluded=take_down(fresh, (0, 0)))
    gone = take_down(corpus, (0, 0))

    def cut(*given):
        settle(*given)
        raise KeyboardInterrupt

    settle = owner_changes.settle_owners
    monkeypatch.setattr(owner_changes, "settle_owners", cut)
    with pytest.raises(KeyboardInterrupt):
        corpus.build(CONFIG, excluded=gone)
    monkeypatch.undo()
    corpus.build(CONFIG, excluded=gone)

    assert layers(corpus) == layers(fresh)
    assert indexed(corpus) == indexed(fresh)


def test_of_a_shard_that_is_to_be_made_whole_nothing_noted_before_is_believed(corpus):
    stages, dup = plan(CONFIG), corpus.path(CONFIG, "dup", SHARDS[0])
    own = next(planned for planned in stages if planned.spec.writes == "own")
    stale = owner_changes.descendants(corpus.layout, stages, own)
    touched.note_rows(dup, [1])
    touched.chosen_beside(dup).write_text("[1]")

    owner_changes._have_made_whole(corpus.layout, stale, SHARDS[0])

    assert touched.rows_to_index(dup) is None


def damage(corpus, what, shard):
    """Damage a layer of a shard, or a file of what its documents hold."""
    path = corpus.path(CONFIG, what if what in {"text", "sign"} else "own", shard)
    if path.parent.name.startswith("own"):
        path = next(path.parent.glob(f"{shard}-*.ngrams")) / what
    if what == "grams":
        path.unlink()
    elif what == "names.json":
        path.write_text("{")
    else:
        raw = bytearray(path.read_bytes())
        raw[30:90] = bytes(60)
        path.write_bytes(raw)
    shard_runs._texts.cache_clear()
    shard_runs._gram_ends.cache_clear()


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """A corpus that was built after the page was taken down."""
    fresh = corpus_at(tmp_path_factory.mktemp("without") / "news")
    fresh.build(CONFIG, excluded=take_down(fresh, (1, 4)))
    return fresh


@pytest.mark.parametrize(
    ("what", "shard"),
    [("text", 1), ("sign", 1), ("names.json", 1), ("grams", 1), ("hashes", 1), ("hashes", 2)],
)
def test_a_page_is_taken_down_whatever_is_damaged(corpus, without, what, shard):
    damage(corpus, what, SHARDS[shard])

    result = corpus.build(CONFIG, excluded=take_down(corpus, (1, 4)))

    assert result.failures == ()
    assert not any(address(SHARDS[1], 4) in card for card in indexed(corpus)[0])
    if what != "hashes":  # whose sums are looked at before a build, not in it
        assert layers(corpus) == layers(without)
        assert indexed(corpus) == indexed(without)
    assert len(corpus.work) < 20  # it does not begin again and again


class Blind:
    """A cluster whose workers do not see the folder."""

    def __enter__(self):
        return self

    def __exit__(self, *about):
        return None

    def blind_to(self, sign):
        return ["a worker"]

    def map(self, work, tasks, retries=2):
        return map(work, tasks)


def test_workers_that_do_not_see_the_folder_take_pages_down(corpus, tmp_path):
    places = [(1, 4), (2, 3)]
    (tmp_path / "store").mkdir()
    runner = Elsewhere(Blind(), corpus.layout.root, f"file://{tmp_path / 'store'}")
    fresh = corpus_at(tmp_path / "fresh")
    fresh.build(CONFIG, excluded=take_down(fresh, *places))

    result = corpus.build(CONFIG, runner=runner, excluded=take_down(corpus, *places))

    assert result.failures == ()
    assert layers(corpus) == layers(fresh)
    assert indexed(corpus) == indexed(fresh)
    own = [each for each in corpus.events if isinstance(each, ShardReport) and each.stage == "own"]
    # What the shards held went along, so that no document had to be read.
    assert [each.rows for each in own] == [0, 0]


def test_a_shard_is_not_called_current_while_a_taken_down_page_of_it_counts(corpus):
    snapshot = current(corpus.layout)
    marks = {part.shard: part.fingerprint for part in snapshot.segments[0].parts}
    gone = take_down(corpus, (1, 4))

    found = marked_anew(corpus.layout, snapshot, marks, marks, gone)

    assert found.shards == {SHARDS[0], SHARDS[2]}


def compact(corpus, gone):
    """Take out of the files what was taken down, and build."""
    with Catalog.write(corpus.layout.catalog) as catalog:
        run = SimpleNamespace(catalog=catalog)
        rewritten = takedown.remove_taken_down(corpus.layout, CONFIG, run)
    corpus.build(CONFIG, excluded=gone, rewritten=rewritten)


def test_an_index_is_compacted_with_new_pages_as_if_it_were_made_anew(tmp_path):
    grown = corpus_at(tmp_path / "grown", SHARDS[1:])
    grown.build(CONFIG)
    gone = take_down(grown, (1, 4), (2, 4))
    grown.build(CONFIG, excluded=gone)
    # Whose pages have texts of the others, so that these are judged again.
    write_shard(grown.layout, SHARDS[0], list(pages(SHARDS[0])))

    compact(grown, gone)

    fresh = Corpus(tmp_path / "fresh")
    shutil.copytree(grown.layout.warcs, fresh.layout.warcs)
    fresh.build(CONFIG, excluded=gone)
    assert indexed(grown) == indexed(fresh)


def test_what_changed_is_looked_at_one_document_after_the_other(corpus, monkeypatch):
    read = []

    def watched(*given):
        for document in read_documents(*given):
            read.append(document)
            # The last ones may be in hand; the others are held by nothing but this list.
            assert all(sys.getrefcount(each) <= 4 for each in read[:-2])
            yield document

    monkeypatch.setattr(patching, "read_documents", watched)

    result = corpus.build(CONFIG, excluded=take_down(corpus, (0, 3), (1, 4), (2, 7)))

    assert result.failures == ()
    assert len(read) > 3


def test_of_a_large_host_no_more_pages_are_read_than_are_looked_for(built, monkeypatch):
    asked, documents = [], takedown._Layers.documents

    def noted(self, shard, rows):
        asked.append(shard)
        return documents(self, shard, rows)

    monkeypatch.setattr(takedown._Layers, "documents", noted)
    monkeypatch.setattr(takedown, "_MOST_DOCUMENTS", 1)

    takedown.traces(built.layout, CONFIG, Takedown("one.example", "", "", shards=tuple(SHARDS)))

    assert asked == [SHARDS[0], *SHARDS]


def test_who_holds_a_text_is_found_without_making_documents(built):
    text, sign = (built.path(CONFIG, layer, SHARDS[0]) for layer in ("text", "sign"))
    own = built.path(CONFIG, "own", SHARDS[0])
    shard = ShardRun(own.parent, own.stem, read_run_digest(own))
    run, reading = shard.run(), plan(CONFIG)[4].config.reading

    rows = touched.rows_holding(text, sign, run.hashes[run.owners == 0], reading)

    ids = [each.id for each in built.documents(CONFIG).values()]
    assert ids.index(shard.names()[0]) in rows
    assert touched.rows_holding(text, sign, run.hashes[:0], reading) == []


@pytest.fixture(scope="module")
def strictly_built(tmp_path_factory):
    corpus = corpus_at(tmp_path_factory.mktemp("strict") / "news")
    corpus.build(STRICT)
    return corpus


def is_as_fresh(corpus, fresh):
    """Whether all that a fresh build makes is there as well, byte for byte, and indexed."""
    found, wanted = layers(corpus), layers(fresh)
    differing = [name for name in wanted if found.get(name) != wanted[name]]
    return not differing and indexed(corpus) == indexed(fresh)


def test_the_thresholds_of_these_tests_decide_about_a_few_pages(built, strictly_built):
    many, few = indexed(built), indexed(strictly_built)

    assert 0 < many[1] - few[1] < many[1] / 4


def test_a_raised_threshold_has_the_same_result_as_a_fresh_build(corpus, strictly_built):
    corpus.build(STRICT)

    assert is_as_fresh(corpus, strictly_built)
    corpus.build(STRICT)
    assert corpus.work == []


def test_a_lowered_threshold_has_the_same_result_as_a_fresh_build(strictly_built, built, tmp_path):
    corpus = Corpus(shutil.copytree(strictly_built.layout.root, tmp_path / "news"))

    corpus.build(CONFIG)

    assert is_as_fresh(corpus, built)
    corpus.build(STRICT)
    assert is_as_fresh(corpus, strictly_built)


def test_only_what_a_threshold_decides_otherwise_about_is_tagged_and_indexed(corpus):
    (large,) = current(corpus.layout).segments

    corpus.build(STRICT)

    reports = [each for each in corpus.events if isinstance(each, ShardReport)]
    assert sum(each.rows for each in reports if each.stage == "annotate") < PAGES
    kept, *small = current(corpus.layout).segments
    assert kept.id == large.id
    assert sum(part.rows for entry in small for part in entry.parts) < PAGES


@pytest.mark.parametrize("line", ["minimum_words = 21", "maximum_capitals = 0.4"])
def test_a_threshold_that_decides_nothing_otherwise_costs_the_deciding_alone(corpus, line):
    before = current(corpus.layout)
    config = settings(select=line)

    corpus.build(config)

    assert {stage for stage, _ in corpus.work} == {"sift"}
    assert [entry.id for entry in current(corpus.layout).segments] == [
        entry.id for entry in before.segments
    ]
    corpus.build(config)
    assert corpus.work == []


def test_a_threshold_and_a_take_down_at_once_are_both_obeyed(corpus, tmp_path):
    fresh = corpus_at(tmp_path / "fresh")
    fresh.build(STRICT, excluded=take_down(fresh, (0, 0), (1, 4)))

    corpus.build(STRICT, excluded=take_down(corpus, (0, 0), (1, 4)))

    assert is_as_fresh(corpus, fresh)


def test_pages_that_come_with_another_threshold_are_counted(tmp_path, strictly_built):
    grown = corpus_at(tmp_path / "grown", SHARDS[1:])
    grown.build(CONFIG)
    write_shard(grown.layout, SHARDS[0], list(pages(SHARDS[0])))

    grown.build(STRICT)

    assert is_as_fresh(grown, strictly_built)


@pytest.mark.parametrize(
    "place",
    [
        (touched, "_take_owners"),
        (touched, "_take_shard"),
        (owner_changes, "settle_owners"),
        (patching, "patched"),
    ],
    ids=lambda place: place[1],
)
def test_a_build_cut_off_while_layers_are_taken_over_is_made_good(
    corpus, strictly_built, monkeypatch, place
):
    module, name = place
    done = getattr(module, name)

    def cut(*given):
        done(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(module, name, cut)
    with pytest.raises(KeyboardInterrupt):
        corpus.build(STRICT)
    monkeypatch.undo()
    corpus.build(STRICT)

    assert is_as_fresh(corpus, strictly_built)


@pytest.mark.parametrize(
    "line",
    ['blocks = "keep"', 'documents = "drop"', "document = 0.6", "threshold = 0.9", "stub = 60"],
)
def test_other_settings_about_copies_have_the_result_of_a_fresh_build(corpus, tmp_path, line):
    config = settings(dedup=line)
    fresh = corpus_at(tmp_path / "fresh")
    fresh.build(config)

    corpus.build(config)

    assert is_as_fresh(corpus, fresh)
    reports = [each for each in corpus.events if isinstance(each, ShardReport)]
    assert sum(each.rows for each in reports if each.stage == "annotate") < len(SHARDS) * PAGES
    corpus.build(config)
    assert corpus.work == []
    corpus.build(CONFIG)
    assert corpus.work == []
