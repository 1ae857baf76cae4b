from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from izwi.dedup.judge import JudgeConfig
from izwi.dedup.signatures import DocumentMethod, normalised
from izwi.model.document import CopyOf
from tests.dedup.worlds import World, document

TEXTS = st.sampled_from(["robots out", "Robots out!", "robots, out", "taxi", "TAXI", "dam", "..."])
WORDS = [f"word{number}" for number in range(40)]
# Paragraphs that overlap in parts, so that documents copy each other in blocks.
BLOCKS = st.tuples(st.integers(0, 6), st.integers(9, 14)).map(
    lambda place: " ".join(WORDS[place[0] * 4 : place[0] * 4 + place[1]])
)
MANY = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@st.composite
def collections(draw):
    """Draw documents of a few blocks, some dated."""
    drawn = draw(
        st.lists(
            st.tuples(st.lists(BLOCKS, max_size=4), st.none() | st.integers(1, 3)),
            min_size=1, max_size=9,
        )
    )  # fmt: skip
    return [document(f"d{n}", blocks, day=day) for n, (blocks, day) in enumerate(drawn)]


@st.composite
def splits(draw, documents):
    """Draw shards and the steps in which they come, documents in any order."""
    steps = []
    rest = draw(st.permutations(documents))
    while rest:
        step = {}
        for _ in range(draw(st.integers(1, 3))):
            size = draw(st.integers(0, len(rest)))
            step[f"shard{len(steps)}{len(step)}"] = rest[:size]
            rest = rest[size:]
        if not any(step.values()):
            step["last"], rest = rest, []
        steps.append(step)
    return steps


# So few bytes that hashes are looked at in one part, in some and in many.
MEMORIES = st.sampled_from([1 << 20, 1 << 11, 1 << 10])
METHODS = st.sampled_from([None, DocumentMethod("sentences"), DocumentMethod("shingles")])


def at_once(folder, documents, config=None):
    world = World(folder, config)
    world.put({"all": documents})
    return world.decisions


@MANY
@given(st.data())
def test_growth_in_any_shards_and_order_decides_like_all_at_once(tmp_path_factory, data):
    documents = data.draw(collections())
    config = JudgeConfig(method=data.draw(METHODS))
    world = World(tmp_path_factory.mktemp("grown"), config, data.draw(MEMORIES))

    for step in data.draw(splits(documents)):
        world.put(step)

    assert world.decisions == at_once(tmp_path_factory.mktemp("whole"), documents, config)


@MANY
@given(st.data())
def test_a_shard_that_goes_leaves_a_world_without_it(tmp_path_factory, data):
    documents = data.draw(collections())
    world = World(tmp_path_factory.mktemp("grown"))
    for step in data.draw(splits(documents)):
        world.put(step)

    gone = data.draw(st.sampled_from(sorted(world.shards)))
    lost = world.shards[gone]
    world.remove(gone)

    rest = [each for each in documents if each not in lost]
    assert world.decisions == at_once(tmp_path_factory.mktemp("whole"), rest)


@MANY
@given(st.data())
def test_excluded_documents_own_nothing_and_return_with_all_they_had(tmp_path_factory, data):
    documents = data.draw(collections())
    world = World(tmp_path_factory.mktemp("grown"))
    for step in data.draw(splits(documents)):
        world.put(step)
    before = world.decisions
    out = data.draw(st.sets(st.sampled_from([each.url for each in documents])))

    world.exclude(Urls(frozenset(out)))

    rest = [each for each in documents if each.url not in out]
    expected = at_once(tmp_path_factory.mktemp("whole"), rest)
    assert expected.items() <= world.decisions.items()
    world.exclude(Urls(frozenset()))
    assert world.decisions == before


@dataclass(frozen=True)
class Urls:
    urls: frozenset

    def covers(self, url):
        return url in self.urls


