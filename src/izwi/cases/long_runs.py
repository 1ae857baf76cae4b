"""Runs that go on by themselves: a server's as processes of their own, a corpus kept growing."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType

from izwi.cases.corpus import Corpus
from izwi.config.schema import ScheduleSection
from izwi.model.errors import ConfigError, CorpusLocked, IzwiError, QueryError, Terminated
from izwi.model.notation import now_text
from izwi.model.reports import RunState
from izwi.model.results import Listener, Notice, RunReport
from izwi.service.runs import OUTPUT, REQUEST, new_folder
from izwi.store.files import disk_errors, write_text


@dataclass(frozen=True, slots=True)
class Started:
    """Work that was started: its command, its process, and where its output goes."""

    started: str
    pid: int
    log: str
    run: str = ""


def command_line(command: str, folder: Path, *more: str) -> list[str]:
    """Return the command that does some work on a corpus."""
    izwi = [sys.executable, "-m", "izwi", *command.split()]
    if command == "demo":
        return [*izwi, "--folder", str(folder), *more, "--no-serve", "--json"]
    return [*izwi, str(folder), *more, "--json"]


class Work:
    """The processes this server has started, one a corpus at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, command: str, corpus: Corpus, *more: str, who: str = "") -> Started:
        """Start a command of izwi on a corpus; raise CorpusLocked while another is at work."""
        with self._lock:
            self._refuse_second(corpus)
            with disk_errors():
                folder = new_folder(corpus.path / "runs", datetime.now(UTC))
            log = folder / OUTPUT
            process = _detached(command_line(command, corpus.path, *more), log, folder.name, who)
            self._processes[corpus.name] = process
            _write_request(folder, command, process.pid, who)
        # Somebody has to take note of its end, or it stays in the process table.
        threading.Thread(target=process.wait, name="izwi-work", daemon=True).start()
        return Started(command, process.pid, str(log), folder.name)

    def stop(self, run: RunState) -> None:
        """Ask a run to end as Ctrl-C would: what was gathered or built stays."""
        if run.state != "running":
            raise QueryError(f"The run {run.run} is not under way: it is {run.state}.")
        os.kill(run.pid, signal.SIGINT)

    def _refuse_second(self, corpus: Corpus) -> None:
        process = self._processes.get(corpus.name)
        is_ours = process is not None and process.poll() is None
        holder = f"process {process.pid}" if is_ours and process else corpus.status().holder
        if holder:
            raise CorpusLocked(
                f"{corpus.name} is being written by {holder}. Wait until it ends; searching works "
                "meanwhile."
            )


def _write_request(folder: Path, command: str, pid: int, who: str) -> None:
    """Leave who asked for a run, and which process does it, for pages of this and later servers."""
    now = now_text()
    with disk_errors():
        write_text(
            folder / REQUEST, json.dumps({"command": command, "pid": pid, "who": who, "time": now})
        )


def _detached(arguments: list[str], log: Path, run: str, who: str) -> subprocess.Popen[bytes]:
    """Start a process that outlives the server and writes into a file."""
    with log.open("wb") as output:
        return subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "IZWI_RUN": run, "IZWI_WHO": who},
        )


_LOOK_SECONDS = 60.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def watch(
    corpus: Corpus,
    *,
    rest_seconds: float,
    seconds: float | None,
    proxy: str,
    workers: int,
    listener: Listener,
    stop: "Stop | None" = None,
) -> Iterator[RunReport]:
    """Yield the report of every round in which something happened; end cleanly on SIGTERM.

    `stop` knows afterwards by which signal it was asked to end.

    A round that fails is told to the listener and the next one is tried; only a corpus.toml that
    cannot be read, which no waiting mends, ends the watch.
    """
    ends = None if seconds is None else time.monotonic() + seconds
    stop = stop or Stop()
    # Also while a report is printed: a signal then costs no word of it.
    with stop.heard():
        while _is_time(corpus, stop, ends):
            try:
                yield from _round(corpus, stop, ends, proxy, workers, listener)
            except KeyboardInterrupt:
                listener(Notice("Stopped in the middle; the next run goes on from there."))
                return
            if ends is not None and time.monotonic() >= ends:
                return
            if stop.was_at_work:  # whoever was at work has said so
                return
            stop.event.wait(rest_seconds if not corpus.config.schedule.daily else 0.0)
        if stop.event.is_set():
            listener(Notice("Stopped between two rounds; nothing was under way."))


