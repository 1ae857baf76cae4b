import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Rows = NDArray[np.float32]

class Surroundings:
    def __init__(
        self,
        chars: Rows,
        chances: Rows,
        places: Numbers,
        parents: Numbers,
        alike: Numbers,
        sums: Rows,
        groups: Rows,
    ) -> None: ...
    def add_up(self) -> None: ...
    def weigh(self, here: NDArray[np.float64]) -> None: ...
    def fill(self, out: Rows, best: int, branches: Numbers, depths: Numbers) -> None: ...