def test_only_the_shards_a_change_touches_are_judged_again(tmp_path):
    one, two, three = (" ".join(f"{word}{n}" for word in WORDS) for n in range(3))
    world = World(tmp_path)
    world.put({"a": [document("a", [one], day=5)], "b": [document("b", [two], day=5)]})

    later = world.put({"c": [document("c", [one, three], day=9)]})
    earlier = world.put({"d": [document("d", [two, three], day=1)]})

    assert later == {"c"}
    assert earlier == {"b", "c", "d"}
    assert world.decisions["a"][0] is None
    assert world.decisions["b"][0].document == "d"


def test_a_taken_down_owner_hands_over_to_the_next(tmp_path):
    text = " ".join(WORDS)
    world = World(tmp_path)
    world.put({n: [document(n, [text], day=day)] for n, day in (("a", 1), ("b", 2), ("c", 3))})
    assert [world.decisions[n][0] and world.decisions[n][0].document for n in "abc"] == [
        None, "a", "a",
    ]  # fmt: skip

    world.exclude(Urls(frozenset({"https://a.example/a.html"})))

    assert world.decisions["b"][0] is None
    assert world.decisions["c"][0] == CopyOf("b", "exact", 1.0)


@pytest.mark.parametrize("method", ["sentences", "shingles"])
def test_whole_documents_are_judged_by_other_methods_too(tmp_path, method):
    sentences = [" ".join(f"{word}{n}" for word in WORDS[:12]) + "." for n in range(6)]
    world = World(tmp_path, JudgeConfig(method=DocumentMethod(method)))

    world.put({
        "one": [document("first", sentences, day=1)],
        "two": [document("late", [*sentences[:5], "Something else."], day=2)],
        "three": [document("other", [" ".join(f"{word}x" for word in WORDS)], day=3)],
    })  # fmt: skip

    copy, blocks, originals = world.decisions["late"]
    assert [each.document for each in originals] == ["first"]
    assert (copy.document, copy.method, blocks) == ("first", method, ())
    assert copy.similarity > 0.5
    assert world.decisions["first"][0] is None
    assert world.decisions["other"][0] is None


def test_many_shards_are_asked_in_few_groups(tmp_path):
    world = World(tmp_path)
    for number in range(20):
        world.put({f"s{number:02}": [document(f"d{number}", [f"{number} " + " ".join(WORDS)])]})

    assert len(list((tmp_path / "merged").iterdir())) <= 4
    assert sum(copy is None for copy, *_ in world.decisions.values()) == 1


def copies_of_stories(world, shards=6):
    """Put shards, each with a story that two paragraphs of three of the next one are taken from."""
    for number in range(shards):
        story = [" ".join(f"{word}-{n}" for word in WORDS) for n in range(number, number + 3)]
        world.put({f"s{number:02}": [document(f"d{number}", story, day=30 - number)]})
    return world


def test_owners_are_the_same_in_one_part_and_in_many(tmp_path):
    worlds = [
        copies_of_stories(World(tmp_path / str(memory), memory_bytes=memory))
        for memory in (1 << 20, 1 << 13, 1 << 12)
    ]

    parts = [max(1 << each.config.part.bits for each in world.tasks) for world in worlds]
    assert parts[0] == 1 < parts[1] < parts[2]
    assert worlds[0].decisions == worlds[1].decisions == worlds[2].decisions
    assert any(blocks for _, blocks, _ in worlds[0].decisions.values())


def test_a_setting_changed_on_the_way_changes_nothing(tmp_path):
    steady, changing = World(tmp_path / "steady"), World(tmp_path / "changing")
    for number in range(9):
        shard = {f"s{number}": [document(f"d{number}", [f"{number % 3} " + " ".join(WORDS)])]}
        changing.memory_bytes = 1 << (20, 9, 11)[number % 3]
        assert changing.put(shard) == steady.put(shard)

    assert changing.decisions == steady.decisions


