"""Where tasks run: here, or in processes that outlive one's death; what killed it is named.

Which page a process reads now, in a file that outlives it: what killed it can be named. A fault in
a library, or a page that needs more memory than there is, ends a process without a word. Whoever
tries again finds the number of the page it was at. A page at which two processes ended is fatal,
and is left out from then on; one may be chance, as when somebody kills a run.

Extraction gives such a page its verdict. One at which a later stage ended has its text already: it
is named in a file beside that text, which every later stage and the ledger look at. So is a page at
which a stage only failed with an error; a stage of another version of izwi tries it again.
"""

import gc
import os
import signal
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from izwi import plugins
from izwi.model.document import Document, Verdict, failed
from izwi.model.records import dataclass
from izwi.model.results import ShardReport
from izwi.store.files import write_text

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.process import BaseProcess

    from izwi.pipeline.shard import Task


Work: TypeAlias = "Callable[[Task], ShardReport]"


class SegmentFailed(Exception):
    """Some segments could not be made; what the workers say about it."""

    def __init__(self, reports: Sequence[ShardReport]) -> None:
        super().__init__("; ".join(report.error for report in reports))
        self.reports = tuple(reports)


class Runner(Protocol):
    """Carries out tasks and yields their reports in any order."""

    def map(
        self, work: Work, tasks: "Sequence[Task]", *, retries: int = 2
    ) -> Iterator[ShardReport]:
        """Yield one report per task; a task whose worker dies is tried again `retries` times."""


@contextmanager
def kept_open(runner: Runner) -> Iterator[Runner]:
    """Let a runner keep its workers from one stage of a build to the next, if it can."""
    if isinstance(runner, AbstractContextManager):
        with runner:
            yield runner
    else:
        yield runner


class Serial:
    """One after another in this process: for debugging, and for few tasks."""

    def __init__(self, workers: int = 1) -> None: ...

    def map(
        self, work: Work, tasks: "Sequence[Task]", *, retries: int = 2
    ) -> Iterator[ShardReport]:
        """Yield the reports in order."""
        return map(work, tasks)


class Processes:
    """A pool of processes, made anew when a worker is killed; entered, it stays between stages."""

    def __init__(self, workers: int = 0) -> None:
        self.workers = workers
        self._is_entered = False
        self._kept: ProcessPoolExecutor | None = None
        # Processes that were there before the workers.
        self._others: Set[BaseProcess] = frozenset()

    def __enter__(self) -> "Processes":
        """Keep the workers, which take a second to start, until the end."""
        self._is_entered = True
        return self

    def __exit__(self, *about: object) -> None:
        """Let the workers go."""
        self._is_entered = False
        pool, self._kept = self._kept, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def map(
        self, work: Work, tasks: "Sequence[Task]", *, retries: int = 2
    ) -> Iterator[ShardReport]:
        """Yield the reports as they come."""
        left = list(tasks)
        while left:
            yield from self._together(work, left)
            # A killed worker takes its pool down; what was under way, which is no more than the
            # first ones, is done one task a pool: only the task that kills its worker is blamed.
            under_way, left = left[: self._most], left[self._most :]
            for task in under_way:
                yield self._alone(work, task, retries)

    def _together(self, work: Work, left: "list[Task]") -> Iterator[ShardReport]:
        import multiprocessing
        from concurrent.futures import as_completed
        from concurrent.futures.process import BrokenProcessPool

        others = self._others if self._kept else set(multiprocessing.active_children())
        pool = self._kept or self._pool(self.workers if self._is_entered else len(left))
        self._others, self._kept = others, None
        with _ended_when_abandoned(others):
            try:
                with _out_of_reach():
                    task_by_future: dict[Future[ShardReport], Task] = {
                        pool.submit(work, task): task for task in left
                    }
                for future in as_completed(task_by_future):
                    report = future.result()
                    left.remove(task_by_future[future])
                    yield report
                if self._is_entered:
                    self._kept = pool
            except BrokenProcessPool:
                return
            finally:  # an error that stops the run stops what waits, too
                if self._kept is not pool:
                    pool.shutdown(wait=False, cancel_futures=True)

    def _alone(self, work: Work, task: "Task", retries: int) -> ShardReport:
        import multiprocessing
        from concurrent.futures.process import BrokenProcessPool

        tries = 0
        # What is known as fatal is left out in the next try, and took two to be known.
        while tries <= retries + 2 * len(read_told(task.trace).fatal):
            tries += 1
            others = set(multiprocessing.active_children())
            with self._pool(1) as pool, _ended_when_abandoned(others):
                try:
                    with _out_of_reach():
                        future = pool.submit(work, task)
                    return future.result()
                except BrokenProcessPool:
                    continue
        return died(task)

    @property
    def _most(self) -> int:
        """How many tasks are under way at once."""
        return self.workers or os.cpu_count() or 1

    def _pool(self, tasks: int) -> "ProcessPoolExecutor":
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        workers = self._most
        # Spawned, not forked: Arrow's threads do not survive a fork.
        context = multiprocessing.get_context("spawn")
        count = max(1, min(workers, tasks or workers))
        return ProcessPoolExecutor(count, mp_context=context, initializer=_begin)


