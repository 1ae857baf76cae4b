"""Stretches of tokens (documents, paragraphs, sentences) and what is said of each."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.index.columns import read_array, read_table, smallest_type, write_array, write_table
from izwi.kernels.matching_rows import GUIDE_BITS
from izwi.model.errors import QueryError

Bounds = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Regions:
    """Stretches that do not overlap, in order, with attributes given as columns of strings."""

    starts: Bounds
    ends: Bounds
    attributes: pa.Table


def _signed(positions: NDArray[np.uint32]) -> NDArray[np.int32]:
    """Return positions in the type compiled code reads: the mapped file itself where that fits."""
    return positions.view(np.int32) if positions.itemsize == 4 else positions.astype(np.int32)


class Structure:
    """A structure of a segment, mapped from its files."""

    def __init__(self, folder: Path, name: str, tokens: int) -> None:
        self._folder, self.name, self._tokens = folder, name, tokens

    @cached_property
    def starts(self) -> NDArray[np.uint32]:
        """The first position of each stretch."""
        return read_array(self._folder / f"{self.name}.starts.arrow")

    @cached_property
    def edges(self) -> NDArray[np.int32]:
        """The first positions in the type compiled code reads."""
        return _signed(self.starts)

    @cached_property
    def ends(self) -> Bounds:
        """The position after the last of each stretch."""
        path = self._folder / f"{self.name}.ends.arrow"
        if path.exists():
            return read_array(path).astype(np.int64)
        return np.append(self.starts[1:], self._tokens)[: len(self.starts)].astype(np.int64)

    @cached_property
    def bounds(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Where the stretches begin and end, those without tokens left out."""
        path = self._folder / f"{self.name}.ends.arrow"
        starts = self.edges
        if path.exists():
            ends = _signed(read_array(path))
        else:
            ends = np.append(starts[1:], np.int32(self._tokens))[: len(starts)]
        kept = ends > starts
        return (starts, ends) if kept.all() else (starts[kept], ends[kept])

    @cached_property
    def guide(self) -> NDArray[np.int32]:
        """How many stretches with tokens begin up to every 64th position."""
        places = np.arange(0, self._tokens + 1, 1 << GUIDE_BITS)
        return np.searchsorted(self.bounds[0], places, side="right").astype(np.int32)

    @cached_property
    def is_complete(self) -> bool:
        """Whether every token is in some stretch."""
        starts, ends = self.bounds
        if not len(starts):
            return self._tokens == 0
        is_chain = np.array_equal(starts[1:], ends[:-1])
        return is_chain and int(starts[0]) == 0 and int(ends[-1]) == self._tokens

    @cached_property
    def attributes(self) -> pa.Table:
        """What is said of each stretch."""
        path = self._folder / f"{self.name}.attributes.arrow"
        return read_table(path) if path.exists() else pa.table({})

    def values(self, attribute: str) -> tuple[list[str], NDArray[np.int64]]:
        """Return the distinct values of an attribute and which of them each stretch has."""
        if attribute not in self.attributes.column_names:
            known = ", ".join(self.attributes.column_names) or "none"
            raise QueryError(
                f"<{self.name}> has no attribute '{attribute}'. Known attributes: {known}."
            )
        column = self.attributes.column(attribute).combine_chunks()
        if not isinstance(column.type, pa.DictionaryType):
            column = column.cast(pa.string()).fill_null("").dictionary_encode()
        values: list[str] = column.dictionary.to_pylist()
        return values, np.asarray(column.indices.to_numpy()).astype(np.int64)


def write_structure(folder: Path, name: str, regions: Regions, tokens: int) -> None:
    """Write a structure; ends are kept only where there are gaps."""
    kind = smallest_type(tokens)
    write_array(folder / f"{name}.starts.arrow", regions.starts.astype(kind))
    following = np.append(regions.starts[1:], tokens)[: len(regions.starts)]
    if not np.array_equal(following, regions.ends):
        write_array(folder / f"{name}.ends.arrow", regions.ends.astype(kind))
    if regions.attributes.num_columns:
        write_table(folder / f"{name}.attributes.arrow", regions.attributes)


def paired(starts: Bounds, ends: Bounds, tokens: int) -> tuple[Bounds, Bounds, NDArray[np.bool_]]:
    """Return stretches that begin and end in order, and which of the given starts they keep.

    A stretch without an end lasts to the next one; one without tokens is left out.
    """
    places = np.searchsorted(ends, starts, side="right")
    own = np.append(ends, tokens)[np.minimum(places, len(ends))]
    following = np.append(starts[1:], tokens)[: len(starts)]
    closed = np.minimum(own, following)
    kept = closed > starts
    return starts[kept], closed[kept], kept
