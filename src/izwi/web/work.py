"""Gathering and building as processes of their own, so that serving goes on meanwhile."""

import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from izwi.model.errors import CorpusLocked
from izwi.service.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Started:
    """Work that was started: its command, its process, and where its output goes."""

    started: str
    pid: int
    log: str


def command_line(command: str, folder: Path) -> list[str]:
    """Return the command that does some work on a corpus."""
    return [sys.executable, "-m", "izwi", command, str(folder), "--json"]


class Work:
    """The processes this server has started, one a corpus at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, command: str, corpus: Corpus) -> Started:
        """Start a command of izwi on a corpus; raise CorpusLocked while another is at work."""
        with self._lock:
            self._refuse_second(corpus)
            log = Path(tempfile.mkdtemp(prefix="izwi-")) / f"{corpus.name}-{command}.log"
            process = _detached(command_line(command, corpus.path), log)
            self._processes[corpus.name] = process
        # Somebody has to take note of its end, or it stays in the process table.
        threading.Thread(target=process.wait, name="izwi-work", daemon=True).start()
        return Started(command, process.pid, str(log))

    def _refuse_second(self, corpus: Corpus) -> None:
        process = self._processes.get(corpus.name)
        is_ours = process is not None and process.poll() is None
        holder = f"process {process.pid}" if is_ours and process else corpus.status().holder
        if holder:
            raise CorpusLocked(
                f"{corpus.name} is being written by {holder}. Wait until it ends; searching works "
                "meanwhile."
            )


def _detached(arguments: list[str], log: Path) -> subprocess.Popen[bytes]:
    """Start a process that outlives the server and writes into a file."""
    with log.open("wb") as output:
        return subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
