"""Tasks on other machines: a Dask cluster, also one that does not see the corpus folder.

The cluster runs somewhere already, or is one of this machine's processes. Workers need this package
and what they work on: the corpus folder, or its object store. A worker that dies is replaced by
Dask, its task is tried again; a task that kills every worker it is given to is reported alone.

Where the folder is not seen, files go by way of its object store. What a task reads is put below
the corpus's address, under `work/`, unless it lies there already; the worker fetches it into a
folder of its own, does the task, and puts there what it made; and the process that runs the build
fetches that into the corpus folder. So the folder is whole after every task, as if it had been done
here, and `work/` is emptied at the end. What asks all hashes at once stays where the folder is: it
is little work on much data.
"""

import importlib
import logging
import os
import platform
import tempfile
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property, partial
from importlib.metadata import version
from itertools import filterfalse
from pathlib import Path
from typing import Any

from izwi.model.errors import BuildError, CorruptShard, MissingExtra
from izwi.model.results import ShardReport
from izwi.pipeline.runners import Processes, Work, died, done_among_others, done_lean
from izwi.pipeline.shard import Task, run_shard
from izwi.store.files import TEMPORARY, FileState, file_state, write_text
from izwi.store.objects import Files, Listing, Objects, below, mark_copy
from izwi.store.ownership.library import asked_by_judge
from izwi.store.ownership.shard_runs import read_run_digest, shard_run_folder
from izwi.store.sums import digest_of

# Until a scheduler answers and a first worker is there.
_PATIENCE_SECONDS = 30
# Until one is there again: killed workers start anew, slowly where others work, too.
_RETURN_SECONDS = 120
# How a cluster of this machine differs from Dask's usual one.
_OWN_CLUSTER = {
    # Dask gives a worker up for good that takes longer to start again, as on a busy machine.
    "distributed.deploy.lost-worker-timeout": "1h",
    # Memory given back at every turn is asked for again at the next: a tenth of the time.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
    # What a dashboard would show. Each look takes the interpreter from the work.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
}
_LOOK_SECONDS = 5  # between two looks at whether there still are workers


class Dask:
    """A runner on Dask; one cluster for the whole build."""

    def __init__(self, workers: int = 0, scheduler: str = "") -> None:
        self._workers = workers
        self._scheduler = scheduler
        self._is_entered = False
        self._client: Any = None
        # What is to be closed at the end, the last first.
        self._held = ExitStack()

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
            # Whoever called us may have a cluster of their own: until the end of ours only.
            self._held.enter_context(importlib.import_module("dask").config.set(_OWN_CLUSTER))
            cluster = distributed.LocalCluster(
                n_workers=self._workers or None,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=":0",
                silence_logs=logging.CRITICAL,
            )
            self._held.callback(cluster.close)
            self._client = distributed.Client(cluster)
        self._held.callback(self._client.close)
        try:
            _check_workers(self._client, self._scheduler)
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *about: object) -> None:
        """Leave the cluster; end it if it is our own."""
        self._held.close()
        self._client = None
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
        done = partial(done_among_others if self._scheduler else done_lean, work)
        # Work is done for what it writes: never taken from an earlier result.
        return self._client.submit(done, task, pure=False, retries=retries)

    def _report(self, future: Any, task: Task) -> ShardReport:
        distributed = _distributed()
        try:
            report: ShardReport = future.result()
            return report
        except distributed.KilledWorker:
            return died(task)
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
        if isinstance(versions, str) and versions != wanted:
            raise BuildError(
                f"The worker {worker} has {versions}, this process {wanted}; layers would not be "
                "alike. Install the same version on all workers."
            )


def _versions() -> str:
    python = ".".join(platform.python_version_tuple()[:2])
    return f"izwi {version('izwi')} on Python {python}"


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


def _is_at_home(task: Task) -> bool:
    """Whether a task looks at the hashes of all shards: few of them, or those of a part."""
    asks_itself = task.stage == "judge" and "answers" not in task.inputs
    return asks_itself or task.stage in ("join", "compare", "ask")


@dataclass(frozen=True, slots=True)
class Errand:
    """A task, and where its files are fetched from and put."""

    task: Task
    # May hold a key; what fails is logged with its arguments.
    url: str = field(repr=False)
    root: Path
    # What the worker fetches at once; the rest of what lies there when it is looked at.
    needed: tuple[str, ...]

    @property
    def stage(self) -> str:
        """The stage that is done."""
        return self.task.stage

    @property
    def shard(self) -> str:
        """The shard it is done on."""
        return self.task.shard

    @property
    def trace(self) -> Path:
        """Where it would be written down what is under way."""
        return self.task.trace


