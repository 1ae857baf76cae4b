import numpy as np
from numpy.typing import NDArray

def tokenise(
    text: NDArray[np.uint8],
    plain: NDArray[np.uint8],
    kinds: NDArray[np.uint8],
    folded: NDArray[np.uint32],
    expansions: NDArray[np.uint32],
    has_marks: bool,
    tokens: NDArray[np.uint64],
    block_ends: NDArray[np.int64],
    ends: NDArray[np.int64],
    word_sizes: NDArray[np.uint8],
) -> int:
    """Fill in token hashes and where blocks and documents end; return how many tokens there are.

    And about how many tokens a word has in each block.
    """

def drop_ignored(
    tokens: NDArray[np.uint64], block_ends: NDArray[np.int64], ignored: NDArray[np.uint64]
) -> int:
    """Take out the tokens whose hashes are in the sorted array `ignored`; return how many stay."""

def hash_tokens(
    tokens: NDArray[np.uint64],
    block_ends: NDArray[np.int64],
    blocks_until: NDArray[np.int64],
    sizes: NDArray[np.int64],
    ngrams: NDArray[np.uint64],
    grams: NDArray[np.uint32],
    block_keys: NDArray[np.uint64],
    document_keys: NDArray[np.uint64],
) -> int:
    """Fill in the n-gram and the short n-gram that end at each token, and each text's hash."""