def died(task: "Task") -> ShardReport:
    """Return the report of a task that no worker survived."""
    words = "the worker process died each time (killed, or out of memory)"
    return ShardReport(task.stage, task.shard, error=words)


@contextmanager
def _out_of_reach() -> Iterator[None]:
    """Start processes that a terminal's Ctrl-C does not reach: who started them stops them.

    They inherit that SIGINT is blocked, so not even their first imports break off with a trace.
    """
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    from multiprocessing import resource_tracker

    # Started now, since it unblocks the signal when it starts.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _ended_when_abandoned(others: "Set[BaseProcess]") -> Iterator[None]:
    """End the workers at once when nobody waits for them any more: after Ctrl-C, on a full disk.

    A file they were writing is not there, or is whole: it is moved into place in one step. The
    others are processes that were there before them.
    """
    from multiprocessing import active_children

    try:
        yield
    except BaseException:
        for worker in [each for each in active_children() if each not in others]:
            worker.terminate()
        raise


def _begin() -> None:
    """Make a new process a worker."""
    _end_with_parent()
    work_lean()


# Garbage is looked for as in a command: little of what is made goes in circles.
_SELDOM = (50_000, 5, 10)


def done_lean(work: Work, task: "Task") -> ShardReport:
    """Do a task in a process that is for nothing else."""
    work_lean()
    return work(task)


def done_among_others(work: Work, task: "Task") -> ShardReport:
    """Do a task in a process that others may use for their work: it is left as it was."""
    before = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        return work(task)
    finally:
        if before != _SELDOM:  # else another thread has set it, and sets it back
            gc.set_threshold(*before)


@cache
def work_lean() -> None:
    """Spare a worker, once, what takes an eighth of its time and nobody asks for."""
    gc.set_threshold(*_SELDOM)
    # Arrow loads pandas, where that is installed, when it is given the first Python object.
    import pyarrow

    sys.meta_path.insert(0, _WithoutPandas)
    try:
        pyarrow.array([""])
    finally:
        sys.meta_path.remove(_WithoutPandas)


class _WithoutPandas:
    """Where Python looks for modules: says of pandas that it is not there."""

    @staticmethod
    def find_spec(name: str, *about: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)


def _end_with_parent() -> None:
    """Let a worker end when the process that started it is killed, instead of waiting for ever."""
    import threading
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_wait_and_exit, args=(parent.sentinel,), daemon=True).start()


def _wait_and_exit(sentinel: int) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)


FATAL = "fatal"
STAGE_ERROR = "stage-error"
_NOWHERE = -1
_DEATHS = 2
_NUMBER = struct.Struct("<q")


@dataclass(frozen=True, slots=True)
class Told:
    """What a file says: the page under way, the one that is suspected, and those known as fatal."""

    at: int = _NOWHERE
    suspect: int = _NOWHERE
    deaths: int = 0
    fatal: tuple[int, ...] = ()

    def after_death(self) -> "Told":
        """Return what is known when another process begins."""
        if self.at == _NOWHERE:
            return self
        deaths = self.deaths + 1 if self.at == self.suspect else 1
        if deaths < _DEATHS:
            return replace(self, at=_NOWHERE, suspect=self.at, deaths=deaths)
        return Told(fatal=(*self.fatal, self.at))


def path_beside(output: Path) -> Path:
    """Return where it is written down, beside the layer that is being made."""
    return output.with_name(f".{output.stem}.under-way")


def read_told(output: Path) -> Told:
    """Return what the process before left, or nothing."""
    try:
        numbers = [number for (number,) in _NUMBER.iter_unpack(path_beside(output).read_bytes())]
        at, suspect, deaths, *fatal = numbers
    except (OSError, ValueError, struct.error):
        return Told()
    return Told(at, suspect, deaths, tuple(fatal))


