"""Teasers of other pages that were taken for text: below a text, each below a linked title.

Inside the element of a text some systems show what else there is to read: titles that are links,
each with the beginning of its page. A page would own what others begin with.
"""

from collections import Counter
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import B_KIND, B_LINKED
from izwi.model.document import PAGE_TYPES
from izwi.text.blocks import Segmented
from izwi.text.elements import KINDS
from izwi.text.extract.cuts import Marks
from izwi.text.features import Rows

# A title is linked nearly whole and has so many characters; a teaser is hardly linked.
_NEARLY, _TITLE_SIZES, _HARDLY = 0.7, (4, 200), 0.3
# So many teasers at least and at most; a page that shows more is made of them.
_SEVERAL, _MOST = 2, 8
# The text above them has so many characters, and so many for each of theirs.
_LEAST_OWN, _LEAST_SHARE = 120, 0.3
# Manuals, services and lists are made of what they lead to.
_OWN_SORTS = frozenset(PAGE_TYPES.index(name) for name in ("article", "product", "forum"))
# What is surer than this is part of the text.
_SURE = 0.9
# A line that is a day or a label may stand between a title and its teaser.
_LABEL = 40
_HEADING = KINDS.index("h")


def without_teasers(
    page: Segmented, chances: NDArray[np.float32], marks: Marks, types: Rows
) -> Marks:
    """Return marks without the teasers of other pages of the site that stand below a text."""
    linked, sizes = page.table[:, B_LINKED], page.sizes
    are_titles = (linked > _NEARLY * sizes) & (sizes >= _TITLE_SIZES[0])
    are_titles &= sizes <= _TITLE_SIZES[1]
    if np.count_nonzero(are_titles) < _SEVERAL or not _tells_itself(types):
        return marks
    said = marks & (linked <= _HARDLY * sizes) & (sizes > _LABEL)
    titles = _titles_above(said, are_titles, (sizes <= _LABEL) & ~are_titles)
    if np.count_nonzero(titles >= 0) < _SEVERAL:
        return marks
    teasers = _of_one_sort(page, said, titles)
    if not _SEVERAL <= len(teasers) <= _MOST or not _leads_on(page, titles[teasers]):
        return marks
    if chances[teasers].min() >= _SURE:
        return marks
    first = int(titles[teasers].min())
    own = int(sizes[:first][said[:first]].sum())
    if own < max(_LEAST_OWN, _LEAST_SHARE * int(sizes[teasers].sum())):
        return marks
    rest = marks.copy()
    rest[teasers] = rest[titles[teasers]] = False
    if first and page.table[first - 1, B_KIND] == _HEADING:
        rest[first - 1] = False
    return rest


def _tells_itself(types: Rows) -> bool:
    return bool(len(types)) and int(types.argmax()) in _OWN_SORTS


def _titles_above(
    said: Marks, are_titles: NDArray[np.bool_], are_labels: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return for each block that is said the title right above it, or one label higher; else -1."""
    places, found = np.flatnonzero(said), np.full(len(said), -1)
    right = (places >= 1) & are_titles[places - 1]
    higher = (places >= 2) & ~right & are_labels[places - 1]
    higher &= are_titles[np.maximum(places - 2, 0)]
    found[places[right]] = places[right] - 1
    found[places[higher]] = places[higher] - 2
    return found


def _of_one_sort(page: Segmented, said: Marks, titles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the blocks that stand below a title, as do all in their place of the template."""
    places = page.alike
    below = np.bincount(places[titles >= 0], minlength=int(places.max()) + 1)
    every = np.bincount(places[said], minlength=len(below))
    are_teasers = (below >= _SEVERAL) & (below == every)
    return np.flatnonzero(said & are_teasers[places])


def _leads_on(page: Segmented, titles: NDArray[np.int64]) -> bool:
    """Whether titles lead to as many other pages of the site."""
    wanted = np.ones(len(page), np.bool_)
    targets = {place: marks[0].target for place, marks in page.marks(wanted).items()}
    hosts = Counter(_host(target) for target in targets.values())
    own = {"", hosts.most_common(1)[0][0]}
    pages = {targets.get(int(place), "").partition("#")[0] for place in titles}
    return len(pages - {""}) == len(titles) and all(_host(each) in own for each in pages)


def _host(target: str) -> str:
    try:
        return urlsplit(target).netloc
    except ValueError:
        return target
