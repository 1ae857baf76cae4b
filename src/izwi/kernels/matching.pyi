from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Positions = NDArray[np.int32]

class Matcher:
    def __init__(
        self,
        columns: tuple[Words, ...],
        widths: Numbers,
        automaton: tuple[NDArray[Any], ...],
        is_shortest: bool,
    ) -> None: ...
    def wide(
        self,
        starts: Positions,
        begin: int,
        upper: Positions,
        lower: Positions,
        budget: int,
        found_starts: Positions,
        found_ends: Positions,
    ) -> tuple[int, int]: ...
    def narrow(
        self,
        starts: Positions,
        begin: int,
        upper: Positions,
        lower: Positions,
        budget: int,
        found_starts: Positions,
        found_ends: Positions,
        is_known: bool,
    ) -> tuple[int, int]: ...
    def labelled(
        self,
        starts: Positions,
        begin: int,
        upper: Positions,
        lower: Positions,
        budget: int,
        found_starts: Positions,
        found_ends: Positions,
        label_of: Numbers,
        rows: Numbers,
        tables: Numbers,
        found_labels: Numbers = ...,
    ) -> tuple[int, int, bool]: ...

def bounds_at(
    starts: Positions,
    edges: Positions,
    guide: Positions,
    values: Positions,
    default: int,
    is_right: bool,
) -> Positions: ...
def tally(starts: Positions, edges: Positions, guide: Positions) -> tuple[Numbers, Numbers]: ...
