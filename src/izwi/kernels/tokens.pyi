from typing import Any

# Arrays of numpy; their types are checked when they are given.
Array = Any

class Rules:
    def __init__(self, lists: tuple[Any, ...], switches: tuple[bool, ...]) -> None: ...

class Text:
    def __init__(
        self, codes: Array, kinds: Array, rules: Rules, starts: Array, ends: Array
    ) -> None: ...
    def cut(self) -> int: ...
    def find_sentences(self, limits: Array, begins: Array) -> int: ...
