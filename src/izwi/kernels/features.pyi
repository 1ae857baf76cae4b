import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Rows = NDArray[np.float32]

def comments_heading(table: Numbers, words: Hashes, heads: Hashes) -> int: ...
def beginning_with(table: Numbers, words: Hashes, firsts: Hashes, longest: int) -> list[int]: ...
def numbered(keys: Hashes, odd: int, slots: Numbers, out: Numbers) -> None: ...
def template_keys(table: Numbers, nodes: Numbers, keys: Hashes) -> None: ...
def sibling_keys(nodes: Numbers, keys: Hashes) -> None: ...
def times(numbers: Numbers, counts: Rows, out: Rows) -> None: ...
def counted(rows: Rows, table: Numbers, counts: Rows) -> None: ...
def repeats(rows: Rows, texts: Numbers, places: Numbers, sums: NDArray[np.float64]) -> None: ...
def means(
    rows: Rows,
    chances: Rows,
    columns: Numbers,
    sums: NDArray[np.float64],
    kinds: NDArray[np.float64],
) -> tuple[float, float, float]: ...
def structure(rows: Rows, table: Numbers, nodes: Numbers) -> None: ...
def wording(
    rows: Rows,
    table: Numbers,
    words: Hashes,
    title: Hashes,
    hashes: Hashes,
    values: Rows,
    starts: NDArray[np.int32],
    heads: Hashes,
) -> None: ...
def hints(
    out: Rows,
    nodes: Numbers,
    names: Hashes,
    hashes: Hashes,
    values: Rows,
    starts: NDArray[np.int32],
) -> None: ...
def lean(
    out: NDArray[np.float32],
    ranges: Numbers,
    begin: int,
    end: int,
    words: Hashes,
    hashes: Hashes,
    values: Rows,
    starts: NDArray[np.int32],
    seen: NDArray[np.uint8],
) -> None: ...
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
    def fill_page(
        self, rows: Rows, flags: Numbers, flag_columns: int, sorts: int, sort_columns: int
    ) -> int: ...
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

def likely_blocks(
    chances: NDArray[np.float32], table: NDArray[np.int64], seen: bytearray
) -> tuple[int, int, int]:
    """Return how many blocks are likely, into how many runs they fall, and in how many elements."""
