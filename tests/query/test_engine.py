import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from izwi.query.engine import find
from izwi.query.simple import phrase_query
from tests.index.corpora import WORDS, corpora, document, on_disk, partitions
from tests.query.brute import search

PHRASES = st.lists(st.sampled_from([*WORDS, "absent"]), min_size=1, max_size=3)


def found_in(parts, phrase, *, is_exact_case=False):
    """Return the hits as (segment, document, token) numbers."""
    with on_disk(*parts) as segments:
        return [
            (number, int(each), int(start) - int(part.segment.document_starts[each]))
            for number, part in enumerate(
                find(segments, phrase_query(phrase, ("word", "lc"), is_exact_case=is_exact_case))
            )
            for start, each in zip(part.starts, part.documents, strict=True)
        ]


@settings(max_examples=100)
@given(st.data(), corpora(), PHRASES, st.booleans())
def test_hits_are_those_of_a_linear_search(data, documents, phrase, is_exact_case):
    parts = data.draw(partitions(documents))

    hits = found_in(parts, phrase, is_exact_case=is_exact_case)

    assert [(parts[segment][number].id, token) for segment, number, token in hits] == [
        (hit.document.id, hit.token)
        for hit in search(documents, phrase, is_exact_case=is_exact_case)
    ]


@settings(max_examples=40)
@given(st.data(), corpora(), st.booleans())
def test_a_phrase_taken_from_a_document_is_found_there(data, documents, is_exact_case):
    places = [
        (each, token) for each in documents for token in range(len(each.annotation.words) - 1)
    ]
    assume(places)
    chosen, token = data.draw(st.sampled_from(places))
    phrase = chosen.annotation.words[token : token + 2]

    hits = found_in([documents], phrase, is_exact_case=is_exact_case)

    assert (0, documents.index(chosen), token) in hits


@pytest.mark.parametrize(
    ("phrase", "is_exact_case", "hits"),
    [
        pytest.param(["robots"], False, [(0, 0, 1), (0, 1, 0), (0, 1, 3)], id="word"),
        pytest.param(["Robots"], True, [(0, 1, 0)], id="word-as-written"),
        pytest.param(["ROBOTS"], False, [(0, 0, 1), (0, 1, 0), (0, 1, 3)], id="query-in-capitals"),
        pytest.param(["the", "robots"], False, [(0, 0, 0), (0, 1, 2)], id="phrase"),
        pytest.param(["out", "robots"], False, [], id="phrase-across-documents"),
        pytest.param(["robots", "and", "the", "robots"], False, [(0, 1, 0)], id="word-twice"),
        pytest.param(["robot"], False, [], id="absent"),
        pytest.param(["robots", "absent"], False, [], id="absent-in-a-phrase"),
        pytest.param(["the"] * 9, False, [], id="longer-than-the-documents"),
    ],
)
def test_a_phrase_lies_within_one_document(phrase, is_exact_case, hits):
    documents = [document("a", "The robots are out"), document("b", "Robots and the robots")]

    assert found_in([documents], phrase, is_exact_case=is_exact_case) == hits


def test_hits_may_overlap():
    hits = found_in([[document("a", "now now now")]], ["now", "now"])

    assert hits == [(0, 0, 0), (0, 0, 1)]


def test_no_segments_give_no_hits():
    assert list(find([], phrase_query(["robot"], ("word",), is_exact_case=False))) == []
