"""Sentences of the whole corpus in random order: a release where texts may not be read whole."""

import heapq
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import ClassVar

from izwi.export.base import Edition, passages
from izwi.export.release import Parted, Workplace
from izwi.model.document import Document

# A corpus of 10 GB is mixed 80 MB at a time.
_HEAPS = 128


class Shuffled(Parted):
    """Writes NAME.sentences.txt."""

    about: ClassVar[str] = "sentences in random order, one a line, without metadata"
    # Each part touches every heap; a document is dealt alike in whatever part it is.
    span: ClassVar[int] = 16

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def begin(self, place: Workplace) -> None:
        """Make the heaps."""
        for heap in _heaps(place):
            heap.touch()

    def add(
        self, documents: Iterable[Document], place: Workplace, *, before: int
    ) -> Sequence[Path]:
        """Deal the sentences of documents onto the heaps."""
        heaps = _heaps(place)
        with ExitStack() as stack:
            files = [stack.enter_context(heap.open("ab")) for heap in heaps]
            for number, document in enumerate(documents, before):
                # A chance of its own for each document, whatever part it is in.
                chance = random.Random(f"{self._edition.seed} {number}")
                for sentence in sentences(document):
                    chance.choice(files).write(f"{sentence}\n".encode())
        return heaps

    def finish(self, place: Workplace) -> None:
        """Mix heap after heap."""
        chance = random.Random(self._edition.seed)
        with (place.whole / f"{self._edition.corpus}.sentences.txt").open("wb") as file:
            for heap in _heaps(place):
                lines = heap.read_bytes().split(b"\n")[:-1]
                chance.shuffle(lines)
                file.writelines(line + b"\n" for line in lines)


def _heaps(place: Workplace) -> list[Path]:
    return [place.rough / f"heap-{number}" for number in range(_HEAPS)]


def sentences(document: Document) -> Iterator[str]:
    """Yield the sentences of a document as they stand in its text."""
    found, text = document.annotation, document.text
    if found is None:
        return
    for passage in passages(document):
        for tokens in passage.sentences:
            yield text[found.starts[tokens.start] : found.ends[tokens.stop - 1]]


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
