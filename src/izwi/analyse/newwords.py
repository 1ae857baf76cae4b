"""New words: forms first seen in a period, spreading over sites, scored with the reasons."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.attestations import FAIR, STRONG, first_attestation
from izwi.analyse.attributes import form_attribute
from izwi.analyse.variants import Neighbours, grouped
from izwi.analyse.wordages import WordAges, day_number, site_names, word_ages
from izwi.index.reader import NO_DATE, Segment
from izwi.model.errors import QueryError
from izwi.model.lexicography import Attestation, Factor, NewWord, NewWords, Variant, weighted
from izwi.query.deadline import Deadline
from izwi.query.documents import Filter, chosen_documents
from izwi.query.hits import Hits, SegmentHits

_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’-](?=[^\W\d_]))+")
# Words that are looked at closely, the most frequent first; the notes say if there were more.
MOST_EXAMINED = 5000
# Frequent older words with which a new form is compared, to know a slip or a spelling.
_MOST_OLDER = 50_000
_OLDER_HITS = 5
_LASTING_MONTHS = 3
EVERYTHING = Filter()


@dataclass(frozen=True, slots=True)
class Search:
    """What counts as new: the period, the least spread, and what is known already."""

    since: date
    until: date
    least: int = 3
    sites: int = 2
    most: int = 100
    chosen: Filter = EVERYTHING
    known: Set[str] = frozenset()
    decision_by_word: Mapping[str, str] | None = None
    has_decided: bool = False

    def __post_init__(self) -> None:
        if self.since > self.until:
            raise QueryError(f"The period ends ({self.until}) before it begins ({self.since}).")
        for name, value in (("hits", self.least), ("sites", self.sites), ("lines", self.most)):
            if value < 1:
                raise QueryError(f"At least one of the {name} is wanted, not {value}.")

    def decision(self, word: str) -> str:
        """Return what was decided about a word."""
        return (self.decision_by_word or {}).get(word.casefold(), "")


@dataclass(frozen=True, slots=True)
class _Spread:
    """Where a form occurs in the period."""

    word: str
    hits: int
    documents: int
    sites: int
    months: int
    capitals: int
    undated: int


def new_words(
    segments: Sequence[Segment], search: Search, *, snapshot: int, deadline: Deadline
) -> NewWords:
    """Return the forms first seen in a period, the likeliest to be new words first."""
    ages = [
        word_ages(segment, search.since, search.until, search.chosen, deadline)
        for segment in segments
    ]
    fresh, notes = _without_forms(segments, ages, _first_seen(segments, ages, search))
    wanted, more = _undecided(fresh, search)
    notes += more
    examined = sorted(wanted, key=lambda word: (-wanted[word], word))
    if len(examined) > MOST_EXAMINED:
        notes.append(
            f"{len(examined):,} forms are new; the {MOST_EXAMINED:,} most frequent were examined."
        )
    spreads = [
        spread
        for word in examined[:MOST_EXAMINED]
        if (spread := _spread(segments, word, search, deadline)).sites >= search.sites
        and spread.hits >= search.least
    ]
    drafts = _drafts(segments, ages, spreads)
    tokens, before = sum(age.tokens for age in ages), sum(age.tokens_before for age in ages)
    return NewWords(
        since=search.since,
        until=search.until,
        snapshot=snapshot,
        tokens=tokens,
        tokens_before=before,
        total=len(drafts),
        lines=_lines(segments, drafts[: search.most], search),
        notes=(*_notes(tokens, before), *notes),
    )


def _notes(tokens: int, before: int) -> Iterator[str]:
    if not tokens:
        yield "There is no dated text in the period."
    elif not before:
        yield "There is no dated text before the period, so that every word looks new."
    elif before < tokens:
        yield (
            f"There are fewer tokens before the period ({before:,}) than in it ({tokens:,}): many "
            "words are only new to the corpus."
        )


def _first_seen(
    segments: Sequence[Segment], ages: Sequence[WordAges], search: Search
) -> Counter[str]:
    """Return the forms that occur in the period and never before it, with their hits in it."""
    counted: Counter[str] = Counter()
    for segment, age in zip(segments, ages, strict=True):
        numbers = np.flatnonzero((age.within > 0) & (age.before == 0))
        words = form_attribute(segment).values(numbers)
        for word, hits in zip(words, age.within[numbers].tolist(), strict=True):
            counted[word] += hits
    frequent = [word for word, hits in counted.items() if hits >= search.least]
    return Counter(
        {
            word: counted[word]
            for word in frequent
            if _WORD.fullmatch(word) and len(word) > 2 and not _is_older(segments, ages, word)
        }
    )


def _is_older(segments: Sequence[Segment], ages: Sequence[WordAges], word: str) -> bool:
    for segment, age in zip(segments, ages, strict=True):
        number = form_attribute(segment).number(word)
        if number is not None and age.before[number]:
            return True
    return False


def _without_forms(
    segments: Sequence[Segment], ages: Sequence[WordAges], fresh: Counter[str]
) -> tuple[Counter[str], list[str]]:
    """Return the words that are not merely a new form of an older lemma."""
    forms = {word for word in fresh if _has_older_lemma(segments, ages, word)}
    kept = Counter({word: hits for word, hits in fresh.items() if word not in forms})
    if not forms:
        return kept, []
    return kept, [f"Left out as new forms of older words: {_many(len(forms), 'form')}."]


def _has_older_lemma(segments: Sequence[Segment], ages: Sequence[WordAges], word: str) -> bool:
    likely = _likely_lemma(segments, word)
    if likely.casefold() == word:
        return False
    return any(
        (number := segment.attribute("lemma").number(likely)) is not None
        and bool(age.lemmas_before[number])
        for segment, age in zip(segments, ages, strict=True)
        if "lemma" in segment.attributes
    )


def _likely_lemma(segments: Sequence[Segment], word: str) -> str:
    """Return the lemma that most occurrences of a form have."""
    counted: Counter[str] = Counter()
    for segment in segments:
        forms = form_attribute(segment)
        number = forms.number(word)
        if number is None or "lemma" not in segment.attributes:
            continue
        lemmas = segment.attribute("lemma")
        own, many = np.unique(lemmas.column[forms.positions(number)], return_counts=True)
        for lemma, hits in zip(lemmas.values(own), many.tolist(), strict=True):
            counted[lemma] += hits
    return max(counted, key=counted.__getitem__, default=word)


def _undecided(fresh: Counter[str], search: Search) -> tuple[Counter[str], list[str]]:
    """Return what is neither in a list nor decided, and how much was left out for it."""
    unlisted = {word for word in fresh if word.casefold() not in search.known}
    decided = {word for word in unlisted if search.decision(word) not in ("", "later")}
    kept = unlisted if search.has_decided else unlisted - decided
    notes = []
    if len(unlisted) < len(fresh):
        notes.append(f"Left out, since in a list: {_many(len(fresh) - len(unlisted), 'form')}.")
    if len(kept) < len(unlisted):
        notes.append(f"Left out, since decided before: {_many(len(unlisted) - len(kept), 'word')}.")
    return Counter({word: fresh[word] for word in kept}), notes


def _spread(segments: Sequence[Segment], word: str, search: Search, deadline: Deadline) -> _Spread:
    deadline.check()
    sites: set[str] = set()
    months: set[int] = set()
    hits = documents = capitals = undated = 0
    for part in _parts(segments, word, search.chosen):
        own, counts = part.tally.documents, part.tally.counts
        days = part.segment.dates[own]
        inside = (days >= day_number(search.since)) & (days <= day_number(search.until))
        numbers, names = site_names(part.segment)
        sites.update(names[number] for number in np.unique(numbers[own[inside]]).tolist())
        months.update(np.unique(_months(days[inside])).tolist())
        hits += int(counts[inside].sum())
        documents += int(inside.sum())
        undated += int(counts[days == NO_DATE].sum())
        capitals += _capitals(part)
    return _Spread(word, hits, documents, len(sites), len(months), capitals, undated)


def _parts(segments: Iterable[Segment], word: str, chosen: Filter) -> Iterator[SegmentHits]:
    """Yield the places of a form in the documents that count."""
    for segment in segments:
        number = form_attribute(segment).number(word)
        if number is None:
            continue
        part = SegmentHits(segment, Hits(form_attribute(segment).positions(number)))
        mask = chosen_documents(segment, chosen).mask
        yield part if mask is None else part.kept(mask[part.documents])


def _months(days: NDArray[np.int32]) -> NDArray[np.int64]:
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)


def _capitals(part: SegmentHits) -> int:
    """Return how many occurrences begin with a capital that no beginning of a sentence asks for."""
    segment = part.segment
    starts = segment.structure("s").starts if "s" in segment.structures else part.starts[:0]
    inner = part.starts[~np.isin(part.starts, starts)]
    numbers, counts = np.unique(segment.word.column[inner], return_counts=True)
    words = segment.word.values(numbers)
    return sum(
        many for word, many in zip(words, counts.tolist(), strict=True) if word[:1].isupper()
    )


@dataclass(frozen=True, slots=True)
class _Draft:
    """A word that looks new, before its first line is looked up."""

    spread: _Spread
    variants: tuple[Variant, ...]
    older: Variant | None
    factors: tuple[Factor, ...]


def _drafts(
    segments: Sequence[Segment], ages: Sequence[WordAges], spreads: Sequence[_Spread]
) -> list[_Draft]:
    """Return the words by score; spellings of one word stand under the commonest of them."""
    spread_by_word = {spread.word: spread for spread in spreads}
    groups = grouped({word: spread.hits for word, spread in spread_by_word.items()})
    neighbours = Neighbours(_older_words(segments, ages)) if groups else Neighbours({})
    drafts = []
    for word, variants in groups.items():
        older = neighbours.nearest(word)
        spread = spread_by_word[word]
        drafts.append(_Draft(spread, variants, older, _factors(spread, older)))
    drafts.sort(key=lambda draft: (-weighted(draft.factors), draft.spread.word))
    return drafts


def _older_words(segments: Sequence[Segment], ages: Sequence[WordAges]) -> dict[str, int]:
    """Return the most frequent forms of the time before the period."""
    counted: Counter[str] = Counter()
    for segment, age in zip(segments, ages, strict=True):
        numbers = np.argsort(-age.before, kind="stable")[:_MOST_OLDER]
        numbers = numbers[age.before[numbers] >= _OLDER_HITS]
        hits = age.before[numbers].tolist()
        for word, many in zip(form_attribute(segment).values(numbers), hits, strict=True):
            counted[word] += many
    return dict(counted.most_common(_MOST_OLDER))


def _lines(
    segments: Sequence[Segment], drafts: Sequence[_Draft], search: Search
) -> tuple[NewWord, ...]:
    lines = [_line(segments, draft, search) for draft in drafts]
    return tuple(sorted(lines, key=lambda line: (-line.score, line.word)))


def _line(segments: Sequence[Segment], draft: _Draft, search: Search) -> NewWord:
    spread = draft.spread
    first = first_attestation(
        segments, list(_parts(segments, spread.word, search.chosen)), spread.word
    )
    assert first is not None, "a word of the period has a dated line"
    factors = (*draft.factors, _dated(first, spread.undated))
    return NewWord(
        word=spread.word,
        score=round(weighted(factors), 3),
        hits=spread.hits,
        documents=spread.documents,
        sites=spread.sites,
        factors=factors,
        first=first,
        variants=draft.variants,
        decision=search.decision(spread.word),
        cql=f'[{form_attribute(segments[0]).name}=="{spread.word}"]',
    )


def _factors(spread: _Spread, older: Variant | None) -> tuple[Factor, ...]:
    """Return what speaks for a new word, each part from 0 to 1."""
    lasting = min(1.0, spread.months / _LASTING_MONTHS)
    names = spread.capitals / max(1, spread.hits + spread.undated)
    return (
        Factor("spread", 1 - 1 / (1 + spread.sites), 3.0, f"on {spread.sites} sites"),
        Factor("documents", 1 - 1 / (1 + spread.documents), 2.0, f"{spread.documents} documents"),
        Factor("frequency", min(1.0, math.log2(1 + spread.hits) / 7), 1.0, f"{spread.hits} hits"),
        Factor("lasting", lasting, 2.0, f"seen in {_many(spread.months, 'month')}"),
        Factor("no name", 1 - min(1.0, names), 3.0, _about_names(spread)),
        _spelling(older, spread.hits),
    )


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _about_names(spread: _Spread) -> str:
    if not spread.capitals:
        return "written small"
    return f"{_many(spread.capitals, 'time')} with a capital: perhaps a name"


def _spelling(older: Variant | None, hits: int) -> Factor:
    if older is None:
        return Factor("no slip", 1.0, 2.0, "like no older word")
    # The commoner the older word beside it, the likelier a slip of the hand.
    value = min(1.0, hits / (hits + older.hits))
    words = f"differs from the older '{older.word}' ({older.hits} hits) by {older.reason}"
    return Factor("no slip", value, 2.0, words)


def _dated(first: Attestation, undated: int) -> Factor:
    value = {STRONG: 1.0, FAIR: 0.6}.get(first.certainty, 0.2)
    words = f"first on {first.date}, by {first.evidence or 'nothing that is known'}"
    if undated:
        value /= 2
        words += f"; {_many(undated, 'hit')} without a date"
    return Factor("date", value, 1.0, words)
