"""The text that numbers are counted on: the documents of a version that were chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import Segment
from izwi.model.analyses import Opening
from izwi.query.deadline import Deadline
from izwi.query.documents import Chosen, Filter, chosen_documents
from izwi.query.engine import find
from izwi.query.hits import SegmentHits
from izwi.query.tree import Query

Bounds = NDArray[np.int32]


# Without slots: sizes are kept once they were needed.
@dataclass(frozen=True)
class Selection:
    """Some documents of some segments."""

    segments: tuple[Segment, ...]
    chosen: Filter
    # Further documents left out, segment by segment; they go with `chosen`, as a panel does.
    only: tuple[NDArray[np.bool_], ...] | None = None

    @cached_property
    def parts(self) -> tuple[Chosen, ...]:
        """Which documents of each segment count, and their size."""
        return tuple(chosen_documents(segment, self.chosen) for segment in self.segments)

    @cached_property
    def masks(self) -> tuple[NDArray[np.bool_] | None, ...]:
        """Which documents of each segment count; None for all."""
        masks = [part.mask for part in self.parts]
        if self.only is None:
            return tuple(masks)
        pairs = zip(masks, self.only, strict=True)
        return tuple(only if mask is None else mask & only for mask, only in pairs)

    @cached_property
    def tokens(self) -> int:
        """How many tokens were chosen."""
        if self.only is None:
            return sum(part.tokens for part in self.parts)
        rows = zip(self.segments, self.masks, strict=True)
        return sum(int(kept(segment.document_lengths, mask).sum()) for segment, mask in rows)

    @cached_property
    def documents(self) -> int:
        """How many documents were chosen."""
        rows = zip(self.segments, self.masks, strict=True)
        return sum(
            len(segment.document_starts) if mask is None else int(mask.sum())
            for segment, mask in rows
        )

    def hits(self, query: Query, deadline: Deadline) -> list[SegmentHits]:
        """Return the hits of a query in the chosen documents, segment by segment."""
        found = find(self.segments, query, deadline)
        return [
            part if mask is None else part.kept(mask[part.documents])
            for part, mask in zip(found, self.masks, strict=True)
        ]

    def stretches(self, number: int, structure: str = "doc") -> tuple[Bounds, Bounds]:
        """Return where the chosen stretches of a structure begin and end in a segment."""
        segment, mask = self.segments[number], self.masks[number]
        starts, ends = segment.structure(structure).bounds
        if mask is None:
            return starts, ends
        inside = mask[segment.documents_at(starts)]
        return starts[inside], ends[inside]

    def opening(self, cql: str, *, where: str = "", near: str = "", window: int = 5) -> Opening:
        """Return what opens the lines of a query in the chosen documents, or in some of them."""
        chosen = self.chosen
        both = f"({chosen.where}) & ({where})" if chosen.where and where else chosen.where or where
        return Opening(
            cql, both, chosen.since, chosen.until, chosen.sources, chosen.copies, near, window
        )


def kept(values: NDArray[np.int64], mask: NDArray[np.bool_] | None) -> NDArray[np.int64]:
    """Return the values of the chosen documents."""
    return values if mask is None else values[mask]


def attribute_of(segments: Sequence[Segment], name: str, *, is_exact_case: bool = False) -> str:
    """Return the attribute asked for; by default words in lower case, if the corpus has them."""
    if name:
        for segment in segments:
            segment.attribute(name)
        return name
    has_lower = all("lc" in segment.attributes for segment in segments)
    return "lc" if has_lower and segments and not is_exact_case else "word"
