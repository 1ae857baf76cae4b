"""Sentences of the whole corpus in random order: a release where texts may not be read whole.

Every sentence goes into one of many files by chance; each file then fits into memory and is mixed.
The result is a mixture of all, the same for the same seed, whatever the size of the corpus.
"""

import random
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar

from izwi.export.base import Edition
from izwi.export.passages import passages
from izwi.model.document import Document

# A corpus of 10 GB is mixed 80 MB at a time.
_HEAPS = 128


class Shuffled:
    """Writes NAME.sentences.txt."""

    about: ClassVar[str] = "sentences in random order, one a line, without metadata"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Deal the sentences onto heaps, then mix heap after heap."""
        chance = random.Random(self._edition.seed)
        heaps = [target / f".heap-{number}" for number in range(_HEAPS)]
        _deal(documents, heaps, chance)
        path = target / f"{self._edition.corpus}.sentences.txt"
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for heap in heaps:
                lines = heap.read_text(encoding="utf-8").split("\n")[:-1]
                chance.shuffle(lines)
                file.writelines(f"{line}\n" for line in lines)
                heap.unlink()


def sentences(document: Document) -> Iterator[str]:
    """Yield the sentences of a document as they stand in its text."""
    found, text = document.annotation, document.text
    if found is None:
        return
    for passage in passages(document):
        for tokens in passage.sentences:
            yield text[found.starts[tokens.start] : found.ends[tokens.stop - 1]]


def _deal(documents: Iterable[Document], heaps: list[Path], chance: random.Random) -> None:
    with ExitStack() as stack:
        files = [
            stack.enter_context(heap.open("w", encoding="utf-8", newline="\n")) for heap in heaps
        ]
        for document in documents:
            for sentence in sentences(document):
                chance.choice(files).write(f"{sentence}\n")