def _is_time(corpus: Corpus, stop: "Stop", ends: float | None) -> bool:
    """Wait for the time of day that corpus.toml names, if it names one; False if it is over."""
    due: datetime | None = None
    while not stop.event.is_set():
        corpus._reload()
        daily = corpus.config.schedule.daily
        now = datetime.now().astimezone()
        if not daily or (due is not None and due <= now):
            return True
        if ends is not None and time.monotonic() >= ends:
            return False
        # corpus.toml is read again meanwhile: somebody may choose another time.
        due = next_run(daily, now)
        stop.event.wait(min(_LOOK_SECONDS, max(0.0, (due - now).total_seconds())))
    return False


def _round(
    corpus: Corpus, stop: "Stop", ends: float | None, proxy: str, workers: int, listener: Listener
) -> Iterator[RunReport]:
    left = None if ends is None else max(1.0, ends - time.monotonic())
    try:
        # Once it asks for pages, a gathering hears the signals itself and ends well.
        with stop.breaking_off():
            most = corpus.config.schedule.limit if corpus.config.schedule.daily else 0
            gathered = corpus.gather(
                seconds=left, pages=most or None, proxy=proxy, listener=listener
            )
        if gathered.was_stopped:
            stop.was_at_work = True
            stop.set(gathered.stopped_by or signal.SIGINT)
        if gathered.fetched:
            yield gathered
        if stop.event.is_set() or corpus.status().is_current:
            return
        with stop.breaking_off():
            built = corpus.build(workers=workers, listener=listener)
        yield built
    except ConfigError:
        raise
    except IzwiError as error:
        listener(Notice(f"This round failed: {error} The next one is tried."))


@dataclass(slots=True)
class Stop:
    """Whether the watch was asked to end, by SIGTERM or Ctrl-C."""

    event: threading.Event = field(default_factory=threading.Event)
    signals: list[int] = field(default_factory=list)
    was_at_work: bool = False
    _breaks_off: bool = False

    def set(self, number: int) -> None:
        """Note by which signal it was asked to end."""
        self.signals.append(number)
        self.event.set()

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Listen to the signals instead of being ended by them."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {each: signal.signal(each, self._ask) for each in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def breaking_off(self) -> Iterator[None]:
        """Break off what is under way when a signal comes.

        A build may take hours and goes on where it was.
        """
        if self.event.is_set():
            raise Terminated if signal.SIGTERM in self.signals else KeyboardInterrupt
        self._breaks_off = True
        try:
            yield
        finally:
            self._breaks_off = False

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.set(number)
        if self._breaks_off:
            raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


def next_run(daily: str, now: datetime) -> datetime:
    """Return the first moment after now at which the clock shows a time of day.

    >>> next_run("03:00", datetime(2026, 11, 16, 3, 0)).isoformat()
    '2026-11-17T03:00:00'
    """
    hour, minute = map(int, daily.split(":"))
    today = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)


def is_due(schedule: ScheduleSection, before: datetime, now: datetime) -> bool:
    """Return whether the time of day has come since somebody last looked.

    >>> moments = datetime(2026, 11, 16, 2, 59, 50), datetime(2026, 11, 16, 3, 0, 10)
    >>> is_due(ScheduleSection("03:00"), *moments), is_due(ScheduleSection(), *moments)
    (True, False)
    """
    return bool(schedule.daily) and next_run(schedule.daily, before) <= now