class Underway:
    """Writes down the number of each page before it is read; used as a context."""

    def __init__(self, output: Path) -> None:
        self._path = path_beside(output)
        self.told = read_told(output).after_death()
        self._file = -1

    def __enter__(self) -> "Underway":
        self._path.parent.mkdir(parents=True, exist_ok=True)
        told = self.told
        numbers = (_NOWHERE, told.suspect, told.deaths, *told.fatal)
        self._path.write_bytes(b"".join(map(_NUMBER.pack, numbers)))
        self._file = os.open(self._path, os.O_WRONLY)
        return self

    def begin(self, number: int) -> bool:
        """Write down which page comes; return False if it is known as fatal."""
        if number in self.told.fatal:
            return False
        # A few bytes at the beginning of the file: what is written is there after any death.
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, _NUMBER.pack(number))
        return True

    def end(self) -> None:
        """Write down that no page is being read: what ends the process now is no page's fault."""
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, _NUMBER.pack(_NOWHERE))

    def __exit__(self, *error: object) -> None:
        os.close(self._file)
        self._path.unlink(missing_ok=True)


def fatal_documents(text: Path) -> dict[str, Verdict]:
    """Return the documents of a text layer's file at which later stages ended, with the verdict."""
    lines = _fatal_lines(text)
    return {name: verdict for name, verdict, _ in map(_read_line, lines) if name}


def watched(
    documents: Iterable[Document], text: Path, stage: str, output: Path
) -> Iterator[Document]:
    """Yield documents for a stage, each written down first; those known as fatal have failed."""
    known = _still_fatal(text)
    with Underway(output) as underway:
        for number, document in enumerate(documents):
            if not underway.begin(number) and document.id not in known:
                known[document.id] = failed(stage, FATAL)
                _note(text, f"{stage}\t{document.id}")
            yield _settled(document, known)
        underway.end()


def settled(documents: Iterable[Document], text: Path) -> Iterator[Document]:
    """Yield documents for a stage that reads many at once; those known as fatal have failed."""
    known = _still_fatal(text)
    return (_settled(document, known) for document in documents)


def with_error(document: Document, stage: str, words: str) -> Document:
    """Return a document at which a stage failed."""
    return replace(document, verdict=failed(stage, STAGE_ERROR, detail=words))


def note_errors(text: Path, stage: str, words_of: Mapping[str, str]) -> None:
    """Remember at which documents a stage failed, for the stages that follow and the ledger."""
    for name, words in words_of.items():
        _note(text, f"{stage}\t{name}\t{_version()}\t{' '.join(words.split())}")


def forget_errors(text: Path, stage: str) -> None:
    """Forget at which documents a stage of another version failed: it has done them now."""
    lines = _fatal_lines(text)
    left = [line for line in lines if not _is_outdated(line, stage)]
    if left != lines:
        write_text(_fatal_path(text), "".join(f"{line}\n" for line in left))


def _is_outdated(line: str, stage: str = "") -> bool:
    _, verdict, version = _read_line(line)
    return version not in ("", _version()) and stage in ("", verdict.stage)


def _still_fatal(text: Path) -> dict[str, Verdict]:
    """Return what fails without a try: all but errors of another version of izwi."""
    lines = [line for line in _fatal_lines(text) if not _is_outdated(line)]
    return {name: verdict for name, verdict, _ in map(_read_line, lines) if name}


def _fatal_lines(text: Path) -> list[str]:
    try:
        return _fatal_path(text).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def _read_line(line: str) -> tuple[str, Verdict, str]:
    """Return the document that a line names, its verdict, and which version it failed with."""
    stage, name, version, words = (line.split("\t", 3) + [""] * 3)[:4]
    reason = STAGE_ERROR if version else FATAL
    return name, failed(stage, reason, detail=words), version


def _settled(document: Document, known: Mapping[str, Verdict]) -> Document:
    verdict = known.get(document.id)
    return replace(document, verdict=verdict) if verdict else document


def _note(text: Path, line: str) -> None:
    lines = [*_fatal_lines(text), line]
    write_text(_fatal_path(text), "".join(f"{each}\n" for each in lines))


def _version() -> str:
    return plugins.version("izwi")


def _fatal_path(text: Path) -> Path:
    return text.with_name(f".{text.stem}.fatal")