def test_what_was_joined_before_a_build_was_ended_is_not_joined_again(tmp_path):
    world = World(tmp_path / "ended", memory_bytes=1 << 10)
    texts = {f"s{n}": [document(f"d{n}", [f"{n} " + " ".join(WORDS)])] for n in range(6)}
    usual, world.is_ended = world._carried, False

    def ended(stage, tasks):
        if stage == "join" and not world.is_ended:
            world.is_ended = True
            usual(stage, tasks[:2])
            raise KeyboardInterrupt
        return usual(stage, tasks)

    world._carried = ended
    with pytest.raises(KeyboardInterrupt):
        world.put(texts)
    world.put({})

    joined = [each.config.part.number for each in world.tasks if each.stage == "join"]
    assert sorted(joined) == list(range(len(joined)))
    assert world.decisions == at_once(
        tmp_path / "calm", [each for some in texts.values() for each in some]
    )


@MANY
@given(st.lists(TEXTS, max_size=8))
def test_of_equal_texts_exactly_one_is_not_a_copy(tmp_path_factory, texts):
    documents = [document(f"d{n}", [text]) for n, text in enumerate(texts)]
    world = World(tmp_path_factory.mktemp("world"))
    world.put({"all": documents})

    groups = defaultdict(list)
    for each in world.judged["all"]:
        groups[normalised(each.text)].append(each)

    assert all(each.copy_of is None for each in groups.pop("", []))
    for group in groups.values():
        (owner,) = [each for each in group if each.copy_of is None]
        assert {each.copy_of.document for each in group if each.copy_of} <= {owner.id}


@MANY
@given(collections())
def test_judging_changes_nothing_but_copies(tmp_path_factory, documents):
    world = World(tmp_path_factory.mktemp("world"))
    world.put({"all": documents})

    assert [_unjudged(each) for each in world.judged["all"]] == documents


def _unjudged(document):
    return replace(document, copy_of=None, copied=(), originals=())


def _paragraph(name, words):
    return " ".join(f"{name}{number}" for number in range(words))


def test_all_originals_of_a_copy_are_named_with_date_publication_and_share(tmp_path):
    one, two, own = _paragraph("koppie", 50), _paragraph("vlei", 20), _paragraph("kloof", 30)
    world = World(tmp_path)
    world.put({
        "shard": [
            document("first", [one], day=1, site="Karoo Courant"),
            document("second", [two], day=2, site="Egoli Post"),
            document("mixed", [one, two, own], day=3),
        ]
    })  # fmt: skip

    _, blocks, originals = world.decisions["mixed"]

    assert [(each.document, each.publication, each.share) for each in originals] == [
        ("first", "Karoo Courant", 0.5),
        ("second", "Egoli Post", 0.2),
    ]
    assert originals[0].date == date(2020, 1, 2)
    assert [(each.paragraph, each.document) for each in blocks] == [(0, "first"), (1, "second")]


def test_a_paragraph_put_together_from_two_names_both(tmp_path):
    one, two = _paragraph("koppie", 30), _paragraph("vlei", 20)
    world = World(tmp_path)
    world.put({"shard": [document("first", [one], day=1), document("second", [two], day=2)]})
    world.put({"later": [document("mixed", [f"{one} {two}"], day=3)]})

    ((block,), originals) = world.decisions["mixed"][1:]

    assert (block.document, block.others) == ("first", ("second",))
    # 24 of the n-grams are of the one, 14 of the other; those across the seam are its own.
    assert [each.share for each in originals] == [round(24 / 38, 4), round(14 / 38, 4)]


def test_a_long_rest_between_copies_stays_and_a_few_words_go(tmp_path):
    notice, terms = " ".join(WORDS[:10]), " ".join(f"{word}-terms" for word in WORDS)
    news = "the river rose in the night and took the old bridge away"
    between = {"few": "just these few words", "many": news}
    world = World(tmp_path)

    world.put({"s1": [document("first", [notice, terms], day=5)]})
    world.put({"s2": [document(id, [notice, own, terms], day=20) for id, own in between.items()]})

    _, few, _ = world.decisions["few"]
    _, many, _ = world.decisions["many"]
    assert [each.paragraph for each in few] == [0, 1, 2]
    assert [each.paragraph for each in many] == [0, 2]
