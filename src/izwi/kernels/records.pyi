from typing import Any, TypeVar

Kind = TypeVar("Kind")

def made(kind: type[Kind], names: tuple[str, ...], columns: tuple[Any, ...]) -> list[Kind]:
    """Return a record of a kind for each row: `names` are its fields, all of them, in any order."""
