"""Segments by tasks: one for new shards however many there are, in their order, and no rests."""

import pytest

from izwi.index.assemble import Origin, merge_segments
from izwi.index.reader import Segment
from izwi.model.results import ShardReport
from izwi.pipeline import segmenting, staleness
from izwi.pipeline.runners import Processes
from izwi.pipeline.shard import run_shard
from izwi.query.engine import Filter, chosen_documents
from izwi.store.takedowns import Takedown, Takedowns, write_takedowns
from tests.pipeline.pages import Corpus, page, settings
from tests.store.samples import write_shard

SHARDS = [f"2026-11-15-{number:04d}" for number in range(1, 8)]


@pytest.fixture
def corpus(tmp_path):
    """Return a corpus of seven shards of two pages."""
    made = Corpus(tmp_path / "news")
    for shard in SHARDS:
        write_shard(
            made.layout, shard, [page(f"{shard}-{n}", f"cow{shard[-1]}{n}") for n in (1, 2)]
        )
    return made


def indexed(corpus, result):
    """Return the addresses in the only segment, and its folder beside all others."""
    (entry,) = result.snapshot.segments
    urls = Segment(corpus.layout.segments / entry.id).cards.column("url").to_pylist()
    return urls, [path.name for path in corpus.layout.segments.iterdir()] == [entry.id]


@pytest.mark.parametrize("most", [16, 3, 2])
def test_new_shards_become_one_segment_in_their_order(corpus, monkeypatch, most):
    monkeypatch.setattr(segmenting, "MOST_MERGED", most)

    result = corpus.build(settings())

    urls, is_alone = indexed(corpus, result)
    assert urls == [f"http://one.example/{shard}-{n}" for shard in SHARDS for n in (1, 2)]
    assert is_alone
    assert result.snapshot.segments[0].shards == tuple(SHARDS)


def test_processes_make_the_same_segment(corpus, tmp_path):
    alone = corpus.build(settings()).snapshot.segments[0]
    for path in corpus.layout.snapshots.iterdir():
        path.unlink()

    shared = corpus.build(settings(), runner=Processes(2)).snapshot.segments[0]

    files = {
        path.name: path.read_bytes()
        for path in (corpus.layout.segments / alone.id).iterdir()
        if path.name != "segment.json"
    }
    assert files == {
        path.name: path.read_bytes()
        for path in (corpus.layout.segments / shared.id).iterdir()
        if path.name != "segment.json"
    }
    assert (alone.documents, alone.tokens) == (shared.documents, shared.tokens)


class LosesIndex:
    """A runner whose workers die whenever they index the third shard."""

    def map(self, work, tasks, *, retries=2):
        for task in tasks:
            is_lost = task.stage == "index" and task.shard == SHARDS[2]
            yield ShardReport("index", task.shard, error="died") if is_lost else run_shard(task)


def test_segment_that_cannot_be_made_leaves_the_version_there_was(corpus):
    before = corpus.build(settings()).snapshot

    other = settings(index='attributes = ["word", "lc"]')
    result = corpus.build(other, runner=LosesIndex())

    assert result.snapshot == before
    assert result.failures == (f"index {SHARDS[2]}: died",)
    again = corpus.build(other)
    assert again.failures == ()
    assert again.snapshot.number == before.number + 1


def test_a_segment_is_never_larger_than_positions_can_count(corpus, monkeypatch):
    monkeypatch.setattr(segmenting, "MOST_TOKENS", 500)
    monkeypatch.setattr(staleness, "MOST_TOKENS", 500)

    result = corpus.build(settings())

    assert result.snapshot.documents == 14
    assert max(entry.tokens for entry in result.snapshot.segments) <= 500


def take_down(corpus, shard, name):
    """Write that a page is taken down."""
    target = f"http://one.example/{name}"
    gone = Takedowns((Takedown(target, "asked by the owner", "2026-11-17", (shard,)),))
    write_takedowns(corpus.layout, gone)
    return gone


def contents(folder):
    """Return the files of a segment but for its name and fingerprints."""
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "segment.json"}


def test_one_page_taken_down_leaves_the_large_segment_as_it_is(corpus):
    (large,) = corpus.build(settings()).snapshot.segments
    gone = take_down(corpus, SHARDS[2], f"{SHARDS[2]}-1")

    result = corpus.build(settings(), excluded=gone)

    (kept,) = result.snapshot.segments
    assert (kept.id, kept.shards) == (large.id, tuple(SHARDS))
    assert (kept.gone, kept.documents) == (((4, 5),), 13)
    segment = Segment(corpus.layout.segments / kept.id, kept.gone)
    assert chosen_documents(segment, Filter()).tokens == kept.tokens < large.tokens
    assert corpus.build(settings(), excluded=gone).snapshot == result.snapshot


def test_merging_makes_final_what_is_gone(corpus, tmp_path):
    (entry,) = corpus.build(settings()).snapshot.segments
    other = Corpus(tmp_path / "other")
    for shard in SHARDS:
        if shard != SHARDS[2]:
            write_shard(
                other.layout, shard, [page(f"{shard}-{n}", f"cow{shard[-1]}{n}") for n in (1, 2)]
            )
    (without,) = other.build(settings()).snapshot.segments
    idle = Segment(corpus.layout.segments / entry.id, entry.without({SHARDS[2]}).gone)

    made = merge_segments(tmp_path, [idle], Origin("f", without.shards))

    assert contents(tmp_path / made.id) == contents(other.layout.segments / without.id)
    assert idle.word.number("cow31") is not None
    assert Segment(tmp_path / made.id).word.number("cow31") is None
