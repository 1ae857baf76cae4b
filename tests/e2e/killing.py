"""Runs `izwi` to be killed at a chosen step; what it needs is imported once for all runs.

Steps are what the system is asked to do below a folder (open, rename, remove, ...), each statement
to a database and each call that puts bytes on the disk. A run is killed as the system would do it,
with no chance to tidy up. Moments are counted, not timed: a busy machine kills at the same places.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
WATCHED = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate")


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
        self, *arguments: object, folder: Path, below: str = "", step: int | None = None
    ) -> Ended:
        """Run a command to its end, or until it has come to a step in this part of the folder."""
        asked = {
            "arguments": [str(each) for each in arguments],
            "watched": str(folder / below),
            "step": step,
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
    """Counts steps and kills the process at one of them."""

    def __init__(self, watched: str, last: int | None) -> None:
        self.watched, self.last, self.count = watched, last, 0

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Count what the system is asked to do below the folder."""
        if event in WATCHED and str(arguments[0]).startswith(self.watched):
            self.step()

    def step(self) -> None:
        """Count, and die if it is time."""
        self.count += 1
        if self.count == self.last:
            os.kill(os.getpid(), signal.SIGKILL)


def _watch(watched: str, last: int | None) -> Steps:
    from izwi.store.database import Database

    steps = Steps(watched, last)
    execute, fsync = Database._execute, os.fsync
    sys.addaudithook(steps.hear)
    if Path(watched).name not in ("index", "layers"):

        def counted(self: Any, *about: Any) -> Any:
            steps.step()
            return execute(self, *about)

        def synced(descriptor: int) -> None:
            steps.step()
            fsync(descriptor)

        Database._execute, os.fsync = counted, synced  # type: ignore[method-assign, assignment]
    return steps


def _run(asked: dict[str, Any], report: int) -> None:
    """Be a run of the command, in a process that was forked for it."""
    from izwi.cli.main import main

    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    steps = _watch(asked["watched"], asked["step"])
    sys.argv = ["izwi", *asked["arguments"]]
    status = 0
    try:
        main()
    except SystemExit as ended:
        status = int(ended.code or 0)
    os.write(report, json.dumps([status, steps.count]).encode())
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
    code, steps = json.loads(told) if told else (-os.WTERMSIG(status), asked["step"])
    return {"status": code, "steps": steps, "said": said.read_text(encoding="utf-8")}


def _serve() -> None:
    import tempfile
    from importlib import import_module

    for name in ("izwi.cases.runs", "izwi.service.gathering", "izwi.service.exporting"):
        import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        for line in sys.stdin:
            print(json.dumps(_ended(json.loads(line), Path(folder) / "said")), flush=True)


if __name__ == "__main__":
    _serve()
