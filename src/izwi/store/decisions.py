"""What was decided about words: a file of the corpus that only ever grows.

One JSON object a line. Several people may decide at once, so each line is appended whole, behind a
lock; what was decided last counts, and what was decided before stays to be read.
"""

import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import IO

from izwi.model.errors import CorpusLocked, StoreError
from izwi.model.lexicography import WordDecision
from izwi.store.files import disk_errors, make_durable
from izwi.store.layout import Layout
from izwi.store.lock import take

_TRIES = 200
_TRY_SECONDS = 0.02


def append_decision(layout: Layout, decision: WordDecision) -> None:
    """Add a decision; once this returns it is on the disk."""
    line = json.dumps(asdict(decision), ensure_ascii=False) + "\n"
    with disk_errors():
        is_new = not layout.decisions.exists()
        with layout.decisions.open("ab+") as file:
            _hold(file)
            _begin_line(file)
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            make_durable(layout.decisions.parent)


def read_decisions(layout: Layout) -> tuple[WordDecision, ...]:
    """Return all decisions in the order they were made."""
    try:
        lines = layout.decisions.read_bytes().split(b"\n")
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise StoreError(f"{layout.decisions} cannot be read: {error.strerror}.") from error
    return tuple(_decisions(layout, lines))


def _decisions(layout: Layout, lines: list[bytes]) -> Iterator[WordDecision]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield WordDecision(**json.loads(line))
        except (ValueError, TypeError) as error:
            # The end is cut off while somebody writes, or since a machine stopped.
            if number == len(lines):
                return
            raise StoreError(
                f"{layout.decisions}, line {number}: {error}. Mend or delete that line."
            ) from error


def _begin_line(file: IO[bytes]) -> None:
    """Go to where a line may begin: a line that was cut off was never promised, and goes."""
    file.seek(0)
    written = file.read()
    tail = written[written.rfind(b"\n") + 1 :]
    if not tail:
        return
    try:
        json.loads(tail)
    except ValueError:
        file.truncate(len(written) - len(tail))
        return
    file.write(b"\n")


def _hold(file: IO[bytes]) -> None:
    """Hold a file until it is closed, waiting for others who hold it for a moment only."""
    for _ in range(_TRIES):
        if take(file):
            return
        time.sleep(_TRY_SECONDS)
    raise CorpusLocked(f"{file.name} is being written by somebody else. Try again.")
