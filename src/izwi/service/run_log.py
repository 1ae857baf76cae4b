"""What runs are there, and how each stands: told from what they left in their folders."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from izwi.model.errors import QueryError
from izwi.store import lock
from izwi.store.layout import Layout

REQUEST, PROGRESS, REPORT, LOG, OUTPUT = (
    "request.json", "progress.json", "report.json", "log.jsonl", "output.log",
)  # fmt: skip
_PROCESS = re.compile(r"\(process (\d+)")
# A run that was asked for takes so long to begin at most.
_START_SECONDS = 120.0
_TAIL = 20


@dataclass(frozen=True, slots=True)
class RunState:
    """A run: starting, running, done, failed, stopped or died; and what it says of itself."""

    run: str
    command: str
    state: str
    started: str
    who: str = ""
    pid: int = 0
    # The step under way, how much of it is done, and of how much; 0 if nobody knows.
    step: str = ""
    done: int = 0
    total: int = 0
    detail: str = ""
    # What each stage has done so far: documents that came, and what became of them.
    stages: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    report: Any = None
    # The last lines of its log, and what it printed.
    log: tuple[str, ...] = ()
    output: str = ""

    @property
    def is_under_way(self) -> bool:
        """Whether it has not ended yet."""
        return self.state in ("starting", "running")


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
