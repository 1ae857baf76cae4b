from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from izwi.dedup.judge import Judge, JudgeConfig
from izwi.dedup.ownership import claims
from izwi.dedup.signatures import Sign, SignConfig, normalised
from izwi.model.document import CopyOf, Document, Paragraph

WHEN = datetime(2020, 1, 1, tzinfo=UTC)
TEXTS = st.sampled_from(["robots out", "Robots out!", "robots, out", "taxi", "TAXI", "dam", "..."])
SHARDS = st.lists(st.lists(TEXTS, max_size=5), max_size=3)


def document(name, text="robots out", **fields):
    return Document(
        name, f"https://a.example/{name}", WHEN, "s", paragraphs=(Paragraph(text),), **fields
    )


def signed(shards):
    """Return shards of documents, named by their places, with their signatures."""
    return [
        list(Sign(SignConfig())(document(f"{s}-{d}", text) for d, text in enumerate(texts)))
        for s, texts in enumerate(shards)
    ]


def judged(shards):
    """Return all documents as a build judges them: own in corpus order, then judge."""
    owners = {}
    for shard in shards:
        owners |= dict(claims(shard, owners.get))
    judge = Judge(JudgeConfig(), owners.get)
    return [found for shard in shards for found in judge(iter(shard))]


def test_a_document_whose_text_another_owns_is_a_copy_of_it():
    (found,) = Judge(JudgeConfig(), {1: "first"}.get)(iter([document("second", signature=1)]))

    assert found.copy_of == CopyOf("first", "exact", 1.0)


def test_the_owner_is_no_copy():
    (found,) = Judge(JudgeConfig(), {1: "first"}.get)(iter([document("first", signature=1)]))

    assert found.copy_of is None


def test_a_document_without_a_signature_is_no_copy():
    (found,) = Judge(JudgeConfig(), lambda signature: "first")(iter([document("second")]))

    assert found.copy_of is None


@given(SHARDS)
def test_of_equal_texts_exactly_one_is_not_a_copy(shards):
    groups = defaultdict(list)
    for found in judged(signed(shards)):
        groups[normalised(found.text)].append(found)

    without_letters = groups.pop("", [])
    assert all(found.copy_of is None for found in without_letters)
    for group in groups.values():
        (owner,) = [found for found in group if found.copy_of is None]
        assert {found.copy_of.document for found in group if found.copy_of} <= {owner.id}


@given(st.data(), SHARDS)
def test_it_is_the_same_one_whatever_the_order_in_a_shard(data, shards):
    documents = signed(shards)
    shuffled = [data.draw(st.permutations(shard)) for shard in documents]

    by_id = {found.id: found for found in judged(documents)}

    assert {found.id: found for found in judged(shuffled)} == by_id


@given(SHARDS, st.lists(TEXTS, max_size=5))
def test_what_was_judged_stays_judged_when_the_corpus_grows(shards, more):
    before = judged(signed(shards))

    after = judged(signed([*shards, more]))

    assert after[: len(before)] == before


@given(SHARDS)
def test_judging_changes_nothing_but_copies(shards):
    documents = [each for shard in signed(shards) for each in shard]

    assert [replace(found, copy_of=None) for found in judged(signed(shards))] == documents
