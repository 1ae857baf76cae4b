"""Tasks on a Dask cluster: one that runs somewhere already, or one of this machine's processes.

Workers need this package and what they work on: the corpus folder, or its object store. A worker
that dies is replaced by Dask, its task is tried again; a task that kills every worker it is given
to is reported alone.
"""

import importlib
import logging
import os
import platform
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Any

from izwi.model.errors import BuildError, MissingExtra
from izwi.model.results import ShardReport
from izwi.pipeline.runners import Work
from izwi.pipeline.shard import Task

# Until a scheduler answers and a first worker is there.
_PATIENCE_SECONDS = 30
# Until one is there again: killed workers start anew, slowly where others work, too.
_RETURN_SECONDS = 120
# Dask gives a worker up for good that takes longer to start again than 15 s, as on a busy machine.
_KEEP_STARTING = {"distributed.deploy.lost-worker-timeout": "1h"}
# Between two looks at whether there still are workers.
_LOOK_SECONDS = 5


class Dask:
    """A runner on Dask; one cluster for the whole build."""

    def __init__(self, workers: int = 0, scheduler: str = "") -> None:
        self._workers = workers
        self._scheduler = scheduler
        self._is_entered = False
        self._client: Any = None
        self._cluster: Any = None

    def __enter__(self) -> "Dask":
        """Keep the cluster, from the first task on, until the end."""
        self._is_entered = True
        return self

    def _connect(self) -> None:
        """Connect; raise BuildError in one sentence if that cannot be done."""
        distributed = _distributed()
        if self._scheduler:
            self._client = _connected(distributed, self._scheduler)
        else:
            importlib.import_module("dask").config.set(_KEEP_STARTING)
            self._cluster = distributed.LocalCluster(
                n_workers=self._workers or None,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=":0",
                silence_logs=logging.CRITICAL,
            )
            self._client = distributed.Client(self._cluster)
        try:
            _check_workers(self._client, self._scheduler)
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *about: object) -> None:
        """Leave the cluster; end it if it is our own."""
        for each in (self._client, self._cluster):
            if each is not None:
                each.close()
        self._client = self._cluster = None
        self._is_entered = False

    def blind_to(self, path: Path) -> list[str]:
        """Return the workers that do not see a file; a cluster of this machine sees all."""
        if not self._scheduler:
            return []
        with self if not self._is_entered else nullcontext():
            if self._client is None:
                self._connect()
            found = self._client.run(os.path.exists, str(path), on_error="return")
            return [worker for worker, is_seen in found.items() if is_seen is False]

    def map(self, work: Work, tasks: Sequence[Task], *, retries: int = 2) -> Iterator[ShardReport]:
        """Yield the reports as they come."""
        if not tasks:
            return
        if not self._is_entered:
            with self:
                yield from self.map(work, tasks, retries=retries)
            return
        if self._client is None:
            self._connect()
        yield from self._mapped(work, tasks, retries)

    def _mapped(self, work: Work, tasks: Sequence[Task], retries: int) -> Iterator[ShardReport]:
        distributed = _distributed()
        task_by_future = {self._submitted(work, task, retries): task for task in tasks}
        try:
            with _watched(self._client, lambda: list(task_by_future)):
                for future in distributed.as_completed(list(task_by_future)):
                    yield self._report(future, task_by_future.pop(future))
        except OSError as error:  # as Dask says that a connection is gone
            raise BuildError(_lost(self._scheduler)) from error
        finally:  # an error that stops the run, or Ctrl-C, stops what waits, too
            if task_by_future and self._client is not None:
                self._client.cancel(list(task_by_future), force=True)

    def _submitted(self, work: Work, task: Task, retries: int) -> Any:
        # Work is done for what it writes: never taken from an earlier result.
        return self._client.submit(work, task, pure=False, retries=retries)

    def _report(self, future: Any, task: Task) -> ShardReport:
        distributed = _distributed()
        try:
            report: ShardReport = future.result()
            return report
        except distributed.KilledWorker:
            words = "the worker process died each time (killed, or out of memory)"
            return ShardReport(task.stage, task.shard, error=words)
        except distributed.CancelledError as error:
            raise BuildError(_lost(self._scheduler)) from error


@contextmanager
def _watched(client: Any, waiting: Callable[[], list[Any]]) -> Iterator[None]:
    """Give up what waits once no worker has been there for long: Dask itself waits for ever."""
    ended = threading.Event()

    def watch() -> None:
        alone = 0
        while not ended.wait(_LOOK_SECONDS):
            try:
                alone = 0 if client.nthreads() else alone + _LOOK_SECONDS
            except (OSError, RuntimeError):  # the scheduler is gone: whoever waits hears it, too
                return
            if alone >= _RETURN_SECONDS:
                client.cancel(waiting(), force=True)
                return

    looking = threading.Thread(target=watch, name="izwi-workers", daemon=True)
    looking.start()
    try:
        yield
    finally:
        ended.set()
        looking.join(_LOOK_SECONDS)


def _connected(distributed: Any, scheduler: str) -> Any:
    try:
        return distributed.Client(scheduler, timeout=_PATIENCE_SECONDS)
    except (OSError, ValueError, TimeoutError) as error:
        raise BuildError(
            f"The scheduler at {scheduler} cannot be reached ({type(error).__name__}). Start one: "
            "dask scheduler; or leave `scheduler` empty for a cluster of this machine."
        ) from error


def _check_workers(client: Any, scheduler: str) -> None:
    """Raise BuildError if there is no worker, or one that would make other layers than we do."""
    try:
        client.wait_for_workers(1, timeout=_PATIENCE_SECONDS)
        # A worker that ends just now is no reason to stop.
        found = client.run(_versions, on_error="return")
    except TimeoutError as error:
        raise BuildError(
            f"The scheduler at {scheduler or 'this machine'} has no workers. Start some: "
            f"dask worker {scheduler}"
        ) from error
    wanted = _versions()
    for worker, versions in found.items():
        if isinstance(versions, ImportError):
            raise BuildError(f"The worker {worker} has no izwi installed ({versions}).")
        if isinstance(versions, tuple) and versions != wanted:
            raise BuildError(
                f"The worker {worker} has {_told(versions)}, this process {_told(wanted)}; layers "
                "would not be alike. Install the same version on all workers."
            )


def _versions() -> tuple[str, str]:
    return version("izwi"), ".".join(platform.python_version_tuple()[:2])


def _told(versions: tuple[str, str]) -> str:
    return f"izwi {versions[0]} on Python {versions[1]}"


def _lost(scheduler: str) -> str:
    return (
        f"The scheduler at {scheduler or 'this machine'} was lost, or all of its workers; what was "
        "done is kept. Run the same command again."
    )


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError as error:
        raise MissingExtra("The runner 'dask' needs Dask. Try: pip install izwi[dask]") from error
