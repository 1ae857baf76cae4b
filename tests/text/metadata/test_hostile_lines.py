"""Lines, headings and elements made to be read again and again: each ends, and tells its part."""

from datetime import date

import pytest

from izwi.model.capture import Hints
from izwi.text.metadata.bylines import is_byline
from izwi.text.metadata.chosen import read_metadata


def read(html):
    return read_metadata(html, "https://courant.example/a", Hints(), captured=date(2020, 6, 15))


# Where a line was read again from each of its signs, these took from minutes to the age of the
# world.
@pytest.mark.parametrize("sign", [" ", "\t", "A", "a", "1", ".", ",", "и ", "Anna ", "A, ", "| "])
@pytest.mark.parametrize("begun", ["by", "Szerző: A", "автор: ", "Posted by Anna Nel at 1", "12 "])
@pytest.mark.parametrize("end", ["x", "1"])
def test_a_line_of_a_hundred_thousand_signs_tells_no_author(sign, begun, end):
    line = begun + sign * 100_000 + end

    assert read(f"<h1>Robots</h1><p>{line}</p>").author == ""
    assert not is_byline(line, "Anna Nel")


@pytest.mark.parametrize("words", [20, 56])
def test_a_line_of_joints_is_no_row_of_names(words):
    line = "автор: " + "и " * words + "1"

    assert read(f"<h1>Robots</h1><p>{line}</p>").author == ""


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("автор: Анна Нел и Мария Ито", "Анна Нел и Мария Ито"),
        ("Szerző: Kovács Anna, Nagy Pál and Jo Roy", "Kovács Anna, Nagy Pál, Jo Roy"),
        ("by   Anna \t Nel", "Anna Nel"),
        ("Posted by Anna Nel   at   12:32 PM", "Anna Nel"),
        ("by Anna Nel  ,  Filed under:", "Anna Nel"),
    ],
)
def test_names_are_read_whatever_joins_them_or_stands_between(line, author):
    assert read(f"<h1>Robots</h1><p>{line}</p>").author == author


def test_what_stands_in_a_part_beside_the_headline_is_no_headline_however_deep():
    kicker = "<span class=kicker>" * 8_000 + "Traffic" + "</span>" * 8_000

    assert read(f"<title>Robots out</title><h1>{kicker} Robots out</h1>").title == "Robots out"


def test_the_same_words_in_a_part_and_in_the_headline_stay_in_the_headline():
    kicker = "<span class=kicker><b class=label>Robots</b></span>"

    assert read(f"<h1>{kicker}<i>Robots</i> <i>out</i></h1>").title == "Robots out"


def test_of_the_links_in_a_byline_the_first_are_asked_for_a_name():
    links = "<a href=/u/x></a>" * 20_000
    html = "<div class=author>" * 120 + '<a href="/u/nel">Anna Nel</a> Writer' + links

    assert read(html).author == "Anna Nel"


def test_of_elements_in_elements_round_the_whole_page_the_first_are_read():
    marked = "<div itemprop=author>" * 200 + "Anna Nel " + "<i>x</i> " * 60_000
    html = f"<p itemprop=author>Jo Roy</p>{marked}"

    authors = [c for c in read(html).claims if c.evidence == "microdata"]

    assert [claim.value[:8] for claim in authors] == ["Jo Roy", "Anna Nel"]


def test_of_headings_in_headings_the_first_may_be_the_headline():
    headings = "<h1>Robots are out again</h1>" + "<h1><div>" * 5_000 + "<i>x</i> " * 60_000

    assert read(f"<title>Robots are out again</title>{headings}").title == "Robots are out again"
