"""Global conditions on labelled tokens, as the numbers the compiled loop compares."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from izwi.index.packed import read_only
from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.query.machine import MOST_SLOTS
from izwi.query.tree import Comparison

MOST_LABELS = 64

Compared = tuple[
    NDArray[np.int64], tuple[NDArray[np.uint64], ...], NDArray[np.int64], NDArray[np.int64]
]


def compared(
    segment: Segment, comparisons: Sequence[Comparison], labels: Mapping[str, int]
) -> Compared:
    """Return comparisons as rows of numbers, the columns they look at, and translations."""
    names = list(
        dict.fromkeys(
            name for each in comparisons for name in (each.first_attribute, each.second_attribute)
        )
    )
    if len(labels) > MOST_LABELS or len(names) > MOST_SLOTS:
        raise QueryError(f"At most {MOST_LABELS} labels and {MOST_SLOTS} attributes are compared.")
    columns = [segment.attribute(name).column for name in names]
    rows, tables = [], [np.empty(0, np.int64)]
    for each in comparisons:
        begin = -1
        if each.first_attribute != each.second_attribute:
            begin = sum(map(len, tables))
            tables.append(_translation(segment, each))
        rows.append(
            (
                labels[each.first], names.index(each.first_attribute),
                labels[each.second], names.index(each.second_attribute),
                int(each.is_negated), begin,
            )
        )  # fmt: skip
    empty = [read_only(np.zeros(2, np.uint64))] * (MOST_SLOTS - len(columns))
    widths = [column.bits for column in columns] + [1] * len(empty)
    return (
        np.array(rows, np.int64),
        tuple([column.words for column in columns] + empty),
        np.array(widths, np.int64),
        np.concatenate(tables),
    )


def _translation(segment: Segment, each: Comparison) -> NDArray[np.int64]:
    """Return, for the values of one attribute, their numbers in the other; -1 if they have none."""
    first, second = (
        segment.attribute(name).lexicon for name in (each.first_attribute, each.second_attribute)
    )
    number = {value: place for place, value in enumerate(first)}
    return np.array([number.get(value, -1) for value in second], np.int64)
