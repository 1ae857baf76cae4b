"""How values are written: sizes and durations by people, JSON, TOML and logs by programs."""

import functools
import inspect
import json
import logging
import re
import reprlib
import tomllib
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from datetime import UTC, datetime
from os import PathLike, fsencode
from pathlib import Path
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    SupportsFloat,
    SupportsIndex,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

from izwi.model.errors import QueryError, StoreError, environment_error

_SIZE = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
}
_TIME = {"s": 1, "min": 60, "m": 60, "h": 3600, "d": 86400, "w": 604800}
# What is as good as a kind that is declared.
_WIDER: dict[Any, Any] = {
    int: SupportsIndex,
    float: SupportsFloat,
    Path: PathLike,
    tuple: (tuple, list, str),
}
_SEVERAL = (tuple, Sequence, Iterable, Collection)
_LONGEST_NAME = 255
_QUANTITY = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-zA-Z]*)\s*")


def now_text() -> str:
    """Return this moment as records write it: in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def is_text(value: object) -> bool:
    """Return whether a value, if it is a string, is all characters and can be written down.

    >>> is_text("kitaar"), is_text("kita\\udcffr"), is_text("kita\\0r"), is_text(7)
    (True, False, False, True)
    """
    if not isinstance(value, str):
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in value


def fits(value: object, kind: Any) -> bool:
    """Whether a value is of the kind that is declared; numbers may be NumPy's.

    >>> fits("a", str), fits(None, int | None), fits(("a", 1), tuple[str, ...]), fits(1, float)
    (True, True, False, True)
    """
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any or origin is Literal:
        return True
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if kind is bool:
        return isinstance(value, Hashable) and value in (True, False)
    if not isinstance(value, _WIDER.get(origin or kind, origin or kind)):
        return False
    # One text stands for itself; what can be read only once is left to who reads it.
    if origin not in _SEVERAL or not isinstance(value, Sequence):
        return True
    return all(fits(each, parts[0]) for each in ((value,) if isinstance(value, str) else value))


def unfit(name: str, value: Any, kind: Any) -> QueryError | None:
    """Return the error that a value cannot be what it is given as; None if it can."""
    if not fits(value, kind):
        wanted = inspect.formatannotation(kind)
        return QueryError(f"{name} is of the type {wanted}, which {reprlib.repr(value)} is not.")
    if not all(map(is_text, value if isinstance(value, tuple) else (value,))):
        return QueryError(f"{name} is no text: it holds bytes that are no characters.")
    is_path = Path in get_args(kind) and isinstance(value, str | PathLike)
    if is_path and any(len(fsencode(part)) > _LONGEST_NAME for part in Path(value).parts):
        return QueryError(f"{name} is no path: a name in it is too long.")
    return None


_F = TypeVar("_F", bound=Callable[..., Any])


def explained(function: _F) -> _F:
    """Return a function that says which value it was wrongly given, should it fail over one."""
    declared = inspect.signature(function)
    # What a parameter says of itself (`cases/case.py`) is no part of its type.
    plain = [
        each.replace(annotation=each.annotation.__origin__)
        if get_origin(each.annotation) is Annotated
        else each
        for each in declared.parameters.values()
    ]
    declared = declared.replace(parameters=plain)

    @functools.wraps(function)
    def called(*places: Any, **given: Any) -> Any:
        try:
            return function(*places, **given)
        except (TypeError, AttributeError, ValueError, OSError) as error:
            for name, value in declared.bind(*places, **given).arguments.items():
                if wrong := unfit(name, value, declared.parameters[name].annotation):
                    raise wrong from error
            if isinstance(error, OSError):
                raise environment_error(error) or StoreError(f"{error}.") from error
            raise

    called.__signature__ = declared  # type: ignore[attr-defined]
    return cast(_F, called)


def size_bytes(text: str) -> int:
    """Return the number of bytes in a size.

    >>> size_bytes("256 MiB"), size_bytes("10kB")
    (268435456, 10000)
    """
    number, unit = _split(text)
    if number is None or unit not in _SIZE:
        raise ValueError(f'\'{text}\' is not a size; write for example "256 MiB" or "500 kB"')
    return int(number * _SIZE[unit])


def seconds(text: str) -> float:
    """Return the number of seconds in a duration.

    >>> seconds("1h"), seconds("90 s"), seconds("2d")
    (3600.0, 90.0, 172800.0)
    """
    number, unit = _split(text)
    if number is None or unit not in _TIME:
        raise ValueError(f'\'{text}\' is not a duration; write for example "30min", "2h" or "1d"')
    return number * _TIME[unit]


def in_unit(name: str, read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a parser of quantities such as 2h whose errors name the option."""

    def quantity(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise QueryError(f"{name}: {error}.") from None

    return quantity


def _split(text: str) -> tuple[float | None, str]:
    match = _QUANTITY.fullmatch(text)
    if match is None:
        return None, ""
    return float(match[1]), match[2].lower()


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


def typed(text: str) -> Any:
    """Return a value as TOML reads it; words without quotes are words.

    >>> typed("0.5"), typed("true"), typed("izwi"), typed('["en"]')
    (0.5, True, 'izwi', ['en'])
    >>> typed("[" * 100_000)[:3]
    '[[['
    """
    try:
        return read_toml(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return text


class LogLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return what is told, with its facts and the trace of an error."""
        row = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            row["trace"] = self.formatException(record.exc_info)
        return json.dumps(row, ensure_ascii=False, default=str)
