"""Parts of a corpus that one may want to compare: its hosts, sources, sections and years."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from izwi.analyse.categories import Cell, categories_of, cell_of
from izwi.index.reader import Segment
from izwi.model.errors import QueryError


@dataclass(frozen=True, slots=True)
class Part:
    """Documents with one value: what it is, how many they are, and the condition for them."""

    value: str
    documents: int
    where: str


def parts_by(segments: Sequence[Segment], name: str) -> tuple[Part, ...]:
    """Return the parts of a text by something known of its documents, years in order.

    Other parts come with the largest first; copies are left out, and what has no value.
    """
    counts: Counter[str | int] = Counter()
    for segment in segments:
        counts.update(_counted(segment, name))
    is_time = name == "year"
    order = sorted(counts, key=lambda key: (0 if is_time else -counts[key], key))
    return tuple(_part(cell_of(name, key), counts[key], is_time) for key in order if key != "")


def _counted(segment: Segment, name: str) -> dict[str | int, int]:
    try:
        found = categories_of(segment, name)
    except QueryError:
        return {}  # an index without it
    known = found.numbers[segment.is_original & (found.numbers >= 0)]
    counts = np.bincount(known, minlength=len(found.keys)).tolist()
    return {key: many for key, many in zip(found.keys, counts, strict=True) if many}


def _part(cell: Cell, documents: int, is_time: bool) -> Part:
    where = f'date="{cell.label}.*"' if is_time else cell.where
    return Part(cell.label, documents, where)
