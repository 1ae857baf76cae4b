"""Good examples of a word: each sentence scored by factors that say why.

After the idea of GDEX (Kilgarriff et al. 2008). All factors are counted on the sentence and on the
corpus; the words that point back to another sentence are data of the language's sketch grammar.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.selection import Selection
from izwi.analyse.word_forms import form_attribute
from izwi.model.errors import QueryError
from izwi.model.lexicography import Factor, GoodExample, weighted
from izwi.query.concordance import View, lines_of
from izwi.query.hits import SegmentHits

# Lengths, in tokens, that are best; outside them the value falls by a tenth a token.
_BEST = (10, 25)
_COMMON_SHARE = 1e-6
_COMMON_TIMES = 3
# Hits that are judged; of more, some spread evenly over the corpus.
MOST_JUDGED = 2000
MOST_SHOWN = 200
_OPENING = "\"'“‘«([„"
_ENDS = (".", "!", "?", "…", '."', '!"', '?"', ".”", "!”", "?”", ".’", "!’", "?’")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with a hit: its tokens in order, where the hit is, which words are common."""

    tokens: tuple[str, ...]
    first: int
    last: int
    is_common: tuple[bool, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The tokens that are words."""
        return tuple(token for token in self.tokens if token[:1].isalpha())

    @property
    def text(self) -> str:
        """The tokens in lower case, to know the same sentence again."""
        return " ".join(self.tokens).lower()


@dataclass(frozen=True, slots=True)
class _Judged:
    part: SegmentHits
    hit: int
    document: int
    text: str
    factors: tuple[Factor, ...]
    score: float


def good_examples(
    selection: Selection,
    parts: Sequence[SegmentHits],
    *,
    most: int,
    anaphora: Collection[str],
    avoid: Collection[str],
) -> tuple[tuple[GoodExample, ...], int]:
    """Return the best examples, one a document and no sentence twice, and how many were judged."""
    if not 1 <= most <= MOST_SHOWN:
        raise QueryError(f"There are 1 to {MOST_SHOWN} examples, not {most}.")
    total = sum(map(len, parts))
    step = max(1, -(-total // MOST_JUDGED))
    unwanted = frozenset(word.lower() for word in avoid)
    judged: list[_Judged] = []
    for part in parts:
        selection.deadline.check()
        judged += _judged(part, np.arange(0, len(part), step), anaphora, unwanted)
    best = _distinct(sorted(judged, key=lambda each: -each.score))[:most]
    places = [(each.part, each.hit) for each in best]
    lines = lines_of(selection.segments, places, View(unit="sentence"))
    found = [
        GoodExample(round(each.score, 3), line, each.factors)
        for each, line in zip(best, lines, strict=True)
    ]
    return tuple(found), len(judged)


def _judged(
    part: SegmentHits,
    numbers: NDArray[np.int64],
    anaphora: Collection[str],
    unwanted: frozenset[str],
) -> list[_Judged]:
    if not len(numbers):
        return []
    documents = part.documents[numbers].tolist()
    found = []
    for number, document, sentence in zip(
        numbers.tolist(), documents, _sentences(part, numbers), strict=True
    ):
        factors = factors_of(sentence, anaphora, unwanted)
        found.append(_Judged(part, number, document, sentence.text, factors, weighted(factors)))
    return found


def _sentences(part: SegmentHits, numbers: NDArray[np.int64]) -> list[Sentence]:
    """Return the sentences some hits stand in."""
    segment, starts = part.segment, part.starts[numbers].astype(np.int64)
    ends = part.hits.ends_of(numbers).astype(np.int64)
    edges = segment.structure("s" if "s" in segment.structures else "doc").bounds
    place = np.maximum(np.searchsorted(edges[0], starts.astype(np.int32), side="right") - 1, 0)
    ranges = list(zip(edges[0][place].tolist(), edges[1][place].tolist(), strict=True))
    forms = form_attribute(segment)
    least = max(_COMMON_TIMES, _COMMON_SHARE * segment.tokens)
    found = []
    for (begin, end), start, stop, pieces in zip(
        ranges, starts.tolist(), ends.tolist(), segment.pieces(ranges), strict=True
    ):
        frequencies = forms.frequencies_of(forms.column[begin:end])
        tokens = tuple(piece.rstrip() for piece in pieces)
        common = tuple((frequencies >= least).tolist())
        found.append(Sentence(tokens, start - begin, stop - begin, common))
    return found


def factors_of(
    sentence: Sentence, anaphora: Collection[str], unwanted: frozenset[str]
) -> tuple[Factor, ...]:
    """Return what speaks for and against a sentence as an example, factor by factor."""
    factors = [
        _length(sentence),
        _whole(sentence),
        _common(sentence),
        _names(sentence),
        _signs(sentence),
        _once(sentence),
    ]
    if anaphora:
        factors.append(_alone(sentence, anaphora))
    if unwanted:
        factors.append(_wanted(sentence, unwanted))
    return tuple(factors)


def _length(sentence: Sentence) -> Factor:
    size = len(sentence.tokens)
    outside = max(_BEST[0] - size, size - _BEST[1], 0)
    words = f"{size} tokens; {_BEST[0]} to {_BEST[1]} are best" if outside else f"{size} tokens"
    return Factor("length", max(0.0, 1 - outside / 10), 3.0, words)


def _whole(sentence: Sentence) -> Factor:
    opening = sentence.tokens[0].lstrip(_OPENING) or "".join(sentence.tokens[1:2])
    begins = opening[:1].isupper() or opening[:1].isdigit()
    tail = "".join(sentence.tokens[-2:])
    ends = tail.endswith(_ENDS)
    lacks = [
        *(() if begins else ("no capital at its beginning",)),
        *(() if ends else ("no mark at its end",)),
    ]
    value = (begins + ends) / 2
    return Factor("whole sentence", value, 2.0, " and ".join(lacks) or "begins and ends as one")


def _common(sentence: Sentence) -> Factor:
    words = [
        (token, common)
        for place, (token, common) in enumerate(
            zip(sentence.tokens, sentence.is_common, strict=True)
        )
        if token[:1].isalpha() and not sentence.first <= place < sentence.last
    ]
    rare = [token for token, common in words if not common]
    value = 1 - len(rare) / len(words) if words else 0.0
    reason = f"rare words: {', '.join(rare[:5])}" if rare else "all its words are common"
    return Factor("common words", value, 3.0, reason)


def _names(sentence: Sentence) -> Factor:
    capitals = [token for token in sentence.tokens[1:] if token[:1].isupper()]
    value = max(0.0, 1 - 4 * len(capitals) / len(sentence.tokens))
    reason = f"words with capitals: {', '.join(capitals[:5])}" if capitals else "no names"
    return Factor("few names", value, 1.0, reason)


def _signs(sentence: Sentence) -> Factor:
    odd = [
        token
        for token in sentence.tokens
        if any(sign.isdigit() for sign in token) or any(sign in token for sign in "@#/<>{}|=_*")
    ]
    value = max(0.0, 1 - 4 * len(odd) / len(sentence.tokens))
    reason = f"numbers or signs: {', '.join(odd[:5])}" if odd else "no numbers or signs"
    return Factor("few numbers and signs", value, 1.0, reason)


def _once(sentence: Sentence) -> Factor:
    node = [token.lower() for token in sentence.tokens[sentence.first : sentence.last]]
    words = [token.lower() for token in sentence.words]
    repeated = len(words) - len(set(words))
    is_twice = len(node) == 1 and sum(token.lower() == node[0] for token in sentence.tokens) > 1
    value = 0.5 * (not is_twice) + 0.5 * (1 - repeated / len(words) if words else 0.0)
    reason = "the word itself is repeated" if is_twice else f"{repeated} words are repeated"
    return Factor("no repetition", value, 1.0, reason)


def _alone(sentence: Sentence, anaphora: Collection[str]) -> Factor:
    first = next((word.lower() for word in sentence.words), "")
    points = first in anaphora
    reason = f"begins with '{first}', which points back" if points else "needs no sentence before"
    return Factor("stands alone", 0.0 if points else 1.0, 2.0, reason)


def _wanted(sentence: Sentence, unwanted: frozenset[str]) -> Factor:
    found = sorted({token.lower() for token in sentence.tokens} & unwanted)
    reason = f"has {', '.join(found)}" if found else "has none of the words to avoid"
    return Factor("words to avoid", 0.0 if found else 1.0, 4.0, reason)


def _distinct(judged: Sequence[_Judged]) -> list[_Judged]:
    """Return the best of each document, and no sentence twice; others only after them."""
    seen_texts: set[str] = set()
    seen: set[tuple[int, int]] = set()
    first: list[_Judged] = []
    later: list[_Judged] = []
    for each in judged:
        if each.text in seen_texts:
            continue
        seen_texts.add(each.text)
        home = (id(each.part), each.document)
        (later if home in seen else first).append(each)
        seen.add(home)
    return first + later
