"""The text that numbers are counted on: chosen documents, counts kept of it, queries that open it.

Only numbers are kept, never words: what is taken down stands nowhere else. A version never
changes, so what was counted of it stays true; files asked for longest ago make room for others.
"""

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from izwi.index.limits import NEVER, Deadline
from izwi.index.reader import Segment
from izwi.model.analyses import Opening, escaped
from izwi.model.errors import of_damaged_arrays
from izwi.model.results import Listener, ignore
from izwi.query import tree
from izwi.query.engine import Chosen, Filter, chosen_documents, find
from izwi.query.hits import SegmentHits
from izwi.query.targets import Point
from izwi.query.tree import Sequence as TokenSequence
from izwi.store.files import file_state, replacing

if TYPE_CHECKING:
    from izwi.analyse.vocabulary import Choice

Bounds = NDArray[np.int32]


# Without slots: sizes are kept once they were needed.
@dataclass(frozen=True)
class Selection:
    """Some documents of some segments."""

    segments: tuple[Segment, ...]
    chosen: Filter
    # Further documents left out, segment by segment; they go with `chosen`, as a panel does.
    only: tuple[NDArray[np.bool_], ...] | None = None
    # The version they are of, how long counting them may take, and who hears of it.
    number: int = 0
    deadline: Deadline = NEVER
    listener: Listener = ignore

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

    def attribute(self, choice: "Choice") -> str:
        """Return the attribute asked for; by default words in lower case, if there are such."""
        return attribute_of(self.segments, choice.attribute, is_exact_case=choice.is_exact_case)

    def hits(self, query: tree.Query) -> list[SegmentHits]:
        """Return the hits of a query in the chosen documents, segment by segment."""
        found = find(self.segments, query, self.deadline)
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


FOLDER = "kept"
# Of less text everything is counted at once.
LEAST_TOKENS = 1_000_000
MOST_BYTES = 256 << 20
# Counted otherwise, what an older izwi kept is passed over.
_FORMAT = 1
Arrays = tuple[NDArray[Any], ...]


def kept_counts(
    selection: Selection, question: tuple[object, ...], make: Callable[[], Arrays]
) -> Arrays:
    """Return what was counted for a question before, or count it now and keep it."""
    if not _is_worth_keeping(selection):
        return make()
    folder = selection.segments[0].folder.parent.parent / FOLDER
    path = folder / f"{_digest(selection, question)}.npz"
    found = _read(path)
    if found is None:
        found = make()
        # A corpus that can only be read is searched all the same.
        with suppress(OSError):
            _write(path, found)
    return found


def _is_worth_keeping(selection: Selection) -> bool:
    is_all = selection.only is None and selection.chosen == Filter()
    return is_all and selection.tokens >= LEAST_TOKENS


def _digest(selection: Selection, question: tuple[object, ...]) -> str:
    """Return a name for a question to some segments as they are."""
    texts = [
        (each.folder.name, file_state(each.folder / "segment.json"), each.gone)
        for each in selection.segments
    ]
    said = repr((_FORMAT, texts, question)).encode()
    return hashlib.blake2b(said, digest_size=16).hexdigest()


def _read(path: Path) -> Arrays | None:
    """Return what was kept, or nothing if it is not there or damaged."""
    try:
        # Opened here: NumPy leaves a damaged file open.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            found = tuple(stored[f"arr_{place}"] for place in range(len(stored.files)))
        os.utime(path)
    except of_damaged_arrays():
        return None
    return found


def _write(path: Path, arrays: Arrays) -> None:
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez(file, *arrays)
    files = sorted(path.parent.glob("*.npz"), key=lambda each: each.stat().st_mtime, reverse=True)
    taken = np.cumsum([each.stat().st_size for each in files])
    for old in np.flatnonzero(taken > MOST_BYTES).tolist():
        if files[old] != path:
            files[old].unlink(missing_ok=True)


def token(attribute: str, value: str) -> tree.Token:
    """Return the token with a value."""
    return tree.Token(tree.Test(attribute, escaped(value)))


def phrase(attribute: str, values: Sequence[str]) -> str:
    """Return CQL for values in a row.

    >>> phrase("lc", ["e.g.", "braai"])
    '[lc="e\\\\.g\\\\."] [lc="braai"]'
    """
    return " ".join(tree.format_query(tree.Query(token(attribute, value))) for value in values)


def with_form(query: tree.Query, attribute: str, values: Sequence[str]) -> tree.Query:
    """Return the query for those hits whose tokens have some values."""
    pattern = query.pattern
    if isinstance(pattern, tree.Token) and len(values) == 1:
        own = tree.Test(attribute, escaped(values[0]))
        both = own if pattern.condition is None else tree.Both((pattern.condition, own))
        return replace(query, pattern=tree.Token(both, pattern.label))
    if not values or isinstance(pattern, tree.Meet | tree.Union) or query.comparisons:
        return query
    tokens = tuple(token(attribute, value) for value in values)
    row = tokens[0] if len(tokens) == 1 else TokenSequence(tokens)
    return tree.Query(row, (tree.Limit(pattern), *query.limits))


def with_point(query: tree.Query, point: Point, attribute: str, value: str) -> tree.Query:
    """Return the query for those hits that have a value at a point.

    Where CQL cannot say that, as for the second token after a target, it is the query as it was.
    """
    whole = tree.Meet | tree.Union | tree.Combined | tree.Nested | tree.Region
    if not value or isinstance(query.pattern, whole):
        return query
    if not point.distance:
        check = tree.Check(point.label, tree.Test(attribute, escaped(value)))
        return replace(query, comparisons=(*query.comparisons, check))
    if point.label != ("match" if point.distance < 0 else "matchend"):
        return query
    between: tuple[tree.Pattern, ...] = (tree.Token(),) * (abs(point.distance) - 1)
    own = query.pattern.items if isinstance(query.pattern, TokenSequence) else (query.pattern,)
    beside = token(attribute, value)
    row = (beside, *between, *own) if point.distance < 0 else (*own, *between, beside)
    return replace(query, pattern=TokenSequence(row))
