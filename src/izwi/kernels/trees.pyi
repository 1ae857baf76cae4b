import numpy as np
from numpy.typing import NDArray

def sums(
    rows: NDArray[np.float32],
    columns: NDArray[np.int32],
    limits: NDArray[np.float32],
    struck: NDArray[np.uint32],
    trees: NDArray[np.int32],
    ends: NDArray[np.int32],
    values: NDArray[np.float32],
    bits: bytes,
    out: NDArray[np.float64],
    seen: NDArray[np.float32],
    left: NDArray[np.uint32],
    sure: NDArray[np.uint8],
) -> None:
    """Add to `out` the leaves that each row comes to; rows that are sure are left early."""
