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

class Text:
    def __init__(
        self, codes: Array, kinds: Array, rules: Rules, starts: Array, ends: Array
    ) -> None: ...
    def cut(self) -> int: ...
    def find_sentences(self, limits: Array, begins: Array) -> int: ...
