"""Sequences of words: how often each occurs, and which of them are terms of a text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.dimensions import FormDimension, document_dimension, texts_of
from izwi.analyse.keywords import Candidates, KeywordsAsked, Reference, empty, is_enough
from izwi.analyse.selection import Selection, kept_counts, phrase
from izwi.analyse.statistics import grouped
from izwi.analyse.vocabulary import Choice, Vocabulary, vocabulary_of
from izwi.analyse.wordlists import empty_notes
from izwi.index.columns import Packed, bits_for, is_worth_compiling
from izwi.kernels.counting import count_ngrams, regrow, sketch_ngrams
from izwi.model.analyses import WordLine, WordList
from izwi.model.errors import QueryError
from izwi.model.results import Progress
from izwi.query.cql import parse
from izwi.query.tree import Query, Test
from izwi.query.values import allowed, matching_texts

Numbers = NDArray[np.int64]
# Places of the small table; a power of two. Its two megabytes stay near the processor.
_SKETCH = 1 << 20
# Counts of the small table end here.
_FULL = 65_535
# Places of the exact table at first and at most; powers of two, each place has 20 bytes.
_TABLE, _LARGEST = 1 << 18, 1 << 24
# Tokens read between two looks at the clock.
_BUDGET = 4_000_000
# An odd number with no pattern, for keys of sequences too long to be written out.
_FACTOR = 0x9E3779B97F4A7C15


_Given = tuple[
    NDArray[np.uint64], int, NDArray[np.int32], NDArray[np.uint64], NDArray[np.int32],
    NDArray[np.int32], int, int,
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class NgramSource:
    """A column to read: which values are wanted, how they are coded, and which stretches."""

    column: Packed
    is_wanted: NDArray[np.bool_]
    # Empty where the values stand for themselves.
    codes: NDArray[np.int32]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    # What is added to a place, so that places of all columns differ.
    offset: int

    def coded(self, values: Numbers) -> Numbers:
        """Return the codes of some values."""
        return self.codes[values].astype(np.int64) if len(self.codes) else values


@dataclass(frozen=True, slots=True)
class Tally:
    """Where each sequence was met first, and how often it was met."""

    places: Numbers
    counts: Numbers
    # Whether all sequences of the minimum are there, not only the most frequent.
    is_all: bool = True


class Counter:
    """Counts the sequences of a length in some columns."""

    def __init__(
        self, sources: Sequence[NgramSource], size: int, types: int, selection: Selection
    ) -> None:
        self._sources = tuple(source for source in sources if len(source.starts))
        self._size = size
        # Written with as many bits a code as the largest needs, a key is the sequence itself.
        bits = bits_for(max(0, types - 1))
        self._factor = 1 << bits if bits * size <= 64 else _FACTOR
        self._selection = selection

    def frequent(self, least: int, most: int) -> Tally:
        """Return the sequences that are among the so many most frequent, and perhaps others."""
        sketch = self._sketch()
        floor = max(least, _first_floor(sketch, most))
        while True:
            found = self._exact(sketch, floor)
            enough = np.sort(found.counts)[-most] if len(found.counts) >= most else 0
            # What was not counted is rarer than the floor.
            if floor <= least or enough >= floor:
                return Tally(found.places, found.counts, floor <= least)
            floor = max(least, int(enough) or floor // 8)

    def _sketch(self) -> NDArray[np.uint16]:
        sketch = np.zeros(_SKETCH, np.uint16)
        for source in self._sources:
            begin = 0
            while begin < len(source.starts):
                self._say("reading", source, begin)
                begin = sketch_ngrams(*self._given(source), sketch, begin, _BUDGET)
        return sketch

    def _given(self, source: NgramSource) -> _Given:
        column = source.column
        bits = np.packbits(source.is_wanted, bitorder="little")
        wanted = np.zeros(-(-max(1, len(bits)) // 8) * 8, np.uint8)
        wanted[: len(bits)] = bits
        return (
            *(column.words, column.bits, source.codes, wanted.view(np.uint64)),
            *(source.starts, source.ends, self._size, self._factor),
        )

    def _say(self, step: str, source: NgramSource, begin: int) -> None:
        self._selection.deadline.check()
        self._selection.listener(Progress(step, begin, len(source.starts)))

    def _exact(self, sketch: NDArray[np.uint16], least: int) -> Tally:
        """Count what may be frequent enough, in as many goes as the memory asks for."""
        shares = 1
        while True:
            parts = []
            for share in range(shares):
                part = self._share(sketch, least, (share, shares))
                if part is None:
                    break
                parts.append(part)
            else:
                places, counts = (np.concatenate(each) for each in zip(*parts, strict=True))
                return Tally(places, counts)
            shares *= 4

    def _share(
        self, sketch: NDArray[np.uint16], least: int, share: tuple[int, int]
    ) -> tuple[Numbers, Numbers] | None:
        """Count a part of the keys; None if they are too many for the memory."""
        table = _Table(_TABLE)
        for source in self._sources:
            state = np.zeros(2, np.int64)
            longest = int((source.ends - source.starts).max())
            while state[0] < len(source.starts):
                self._say("counting", source, int(state[0]))
                while 2 * (table.size + longest) > len(table.keys):
                    if len(table.keys) >= max(_LARGEST, 4 * longest):
                        return None
                    table = table.larger()
                state[1] = table.size
                count_ngrams(
                    *self._given(source), sketch, min(least, _FULL), share,
                    table.keys, table.counts, table.places, source.offset, state, _BUDGET,
                )  # fmt: skip
                table.size = int(state[1])
        kept = table.counts >= least
        return table.places[kept], table.counts[kept].astype(np.int64)


class _Table:
    """Keys by their places in a table, with their counts and where they were met first."""

    def __init__(self, places: int) -> None:
        self.keys = np.zeros(places, np.uint64)
        self.counts = np.zeros(places, np.uint32)
        self.places = np.zeros(places, np.int64)
        self.size = 0

    def larger(self) -> "_Table":
        """Return a table of four times the size with the same keys."""
        found = _Table(4 * len(self.keys))
        regrow(self.keys, self.counts, self.places, found.keys, found.counts, found.places)
        found.size = self.size
        return found


def _first_floor(sketch: NDArray[np.uint16], most: int) -> int:
    """Return a frequency that so many sequences probably have: half of what their places say."""
    if 2 * most >= len(sketch):
        return 0
    return int(np.partition(sketch, len(sketch) - 2 * most)[len(sketch) - 2 * most]) // 2


def count_plainly(sources: Sequence[NgramSource], size: int, least: int) -> Tally:
    """Count the sequences of short columns without compiled code."""
    rows, places = [], []
    for source in sources:
        codes = np.where(source.is_wanted, source.coded(np.arange(len(source.is_wanted))), -1)
        codes = codes[source.column[:]]
        for start, end in _long_enough(source, size):
            firsts = np.arange(start, end - size + 1)
            own = np.stack([codes[firsts + distance] for distance in range(size)], 1)
            kept = (own >= 0).all(axis=1)
            rows.append(own[kept])
            places.append(source.offset + firsts[kept])
    if not rows:
        return Tally(np.empty(0, np.int64), np.empty(0, np.int64))
    _, first, counts = np.unique(
        np.concatenate(rows), axis=0, return_index=True, return_counts=True
    )
    kept = counts >= least
    return Tally(np.concatenate(places)[first[kept]], counts[kept].astype(np.int64))


def _long_enough(source: NgramSource, size: int) -> Iterator[tuple[int, int]]:
    for start, end in zip(source.starts.tolist(), source.ends.tolist(), strict=True):
        if end - start >= size:
            yield start, end


LONGEST = 8


@dataclass(frozen=True, slots=True)
class NgramsAsked:
    """How long the sequences are, what they must not reach beyond, and a word they hold."""

    size: int = 2
    within: str = "s"
    choice: Choice = field(default_factory=Choice)
    # An expression that one of the words matches; empty for any.
    holding: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.size <= LONGEST:
            raise QueryError(f"A sequence has 1 to {LONGEST} words, not {self.size}.")


def ngram_list(selection: Selection, asked: NgramsAsked) -> WordList:
    """Return the sequences of so many words, the most frequent first."""
    choice = asked.choice
    attribute = selection.attribute(choice)
    vocabulary = vocabulary_of(selection.segments, attribute)

    def counted() -> tuple[Numbers, ...]:
        sources = _sources(selection, asked, attribute, vocabulary)
        tally = _counted(selection, asked, sources, len(vocabulary))
        order = np.lexsort((tally.places, -tally.counts))[: choice.most]
        total = len(tally.counts) if tally.is_all else -1
        return tally.places[order], tally.counts[order], np.array([total])

    places, counts, total = kept_counts(selection, ("ngrams", attribute, asked), counted)
    rows = zip(places.tolist(), counts.tolist(), strict=True)
    lines = tuple(
        _line(selection, attribute, _values(selection, attribute, place, asked.size), hits)
        for place, hits in rows
    )
    return WordList(
        attribute=attribute,
        size=asked.size,
        snapshot=selection.number,
        tokens=selection.tokens,
        types=None,
        total=int(total[0]) if total[0] >= 0 else None,
        pattern=choice.pattern,
        least=choice.least,
        sort="hits",
        lines=lines,
        notes=empty_notes(selection, len(lines)),
    )


def _sources(
    selection: Selection, asked: NgramsAsked, attribute: str, vocabulary: Vocabulary
) -> list[NgramSource]:
    """Return what is to be read of each segment."""
    is_wanted = vocabulary.passing(asked.choice, np.arange(len(vocabulary)), selection.deadline)
    sources, offset = [], 0
    for place, segment in enumerate(selection.segments):
        column = segment.attribute(attribute).column
        own = vocabulary.numbers(place, np.arange(len(segment.attribute(attribute).lexicon)))
        codes = own.astype(np.int32) if len(selection.segments) > 1 else np.empty(0, np.int32)
        starts, ends = selection.stretches(place, asked.within)
        if asked.holding:
            test = Test(attribute, asked.holding, flags="" if asked.choice.is_exact_case else "c")
            words = allowed(segment.attribute(attribute), test, selection.deadline)
            places = segment.attribute(attribute).positions_of(words)
            starts, ends = _round(places, starts, ends, asked.size)
        sources.append(NgramSource(column, is_wanted[own], codes, starts, ends, offset))
        offset += segment.tokens
    return sources


def _round(
    places: NDArray[np.integer], starts: NDArray[np.int32], ends: NDArray[np.int32], size: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the stretches whose sequences hold one of some places; no sequence is in two of them.

    >>> [each.tolist() for each in _round(np.array([3, 4, 9]), np.array([0]), np.array([12]), 2)]
    [[2, 8], [6, 11]]
    """
    own = np.searchsorted(starts, places, side="right") - 1
    is_inside = (own >= 0) & (places < np.append(ends, 0)[own])
    places, own = places[is_inside], own[is_inside]
    first = np.maximum(starts[own], places - size + 1)
    last = np.minimum(places, ends[own] - size)
    first, last = first[first <= last], last[first <= last]
    begins = np.flatnonzero(np.append(True, first[1:] > last[:-1] + 1)[: len(first)])
    until = np.append(begins[1:], len(first))[: len(begins)] - 1
    return first[begins].astype(np.int32), (last[until] + size).astype(np.int32)


