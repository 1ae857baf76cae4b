import numpy as np
from numpy.typing import NDArray

def fill_fingerprints(
    hashes: NDArray[np.uint64],
    first: int,
    shift: int,
    base: int,
    prints: NDArray[np.uint16],
    directory: NDArray[np.uint32],
    entry: int,
) -> int:
    """Fill in the fingerprints of sorted hashes; return the next entry of the directory."""

def merge(
    keys: NDArray[np.uint64],
    owners: NDArray[np.uint32],
    more_keys: NDArray[np.uint64],
    more_owners: NDArray[np.uint32],
    out: NDArray[np.uint64],
    out_owners: NDArray[np.uint32],
) -> int:
    """Merge two sorted runs into `out` and `out_owners`; return how many there are."""

def probe(
    keys: NDArray[np.uint64],
    owners: NDArray[np.uint32],
    nobody: int,
    prints: NDArray[np.uint16],
    directory: NDArray[np.uint32],
    shift: int,
    base: int,
    which: NDArray[np.int64],
    places: NDArray[np.int64],
) -> int:
    """Fill in which keys may be in the run, and where; -1 if there is not room for them."""
