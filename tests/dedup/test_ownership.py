from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.dedup.ownership import claims, rank
from izwi.dedup.signatures import Sign, SignConfig
from izwi.model.document import Document, Metadata, Paragraph, PublicationDate

WHEN = datetime(2020, 1, 1, tzinfo=UTC)


def nobody(signature):
    return None


def document(name, text="The robots are out", *, when=None, signature=1):
    metadata = Metadata(date=PublicationDate(when) if when else None)
    return Document(
        name, f"https://a.example/{name}", WHEN, "s", metadata=metadata,
        paragraphs=(Paragraph(text),), signature=signature,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(document("z", "The robots, are out!"), document("a"), id="longest"),
        pytest.param(
            document("z", when=date(2019, 1, 1)),
            document("a", when=date(2020, 1, 1)),
            id="earliest",
        ),
        pytest.param(document("z", when=date(2019, 1, 1)), document("a"), id="dated"),
        pytest.param(document("a"), document("z"), id="smallest-id"),
    ],
)
def test_within_a_shard_the_rank_decides_whatever_the_order(first, second):
    assert rank(first) < rank(second)
    assert claims([first, second], nobody) == [(1, first.id)]
    assert claims([second, first], nobody) == [(1, first.id)]


def test_claims_are_sorted_by_hash():
    found = claims([document("a", signature=7), document("b", signature=3)], nobody)

    assert found == [(3, "b"), (7, "a")]


def test_a_document_without_a_signature_claims_nothing():
    assert claims([document("a", signature=None)], nobody) == []


def test_what_an_earlier_shard_owns_is_not_claimed_again():
    earlier = {1: "old"}

    assert claims([document("a"), document("b", signature=2)], earlier.get) == [(2, "b")]


TEXTS = st.sampled_from(["robots out", "Robots out!", "robots, out", "taxi", "TAXI", "dam", "..."])
SHARD = st.lists(TEXTS, max_size=6)


def signed(texts, *, shard):
    rows = (
        document(f"{shard}-{number}", text, signature=None) for number, text in enumerate(texts)
    )
    return list(Sign(SignConfig())(rows))


@given(st.data(), SHARD)
def test_claims_do_not_depend_on_the_order_in_a_shard(data, texts):
    documents = signed(texts, shard=0)
    shuffled = data.draw(st.permutations(documents))

    assert claims(documents, nobody) == claims(shuffled, nobody)


@given(st.lists(SHARD, max_size=4))
def test_a_later_shard_never_owns_what_an_earlier_one_does(shards):
    owners = {}
    for number, texts in enumerate(shards):
        new = claims(signed(texts, shard=number), owners.get)

        assert owners.keys().isdisjoint(signature for signature, _ in new)
        owners |= dict(new)
