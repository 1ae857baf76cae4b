"""Sizes and durations the way people write them."""

import re

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
_QUANTITY = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([a-zA-Z]*)\s*")


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


def _split(text: str) -> tuple[float | None, str]:
    match = _QUANTITY.fullmatch(text)
    if match is None:
        return None, ""
    return float(match[1]), match[2].lower()