def _counted(
    selection: Selection, asked: NgramsAsked, sources: list[NgramSource], types: int
) -> Tally:
    choice = asked.choice
    if not is_worth_compiling(sum(segment.tokens for segment in selection.segments)):
        return count_plainly(sources, asked.size, choice.least)
    counter = Counter(sources, asked.size, types, selection)
    return counter.frequent(choice.least, choice.most)


def _values(selection: Selection, attribute: str, place: int, size: int) -> list[str]:
    """Return the words of the sequence at a place, counted through all segments."""
    for segment in selection.segments:
        if place < segment.tokens:
            break
        place -= segment.tokens
    own = segment.attribute(attribute)
    return own.values(own.column[place : place + size])


def _line(selection: Selection, attribute: str, values: list[str], hits: int) -> WordLine:
    return WordLine(
        value=" ".join(values),
        hits=hits,
        per_million=1e6 * hits / selection.tokens,
        documents=None,
        sites=None,
        dp=None,
        opens=selection.opening(phrase(attribute, values)),
    )


Counts = NDArray[np.int64]
Words = tuple[str, ...]
# Adjectives and nouns before a noun, in the tag sets of Penn and of Universal Dependencies.
_MODIFIER, _HEAD = "JJ.*|NN.*|ADJ|NOUN|PROPN", "NN.*|NOUN|PROPN"
# Words of a term at most, if nobody gives patterns.
_LONGEST = 4
_TAGS = ("pos", "tag", "upos", "xpos")


