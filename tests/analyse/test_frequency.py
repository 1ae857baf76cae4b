from collections import Counter
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.analyse.dimensions import document_dimension, texts_of
from izwi.analyse.frequency import Counting, frequencies
from izwi.model.errors import QueryError
from izwi.query.concordance import Filter, View, concordance
from izwi.query.cql import parse
from tests.analyse.counting import document, selected, words_of
from tests.index.corpora import corpora, partitions

QUERY = parse('[lc="a"]')


def counted(selection, by, and_by="", query=QUERY, **wanted):
    asked = Counting(by, and_by, **{"most": 1000, **wanted})
    return frequencies(selection, query, asked, text="a")


def year_of(each):
    when = each.metadata.date
    return str(when.value.year) if when else "undated"


def opened(selection, line, query=None):
    """Return the lines that an opening gives."""
    chosen = Filter(
        line.opens.since, line.opens.until, line.opens.sources, line.opens.where, line.opens.copies
    )
    return concordance(
        selection.segments, parse(line.opens.query), text="", snapshot=1, chosen=chosen,
        view=View(size=1000),
    )  # fmt: skip


@settings(max_examples=60)
@given(st.data(), corpora())
def test_frequencies_by_source_and_year_are_those_of_a_linear_count(data, documents):
    parts = data.draw(partitions(documents))
    hits, tokens = Counter(), Counter()
    for each in documents:
        key = (each.source, year_of(each))
        hits[key] += words_of(each).count("a")
        tokens[key] += len(words_of(each))

    with selected(parts=parts) as selection:
        found = counted(selection, "source", "year")
        every = counted(selection, "source", "year", least=0)

    assert {line.values: line.hits for line in found.lines} == +hits
    assert {line.values: line.tokens for line in every.lines if line.tokens} == +tokens
    for line in every.lines:
        if line.tokens:
            assert line.per_million == pytest.approx(1e6 * line.hits / line.tokens)
            assert line.low <= line.per_million <= line.high


@settings(max_examples=40)
@given(st.data(), corpora())
def test_frequencies_by_neighbour_are_those_of_a_linear_count(data, documents):
    parts = data.draw(partitions(documents))
    hits = Counter()
    for each in documents:
        words = words_of(each)
        for at, word in enumerate(words):
            if word == "a":
                hits[words[at + 1] if at + 1 < len(words) else ""] += 1

    with selected(parts=parts) as selection:
        found = counted(selection, "R1.lc")

    assert {line.values[0]: line.hits for line in found.lines} == hits


DOCUMENTS = (
    document("one", "a b A b . c a", when=date(2010, 3, 1), source="herald"),
    document("two", "b a b", when=date(2010, 7, 1), source="post"),
    document("three", "a . a b", source="post"),
)


@pytest.mark.parametrize(
    ("by", "and_by"),
    [
        ("source", ""), ("month", ""), ("year", "source"), ("word", ""), ("lc", "host"),
        ("R1.lc", ""), ("L1.word", "source"), ("quarter", ""), ("id", ""),
    ],
)  # fmt: skip
def test_every_line_opens_what_it_counts(by, and_by):
    with selected(*DOCUMENTS) as selection:
        for line in counted(selection, by, and_by).lines:
            # A neighbour outside the document cannot be asked for.
            if "" not in line.values:
                assert opened(selection, line).hits == line.hits, line


def test_forms_of_several_tokens_are_told_apart():
    with selected(*DOCUMENTS) as selection:
        found = counted(selection, "word", query=parse('[lc="a"] []?'))
        lines = {line.values[0]: line.hits for line in found.lines}
        assert all(opened(selection, line).hits >= line.hits for line in found.lines)

    assert lines == {"a b": 3, "A b": 1, "a .": 1, "a": 1}


def test_lines_are_sorted_as_asked():
    with selected(*DOCUMENTS) as selection:
        by_value = counted(selection, "month", sort="value")
        by_rate = counted(selection, "source", sort="rate")

    assert [line.values[0] for line in by_value.lines] == ["2010-03", "2010-07", "undated"]
    rates = [line.per_million for line in by_rate.lines]
    assert rates == sorted(rates, reverse=True)


def test_what_is_not_shown_is_counted():
    with selected(*DOCUMENTS) as selection:
        found = counted(selection, "id", most=1)

    assert (len(found.lines), found.total) == (1, 3)


def test_a_word_that_does_not_occur_is_said_not_to():
    with selected(*DOCUMENTS) as selection:
        found = counted(selection, "source", query=parse('"nowhere"'))
        rates = counted(selection, "source", query=parse('"nowhere"'), least=0)

    assert found.lines == ()
    assert found.notes == ("The query does not occur in the chosen documents.",)
    assert [line.per_million for line in rates.lines] == [0, 0]


@pytest.mark.parametrize("by", ["source", "lc", "R1.lc", "month"])
def test_no_documents_and_no_segments_are_said_to_be_none(by):
    with selected(*DOCUMENTS, chosen=Filter(since=date(2030, 1, 1))) as selection:
        found = counted(selection, by)

    assert found.lines == ()
    assert "No document matches" in found.notes[0]
    with selected(parts=[]) as selection:
        assert counted(selection, "source").lines == ()


def test_what_nobody_knows_is_an_error_that_lists_what_is_known():
    with selected(*DOCUMENTS) as selection, pytest.raises(QueryError) as raised:
        counted(selection, "planet")

    assert all(word in str(raised.value) for word in ("source", "month", "lc", "L1.word"))


@pytest.mark.parametrize("wanted", [{"sort": "size"}, {"most": 0}, {"least": -1}])
def test_what_makes_no_sense_is_refused(wanted):
    with pytest.raises(QueryError):
        Counting(**wanted)


def test_only_cells_that_occur_are_counted():
    documents = [document(f"d{number}", "a b") for number in range(20)]
    with selected(parts=[documents[:10], documents[10:]]) as selection:
        dimensions = [document_dimension(selection.segments, name) for name in ("id", "url")]
        texts = texts_of(selection, dimensions)
        found = counted(selection, "id", "url")

    # Not 21 * 21.
    assert texts.tokens.tolist() == [2] * 20
    assert found.total == 20
    assert {line.values for line in found.lines} == {(d.id, d.url) for d in documents}
