from typing import Any

# Arrays of numpy; their types are checked when they are given.
Array = Any

class Rules:
    def __init__(
        self,
        lists: tuple[Any, ...],
        splits_clitics: bool,
        splits_hyphens: bool,
        has_ordinals: bool,
    ) -> None: ...

def cut_text(codes: Array, kinds: Array, rules: Rules, starts: Array, ends: Array) -> int: ...
def find_sentences(
    codes: Array,
    kinds: Array,
    rules: Rules,
    starts: Array,
    ends: Array,
    limits: Array,
    begins: Array,
) -> int: ...