def term_patterns(selection: Selection, given: Sequence[str]) -> tuple[Query, ...]:
    """Return the patterns that terms fit: those given, or nouns with what stands before them."""
    if given:
        return tuple(parse(each) for each in given)
    tags = _tags_of(selection.segments[0].attributes if selection.segments else _TAGS)
    # One query for each length, so that terms inside longer ones count, too.
    return tuple(
        parse(f'[{tags}="{_MODIFIER}"]{{{many}}} [{tags}="{_HEAD}"] within <s/>')
        for many in range(1, _LONGEST)
    )


def term_cql(words: Sequence[str], attribute: str, attributes: Sequence[str]) -> str:
    """Return the query for a term whose words have the tags of one."""
    tags = _tags_of(attributes)
    quoted = [word.replace("\\", "\\\\").replace('"', '\\"') for word in words]
    kinds = [*[_MODIFIER] * (len(words) - 1), _HEAD]
    pairs = zip(quoted, kinds, strict=True)
    return " ".join(f'[{attribute}=="{word}" & {tags}="{kind}"]' for word, kind in pairs)


def _tags_of(attributes: Sequence[str]) -> str:
    found = next((name for name in _TAGS if name in attributes), None)
    if found is None:
        raise QueryError(
            'This corpus has no tags, so terms need patterns of your own, such as [word="load"] [].'
        )
    return found


