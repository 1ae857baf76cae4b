"""What bounds a question: how long it may take, how it is stopped, how much is kept for the next.

Kept is what may be asked for again: answers, orders of documents, counts. It has a limit in bytes,
or a server would grow with every question that differs from the last.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from contextvars import ContextVar
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Any, TypeVar

from izwi.model.errors import QueryTimeout

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


SECONDS = 30.0
# Set by a server while it answers somebody: whether that reader has gone away.
GONE: ContextVar[threading.Event | None] = ContextVar("GONE", default=None)
# Set likewise: a question that takes longer than others has to wait for its turn.
TURN: ContextVar["Turn | None"] = ContextVar("TURN", default=None)
# From so much computing on a question is long.
LONG_SECONDS = 1.0
_MOST_WAITING = 16


class Turns:
    """So many long questions are worked on at a time, so that short ones find the machine free."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.waiting = 0
        self.free = threading.Condition()
        self.taken = 0


class Turn:
    """The turn of one question: taken once it has become long, given back when it is answered."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self.is_taken = False

    def wait(self, check: Callable[[], None]) -> None:
        """Wait until other long questions are done; `check` may end it."""
        turns = self._turns
        with turns.free:
            if turns.waiting >= _MOST_WAITING:
                raise QueryTimeout(
                    "The server is busy with many long queries; try again in a moment."
                )
            turns.waiting += 1
            try:
                while turns.taken >= turns.most:
                    turns.free.wait(0.1)
                    check()
            finally:
                turns.waiting -= 1
            turns.taken += 1
            self.is_taken = True

    def give_back(self) -> None:
        """Let the next one begin."""
        with self._turns.free:
            if self.is_taken:
                self.is_taken = False
                self._turns.taken -= 1
                self._turns.free.notify()


# On a busy machine a query waits more than it works. So one that was given a while is stopped when
# it has worked for this share of it, at the latest after so many times of it.
_LEAST_WORK = 0.5
_LONGEST_WAIT = 4.0
# Who gives less has said what they mean.
_A_WHILE = 10.0


class Deadline:
    """A time by which a query has to be answered; long loops ask it now and then."""

    def __init__(
        self, seconds: float | None = SECONDS, cancelled: threading.Event | None = None
    ) -> None:
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        # On a busy machine every question takes long; what counts is what it took for itself.
        self._worked = time.thread_time()
        self._cancelled = cancelled or GONE.get()
        self._turn = TURN.get()
        self._thread = threading.get_ident()
        self._worked_before = time.thread_time()

    @property
    def seconds(self) -> float | None:
        """How long a query may take in all; None for as long as it needs."""
        return self._seconds

    def check(self) -> None:
        """Raise QueryTimeout once the time is up or the query was cancelled."""
        self._check_reader()
        now = time.monotonic()
        if self._end is not None and self._seconds is not None and now > self._end:
            self._is_late(now, self._end, self._seconds)
        turn = self._turn
        if turn is None or turn.is_taken or time.thread_time() - self._worked <= LONG_SECONDS:
            return
        turn.wait(self._check_reader)
        if self._end is not None:
            # Waiting for others is not its own time.
            self._end += time.monotonic() - now

    def _check_reader(self) -> None:
        if self._cancelled is not None and self._cancelled.is_set():
            raise QueryTimeout("The query was cancelled.")

    def _is_late(self, now: float, end: float, seconds: float) -> None:
        """Raise QueryTimeout if a query had its time, or has waited for the machine too long."""
        if self._has_worked(seconds):
            raise QueryTimeout(
                f"The query was stopped after {seconds:g} seconds. Use a rarer word, "
                "limit it (within <s/>, {0,5} instead of *), or allow more time."
            )
        if now > end + (_LONGEST_WAIT - 1) * seconds:
            raise QueryTimeout(
                "The server is busy, and the query had to wait too long. There may be nothing "
                "wrong with the query: try again in a while."
            )

    def _has_worked(self, seconds: float) -> bool:
        """Whether the time went into the query and not into waiting for the machine."""
        if seconds < _A_WHILE or threading.get_ident() != self._thread:
            return True
        return time.thread_time() - self._worked_before >= _LEAST_WORK * seconds


NEVER = Deadline(None)
