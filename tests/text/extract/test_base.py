import sys
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from izwi import plugins
from izwi.model.capture import Hints
from izwi.model.document import KEPT, Paragraph, PublicationDate, dropped, failed
from izwi.model.errors import ConfigError, MissingExtra, PluginError
from izwi.model.portal import Portal, Rule
from izwi.text import blocks, comments, portal_rules
from izwi.text.extract import base
from izwi.text.extract.base import Extract, ExtractConfig, document_id
from izwi.text.extract.judging import Blocks
from izwi.text.extract.justext import JustextOptions
from izwi.text.extract.learnt import IzwiOptions
from izwi.text.metadata import chosen, claims, visible
from tests.text.pages import LONG, WHEN, page

ARTICLE = f"<title>Bakkie</title><p>{LONG}</p>"
FEED = '<?xml version="1.0"?><rss version="2.0"><channel><item/></channel></rss>'
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


def extracted(*pages, **config):
    return list(Extract(ExtractConfig(**config))(iter(pages)))


@dataclass(frozen=True, slots=True)
class ShoutOptions:
    mark: str = "!"


class Shout:
    """An extractor of a plug-in: the whole page, shouted."""

    Options: ClassVar[type] = ShoutOptions
    depends_on: ClassVar[tuple[str, ...]] = ()

    def __init__(self, options):
        self._mark = options.mark

    def __call__(self, html):
        if "BROKEN" in html:
            raise ZeroDivisionError("this page divides by zero")
        return (Paragraph(html.upper() + self._mark),)


@pytest.fixture
def shout(monkeypatch):
    """Install the plug-in for one test."""
    load = plugins.load
    monkeypatch.setattr(
        plugins, "load", lambda group, name: Shout if name == "shout" else load(group, name)
    )


def test_an_article_becomes_a_document_with_text_and_metadata():
    hints = Hints(author="T. Mokoena", date="2020-06-01")

    (document,) = extracted(page(ARTICLE, hints=hints, source="courant-feed"))

    assert document.id == document_id("https://courant.example/story", WHEN)
    assert document.url == "https://courant.example/story"
    assert document.captured == WHEN
    assert document.source == "courant-feed"
    assert document.media_type == "text/html"
    assert document.text == LONG.strip()
    assert document.verdict == KEPT
    assert (document.metadata.title, document.metadata.author) == ("Bakkie", "T. Mokoena")
    assert document.metadata.date == PublicationDate(date(2020, 6, 1), "day", "feed")


@pytest.mark.parametrize(
    ("given_page", "verdict"),
    [
        pytest.param(page(FEED, kind="feed"), dropped("extract", "is-a-feed"), id="feed"),
        pytest.param(
            page(ARTICLE, status=404),
            dropped("extract", "http-status", value=404, threshold=200),
            id="not-found",
        ),
        pytest.param(
            page(PNG, media_type="image/png"),
            dropped("extract", "media-type", detail="image/png"),
            id="image",
        ),
        pytest.param(page(b""), dropped("extract", "empty"), id="empty"),
        pytest.param(page(b" \r\n\x00 "), dropped("extract", "empty"), id="blank"),
        pytest.param(page("<p>Short.</p>"), dropped("extract", "no-main-text"), id="no-main-text"),
        pytest.param(
            page("<p>&#1;&#2;</p>"), dropped("extract", "no-main-text"), id="control-characters"
        ),
        pytest.param(
            page(PNG + bytes(range(256)) * 20), dropped("extract", "no-main-text"), id="binary"
        ),
        pytest.param(
            page(ARTICLE, verdict=failed("extract", "damaged-capture")),
            failed("extract", "damaged-capture"),
            id="unreadable-capture",
        ),
        pytest.param(page(ARTICLE, media_type=""), KEPT, id="no-media-type"),
        pytest.param(page(ARTICLE, media_type="application/xhtml+xml"), KEPT, id="xhtml"),
    ],
)
def test_every_page_gets_its_verdict(given_page, verdict):
    (document,) = extracted(given_page)

    assert document.verdict == verdict


