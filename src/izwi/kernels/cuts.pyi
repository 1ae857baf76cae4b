from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Sums = NDArray[np.float64]
Rows = NDArray[np.float32]

class Cutter:
    def __init__(
        self,
        rows: Rows,
        table: Numbers,
        chances: Rows,
        is_list: bool,
        copied: Numbers,
        marks: NDArray[np.uint8],
        ways: Sums,
    ) -> None: ...
    def settle(self) -> int: ...
    def take_steps(self, cutoff: float, steps: Sequence[float], odds: Sums) -> None: ...
    def narrow(self, runs: Numbers, weights: Sums, extra: int, section: int) -> int: ...
    def fill(
        self,
        out: Rows,
        weights: Sums,
        sums: Sums,
        alike: Numbers,
        places: Sums,
        cutoff: float,
        extra: int,
        section: int,
    ) -> None: ...

def find_copies(
    table: Numbers, elements: Numbers, said: Numbers, first: Numbers, copied: Numbers, hidden: int
) -> None: ...
