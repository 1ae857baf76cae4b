from typing import Any

# Arrays of numpy; their types are checked when they are given.
Array = Any

def read_letters(
    text: str, start: int, end: int, table: Array, out: Array, used: int, counts: Array
) -> int: ...
def add_text(
    text: Array,
    used: int,
    slots: Array,
    postings: Array,
    scores: Array,
    marks: Array,
    held: Array,
    enough: int,
    lead: float,
) -> int: ...
def judge(
    scores: Array,
    bias: Array,
    kinds: Array,
    factor: float,
    heat: float,
    shares: Array,
    found: Array,
) -> int: ...
def agree(
    shares: Array,
    places: Array,
    second: Array,
    numbers: Array,
    first: float,
    trust: float,
    likeness: Array,
    kinds: Array,
    found: Array,
) -> int: ...
def count_ngrams(text: Array, used: int, out: Array) -> int: ...
def learn(
    text: Array,
    pieces: Array,
    slots: Array,
    languages: Array,
    weights: Array,
    bias: Array,
    shares: Array,
    marks: Array,
    lists: Array,
    rate: float,
    dropped: float,
    seed: int,
) -> float: ...
