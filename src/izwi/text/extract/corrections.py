"""What a chosen cut still gets wrong, and no doubt is left about: put right block by block."""

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import B_END, B_KIND, B_NODE, B_START, N_DEPTH, N_PARENT
from izwi.text.blocks import Segmented
from izwi.text.elements import FLAGS, KINDS
from izwi.text.extract.cuts import Marks
from izwi.text.extract.data_tables import with_data_tables
from izwi.text.extract.footnotes import with_footnotes
from izwi.text.extract.teasers import without_teasers
from izwi.text.features import LIKELY, Rows, is_surely

# Blocks that ask to accept cookies: of those less sure than this none is in a gold text.
_COOKIE, _SURE_OF_COOKIES = "ookie", 0.7
_INSIDE = FLAGS["article"] | FLAGS["main"]
# An invitation is unsure text in an element of so few characters with a form to fill in, so many
# blocks away at most; more than so much of a text is no invitation.
_SURE_OF_FORMS, _SMALL, _NEAR_FORM, _MOST_INVITING = 0.6, 300, 4, 0.2
# A page with more unsure blocks beside forms is made of them; each costs a look at all elements.
_MOST_BESIDE = 200
_FORM = FLAGS["form"]
# Code is part of the text if it stands so few blocks from text on either side.
_CODE = np.array([KINDS.index("pre"), KINDS.index("code")])
_NEAR_CODE = 6
_ASIDE = FLAGS["hidden"] | FLAGS["comments"]
# A manual has so many characters at least; what is less likely than this is its menus.
_LONG_MANUAL, _IN_MANUAL = 5000, 0.2


def corrected(page: Segmented, chances: NDArray[np.float32], marks: Marks, types: Rows) -> Marks:
    """Return marks without notices and invitations, with what texts say in tables, code, notes."""
    marks = without_notices(page, chances, marks)
    marks = without_teasers(page, chances, marks, types)
    marks = without_invitations(page, chances, marks)
    marks = with_code(page, with_tables(page, chances, marks, types))
    return with_data_tables(page, chances, with_footnotes(page, chances, marks, types))


def with_tables(page: Segmented, chances: NDArray[np.float32], marks: Marks, types: Rows) -> Marks:
    """Return marks with the unsure blocks of a long manual: its tables, options, commands.

    Half of a manual looks like no text elsewhere; what is not its text is its menus, which do not
    come near these chances.
    """
    if not is_surely(types, "documentation", LIKELY):
        return marks
    if np.add.reduce(page.sizes[marks]) < _LONG_MANUAL:
        return marks
    found: Marks = marks | ((chances >= _IN_MANUAL) & ((page.flags & _ASIDE) == 0))
    return found


def without_notices(page: Segmented, chances: NDArray[np.float32], marks: Marks) -> Marks:
    """Return marks without unsure blocks that speak of cookies in no article or main element.

    Most languages have the word; recipes and manuals have it inside their text, and are surer.
    """
    unsure = np.flatnonzero(marks & (chances < _SURE_OF_COOKIES))
    places = unsure[(page.flags[unsure] & _INSIDE) == 0]
    if not len(places) or _COOKIE not in page.text:
        return marks
    bounds = page.table[places][:, [B_START, B_END]].tolist()
    asking = places[[_COOKIE in page.text[start:end] for start, end in bounds]]
    # A page that speaks of little else is about them.
    return _without(page, marks, asking, 0.5)


def without_invitations(page: Segmented, chances: NDArray[np.float32], marks: Marks) -> Marks:
    """Return marks without unsure blocks beside a form in one small element: newsletters, offers.

    What they say differs from site to site; that there is something to fill in does not.
    """
    unsure = np.flatnonzero(marks & (chances < _SURE_OF_FORMS))
    unsure = unsure[(page.flags[unsure] & _FORM) == 0]
    forms = np.flatnonzero(page.flags & _FORM) if len(unsure) else unsure
    if not len(forms):
        return marks
    after = forms.searchsorted(unsure)
    beside = [
        (block, form)
        for near in (np.minimum(after, len(forms) - 1), np.maximum(after - 1, 0))
        for block, form in zip(unsure.tolist(), forms[near].tolist(), strict=True)
        if abs(block - form) <= _NEAR_FORM
    ]
    if len(beside) > _MOST_BESIDE:
        return marks
    inviting = [block for block, form in beside if _chars_round(page, block, form) <= _SMALL]
    return _without(page, marks, np.unique(np.array(inviting, dtype=np.int64)), _MOST_INVITING)


def _chars_round(page: Segmented, block: int, form: int) -> int:
    """Return how much text is in the smallest element that holds both blocks."""
    parents, nodes = page.elements[:, N_PARENT], page.table[:, B_NODE]
    above, node = set(), int(nodes[block])
    while node >= 0:
        above.add(node)
        node = int(parents[node])
    node = int(nodes[form])
    while node >= 0 and node not in above:
        node = int(parents[node])
    if node < 0:
        return len(page.text)
    # Elements stand in the order in which they begin: the next one that is no deeper is outside.
    outside = np.flatnonzero(page.elements[node + 1 :, N_DEPTH] <= page.elements[node, N_DEPTH])
    end = node + 1 + int(outside[0]) if len(outside) else len(parents)
    return int(page.sizes[(nodes >= node) & (nodes < end)].sum())


def with_code(page: Segmented, marks: Marks) -> Marks:
    """Return marks with the code that stands between blocks of the text.

    Manuals part their sentences by it; what is code looks like no text, however sure its place.
    """
    kinds = page.table[:, B_KIND]
    is_code = ((kinds == _CODE[0]) | (kinds == _CODE[1])) & ~marks
    places = np.flatnonzero(is_code & ((page.flags & _ASIDE) == 0)) if is_code.any() else _NONE
    text = np.flatnonzero(marks) if len(places) else _NONE
    if not len(text):
        return marks
    after = text.searchsorted(places)
    before, after = text[np.maximum(after - 1, 0)], text[np.minimum(after, len(text) - 1)]
    is_between = (before < places) & (places < after)
    is_near = (places - before <= _NEAR_CODE) & (after - places <= _NEAR_CODE)
    found = marks.copy()
    found[places[is_between & is_near]] = True
    return found


_NONE = np.zeros(0, dtype=np.int64)


def _without(page: Segmented, marks: Marks, places: NDArray[np.int64], most: float) -> Marks:
    """Return marks without some blocks, unless they are more of the text than the share given."""
    if not len(places) or page.sizes[places].sum() > most * page.sizes[marks].sum():
        return marks
    rest = marks.copy()
    rest[places] = False
    return rest
