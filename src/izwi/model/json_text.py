"""What a JSON or TOML text says, if it is one: the texts come from pages, servers and others."""

import json
import tomllib
from typing import Any


def read_json(text: str | bytes, *, strict: bool = True) -> Any:
    """Return the value of a JSON text; raise ValueError if it is none, or nested without end.

    >>> read_json("[" * 100_000)
    Traceback (most recent call last):
    ValueError: it is nested too deeply
    """
    try:
        return json.loads(text, strict=strict)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def read_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text; raise TOMLDecodeError if it is none, or nested without end.

    >>> read_toml("x = " + "[" * 100_000)
    Traceback (most recent call last):
    tomllib.TOMLDecodeError: it is nested too deeply
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deeply") from None
