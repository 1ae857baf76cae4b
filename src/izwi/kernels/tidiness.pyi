import numpy as np
from numpy.typing import NDArray

def suspects(data: bytes, table: NDArray[np.uint8]) -> int:
    """Return the bits of all characters of a text together."""

def letters(data: bytes) -> tuple[int, int]:
    """Return how many letters of ASCII stand outside tags, and bytes that are others in Latin-1."""
