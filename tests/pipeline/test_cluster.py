"""Builds on Dask: the same layers as in one process, also when workers are killed."""

import gc
import importlib.util
import os
import random
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from izwi.model.errors import BuildError, ConfigError
from izwi.pipeline import cluster
from izwi.pipeline.cluster import Dask
from tests.pipeline.pages import Corpus, page, settings
from tests.pipeline.test_runners import (
    be_killed_at_two,
    be_killed_once,
    square,
    tasks,
    tell_what_is_loaded,
)
from tests.store.samples import write_shard

dask = pytest.importorskip("dask", reason="needs izwi[dask]")
distributed = pytest.importorskip("distributed", reason="needs izwi[dask]")
# Dask's own threads and sockets end a moment after it says so.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


ROOT = Path(__file__).parents[2]
# Its workers end with it, since they are threads of the same process.
SCHEDULER = """
import threading
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(
        2, threads_per_worker=1, host="127.0.0.1", processes=False, protocol="tcp",
        dashboard_address=":0", silence_logs=50,
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        threading.Event().wait()
"""


def wait_for_the_end(task):
    """Do the first task, and never end the others."""
    if task.shard != "0":
        threading.Event().wait()
    return square(task)


def two_processes():
    # On a busy machine a killed worker is back later than Dask waits for it.
    dask.config.set(cluster._OWN_CLUSTER)
    return distributed.LocalCluster(
        2, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0", silence_logs=50
    )


@pytest.fixture(scope="module")
def address():
    """Return the address of a cluster of two processes."""
    with two_processes() as made:
        yield made.scheduler_address


@pytest.fixture
def own_cluster():
    """Return a cluster of two processes that no other test needs: they may be killed."""
    with two_processes() as made:
        yield made


def test_every_task_is_done_once_elsewhere(address):
    reports = list(Dask(scheduler=address).map(square, tasks(5)))

    assert sorted((int(each.shard), each.rows) for each in reports) == [(n, n**2) for n in range(5)]
    assert os.getpid() not in {each.tokens for each in reports}


def test_workers_of_our_own_are_as_lean_as_processes():
    pytest.importorskip("pandas")
    before = dask.config.get("distributed.worker.profile.enabled", default=None)

    (report,) = Dask(1).map(tell_what_is_loaded, tasks(1))

    assert (report.error, report.rows) == ("", 50_000)
    assert dask.config.get("distributed.worker.profile.enabled", default=None) == before


def test_processes_of_somebody_elses_cluster_are_left_as_they_were(address):
    with distributed.Client(address) as client:
        before = client.run(gc.get_threshold)

        (report,) = Dask(scheduler=address).map(tell_what_is_loaded, tasks(1))

        assert report.rows == 50_000
        assert client.run(gc.get_threshold) == before
        if importlib.util.find_spec("pandas"):
            assert client.submit(rows_of_a_frame).result() == 2


def rows_of_a_frame():
    """Return how many rows a table of Arrow's has as one of pandas'."""
    import pyarrow

    return len(pyarrow.table({"a": [1, 2]}).to_pandas())


def test_task_whose_worker_was_killed_once_is_tried_again(own_cluster, tmp_path):
    address = own_cluster.scheduler_address
    reports = list(Dask(scheduler=address).map(be_killed_once, tasks(3, folder=tmp_path)))

    assert sorted(each.shard for each in reports) == ["0", "1", "2"]
    assert [each.error for each in reports] == ["", "", ""]


def test_workers_that_all_went_away_are_one_sentence(own_cluster, monkeypatch):
    runner = Dask(scheduler=own_cluster.scheduler_address)
    reports = runner.map(wait_for_the_end, tasks(3))

    with runner:
        first = next(reports)
        monkeypatch.setattr(cluster, "_RETURN_SECONDS", 1)
        own_cluster.scale(0)
        with pytest.raises(BuildError, match="all of its workers; what was done is kept"):
            next(reports)
    assert first.rows == 0


def test_task_that_kills_its_worker_is_blamed_alone(own_cluster):
    address = own_cluster.scheduler_address
    reports = {each.shard: each for each in Dask(scheduler=address).map(be_killed_at_two, tasks(4))}

    assert [each.shard for each in reports.values() if each.error] == ["2"]
    assert "the worker process died each time" in reports["2"].error
    assert reports["3"].rows == 9


def test_scheduler_that_is_not_there_is_one_sentence(monkeypatch):
    monkeypatch.setattr(cluster, "_PATIENCE_SECONDS", 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"tcp://127.0.0.1:{free.getsockname()[1]}"

    with pytest.raises(BuildError, match=r"scheduler at tcp://.* cannot be reached"):
        list(Dask(scheduler=nobody).map(square, tasks(2)))


def test_worker_with_another_version_is_one_sentence(address, monkeypatch):
    monkeypatch.setattr(cluster, "version", lambda name: "0.0.1")

    with pytest.raises(BuildError, match=r"has izwi .* this process izwi 0\.0\.1"):
        list(Dask(scheduler=address).map(square, tasks(2)))


def test_scheduler_that_is_killed_is_one_sentence(tmp_path):
    script = tmp_path / "scheduler.py"
    script.write_text(SCHEDULER)
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "src")))
    environment = os.environ | {"PYTHONPATH": paths}
    command = [sys.executable, script]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        runner = Dask(scheduler=started.stdout.readline().strip())
        reports = runner.map(wait_for_the_end, tasks(3))
        with runner:
            first = next(reports)
            started.kill()
            with pytest.raises(
                BuildError, match="was lost, or all of its workers; what was done is kept"
            ):
                next(reports)
    finally:
        started.kill()
        started.wait()

    assert first.shard == "0"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('runner = "dask"\nscheduler = "10.0.0.1"', "is not an address such as tcp://"),
        ('scheduler = "tcp://10.0.0.1:8786"', 'scheduler is for runner = "dask"'),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(lines, words):
    with pytest.raises(ConfigError, match=words):
        settings(build=lines)


def made_layers(corpus):
    """Return the bytes of every layer by its name."""
    paths = sorted(corpus.layout.layers.glob("*/*.parquet"))
    return {path.relative_to(corpus.layout.root).as_posix(): path.read_bytes() for path in paths}


def test_layers_are_those_of_one_process_also_when_workers_are_killed(address, tmp_path):
    corpora = Corpus(tmp_path / "serial"), Corpus(tmp_path / "dask")
    for corpus in corpora:
        for shard in range(5):
            write_shard(
                corpus.layout,
                f"2026-11-15-{shard + 1:04d}",
                [page(f"{shard}-{n}", f"cows{shard}{n}") for n in range(4)],
            )
    config = settings()
    corpora[0].build(config)
    is_over = threading.Event()

    killer = threading.Thread(target=_kill_workers, args=(address, is_over))
    killer.start()
    try:
        result = corpora[1].build(config, runner=Dask(scheduler=address))
    finally:
        is_over.set()
        killer.join()

    assert result.failures == ()
    assert made_layers(corpora[1]) == made_layers(corpora[0])
    assert result.snapshot.documents == 20


def _kill_workers(address, is_over):
    """Kill three workers, each some time into the build."""
    dice = random.Random(22)
    with distributed.Client(address) as client:
        for _ in range(3):
            if is_over.wait(0.3 + dice.random() / 2):
                return
            pids = list(client.run(os.getpid, on_error="ignore").values())
            if pids:
                os.kill(dice.choice(pids), signal.SIGKILL)
