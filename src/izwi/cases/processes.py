"""Gathering and building as processes of their own, so that serving goes on meanwhile."""

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from izwi.cases.corpus import Corpus
from izwi.model.errors import CorpusLocked, QueryError
from izwi.model.reports import RunState
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
    now = datetime.now(UTC).isoformat(timespec="seconds")
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
