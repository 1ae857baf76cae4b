"""Pages in scripts other than Latin: never worse than the best of other people's extractors."""

import pytest

from izwi.cases.extractors import extractor_from, installed_peers
from izwi.evaluate.extraction import score_page, summed
from izwi.text.extract.learnt import Izwi, IzwiOptions
from tests.evaluate.scriptpages import script_pages

PAGES = script_pages()


def f1(extractor, page):
    return summed("", [score_page(page, extractor(page.html))]).f1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_a_page_in_another_script_is_read(page):
    assert f1(Izwi(IzwiOptions()), page) > 0.9


@pytest.mark.parametrize("peer", installed_peers())
@pytest.mark.parametrize("language", sorted({page.kind for page in PAGES}))
def test_no_other_extractor_reads_a_language_better(language, peer):
    pages = [page for page in PAGES if page.kind == language]
    ours, theirs = Izwi(IzwiOptions()), extractor_from(peer)

    means = [sum(f1(each, page) for page in pages) / len(pages) for each in (ours, theirs)]

    assert means[0] >= means[1]
