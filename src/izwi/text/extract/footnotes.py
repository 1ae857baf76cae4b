"""Notes below a text: what its small signs lead to.

Notes look like references or a list of links, and stand apart, so some pages lose them and others
lose half. A sign in the text that leads down the page tells what they are, however they look.
"""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import (
    B_KIND,
    B_NODE,
    N_ATTRIBUTES_END,
    N_NAME,
    N_PARENT,
    N_TAG,
    S_BLOCK,
    S_END,
    S_IS_LINK,
    S_START,
)
from izwi.model.document import PAGE_TYPES
from izwi.text.blocks import Segmented
from izwi.text.elements import FLAGS, KINDS, TAGS
from izwi.text.extract.cuts import Marks
from izwi.text.features import Rows

# The number of a note, a letter or a sign.
_SIGN = re.compile(r"[\[(]?\s*(?:\d{1,3}|[a-z]|[ivxlc]{1,6}|[*†‡§¶]{1,3})\s*[\])]?")
_LONGEST_SIGN = 6
_NAMED = re.compile(rb' id="([^"]{1,300})"')
# Less likely text are lists of the books that a text names.
_LEAST = 0.3
# The element that a sign leads to holds the note so many levels above it at most.
_LEVELS = 2
_ASIDE = FLAGS["hidden"] | FLAGS["comments"]
_HEADING, _LISTING = KINDS.index("h"), PAGE_TYPES.index("listing")


def with_footnotes(
    page: Segmented, chances: NDArray[np.float32], marks: Marks, types: Rows
) -> Marks:
    """Return marks with the notes that the text refers to; they are no longer than it is."""
    if len(types) and int(types.argmax()) == _LISTING:
        return marks
    targets = _targets(page, marks)
    # Hardly a page has any; to look for them would take a twentieth of its time.
    noted = set(_elements(page, targets)) if targets else set()
    if not noted:
        return marks
    noted |= _of_their_lists(page, noted)
    may_be = ~marks & (chances >= _LEAST) & ((page.flags & _ASIDE) == 0)
    may_be &= page.table[:, B_KIND] != _HEADING
    may_be[: int(marks.argmax())] = False
    found = [
        block
        for block in np.flatnonzero(may_be).tolist()
        if not noted.isdisjoint(_round(page, block))
    ]
    if not found or page.sizes[found].sum() > page.sizes[marks].sum():
        return marks
    rest = marks.copy()
    rest[found] = True
    return rest


def _targets(page: Segmented, marks: Marks) -> set[str]:
    """Return the names of the places of a page to which signs in its text lead."""
    spans = page.spans
    if not len(spans):
        return set()
    short = spans[:, S_END] - spans[:, S_START] <= _LONGEST_SIGN
    signed = spans[(spans[:, S_IS_LINK] == 1) & short, S_BLOCK]
    # To look in their markup for links down the page would take ten times as long.
    if not marks[signed].any():
        return set()
    with_signs = np.zeros_like(marks)
    with_signs[signed] = True
    texts = page.texts
    return {
        mark.target[1:]
        for block, some in page.marks(marks & with_signs).items()
        for mark in some
        if mark.target[:1] == "#" and _SIGN.fullmatch(texts[block][mark.start : mark.end].strip())
    }


def _elements(page: Segmented, names: set[str]) -> Iterator[int]:
    """Yield the elements that have one of some names."""
    begins = page.elements[:, N_NAME]
    wanted = {name.encode("utf-8", "surrogatepass") for name in names}
    # One look at the page for all: it may have as many names as signs.
    for match in _NAMED.finditer(page.markup):
        if match[1] not in wanted:
            continue
        element = int(begins.searchsorted(match.start())) - 1
        if element >= 0 and match.start() < page.elements[element, N_ATTRIBUTES_END]:
            wanted.discard(match[1])
            yield element


def _of_their_lists(page: Segmented, noted: set[int]) -> set[int]:
    """Return the items of the lists in which notes are: some are meant without a sign."""
    tags, parents = page.elements[:, N_TAG], page.elements[:, N_PARENT]
    lists = [int(parents[each]) for each in noted if tags[each] == TAGS["li"]]
    return set(np.flatnonzero(np.isin(parents, lists) & (tags == TAGS["li"])).tolist())


def _round(page: Segmented, block: int) -> Iterator[int]:
    """Yield the element of a block and those nearest round it."""
    element = int(page.table[block, B_NODE])
    for _ in range(_LEVELS + 1):
        if element < 0:
            return
        yield element
        element = int(page.elements[element, N_PARENT])
