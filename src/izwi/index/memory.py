"""What is kept because it may be asked for again: answers, orders of documents, counts.

It has a limit in bytes, or a server would grow with every question that differs from the last.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Any, TypeVar

MOST_BYTES = 128 << 20
MOST = 512
# Of long lists so many things are weighed; the others are taken to be like them.
_WEIGHED = 32
_DEEPEST = 6

Made = TypeVar("Made")


class Memory:
    """The latest things made, by what was asked; those asked for longest ago are forgotten."""

    def __init__(self, most_bytes: int = MOST_BYTES, *, most: int = MOST) -> None:
        self._most_bytes, self._most = most_bytes, most
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    def of(self, question: Hashable, make: Callable[[], Made]) -> Made:
        """Return the answer to a question: the one kept, or a new one, which is kept then."""
        with self._lock:
            if question in self._kept:
                self._kept.move_to_end(question)
                kept: Made = self._kept[question][0]
                return kept
        # Not locked: two who ask at once may both wait, but nobody waits for another's question.
        made = make()
        self._keep(question, made, size_of(made))
        return made

    def _keep(self, question: Hashable, made: object, size: int) -> None:
        with self._lock:
            self.bytes += size - self._kept.pop(question, (None, 0))[1]
            self._kept[question] = (made, size)
            # The latest stays, whatever its size: it is in use just now.
            while len(self._kept) > 1 and (
                self.bytes > self._most_bytes or len(self._kept) > self._most
            ):
                self.bytes -= self._kept.popitem(last=False)[1][1]


def size_of(thing: object, depth: int = 0) -> int:
    """Return about how many bytes a thing takes.

    >>> size_of(["a"] * 1000), size_of(bytes(5000))
    (59056, 5050)
    """
    # Arrays and tables say it; so does what grows once it is used.
    if hasattr(thing, "nbytes"):
        return 112 + int(thing.nbytes)
    if isinstance(thing, str | bytes):
        return 50 + len(thing)
    if depth >= _DEEPEST:
        return 64
    if isinstance(thing, Mapping):
        return 64 + _weighed(thing.items(), len(thing), depth)
    if isinstance(thing, tuple | list | set | frozenset):
        return 56 + _weighed(thing, len(thing), depth)
    if is_dataclass(thing):
        own = [getattr(thing, each.name, None) for each in fields(thing)]
        return 48 + sum(size_of(each, depth + 1) for each in own)
    return 32


def _weighed(things: Any, many: int, depth: int) -> int:
    """Return what some things and their places take, judged by the first of them."""
    some = [size_of(each, depth + 1) for each in islice(things, _WEIGHED)]
    return many * (8 + sum(some) // len(some)) if some else 0
