"""Word sketches: a word's company by relations, found by tag patterns; how two words differ.

Which words stand in the relations of a sketch grammar: tag patterns over a segment, in NumPy. Two
words are a pair of a step if the second is an aim, all tokens between them are of the gap and none
of those is an aim. Both directions of search find the same pairs.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.selection import Selection
from izwi.analyse.sketch_grammar import Grammar, Pattern, Step, TokenClass
from izwi.analyse.word_forms import (
    document_mask,
    lemma_attribute,
    lemma_frequencies,
    lemma_of,
    tag_attribute,
)
from izwi.index.reader import Attribute, Segment
from izwi.model.errors import QueryError
from izwi.model.lexicography import (
    DifferenceCollocate,
    DifferenceRelation,
    Sketch,
    SketchCollocate,
    SketchDifference,
    SketchRelation,
)
from izwi.query.engine import Filter
from izwi.query.tree import Test
from izwi.query.values import allowed

Places = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PatternPairs:
    """Pairs of a pattern: the places of both words, and of the first that leads from one on."""

    sources: Places
    targets: Places
    links: Places


class TaggedTokens:
    """The tokens of a segment by their tags and lemmas."""

    def __init__(self, segment: Segment, tags: tuple[str, ...] = ()) -> None:
        self.segment = segment
        self.tags = tag_attribute(segment, tags)
        self.lemmas = lemma_attribute(segment)
        self._classes: dict[TokenClass, tuple[Mask, Mask | None]] = {}

    def are(self, kind: TokenClass, places: Places) -> Mask:
        """Return which tokens are of a class."""
        of_tag, of_lemma = self._masks(kind)
        found = of_tag[self.tags.column[places]]
        if of_lemma is not None and found.any():
            found[found] = of_lemma[self.lemmas.column[places[found]]]
        return found

    def are_any(self, kinds: tuple[TokenClass, ...], places: Places) -> Mask:
        """Return which tokens are of one of some classes."""
        found = np.zeros(len(places), np.bool_)
        for kind in kinds:
            rest = np.flatnonzero(~found)
            found[rest] = self.are(kind, places[rest])
        return found

    def places_of(self, kind: TokenClass, first: int, last: int) -> Places:
        """Return the tokens of a class in a stretch."""
        of_tag, _ = self._masks(kind)
        places = first + np.flatnonzero(of_tag[self.tags.column[first:last]])
        return places[self.are(kind, places)]

    def _masks(self, kind: TokenClass) -> tuple[Mask, Mask | None]:
        if kind not in self._classes:
            self._classes[kind] = (_values(self.tags, kind.tag), self._lemma_mask(kind))
        return self._classes[kind]

    def _lemma_mask(self, kind: TokenClass) -> Mask | None:
        if not kind.lemmas and not kind.other_lemmas:
            return None
        mask = np.full(max(1, len(self.lemmas.lexicon)), not kind.lemmas)
        for lemma in (*kind.lemmas, *kind.other_lemmas):
            number = self.lemmas.number(lemma)
            if number is not None:
                mask[number] = lemma in kind.lemmas
        return mask

    @cached_property
    def _sentences(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        name = "s" if "s" in self.segment.structures else "doc"
        return self.segment.structure(name).bounds

    def sentences(self, places: Places) -> tuple[Places, Places]:
        """Return where the sentence of each token begins and ends."""
        starts, ends = self._sentences
        number = np.searchsorted(starts, places.astype(starts.dtype), side="right") - 1
        number = np.maximum(number, 0)
        return starts[number].astype(np.int64), ends[number].astype(np.int64)


def pairs_from_source(tokens: TaggedTokens, pattern: Pattern, places: Places) -> PatternPairs:
    """Return the pairs whose first word stands at one of some places."""
    sources = places[tokens.are(pattern.source, places)]
    _, ends = tokens.sentences(sources)
    rows, aims = _ahead(tokens, pattern.steps[0], sources, ends)
    links = aims
    if pattern.has_link:
        later, aims = _ahead(tokens, pattern.steps[1], links, ends[rows])
        rows, links = rows[later], links[later]
    return PatternPairs(sources[rows], aims, links)


def pairs_from_target(tokens: TaggedTokens, pattern: Pattern, places: Places) -> PatternPairs:
    """Return the pairs whose last word stands at one of some places."""
    begins, ends = tokens.sentences(places)
    is_aim = _are_aims(tokens, pattern.steps[-1], places, ends)
    targets, begins, ends = places[is_aim], begins[is_aim], ends[is_aim]
    rows, origins = _back(tokens, pattern.steps[-1], targets, begins, ends)
    if not pattern.has_link:
        return PatternPairs(origins, targets[rows], targets[rows])
    links = origins
    earlier, origins = _back(tokens, pattern.steps[0], links, begins[rows], ends[rows])
    return PatternPairs(origins, targets[rows[earlier]], links[earlier])


def _ahead(tokens: TaggedTokens, step: Step, starts: Places, ends: Places) -> tuple[Places, Places]:
    """Return, for the starts that have one, the nearest aim ahead: which start, and where."""
    alive = np.arange(len(starts))
    rows, found = [alive[:0]], [starts[:0]]
    for distance in range(1, step.most + 2):
        alive = alive[starts[alive] + distance < ends[alive]]
        places = starts[alive] + distance
        is_aim = _are_aims(tokens, step, places, ends[alive])
        rows.append(alive[is_aim])
        found.append(places[is_aim])
        rest = ~is_aim
        alive = alive[rest][tokens.are_any(step.gap, places[rest])]
    return np.concatenate(rows), np.concatenate(found)


def _back(
    tokens: TaggedTokens, step: Step, aims: Places, begins: Places, ends: Places
) -> tuple[Places, Places]:
    """Return the origins from which some aims are the nearest: which aim, and where."""
    alive = np.arange(len(aims))
    rows, found = [alive[:0]], [aims[:0]]
    for distance in range(1, step.most + 2):
        alive = alive[aims[alive] - distance >= begins[alive]]
        places = aims[alive] - distance
        is_origin = tokens.are(step.origin, places)
        rows.append(alive[is_origin])
        found.append(places[is_origin])
        goes_on = tokens.are_any(step.gap, places)
        goes_on[goes_on] = ~_are_aims(tokens, step, places[goes_on], ends[alive[goes_on]])
        alive = alive[goes_on]
    return np.concatenate(rows), np.concatenate(found)


def _are_aims(tokens: TaggedTokens, step: Step, places: Places, ends: Places) -> Mask:
    found = tokens.are(step.aim, places)
    if step.not_before:
        following = np.flatnonzero(found & (places + 1 < ends))
        found[following] = ~tokens.are_any(step.not_before, places[following] + 1)
    return found


def _values(attribute: Attribute, expression: str) -> Mask:
    """Return which values of an attribute an expression matches."""
    mask = np.zeros(max(1, len(attribute.lexicon)), np.bool_)
    mask[allowed(attribute, Test(attribute.name, expression))] = True
    return mask


# Occurrences looked at in one go, so that memory does not grow with the word's frequency.
_BLOCK = 1 << 20
# A relation, a collocate: what is counted. The CQL that finds lines of the pair comes with it.
Key = tuple[str, str]
EVERYTHING = Filter()


@dataclass(frozen=True, slots=True)
class Wish:
    """What a sketch is asked for: which occurrences count, and how much is shown."""

    pos: str = ""
    least: int = 2
    most: int = 20
    chosen: Filter = EVERYTHING

    def __post_init__(self) -> None:
        if self.least < 1:
            raise QueryError(f"A collocate occurs at least once, not {self.least} times.")
        if self.most < 1:
            raise QueryError(f"At least one collocate is shown, not {self.most}.")


class _Counts:
    """What stands in which relation to a word, and how often."""

    def __init__(self) -> None:
        self.hits = 0
        self.pairs: Counter[Key] = Counter()
        # The numbers of words met, segment by segment: looking thousands of them up takes a second.
        self.numbers: list[dict[str, int]] = []
        # What makes the query of a pair's lines: of many pairs few are shown.
        self.makers_by_key: dict[Key, list[Callable[[], str]]] = {}


def sketch(selection: Selection, grammar: Grammar, word: str, wish: Wish) -> Sketch:
    """Return the words that stand in the relations of a grammar to a word, by logDice."""
    segments = selection.segments
    lemma = lemma_of(segments, word)
    counts = _count(selection, grammar, lemma.text, wish)
    relations = tuple(_relations(segments, grammar, counts, wish))
    of_answer = _notes(lemma.text, counts, relations, wish) if lemma.occurs else ()
    return Sketch(
        word=lemma.text,
        language=grammar.language,
        snapshot=selection.number,
        hits=counts.hits,
        relations=relations,
        notes=(*lemma.notes, *of_answer),
    )


def log_dice(pair: int, first: int, second: int) -> float:
    """Return the association of two words as logDice: at most 14, about 7 for one in 128.

    >>> log_dice(10, 10, 10)
    14.0
    """
    return 14 + math.log2(2 * pair / (first + second))


def _notes(
    word: str, counts: _Counts, relations: Sequence[SketchRelation], wish: Wish
) -> Iterator[str]:
    if not counts.hits:
        of = f" as {wish.pos}" if wish.pos else ""
        yield f"'{word}' has no occurrences{of} in the text chosen."
    elif not relations:
        yield f"Nothing occurs {wish.least} times or more in any relation to '{word}'."


def _count(selection: Selection, grammar: Grammar, lemma: str, wish: Wish) -> _Counts:
    counts = _Counts()
    kind = grammar.class_of(wish.pos) if wish.pos else None
    for segment in selection.segments:
        tokens = TaggedTokens(segment, grammar.tags)
        places = _places(tokens, lemma, kind, wish, grammar.language)
        counts.hits += len(places)
        counts.numbers.append({})
        for first in range(0, len(places), _BLOCK):
            for pattern in grammar.patterns:
                selection.deadline.check()
                _add(counts, tokens, pattern, places[first : first + _BLOCK], lemma)
    return counts


def _places(
    tokens: TaggedTokens, lemma: str, kind: TokenClass | None, wish: Wish, language: str
) -> Places:
    number = tokens.lemmas.number(lemma)
    if number is None:
        return np.empty(0, np.int64)
    places = tokens.lemmas.positions(number).astype(np.int64)
    mask = document_mask(tokens.segment, wish.chosen, language)
    if mask is not None:
        places = places[mask[tokens.segment.documents_at(places)]]
    return places if kind is None else places[tokens.are(kind, places)]


def _add(
    counts: _Counts, tokens: TaggedTokens, pattern: Pattern, places: Places, lemma: str
) -> None:
    """Count the pairs of one pattern, from both of its ends."""
    found = pairs_from_source(tokens, pattern, places)
    _add_side(counts, tokens, pattern, found, lemma, is_source=True)
    found = pairs_from_target(tokens, pattern, places)
    _add_side(counts, tokens, pattern, found, lemma, is_source=False)


def _add_side(
    counts: _Counts,
    tokens: TaggedTokens,
    pattern: Pattern,
    pairs: PatternPairs,
    lemma: str,
    *,
    is_source: bool,
) -> None:
    name = pattern.source_sees if is_source else pattern.target_sees
    others = tokens.lemmas.column[pairs.targets if is_source else pairs.sources]
    has_link, size = "{link}" in name, len(tokens.lemmas.lexicon)
    links = tokens.lemmas.column[pairs.links] if has_link else np.zeros_like(others)
    # As one number, which sorts in a tenth of the time that pairs of them take.
    keys, many = np.unique(links * size + others, return_counts=True)
    words = tokens.lemmas.values(keys % size)
    counts.numbers[-1].update(zip(words, (keys % size).tolist(), strict=True))
    link_words = tokens.lemmas.values(keys // size) if has_link else [""] * len(words)
    written = partial(pair_cql, pattern, tags=tokens.tags.name)
    for word, link, hits in zip(words, link_words, many.tolist(), strict=True):
        key = (name.format(link=link.lower()) if has_link else name, word)
        counts.pairs[key] += hits
        counts.makers_by_key.setdefault(key, []).append(
            partial(written, *((lemma, word) if is_source else (word, lemma)), link)
        )


def _relations(
    segments: Sequence[Segment], grammar: Grammar, counts: _Counts, wish: Wish
) -> Iterator[SketchRelation]:
    only, makers = _only_of(segments, grammar.language), counts.makers_by_key
    total_by_name: Counter[str] = Counter()
    for (name, _), hits in counts.pairs.items():
        total_by_name[name] += hits
    kept: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for (name, word), hits in counts.pairs.items():
        if hits >= wish.least:
            kept[name].append((word, hits))
    words = {word for pairs in kept.values() for word, _ in pairs}
    frequency = _frequencies(segments, grammar, words, counts, wish)
    for name, total in sorted(total_by_name.items(), key=lambda each: (-each[1], each[0])):
        rows = [
            SketchCollocate(
                word, hits, round(log_dice(hits, total, max(hits, frequency[word])), 2), ""
            )
            for word, hits in kept[name]
        ]
        rows.sort(key=lambda row: (-row.score, -row.hits, row.word))
        shown = (
            replace(row, cql=_any_of({make() for make in makers[(name, row.word)]}, only))
            for row in rows[: wish.most]
        )
        if rows:
            yield SketchRelation(name, total, tuple(shown))


def _frequencies(
    segments: Sequence[Segment], grammar: Grammar, words: set[str], counts: _Counts, wish: Wish
) -> Counter[str]:
    found: Counter[str] = Counter()
    for segment, known in zip(segments, counts.numbers, strict=True):
        tokens = TaggedTokens(segment, grammar.tags)
        frequencies = lemma_frequencies(segment, wish.chosen, grammar.language)
        for word in words:
            number = known[word] if word in known else tokens.lemmas.number(word)
            if number is not None:
                found[word] += int(frequencies[number])
    return found


def pair_cql(pattern: Pattern, source: str, target: str, link: str, *, tags: str = "pos") -> str:
    """Return a query for the very lines of a pair: the same tags, and the nearest aim."""
    parts = [_token(pattern.source, source, tags)]
    for step in pattern.steps:
        if step.gap and step.most:
            parts.append(f"{_gap(step, tags)}{{0,{step.most}}}")
        is_last = step is pattern.steps[-1]
        parts.append(_token(step.aim, target if is_last else link, tags))
        if step.not_before:
            parts.append(f"([: !({_any_class(step.not_before, tags)}) :] | </s>)")
    return " ".join(parts)


def _gap(step: Step, tags: str) -> str:
    """Return what may stand before an aim: no aim, or one that is not the last of its group."""
    inner, aim = _any_class(step.gap, tags), step.aim.cql(tags)
    other = f"[({inner}) & !({aim})]"
    if not step.not_before:
        return other
    return f"({other} | [({inner}) & {aim}] [: {_any_class(step.not_before, tags)} :])"


def _any_class(kinds: Sequence[TokenClass], tags: str) -> str:
    return " | ".join(f"({kind.cql(tags)})" for kind in kinds)


def _any_of(queries: set[str], only: str) -> str:
    """Return a query that finds what one of some patterns does, in one sentence."""
    return f"({' | '.join(sorted(queries))}) within <s/>{only}"


def _only_of(segments: Sequence[Segment], language: str) -> str:
    """Return the condition that leaves out what the counts do: documents of other languages."""
    codes = {
        code
        for segment in segments
        for code in segment.cards.column("language").unique().to_pylist()
    }
    return f' within <doc language="{language}|"/>' if codes - {language, "", None} else ""


def _token(kind: TokenClass, lemma: str, tags: str) -> str:
    if not lemma:
        return f"[{kind.cql(tags)}]"
    quoted = lemma.replace("\\", "\\\\").replace('"', '\\"')
    return f'[lemma=="{quoted}" & {tags}="{kind.tag}"]'


def difference(first: Sketch, second: Sketch, *, most: int) -> SketchDifference:
    """Return what two sketches share and what only one has, relation by relation."""
    names = [relation.name for relation in first.relations]
    names += [relation.name for relation in second.relations if relation.name not in names]
    relations = [_compared(name, first, second, most) for name in names]
    relations.sort(key=lambda relation: -(relation.first_hits + relation.second_hits))
    return SketchDifference(
        first=first.word,
        second=second.word,
        language=first.language,
        snapshot=first.snapshot,
        first_hits=first.hits,
        second_hits=second.hits,
        relations=tuple(relations),
        notes=tuple(dict.fromkeys((*first.notes, *second.notes))),
    )


def _compared(name: str, first: Sketch, second: Sketch, most: int) -> DifferenceRelation:
    one, two = _relation(first, name), _relation(second, name)
    words = dict.fromkeys(each.word for each in (*one.collocates, *two.collocates))
    left = {each.word: each for each in one.collocates}
    right = {each.word: each for each in two.collocates}
    rows = [_pair(word, left.get(word), right.get(word)) for word in words]
    rows.sort(key=lambda row: (-row.difference, row.word))
    # Both ends are what one wants to see; of a long list the middle is left out.
    shown = rows if len(rows) <= 2 * most else rows[:most] + rows[-most:]
    return DifferenceRelation(name, one.hits, two.hits, tuple(shown))


def _relation(sketch: Sketch, name: str) -> SketchRelation:
    found = (relation for relation in sketch.relations if relation.name == name)
    return next(found, SketchRelation(name, 0, ()))


def _pair(
    word: str, one: SketchCollocate | None, two: SketchCollocate | None
) -> DifferenceCollocate:
    first, second = (one.score if one else 0.0), (two.score if two else 0.0)
    return DifferenceCollocate(
        word,
        one.hits if one else 0,
        two.hits if two else 0,
        first,
        second,
        round(first - second, 2),
        one.cql if one else "",
        two.cql if two else "",
    )
