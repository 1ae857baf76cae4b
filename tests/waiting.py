"""Waits for what a test expects, as long as the test itself may take."""

import subprocess
import time
from collections.abc import Callable


def until(condition: Callable[[], object], process: "subprocess.Popen[str] | None" = None) -> None:
    """Wait until something is so; fail if the process that should bring it about has ended.

    There is no limit of its own: a busy machine takes longer, and whoever waits in vain is ended by
    the limit of all tests.
    """
    while not _is_so(condition):
        if process is not None and process.poll() is not None and not _is_so(condition):
            raise AssertionError(("it ended before", process.communicate()))
        time.sleep(0.02)


def _is_so(condition: Callable[[], object]) -> bool:
    try:
        return bool(condition())
    except OSError:  # a file that is not there yet
        return False
