import pytest
from markupsafe import Markup, escape

from izwi.web import templating
from izwi.web.templating import Pages, rate, visible, web_link


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("http://example.org/", "http://example.org/"),
        ("https://example.org/", "https://example.org/"),
        ("HTTPS://example.org/", "HTTPS://example.org/"),
        ("javascript:alert(1)", ""),
        (" javascript:alert(1)", ""),
        ("java\nscript:alert(1)", ""),
        ("data:text/html,<script>", ""),
        ("//example.org/", ""),
        ("/c/demo", ""),
        ("http:alert(1)", ""),
        ("http://[", ""),
        ("", ""),
    ],
)
def test_only_web_addresses_become_links(url, link):
    assert web_link(url) == link


def test_control_characters_are_shown_and_text_is_not_touched():
    assert visible("a\x00\x1b[31m\x7f\x9b\ud800") == "a␀␛[31m␡\ufffd\ufffd"
    assert visible("Ōrewa\n'n \u200f😀") == "Ōrewa\n'n \u200f😀"


def test_what_a_template_shows_is_escaped():
    answer = Pages().page("error.html", {"heading": "<b>", "message": "\x00<script>&"})

    assert b"<h1>&lt;b&gt;</h1>" in answer.body
    assert "␀&lt;script&gt;&amp;".encode() in answer.body


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0"), (0.00421, "0.0042"), (3.14159, "3.1"), (99.96, "100.0"), (12345.6, "12,346")],
)
def test_rates_have_the_places_that_matter(value, shown):
    assert rate(value) == shown


def test_a_number_in_a_sentence_is_written_as_in_a_table():
    template = Pages()._templates.from_string('{{ ngettext("%(num)s hit", "%(num)s hits", 2563) }}')

    assert template.render() == "2,563 hits"


class _Own:
    def __html__(self):
        return "<b>own</b>"

    def __str__(self):
        return "<i>"


@pytest.mark.parametrize(
    "value",
    ["plain", "a & b", "<", ">", '"', "'", "é’", Markup("<b>&amp;</b>"), 7, True, 0.5, None, _Own()]
)  # fmt: skip
def test_the_short_way_to_escape_leads_where_the_long_one_does(value):
    assert templating._escaped(value) == escape(value)
