import json
import logging
from datetime import UTC, datetime

import pytest

from izwi.model.errors import CorpusLocked
from izwi.model.results import Notice, Progress, ShardReport, ignore
from izwi.service import runs
from izwi.service.runs import run_state, running
from izwi.store import lock
from izwi.store.layout import Layout


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path)


@pytest.fixture(autouse=True)
def _quiet_logger():
    """Leave the level of izwi's logger as it was."""
    logger = logging.getLogger("izwi")
    level = logger.level
    yield
    logger.setLevel(level)


@pytest.fixture
def stopped_clock(monkeypatch):
    class Stopped(datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2026, 11, 15, 9, 12, 4, tzinfo=tz)

    monkeypatch.setattr(runs, "datetime", Stopped)


def report_in(folder):
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


def log_in(folder):
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def only_run(layout):
    (folder,) = layout.runs.iterdir()
    return folder


@pytest.mark.usefixtures("stopped_clock")
def test_a_run_leaves_a_report_and_a_log(layout):
    with running(layout, "build", ignore) as run:
        run.hear(ShardReport("extract", "2026-11-15-0001", rows=3, kept=2, dropped=1))

    folder = layout.runs / "2026-11-15T09-12-04"
    report = report_in(folder)
    assert (report["run"], report["command"]) == ("2026-11-15T09-12-04", "build")
    assert report["started"] == "2026-11-15T09:12:04+00:00"
    assert report["failures"] == report["warnings"] == []
    (line,) = log_in(folder)
    assert (line["level"], line["message"], line["shard"]) == (
        "INFO",
        "shard done",
        "2026-11-15-0001",
    )


@pytest.mark.usefixtures("stopped_clock")
def test_runs_of_the_same_second_get_folders_of_their_own(layout):
    for _ in range(3):
        with running(layout, "gather", ignore):
            pass

    names = sorted(folder.name for folder in layout.runs.iterdir())
    assert names == ["2026-11-15T09-12-04", "2026-11-15T09-12-04-2", "2026-11-15T09-12-04-3"]
    assert [report_in(layout.runs / name)["run"] for name in names] == names


def test_an_error_inside_is_raised_and_reported(layout):
    with pytest.raises(ValueError, match="the dam is empty"), running(layout, "gather", ignore):
        raise ValueError("the dam is empty")

    assert report_in(only_run(layout))["failures"] == ["the dam is empty"]


def test_a_run_that_is_interrupted_leaves_a_report(layout):
    with pytest.raises(KeyboardInterrupt), running(layout, "gather", ignore):
        raise KeyboardInterrupt

    assert report_in(only_run(layout))["command"] == "gather"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, None])
def test_a_run_lets_go_of_lock_and_log_however_it_ends(layout, error):
    handlers = list(logging.getLogger("izwi").handlers)

    try:
        with running(layout, "build", ignore):
            assert "izwi build" in lock.holder(layout.lock)
            if error:
                raise error
    except (ValueError, KeyboardInterrupt):
        pass

    assert lock.holder(layout.lock) == ""
    assert logging.getLogger("izwi").handlers == handlers


def test_two_runs_at_once_are_refused(layout):
    with (
        running(layout, "gather", ignore),
        pytest.raises(CorpusLocked, match=r"is being written by 'izwi gather' of "),
        running(layout, "build", ignore),
    ):
        pass

    assert len(list(layout.runs.iterdir())) == 1


def test_events_are_passed_on_in_order(layout):
    heard = []
    events = [Progress("extract", 1, 2), Notice("Café: 100% full"), ShardReport("sign", "s")]

    with running(layout, "build", heard.append) as run:
        for event in events:
            run.hear(event)

    assert heard == events


def test_notices_become_warnings_of_the_report_once(layout):
    with running(layout, "build", ignore) as run:
        for _ in range(2):
            run.hear(Notice("Café: 100% full"))

    folder = only_run(layout)
    assert report_in(folder)["warnings"] == ["Café: 100% full"]
    assert [(line["level"], line["message"]) for line in log_in(folder)] == [
        ("WARNING", "Café: 100% full")
    ] * 2


def test_progress_is_not_logged(layout):
    with running(layout, "build", ignore) as run:
        run.hear(Progress("extract", 1, 2))

    assert log_in(only_run(layout)) == []


def test_whoever_looks_sees_what_each_stage_has_done_so_far(layout):
    with running(layout, "build", ignore) as run:
        for shard, kept in (("a", 3), ("b", 4)):
            run.hear(ShardReport("sift", shard, rows=5, kept=kept, dropped=5 - kept))
        run.hear(Progress("sift", 2, 2))
        seen = run_state(layout, only_run(layout).name)

    assert seen.stages == {"sift": {"rows": 10, "kept": 7, "dropped": 3, "failed": 0}}


def test_the_time_a_run_took_is_reported(layout, monkeypatch):
    ticks = iter([100.0, 107.25])
    monkeypatch.setattr(runs.time, "perf_counter", lambda: next(ticks))

    with running(layout, "build", ignore):
        pass

    assert report_in(only_run(layout))["seconds"] == 7.25


def test_a_log_line_has_its_time_in_utc(layout):
    before = datetime.now(UTC).replace(microsecond=0)
    with running(layout, "build", ignore):
        logging.getLogger("izwi.tests").info("hello")

    (line,) = log_in(only_run(layout))
    assert before <= datetime.fromisoformat(line["time"]) <= datetime.now(UTC)
    assert line["logger"] == "izwi.tests"


def test_a_report_that_cannot_be_written_does_not_hide_the_first_error(layout):
    def fail_twice():
        with running(layout, "build", ignore):
            (only_run(layout) / "report.json" / "in-the-way").mkdir(parents=True)
            raise ValueError("first")

    with pytest.raises(ValueError, match="first"):
        fail_twice()

    assert (only_run(layout) / "report.json").is_dir()
