"""Keeping a corpus growing: gather what is due, build if there is something new, rest, again."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from izwi.model.errors import ConfigError, IzwiError
from izwi.model.results import Listener, Notice, RunReport
from izwi.service.corpus import Corpus


def watch(
    corpus: Corpus,
    *,
    rest_seconds: float,
    seconds: float | None,
    proxy: str,
    workers: int,
    listener: Listener,
) -> Iterator[RunReport]:
    """Yield the report of every round in which something happened; end cleanly on SIGTERM.

    A round that fails is told to the listener and the next one is tried; only a corpus.toml that
    cannot be read, which no waiting mends, ends the watch.
    """
    ends = None if seconds is None else time.monotonic() + seconds
    with _stopping() as stop:
        while not stop.is_set():
            yield from _round(corpus, ends, proxy, workers, listener)
            if ends is not None and time.monotonic() >= ends:
                return
            stop.wait(rest_seconds)


def _round(
    corpus: Corpus, ends: float | None, proxy: str, workers: int, listener: Listener
) -> Iterator[RunReport]:
    left = None if ends is None else max(1.0, ends - time.monotonic())
    try:
        gathered = corpus.gather(seconds=left, proxy=proxy, listener=listener)
        if gathered.fetched:
            yield gathered
        if not corpus.status().is_current:
            yield corpus.build(workers=workers, listener=listener)
    except ConfigError:
        raise
    except IzwiError as error:
        listener(Notice(f"This round failed: {error} The next one is tried."))


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Give an event that SIGTERM and Ctrl-C set between rounds; a round has its own handlers."""
    stop = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        stop.set()

    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before = {each: signal.signal(each, ask) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
