"""Runs `izwi` to be killed, or to lack room or memory, at a step; imports are made once for all.

Steps are what the system is asked to do below a folder (open, rename, remove, ...), each statement
to a database and each call that puts bytes on the disk. A run is killed as the system would do it,
with no chance to tidy up. Moments are counted, not timed: a busy machine kills at the same places.
"""

import errno
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.service.killing import import_all, imported

ROOT = Path(__file__).parents[2]
WATCHED = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate")
# What needs room on the disk.
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
STATEMENTS = ("INSERT", "UPDATE", "COMMIT", "CREATE")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: its status, negative if it was killed, its steps, and what it said."""

    status: int
    steps: int
    said: str


class Nursery:
    """A process that starts runs of `izwi`, one after another."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def run(
        self,
        *arguments: object,
        folder: Path,
        below: str = "",
        step: int | None = None,
        lacks: str = "",
    ) -> Ended:
        """Run a command to its end, or until it has come to a step in this part of the folder.

        There it is killed; or "room" on the disk or "memory" lacks from then on.
        """
        asked = {
            "arguments": [str(each) for each in arguments],
            "watched": str(folder / below),
            "step": step,
            "lacks": lacks,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        return Ended(**json.loads(self._process.stdout.readline()))


@contextmanager
def nursery(proxy: str) -> Iterator[Nursery]:
    """Start a nursery whose runs reach the web through a proxy."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.killing"],
        env=os.environ | {"IZWI_PROXY": proxy, "COLUMNS": "100"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        yield Nursery(process)


class Steps:
    """Counts steps and kills the process at one of them, or takes room or memory from there on."""

    def __init__(self, watched: str, last: int | None, lacks: str) -> None:
        self.watched, self.last, self.lacks, self.count = watched, last, lacks, 0

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Count what the system is asked to do below the folder."""
        if event in WATCHED and str(arguments[0]).startswith(self.watched):
            needs_room = event == "os.mkdir" or (event == "open" and arguments[2] & WRITES)
            if self.step() and needs_room:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), arguments[0])

    def step(self) -> bool:
        """Count, and die if it is time; return whether the disk is full."""
        self.count += 1
        if self.last is None or self.count < self.last:
            return False
        if not self.lacks:
            os.kill(os.getpid(), signal.SIGKILL)
        if self.lacks == "memory" and self.count == self.last:
            # No more than it has now, as `ulimit -v` or a small machine would have it.
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            _, most = resource.getrlimit(resource.RLIMIT_AS)
            resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize(), most))
        return self.lacks == "room"


def _watch(steps: Steps) -> None:
    from izwi.store.database import Statements, stop_of

    execute, fsync = Statements._execute, os.fsync
    sys.addaudithook(steps.hear)
    if Path(steps.watched).name in ("index", "layers"):
        return

    def counted(self: Any, on: Any, statement: str, *about: Any) -> Any:
        if steps.step() and statement.lstrip().startswith(STATEMENTS):
            on.rollback()  # as SQLite does
            stopped = stop_of(sqlite3.OperationalError("database or disk is full"), self.place)
            assert stopped is not None
            raise stopped
        return execute(self, on, statement, *about)

    def synced(descriptor: int) -> None:
        if steps.step():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    Statements._execute, os.fsync = counted, synced  # type: ignore[method-assign, assignment]


def _run(asked: dict[str, Any], report: int) -> None:
    """Be a run of the command, in a process that was forked for it."""
    from izwi.cli.main import main

    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    steps = Steps(asked["watched"], asked["step"], asked["lacks"])
    _watch(steps)
    sys.argv = ["izwi", *asked["arguments"]]
    status = 0
    try:
        main()
    except SystemExit as ended:
        status = int(ended.code or 0)
    os.write(report, json.dumps([status, steps.count, imported()]).encode())
    os._exit(0)


def _ended(asked: dict[str, Any], said: Path) -> dict[str, Any]:
    """Run in a fork; return how it ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        _run(asked, writing)
    os.close(writing)
    with os.fdopen(reading) as report:
        told = report.read()
    _, status = os.waitpid(child, 0)
    killed = (-os.WTERMSIG(status), asked["step"], [])
    code, steps, modules = json.loads(told) if told else killed
    import_all(modules)
    return {"status": code, "steps": steps, "said": said.read_text(encoding="utf-8")}


def _serve() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for line in sys.stdin:
            print(json.dumps(_ended(json.loads(line), Path(folder) / "said")), flush=True)


if __name__ == "__main__":
    _serve()
