"""How long a query may take, and how somebody stops it."""

import threading
import time
from contextvars import ContextVar

from izwi.model.errors import QueryTimeout

SECONDS = 30.0
# Set by a server while it answers somebody: whether that reader has gone away.
GONE: ContextVar[threading.Event | None] = ContextVar("GONE", default=None)


class Deadline:
    """A time by which a query has to be answered; long loops ask it now and then."""

    def __init__(
        self, seconds: float | None = SECONDS, cancelled: threading.Event | None = None
    ) -> None:
        self._seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self._cancelled = cancelled or GONE.get()

    @property
    def seconds(self) -> float | None:
        """How long a query may take in all; None for as long as it needs."""
        return self._seconds

    def check(self) -> None:
        """Raise QueryTimeout once the time is up or the query was cancelled."""
        if self._cancelled is not None and self._cancelled.is_set():
            raise QueryTimeout("The query was cancelled.")
        if self._end is not None and time.monotonic() > self._end:
            raise QueryTimeout(
                f"The query was stopped after {self._seconds:g} seconds. Give it a rarer word, "
                "limit it (within <s/>, {0,5} instead of *), or allow more time."
            )


NEVER = Deadline(None)
