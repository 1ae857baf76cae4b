import shutil
from dataclasses import dataclass

import pyarrow as pa
import pytest

from izwi.annotate.izwi import Izwi
from izwi.index.reader import Segment
from izwi.model.curation import Decision
from izwi.model.results import Notice, Progress
from izwi.pipeline.runners import Processes
from izwi.pipeline.staleness import statuses
from izwi.store.catalog import Catalog
from izwi.store.curation import changing
from izwi.store.snapshots import current
from izwi.store.warc import read_entries
from izwi.text import verdicts
from tests.pipeline.pages import AFRIKAANS, ENGLISH, Corpus, html, page, settings
from tests.store.samples import capture, later, write_shard

FIRST, SECOND, THIRD = SHARDS = [f"2026-11-15-000{number}" for number in (1, 2, 3)]
STAGES = ["extract", "language", "sift", "sign", "own", "judge", "select", "annotate"]
# What each shard holds; "owls" is told three times, "rats" twice.
PAGES = {
    FIRST: [page("owls", "owls"), page("bats", "bats")],
    SECOND: [page("owls-again", "owls", seconds=10), page("rats", "rats", seconds=11)],
    THIRD: [
        page("owls-once-more", "owls", seconds=20),
        page("rats-again", "rats", seconds=21),
        page("uile", "uile", AFRIKAANS, seconds=22),
        page("short", "", "It was not found.", seconds=23),
    ],
}
VERDICTS = {
    "owls": "",
    "bats": "",
    "owls-again": "exact-copy",
    "rats": "",
    "owls-once-more": "exact-copy",
    "rats-again": "exact-copy",
    "uile": "other-language",
    "short": "too-short",
}
USUAL = settings()


def corpus_at(root, shards=SHARDS):
    corpus = Corpus(root)
    for shard in shards:
        write_shard(corpus.layout, shard, PAGES[shard])
    return corpus


