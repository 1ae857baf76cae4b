from typing import Any

# Arrays of numpy; their types are checked when they are given.
Array = Any

def letters(raw: Array, out: Array, counts: Array) -> int: ...
def text_scores(
    text: Array, shift: int, tags: Array, rows: Array, room: Array, total: Array
) -> int: ...
def text_shares(
    total: Array, factor: float, bias: Array, heat: float, codes: Array, out: Array
) -> None: ...
def word_scores(
    text: Array, shift: int, tags: Array, rows: Array, room: Array, totals: Array, counts: Array
) -> int: ...
def text_hashes(text: Array, out: Array) -> int: ...
def count_hashes(found: Array, weight: float, shift: int, column: Array) -> None: ...
def vote_tags(
    found: Array, fine: int, coarse: int, owner: Array, tags: Array, votes: Array
) -> None: ...
def known_slots(found: Array, shift: int, tags: Array, is_owned: Array, out: Array) -> int: ...
def learn(
    slots: Array,
    bounds: Array,
    sizes: Array,
    classes: Array,
    order: Array,
    weights: Array,
    bias: Array,
    kept: Array,
    score: Array,
    rate: float,
    power: float,
    dropped: float,
    seed: int,
) -> float: ...
def cheapest_path(
    costs: Array, changes: Array, best: Array, came_from: Array, path: Array
) -> None: ...
