from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def suspects(data: bytes, table: NDArray[np.uint8]) -> int:
    """Return the bits of all characters of a text together."""

def letters(data: bytes) -> tuple[int, int]:
    """Return how many letters of ASCII stand outside tags, and bytes that are others in Latin-1."""

class Words:
    """Words of four bytes or more that are looked for together."""

    def __init__(self, words: Sequence[bytes]) -> None:
        """Take the words."""

    def inside(self, data: bytes) -> bytearray:
        """Return for each word whether it stands in some bytes: 1 or 0."""
