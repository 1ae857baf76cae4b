"""What a take-down would take away: documents, tokens, and who else has the text."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from izwi.index.reader import Segment
from izwi.service.takedown import target_of
from izwi.store.takedowns import Takedown

_MOST_TITLES = 50
Numbers = NDArray[np.intp]
Going = tuple[Segment, Numbers]


@dataclass(frozen=True, slots=True)
class Affected:
    """A document by its title and address."""

    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What goes: how many documents and tokens, the first of them, and copies that would stay."""

    target: str
    documents: int
    tokens: int
    first: tuple[Affected, ...]
    staying: tuple[Affected, ...]


def foresee(segments: Sequence[Segment], target: str) -> Foreseen:
    """Return what taking down a URL or a host would take away; nothing is changed."""
    wanted = Takedown(target_of(target), "", "")
    going = [(segment, _covered(segment, wanted)) for segment in segments]
    first = (
        _affected(segment, number) for segment, numbers in going for number in numbers.tolist()
    )
    return Foreseen(
        wanted.target,
        sum(len(numbers) for _, numbers in going),
        sum(int(segment.document_lengths[numbers].sum()) for segment, numbers in going),
        tuple(islice(first, _MOST_TITLES)),
        _relatives(going, wanted),
    )


def _covered(segment: Segment, wanted: Takedown) -> Numbers:
    """Return the documents that go; only addresses in which the target stands are looked at."""
    urls = segment.cards.column("url")
    near = _where(pc.match_substring(urls, wanted.target, ignore_case=True))
    covers = (wanted.covers(url) for url in urls.take(pa.array(near)).to_pylist())
    near = near[np.fromiter(covers, dtype=np.bool_, count=len(near))]
    return near[~segment.is_gone[near]]


def _relatives(going: Sequence[Going], wanted: Takedown) -> tuple[Affected, ...]:
    """Return documents elsewhere that have the text of one that goes: originals and copies."""
    gone = _values("id", going)
    originals = _values("copy_of", going)
    owners = pa.concat_arrays([gone, originals])
    others: dict[str, Affected] = {}
    for column, values in (("copy_of", owners), ("id", originals)):
        for segment, _ in going:
            found = pc.is_in(segment.cards.column(column), value_set=values)
            for number in _where(found)[~segment.is_gone[_where(found)]].tolist():
                each = _affected(segment, number)
                if not wanted.covers(each.url):
                    others.setdefault(each.id, each)
                if len(others) == _MOST_TITLES:
                    return tuple(others.values())
    return tuple(others.values())


def _values(column: str, going: Sequence[Going]) -> pa.Array:
    """Return what a column holds for the documents that go, without what is empty."""
    parts = [segment.cards.column(column).take(pa.array(numbers)) for segment, numbers in going]
    held = [chunk.cast(pa.string()) for part in parts for chunk in part.chunks]
    values = pa.concat_arrays([pa.array([], pa.string()), *held])
    return values.filter(pc.not_equal(values, ""))


def _where(mask: pa.ChunkedArray) -> Numbers:
    return np.flatnonzero(mask.fill_null(False).to_numpy())


def _affected(segment: Segment, number: int) -> Affected:
    row = segment.cards.select(["id", "title", "url"]).slice(number, 1).to_pylist()[0]
    return Affected(row["id"], row["title"] or row["url"], row["url"])
