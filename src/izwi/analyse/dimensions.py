"""By what hits are counted (documents, forms, neighbours), and how much text each has."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.categories import Categories, Cell, categories_of, cell_of
from izwi.analyse.selection import Selection, with_form, with_point
from izwi.analyse.vocabulary import Vocabulary, vocabulary_of
from izwi.index.columns import distinct
from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.query.hits import SegmentHits
from izwi.query.targets import Point, check_label, label_places, named_point
from izwi.query.tree import Query

Codes = NDArray[np.int64]
_NONE = Cell("")
_UNDATED = Cell("undated", 'date=""')


class Dimension(Protocol):
    """What hits are counted by."""

    def codes(self, place: int, part: SegmentHits) -> Codes:
        """Return the code of each hit of a segment."""
        ...

    @property
    def size(self) -> int:
        """How many codes there are."""
        ...

    def label(self, code: int) -> str:
        """Return what a code stands for."""
        ...

    def order(self, code: int) -> tuple[int, str, str]:
        """Return what a code is sorted by."""
        ...

    def narrowed(self, query: Query, code: int) -> Query:
        """Return the query for the hits with a code."""
        ...


@dataclass(frozen=True)
class DocumentDimension:
    """Something known of documents; those without it come last."""

    name: str
    segments: tuple[Segment, ...]

    @property
    def nbytes(self) -> int:
        """About how much memory it takes once it is used: two numbers a document."""
        return 16 * sum(len(segment.document_starts) for segment in self.segments)

    @cached_property
    def _parts(self) -> tuple[Categories, ...]:
        return tuple(categories_of(segment, self.name) for segment in self.segments)

    @cached_property
    def _keys(self) -> dict[str | int, int]:
        every = {key for part in self._parts for key in part.keys}
        # Without a key where all are texts, as the ids of 200,000 documents are: much quicker.
        are_texts = all(isinstance(key, str) for key in every)
        ordered = sorted(every, key=None if are_texts else _sorted_as)
        return {key: number for number, key in enumerate(ordered)}

    @cached_property
    def _by_code(self) -> list[str | int]:
        return list(self._keys)

    def cell(self, code: int) -> Cell:
        """Return what a code stands for."""
        return cell_of(self.name, self._by_code[code]) if code < len(self._keys) else _UNDATED

    @property
    def size(self) -> int:
        """How many codes there are, the one for none among them."""
        return len(self._keys) + 1

    @cached_property
    def _codes(self) -> tuple[Codes, ...]:
        return tuple(
            np.array([*(self._keys[key] for key in part.keys), len(self._keys)], np.int64)[
                part.numbers
            ]
            for part in self._parts
        )

    def document_codes(self, place: int) -> Codes:
        """Return the code of each document of a segment."""
        return self._codes[place]

    def codes(self, place: int, part: SegmentHits) -> Codes:
        """Return the code of each hit's document."""
        return self.document_codes(place)[part.documents]

    def label(self, code: int) -> str:
        """Return the value."""
        return self.cell(code).label

    def order(self, code: int) -> tuple[int, str, str]:
        """Return the code: values are numbered in order already."""
        return code, "", ""

    def narrowed(self, query: Query, code: int) -> Query:
        """Return the query as it is: its documents are chosen otherwise."""
        return query


def _sorted_as(key: str | int) -> tuple[int, str]:
    return (key, "") if isinstance(key, int) else (0, key)


def _as_people_sort(text: str) -> tuple[int, str, str]:
    return 0, text.casefold(), text


