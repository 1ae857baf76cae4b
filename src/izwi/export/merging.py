"""Sorting the lines of a file that does not fit into memory."""

import heapq
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

_LINES = 200_000


def sort_lines(path: Path, target: Path, most: int = _LINES) -> None:
    """Write the lines of a file in order, holding at most so many of them in memory."""
    pieces = list(_sorted_pieces(path, most))
    with ExitStack() as stack:
        files = [
            stack.enter_context(piece.open(encoding="utf-8", newline="\n")) for piece in pieces
        ]
        with target.open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(heapq.merge(*files))
    for piece in pieces:
        piece.unlink()


def _sorted_pieces(path: Path, most: int) -> Iterator[Path]:
    with path.open(encoding="utf-8", newline="\n") as file:
        number = 0
        while lines := sorted(islice(file, most)):
            piece = path.with_name(f"{path.name}.{number}")
            piece.write_text("".join(lines), encoding="utf-8", newline="\n")
            number += 1
            yield piece
