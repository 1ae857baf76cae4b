"""Notes that a text refers to are text; what else it leads to down the page is none."""

import numpy as np
import pytest

from izwi.model.document import PAGE_TYPES
from izwi.text.blocks import segment
from izwi.text.extract.footnotes import with_footnotes

SAID = "The letter was written on the ferry, where he had gone to think about the harbour."
NOTE = "He means the old harbour, which was filled in two years later."


def _page(sign: str = "1", note: str = f'<li id="n1">{NOTE}</li>', between: str = ""):
    return segment(
        f'<body><main><p>{SAID} <sup><a href="#n1">{sign}</a></sup></p><p>{SAID} So it was.</p>'
        f"{between}<ol>{note}</ol></main></body>"
    )


def _found(page, *, chance: float = 0.4, sort: str = "article") -> bool:
    is_note = np.array([NOTE in text for text in page.texts])
    marks = np.array([SAID in text for text in page.texts])
    chances = np.where(is_note, chance, np.where(marks, 0.9, 0.1)).astype(np.float32)
    types = np.array([name == sort for name in PAGE_TYPES], dtype=np.float32)

    found = with_footnotes(page, chances, marks, types)

    assert found[~is_note].tolist() == marks[~is_note].tolist()
    return bool(found[is_note].all())


@pytest.mark.parametrize("sign", ["1", "[12]", "*", "a", "iv"])
def test_a_note_to_which_a_sign_in_the_text_leads_is_text(sign):
    assert _found(_page(sign))


@pytest.mark.parametrize(
    "note",
    [
        f'<li><div id="n1"><p>{NOTE}</p></div></li>',
        f'<li><p id="n1"><a href="#r1">1</a> {NOTE}</p></li>',
    ],
    ids=["inside-an-element", "leading-back"],
)
def test_notes_look_as_they_like(note):
    assert _found(_page(note=note))


def test_a_note_without_a_sign_stands_in_the_list_of_the_others():
    assert _found(_page(note=f'<li id="n1">He did not.</li><li id="n2">{NOTE}</li>'))


def test_what_words_of_the_text_lead_to_is_no_note():
    assert not _found(_page("see below"))


def test_what_no_sign_leads_to_is_no_note():
    assert not _found(_page(note=f'<li id="n2">{NOTE}</li>'))


def test_a_list_of_books_is_no_text():
    assert not _found(_page(), chance=0.2)


def test_a_page_of_lists_has_no_notes():
    assert not _found(_page(), sort="listing")


def test_notes_longer_than_the_text_are_something_else():
    assert not _found(_page(note=f'<li id="n1">{NOTE * 4}</li>'))


def test_hidden_notes_stay_hidden():
    assert not _found(_page(note=f'<li id="n1" hidden>{NOTE}</li>'))
