"""A run: one writer, one report, one log; and what runs there were, told from their folders."""

import json
import logging
import os
import re
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from izwi.model.errors import QueryError, Terminated
from izwi.model.notation import LogLines
from izwi.model.reports import RunState
from izwi.model.results import Event, Listener, Notice, Progress, RunReport, ShardReport
from izwi.store import lock
from izwi.store.catalog import Catalog
from izwi.store.files import disk_errors, write_text
from izwi.store.layout import Layout
from izwi.store.lock import writing, writing_together
from izwi.store.postgresql import Address

logger = logging.getLogger(__name__)
_TELL_SECONDS = 0.5
_COUNTED = ("rows", "kept", "dropped", "failed")


@dataclass
class Run:
    """A run under way: its catalog, and the report that grows."""

    catalog: Catalog
    report: RunReport
    listener: Listener
    notices: list[str] = field(default_factory=list)
    folder: Path | None = None
    told: float = 0.0
    # How many documents each stage has done so far, and what it decided.
    stages: dict[str, dict[str, int]] = field(default_factory=dict)

    def hear(self, event: Event) -> None:
        """Log an event and pass it on."""
        if isinstance(event, Notice):
            self.notices.append(event.message)
            logger.warning(event.message)
        elif isinstance(event, ShardReport):
            logger.info("shard done", extra={"facts": asdict(event)})
            self._count(event)
            done = self.report.shards_built + (not event.error)
            self.report = replace(self.report, shards_built=done)
        elif self.folder is not None:
            self._tell(event, self.folder)
        self.listener(event)

    def _count(self, done: ShardReport) -> None:
        known = self.stages.setdefault(done.stage, dict.fromkeys(_COUNTED, 0))
        for name in _COUNTED:
            known[name] += getattr(done, name)

    def _tell(self, event: Progress, folder: Path) -> None:
        """Leave how far it is for whoever looks, but not more often than people read."""
        is_last = event.total is not None and event.done >= event.total
        now = time.monotonic()
        if now - self.told < _TELL_SECONDS and not is_last:
            return
        self.told = now
        tell_progress(folder, self.report, event, self.stages)


@contextmanager
def running(layout: Layout, command: str, listener: Listener) -> Iterator[Run]:
    """Hold the corpus for one run and leave its report and log in `runs/`."""
    with _holding(layout, command), Catalog.write(layout.catalog) as catalog:
        begun, started = time.perf_counter(), datetime.now(UTC)
        folder = new_folder(layout.runs, started)
        report = RunReport(folder.name, command, started.isoformat(timespec="seconds"), 0.0)
        with disk_errors():
            catalog.start_run(folder.name, command, report.started)
            handler = _log_to(folder / "log.jsonl")
        run = Run(catalog, report, listener, folder=folder)
        tell_progress(folder, report, Progress("starting", 0))
        try:
            if not _is_shared(layout, command):
                with disk_errors():
                    _finish_rewriting(layout, catalog)
            yield run
        except BaseException as error:
            run.report = _broken_off(run.report, error)
            raise
        finally:
            seconds = round(time.perf_counter() - begun, 3)
            warnings = tuple(dict.fromkeys((*run.report.warnings, *run.notices)))
            run.report = replace(run.report, seconds=seconds, warnings=warnings)
            logging.getLogger("izwi").removeHandler(handler)
            handler.close()
            _end(catalog, folder, run.report)


@contextmanager
def _holding(layout: Layout, command: str) -> Iterator[None]:
    """Hold the corpus alone; gatherers whose catalog is on a server hold it together."""
    if not _is_shared(layout, command):
        with writing(layout.lock, f"izwi {command}"):
            yield
        return
    if layout.rewriting.exists():  # left by a kill, and for one alone to finish
        with writing(layout.lock, f"izwi {command}"), Catalog.write(layout.catalog) as catalog:
            _finish_rewriting(layout, catalog)
    with writing_together(layout.lock, f"izwi {command}"):
        yield


def _is_shared(layout: Layout, command: str) -> bool:
    return command == "gather" and isinstance(layout.catalog, Address)


def _finish_rewriting(layout: Layout, catalog: Catalog) -> None:
    """Finish what an earlier run planned and did not live to do."""
    if layout.rewriting.exists():
        from izwi.store.rewriting import finish_rewriting

        finish_rewriting(layout, catalog)


def _broken_off(report: RunReport, error: BaseException) -> RunReport:
    """Return the report of a run that an error or a signal ended."""
    if isinstance(error, KeyboardInterrupt):
        number = signal.SIGTERM if isinstance(error, Terminated) else signal.SIGINT
        return replace(report, was_stopped=True, stopped_by=int(number))
    words = str(error) or f"ended by {type(error).__name__}"
    return replace(report, failures=(*report.failures, words))


