import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Positions = NDArray[np.int32]
Floats = NDArray[np.float64]

def count_values(
    words: Words, bits: int, starts: Positions, ends: Positions, counts: Numbers
) -> None: ...
def count_window(
    words: Words,
    bits: int,
    starts: Positions,
    ends: Positions,
    firsts: Positions,
    lasts: Positions,
    is_once: bool,
    counts: Positions,
) -> int: ...
def spread_values(
    words: Words,
    bits: int,
    starts: Positions,
    ends: Positions,
    parts: Positions,
    shares: Floats,
    counts: Numbers,
    current: Positions,
    ranges: Numbers,
    deviations: Floats,
) -> None: ...
def close_values(
    shares: Floats, counts: Numbers, current: Positions, ranges: Numbers, deviations: Floats
) -> None: ...
def sketch_ngrams(
    words: Words,
    bits: int,
    codes: Positions,
    is_wanted: Words,
    starts: Positions,
    ends: Positions,
    size: int,
    factor: int,
    sketch: NDArray[np.uint16],
    begin: int,
    budget: int,
) -> int: ...
def count_ngrams(
    words: Words,
    bits: int,
    codes: Positions,
    is_wanted: Words,
    starts: Positions,
    ends: Positions,
    size: int,
    factor: int,
    sketch: NDArray[np.uint16],
    least: int,
    share: tuple[int, int],
    table: Words,
    counts: NDArray[np.uint32],
    places: Numbers,
    offset: int,
    state: Numbers,
    budget: int,
) -> None: ...
def regrow(
    table: Words,
    counts: NDArray[np.uint32],
    places: Numbers,
    larger: Words,
    larger_counts: NDArray[np.uint32],
    larger_places: Numbers,
) -> None: ...
