"""Pages of a corpus that somebody else cut and tagged, or did not: words alone, odd names."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest

import izwi
from izwi.cases.corpora import import_vertical
from izwi.web.app import create_app

from .serving import asking, serving

LONG = "Donaudampf" * 25
ODD = """<doc id="2014/03 {n}?a#b%" url="http://very{host}.example/{path}/{n}" title="{title}"
 author="{long}" section="{long}" site="{long}" captured="{captured}" date="201{n}-03-01">
<s>
The
{long}
slept
{n}
</s>
</doc>
<doc>
and
{long}
</doc>
"""


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    folder = tmp_path_factory.mktemp("imported")
    captured = ("", "nonsense", "2020-02-30", "2020-02-02T10:00:00+00:00")
    texts = (
        ODD.replace("\n author", " author").format(
            n=n,
            long=LONG,
            host="long" * 12,
            path="path" * 100,
            title="Titel" * 60 + "\u202egnp",
            captured=when,
        )
        for n, when in enumerate(captured)
    )
    (folder / "odd.vert").write_text("".join(texts), encoding="utf-8")
    import_vertical(folder / "odd.vert", folder / "odd", structures=("doc", "s"))
    return folder / "odd"


PAGES = (
    "", "/docs", "/wordlist", "/ngrams", "/conc?q=The", "/conc?q={}", "/conc?q={}&unit=sentence",
    "/conc?q={}&unit=paragraph", "/facets?q={}", "/freq?q={}", "/coll?q=slept", "/dispersion?q={}",
    "/trend?q={}&q=The", "/word/{}", "/word/slept", "/new?from=2011&least=1&sites=1", "/conc?q={}z",
)  # fmt: skip


def test_every_link_of_an_imported_corpus_leads_somewhere(odd):
    with asking(create_app([odd])) as client:
        found = {f"/c/odd{page.format(LONG)}" for page in PAGES}
        for page in tuple(found):
            links = re.findall(r'href="(/c/odd/(?:doc|hit)/[^"#]+)', client.get(page).text)
            found |= set(map(unescape, links))
        assert [each for each in found if urlsplit(each).path.startswith("/c/odd/doc/2014")]
        assert [each for each in found if urlsplit(each).path.startswith("/c/odd/hit/")]
        # Of the one that says when, there is no page all the same.
        found = {each for each in found if not each.endswith("/archived")}
        wrong = {each: client.get(each).status_code for each in sorted(found)}

    assert {each: status for each, status in wrong.items() if status not in (200, 202)} == {}


def test_a_document_without_a_page_has_its_text_and_no_capture(odd):
    with asking(create_app([odd])) as client:
        page = client.get("/c/odd/doc/2014_03_0_a_b_").text
        facts = client.get("/c/odd/doc/2014_03_0_a_b_/metadata").text

    assert "slept" in page
    assert "/archived" not in page
    assert ".warc.gz" not in facts


@pytest.mark.browser
def test_words_longer_than_the_window_make_no_page_wider(odd, chromium):
    with serving(create_app([odd])) as address:
        context = chromium.new_context(base_url=address)
        page = context.new_page()
        wide = []
        for path in (*PAGES, "/doc/2014_03_0_a_b_", "/doc/2014_03_0_a_b_/metadata"):
            page.goto(f"/c/odd{path.format(LONG)}")
            for width in (1280, 390):
                page.set_viewport_size({"width": width, "height": 740})
                if page.evaluate("document.documentElement.scrollWidth") > width:
                    wide.append((path, width))
        context.close()

    assert wide == []


def test_what_was_imported_counts_as_what_the_corpus_holds(odd):
    with izwi.open(odd) as corpus:
        grown = corpus.growth()

    assert (grown.documents, grown.new_documents, grown.tokens) == (8, 8, 24)
