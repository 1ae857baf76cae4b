"""Search by how much of a document speaks for the variety of its corpus."""

from dataclasses import replace

from izwi.index.structures import CARD, completed
from izwi.model.document import VarietyScore
from izwi.query.concordance import Filter, View, concordance
from izwi.query.cql import parse
from tests.index.corpora import document, on_disk


def scored(name, score):
    return replace(document(name, "the owl flew"), variety=VarietyScore(score, score, 0.0, 0.0))


def test_documents_are_found_by_the_score_of_their_variety():
    documents = [scored("much", 0.84), scored("little", 0.12), document("none", "an owl")]
    text = '"owl" within <doc variety="0\\.[5-9]|1\\.0"/>'
    with on_disk(documents) as segments:
        found = list(
            concordance(
                segments, parse(text), text=text, snapshot=1, chosen=Filter(), view=View(size=10)
            )
        )

    assert [(line.document.id, line.document.variety) for line in found] == [("much", "0.8")]


def test_cards_of_an_older_index_lack_nothing():
    with on_disk([scored("much", 0.84), document("none", "an owl")]) as (segment,):
        older = segment.cards.drop_columns("variety")

    assert completed(older).schema.names == CARD.names
    assert completed(older).column("variety").to_pylist() == ["", ""]
