"""Where values stand in a drawing, which of them an axis names, and how wide words are."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

# Widths of letters as shares of the font's size: Arial's and a little more, as others are wider.
_NARROW, _WIDE = frozenset("ijlftrI.,:;'|!()[]/ -1"), frozenset("mwMW@%…")


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is drawn.

    >>> text_width("iii", 10) < text_width("mmm", 10) < text_width("漢漢漢", 10)
    True
    """
    return size * sum(map(_share, text))


def _share(letter: str) -> float:
    if letter in _NARROW:
        return 0.36
    if letter in _WIDE:
        return 1.0
    if ord(letter) >= 0x2E80:
        return 1.0
    return 0.76 if letter.isupper() else 0.62


def shortened(text: str, limit: float, size: float) -> str:
    """Return as much of a text as finds room, with a sign where it was cut."""
    if text_width(text, size) <= limit:
        return text
    while text and text_width(f"{text}…", size) > limit:
        text = text[:-1]
    return f"{text}…"


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers from one to another along a line of the drawing."""

    low: float
    high: float
    first: float
    last: float
    is_log: bool = False

    def at(self, value: float) -> float:
        """Return where a number stands."""
        low, high, value = map(self._measure, (self.low, self.high, value))
        return self.first + (value - low) / (high - low) * (self.last - self.first)

    def _measure(self, value: float) -> float:
        return math.log10(max(value, 1e-9)) if self.is_log else value

    def ticks(self, most: float, least_step: float = 0) -> list[float]:
        """Return the numbers that an axis names, at most about so many."""
        if self.is_log:
            return self._powers()
        step = max(nice_step(self.high - self.low, most), least_step)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]

    def _powers(self) -> list[float]:
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for parts in ((1,), (1, 2, 5)):
            found = [part * 10.0**power for power in powers for part in parts]
            found = [each for each in found if self.low <= each <= self.high]
            if len(found) > 1:
                return found
        return [self.low]


# Without slots: places are kept once they were counted.
@dataclass(frozen=True)
class Names:
    """Names side by side along a line of the drawing, each in the middle of its room."""

    names: tuple[str, ...]
    first: float
    last: float

    @property
    def step(self) -> float:
        """The room of one."""
        return (self.last - self.first) / max(1, len(self.names))

    def at(self, name: str) -> float:
        """Return where a name stands."""
        return self.first + self.step * (self._number[name] + 0.5)

    @cached_property
    def _number(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}


Scale = Numbers | Names


def nice_step(length: float, most: float) -> float:
    """Return 1, 2 or 5 times a power of ten, of which about so many make a length.

    >>> nice_step(100, 5), nice_step(7, 10), nice_step(0.3, 4)
    (20.0, 1.0, 0.1)
    """
    rough = max(length, 1e-12) / max(1.0, most)
    power = 10.0 ** math.floor(math.log10(rough))
    return next(part * power for part in (1, 2, 5, 10) if part * power >= rough * 0.999)


def numbers_scale(
    values: Iterable[Any], wish: Mapping[str, Any], first: float, last: float
) -> Numbers:
    """Return the scale of some numbers as Vega-Lite's settings `wish` for it."""
    is_log, padding = wish.get("type") == "log", float(wish.get("padding", 0))
    padding = math.copysign(padding, last - first)
    first, last = first + padding, last - padding
    if "domain" in wish:
        low, high = wish["domain"]
        return Numbers(low, high, first, last)
    known = [float(value) for value in values if value is not None]
    if wish.get("zero", True) and not is_log:
        known.append(0.0)
    low, high = min(known, default=1.0), max(known, default=1.0)
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-3):  # as good as the same
        low, high = (low / 2, high * 2) if is_log else (low, high + 1.0)
    if wish.get("nice", not is_log and not padding):
        step = nice_step(high - low, 10)
        low, high = math.floor(low / step) * step, math.ceil(high / step - 1e-9) * step
    return Numbers(low, high, first, last, is_log)


def written(value: float, form: str, ticks: Sequence[float]) -> str:
    """Return a number of an axis, with as many decimals as its neighbours need.

    >>> written(0.5, "%", [0, 0.5]), written(2000.0, "", [0, 2000.0]), written(0.2, "", [0.2, 0.4])
    ('50%', '2,000', '0.2')
    """
    factor = 100 if form == "%" else 1
    step = factor * min((abs(b - a) for a, b in pairwise(ticks)), default=1.0)
    decimals = min(6, max(0, -math.floor(math.log10(step) + 1e-9))) if step > 0 else 0
    return f"{value * factor or 0:,.{decimals}f}{'%' if form == '%' else ''}"