@dataclass(frozen=True)
class PointDimension:
    """The value of an attribute at a point of the hit or near it."""

    attribute: str
    point: Point
    query: Query
    segments: tuple[Segment, ...]

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return vocabulary_of(self.segments, self.attribute)

    @property
    def size(self) -> int:
        """How many codes there are; the last is for points that are not in the document."""
        return len(self._vocabulary) + 1

    def codes(self, place: int, part: SegmentHits) -> Codes:
        """Return the code of each hit's token at the point."""
        segment, documents = part.segment, part.documents
        own = label_places(segment, self.query, part.hits, self.point.label)
        places = own + self.point.distance
        inside = (own >= 0) & (places >= segment.document_starts[documents])
        inside &= places < segment.document_ends[documents]
        found = np.full(len(places), self.size - 1, np.int64)
        values = segment.attribute(self.attribute).column[places[inside]]
        found[inside] = self._vocabulary.numbers(place, values)
        return found

    def label(self, code: int) -> str:
        """Return the value."""
        if code == self.size - 1:
            return ""
        return self._vocabulary.values(np.array([code]))[0]

    def order(self, code: int) -> tuple[int, str, str]:
        """Return the value as people sort it."""
        return _as_people_sort(self.label(code))

    def narrowed(self, query: Query, code: int) -> Query:
        """Return the query for hits with that value at the point."""
        return with_point(query, self.point, self.attribute, self.label(code))


@dataclass(frozen=True)
class FormDimension:
    """The values of an attribute that the hit itself consists of."""

    attribute: str
    segments: tuple[Segment, ...]

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return vocabulary_of(self.segments, self.attribute)

    # Forms of several tokens in the order in which they were met, beyond those of one.
    @cached_property
    def _rows(self) -> dict[tuple[int, ...], int]:
        return {}

    @property
    def size(self) -> int:
        """How many codes there are."""
        return len(self._vocabulary) + len(self._rows)

    def codes(self, place: int, part: SegmentHits) -> Codes:
        """Return the code of each hit's form."""
        column = part.segment.attribute(self.attribute).column
        lengths = np.asarray(part.ends - part.starts, np.int64)
        if (lengths == 1).all():
            return self._vocabulary.numbers(place, column[part.starts.astype(np.int64)])
        found = np.empty(len(part), np.int64)
        for length in distinct(lengths).tolist():
            those = lengths == length
            starts = part.starts[those].astype(np.int64)
            columns = [
                self._vocabulary.numbers(place, column[starts + distance])
                for distance in range(length)
            ]
            found[those] = self._coded(columns) if length > 1 else columns[0]
        return found

    def _coded(self, columns: list[Codes]) -> Codes:
        """Return a code for each row of several values."""
        joined = np.zeros(len(columns[0]), np.int64)
        for column in columns:
            pairs = np.stack((joined, column), 1)
            joined = np.unique(pairs, axis=0, return_inverse=True)[1].reshape(-1)
        _, first, inverse = np.unique(joined, return_index=True, return_inverse=True)
        rows = zip(*(column[first].tolist() for column in columns), strict=True)
        base = len(self._vocabulary)
        own = [base + self._rows.setdefault(row, len(self._rows)) for row in rows]
        return np.array(own, np.int64)[inverse.reshape(-1)]

    @cached_property
    def _by_code(self) -> list[tuple[int, ...]]:
        return list(self._rows)

    def values(self, code: int) -> list[str]:
        """Return the tokens of a form."""
        base = len(self._vocabulary)
        numbers = (code,) if code < base else self._by_code[code - base]
        return self._vocabulary.values(np.array(numbers))

    def codes_of(self, forms: Sequence[Sequence[str]]) -> Codes:
        """Return the codes of some forms, given by their tokens; -1 for those not met."""
        every = list(dict.fromkeys(word for form in forms for word in form))
        number_of = dict(zip(every, self._vocabulary.lookup(every).tolist(), strict=True))
        rows = [tuple(number_of[word] for word in form) for form in forms]
        base = len(self._vocabulary)
        found = [row[0] if len(row) == 1 else base + self._rows.get(row, -1 - base) for row in rows]
        return np.array(found, np.int64)

    def label(self, code: int) -> str:
        """Return the form."""
        return " ".join(self.values(code))

    def order(self, code: int) -> tuple[int, str, str]:
        """Return the form as people sort it."""
        return _as_people_sort(self.label(code))

    def narrowed(self, query: Query, code: int) -> Query:
        """Return the query for hits of that form."""
        return with_form(query, self.attribute, self.values(code))


