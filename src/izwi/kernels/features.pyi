import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Rows = NDArray[np.float32]

def comments_heading(table: Numbers, words: Hashes, heads: Hashes) -> int: ...
def structure(rows: Rows, table: Numbers, nodes: Numbers) -> None: ...
def wording(
    rows: Rows,
    table: Numbers,
    words: Hashes,
    title: Hashes,
    hashes: Hashes,
    values: Rows,
    heads: Hashes,
) -> None: ...
def hints(out: Rows, nodes: Numbers, names: Hashes, hashes: Hashes, values: Rows) -> None: ...
def branches_from(
    best: int, parents: Numbers, is_round: NDArray[np.uint8], branches: Numbers, depths: Numbers
) -> None: ...
def span_of(
    best: int, places: Numbers, parents: Numbers, is_inside: NDArray[np.uint8]
) -> tuple[int, int]: ...

class Page:
    def __init__(
        self,
        own: Rows,
        places: Numbers,
        parents: Numbers,
        tags: Numbers,
        hints: Rows,
        twins: Rows,
        sums: Rows,
    ) -> None: ...
    def fill_hints(self) -> None: ...
    def add_up(self, here: Rows) -> None: ...
    def totals(self) -> tuple[float, float, float, int]: ...
    def fill(
        self,
        rows: Rows,
        near: int,
        best: int,
        branches: Numbers,
        depths: Numbers,
        first: int,
        last: int,
    ) -> None: ...