@dataclass(frozen=True, slots=True)
class Returned:
    """The report of a task that was done elsewhere, and what it made, with sizes and sums."""

    report: ShardReport
    made: Files


class Elsewhere:
    """A cluster whose workers need not see the folder; where they all do, it is that cluster."""

    def __init__(self, cluster: Dask, root: Path, url: str) -> None:
        self._cluster = cluster
        self._root = root
        self._url = url
        self._work = below(url, "work") if url else ""
        self._is_seen: bool | None = None
        # What lies in `work/`, and how the file was that was sent.
        self._files: Files = {}
        self._states: dict[str, FileState | None] = {}

    def __enter__(self) -> "Elsewhere":
        """Keep the cluster until the end."""
        self._cluster.__enter__()
        return self

    def __exit__(self, *about: object) -> None:
        """Leave the cluster, and nothing of what was exchanged."""
        self._cluster.__exit__()
        if self._is_seen is False:
            with suppress(Exception):  # what is left is removed by the next build
                Objects(self._work).remove_all()

    def map(self, work: Work, tasks: Sequence[Task], *, retries: int = 2) -> Iterator[ShardReport]:
        """Yield the reports as they come; what was made is in the folder by then."""
        if self._is_seen is None and tasks:
            self._is_seen = self._look()
        if self._is_seen or not tasks:
            yield from self._cluster.map(work, tasks, retries=retries)
        else:
            yield from Processes().map(work, list(filter(_is_at_home, tasks)), retries=retries)
            if away := list(filterfalse(_is_at_home, tasks)):
                yield from self._exchanged(away, retries)

    def _look(self) -> bool:
        """Whether all workers see the folder; raise BuildError if they could not do without."""
        sign = self._root / f".{uuid.uuid4().hex}{TEMPORARY}"
        write_text(sign, "izwi build is looking who sees this folder.")
        try:
            blind = self._cluster.blind_to(sign)
        finally:
            sign.unlink(missing_ok=True)
        if not blind:
            return True
        if not self._url:
            raise BuildError(
                f"The worker {blind[0]} does not see {self._root}. Put the corpus on a file system "
                'that all machines share, or name an object store: [store] objects = "s3://..."'
            )
        Objects(self._work).remove_all()
        return False

    def _exchanged(self, tasks: Sequence[Task], retries: int) -> Iterator[ShardReport]:
        objects = Objects(self._work)
        errands = []
        for task in tasks:
            needed, more = self._needs(task)
            self._send(objects, {*needed, *more})
            errands.append(Errand(task, self._work, self._root, tuple(sorted(needed))))
        # A file that was found damaged and removed here is made again, not fetched.
        self._files = {
            name: found
            for name, found in self._files.items()
            if file_state(self._root / name) == self._states[name]
        }
        objects.write_listing(Listing("", "", "", self._files))
        found: Iterator[object] = self._cluster.map(carry_out, errands, retries=retries)  # type: ignore[arg-type]
        for each in found:
            if isinstance(each, Returned):
                self._take(objects, each.made)
                yield each.report
            elif isinstance(each, ShardReport):  # of a task whose workers died
                yield each

    def _needs(self, task: Task) -> tuple[set[str], set[str]]:
        """Return the files that a task reads, and those that it may look into."""
        now = {file for path in _paths(task, self._root) for file in _files_at(path)}
        more: set[Path] = set()
        if task.stage == "judge":
            layer, answers = task.inputs["own"].parent, task.inputs["answers"]
            asked, more = asked_by_judge(layer, task.shard, answers)
            now = {path for path in now if path.parent != answers} | asked
        if task.again is not None and task.stage == "own":
            now |= _files_at(_run_before(task.again.replaced))
        # A raw file may lie in the store only.
        now |= {path for name, path in task.inputs.items() if name == "warc"}
        return self._names(now), self._names(more)

    def _names(self, paths: set[Path]) -> set[str]:
        return {path.relative_to(self._root).as_posix() for path in paths}

    def _send(self, objects: Objects, names: set[str]) -> None:
        for name in sorted(names):
            path = self._root / name
            state = file_state(path)
            if name in self._files and state == self._states[name]:
                continue
            kept = self._kept.files.get(name)
            found = (state[0], digest_of(path)) if state else kept
            if found is None:
                continue  # whoever reads it says that it is missing
            if found == kept:
                objects.copy(name, Objects(self._url))
            else:
                found = objects.put(name, path)
            self._files[name], self._states[name] = found, state

    @cached_property
    def _kept(self) -> Listing:
        """What earlier runs sent to the corpus's address."""
        return Objects(self._url).listing() or Listing("", "", "", {})

    def _take(self, objects: Objects, made: Mapping[str, tuple[int, str]]) -> None:
        """Fetch what a worker made; folders whole, and lists after what they list."""
        for folder, names in _by_new_folder(self._root, sorted(made)):
            inside = folder.with_name(f".{folder.name}{TEMPORARY}") if folder else self._root
            for name in names:
                path = self._root / name
                target = inside / path.relative_to(folder) if folder else path
                objects.get(name, target, made[name])
            if folder:
                inside.rename(folder)
        self._files |= made
        self._states |= {name: file_state(self._root / name) for name in made}


