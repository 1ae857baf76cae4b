"""Throws inputs at a target in a process of its own.

    python -m tests.fuzz.throwing TARGET SEED COUNT FOLDER

The input under way stands in a file, so that even one that ends the process is known. Ends with
status 1 and the input in the file `case` if there was an error that is not ours, or a time out of
proportion to the input.
"""

import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from itertools import islice
from pathlib import Path

from tests.fuzz.inputs import cases
from tests.fuzz.targets import TARGETS

# Seconds for anything, and for each megabyte: what users are promised.
_ANY, _MEGABYTE = 2.0, 1.0


class Found(Exception):
    """An input that a target cannot take."""


def try_one(name: str, data: bytes, folder: Path) -> None:
    """Raise Found if a target fails at an input."""
    from izwi.model.errors import IzwiError

    begun = time.process_time()
    try:
        TARGETS[name].run(data, folder)
    except IzwiError:
        pass
    except Exception as error:
        raise Found(f"{type(error).__name__}: {error}\n{traceback.format_exc()}") from error
    seconds = time.process_time() - begun
    if seconds > _ANY + _MEGABYTE * len(data) / 1e6:
        raise Found(f"{seconds:.1f} s for {len(data)} bytes")


def throw(name: str, seed: int, count: int, folder: Path) -> None:
    """Try so many inputs of a seed; what is tried stands in `case`."""
    warnings.simplefilter("ignore")
    # What is loaded or made at the first call is not the first input's fault.
    try_first = next(cases(TARGETS[name].make, seed))
    with (folder / "case").open("r+b" if (folder / "case").exists() else "w+b") as under_way:
        for number, data in enumerate([try_first, *islice(cases(TARGETS[name].make, seed), count)]):
            under_way.seek(0)
            under_way.write(data)
            under_way.truncate()
            under_way.flush()
            try:
                try_one(name, data, folder)
            except Found:
                if number:
                    raise


def thrown(name: str, seed: int, count: int) -> tuple[str, bytes]:
    """Return what went wrong in another process, and with which input; nothing if nothing did."""
    with tempfile.TemporaryDirectory(prefix="izwi-fuzz-") as folder:
        command = [sys.executable, "-m", "tests.fuzz.throwing", name, str(seed), str(count), folder]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2]
        )
        if done.returncode == 0:
            return "", b""
        words = done.stderr[-3_000:] or f"the process ended with status {done.returncode}"
        case = Path(folder) / "case"
        return words, case.read_bytes() if case.exists() else b""


if __name__ == "__main__":
    try:
        throw(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    except Found as found:
        print(found, file=sys.stderr)
        sys.exit(1)
