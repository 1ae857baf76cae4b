from typing import Any

# Arrays of numpy; their types are checked when they are given.
Array = Any

def find_roots(codes: Array, offsets: Array, slots: Array, kinds: Array, facts: Array) -> None: ...
