"""Concordance lines as a page shows them."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from string import ascii_lowercase
from typing import Literal

from markupsafe import Markup

from izwi.model.languages import iso639_3
from izwi.model.results import Concordance, DocumentCard, KwicLine
from izwi.web.messages import gettext as _
from izwi.web.pages.citing import date_shown, line_citation

Direction = Literal["ltr", "rtl"]
_RIGHT_TO_LEFT = ("R", "AL")
_WORD = re.compile(r"\w")
# A pale sign where one paragraph ends and the next begins.
_BREAK = Markup('<span class="break" aria-hidden="true">¶ </span>')
_LANG = Markup(' lang="{}"')
# What a line cut out of its sentence may begin with by chance: the end of a word, a comma, a stop.
_LEFT_OVER = re.compile(r"^(?:[-’']\w[\w-]*|[.,;:!?…)\]”’»–—%-])+\s+")


@dataclass(frozen=True, slots=True)
class Row:
    """A line with what is shown about its document."""

    line: KwicLine
    language: str
    when: str
    evidence: str
    citation: str

    @property
    def left(self) -> Markup:
        """What stands before the match, with a sign between paragraphs."""
        first, *others = _cut(self.line.left, self.line.breaks)
        if others and not _WORD.search(first):
            return _BREAK.join(others)
        return _BREAK.join((without_left_over(first), *others))

    @property
    def right(self) -> Markup:
        """What follows the match, with a sign between paragraphs."""
        begin = len(self.line.left) + len(self.line.match)
        places = tuple(place - begin for place in self.line.breaks)
        return _BREAK.join(_cut(self.line.right, places))

    @property
    def lang(self) -> Markup:
        """The attribute that says the language, if it is known."""
        return _LANG.format(self.language) if self.language else Markup()

    @property
    def document(self) -> DocumentCard:
        """The line's document."""
        return self.line.document


def rows_of(found: Concordance, corpus: str) -> tuple[Row, ...]:
    """Return the rows of a page."""
    return tuple(row_of(line, corpus, found.snapshot) for line in found)


def row_of(line: KwicLine, corpus: str, version: int) -> Row:
    """Return a line with what is shown about its document."""
    return Row(
        line,
        language_tag(line.document.language),
        date_shown(line.document) or _("undated"),
        _evidence(line.document),
        line_citation(line, corpus, version),
    )


def _cut(text: str, places: Sequence[int]) -> tuple[str, ...]:
    """Return a text cut at some places; the others are not in it.

    >>> _cut("one two three", (4, 20, -2))
    ('one ', 'two three')
    """
    inside = [place for place in places if 0 < place <= len(text)]
    return tuple(text[a:b] for a, b in zip([0, *inside], [*inside, len(text)], strict=True))


def without_left_over(text: str) -> str:
    """Return the left side without what belongs to the words that were cut off.

    >>> without_left_over(", he said. "), without_left_over("-year-old man ")
    ('he said. ', 'man ')
    """
    # Directly before the match even a mark tells something.
    return _LEFT_OVER.sub("", text) or text


@cache
def language_tag(code: str) -> str:
    """Return an ISO 639-3 code as HTML wants it: two letters where there are two; empty if unknown.

    >>> language_tag("eng"), language_tag("nso"), language_tag("und")
    ('en', 'nso', '')
    """
    pairs = ("".join(letters) for letters in product(ascii_lowercase, repeat=2))
    return "" if code == "und" else next((two for two in pairs if iso639_3(two) == code), code)


def direction(lines: Sequence[KwicLine]) -> Direction:
    """Return in which direction most matches are written; the table's columns follow it."""
    leftward = sum(_is_right_to_left(line.match) for line in lines)
    return "rtl" if 2 * leftward > len(lines) else "ltr"


def _is_right_to_left(text: str) -> bool:
    """Return whether the first letter that has a direction is of a right-to-left script."""
    kinds = (unicodedata.bidirectional(character) for character in text)
    return next((kind for kind in kinds if kind in ("L", *_RIGHT_TO_LEFT)), "L") != "L"


def _evidence(card: DocumentCard) -> str:
    if card.date is None:
        return _("no evidence of a date was found")
    exact = {"year": _("exact to the year"), "month": _("exact to the month")}
    words = exact.get(card.date_precision, _("exact to the day"))
    if not card.date_evidence:
        return words
    return _("%(words)s, from %(evidence)s") % {"words": words, "evidence": card.date_evidence}
