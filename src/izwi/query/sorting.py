"""The order of lines: by documents, by words around, by how well they show a word, by chance.

Only a page is wanted. Within a segment, lines are compared by numbers that sort as their words do,
and whatever cannot come on the page is put aside after each key. What is left of each segment is
then merged by the words themselves.

How well a sentence shows a word: neither short nor long, whole, of words that others use too. After
the idea of GDEX (Kilgarriff et al. 2008), with three of its features, which need no list of words
and no tagger.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.index.lexicon import without_diacritics
from izwi.index.reader import NO_DATE, Attribute, Segment
from izwi.model.errors import QueryError
from izwi.model.reading import SORTS
from izwi.model.records import dataclass
from izwi.query.hits import SegmentHits
from izwi.query.targets import Point, PointKey, label_places, point_key
from izwi.query.tree import Query, Token

MOST_KEYS = 5
_BY_DOCUMENT = {"date", "newest", "publication", "source"}
_NAMED = {"publication", "source"}
# Tokens of a match that are compared; longer ones are equal for the purpose of sorting.
_MOST_NODE = 6
_NEAR = 3
_LAST = np.iinfo(np.int64).max
# Documents with hits are so few that their places in the order are sorted, not looked through.
_FEW = 16

Order = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Key:
    """What lines of one segment are compared by."""

    # Numbers of some hits that sort as the things do, within the segment.
    ranks: Callable[[Order], Order]
    # The things themselves, to be compared with those of other segments.
    things: Callable[[Order], list[Any]]


def sort_keys(sort: str) -> tuple[str, ...]:
    """Return the keys of a sort order such as `left,date`, or raise an error that lists them."""
    keys = tuple(key.strip() for key in sort.split(","))
    for key in keys:
        if key not in SORTS and point_key(key) is None:
            raise QueryError(
                f"Lines cannot be sorted by '{key}'; choose one of {', '.join(SORTS)}, or a token "
                "and its attribute such as matchend[1].lemma."
            )
    if len(keys) > MOST_KEYS:
        raise QueryError(f"Lines are sorted by at most {MOST_KEYS} keys, not {len(keys)}.")
    return keys


def page_of(
    parts: Sequence[SegmentHits],
    sort: str,
    seed: int,
    first: int,
    last: int,
    query: Query | None = None,
) -> list[tuple[SegmentHits, int]]:
    """Return the hits from one place of the order up to another; ties keep corpus order.

    Where labelled tokens stand, such as the target, follows from the query.
    """
    names = sort_keys(sort)
    random = np.random.default_rng(seed) if "random" in names else None
    rows: list[tuple[tuple[Any, ...], SegmentHits, int]] = []
    used = [part for part in parts if len(part)]
    for part in used:
        keys = [key for name in names for key in _keys(part, name, random, query)]
        best = _first_hits(part, names, keys, last)
        if len(used) == 1:
            return [(part, hit) for hit in best[first:last].tolist()]
        things = zip(*(key.things(best) for key in keys), strict=True)
        rows += [(own, part, hit) for own, hit in zip(things, best.tolist(), strict=True)]
    rows.sort(key=lambda row: row[0])
    return [(part, hit) for _, part, hit in rows[first:last]]


def _first_hits(part: SegmentHits, names: Sequence[str], keys: Sequence[_Key], most: int) -> Order:
    """Return the first hits of a segment in order."""
    if set(names) <= _BY_DOCUMENT:
        return _by_document(part, tuple(names), most)
    hits = np.arange(len(part))
    joined = np.zeros(len(part), np.int64)
    for key in keys:
        joined = _joined(joined, key.ranks(hits))
        if len(hits) > 2 * most:
            is_near = joined <= np.partition(joined, most - 1)[most - 1]
            hits, joined = hits[is_near], joined[is_near]
    return hits[np.argsort(joined, kind="stable")][:most]


def _joined(first: Order, second: Order) -> Order:
    """Return one number for two that sorts as the pair does."""
    low, span = int(second.min()), int(second.max()) - int(second.min()) + 1
    if int(first.max()) == int(first.min()):
        return second
    if (int(first.max()) - int(first.min()) + 1) * span >= _LAST:
        first = np.unique(first, return_inverse=True)[1]
        second = np.unique(second, return_inverse=True)[1]
        low, span = 0, int(second.max()) + 1
    return np.asarray((first - first.min()) * span + (second - low))


def _by_document(part: SegmentHits, names: tuple[str, ...], most: int) -> Order:
    """Sort documents instead of hits, of which there are many more, and count off the hits."""
    tally = part.tally
    chosen = _first_documents(part, names, most)
    ends = np.cumsum(tally.counts[chosen])
    chosen = chosen[: int(np.searchsorted(ends, most)) + 1]
    begins = (np.cumsum(tally.counts) - tally.counts)[chosen]
    counts = tally.counts[chosen]
    before = np.cumsum(counts) - counts
    every: Order = np.arange(counts.sum()) + np.repeat(begins - before, counts)
    return every[:most]


def _first_documents(part: SegmentHits, names: tuple[str, ...], most: int) -> Order:
    """Return which documents of the tally come first, enough of them for so many hits."""
    documents, size = part.tally.documents, len(part.segment.document_starts)
    order, places = part.segment.remembered(("order", names), lambda: _ordered(part, names))
    if _FEW * len(documents) < size:
        return np.argsort(places[documents])
    number = np.full(size, -1, np.int32)
    number[documents] = np.arange(len(documents), dtype=np.int32)
    looked = 2 * _FEW * most
    while True:
        chosen = number[order[:looked]]
        chosen = chosen[chosen >= 0]
        if len(chosen) >= most or looked >= size:
            return chosen.astype(np.int64)
        looked *= 4


def _ordered(part: SegmentHits, names: tuple[str, ...]) -> tuple[Order, Order]:
    """Return the documents of a segment in order, and the place of each."""
    columns = [_document_ranks(part.segment, name) for name in names]
    order = np.lexsort(columns[::-1])
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return order, places


def _keys(
    part: SegmentHits, name: str, random: "np.random.Generator | None", query: Query | None
) -> list[_Key]:
    pointed = None if name in SORTS else point_key(name)
    if pointed:
        return _point_keys(part, pointed, query)
    if random is not None and name == "random":
        return [_number_key(random.integers(0, 1 << 62, len(part)))]
    if name == "example":
        return [_number_key((-scores(part) * 1_000_000).astype(np.int64))]
    if name in _BY_DOCUMENT:
        return [_document_key(part, name)]
    # The forms of a hit differ in their capitals only; its neighbours sort without regard to them.
    segment = part.segment
    attribute = segment.word if name == "node" else sorting_attribute(segment)
    return [_word_key(part, attribute, at) for at in _places(part, name)]


def _point_keys(part: SegmentHits, key: PointKey, query: Query | None) -> list[_Key]:
    """Return what is compared from one point to another, token by token."""
    attribute = part.segment.attribute(key.attribute)
    first, last = (_place_of(part, point, query) for point in (key.first, key.last))
    if "r" in key.flags:
        first, last = last, first
    steps = np.where((first < 0) | (last < 0), 0, np.sign(last - first))
    many = int(np.abs(last - first).max(initial=0)) + 1

    def at(number: int) -> Callable[[Order], Order]:
        is_inside = (np.abs(last - first) >= number) & (first >= 0)
        places = np.where(is_inside, first + number * steps, -1)
        return lambda hits: places[hits]

    return [_folded_key(part, attribute, at(n), key) for n in range(min(many, _MOST_NODE))]


def _place_of(part: SegmentHits, point: Point, query: Query | None) -> Order:
    """Return the position of a point for each hit; -1 where there is none."""
    if query is None and point.label not in {"match", "matchend"}:
        raise QueryError(f"Without its query a hit has no token with the label '{point.label}'.")
    places = label_places(part.segment, query or Query(Token()), part.hits, point.label)
    return np.where(places < 0, -1, np.maximum(places + point.distance, -1))


@functools.total_ordering
@dataclass(frozen=True, slots=True)
class _Turned:
    """A text that sorts before those it would follow."""

    text: tuple[str, str]

    def __lt__(self, other: "_Turned") -> bool:
        return other.text < self.text


def _folded_key(
    part: SegmentHits, attribute: Attribute, at: Callable[[Order], Order], key: PointKey
) -> _Key:
    def forms(numbers: Order) -> list[tuple[str, str]]:
        known = iter(attribute.values(numbers[numbers >= 0]))
        return [_folded(next(known), key.flags) if n >= 0 else ("", "") for n in numbers.tolist()]

    def ranks(hits: Order) -> Order:
        used, own = np.unique(_numbers(part, attribute, at, hits), return_inverse=True)
        texts = forms(used)
        order = {text: rank for rank, text in enumerate(sorted(set(texts)))}
        found = np.array([order[text] for text in texts], np.int64)[own.reshape(-1)]
        return -found if key.is_descending else found

    def things(hits: Order) -> list[Any]:
        found = forms(_numbers(part, attribute, at, hits))
        return [_Turned(text) for text in found] if key.is_descending else found

    return _Key(ranks, things)


def _folded(text: str, flags: str) -> tuple[str, str]:
    """Return what a text is sorted by where capitals or diacritics do not matter.

    >>> _folded("École", "cd"), _folded("École", "")
    (('ecole', ''), ('école', 'École'))
    """
    plain = without_diacritics(text) if "d" in flags else text
    plain = plain[::-1] if "r" in flags else plain
    return plain.casefold(), "" if "c" in flags else plain


def _number_key(numbers: Order) -> _Key:
    return _Key(lambda hits: numbers[hits], lambda hits: numbers[hits].tolist())


def _document_key(part: SegmentHits, name: str) -> _Key:
    def ranks(hits: Order) -> Order:
        own: Order = _document_ranks(part.segment, name)[part.documents[hits]]
        return own

    def things(hits: Order) -> list[Any]:
        if name not in _NAMED:
            return list(ranks(hits).tolist())
        numbers, names = _names(part.segment, name)
        return [_sorted_as(names[n]) for n in numbers[part.documents[hits]].tolist()]

    return _Key(ranks, things)


def _document_ranks(segment: Segment, name: str) -> Order:
    """Return a number for each document that sorts as its date or name does, undated last."""
    if name not in _NAMED:
        return segment.remembered(("days", name), lambda: _days(segment, name == "newest"))
    return segment.remembered(("ranks", name), lambda: _name_ranks(segment, name))


def _days(segment: Segment, is_newest: bool) -> Order:
    days = segment.dates.astype(np.int64)
    return np.where(segment.dates == NO_DATE, 1 << 40, -days if is_newest else days)


def _names(segment: Segment, name: str) -> tuple[Order, list[str]]:
    return segment.sources if name == "source" else segment.publications


def _name_ranks(segment: Segment, name: str) -> Order:
    numbers, names = _names(segment, name)
    order = sorted(range(len(names)), key=lambda number: _sorted_as(names[number]))
    ranks = np.empty(len(names), np.int64)
    ranks[order] = np.arange(len(names))
    return ranks[numbers]


def _places(part: SegmentHits, name: str) -> list[Callable[[Order], Order]]:
    """Return which token each key compares, as functions of the hits; -1 for none."""
    starts, hits = part.starts, part.hits
    if name == "left":
        return [lambda at, n=n: starts[at].astype(np.int64) - n for n in range(1, _NEAR + 1)]  # type: ignore[misc]
    if name == "right":
        return [lambda at, n=n: hits.ends_of(at).astype(np.int64) + n for n in range(_NEAR)]  # type: ignore[misc]
    longest = hits.width if hits.various is None else int((hits.ends - starts).max())
    return [
        lambda at, n=n: np.where(starts[at] + n < hits.ends_of(at), starts[at] + n, -1).astype(  # type: ignore[misc]
            np.int64
        )
        for n in range(min(longest, _MOST_NODE))
    ]


def sorting_attribute(segment: Segment) -> Attribute:
    """Return the attribute by which words are sorted: in lower case if there is one."""
    return segment.lc if "lc" in segment.attributes else segment.word


def _word_key(part: SegmentHits, attribute: Attribute, at: Callable[[Order], Order]) -> _Key:
    def ranks(hits: Order) -> Order:
        numbers = _numbers(part, attribute, at, hits)
        own = attribute.lexicon.ranks[np.maximum(numbers, 0)].astype(np.int64)
        own[numbers < 0] = -1
        return own

    def things(hits: Order) -> list[Any]:
        numbers = _numbers(part, attribute, at, hits)
        words = iter(attribute.values(numbers[numbers >= 0]))
        return [_sorted_as(next(words)) if n >= 0 else ("", "") for n in numbers.tolist()]

    return _Key(ranks, things)


def _sorted_as(text: str) -> tuple[str, str]:
    return text.casefold(), text


def _numbers(
    part: SegmentHits, attribute: Attribute, at: Callable[[Order], Order], hits: Order
) -> Order:
    """Return the value number of a token near each hit, -1 outside its document."""
    positions, documents = at(hits), part.documents[hits]
    begins = part.segment.structure("doc").edges[documents]
    inside = (positions >= begins) & (positions < part.segment.document_ends[documents])
    if inside.all():
        return attribute.column[positions]
    numbers = np.full(len(positions), -1, np.int64)
    numbers[inside] = attribute.column[positions[inside]]
    return numbers


# Lengths, in tokens, that are best; outside them the score falls by a tenth a token.
_BEST = (10, 25)
# A word is common if it makes up this share of the corpus, or occurs this often in a small one.
_COMMON_SHARE = 1e-6
_COMMON_TIMES = 3
# Scores of more hits than this are computed for the first ones only; the others come after them.
MOST_SCORED = 20_000


def scores(hits: SegmentHits) -> NDArray[np.float64]:
    """Return a score from 0 to 1 for the sentence each hit begins in."""
    found = np.zeros(len(hits.starts), np.float64)
    segment = hits.segment
    if "s" not in segment.structures or not len(found):
        return found
    structure = segment.structure("s")
    starts = hits.starts[:MOST_SCORED]
    place = np.searchsorted(structure.starts, starts, side="right") - 1
    begin = np.where(place >= 0, structure.starts[np.maximum(place, 0)], starts).astype(np.int64)
    end = np.where(place >= 0, structure.ends[np.maximum(place, 0)], starts + 1)
    end = np.maximum(end, begin + 1)
    lengths = end - begin
    outside = np.maximum(_BEST[0] - lengths, 0) + np.maximum(lengths - _BEST[1], 0)
    by_length = np.maximum(0.0, 1 - outside / 10)
    found[:MOST_SCORED] = by_length * (0.3 + 0.7 * _common_share(hits, begin, lengths))
    return found


def _common_share(
    hits: SegmentHits, begin: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the share of each sentence's tokens that are common words."""
    word = hits.segment.word
    first = np.cumsum(lengths) - lengths
    positions = np.arange(lengths.sum()) + np.repeat(begin - first, lengths)
    least = max(_COMMON_TIMES, _COMMON_SHARE * hits.segment.tokens)
    is_common = word.frequencies_of(word.column[positions]) >= least
    return np.add.reduceat(is_common.astype(np.float64), first) / lengths
