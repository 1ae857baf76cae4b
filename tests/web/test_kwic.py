from dataclasses import replace
from datetime import date

import pytest

from izwi.model.results import DocumentCard, KwicLine, LineToken
from izwi.web.pages.citing import date_shown, line_citation
from izwi.web.pages.views import direction, language_tag, row_of

CARD = DocumentCard(
    id="d1",
    url="https://example.org/a",
    title="A title",
    author="A. Writer",
    date=date(2014, 3, 1),
    date_precision="month",
    date_evidence="URL",
    source="example",
    site="The Example",
    section="",
    language="eng",
    captured="2026-11-15T20:55:06+00:00",
)


def line(match="bakkie", **changes):
    fields = {name: getattr(CARD, name) for name in CARD.__slots__} | changes
    return KwicLine("d1.3.ab", "left ", match, " right", DocumentCard(**fields))


@pytest.mark.parametrize(
    ("precision", "shown"), [("day", "2014-03-01"), ("month", "2014-03"), ("year", "2014")]
)
def test_a_date_is_shown_as_exact_as_it_is_known(precision, shown):
    assert date_shown(line(date_precision=precision).document) == shown


def test_a_citation_names_document_version_and_hit():
    assert line_citation(line(), "Corpus", 3) == (
        "A. Writer, “A title”, The Example, 2014-03. https://example.org/a (captured 2026-11-15). "
        "In: Corpus, version 3, hit d1.3.ab."
    )


def test_a_citation_leaves_out_what_is_not_known():
    unknown = line(author="", date=None, title="", site="")

    assert line_citation(unknown, "Corpus", 3).startswith("Untitled, example. https://")


def test_a_title_cannot_turn_its_citation_round():
    assert "\u202e" not in line_citation(line(title="a\u202eb"), "Corpus", 3)


@pytest.mark.parametrize(
    ("matches", "expected"),
    [
        (["bakkie"], "ltr"),
        (["كلمة"], "rtl"),
        (["“מילה”"], "rtl"),
        (["bakkie", "كلمة", "word"], "ltr"),
        (["2014"], "ltr"),
        ([], "ltr"),
    ],
)
def test_the_table_runs_as_most_matches_do(matches, expected):
    assert direction([line(match) for match in matches]) == expected


@pytest.mark.parametrize(
    ("code", "tag"), [("afr", "af"), ("zul", "zu"), ("heb", "he"), ("nso", "nso"), ("und", "")]
)
def test_languages_are_tagged_as_html_wants_them(code, tag):
    assert language_tag(code) == tag


TOKENS = tuple(
    LineToken(text, (text.upper(),), text == "bakkie", has_space=text != "right")
    for text in ("the", "left", "bakkie", "far", "right")
)


def test_a_paragraph_that_begins_in_a_tagged_line_has_its_sign():
    own = replace(line(), left="the left ", right=" far right", breaks=(4, 16), tokens=TOKENS)

    row = row_of(own, "Corpus", 3)

    assert row.left == (
        'the<i>/THE</i> <span class="break" aria-hidden="true">¶ </span>left<i>/LEFT</i> '
    )
    assert row.match == "bakkie<i>/BAKKIE</i> "
    assert row.right == (
        '<span class="break" aria-hidden="true">¶ </span>far<i>/FAR</i> right<i>/RIGHT</i>'
    )
