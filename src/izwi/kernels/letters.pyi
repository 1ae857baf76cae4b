import numpy as np
from numpy.typing import NDArray

def count(
    utf8: bytes | NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    rows: NDArray[np.float32],
    kinds: NDArray[np.int64],
) -> None:
    """Fill a row of COUNTS for each stretch of a text; `kinds` is room for the classes."""

def encoded(text: str, errors: str = "strict") -> bytes:
    """Return a text in UTF-8, as its own method does, more quickly."""
