from collections.abc import Callable
from datetime import date

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from izwi.index.reader import NO_DATE, Segment
from izwi.index.writer import write_segment
from izwi.model.errors import CorruptShard
from izwi.model.results import DocumentCard
from tests.index.corpora import WORDS, corpora, document, on_disk

TEXT = "The robots are out.\nA taxi didn't stop -- why?"


def words_in(documents):
    return [word for each in documents for word in each.annotation.words]


def places(words, wanted):
    return [position for position, word in enumerate(words) if word == wanted]


def folded(text):
    return " ".join(text.split())


@settings(max_examples=60)
@given(corpora())
def test_postings_are_those_of_a_linear_search(documents):
    words = words_in(documents)
    lower = [word.lower() for word in words]

    with on_disk(documents) as (segment,):
        assert segment.tokens == len(words)
        for attribute, column in ((segment.word, words), (segment.lc, lower)):
            assert attribute.values(attribute.column[:]) == column
            assert attribute.lexicon.to_pylist() == sorted(set(column))
            for value in {*WORDS, *column, "absent", ""}:
                number = attribute.number(value)
                found = [] if number is None else attribute.positions(number).tolist()
                assert found == places(column, value)
                assert number is None or attribute.frequency(number) == len(found)


@settings(max_examples=60)
@given(corpora())
def test_texts_come_back_with_their_spacing(documents):
    with on_disk(documents) as (segment,):
        bounds = zip(segment.document_starts.tolist(), segment.document_ends.tolist(), strict=True)

        texts = [segment.text(begin, end).rstrip() for begin, end in bounds]

    assert texts == [folded(each.text) for each in documents]


@settings(max_examples=60)
@given(corpora(), st.data())
def test_any_stretch_of_a_document_comes_back(documents, data):
    documents = [each for each in documents if each.annotation.words]
    assume(documents)
    number = data.draw(st.integers(0, len(documents) - 1))
    chosen = documents[number].annotation
    begin = data.draw(st.integers(0, len(chosen.words) - 1))
    end = data.draw(st.integers(begin + 1, len(chosen.words)))

    with on_disk(documents) as (segment,):
        base = int(segment.document_starts[number])
        text = segment.text(base + begin, base + end)

    stretch = documents[number].text[chosen.starts[begin] : chosen.ends[end - 1]]
    assert text.rstrip() == folded(stretch)


@settings(max_examples=60)
@given(corpora())
def test_every_position_knows_its_document_sentence_and_offset(documents):
    owners = [number for number, each in enumerate(documents) for _ in each.annotation.words]
    bases = [len(words_in(documents[:number])) for number in range(len(documents))]

    with on_disk(documents) as (segment,):
        assert segment.documents_at(np.arange(segment.tokens)).tolist() == owners
        assert segment.document_starts.tolist() == bases
        assert segment.document_ends.tolist() == [*bases[1:], len(owners)][: len(bases)]
        assert segment.sentence_starts.tolist() == [
            base + first
            for base, each in zip(bases, documents, strict=True)
            for first in each.annotation.sentences
        ]
        assert segment.offsets.tolist() == [
            start for each in documents for start in each.annotation.starts
        ]


@settings(max_examples=30)
@given(corpora())
def test_cards_say_what_the_documents_say(documents):
    with on_disk(documents) as (segment,):
        cards = [segment.card(number) for number in range(len(documents))]
        days = segment.dates.tolist()

    for each, card, day in zip(documents, cards, days, strict=True):
        when = each.metadata.date
        assert card == DocumentCard(
            id=each.id,
            url=each.url,
            title=each.metadata.title,
            author=each.metadata.author,
            date=when and when.value,
            date_precision="day" if when else "",
            date_evidence="feed" if when else "",
            source=each.source,
            site="Herald",
            section="news",
            language="eng",
            captured="2020-06-15T12:30:45+00:00",
            publication=card.publication,
        )
        assert card.publication.startswith("Herald")
        assert day == ((when.value - date(1970, 1, 1)).days if when else NO_DATE)


def test_a_text_is_read_back_as_it_stood():
    with on_disk([document("a", TEXT)]) as (segment,):
        assert segment.text(0, segment.tokens).rstrip() == TEXT.replace("\n", " ")
        assert segment.text(1, 3) == "robots are "
        assert segment.text(3, 5) == "out. "


def test_an_empty_segment_can_be_read():
    with on_disk([]) as (segment,):
        assert segment.tokens == 0
        assert segment.word.number("robot") is None
        assert segment.text(0, 0) == ""
        assert segment.document_starts.tolist() == segment.document_ends.tolist() == []
        assert segment.dates.tolist() == []
        assert segment.cards.num_rows == segment.copies.num_rows == 0


def test_a_document_without_tokens_keeps_its_card():
    documents = [document("a", ""), document("b", "robot"), document("c", "")]

    with on_disk(documents) as (segment,):
        assert [segment.card(number).id for number in range(3)] == ["a", "b", "c"]
        assert segment.documents_at(np.array([0])).tolist() == [1]
        assert segment.document_ends.tolist() == [0, 1, 1]


READERS: dict[str, Callable[[Segment], object]] = {
    "word.values.bin": lambda segment: segment.word.lexicon.text,
    "word.places.bin": lambda segment: segment.word.number("a"),
    "word.collation.bin": lambda segment: segment.word.lexicon.ranks,
    "word.endings.bin": lambda segment: segment.word.lexicon.ending_with(b"s"),
    "word.column.bin": lambda segment: segment.word.column,
    "word.sizes.bin": lambda segment: segment.word.frequency(0),
    "lc.values.bin": lambda segment: segment.lc.number("robots"),
    "lc.column.bin": lambda segment: segment.lc.column,
    "space.bin": lambda segment: segment.spaces,
    "offset.bin": lambda segment: segment.offsets,
    "doc.starts.arrow": lambda segment: segment.document_starts,
    "s.starts.arrow": lambda segment: segment.sentence_starts,
    "cards.arrow": lambda segment: segment.card(0),
    "segment.json": lambda segment: segment.tokens,
}


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_of_a_segment_is_named_when_it_is_needed(tmp_path, name):
    entry = write_segment(tmp_path, [document("a", TEXT)], shards=["1"], fingerprint="f")
    path = tmp_path / entry.id / name
    path.write_bytes(path.read_bytes()[:-20])

    with pytest.raises(CorruptShard) as raised:
        READERS[name](Segment(tmp_path / entry.id))

    assert raised.value.path == str(path)