@pytest.mark.timeout(60)
@pytest.mark.parametrize("end", ["", "</div>" * 20_000], ids=["open", "closed"])
def test_a_deeply_nested_page_gets_a_verdict_and_the_next_is_read(end):
    deep = page("<div>" * 20_000 + LONG + end)

    first, second = extracted(deep, page(ARTICLE))

    assert first.verdict.outcome in ("kept", "dropped", "failed")
    assert first.verdict == KEPT or first.verdict.stage == "extract"
    assert second.verdict == KEPT


def test_documents_come_one_for_each_page_in_order():
    pages = [
        page(ARTICLE, url="https://a.example/1"),
        page(b"", url="https://a.example/2"),
        page(FEED, url="https://a.example/3", kind="feed"),
        page(ARTICLE, url="https://a.example/4"),
    ]

    documents = extracted(*pages)

    assert [document.url[-1] for document in documents] == ["1", "2", "3", "4"]
    assert [document.verdict.is_kept for document in documents] == [True, False, False, True]


def test_pages_are_read_one_at_a_time():
    read = []

    def pages():
        for number in range(3):
            read.append(number)
            yield page(ARTICLE)

    next(Extract(ExtractConfig())(pages()))

    # The next one may complete it.
    assert read == [0, 1]


@pytest.mark.usefixtures("shout")
def test_an_extractor_that_raises_fails_one_document_alone():
    first, second = extracted(page("BROKEN"), page("ok"), method="shout")

    assert first.verdict == failed(
        "extract", "extractor-error", detail="ZeroDivisionError: this page divides by zero"
    )
    assert second.text == "OK!"


def test_a_model_that_cannot_be_used_stops_the_run(tmp_path):
    file = tmp_path / "model.npz"
    np.savez(file, columns=np.uint64(1))

    with pytest.raises(ConfigError, match="another release"):
        extracted(page(ARTICLE), options=IzwiOptions(model=str(file)))

    file.write_bytes(b"no archive")
    with pytest.raises(ConfigError, match="not a model"):
        extracted(page(ARTICLE), options=IzwiOptions(model=str(file)))
    with pytest.raises(ConfigError, match="cannot be read"):
        extracted(page(ARTICLE), options=IzwiOptions(model=str(tmp_path / "none.npz")))


@pytest.mark.usefixtures("shout")
def test_a_plug_in_that_judges_need_not_know_lean_pages(monkeypatch):
    monkeypatch.setattr(
        Shout, "judge", lambda self, html: Blocks(self(html), "article"), raising=False
    )

    (document,) = extracted(page("ok"), method="shout")

    assert (document.text, document.metadata.page_type) == ("OK!", "article")


@pytest.mark.usefixtures("shout")
def test_a_source_may_name_its_own_method():
    pages = page("robots", source="loud"), page(ARTICLE, source="quiet")

    loud, quiet = extracted(*pages, methods={"loud": "shout"})

    assert loud.text == "ROBOTS!"
    assert quiet.text == LONG.strip()


@pytest.mark.usefixtures("shout")
def test_options_go_to_the_method_they_were_written_for():
    pages = page("a", source="loud"), page(ARTICLE, source="quiet")
    options = ShoutOptions(mark="?")

    loud, quiet = extracted(*pages, method="shout", options=options, methods={"quiet": "justext"})

    assert (loud.text, quiet.text) == ("A?", LONG.strip())


def test_options_reach_the_extractor():
    (document,) = extracted(
        page(ARTICLE), method="justext", options=JustextOptions(length_high=1000)
    )

    assert document.verdict == dropped("extract", "no-main-text")


def test_an_unknown_method_fails_the_document_with_the_known_ones():
    (document,) = extracted(page(ARTICLE), method="justtext")

    assert document.verdict.reason == "extractor-error"
    assert PluginError.__name__ in document.verdict.detail
    assert "Did you mean 'justext'?" in document.verdict.detail


def test_character_references_become_nfc_without_control_characters():
    (document,) = extracted(page(f"<p>Cafe&#769;&#1; {LONG}</p>"))

    assert document.text == f"Café {LONG.strip()}"


def test_the_charset_of_the_header_is_used():
    body = f"<p>Привет. {LONG}</p>".encode("cp1251")

    (document,) = extracted(page(body, content_type="text/html; charset=windows-1251"))

    assert document.text.startswith("Привет.")


