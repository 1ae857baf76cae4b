"""Sentences of the whole corpus in random order: a release where texts may not be read whole.

Every sentence goes into one of many files by chance; each file then fits into memory and is mixed.
The result is a mixture of all, the same for the same seed, whatever the size of the corpus.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar

from izwi.export.base import Edition
from izwi.export.parts import Parted, Workplace
from izwi.export.passages import passages
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
