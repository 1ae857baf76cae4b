"""Every number of the pages of the demonstration opens as many lines or documents as it says."""

import re
from urllib.parse import urlsplit

import pytest

from izwi.cli.serving import demo_corpus
from izwi.demoweb import DemoWeb
from izwi.web.app import create_app

from .parsing import page_of, words
from .serving import asking

# Collocates once a hit: where each of them counts, a line may hold two.
PAGES = (
    "",
    "/word/bakkie",
    "/word/lobola",
    "/word/said",
    "/freq?q=bakkie",
    "/freq?q=bakkie&mode=word&by=year",
    "/freq?q=bakkie&by=L1.word",
    "/freq?q=robot&by=publication&and_by=year",
    "/coll?q=bakkie&counting=hits&words=all&most=30",
    "/dispersion?q=bakkie&by=publication",
    "/dispersion?q=lobola",
    "/sketch?word=bakkie",
    "/sketch-difference?word=bakkie&other=taxi",
    "/trend?q=load-shedding&q=bakkie",
    "/wordlist?most=30&attribute=lemma",
    "/ngrams?size=3&most=30",
    '/keywords?where=publication="Braai %26 Bakkie"&most=30',
    "/new?from=2014&least=2&sites=1",
)
_NUMBER = re.compile(r"[\d,]+(?= hits?$|$)")


@pytest.fixture(scope="module")
def reading(tmp_path_factory):
    """A client of the demonstration."""
    folder = tmp_path_factory.mktemp("counts") / "demo"
    with DemoWeb() as web, demo_corpus(folder) as corpus:
        corpus.run(proxy=web.proxy_url, workers=1)
    with asking(create_app([folder])) as client:
        yield client


def _counts(page):
    """Yield each number that opens something, and the address."""
    for link in page.cssselect("main td a, main dd a, main .byline a"):
        number = _NUMBER.match(words(link))
        if number:
            yield int(number[0].replace(",", "")), link.get("href")


def _opened(client, address):
    parts = urlsplit(address)
    found = client.get(f"{parts.path}.json?{parts.query}").json()
    return found["total"] if parts.path.endswith("/docs") else found["hits"]


@pytest.mark.parametrize("path", PAGES)
def test_every_number_opens_as_many_lines_as_it_counts(reading, path):
    page = page_of(reading.get(f"/c/demo{path}"))

    counted = [each for each in _counts(page) if re.search(r"/(conc|docs)\?", each[1])]
    assert counted
    for number, address in counted[:60]:
        assert number == _opened(reading, address), address


def test_what_counts_nothing_opens_nothing(reading):
    page = page_of(reading.get("/c/demo/dispersion?q=lobola"))

    cells = [words(each) for each in page.cssselect("td[data-label=Hits]")]
    assert "0" in cells
    assert all(number for number, _ in _counts(page))


def test_spellings_of_a_new_word_in_one_document_are_one_document(reading):
    found = reading.get("/c/demo/new.json?from=2014&least=2&sites=1").json()["lines"]

    (zama,) = [each for each in found if each["word"] == "zama"]
    assert zama["variants"]
    lines = reading.get("/c/demo/conc.json", params={"q": zama["cql"], "mode": "cql"}).json()
    assert zama["documents"] == lines["documents"] < zama["hits"]


@pytest.mark.parametrize(
    "path", ["freq?q=bakkie", "freq?q=bakkie&by=L1.word", "coll?q=robot&words=all"]
)
def test_what_a_chart_says_is_whole_in_the_readers_language(reading, path):
    page = page_of(reading.get(f"/c/demo/{path}", headers={"Accept-Language": "af"}))

    told = words(page.cssselect("main svg desc")[0])
    assert "intervalle" in told or "tabel" in told
    assert not re.search(r"\b(are|the|lines|words|intervals)\b", told)
