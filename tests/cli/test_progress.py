import pytest

from izwi.cli import render
from izwi.model.results import Notice, Progress


@pytest.fixture
def heard(capsys):
    """What is printed without a terminal."""

    def hear(*events):
        with render.progress(is_quiet=False) as listener:
            for event in events:
                listener(event)
        return capsys.readouterr().err.splitlines()

    return hear


def test_without_a_terminal_each_finished_step_is_a_line(heard):
    lines = heard(
        Progress("gather", 3), Progress("gather", 60, 60), Progress("extract", 0, 60),
        Progress("extract", 60, 60), Notice("Look out."), Progress("sign", 60, 60),
    )  # fmt: skip

    assert [line.split(",")[0] for line in lines] == [
        "fetch: 60 done", "note: Look out.", "extract: 60 done", "dedup 1/3: 60 done",
    ]  # fmt: skip


def test_steps_of_one_name_are_one_line(heard):
    lines = heard(
        Progress("join", 0), Progress("compare", 0, 7), Progress("ask", 0), Progress("judge", 7, 7)
    )

    assert [line.rsplit(",", 1)[0] for line in lines] == ["dedup 3/3: 7 done"]
