import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from izwi.model.errors import CorpusLocked
from izwi.store.lock import holder, writing

HOLD = """
import sys
from pathlib import Path
from izwi.store.lock import writing

with writing(Path(sys.argv[1]), "izwi gather"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process_holding(path):
    """Let another process hold the lock; it ends well when its input is closed."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"held\n"
        yield process
        process.stdin.close()
        process.wait(10)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "news" / "corpus.lock"


def test_second_taker_is_told_who_holds_the_corpus(path):
    with another_process_holding(path) as other:
        with pytest.raises(CorpusLocked) as caught, writing(path, "izwi build"):
            pass
        words = holder(path)

    assert str(path.parent) in str(caught.value)
    assert "'izwi gather'" in str(caught.value)
    assert f"process {other.pid}" in str(caught.value)
    assert "Wait until it ends" in str(caught.value)
    assert words in str(caught.value)


def test_lock_is_free_when_its_holder_ends(path):
    with another_process_holding(path):
        pass

    with writing(path, "izwi build"):
        assert path.read_text().startswith("'izwi build' of ")


def test_lock_is_free_when_its_holder_is_killed(path):
    with another_process_holding(path) as other:
        other.send_signal(signal.SIGKILL)
        other.wait(10)

        # The dead process could not take back its signature; it counts for nothing.
        assert path.read_text() != ""
        assert holder(path) == ""
        with writing(path, "izwi build"):
            assert f"process {os.getpid()}" in path.read_text()


def test_second_taker_in_the_same_process_is_refused_too(path):
    with (
        writing(path, "izwi gather"),
        pytest.raises(CorpusLocked, match="izwi gather"),
        writing(path, "izwi build"),
    ):
        pass


def test_refused_taker_does_not_disturb_the_holder(path):
    with writing(path, "izwi gather"):
        with pytest.raises(CorpusLocked), writing(path, "izwi build"):
            pass
        after = holder(path)

    assert after.startswith("'izwi gather'")


def test_signature_is_taken_back_at_the_end(path):
    with writing(path, "izwi build"):
        pass

    assert path.read_text() == ""
    assert holder(path) == ""


def test_lock_is_freed_by_a_failure(path):
    with pytest.raises(KeyError), writing(path, "izwi build"):
        raise KeyError

    with writing(path, "again"):
        assert holder(path).startswith("'again'")


def test_nobody_holds_a_lock_that_was_never_made(path):
    assert holder(path) == ""
    assert not path.exists()
