"""A segment to read from: which positions hold a value, what stands at a position, whose it is."""

from bisect import bisect_left
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.index.columns import Integers, Positions, read_array, read_lexicon, read_table
from izwi.model.errors import QueryError
from izwi.model.results import DocumentCard

# Dates as days since 1970; documents without one get this, so that no bound ever includes them.
NO_DATE = np.int32(np.iinfo(np.int32).min)


class Attribute:
    """One token attribute: its lexicon, its column, its postings."""

    def __init__(self, folder: Path, name: str) -> None:
        self._path = folder / name

    @cached_property
    def lexicon(self) -> pa.Array:
        """Sorted distinct values."""
        return read_lexicon(self._path.with_name(f"{self._path.name}.lexicon.arrow"))

    @cached_property
    def column(self) -> Integers:
        """The number of each token's value."""
        return read_array(self._path.with_name(f"{self._path.name}.column.arrow"))

    @cached_property
    def _ends(self) -> Integers:
        return read_array(self._path.with_name(f"{self._path.name}.ends.arrow"))

    @cached_property
    def _postings(self) -> Positions:
        return read_array(self._path.with_name(f"{self._path.name}.postings.arrow"))

    def number(self, value: str) -> int | None:
        """Return the number of a value, None if it does not occur."""
        place = bisect_left(self.lexicon, value, key=lambda scalar: scalar.as_py())
        if place == len(self.lexicon) or self.lexicon[place].as_py() != value:
            return None
        return place

    def frequency(self, number: int) -> int:
        """Return how often a value occurs."""
        return int(self._ends[number + 1] - self._ends[number])

    def positions(self, number: int) -> Positions:
        """Return the positions that hold a value, ascending."""
        return self._postings[self._ends[number] : self._ends[number + 1]]

    def values(self, numbers: Integers) -> list[str]:
        """Return the values of some numbers."""
        found: list[str] = self.lexicon.take(pa.array(numbers)).to_pylist()
        return found


class Segment:
    """An immutable piece of index."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[str, Attribute] = {}

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the token attributes that can be searched, in alphabetical order."""
        ending = ".lexicon.arrow"
        return tuple(
            sorted(path.name.removesuffix(ending) for path in self._folder.glob(f"*{ending}"))
        )

    def attribute(self, name: str) -> Attribute:
        """Return a token attribute by name, one of `attributes`."""
        if name not in self._open:
            if name not in self.attributes:
                known = ", ".join(self.attributes)
                raise QueryError(f"The corpus has no attribute '{name}'; it has {known}.")
            self._open[name] = Attribute(self._folder, name)
        return self._open[name]

    @cached_property
    def word(self) -> Attribute:
        """Tokens as written."""
        return Attribute(self._folder, "word")

    @cached_property
    def lc(self) -> Attribute:
        """Tokens in lower case."""
        return Attribute(self._folder, "lc")

    @cached_property
    def spaces(self) -> Integers:
        """1 where white space follows the token."""
        return read_array(self._folder / "space.arrow")

    @cached_property
    def offsets(self) -> Positions:
        """Where each token begins in its document's text, in characters."""
        return read_array(self._folder / "offset.arrow")

    @cached_property
    def document_starts(self) -> Positions:
        """The first position of each document."""
        return read_array(self._folder / "documents.arrow")

    @cached_property
    def sentence_starts(self) -> Positions:
        """The first position of each sentence."""
        return read_array(self._folder / "sentences.arrow")

    @cached_property
    def document_ends(self) -> NDArray[np.int64]:
        """The position after the last of each document."""
        ends = np.append(self.document_starts[1:], self.tokens).astype(np.int64)
        return ends[: len(self.document_starts)]

    @property
    def tokens(self) -> int:
        """How many tokens the segment holds."""
        return len(self.spaces)

    @cached_property
    def cards(self) -> pa.Table:
        """What is known of each document."""
        return read_table(self._folder / "cards.arrow")

    @cached_property
    def copies(self) -> pa.Table:
        """Documents of the segment's shards that were left out as copies, and of which."""
        return read_table(self._folder / "copies.arrow")

    @cached_property
    def dates(self) -> NDArray[np.int32]:
        """Publication dates in days since 1970."""
        days = self.cards.column("date").cast(pa.int32()).fill_null(int(NO_DATE))
        return np.asarray(days.to_numpy())

    def documents_at(self, positions: Integers) -> NDArray[np.int64]:
        """Return the number of the document that holds each position."""
        return np.searchsorted(self.document_starts, positions, side="right") - 1

    def text(self, begin: int, end: int) -> str:
        """Return the tokens of a range, spaced as they were."""
        words = self.word.values(self.word.column[begin:end])
        spaces = self.spaces[begin:end]
        return "".join(
            word + (" " if space else "") for word, space in zip(words, spaces, strict=True)
        )

    def card(self, document: int, *, copies: int = 0) -> DocumentCard:
        """Return what is known of a document."""
        row = self.cards.slice(document, 1).to_pylist()[0]
        return DocumentCard(**row, copies=copies)