class Ready(Corpus):
    """A corpus that can be as another is that was built from the same pages."""

    def __init__(self, root, built):
        super().__init__(root)
        self.built = built

    def be_built(self):
        """Be as after a build with the usual settings, without its cost."""
        shutil.rmtree(self.layout.root)
        shutil.copytree(self.built.layout.root, self.layout.root)
        self.events = list(self.built.events)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The corpus after its first build; only copied."""
    made = corpus_at(tmp_path_factory.mktemp("built") / "news")
    made.build(USUAL)
    return made


@pytest.fixture
def corpus(tmp_path, built):
    corpus_at(tmp_path / "news")
    return Ready(tmp_path / "news", built)


def indexed(corpus):
    """Return the addresses in the current index."""
    entries = current(corpus.layout).segments
    segments = [Segment(corpus.layout.segments / entry.id, entry.gone) for entry in entries]
    return sorted(
        url
        for segment in segments
        for url in segment.cards.column("url").filter(pa.array(~segment.is_gone)).to_pylist()
    )


def counts(corpus, config):
    with Catalog.read(corpus.layout.catalog) as catalog:
        return {
            each.stage: (each.current, each.stale, each.missing, each.failed)
            for each in statuses(corpus.layout, config, catalog)
        }


def test_first_build_makes_everything(corpus):
    result = corpus.build(USUAL)

    assert corpus.work == [(stage, shard) for stage in STAGES for shard in SHARDS]
    assert (result.shards_built, result.failures, result.warnings) == (24, (), ())
    assert corpus.verdicts(USUAL) == VERDICTS
    assert result.snapshot.number == 1
    assert result.snapshot.documents == list(VERDICTS.values()).count("")
    assert result.snapshot == current(corpus.layout)
    assert counts(corpus, USUAL) == dict.fromkeys([*STAGES, "index"], (3, 0, 0, 0))


def test_copies_name_the_document_of_the_best_rank(corpus):
    corpus.be_built()

    found = corpus.documents(USUAL)

    assert found["owls-again"].copy_of.document == found["owls"].id
    assert found["owls-once-more"].copy_of.document == found["owls"].id
    assert found["rats-again"].copy_of.document == found["rats"].id
    assert found["owls"].copy_of is None


def test_second_build_does_nothing(corpus):
    first = corpus.build(USUAL)

    again = corpus.build(USUAL)

    assert corpus.work == []
    assert (again.shards_built, again.snapshot) == (0, first.snapshot)


def test_texts_that_did_not_change_are_not_annotated_again(corpus, monkeypatch):
    corpus.be_built()
    before = corpus.documents(USUAL)
    changed = settings(language="minimum = 0.6")
    monkeypatch.setattr(Izwi, "__call__", lambda self, paragraphs: pytest.fail("annotated again"))

    result = corpus.build(changed)

    assert result.failures == ()
    after = corpus.documents(changed)
    assert [after[name].annotation for name in after] == [before[name].annotation for name in after]
    assert any(each.annotation and each.annotation.words for each in after.values())


def test_corpus_without_shards_builds_to_nothing(tmp_path):
    result = Corpus(tmp_path / "news").build(USUAL)

    assert (result.shards_built, result.snapshot.number) == (0, 0)


def test_changed_threshold_redoes_only_what_depends_on_it(corpus):
    corpus.be_built()
    changed = settings(language="minimum = 0.6")
    before = counts(corpus, changed)

    result = corpus.build(changed)

    assert before["sift"] == (0, 3, 0, 0)
    assert before["sign"] == (3, 0, 0, 0)
    # It decides as before about these pages: nothing that follows is done again.
    assert {stage for stage, _ in corpus.work} == {"sift"}
    assert [e.step for e in corpus.events if isinstance(e, Progress)][-1] == "sift"
    assert result.snapshot.number == 2
    assert corpus.verdicts(changed) == VERDICTS


def test_changed_key_is_named_by_the_status(corpus):
    corpus.be_built()

    with Catalog.read(corpus.layout.catalog) as catalog:
        found = {
            each.stage: each.changed
            for each in statuses(corpus.layout, settings(language="minimum = 0.6"), catalog)
        }

    assert found["sift"] == ("language.minimum",)
    assert found["annotate"] == ("an earlier stage",)
    assert found["extract"] == ()


def test_another_threshold_asks_its_own_rule_and_gives_what_all_rules_give(
    corpus, tmp_path, monkeypatch
):
    changed = settings(select="minimum_words = 1000")
    fresh = corpus_at(tmp_path / "fresh")
    fresh.build(changed)
    corpus.be_built()
    monkeypatch.setattr(verdicts, "broken_rule", None)

    result = corpus.build(changed)

    assert not result.failures
    assert corpus.verdicts(changed) == fresh.verdicts(changed) != VERDICTS


def test_verdicts_of_other_settings_that_cannot_be_read_are_made_anew(corpus):
    corpus.be_built()
    for path in corpus.layout.layers.glob("sift-*/*.parquet"):
        path.write_bytes(b"damaged")
    changed = settings(language="minimum = 0.6")

    result = corpus.build(changed)

    assert not result.failures
    assert corpus.verdicts(changed) == VERDICTS


def test_going_back_to_an_earlier_setting_builds_no_layer(corpus):
    corpus.be_built()
    corpus.build(settings(dedup="exact = false"))

    corpus.build(USUAL)

    assert corpus.work == []
    assert current(corpus.layout).documents == 3


def test_copies_are_kept_when_asked_for(corpus):
    result = corpus.build(settings(dedup="exact = false"))

    assert result.snapshot.documents == 6


def test_new_shard_is_the_only_one_worked_on(tmp_path):
    corpus = corpus_at(tmp_path / "news", [FIRST, SECOND])
    first = corpus.build(USUAL)
    write_shard(corpus.layout, THIRD, PAGES[THIRD])

    second = corpus.build(USUAL)

    assert corpus.work == [(stage, THIRD) for stage in STAGES]
    assert second.snapshot.segments[:-1] == first.snapshot.segments
    assert second.snapshot.segments[-1].shards == (THIRD,)
    assert corpus.verdicts(USUAL) == VERDICTS


@pytest.mark.parametrize(
    "layer", ["text", "lang", "sift", "sign", "own", "dup", "select", "tokens"]
)
def test_deleted_file_is_made_again_with_the_same_result(corpus, layer):
    corpus.be_built()
    before = corpus.documents(USUAL)
    path = corpus.path(USUAL, layer, SECOND)
    path.unlink()

    result = corpus.build(USUAL)

    assert path.exists()
    assert (result.failures, result.warnings) == ((), ())
    assert corpus.documents(USUAL) == before
    # What lies before the deleted layer is left alone.
    assert ("extract", FIRST) not in corpus.work


@pytest.mark.parametrize("layer", ["text", "lang", "dup"])
def test_truncated_layer_heals_with_a_warning(corpus, layer):
    corpus.be_built()
    path = corpus.path(USUAL, layer, SECOND)
    path.write_bytes(path.read_bytes()[:-30])

    # Other thresholds make `sift` and `select` read it.
    changed = settings(select="minimum_words = 19")
    if layer == "dup":
        changed = settings(dedup="document = 0.7")
    result = corpus.build(changed)

    (warning,) = result.warnings
    assert str(path.relative_to(corpus.layout.root)) in warning
    assert Notice(warning) in corpus.events
    assert result.failures == ()
    assert corpus.verdicts(changed) == VERDICTS


def test_truncated_run_of_owners_heals_with_a_warning(corpus):
    corpus.be_built()
    before = corpus.documents(USUAL)
    path = corpus.path(USUAL, "own", FIRST)
    path.write_bytes(path.read_bytes()[:-30])
    corpus.path(USUAL, "dup", THIRD).unlink()

    result = corpus.build(USUAL)

    assert len(result.warnings) == 1
    assert result.failures == ()
    assert corpus.documents(USUAL) == before


def test_layer_that_only_the_index_reads_heals_in_the_same_build(corpus):
    corpus.be_built()
    path = corpus.path(USUAL, "tokens", SECOND)
    path.write_bytes(path.read_bytes()[:-30])
    for manifest in corpus.layout.snapshots.iterdir():
        manifest.unlink()

    result = corpus.build(USUAL)

    (warning,) = result.warnings
    assert path.name in warning
    assert result.snapshot.documents == 3


def test_damaged_list_of_captures_is_a_failure_of_its_shard_alone(corpus):
    corpus.layout.captures(SECOND).write_text("{")

    result = corpus.build(USUAL)

    (failure,) = result.failures
    assert failure.startswith(f"extract {SECOND}: ")
    assert result.snapshot.documents == 3  # the other telling of the rats is now the first
    assert counts(corpus, USUAL)["extract"] == (2, 0, 0, 1)


def test_failure_is_told_once_however_many_rounds_there_are(corpus):
    corpus.be_built()
    corpus.path(USUAL, "text", SECOND).unlink()
    corpus.layout.captures(SECOND).write_text("{")
    text = corpus.path(USUAL, "text", FIRST)
    text.write_bytes(text.read_bytes()[:-30])

    result = corpus.build(settings(select="minimum_words = 19"))

    assert len(result.warnings) == 1
    assert len(result.failures) == 1


def test_shard_that_comes_late_gives_the_ownership_of_a_build_from_scratch(corpus, tmp_path):
    late = corpus_at(tmp_path / "late", [FIRST, THIRD])
    late.build(USUAL)
    before = late.verdicts(USUAL)
    write_shard(late.layout, SECOND, PAGES[SECOND])

    result = late.build(USUAL)

    corpus.build(USUAL)
    assert before["rats-again"] == ""
    assert late.documents(USUAL) == corpus.documents(USUAL)
    assert result.snapshot.documents == current(corpus.layout).documents
    assert ("extract", THIRD) not in late.work


def test_shard_that_comes_late_changes_what_other_settings_made_too(corpus, tmp_path):
    other = settings(select="minimum_words = 19")
    late = corpus_at(tmp_path / "late", [FIRST, THIRD])
    late.build(USUAL)
    late.build(other)
    write_shard(late.layout, SECOND, PAGES[SECOND])
    late.build(other)

    late.build(USUAL)

    corpus.build(USUAL)
    assert late.verdicts(USUAL) == corpus.verdicts(USUAL)
    assert current(late.layout).documents == current(corpus.layout).documents


def test_shard_that_is_gone_leaves_its_texts_to_the_next(corpus):
    corpus.be_built()
    corpus.layout.warc(SECOND).unlink()
    corpus.layout.captures(SECOND).unlink()

    result = corpus.build(USUAL)

    assert corpus.verdicts(USUAL)["rats-again"] == ""
    assert result.snapshot.documents == 3


def test_raw_file_that_is_gone_leaves_what_was_made_of_it(corpus):
    before = corpus.build(USUAL).snapshot
    corpus.layout.warc(SECOND).unlink()

    after = corpus.build(USUAL).snapshot

    assert corpus.work == []
    assert after == before


def damage(corpus, shard):
    """Damage the first capture of a shard and return its bytes as they were."""
    path = corpus.layout.warc(shard)
    raw = path.read_bytes()
    entry = next(read_entries(corpus.layout.captures(shard)))
    middle = entry.offset + entry.length // 2
    path.write_bytes(raw[:middle] + b"\0" * 8 + raw[middle + 8 :])
    return raw


def test_damaged_capture_is_a_failure_that_is_told_until_it_is_mended(corpus):
    damage(corpus, FIRST)

    first, second = corpus.build(USUAL), corpus.build(USUAL)

    assert "1 of its 2 captures cannot be read" in first.failures[0]
    assert f"{FIRST}.warc.gz is still damaged" in second.failures[0]
    assert corpus.verdicts(USUAL)["owls"] == "damaged-capture"
    assert corpus.verdicts(USUAL)["owls-again"] == ""
    assert corpus.work == []


def test_raw_file_that_is_put_back_gives_the_build_that_would_have_been(corpus, tmp_path):
    raw = damage(corpus, FIRST)
    corpus.build(USUAL)
    corpus.layout.warc(FIRST).write_bytes(raw)

    result = corpus.build(USUAL)

    whole = corpus_at(tmp_path / "whole")
    expected = whole.build(USUAL)
    assert result.failures == ()
    assert corpus.documents(USUAL) == whole.documents(USUAL)
    assert result.snapshot.documents == expected.snapshot.documents
    assert result.snapshot.tokens == expected.snapshot.tokens
    assert indexed(corpus) == indexed(whole)


def test_raw_file_that_is_put_back_changes_what_other_settings_made_too(corpus):
    other = settings(select="minimum_words = 19")
    raw = damage(corpus, FIRST)
    corpus.build(other)
    corpus.build(USUAL)
    corpus.layout.warc(FIRST).write_bytes(raw)
    corpus.build(USUAL)

    corpus.build(other)

    assert corpus.verdicts(other) == VERDICTS
    assert corpus.build(other).snapshot.documents == 3


def test_segment_that_is_gone_is_made_again(corpus):
    before = corpus.build(USUAL).snapshot
    (segment,) = corpus.layout.segments.iterdir()
    shutil.rmtree(segment)

    after = corpus.build(USUAL).snapshot

    assert corpus.work == []
    assert (after.number, after.tokens) == (before.number + 1, before.tokens)
    assert (corpus.layout.segments / after.segments[0].id).is_dir()


def test_leftovers_of_a_killed_build_are_removed(corpus):
    corpus.be_built()
    leftover = corpus.path(USUAL, "text", FIRST).parent / ".x.parquet.1234.part"
    leftover.write_text("half")

    corpus.build(USUAL)

    assert not leftover.exists()


def test_processes_give_the_same_documents_as_one(corpus, tmp_path):
    other = corpus_at(tmp_path / "other")

    one = corpus.build(USUAL)
    several = other.build(USUAL, Processes(2))

    assert several.shards_built == one.shards_built
    assert other.documents(USUAL) == corpus.documents(USUAL)
    assert several.snapshot.tokens == one.snapshot.tokens


DATED = '<meta property="article:published_time" content="2019-05-04T10:00:00Z">'


def test_an_earlier_telling_that_comes_late_changes_only_the_shards_that_have_it(corpus, tmp_path):
    late, both = corpus_at(tmp_path / "late"), settings(corpus='languages = ["en", "af"]')
    late.build(both)
    fourth = "2026-11-15-0004"
    owls = html("uile", AFRIKAANS, head=DATED)
    before = later(capture("http://one.example/uile-before", owls), 30)
    write_shard(late.layout, fourth, [before])

    late.build(both)

    write_shard(corpus.layout, fourth, [before])
    corpus.build(both)
    found = late.documents(both)
    assert found == corpus.documents(both)
    assert found["uile"].copy_of.document == found["uile-before"].id
    assert {shard for stage, shard in late.work if stage == "judge"} == {THIRD, fourth}
    assert indexed(late) == indexed(corpus)


def test_texts_of_a_shard_that_is_judged_again_are_not_annotated_again(corpus, monkeypatch):
    corpus.be_built()
    rats = later(capture("http://one.example/rats-before", html("rats", head=DATED)), 30)
    write_shard(corpus.layout, "2026-11-15-0004", [rats])
    texts = []
    usual = Izwi.__call__

    def heard(self, paragraphs):
        texts.extend(given := list(paragraphs))
        return usual(self, given)

    monkeypatch.setattr(Izwi, "__call__", heard)
    corpus.build(USUAL)

    assert len(texts) == 1
    assert ("annotate", SECOND) in corpus.work
    assert not list(corpus.layout.layers.glob("*/replaced"))


@dataclass(frozen=True)
class Out:
    """Pages that were taken out."""

    url: str

    def covers(self, url):
        return url == self.url


def test_owner_that_is_taken_out_hands_over_to_the_next(corpus):
    corpus.be_built()

    corpus.build(USUAL, excluded=Out("http://one.example/rats"))

    found = corpus.documents(USUAL)
    assert found["rats-again"].copy_of is None
    assert ("own", FIRST) not in corpus.work
    assert {shard for stage, shard in corpus.work if stage == "judge"} == {SECOND, THIRD}
    corpus.build(USUAL)
    assert corpus.verdicts(USUAL) == VERDICTS


@pytest.mark.parametrize("part", ["hashes", "names.json", "ranks"])
def test_damaged_run_of_hashes_heals(corpus, part):
    corpus.be_built()
    before = corpus.documents(USUAL)
    (folder,) = corpus.path(USUAL, "own", FIRST).parent.glob(f"{FIRST}-*.ngrams")
    (folder / part).write_bytes(b"x")
    corpus.path(USUAL, "dup", FIRST).unlink()

    result = corpus.build(USUAL)

    assert result.failures == ()
    assert corpus.documents(USUAL) == before


def test_old_owners_that_are_lost_make_all_be_judged_again(corpus):
    corpus.be_built()
    layer = corpus.path(USUAL, "own", FIRST).parent
    (layer / "groups.json").unlink()

    corpus.build(USUAL)

    assert {shard for stage, shard in corpus.work if stage == "judge"} == set(SHARDS)
    assert corpus.verdicts(USUAL) == VERDICTS


@pytest.mark.parametrize("method", ["sentences", "shingles"])
def test_copies_of_whole_documents_by_another_method_are_left_out(corpus, method):
    twice = ENGLISH.format(what="hens") + "</p><p>" + ENGLISH.format(what="cows")
    more = "</p><p>A last word about the hens, which had not been heard of before that day."
    pages = [
        later(capture("http://one.example/hens", html("", twice)), 40),
        later(capture("http://one.example/hens-and-more", html("", twice + more)), 41),
    ]
    write_shard(corpus.layout, "2026-11-15-0005", pages)
    config = settings(dedup=f'method = "{method}"')

    corpus.build(config)

    assert corpus.verdicts(config)["hens"] == f"{method}-copy"
    assert corpus.verdicts(config)["hens-and-more"] == ""
    assert corpus.verdicts(config)["rats-again"] == "exact-copy"


def test_a_document_that_is_dropped_owns_nothing(corpus):
    strict = settings(select="maximum_words = 75")
    print_view = html("lynx", ENGLISH + " " + "And so on and so forth it went. " * 3, head=DATED)
    write_shard(
        corpus.layout,
        "2026-11-15-0004",
        [
            later(capture("http://one.example/lynx-print", print_view), 30),
            page("lynx", "lynx", seconds=31),
        ],
    )

    corpus.build(strict)

    found = corpus.documents(strict)
    assert found["lynx-print"].verdict.reason == "too-long"
    assert (found["lynx"].verdict.reason, found["lynx"].left_out) == ("", ())


def test_what_a_curator_takes_out_hands_its_text_to_the_next(corpus):
    corpus.be_built()
    document = corpus.documents(USUAL)["owls"]
    with changing(corpus.layout, "thandi") as desk:
        desk.put_decision(Decision(document.id, document.url, "drop", FIRST))

    corpus.build(USUAL)

    assert corpus.verdicts(USUAL) == VERDICTS | {"owls": "excluded", "owls-again": ""}
