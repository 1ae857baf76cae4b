from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.analyse.attestations import Span, certainty_of, known_span, span_of, verdict_of
from izwi.model.errors import QueryError
from izwi.model.lexicography import Headword
from izwi.service.lexicography import headword_of, headwords

from .tagged import Text, corpus_of

TEXTS = [
    Text(["The/the/DT bakkie/bakkie/NN stopped/stop/VBD"], "2014-03-09", "http://a.example/1"),
    Text(["Two/two/CD bakkies/bakkie/NNS stopped/stop/VBD"], "2012", "http://b.example/1"),
    Text(["Load/load/NN shedding/shedding/NN again/again/RB"], "2008-02", "http://c.example/1"),
    Text(["More/more/JJR load-shedding/load-shedding/NN"], "2009-01-05", "http://c.example/2"),
    Text(["A/a/DT snoek/snoek/NN"], "", "http://d.example/1"),
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return corpus_of(tmp_path_factory.mktemp("dated") / "dated", TEXTS[:2], TEXTS[2:])


def report(corpus, *given):
    return corpus.attestations(given).lines[0]


def test_the_earliest_line_of_all_forms_and_segments_is_found(corpus):
    found = report(corpus, "bakkie")

    assert (found.verdict, found.hits) == ("no-known-date", 2)
    assert (found.found.date, found.found.precision) == (date(2012, 1, 1), "year")
    assert found.found.line.match == "bakkies"


def test_variants_count_and_say_in_what_they_differ(corpus):
    found = report(corpus, Headword("load-shedding", "2007", ("load shedding", "loadshedding")))

    assert found.found.line.match == "Load shedding"
    assert [(form.word, form.hits, form.reason) for form in found.forms] == [
        ("load-shedding", 1, ""),
        ("load shedding", 1, "hyphen or apostrophe"),
        ("loadshedding", 0, "hyphen or apostrophe"),
    ]
    assert (found.verdict, found.days) == ("later", -32)


@pytest.mark.parametrize(
    ("known", "verdict", "days"),
    [
        ("2013", "antedating", 1),
        ("2012-06", "same", 0),
        ("2012", "same", 0),
        ("c2014", "antedating", 366),
        ("2011-12-31", "later", -1),
    ],
)
def test_a_date_of_a_year_antedates_only_what_is_after_all_of_it(corpus, known, verdict, days):
    found = report(corpus, Headword("bakkie", known))

    assert (found.verdict, found.days) == (verdict, days)


def test_words_without_a_date_and_words_that_do_not_occur_are_told_apart(corpus):
    assert report(corpus, "snoek").verdict == "undated"
    assert report(corpus, "kreef").verdict == "absent"
    assert report(corpus, Headword("kreef", "1900")).days is None


def test_antedatings_come_first_the_largest_first(corpus):
    found = corpus.attestations(
        ["kreef", "bakkie\t2013", "load-shedding\t2020", "bakkies\t1999", "snoek"]
    )

    assert [line.headword for line in found.lines] == [
        "load-shedding", "bakkie", "bakkies", "snoek", "kreef",
    ]  # fmt: skip


def test_no_headwords_are_no_error(corpus):
    assert corpus.attestations([]).notes == ("No headwords were given.",)


def test_a_list_of_headwords_is_read(tmp_path):
    file = tmp_path / "headwords.tsv"
    file.write_text("\ufeffbakkie\t1948\tbakky; bukkie\n\nbraai\n", encoding="utf-8")

    assert headwords(file) == (
        Headword("bakkie", "1948", ("bakky", "bukkie")),
        Headword("braai"),
    )


@pytest.mark.parametrize("line", ["bakkie\tlong ago", "bakkie\t1948-13", "\t1948", ""])
def test_a_line_that_says_nothing_is_refused(line):
    with pytest.raises(QueryError):
        headword_of(line)


@pytest.mark.parametrize(
    ("evidence", "captured", "expected"),
    [
        ("JSON-LD", "2020-01-01", "strong"),
        ("meta article:published_time", "", "strong"),
        ("time element", "2020-01-01", "fair"),
        ("line of text", "2020-01-01", "weak"),
        ("", "", "weak"),
        ("JSON-LD", "2014-01-01T00:00:00", "weak"),
    ],
)
def test_a_date_is_as_sure_as_its_evidence(evidence, captured, expected):
    assert certainty_of(evidence, date(2014, 3, 9), captured) == expected


DAYS = st.dates(date(1900, 1, 1), date(2030, 1, 1))
SPANS = st.builds(span_of, DAYS, st.sampled_from(["day", "month", "year"]))


@given(SPANS, SPANS)
def test_a_verdict_holds_for_every_day_that_may_be_meant(found, known):
    verdict, days = verdict_of(found, known)

    is_earlier, is_later = found.last < known.first, found.first > known.last
    assert verdict == ("antedating" if is_earlier else "later" if is_later else "same")
    assert (days > 0) == is_earlier
    assert (days < 0) == is_later


@given(DAYS)
def test_known_dates_are_read_at_their_precision(day):
    assert known_span(day.isoformat()) == Span(day, day)
    assert known_span(f"{day:%Y-%m}") == span_of(day, "month")
    assert known_span(f"{day:%Y}") == span_of(day, "year")