def dimension(segments: Sequence[Segment], name: str, query: Query) -> Dimension:
    """Return what hits of a query are counted by, from its name.

    That is something known of documents (`source`, `month`), an attribute of the hit (`lemma`), or
    one of a token in it or near it (`L1.word`, `target[+1].lemma`).
    """
    every = tuple(segments)
    pointed = named_point(name)
    if pointed:
        point, attribute = pointed
        check_label(query, point.label)
        _check_attribute(every, attribute)
        return PointDimension(attribute, point, query, every)
    if every and all(name in segment.attributes for segment in every):
        return FormDimension(name, every)
    found = document_dimension(every, name)
    try:
        found.size  # noqa: B018 - names nobody knows are an error here, not later
    except QueryError:
        raise QueryError(_unknown(every, name)) from None
    return found


def document_dimension(segments: tuple[Segment, ...], name: str) -> DocumentDimension:
    """Return something known of documents; made once for the same segments."""
    if not segments:
        return DocumentDimension(name, segments)
    key = ("dimension", name, tuple(segment.folder.name for segment in segments))
    return segments[0].remembered(key, lambda: DocumentDimension(name, segments))


def _check_attribute(segments: Sequence[Segment], name: str) -> None:
    for segment in segments:
        segment.attribute(name)


def _unknown(segments: Sequence[Segment], name: str) -> str:
    from izwi.model.analyses import PERIODS

    attributes = ", ".join(segments[0].attributes)
    known = ", ".join(("publication", "host", *segments[0].cards.column_names))
    return (
        f"Nothing can be counted by '{name}'. Choose something known of documents ({known}), a "
        f"period ({', '.join(PERIODS)}), an attribute of the hit ({attributes}), or a token "
        "(L1.word, R2.lemma, target[+1].lemma)."
    )


@dataclass(frozen=True, slots=True)
class Texts:
    """Chosen documents, tokens, and squares of documents' tokens, by joined code."""

    documents: NDArray[np.int64]
    tokens: NDArray[np.int64]
    tokens_squared: NDArray[np.float64]
    # The cell of each document, segment by segment.
    cells: tuple[Codes, ...]
    # The joined code of each cell, ascending. By one thing, all codes in order; by several, only
    # those that occur, as the others would be far too many.
    keys: Codes

    def places(self, joined: Codes) -> Codes:
        """Return the cells of some joined codes that occur."""
        return np.searchsorted(self.keys, joined)


def texts_of(selection: Selection, dimensions: Sequence[DocumentDimension]) -> Texts:
    """Return how much text each cell has; all of it in one cell if there are no dimensions."""
    names = tuple(each.name for each in dimensions)
    folders = tuple(segment.folder.name for segment in selection.segments)
    if not selection.segments or selection.only is not None:
        return _counted(selection, dimensions)
    key = ("texts", selection.chosen, names, folders)
    return selection.segments[0].remembered(key, lambda: _counted(selection, dimensions))


def _counted(selection: Selection, dimensions: Sequence[DocumentDimension]) -> Texts:
    joined = [_joined(selection, dimensions, place) for place in range(len(selection.segments))]
    keys = _keys(dimensions, joined)
    cells = tuple(np.searchsorted(keys, each) if len(dimensions) > 1 else each for each in joined)
    size = len(keys)
    sums = np.zeros((3, size))
    for segment, mask, every in zip(selection.segments, selection.masks, cells, strict=True):
        own = every if mask is None else every[mask]
        lengths = segment.document_lengths
        some = (lengths if mask is None else lengths[mask]).astype(np.float64)
        sums[0] += np.bincount(own, minlength=size)
        sums[1] += np.bincount(own, some, size)
        sums[2] += np.bincount(own, some**2, size)
    return Texts(sums[0].astype(np.int64), np.rint(sums[1]).astype(np.int64), sums[2], cells, keys)


def _joined(selection: Selection, dimensions: Sequence[DocumentDimension], place: int) -> Codes:
    """Return the joined code of each document of a segment."""
    joined = np.zeros(len(selection.segments[place].document_lengths), np.int64)
    for each in dimensions:
        joined = joined * each.size + each.document_codes(place)
    return joined


def _keys(dimensions: Sequence[DocumentDimension], joined: Sequence[Codes]) -> Codes:
    if len(dimensions) > 1 and joined:
        return distinct(np.concatenate(joined))
    return np.arange(dimensions[0].size if dimensions else 1)
