import numpy as np
from numpy.typing import NDArray

def sums(
    rows: NDArray[np.float32],
    nodes: NDArray[np.int32],
    limits: NDArray[np.float32],
    values: NDArray[np.float32],
    roots: NDArray[np.int32],
    out: NDArray[np.float64],
    unsure: NDArray[np.int64],
) -> None:
    """Add to `out` the leaves that each row comes to; rows that are sure are left early."""
