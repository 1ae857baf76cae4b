"""The engine: batches of documents in corpus order in, copied blocks out."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Batch, Bytes, Sketch, read_text
from izwi.dedup.claims import Claims, Sealed
from izwi.dedup.judgement import Judged, Settings, judge_blocks


class Archive(Protocol):
    """The short n-grams of all documents so far, kept by number."""

    def sketch(self, document: int) -> Sketch:
        """Return those of one document."""

    def keep(self, numbers: NDArray[np.uint32], batch: Batch) -> None:
        """Keep those of a batch."""


class Engine:
    """Judges documents in the order they come in and remembers what they own.

    The answer depends on nothing but the order of the documents: not on how they are cut into
    batches, nor on when what is in memory is written out.
    """

    def __init__(
        self, settings: Settings, sealed: Sealed, archive: Archive, *, most_bits: int = 22
    ) -> None:
        self._settings = settings
        self._claims = Claims(sealed, most_bits=most_bits)
        self._archive = archive

    def numbers(self, keys: NDArray[np.uint64], following: int) -> NDArray[np.uint32]:
        """Return the numbers of documents by the hashes of their names; new ones follow on."""
        return self._claims.numbers(keys, following)

    def judge(self, text: Bytes, numbers: NDArray[np.uint32]) -> Judged:
        """Return which blocks of these documents copy earlier ones; separators part them."""
        batch = read_text(text, self._settings.reading)
        owners = self._claims.owners(batch, numbers)
        self._archive.keep(numbers, batch)
        return judge_blocks(batch, numbers, owners, self._settings, self._archive)

    def flush(self) -> None:
        """Write out what is in memory."""
        self._claims.flush()
