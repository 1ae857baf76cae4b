"""What documents are sorted by: their source, their site, any other thing known of them, time."""

from dataclasses import dataclass
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from izwi.analyse.periods import (
    NO_PERIOD,
    PERIODS,
    period_end,
    period_label,
    period_start,
    periods_of,
)
from izwi.index.reader import Segment
from izwi.model.analyses import escaped
from izwi.query.conditions import structure_values

_HOST = r"^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?(?P<host>[^/?#:]*)"


@dataclass(frozen=True, slots=True)
class Cell:
    """The documents with one value: what it is called, and what chooses them."""

    label: str
    where: str = ""
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Categories:
    """The value each document of a segment has, by number; -1 for none."""

    keys: tuple[str | int, ...]
    numbers: NDArray[np.int64]


def categories_of(segment: Segment, name: str) -> Categories:
    """Return what the documents of a segment are sorted into."""
    return segment.remembered(("categories", name), lambda: _categories(segment, name))


def _categories(segment: Segment, name: str) -> Categories:
    if name in PERIODS:
        periods = periods_of(segment, name)
        keys, numbers = np.unique(periods, return_inverse=True)
        if len(keys) and keys[0] == NO_PERIOD:
            keys, numbers = keys[1:], numbers - 1
        return Categories(tuple(keys.tolist()), numbers.astype(np.int64))
    values, numbers = _hosts(segment) if name == "host" else _values(segment, name)
    return Categories(tuple(values), numbers)


def _values(segment: Segment, name: str) -> tuple[list[str], NDArray[np.int64]]:
    if name == "source":
        numbers, names = segment.sources
        return names, numbers
    return structure_values(segment, "doc", name)


def _hosts(segment: Segment) -> tuple[list[str], NDArray[np.int64]]:
    """Return the host of each document's address; its source where there is no address."""
    urls = segment.cards.column("url").combine_chunks().fill_null("")
    hosts = pc.extract_regex(urls, _HOST).field("host").fill_null("")
    sources = segment.cards.column("source").combine_chunks().fill_null("")
    names = pc.if_else(pc.equal(hosts, ""), sources, pc.utf8_lower(hosts))
    coded = names.combine_chunks() if isinstance(names, pa.ChunkedArray) else names
    coded = coded.dictionary_encode()
    return coded.dictionary.to_pylist(), np.asarray(coded.indices.to_numpy()).astype(np.int64)


def cell_of(name: str, key: str | int) -> Cell:
    """Return what a value is called and which documents have it."""
    if isinstance(key, int):
        return Cell(
            period_label(name, key), since=period_start(name, key), until=period_end(name, key)
        )
    if name == "host":
        address = f'url="[^/]*//([^/@]*@)?{escaped(key)}([:/?#].*)?" %c'
        return Cell(key, f'({address}) | source="{escaped(key)}"')
    return Cell(key, f'{name}="{escaped(key)}"')
