import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.pipeline.staleness import (
    MOST_IDLE,
    SegmentPlan,
    changed_keys,
    is_mostly_idle,
    plan_segments,
    segments_to_merge,
    shards_due,
    stage_status,
)
from izwi.store.snapshots import SegmentEntry, SegmentPart

NAMES = st.lists(st.sampled_from("abcdefgh"), unique=True)


def segment(shards, fingerprint="now"):
    parts = tuple(SegmentPart(shard, fingerprint, 1, 1, 1) for shard in shards)
    return SegmentEntry(
        f"uuid of {''.join(shards)}", fingerprint, tuple(shards), len(parts), len(parts), parts
    )


def current(shards):
    """Say that shards indexed now are current."""
    return dict.fromkeys(shards, "now")


@pytest.mark.parametrize(
    ("built", "ready", "due"),
    [
        ("", [], "abc"),
        ("b", [], "ac"),
        ("abc", [], ""),
        ("", ["abc", "b"], "b"),
        ("a", ["ab", "abc"], "b"),
        ("x", [], "abc"),
    ],
    ids=["all", "not built", "nothing", "all it reads is there", "both", "other names"],
)
def test_due_is_what_is_not_built_and_can_be(built, ready, due):
    assert shards_due("abc", set(built), [set(layer) for layer in ready]) == list(due)


def test_due_shards_keep_their_order():
    assert shards_due(["c", "a", "b"], set(), []) == ["c", "a", "b"]


STATUSES = {
    # current, older, failures -> current, stale, missing, failed
    "never built": ("", "", "", (0, 0, 3, 0)),
    "all current": ("abc", "", "", (3, 0, 0, 0)),
    "all current, older kept": ("abc", "abc", "", (3, 0, 0, 0)),
    "one current, others stale": ("a", "abc", "", (1, 2, 0, 0)),
    "stale and missing": ("a", "b", "", (1, 1, 1, 0)),
    "failed": ("a", "", "b", (1, 0, 1, 1)),
    "failed before, older kept": ("", "b", "b", (0, 0, 2, 1)),
    "failed once, then done": ("abc", "", "b", (3, 0, 0, 0)),
    "failure of a shard that is gone": ("", "", "z", (0, 0, 3, 0)),
}


@pytest.mark.parametrize(("now", "older", "failures", "counts"), STATUSES.values(), ids=STATUSES)
def test_every_shard_has_one_state(now, older, failures, counts):
    status = stage_status(
        "extract", "text", "f", shards="abc", current=set(now), older=set(older),
        failures=dict.fromkeys(failures, "broken"), changed=["extract.method"],
    )  # fmt: skip

    assert (status.current, status.stale, status.missing, status.failed) == counts
    assert sum(counts) == 3


def test_status_names_what_changed_and_what_failed():
    status = stage_status(
        "extract", "text", "f", shards="abc", current={"a"}, older={"b"},
        failures={"c": "broken"}, changed=["extract.method"],
    )  # fmt: skip

    assert status.changed == ("extract.method",)
    assert status.errors == ("c: broken",)


def test_nothing_changed_for_a_stage_without_stale_shards():
    status = stage_status(
        "extract", "text", "f", shards="abc", current=set("abc"), older=set("abc"),
        failures={}, changed=["extract.method"],
    )  # fmt: skip

    assert status.changed == ()


RECIPE = {"settings": {"language.minimum": 0.5}, "depends_on": {"pycld2": "0.41"}, "version": 1}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, ["an earlier stage"]),
        ({"upstream": ["x"]}, ["an earlier stage"]),
        ({"settings": {"language.minimum": 0.8}}, ["language.minimum"]),
        ({"settings": {}}, ["language.minimum"]),
        ({"settings": {"a": 1, "language.minimum": 0.8}}, ["a", "language.minimum"]),
        ({"depends_on": {"pycld2": "0.42"}}, ["pycld2 0.41 -> 0.42"]),
        ({"depends_on": {}}, ["pycld2 0.41 -> -"]),
        ({"version": 2}, ["izwi's own code"]),
        ({"settings": {}, "version": 2}, ["language.minimum", "izwi's own code"]),
    ],
)
def test_what_changed_is_said_in_a_users_words(changes, words):
    assert changed_keys(RECIPE, RECIPE | changes) == words


def test_recipe_that_was_lost_differs_in_everything_one_knows():
    assert changed_keys({}, RECIPE) == [
        "language.minimum",
        "pycld2 - -> 0.41",
        "izwi's own code",
    ]


@st.composite
def corpora(draw):
    """Draw segments without shards in common, some stale, and the shards that are ready."""
    shards = draw(st.lists(st.integers(0, 30).map(lambda n: f"{n:02}"), unique=True).map(sorted))
    entries, rest = [], shards
    while rest and draw(st.booleans()):
        size = draw(st.integers(1, len(rest)))
        entries.append(segment(rest[:size], draw(st.sampled_from(["now", "old"]))))
        rest = rest[size:]
    ready = [shard for shard in shards if draw(st.booleans())]
    return entries, ready


