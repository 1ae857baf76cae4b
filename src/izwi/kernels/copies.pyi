import numpy as np
from numpy.typing import NDArray

def cover(
    owners: NDArray[np.uint32],
    document_ends: NDArray[np.int64],
    block_ends: NDArray[np.int64],
    blocks_until: NDArray[np.int64],
    numbers: NDArray[np.uint32],
    n: int,
    found: NDArray[np.uint32],
    covered: NDArray[np.int64],
    block_owner: NDArray[np.uint32],
    hits: NDArray[np.int64],
    own_runs: NDArray[np.int64],
) -> int:
    """Fill in, per block, how many tokens earlier documents' n-grams cover, and whose most are.

    And how many tokens in a row, at most, they leave.
    """

def shares_within(
    grams: NDArray[np.uint32],
    block_ends: NDArray[np.int64],
    others: NDArray[np.uint32],
    size: int,
    table: NDArray[np.uint32],
    shares: NDArray[np.float64],
    own_runs: NDArray[np.int64],
) -> int:
    """Fill in for each block of a document the share of its short n-grams that `others` has.

    And how many tokens in a row, at most, are in none of those.
    """

def repeated_blocks(
    ngrams: NDArray[np.uint64],
    block_ends: NDArray[np.int64],
    blocks_until: NDArray[np.int64],
    methods: NDArray[np.uint8],
    n: int,
    table: NDArray[np.uint64],
    stamps: NDArray[np.int64],
    repeated: NDArray[np.uint8],
) -> int:
    """Mark the blocks whose n-grams all stand in other blocks of the same document, which stay.

    Of blocks that say the same the first stays.
    """

def suspects(
    owners: NDArray[np.uint32],
    document_ends: NDArray[np.int64],
    block_ends: NDArray[np.int64],
    blocks_until: NDArray[np.int64],
    numbers: NDArray[np.uint32],
    methods: NDArray[np.uint8],
    found: NDArray[np.uint32],
    suspected: NDArray[np.uint32],
    shared: NDArray[np.int64],
) -> int:
    """Fill in, for documents with blocks left, who owns most of their n-grams, and how many."""

def mark_stubs(
    methods: NDArray[np.uint8],
    owners: NDArray[np.uint32],
    sizes: NDArray[np.int64],
    blocks_until: NDArray[np.int64],
    stub: int,
    method: int,
) -> int:
    """Remove short rests next to removed blocks that are larger than they are."""
