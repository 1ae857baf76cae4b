import gc
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from izwi.model.errors import DiskFull
from izwi.model.results import ShardReport
from izwi.pipeline.runners import Processes, Serial
from izwi.pipeline.shard import Task
from tests.waiting import until


def tasks(number, config=None, folder=Path()):
    return [Task("text", "text", str(n), config, {}, folder / str(n)) for n in range(number)]


# What workers do; they find these functions by name, so they stand at the level of the module.


def square(task):
    return ShardReport(task.stage, task.shard, rows=int(task.shard) ** 2, tokens=os.getpid())


def tell_what_is_loaded(task):
    """Make the first list of Arrow's; tell whether pandas came with it, and how seldom garbage."""
    import pyarrow

    pyarrow.array([""])
    words = "pandas" if "pandas" in sys.modules else ""
    return ShardReport(task.stage, task.shard, error=words, rows=gc.get_threshold()[0])


def be_killed_at_two(task):
    if task.shard == "2":
        os.kill(os.getpid(), signal.SIGKILL)
    return square(task)


def be_killed_once(task):
    if task.shard == "1" and not task.output.exists():
        task.output.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return square(task)


def meet_a_full_disk(task):
    if task.shard == "0":
        raise DiskFull("The disk is full.")
    work_for_ever(task)


def work_for_ever(task):
    task.output.touch()
    threading.Event().wait()


RUNNERS = {"serial": Serial(), "processes": Processes(2)}


@pytest.mark.parametrize("runner", RUNNERS.values(), ids=RUNNERS)
def test_every_task_is_done_once(runner):
    reports = list(runner.map(square, tasks(5)))

    assert sorted((int(report.shard), report.rows) for report in reports) == [
        (n, n**2) for n in range(5)
    ]


def test_serial_keeps_the_order_and_the_process():
    reports = list(Serial().map(square, tasks(3)))

    assert [report.shard for report in reports] == ["0", "1", "2"]
    assert {report.tokens for report in reports} == {os.getpid()}


def test_processes_work_elsewhere():
    reports = list(Processes(2).map(square, tasks(2)))

    assert os.getpid() not in {report.tokens for report in reports}


def test_workers_neither_load_pandas_nor_look_for_garbage_more_often_than_a_command():
    pytest.importorskip("pandas")

    (report,) = Processes(1).map(tell_what_is_loaded, tasks(1))

    assert (report.error, report.rows) == ("", 50_000)


@pytest.mark.parametrize("runner", RUNNERS.values(), ids=RUNNERS)
def test_nothing_to_do_is_nothing_done(runner):
    assert list(runner.map(square, [])) == []


def test_task_that_kills_its_worker_is_blamed_alone():
    reports = {
        report.shard: report for report in Processes(2).map(be_killed_at_two, tasks(4), retries=1)
    }

    assert set(reports) == {"0", "1", "2", "3"}
    assert "the worker process died each time" in reports["2"].error
    assert [report.shard for report in reports.values() if report.error] == ["2"]
    assert reports["3"].rows == 9


def test_task_whose_worker_was_killed_once_is_tried_again(tmp_path):
    reports = list(Processes(2).map(be_killed_once, tasks(3, folder=tmp_path)))

    assert sorted(report.shard for report in reports) == ["0", "1", "2"]
    assert [report.error for report in reports] == ["", "", ""]


def test_what_was_not_under_way_when_a_worker_was_killed_is_done_together(tmp_path):
    reports = list(Processes(2).map(be_killed_once, tasks(14, folder=tmp_path)))

    assert sorted(int(report.shard) for report in reports) == list(range(14))
    # Those of two pools, and those that did alone what may have killed the first one.
    assert len({report.tokens for report in reports}) <= 6


@pytest.mark.parametrize("runner", RUNNERS.values(), ids=RUNNERS)
def test_full_disk_stops_all_work_at_once(runner, tmp_path):
    with pytest.raises(DiskFull, match="The disk is full"):
        list(runner.map(meet_a_full_disk, tasks(60, folder=tmp_path)))

    # Who waited for the others would wait for ever; a third may begin before they are ended.
    assert len(list(tmp_path.iterdir())) <= 3


INTERRUPTED = """
import sys
from pathlib import Path
from izwi.pipeline.runners import Processes
from tests.pipeline.test_runners import tasks, work_for_ever

try:
    list(Processes(2).map(work_for_ever, tasks(2, folder=Path(sys.argv[1]))))
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
def test_ctrl_c_ends_the_workers_at_once_and_without_a_trace(tmp_path):
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path)]
    started = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=Path(__file__).parents[2],
        # Shells that start tests in the background have Ctrl-C ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    until(lambda: len(list(tmp_path.iterdir())) == 2, started)
    os.killpg(started.pid, signal.SIGINT)  # as a terminal does: all of them hear it
    told, errors = started.communicate()

    assert told == "interrupted\n"
    assert errors == ""