@given(corpora())
def test_after_the_plan_every_ready_shard_is_in_exactly_one_current_segment(corpus):
    entries, ready = corpus

    plan = plan_segments(entries, ready, current(ready))

    covered = [shard for entry in plan.kept for shard in entry.shards]
    assert sorted([*covered, *plan.shards]) == ready
    live = [part for entry in plan.kept for part in entry.parts if not part.is_gone]
    assert all(part.fingerprint == "now" for part in live)
    for entry in plan.kept:
        idle = sum(part.is_gone for part in entry.parts)
        assert entry.shards
        assert idle <= MOST_IDLE * len(entry.parts)


@given(corpora())
def test_plan_that_was_carried_out_leaves_nothing_to_do(corpus):
    entries, ready = corpus
    plan = plan_segments(entries, ready, current(ready))
    made = [*plan.kept, *([segment(plan.shards)] if plan.is_change else [])]

    again = plan_segments(made, ready, current(ready))

    assert again == SegmentPlan(tuple(made), ())


@pytest.mark.parametrize(
    ("sizes", "merged"),
    [
        pytest.param([], [], id="none"),
        pytest.param([5, 5], [], id="two stay"),
        pytest.param([5, 5, 5], [5, 5, 5], id="three alike"),
        pytest.param([100, 5, 5, 5], [5, 5, 5], id="the large one stays"),
        pytest.param([25, 5, 5, 5], [25, 5, 5, 5], id="one not much larger goes along"),
        pytest.param([1000, 100, 10, 1], [], id="each much larger than the rest"),
    ],
)
def test_small_segments_are_merged_once_there_are_several(sizes, merged):
    entries = [replace(segment(f"{place:03}"), tokens=size) for place, size in enumerate(sizes)]

    assert [entry.tokens for entry in segments_to_merge(entries)] == merged


@given(st.lists(st.integers(1, 1000), max_size=60))
def test_few_segments_are_left_however_a_corpus_grows(sizes):
    entries = []
    for place, size in enumerate(sizes):
        entries.append(replace(segment(f"{place:03}"), tokens=size))
        many = segments_to_merge(entries)
        if many:
            whole = replace(many[0], tokens=sum(entry.tokens for entry in many))
            entries = [*(entry for entry in entries if entry not in many), whole]

    assert sum(entry.tokens for entry in entries) == sum(sizes)
    assert len(entries) <= 2 + math.log2(sum(sizes) or 1)


def test_imported_segments_stay_and_are_not_merged():
    imported = replace(segment(""), fingerprint="imported-1")
    entries = [imported, segment("a"), segment("b")]

    plan = plan_segments(entries, list("ab"), current("ab"))

    assert plan == SegmentPlan(tuple(entries), ())
    assert segments_to_merge([*entries, segment("c")]) == [*entries[1:], segment("c")]


def test_many_segments_stay_while_nothing_new_comes():
    entries = [segment("a"), segment("b"), segment("c")]

    plan = plan_segments(entries, list("abc"), current("abc"))

    assert plan == SegmentPlan(tuple(entries), ())


def test_segment_whose_shard_is_gone_is_made_again_without_it():
    entries = [segment("ab"), segment("c")]

    plan = plan_segments(entries, list("ac"), current("ac"))

    assert plan == SegmentPlan((entries[1],), ("a",))


def test_little_that_changed_is_gone_from_a_large_segment_and_made_anew_beside_it():
    large = segment("abcdefgh")
    wanted = current("abcdefgh") | {"c": "other"}

    plan = plan_segments([large], list("abcdefgh"), wanted)

    (kept,) = plan.kept
    assert (kept.shards, plan.shards) == (tuple("abdefgh"), ("c",))
    assert (kept.documents, kept.tokens, kept.gone) == (7, 7, ((2, 3),))
    assert plan_segments([kept], list("abcdefgh"), wanted).kept == (kept,)


def test_what_is_gone_for_the_most_part_is_made_again():
    idle = segment("abcdefgh").without("ab")

    plan = plan_segments([idle], list("bcdefgh"), current("bcdefgh") | {"c": "other"})

    assert plan == SegmentPlan((), tuple("bcdefgh"))


def test_small_segment_whose_documents_went_is_written_again_without_having_shards_indexed():
    small = segment("ab")
    gone = replace(small.parts[0], documents=0, tokens=0, gone=((0, 1),))
    small, large = small.of_parts((gone, small.parts[1])), segment("abcdefgh")

    plan = plan_segments([large, small], list("abcdefgh"), current("abcdefgh"))

    assert plan == SegmentPlan((large, small), ())
    assert is_mostly_idle(small)
    assert not is_mostly_idle(large)
    # Nothing is left to be written: it stays, and says that its shards are covered.
    assert not is_mostly_idle(small.of_parts((gone,)))


def test_segment_of_an_older_recipe_is_made_again():
    entries = [segment("ab", "old"), replace(segment("c"), fingerprint="now")]

    plan = plan_segments(entries, list("abc"), current("abc"))

    assert plan == SegmentPlan((entries[1],), ("a", "b"))
