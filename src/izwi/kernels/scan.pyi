from typing import Any

import numpy as np
from numpy.typing import NDArray

def scan(
    data: bytes | NDArray[np.uint8],
    tables: tuple[NDArray[Any], ...],
    known: tuple[NDArray[Any], ...],
) -> tuple[int, int, int, int, int, int]:
    """Fill the tables from markup; return how many rows of each and bytes of text there are."""

def hash_words(
    text: bytes | NDArray[np.uint8],
    words: NDArray[np.uint64],
    classes: NDArray[np.uint8],
    lower: NDArray[np.uint16],
) -> int:
    """Write the hashes of a text's words of letters, in lower case; return how many there are."""
