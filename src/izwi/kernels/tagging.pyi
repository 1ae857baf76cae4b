from typing import Any

# Arrays of numpy; their types are checked when they are given.
Array = Any

def all_features(
    codes: Array,
    kinds: Array,
    offsets: Array,
    sentences: Array,
    known: Array,
    classes: Array,
    listed: Array,
    columns: Array,
    mask: int,
    facts: Array,
    features: Array,
) -> None: ...
def edit_features(
    codes: Array, offsets: Array, tags: Array, mask: int, features: Array
) -> None: ...
def tag_words(
    features: Array,
    facts: Array,
    sentences: Array,
    fixed: Array,
    keeps: Array,
    weights: Array,
    scores: Array,
    rows: Array,
    mask: int,
    tags: Array,
) -> None: ...
def choose(features: Array, weights: Array, scores: Array, chosen: Array) -> None: ...
def choose_some(
    features: Array, weights: Array, scores: Array, chosen: Array, sums: Array
) -> None: ...
def learn(
    features: Array,
    facts: Array,
    sentences: Array,
    order: Array,
    gold: Array,
    keeps: Array,
    weights: Array,
    sums: Array,
    scores: Array,
    rows: Array,
    mask: int,
    share: float,
    margin: float,
    step: float,
    chance: Array,
) -> float: ...
def learn_choices(
    features: Array,
    order: Array,
    gold: Array,
    weights: Array,
    sums: Array,
    scores: Array,
    rows: Array,
    none: int,
    share: float,
    margin: float,
    step: float,
    chance: Array,
) -> float: ...
def choose_bundles(
    facts: Array,
    sentences: Array,
    tags: Array,
    roles: Array,
    columns: Array,
    starts: Array,
    options: Array,
    weights: Array,
    small: Array,
    scores: Array,
    rows: Array,
    chosen: Array,
) -> None: ...
def learn_bundles(
    facts: Array,
    sentences: Array,
    order: Array,
    tags: Array,
    roles: Array,
    columns: Array,
    starts: Array,
    options: Array,
    gold: Array,
    weights: Array,
    sums: Array,
    scores: Array,
    rows: Array,
    chosen: Array,
    share: float,
    margin: float,
    step: float,
    chance: Array,
) -> float: ...
