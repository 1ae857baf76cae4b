"""A run: one writer, one report, one log; what is left behind when it ends or is killed."""

import json
import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from izwi.model.errors import Terminated
from izwi.model.results import Event, Listener, Notice, Progress, RunReport, ShardReport
from izwi.store.catalog import Catalog
from izwi.store.files import disk_errors, write_text
from izwi.store.layout import Layout
from izwi.store.lock import writing, writing_together
from izwi.store.postgresql import Address
from izwi.store.rewriting import finish_rewriting

logger = logging.getLogger(__name__)
_TELL_SECONDS = 0.5


@dataclass
class Run:
    """A run under way: its catalog, and the report that grows."""

    catalog: Catalog
    report: RunReport
    listener: Listener
    notices: list[str] = field(default_factory=list)
    folder: Path | None = None
    told: float = 0.0

    def hear(self, event: Event) -> None:
        """Log an event and pass it on."""
        if isinstance(event, Notice):
            self.notices.append(event.message)
            logger.warning(event.message)
        elif isinstance(event, ShardReport):
            logger.info("shard done", extra={"facts": asdict(event)})
        elif self.folder is not None:
            self._tell(event, self.folder)
        self.listener(event)

    def _tell(self, event: Progress, folder: Path) -> None:
        """Leave how far it is for whoever looks, but not more often than people read."""
        is_last = event.total is not None and event.done >= event.total
        now = time.monotonic()
        if now - self.told < _TELL_SECONDS and not is_last:
            return
        self.told = now
        tell_progress(folder, self.report, event)


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
        tell_progress(folder, report, Progress("begin", 0))
        try:
            if not _is_shared(layout, command):
                with disk_errors():
                    finish_rewriting(layout, catalog)
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
            finish_rewriting(layout, catalog)
    with writing_together(layout.lock, f"izwi {command}"):
        yield


def _is_shared(layout: Layout, command: str) -> bool:
    return command == "gather" and isinstance(layout.catalog, Address)


def _broken_off(report: RunReport, error: BaseException) -> RunReport:
    """Return the report of a run that an error or a signal ended."""
    if isinstance(error, KeyboardInterrupt):
        number = signal.SIGTERM if isinstance(error, Terminated) else signal.SIGINT
        return replace(report, was_stopped=True, stopped_by=int(number))
    words = str(error) or f"ended by {type(error).__name__}"
    return replace(report, failures=(*report.failures, words))


def tell_progress(folder: Path, report: RunReport, event: Progress) -> None:
    """Write how far a run is; it is no harm if that cannot be written."""
    facts = {
        "pid": os.getpid(),
        "command": report.command,
        "started": report.started,
        "step": event.step,
        "done": event.done,
        "total": event.total,
        "detail": event.detail,
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


class JsonLines(logging.Formatter):
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


def _log_to(path: Path) -> logging.Handler:
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(JsonLines())
    root = logging.getLogger("izwi")
    root.addHandler(handler)
    root.setLevel(min(root.level or logging.INFO, logging.INFO))
    return handler