def test_a_document_is_known_by_its_address_its_part_and_its_second_of_capture():
    later = WHEN + timedelta(seconds=1)

    names = {
        document_id("https://a.example/", WHEN),
        document_id("https://a.example/b", WHEN),
        document_id("https://a.example/", later),
        document_id("https://a.example/", WHEN, part="comment-1"),
    }

    assert len(names) == 4


def test_a_document_id_is_the_same_in_every_time_zone():
    there = WHEN.astimezone(timezone(timedelta(hours=2)))

    assert document_id("https://a.example/", there) == document_id("https://a.example/", WHEN)
    assert document_id("https://a.example/", WHEN).endswith("-20200615123045")


def test_a_document_id_does_not_change_between_versions():
    when = datetime(2026, 11, 15, 9, 12, 4, tzinfo=UTC)

    assert document_id("https://a.example/", when) == "42b7816e3f66-20261115091204"


@settings(max_examples=60)
@given(
    body=st.binary(max_size=200)
    | st.lists(
        st.sampled_from(["<p>", "</p>", "<table>", "<li>", LONG, "&#xdfff;", "<meta charset=utf-7>",
                         '<script type="application/ld+json">', '{"@type":"WebPage"}', "é"]),
        max_size=12,
    ).map(lambda parts: "".join(parts).encode()),
    content_type=st.text(max_size=40),
)  # fmt: skip
def test_any_page_becomes_a_storable_document(body, content_type):
    (document,) = extracted(page(body, content_type=content_type))

    assert document.verdict.outcome in ("kept", "dropped")
    assert document.text.encode("utf-8").decode("utf-8") == document.text
    assert bool(document.text) == document.verdict.is_kept


RULES = Portal(body="article", rules=(Rule("drop", ".ad"),))
READ_ONCE = {
    "a page": {},
    "a page with comments": {"comments": True},
    "a page of a portal": {"portals": {"courant": RULES}},
    "a page of a portal with comments": {"portals": {"courant": RULES}, "comments": True},
}


@pytest.mark.parametrize("config", READ_ONCE.values(), ids=READ_ONCE)
def test_a_page_is_decoded_once_and_parsed_once(config, monkeypatch):
    counted = Counter()

    def counting(kind, made):
        def make(*given):
            counted[kind] += 1
            return made(*given)

        return make

    for module in (base, blocks, claims, comments, chosen, comments, portal_rules, visible):
        if hasattr(module, "LexborHTMLParser"):
            monkeypatch.setattr(module, "LexborHTMLParser", counting("parsed", LexborHTMLParser))
    monkeypatch.setattr(base, "decode", counting("decoded", base.decode))
    said = '<ol><li class="comment" id="comment-7"><div class="comment-content">Ja, nee.</div></ol>'
    html = f"<article>{ARTICLE}<p class=ad>Buy</p></article>{said}"

    first, *others = extracted(page(html, source="courant"), **config)

    assert LONG.strip() in first.text
    assert len(others) == ("comments" in config)
    # Blocks are read without a parser where a page allows it; rules of a portal take one.
    assert counted == {"decoded": 1, "parsed": 1 + ("portals" in config)}


@pytest.mark.parametrize("name", ["trafilatura", "resiliparse"])
def test_an_extractor_whose_package_is_missing_says_what_to_install(name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, f"{name}.extract.html2text", None)
    kind = plugins.load("izwi.extractors", name)

    with pytest.raises(MissingExtra, match=rf"pip install izwi\[{name}\]"):
        kind(kind.Options())("<p>A page.</p>")


@pytest.mark.parametrize(
    ("body", "is_there"),
    [
        (f"<p>By Anna Nel, 2 March 2020</p><p>{LONG}</p><p>{LONG} So it was.</p>", False),
        (f"<p>{LONG}</p><p>{LONG} So it was.</p><p>By Anna Nel</p>", False),
        (f"<p>{LONG}</p><p>By Anna Nel it was not.</p><p>{LONG} So it was.</p>", True),
    ],
    ids=["above", "below", "a-sentence"],
)
def test_the_line_that_signs_a_text_is_no_part_of_it(body, is_there):
    head = "<title>Ferry</title><meta name=author content='Anna Nel'><h1>Ferry</h1>"

    (found,) = extracted(page(f"{head}{body}"))

    assert ("By Anna Nel" in found.text) == is_there
    assert LONG in found.text