def tell_progress(
    folder: Path,
    report: RunReport,
    event: Progress,
    stages: Mapping[str, Mapping[str, int]] | None = None,
) -> None:
    """Write how far a run is; it is no harm if that cannot be written."""
    facts = {
        "pid": os.getpid(),
        "command": report.command,
        "started": report.started,
        "step": event.step,
        "done": event.done,
        "total": event.total,
        "detail": event.detail,
        "stages": stages or {},
    }
    temporary = folder / ".progress"
    try:
        temporary.write_text(json.dumps(facts, ensure_ascii=False), encoding="utf-8")
        temporary.replace(folder / "progress.json")
    except OSError:
        logger.debug("progress could not be written", exc_info=True)


def _end(catalog: Catalog, folder: Path, report: RunReport) -> None:
    """Write the report; if even that cannot be written, the first error is the one to show."""
    failing = sys.exc_info()[0] is not None
    try:
        with disk_errors():
            write_text(
                folder / "report.json", json.dumps(asdict(report), indent=1, ensure_ascii=False)
            )
            catalog.end_run(report.run, asdict(report))
    except Exception:
        if not failing:
            raise
        logger.debug("the report could not be written", exc_info=True)


def new_folder(runs: Path, started: datetime) -> Path:
    """Return a new folder for a run; one that was made for this very process, if it was."""
    asked = os.environ.pop("IZWI_RUN", "")
    if asked and (runs / asked).is_dir() and not (runs / asked / "log.jsonl").exists():
        return runs / asked
    name = started.strftime("%Y-%m-%dT%H-%M-%S")
    with disk_errors():
        for suffix in ("", *(f"-{number}" for number in range(2, 10_000))):
            folder = runs / f"{name}{suffix}"
            try:
                folder.mkdir(parents=True)
            except FileExistsError:
                continue
            return folder
    raise AssertionError("ten thousand runs in one second")


def _log_to(path: Path) -> logging.Handler:
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(LogLines())
    root = logging.getLogger("izwi")
    root.addHandler(handler)
    root.setLevel(min(root.level or logging.INFO, logging.INFO))
    return handler


REQUEST, PROGRESS, REPORT, LOG, OUTPUT = (
    "request.json", "progress.json", "report.json", "log.jsonl", "output.log",
)  # fmt: skip
_PROCESS = re.compile(r"\(process (\d+)")
# A run that was asked for takes so long to begin at most.
_START_SECONDS = 120.0
_TAIL = 20


def runs(layout: Layout, *, most: int = 50) -> tuple[RunState, ...]:
    """Return the newest runs, the last first."""
    return tuple(islice(each_run(layout), max(0, most)))


def each_run(layout: Layout) -> Iterator[RunState]:
    """Yield the runs, the last first; each is read when it is asked for."""
    return (_state(layout, folder) for folder in _folders(layout))


def run_state(layout: Layout, run: str) -> RunState:
    """Return one run with the end of its log."""
    folder = layout.runs / run
    if not re.fullmatch(r"[0-9A-Za-z-]+", run) or not folder.is_dir():
        raise QueryError(f"There is no run '{run}'.")
    return _state(layout, folder, has_log=True)


def run_names(layout: Layout) -> list[str]:
    """Return the names of all runs, the first first."""
    return [folder.name for folder in reversed(_folders(layout))]


def _folders(layout: Layout) -> list[Path]:
    if not layout.runs.is_dir():
        return []
    return sorted((path for path in layout.runs.iterdir() if path.is_dir()), reverse=True)


def _state(layout: Layout, folder: Path, *, has_log: bool = False) -> RunState:
    request, progress, report = (_json(folder / name) for name in (REQUEST, PROGRESS, REPORT))
    pid = int(progress.get("pid") or request.get("pid") or 0)
    started = report.get("started") or progress.get("started") or request.get("time")
    return RunState(
        run=folder.name,
        command=report.get("command") or request.get("command") or progress.get("command") or "?",
        state=_word(layout, pid, request, report),
        started=started or "",
        who=request.get("who", ""),
        pid=pid,
        step=progress.get("step", ""),
        done=int(progress.get("done") or 0),
        total=int(progress.get("total") or 0),
        detail=progress.get("detail", ""),
        stages=progress.get("stages") or {},
        report=report or None,
        log=_tail(folder / LOG) if has_log else (),
        output="\n".join(_tail(folder / OUTPUT)) if has_log else "",
    )


def _word(layout: Layout, pid: int, request: dict[str, Any], report: dict[str, Any]) -> str:
    """Return how a run stands; only who holds the corpus runs, whatever its files say."""
    if report:
        if report.get("was_stopped"):
            return "stopped"
        return "failed" if report.get("failures") else "done"
    holder = _PROCESS.search(lock.holder(layout.lock))
    if holder and int(holder[1]) == pid:
        return "running"
    return "starting" if _is_young(request) and is_alive(pid) else "died"


def _is_young(request: dict[str, Any]) -> bool:
    try:
        asked = datetime.fromisoformat(request["time"])
    except (KeyError, ValueError):
        return False
    return (datetime.now(UTC) - asked).total_seconds() < _START_SECONDS


def is_alive(pid: int) -> bool:
    """Return whether there is such a process."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _tail(path: Path) -> tuple[str, ...]:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - 20_000))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ()
    return tuple(text.splitlines()[-_TAIL:])
