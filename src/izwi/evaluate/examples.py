"""Gold pages made ready for training: their blocks, labels, and what a mistake costs."""

import hashlib
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from izwi.evaluate.labels import UNKNOWN, GoldPage, block_labels
from izwi.kernels.columns import B_WORDS, B_WORDS_END, N_FLAGS, N_HASH, N_TAG, N_WORDS, N_WORDS_END
from izwi.text.blocks import Segmented, segment
from izwi.text.elements import FLAGS, TAGS

# Elements and flags that pages of before HTML 5 do not have.
_MODERN = ("nav", "header", "footer", "aside", "article", "main", "section", "figure", "figcaption")
_OLD_FLAGS = ~sum(FLAGS[name] for name in _MODERN if name in FLAGS)


@dataclass(frozen=True, slots=True)
class Example:
    """A page ready for training: its blocks, their labels and what a mistake in each costs."""

    page: Segmented
    labels: NDArray[np.float64]
    costs: NDArray[np.float64]
    host: str
    kind: str = ""
    is_aged: bool = False


def example(gold: GoldPage) -> Example | None:
    """Return a gold page as an example, or None if it has no text."""
    page = segment(gold.html)
    if not len(page):
        return None
    labels = block_labels(page, gold)
    return Example(page, labels, _costs(page, labels, gold), gold.host or gold.id, gold.kind)


def _costs(page: Segmented, labels: NDArray[np.float64], gold: GoldPage) -> NDArray[np.float64]:
    """Return what each block weighs: its part of the page's text, so that pages count alike."""
    if not gold.text:
        return np.where(labels == UNKNOWN, 0.0, 0.06)
    return shares(page.sizes, len(gold.text))


def shares(sizes: NDArray[np.int64], wanted: float) -> NDArray[np.float64]:
    """Return what blocks of these sizes weigh on a page with so much main text."""
    share = np.minimum(sizes, 2500) / max(wanted, 150, sizes.sum() * 0.1)
    costs: NDArray[np.float64] = share / max(1.0, share.sum() / 3) + 0.002
    return costs


def aged(given: Example) -> Example:
    """Return an example as an old page would show it: no names, no modern elements."""
    nodes = given.page.elements.copy()
    nodes[:, N_WORDS_END] = nodes[:, N_WORDS]
    nodes[:, N_FLAGS] &= _OLD_FLAGS
    nodes[np.isin(nodes[:, N_TAG], [TAGS[name] for name in _MODERN]), N_TAG] = TAGS["div"]
    nodes[:, N_HASH] = nodes[:, N_TAG]
    page = replace(given.page, elements=nodes, sorts=0)
    return replace(given, page=page, costs=given.costs / 2, is_aged=True)


def foreign(given: Example) -> Example:
    """Return an example as in a script without capitals, and without a word that is known."""
    table, utf8 = given.page.table.copy(), given.page.utf8
    table[:, B_WORDS_END] = table[:, B_WORDS]
    is_capital = (utf8 >= ord("A")) & (utf8 <= ord("Z"))
    page = replace(given.page, table=table, utf8=np.where(is_capital, utf8 + 32, utf8))
    return replace(given, page=page, costs=given.costs / 2)


def part_of(host: str, parts: int) -> int:
    """Return the part a host's pages belong to; always the same for the same name."""
    return int(hashlib.md5(host.encode(), usedforsecurity=False).hexdigest(), 16) % parts
