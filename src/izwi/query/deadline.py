"""How long a query may take, and how somebody stops it."""

import threading
import time
from contextvars import ContextVar

from izwi.model.errors import QueryTimeout

SECONDS = 30.0
# Set by a server while it answers somebody: whether that reader has gone away.
GONE: ContextVar[threading.Event | None] = ContextVar("GONE", default=None)


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
        self._cancelled = cancelled or GONE.get()
        self._thread = threading.get_ident()
        self._worked_before = time.thread_time()

    @property
    def seconds(self) -> float | None:
        """How long a query may take in all; None for as long as it needs."""
        return self._seconds

    def check(self) -> None:
        """Raise QueryTimeout once the time is up or the query was cancelled."""
        if self._cancelled is not None and self._cancelled.is_set():
            raise QueryTimeout("The query was cancelled.")
        if self._seconds is None or self._end is None or time.monotonic() <= self._end:
            return
        if self._has_worked(self._seconds):
            raise QueryTimeout(
                f"The query was stopped after {self._seconds:g} seconds. Give it a rarer word, "
                "limit it (within <s/>, {0,5} instead of *), or allow more time."
            )
        if time.monotonic() > self._end + (_LONGEST_WAIT - 1) * self._seconds:
            raise QueryTimeout(
                "The machine is busy, and the query had to wait too long. The query may be all "
                "right: ask again in a while."
            )

    def _has_worked(self, seconds: float) -> bool:
        """Whether the time went into the query and not into waiting for the machine."""
        if seconds < _A_WHILE or threading.get_ident() != self._thread:
            return True
        return time.thread_time() - self._worked_before >= _LEAST_WORK * seconds


NEVER = Deadline(None)