def candidate_terms(
    selection: Selection, patterns: Sequence[Query], asked: KeywordsAsked
) -> Candidates:
    """Return the terms of a text that are frequent enough and in enough sites."""
    attribute = selection.attribute(asked.choice)
    forms = FormDimension(attribute, selection.segments)
    codes, documents = _occurrences(selection, patterns, forms)
    terms, own = grouped(codes, max(1, forms.size))
    hits = np.bincount(terms, minlength=len(own)).astype(np.int64)
    sites, shares = _sites(selection)
    site_of = np.concatenate([np.empty(0, np.int64), *sites])
    in_documents = _spread(terms, documents, hits, np.zeros(len(site_of)))
    in_sites = _spread(terms, site_of[documents], hits, shares)
    every = Candidates(
        selection,
        attribute,
        hits,
        in_documents[0],
        in_sites[0],
        in_sites[1],
        int((shares > 0).sum()),
        lambda some: [tuple(forms.values(code)) for code in own[some].tolist()],
    )
    passing = np.flatnonzero(is_enough(every, asked))
    return every.kept(passing[_is_wanted(every.words(passing), asked, attribute)])


def term_reference(
    other: Selection,
    patterns: Sequence[Query],
    words: Sequence[Words],
    attribute: str,
    *,
    name: str,
) -> Reference:
    """Return how often some terms occur, as terms, in other documents."""
    forms = FormDimension(attribute, other.segments)
    codes, _ = _occurrences(other, patterns, forms)
    # What was not met has the last place, which counts nothing.
    every = np.append(np.bincount(codes, minlength=max(1, forms.size)), 0)
    counts = every[forms.codes_of(words)].astype(np.int64)
    return Reference(counts, other.tokens, name, empty(other, name))


def _occurrences(
    selection: Selection, patterns: Sequence[Query], forms: FormDimension
) -> tuple[Counts, Counts]:
    """Return the form and the document of every occurrence; documents are numbered through."""
    codes, documents = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for query in patterns:
        first = 0
        for place, part in enumerate(selection.hits(query)):
            codes.append(forms.codes(place, part))
            documents.append(first + part.documents)
            first += len(part.segment.document_starts)
    return np.concatenate(codes), np.concatenate(documents)


def _sites(selection: Selection) -> tuple[tuple[Counts, ...], NDArray[np.float64]]:
    texts = texts_of(selection, [document_dimension(selection.segments, "publication")])
    return texts.cells, texts.tokens / max(1, selection.tokens)


def _spread(
    terms: Counts, parts: Counts, hits: Counts, shares: NDArray[np.float64]
) -> tuple[Counts, NDArray[np.float64]]:
    """Return in how many parts each term is, and its deviation of proportions over them."""
    size = max(1, len(shares))
    keys, many = np.unique(terms * size + parts, return_counts=True)
    term, share = keys // size, shares[keys % size] if len(shares) else np.empty(0)
    ranges = np.bincount(term, minlength=len(hits)).astype(np.int64)
    distance = np.bincount(term, np.abs(share - many / hits[term]), len(hits))
    covered = np.bincount(term, share, len(hits))
    return ranges, (distance + np.maximum(0.0, 1 - covered)) / 2


def _is_wanted(words: Sequence[Words], asked: KeywordsAsked, attribute: str) -> NDArray[np.bool_]:
    """Return which terms have only words that the pattern matches and no stop list names."""
    choice = asked.choice
    every = sorted({word for each in words for word in each})
    passes = dict.fromkeys(every, True)
    if choice.pattern and every:
        found = matching_texts(every, Test(attribute, choice.pattern))
        passes = dict(zip(every, found.tolist(), strict=True))
    stopped = set(choice.stop)
    return np.array(
        [all(passes[word] and word not in stopped for word in each) for each in words], np.bool_
    )
