"""Word sketches: a word's company, relation by relation, and how it differs from another's."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from izwi.analyse.lemmas import document_mask, lemma_frequencies, lemma_of
from izwi.analyse.sketch_grammar import Grammar, Pattern, Step, TokenClass
from izwi.analyse.sketch_scan import (
    Pairs,
    Places,
    TaggedTokens,
    pairs_from_source,
    pairs_from_target,
)
from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.model.lexicography import (
    DifferenceCollocate,
    DifferenceRelation,
    Sketch,
    SketchCollocate,
    SketchDifference,
    SketchRelation,
)
from izwi.query.deadline import Deadline
from izwi.query.documents import Filter

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
        self.cql_by_key: dict[Key, set[str]] = {}


def sketch(
    segments: Sequence[Segment],
    grammar: Grammar,
    word: str,
    wish: Wish,
    *,
    snapshot: int,
    deadline: Deadline,
) -> Sketch:
    """Return the words that stand in the relations of a grammar to a word, by logDice."""
    lemma = lemma_of(segments, word)
    counts = _count(segments, grammar, lemma.text, wish, deadline)
    relations = tuple(_relations(segments, grammar, counts, wish))
    return Sketch(
        word=lemma.text,
        language=grammar.language,
        snapshot=snapshot,
        hits=counts.hits,
        relations=relations,
        notes=(*lemma.notes, *_notes(lemma.text, counts, relations, wish)),
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
        yield f"Nothing stands {wish.least} times or more in any relation to '{word}'."


def _count(
    segments: Sequence[Segment], grammar: Grammar, lemma: str, wish: Wish, deadline: Deadline
) -> _Counts:
    counts = _Counts()
    kind = grammar.class_of(wish.pos) if wish.pos else None
    for segment in segments:
        tokens = TaggedTokens(segment, grammar.tags)
        places = _places(tokens, lemma, kind, wish, grammar.language)
        counts.hits += len(places)
        for first in range(0, len(places), _BLOCK):
            for pattern in grammar.patterns:
                deadline.check()
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
    pairs: Pairs,
    lemma: str,
    *,
    is_source: bool,
) -> None:
    name = pattern.source_sees if is_source else pattern.target_sees
    others = tokens.lemmas.column[pairs.targets if is_source else pairs.sources]
    links = tokens.lemmas.column[pairs.links] if "{link}" in name else np.zeros_like(others)
    keys, many = np.unique(np.stack((links, others)), axis=1, return_counts=True)
    words = tokens.lemmas.values(keys[1])
    link_words = tokens.lemmas.values(keys[0])
    for word, link, hits in zip(words, link_words, many.tolist(), strict=True):
        key = (name.format(link=link.lower()), word)
        counts.pairs[key] += hits
        ends = (lemma, word) if is_source else (word, lemma)
        between = link if "{link}" in name else ""
        cql = pair_cql(pattern, *ends, between, tags=tokens.tags.name)
        counts.cql_by_key.setdefault(key, set()).add(cql)


def _relations(
    segments: Sequence[Segment], grammar: Grammar, counts: _Counts, wish: Wish
) -> Iterator[SketchRelation]:
    only = _only_of(segments, grammar.language)
    total_by_name: Counter[str] = Counter()
    for (name, _), hits in counts.pairs.items():
        total_by_name[name] += hits
    kept = {key: hits for key, hits in counts.pairs.items() if hits >= wish.least}
    frequency = _frequencies(segments, grammar, {word for _, word in kept}, wish)
    for name, total in sorted(total_by_name.items(), key=lambda each: (-each[1], each[0])):
        rows = [
            SketchCollocate(
                word,
                hits,
                round(log_dice(hits, total, max(hits, frequency[word])), 2),
                _any_of(counts.cql_by_key[(own, word)], only),
            )
            for (own, word), hits in kept.items()
            if own == name
        ]
        rows.sort(key=lambda row: (-row.score, -row.hits, row.word))
        if rows:
            yield SketchRelation(name, total, tuple(rows[: wish.most]))


def _frequencies(
    segments: Sequence[Segment], grammar: Grammar, words: set[str], wish: Wish
) -> Counter[str]:
    found: Counter[str] = Counter()
    for segment in segments:
        tokens = TaggedTokens(segment, grammar.tags)
        frequencies = lemma_frequencies(segment, wish.chosen, grammar.language)
        for word in words:
            number = tokens.lemmas.number(word)
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
