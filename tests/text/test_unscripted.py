"""Text for readers without scripts, and text that only a script would show."""

import json
from html import escape

import pytest

import izwi
from izwi.model.document import PAGE_TYPES
from izwi.text.unscripted import needs_browser, text_in_data

PARAGRAPHS = [
    "The ferry was late again on Monday, said the harbour master, who had waited since dawn.",
    "Passengers stood on the quay in the rain until somebody opened the old customs house.",
    "By noon the engine ran once more, and the first boat left with twice as many people as usual.",
    "Nobody was hurt, the company wrote, and tickets of the morning would be valid all week.",
]
TEXT = "".join(f"<p>{line}</p>" for line in PARAGRAPHS)
SHELL = "<!DOCTYPE html><title>Ferry late again</title><div id=root></div>"


@pytest.mark.parametrize(
    ("html", "note"),
    [
        pytest.param(
            f"{SHELL}<noscript><h1>Ferry late</h1>{TEXT}</noscript>", "noscript", id="noscript"
        ),
        pytest.param(
            f"{SHELL}<div><template shadowrootmode=open><h1>Ferry</h1>{TEXT}</template></div>",
            "",
            id="shadow-root",
        ),
        pytest.param(
            "<html><head><title>Ferry</title></head><frameset cols=20,80><frame src=a.html>"
            f"<frame src=b.html><noframes><body>{TEXT}</body></noframes></frameset></html>",
            "",
            id="noframes",
        ),
        pytest.param(
            SHELL
            + '<script type="application/ld+json">'
            + json.dumps({"@type": "NewsArticle", "articleBody": "\n".join(PARAGRAPHS)})
            + "</script>",
            "JSON-LD articleBody",
            id="json-ld",
        ),
        pytest.param(
            SHELL
            + '<script id="__NEXT_DATA__" type="application/json">'
            + json.dumps({"props": {"page": {"body": [{"html": p} for p in PARAGRAPHS]}}})
            + "</script>",
            "embedded state",
            id="next",
        ),
        pytest.param(
            SHELL
            + "<script>window.__INITIAL_STATE__ = "
            + json.dumps({"article": {"content": TEXT}, "labels": ["Menu", "Sign in"]})
            + ";</script>",
            "embedded state",
            id="state",
        ),
        pytest.param(
            f'{SHELL}<div id=data data-preloaded="'
            + escape(
                json.dumps({"topic": json.dumps({"posts": [{"cooked": p} for p in PARAGRAPHS]})})
            )
            + '"></div>',
            "embedded state",
            id="attribute",
        ),
    ],
)
def test_text_without_scripts_is_found_and_says_where_it_stood(html, note):
    found = izwi.extract(html)

    assert all(line in found.text for line in PARAGRAPHS)
    assert [f"from {note}"] * bool(note) == list(found.notes)
    assert not note or (
        ("text", f"from {note}") in [(c.property, c.value) for c in found.metadata.claims]
    )


def test_a_page_with_text_of_its_own_is_not_read_from_its_data():
    data = json.dumps({"articleBody": "Something else entirely, said nobody. " * 60})
    html = f"<h1>Ferry late</h1>{TEXT * 3}<script type='application/ld+json'>{data}</script>"

    found = izwi.extract(html)

    assert "Something else" not in found.text
    assert not found.notes


def test_a_shadow_root_within_a_template_stays_a_template():
    html = f"<h1>Ferry</h1>{TEXT}<template><p>Row of a table that a script fills in.</p></template>"

    assert "Row of a table" not in izwi.extract(html).text


def test_a_request_to_switch_scripts_on_is_no_text():
    html = (
        f"<h1>Ferry</h1>{TEXT}<noscript>You need to enable JavaScript to run this app.</noscript>"
    )

    assert "JavaScript" not in izwi.extract(html).text


@pytest.mark.parametrize("broken", ["{", '{"articleBody": ', "[" * 5000, '{"a": "' + "x" * 9999])
def test_broken_data_give_nothing(broken):
    padding = " " * 400

    assert text_in_data(f"<script type='application/ld+json'>{broken}{padding}</script>") is None


def test_a_page_of_more_blocks_than_are_read_says_so():
    found = izwi.extract("<p>The ferry was late again, said the harbour master.</p>" * 25_000)

    assert found.notes == ("cut: only the first 20,000 blocks were read",)


def test_the_type_of_a_page_comes_with_chances():
    chances = izwi.extract(f"<article><h1>Ferry late</h1>{TEXT * 3}</article>").type_chances

    assert set(chances) == set(PAGE_TYPES)
    assert max(chances, key=chances.__getitem__) == "article"


@pytest.mark.parametrize(
    ("html", "is_needed"),
    [
        ('<body><div id="app"></div><script>x()</script>', True),
        ("<noscript>You need to enable JavaScript.</noscript><script src=a></script>", True),
        ('<body><div id="app"></div>', False),
        ("<p>A short page.</p><script>count()</script>", False),
        (f'<div id="root"><p>{"It rained. " * 60}</p></div><script>x()</script>', False),
        ("<script>never closed", False),
    ],
)
def test_pages_that_only_scripts_fill_are_told(html, is_needed):
    assert needs_browser(html) == is_needed


def test_an_article_whose_beginning_alone_is_shown_is_read_whole_from_its_data():
    told = json.dumps({"@type": "NewsArticle", "articleBody": "\n\n".join(PARAGRAPHS * 2)})
    wall = "<div><h3>For subscribers</h3><p>Try it now for R29 the first month.</p></div>"
    shown = "".join(f"<p>{line}</p>" for line in PARAGRAPHS[:3])
    data = f"<script type='application/ld+json'>{told}</script>"
    html = f"<title>Ferry</title>{data}<article>{shown}</article>{wall}"

    found = izwi.extract(html)

    assert found.text.split("\n") == PARAGRAPHS * 2
    assert "from JSON-LD articleBody" in found.notes


@pytest.mark.parametrize("said", [False, "False", "http://schema.org/False"])
def test_what_an_owner_keeps_for_those_who_pay_is_not_read_from_the_data(said):
    data = {"articleBody": "\n\n".join(PARAGRAPHS * 2), "isAccessibleForFree": said}
    told = f"<script type='application/ld+json'>{json.dumps({'@graph': [data]})}</script>"
    shown = "".join(f"<p>{line}</p>" for line in PARAGRAPHS[:3])

    found = izwi.extract(f"<title>Ferry</title>{told}<article>{shown}</article>")

    assert found.text.split("\n") == PARAGRAPHS[:3]


def test_what_data_tell_of_another_article_is_not_read():
    told = json.dumps({"articleBody": "The dam is full to the brim and nobody knows why. " * 30})
    more = "The winter before, a storm had torn the old pontoon from its chains in the night."
    html = (
        f"<script type='application/ld+json'>{told}</script><article>{TEXT}<p>{more}</p></article>"
    )

    assert izwi.extract(html).text.split("\n") == [*PARAGRAPHS, more]


def test_beginnings_of_other_pages_in_a_state_are_not_taken_for_its_article():
    teasers = [
        {"title": "Dams", "excerpt": f"{line} {line} And so on {n}."}
        for n, line in enumerate(PARAGRAPHS)
    ]
    state = {"article": {"content": {"rendered": TEXT}}, "related": teasers}
    data = f"<script id=__NEXT_DATA__ type='application/json'>{json.dumps(state)}</script>"

    assert izwi.extract(f"{SHELL}{data}").text.split("\n") == PARAGRAPHS
