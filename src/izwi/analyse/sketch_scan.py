"""Which words stand in the relations of a sketch grammar: tag patterns over a segment, in NumPy.

Two words are a pair of a step if the second is an aim, all tokens between them are of the gap and
none of those is an aim. Both directions of search find the same pairs.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.attributes import lemma_attribute, tag_attribute
from izwi.analyse.sketch_grammar import Pattern, Step, TokenClass
from izwi.index.reader import Attribute, Segment
from izwi.query.tree import Test
from izwi.query.values import allowed

Places = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pairs:
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


def pairs_from_source(tokens: TaggedTokens, pattern: Pattern, places: Places) -> Pairs:
    """Return the pairs whose first word stands at one of some places."""
    sources = places[tokens.are(pattern.source, places)]
    _, ends = tokens.sentences(sources)
    rows, aims = _ahead(tokens, pattern.steps[0], sources, ends)
    links = aims
    if pattern.has_link:
        later, aims = _ahead(tokens, pattern.steps[1], links, ends[rows])
        rows, links = rows[later], links[later]
    return Pairs(sources[rows], aims, links)


def pairs_from_target(tokens: TaggedTokens, pattern: Pattern, places: Places) -> Pairs:
    """Return the pairs whose last word stands at one of some places."""
    begins, ends = tokens.sentences(places)
    is_aim = _are_aims(tokens, pattern.steps[-1], places, ends)
    targets, begins, ends = places[is_aim], begins[is_aim], ends[is_aim]
    rows, origins = _back(tokens, pattern.steps[-1], targets, begins, ends)
    if not pattern.has_link:
        return Pairs(origins, targets[rows], targets[rows])
    links = origins
    earlier, origins = _back(tokens, pattern.steps[0], links, begins[rows], ends[rows])
    return Pairs(origins, targets[rows[earlier]], links[earlier])


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
