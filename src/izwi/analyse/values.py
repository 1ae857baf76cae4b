"""How often each value of an attribute occurs in the chosen text."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.keeping import kept
from izwi.analyse.selection import Selection
from izwi.analyse.vocabulary import Vocabulary
from izwi.index.packed import is_worth_compiling
from izwi.kernels.counting import count_values
from izwi.query.deadline import Deadline

Counts = NDArray[np.int64]
# Tokens read between two looks at the clock.
_BATCH = 16_000_000


def value_counts(
    selection: Selection, vocabulary: Vocabulary, attribute: str, deadline: Deadline
) -> Counts:
    """Return how often each value occurs in the chosen documents."""
    counts = []
    for place in range(len(selection.segments)):
        deadline.check()
        counts.append(_segment_counts(selection, place, attribute, deadline))
    return vocabulary.summed(counts).astype(np.int64, copy=False)


def frequencies_of(
    selection: Selection,
    vocabulary: Vocabulary,
    attribute: str,
    numbers: Counts,
    deadline: Deadline,
) -> Counts:
    """Return how often some values occur in the chosen documents."""
    if len(selection.segments) == 1 and _is_whole(selection, 0):
        return selection.segments[0].attribute(attribute).frequencies_of(numbers)
    return value_counts(selection, vocabulary, attribute, deadline)[numbers]


def _is_whole(selection: Selection, place: int) -> bool:
    """Whether all tokens of a segment count."""
    documents = selection.segments[place].structure("doc")
    return selection.masks[place] is None and documents.is_complete


def _segment_counts(selection: Selection, place: int, attribute: str, deadline: Deadline) -> Counts:
    segment = selection.segments[place]
    own = segment.attribute(attribute)
    if _is_whole(selection, place):
        return own.frequencies
    if selection.only is not None:
        return _looked_through(selection, place, attribute, deadline)
    # Choosing the same documents again, as word lists and keywords do, costs nothing.
    key = ("values", attribute, selection.chosen)

    def counted() -> tuple[Counts]:
        return (_looked_through(selection, place, attribute, deadline),)

    question = ("values", attribute, place)
    return segment.remembered(key, lambda: kept(selection, question, counted)[0])


def _looked_through(selection: Selection, place: int, attribute: str, deadline: Deadline) -> Counts:
    """Count by reading the chosen documents; or, if they are most of the text, the others."""
    segment, mask = selection.segments[place], selection.masks[place]
    own = segment.attribute(attribute)
    is_most = mask is not None and 2 * int(segment.document_lengths[mask].sum()) > segment.tokens
    starts, ends = segment.structure("doc").edges, segment.document_ends.astype(np.int32)
    if mask is None or not (is_most and segment.structure("doc").is_complete):
        kept = mask if mask is not None else np.ones(len(starts), np.bool_)
        return count_stretches(selection, place, attribute, starts[kept], ends[kept], deadline)
    others = count_stretches(selection, place, attribute, starts[~mask], ends[~mask], deadline)
    return np.asarray(own.frequencies - others)


def count_stretches(
    selection: Selection,
    place: int,
    attribute: str,
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    deadline: Deadline,
) -> Counts:
    """Count the values in some stretches of a segment."""
    own = selection.segments[place].attribute(attribute)
    size, column = len(own.lexicon), own.column
    if is_worth_compiling(int((ends.astype(np.int64) - starts).sum())):
        counts = np.zeros(size, np.int64)
        for some in batches(starts, ends, deadline):
            count_values(column.words, column.bits, starts[some], ends[some], counts)
        return counts
    return np.bincount(column[positions_in(starts, ends)], minlength=size).astype(np.int64)


def batches(
    starts: NDArray[np.int32], ends: NDArray[np.int32], deadline: Deadline
) -> Iterator[slice]:
    """Yield stretches by the batch, looking at the clock before each."""
    before = np.cumsum(ends.astype(np.int64) - starts)
    first = 0
    while first < len(starts):
        deadline.check()
        done = int(before[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(before, done + _BATCH, side="right")))
        yield slice(first, last)
        first = last


def positions_in(starts: NDArray[np.int32], ends: NDArray[np.int32]) -> Counts:
    """Return all positions of some stretches.

    >>> positions_in(np.array([2, 7], np.int32), np.array([4, 8], np.int32)).tolist()
    [2, 3, 7]
    """
    lengths = ends.astype(np.int64) - starts
    before = np.cumsum(lengths) - lengths
    found: Counts = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
    return found
