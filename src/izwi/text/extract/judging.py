"""What an extractor is, and a page as one judges it: its blocks, its type, what to know of it."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from inspect import signature
from typing import Any, ClassVar, Protocol

from izwi.model.document import PAGE_TYPE_CLAIM, Claim, Paragraph
from izwi.model.records import dataclass
from izwi.text.linewise import cleaned
from izwi.text.unscripted import DataText, text_in_data, whole_body

# A page whose main text has fewer characters may hold it in its data, if they have so much more.
_LITTLE, _MUCH_MORE = 400, 3
# Of an article that goes on in the data its page shows so much alone: it is that much longer.
_MORE, _MOSTLY = 1.5, 0.7
_OF_MARKUP = "beside the text of the page's data"


class Extractor(Protocol):
    """Tells main text from boilerplate; made from its own `Options`, a frozen dataclass.

    One that can tell the type of a page, too, has a method `judge(html)` that gives a `JudgedPage`;
    if it has a parameter `lean`, it gets the page without what is not read, if that is known.
    """

    Options: ClassVar[type]
    # Distributions whose version changes the output.
    depends_on: ClassVar[tuple[str, ...]]

    def __init__(self, options: Any) -> None: ...

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return every text block of the page, each marked as main text or not, with the reason."""


class JudgedPage(Protocol):
    """The blocks of a page with their classes, and its type if the extractor can tell."""

    @property
    def paragraphs(self) -> Sequence[Paragraph]:
        """All blocks."""

    @property
    def main(self) -> Sequence[Paragraph]:
        """The blocks of the main text, for their words: marks in them may be missing."""

    @property
    def page_type(self) -> str:
        """What sort of page it is, or nothing."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """What an extractor gives that says no more than the class of each block."""

    paragraphs: Sequence[Paragraph] = ()
    page_type: str = ""
    # How likely the page is of each type, if the extractor can tell.
    type_chances: Mapping[str, float] = field(default_factory=dict)
    # What a reader should know of how the text was read, in words.
    notes: tuple[str, ...] = ()

    @property
    def main(self) -> Sequence[Paragraph]:
        """The blocks of the main text."""
        return [block for block in self.paragraphs if block.is_main]


def judge(extractor: Extractor, html: str, lean: bytes = b"") -> JudgedPage:
    """Return the blocks of a page as an extractor judges them, not cleaned yet.

    Who has the page without what is not read (text/stripped_html.py) may give that, too.
    """
    own = getattr(extractor, "judge", None)
    if own is None:
        return _with_text_of_data(Blocks(extractor(html)), html)
    found: JudgedPage = own(html, lean=lean) if _takes_lean(type(extractor)) else own(html)
    return _with_text_of_data(found, html)


def _with_text_of_data(found: JudgedPage, html: str) -> JudgedPage:
    """Return a page as it was judged, or with the text of its data if its markup has little."""
    size = sum(len(block.text) for block in found.main)
    told = text_in_data(html) if size < _LITTLE else None
    if told is None or told.size < _MUCH_MORE * size:
        told = _begun_by(found, size, html)
    if told is None:
        return found
    rest = [replace(block, is_main=False, reason=_OF_MARKUP) for block in found.paragraphs]
    lines = [Paragraph(line, reason=f"main, {told.origin}") for line in told.lines]
    told_of = Blocks((*rest, *lines), found.page_type, type_chances_of(found), notes_of(found))
    return with_note(told_of, f"from {told.origin}")


def _begun_by(found: JudgedPage, size: int, html: str) -> DataText | None:
    """Return the article in a page's data of which the page shows readers the beginning alone."""
    told = whole_body(html) if size else None
    if told is None or told.size < _MORE * size:
        return None
    letters = _letters(" ".join(told.lines))
    begun = sum(len(block.text) for block in found.main if _letters(block.text) in letters)
    return told if begun >= _MOSTLY * size else None


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def type_chances_of(found: JudgedPage) -> Mapping[str, float]:
    """Return how likely a page is of each type; nothing if its extractor does not tell."""
    chances: Mapping[str, float] = getattr(found, "type_chances", {})
    return chances


def notes_of(found: JudgedPage) -> tuple[str, ...]:
    """Return what a reader should know of how a page was read, in words."""
    notes: tuple[str, ...] = getattr(found, "notes", ())
    return notes


def with_note(found: JudgedPage, note: str) -> JudgedPage:
    """Return a page as it was judged, with something more to know of how it was read."""
    notes = (*notes_of(found), note)
    return Blocks(found.paragraphs, found.page_type, type_chances_of(found), notes)


def claims_of(found: JudgedPage) -> tuple[Claim, ...]:
    """Return what the extractor says of a page: its types with their chances, and its notes."""
    types = sorted(type_chances_of(found).items(), key=lambda each: -each[1])
    return (
        *(Claim(PAGE_TYPE_CLAIM, f"{name} {chance:.2f}", "extractor") for name, chance in types),
        *(Claim("text", note, "extractor") for note in notes_of(found)),
    )


@lru_cache(maxsize=64)
def _takes_lean(kind: type) -> bool:
    own = getattr(kind, "judge", None)
    return own is not None and "lean" in signature(own).parameters


def judged(extractor: Extractor, html: str, lean: bytes = b"") -> tuple[tuple[Paragraph, ...], str]:
    """Return the blocks of a page, cleaned, and its type if the extractor can tell."""
    found = judge(extractor, html, lean)
    return cleaned(found.paragraphs), found.page_type