def carry_out(errand: Errand) -> Returned:
    """Do a task on a machine that does not see the folder; run by its worker."""
    objects = Objects(errand.url)
    listing = objects.listing()
    files = listing.files if listing else {}
    with tempfile.TemporaryDirectory(prefix="izwi-work-") as folder:
        here = Path(folder).resolve()
        for name in errand.needed:
            if name in files:
                objects.get(name, here / name, files[name])
        mark_copy(here, errand.url, files)
        before = {path: file_state(path) for path in _files_at(here)}
        report = run_shard(_moved(errand.task, errand.root, here))
        made: Files = {}
        for path in _files_at(here):
            name = path.relative_to(here).as_posix()
            is_new = path not in before or file_state(path) != before[path]
            is_fetched = name in files and path not in before
            if is_new and not is_fetched and not name.endswith(TEMPORARY):
                made[name] = objects.put(name, path)
        return Returned(_moved_words(report, here, errand.root), made)


def _by_new_folder(root: Path, names: Sequence[str]) -> list[tuple[Path | None, list[str]]]:
    """Return files by the outermost folder that is not there yet; those of known folders last."""
    found: dict[Path | None, list[str]] = {}
    for name in names:
        folders = [each for each in (root / name).parents if root in each.parents]
        missing = [each for each in folders if not each.exists()]
        # A layer's own folder is made with its first file; what is inside it comes whole.
        outer = [each for each in missing if len(each.relative_to(root).parts) > 2]
        found.setdefault(outer[-1] if outer else None, []).append(name)
    return sorted(found.items(), key=lambda each: each[0] is None)


def _paths(value: Any, root: Path) -> Iterator[Path]:
    """Yield the paths below a folder that stand anywhere in plain data."""
    if isinstance(value, str | Path):
        if str(value).startswith(f"{root}/"):
            yield Path(value)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if field.name != "output":
                yield from _paths(getattr(value, field.name), root)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _paths(each, root)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _paths(each, root)


def _moved(value: Any, old: Path, new: Path) -> Any:
    """Return plain data with the paths below one folder as those below another."""
    if isinstance(value, str | Path):
        is_below = str(value).startswith(f"{old}/")
        return type(value)(f"{new}{str(value)[len(str(old)) :]}") if is_below else value
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            each.name: _moved(getattr(value, each.name), old, new)
            for each in fields(value)
            if each.init
        }
        is_same = all(each is getattr(value, name) for name, each in changed.items())
        return value if is_same else replace(value, **changed)
    if isinstance(value, Mapping) and any(_paths(value, old)):
        return {name: _moved(each, old, new) for name, each in value.items()}
    if isinstance(value, tuple | list) and any(_paths(value, old)):
        return type(value)(_moved(each, old, new) for each in value)
    return value


def _moved_words(report: ShardReport, old: Path, new: Path) -> ShardReport:
    """Return a report with the paths in its words as those of another folder."""
    words = {
        name: getattr(report, name).replace(f"{old}", f"{new}") for name in ("error", "damaged")
    }
    return replace(report, **words)


def _run_before(listed: Path) -> Path:
    """Return the run of hashes of a list that is kept aside; that file itself if it names none."""
    try:
        digest = read_run_digest(listed)
    except CorruptShard:  # the worker finds out, too, and looks at the whole shard
        return listed
    return shard_run_folder(listed.parent.parent, listed.stem, digest)


def _files_at(path: Path) -> set[Path]:
    """Return a file with what is noted beside it, or all files of a folder."""
    if path.is_dir():
        return {each for each in path.rglob("*") if each.is_file()}
    beside = path.with_name(f".{path.stem}.fatal")
    return {each for each in (path, beside) if each.is_file()}
