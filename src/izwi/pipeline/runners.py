"""Where tasks run: in this process, or in several that survive the death of one."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol, TypeAlias

from izwi.model.results import ShardReport
from izwi.pipeline.underway import read_told

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
        yield from self._together(work, left)
        # A killed worker takes its pool down; what was under way is done one task a pool, so that
        # only the task that kills its worker is blamed.
        for task in left:
            yield self._alone(work, task, retries)

    def _together(self, work: Work, left: "list[Task]") -> Iterator[ShardReport]:
        import multiprocessing
        from concurrent.futures import as_completed
        from concurrent.futures.process import BrokenProcessPool

        if not left:
            return
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
        return ShardReport(
            task.stage,
            task.shard,
            error="the worker process died each time (killed, or out of memory)",
        )

    def _pool(self, tasks: int) -> "ProcessPoolExecutor":
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        workers = self.workers or os.cpu_count() or 1
        # Spawned, not forked: Arrow's threads do not survive a fork.
        context = multiprocessing.get_context("spawn")
        count = max(1, min(workers, tasks or workers))
        return ProcessPoolExecutor(count, mp_context=context, initializer=_end_with_parent)


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
