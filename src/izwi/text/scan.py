"""The tables that the compiled pass over a page's markup fills, and those that it looks up."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import (
    BLOCK_COLUMNS,
    DEEPEST,
    MOST_BLOCKS,
    MOST_NODES,
    MOST_SPANS,
    NODE_COLUMNS,
    OPEN_COLUMNS,
    SLOTS,
    SPAN_COLUMNS,
)

# Which bits of a hash say where an element is looked for, as the pass does.
_SHIFT = 20


class Tables(NamedTuple):
    """What the pass fills: rows of blocks, elements and spans, the text, and hashed words."""

    blocks: NDArray[np.int64]
    nodes: NDArray[np.int64]
    spans: NDArray[np.int64]
    text: NDArray[np.uint8]
    names: NDArray[np.uint64]
    words: NDArray[np.uint64]
    open_nodes: NDArray[np.int64]
    open_spans: NDArray[np.int64]


class Known(NamedTuple):
    """What the pass looks up: classes and lower case of characters, elements, special names."""

    classes: NDArray[np.uint8]
    lower: NDArray[np.uint16]
    hashes: NDArray[np.uint64]
    roles: NDArray[np.int64]
    kinds: NDArray[np.int64]
    flags: NDArray[np.int64]
    tags: NDArray[np.int64]
    # Bits of hidden, comments and blockquote; kind numbers of p, pre and code.
    marks: NDArray[np.int64]
    # Where an element with a hash stands in the tables above: open addressing, -1 is free.
    slots: NDArray[np.int64]


def slots_of(hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the table by which hashes are found: the place of each in a slot of its own."""
    slots = np.full(SLOTS, -1, dtype=np.int64)
    for place, value in enumerate(hashes.tolist()):
        at = (value >> _SHIFT) % SLOTS
        while slots[at] >= 0:
            at = (at + 1) % SLOTS
        slots[at] = place
    return slots


def tables_for(data: NDArray[np.uint8], tags: int) -> Tables:
    """Return empty tables large enough for markup with so many tags."""
    tags += 2
    half = len(data) // 2 + 64
    return Tables(
        np.zeros((min(tags, MOST_BLOCKS + 2), BLOCK_COLUMNS), dtype=np.int64),
        np.zeros((min(tags, MOST_NODES + 2), NODE_COLUMNS), dtype=np.int64),
        np.zeros((min(2 * tags, MOST_SPANS + 2), SPAN_COLUMNS), dtype=np.int64),
        # Every tag may bring a space with it.
        np.empty(len(data) + tags, dtype=np.uint8),
        np.empty(half, dtype=np.uint64),
        np.empty(half, dtype=np.uint64),
        np.full(DEEPEST + 2, -1, dtype=np.int64),
        np.zeros((DEEPEST + 2, OPEN_COLUMNS), dtype=np.int64),
    )
