from pathlib import Path

import pytest

from izwi.text.extract.base import Extract, ExtractConfig
from tests.text.pages import page

PAGES = sorted((Path(__file__).parents[1] / "golden").glob("*.html"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_main_text_of_a_page_is_as_reviewed(path, golden):
    (document,) = Extract(ExtractConfig())(iter([page(path.read_bytes())]))

    assert document.verdict.is_kept
    golden(path.with_suffix(".txt"), document.text + "\n")


def test_every_golden_text_has_its_page():
    texts = {path.stem for path in PAGES[0].parent.glob("*.txt")}

    assert texts == {path.stem for path in PAGES}
    assert len(texts) >= 6
