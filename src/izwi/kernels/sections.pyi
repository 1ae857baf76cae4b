import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Sums = NDArray[np.float64]
Rows = NDArray[np.float32]

def articles(table: Numbers, nodes: Numbers, nearest: Numbers, own: Numbers) -> bool: ...

class Sections:
    def __init__(
        self,
        rows: Rows,
        column: int,
        own: Rows,
        table: Numbers,
        alike: Numbers,
        read: Sums,
        linked: Sums,
        run: Numbers,
        sizes: Sums,
        dates: Numbers,
        blocks: Numbers,
        prose: Sums,
    ) -> None: ...
    def add_up(self, utf8: NDArray[np.uint8]) -> int: ...
    def fill(self, ranks: Numbers) -> None: ...
    def fill_articles(
        self, articles: Numbers, numbers: Numbers, shares: Sums, ranks: Numbers
    ) -> None: ...
