import os

import pytest

from izwi.cli import progress
from izwi.model.results import Notice, Progress
from izwi.pipeline import compiling


@pytest.fixture
def heard(capsys):
    """What is printed without a terminal."""

    def hear(*events):
        with progress.progress(is_quiet=False) as listener:
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
        "gathering: 60 done", "note: Look out.", "reading text: 60 done", "comparing",
    ]  # fmt: skip


def test_compiling_is_said_once(heard):
    lines = heard(Progress("compile", 0), Progress("extract", 1, 1), Progress("compile", 0))

    assert [line for line in lines if "Compiling" in line] == [progress._COMPILING]


def test_what_was_compiled_is_looked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not compiling.is_compiled()

    kept = tmp_path / "text_1" / "scan.blocks-1.py311.nbi"
    kept.parent.mkdir()
    kept.touch()
    assert compiling.is_compiled()

    os.utime(kept, (0, 0))  # older than the module: it is compiled again
    assert not compiling.is_compiled()
