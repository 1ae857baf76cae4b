import numpy as np
from numpy.typing import NDArray

def arrange(
    keys: NDArray[np.uint64],
    ends: NDArray[np.int64],
    numbers: NDArray[np.uint32],
    starts: NDArray[np.int64],
    places: NDArray[np.uint32],
    arranged: NDArray[np.uint64],
    claimants: NDArray[np.uint32],
) -> int:
    """Put the keys of documents in order of their first bits, and say where each came from."""

def claim(
    keys: NDArray[np.uint64],
    found: NDArray[np.uint32],
    claimants: NDArray[np.uint32],
    places: NDArray[np.uint32],
    owners: NDArray[np.uint32],
    table: NDArray[np.uint64],
    holders: NDArray[np.uint32],
    shift: int,
) -> int:
    """Give each key nobody owns to its holder in the table, or to its claimant if it is new."""

def number_names(
    keys: NDArray[np.uint64],
    owners: NDArray[np.uint32],
    following: int,
    table: NDArray[np.uint64],
    holders: NDArray[np.uint32],
    shift: int,
) -> int:
    """Fill in the numbers of named documents: those the table has, and the next for new ones."""

def sorted_entries(
    table: NDArray[np.uint64],
    holders: NDArray[np.uint32],
    keys: NDArray[np.uint64],
    owners: NDArray[np.uint32],
) -> int:
    """Fill in the entries of a table in order of their keys; return how many there are."""
