"""The default extractor stays above its floors on pages written for the project."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from izwi.demoweb.articles import PUBLICATIONS
from izwi.demoweb.pages import page_for
from izwi.evaluate.extraction import evaluate
from izwi.evaluate.gold_pages import GoldPage
from izwi.text.decode import decode
from izwi.text.extract.bte import Bte, BteOptions
from izwi.text.extract.learnt import Izwi, IzwiOptions
from tests.demoweb.truth import ground_truth
from tests.evaluate.goldpages import gold_pages

FLOORS = {"f1": 0.95, "f05": 0.95, "precision": 0.94, "recall": 0.94}
# A larger share of pages under 0.5, or a page in more pieces, is refused too.
CEILINGS = {"under_half": 0.02, "fragments": 2.5}
DOCS = Path(__file__).parents[2] / "docs" / "explanation" / "extraction.md"


def failures(scores):
    """Return one sentence for each measure that is worse than it may be."""
    low = [
        f"{name} is {getattr(scores, name):.3f}, below the floor of {floor}"
        for name, floor in FLOORS.items()
        if getattr(scores, name) < floor
    ]
    high = [
        f"{name} is {getattr(scores, name):.3f}, above the ceiling of {ceiling}"
        for name, ceiling in CEILINGS.items()
        if getattr(scores, name) > ceiling
    ]
    return [*low, *high]


def demo_pages():
    for document in list(ground_truth().values())[::4]:
        page = page_for(PUBLICATIONS[document.publication], urlsplit(document.url).path)
        if page.status == 200:
            text = "\n".join((document.title, *document.paragraphs))
            yield GoldPage(decode(page.body, page.content_type).text, text, document.url)


@pytest.fixture(scope="module")
def pages():
    return [*gold_pages(), *demo_pages()]


def test_the_default_extractor_is_above_its_floors(pages):
    scores = evaluate("izwi", Izwi(IzwiOptions()), pages)

    assert failures(scores) == []


def test_a_worse_extractor_is_refused(pages):
    assert failures(evaluate("bte", Bte(BteOptions()), pages))


@pytest.mark.parametrize("page", gold_pages(), ids=lambda page: page.id)
def test_each_kind_of_page_is_read(page):
    assert evaluate("izwi", Izwi(IzwiOptions()), [page]).f1 > 0.85


def test_floors_are_not_lowered_without_a_word():
    text = DOCS.read_text(encoding="utf-8")

    for name, bound in {**FLOORS, **CEILINGS}.items():
        assert re.search(rf"^\| `{name}` \| {bound} \|", text, re.MULTILINE), name
