"""New words: forms first seen in a period, in no general list, scored with the reasons."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.attestations import (
    FAIR,
    STRONG,
    WordAges,
    day_number,
    first_attestation,
    word_ages,
)
from izwi.analyse.selection import Selection
from izwi.analyse.word_forms import Neighbours, form_attribute, spelling_key, words_and_forms
from izwi.index.columns import distinct
from izwi.index.reader import NO_DATE, Segment
from izwi.model.errors import QueryError
from izwi.model.lexicography import (
    NEW_KINDS,
    Attestation,
    Factor,
    NewWord,
    NewWords,
    Variant,
    weighted,
)
from izwi.model.results import Progress
from izwi.query.hits import Hits, SegmentHits

_LASTING_MONTHS = 3


@dataclass(frozen=True, slots=True)
class NewWordSpread:
    """Where a form, or all spellings of a word, occur in the period."""

    words: tuple[str, ...]
    hits: int
    # Each once, its segment's number above its own: spellings may stand in the same document.
    documents: NDArray[np.int64]
    sites: frozenset[str]
    months: frozenset[int]
    capitals: int
    undated: int
    # How many are written small.
    small: int = 0

    def __add__(self, other: "NewWordSpread") -> "NewWordSpread":
        return NewWordSpread(
            self.words + other.words,
            self.hits + other.hits,
            np.union1d(self.documents, other.documents),
            self.sites | other.sites,
            self.months | other.months,
            self.capitals + other.capitals,
            self.undated + other.undated,
            self.small + other.small,
        )


def factors_of(spread: NewWordSpread, older: Variant | None) -> tuple[Factor, ...]:
    """Return what speaks for a new word, each part from 0 to 1."""
    sites, months = len(spread.sites), len(spread.months)
    documents, hits = len(spread.documents), spread.hits
    lasting = min(1.0, months / _LASTING_MONTHS)
    names = spread.capitals / max(1, hits + spread.undated)
    return (
        Factor("spread", 1 - 1 / (1 + sites), 3.0, f"on {many(sites, 'publication')}"),
        Factor("documents", 1 - 1 / (1 + documents), 2.0, many(documents, "document")),
        Factor("frequency", min(1.0, math.log2(1 + hits) / 7), 1.0, many(hits, "hit")),
        Factor("lasting", lasting, 2.0, f"seen in {many(months, 'month')}"),
        Factor("no name", 1 - min(1.0, names), 3.0, _about_names(spread)),
        _spelling(older, hits),
    )


def many(number: int, noun: str) -> str:
    """Return a number of things in words.

    >>> many(1, "site"), many(1200, "site")
    ('1 site', '1,200 sites')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _about_names(spread: NewWordSpread) -> str:
    if not spread.capitals:
        return "in lower case"
    return f"{many(spread.capitals, 'time')} with a capital: perhaps a name"


def _spelling(older: Variant | None, hits: int) -> Factor:
    if older is None:
        return Factor("no slip", 1.0, 2.0, "like no older word")
    # The commoner the older word beside it, the likelier a slip of the hand.
    value = min(1.0, hits / (hits + older.hits))
    words = f"differs from the older '{older.word}' ({older.hits} hits) by {older.reason}"
    return Factor("no slip", value, 2.0, words)


def date_factor(first: Attestation, undated: int) -> Factor:
    """Return how sure the first date of a word is, which is worth less if some hits have none."""
    value = {STRONG: 1.0, FAIR: 0.6}.get(first.certainty, 0.2)
    words = f"first on {first.date}, by {first.evidence or 'nothing that is known'}"
    if undated:
        value /= 2
        words += f"; {many(undated, 'hit')} without a date"
    return Factor("date", value, 1.0, words)


_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’-](?=[^\W\d_]))+")
# Words that are looked at closely, the most frequent first; the notes say if there were more.
MOST_EXAMINED = 5000
# Frequent older words with which a new form is compared, to know a slip or a spelling.
_MOST_OLDER = 50_000
_OLDER_HITS = 5
# Names and slips stand apart, after the words: half of a name's uses have a capital, and beside a
# slip stands a word four times as frequent.
_NAME, _SLIP = 0.5, 0.2


@dataclass(frozen=True, slots=True)
class Search:
    """What counts as new: the period, the least spread, and what is known already."""

    since: date
    until: date
    least: int = 3
    sites: int = 2
    most: int = 100
    known: Set[str] = frozenset()
    # Whether the general list of the language has a word, and what that list is.
    is_general: Callable[[str], bool] | None = None
    general: str = ""
    # Whether a capital tells a name from a noun, as it does not in German.
    has_small_nouns: bool = True
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


def new_words(selection: Selection, search: Search) -> NewWords:
    """Return the forms first seen in a period, the likeliest to be new words first."""
    segments, chosen, deadline = selection.segments, selection.chosen, selection.deadline
    ages = [word_ages(each, search.since, search.until, chosen, deadline) for each in segments]
    fresh, notes = _without_forms(segments, ages, _first_seen(segments, ages, search))
    fresh, more = _without_general(segments, fresh, search)
    wanted, others = _undecided(fresh, search)
    notes += [*more, *others]
    examined = sorted(wanted, key=lambda word: (-wanted[word], word))
    if len(examined) > MOST_EXAMINED:
        notes.append(
            f"{len(examined):,} forms are new; the {MOST_EXAMINED:,} most frequent were examined."
        )
    spread_by_word = {}
    for number, word in enumerate(examined[:MOST_EXAMINED]):
        if number % 100 == 0:
            selection.listener(Progress("new words", number, min(len(examined), MOST_EXAMINED)))
        spread_by_word[word] = _spread(selection, word, search)
    drafts = _drafts(segments, ages, spread_by_word, search)
    tokens, before = sum(age.tokens for age in ages), sum(age.tokens_before for age in ages)
    return NewWords(
        since=search.since,
        until=search.until,
        snapshot=selection.number,
        tokens=tokens,
        tokens_before=before,
        total=len(drafts),
        lines=_lines(selection, drafts[: search.most], search),
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
            "of these words may be new only to this corpus."
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
    for word in [word for word in counted if len(word) < 3 or not _WORD.fullmatch(word)]:
        del counted[word]
    # All spellings together have to be frequent enough.
    by_key: Counter[str] = Counter()
    for word, hits in counted.items():
        by_key[spelling_key(word)] += hits
    frequent = [word for word in counted if by_key[spelling_key(word)] >= search.least]
    return Counter(
        {word: counted[word] for word in frequent if not _is_older(segments, ages, word)}
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
    return kept, [f"Left out as new forms of older words: {len(forms):,}."]


def _without_general(
    segments: Sequence[Segment], fresh: Counter[str], search: Search
) -> tuple[Counter[str], list[str]]:
    """Return the words that are not in the general list of the language, nor is their lemma."""
    is_general = search.is_general
    if is_general is None:
        return fresh, [search.general] if search.general else []
    general = {
        word
        for word in fresh
        if is_general(word) or is_general(_likely_lemma(segments, word).casefold())
    }
    if not general:
        return fresh, []
    kept = Counter({word: hits for word, hits in fresh.items() if word not in general})
    return kept, [f"Left out because they are in {search.general}: {len(general):,}."]


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
        own, sizes = np.unique(lemmas.column[forms.positions(number)], return_counts=True)
        for lemma, hits in zip(lemmas.values(own), sizes.tolist(), strict=True):
            counted[lemma] += hits
    return max(counted, key=counted.__getitem__, default=word)


def _undecided(fresh: Counter[str], search: Search) -> tuple[Counter[str], list[str]]:
    """Return what is neither in a list nor decided, and how much was left out for it."""
    unlisted = {word for word in fresh if word.casefold() not in search.known}
    decided = {word for word in unlisted if search.decision(word) not in ("", "later")}
    kept = unlisted if search.has_decided else unlisted - decided
    notes = []
    if len(unlisted) < len(fresh):
        notes.append(f"Left out because they are on a list: {len(fresh) - len(unlisted):,}.")
    if len(kept) < len(unlisted):
        notes.append(f"Left out because they were decided before: {len(unlisted) - len(kept):,}.")
    return Counter({word: fresh[word] for word in kept}), notes


def _spread(selection: Selection, word: str, search: Search) -> NewWordSpread:
    selection.deadline.check()
    sites: set[str] = set()
    months: set[int] = set()
    documents = [np.empty(0, np.int64)]
    hits = capitals = small = undated = 0
    for part in _parts(selection, word):
        own, counts = part.tally.documents, part.tally.counts
        days = part.segment.dates[own]
        inside = (days >= day_number(search.since)) & (days <= day_number(search.until))
        numbers, names = part.segment.publications
        sites.update(names[at] for at in distinct(numbers[own[inside]]).tolist())
        months.update(distinct(_months(days[inside])).tolist())
        hits += int(counts[inside].sum())
        above = selection.segments.index(part.segment) << 32
        documents.append(own[inside].astype(np.int64) + above)
        undated += int(counts[days == NO_DATE].sum())
        # Only what the hits are counted from, so that names are a share of them.
        counted = inside | (days == NO_DATE)
        own_part = part.kept(np.repeat(counted, counts))
        capitals += _capitals(own_part)
        small += _small(own_part)
    return NewWordSpread(
        (word,),
        hits,
        np.concatenate(documents),
        frozenset(sites),
        frozenset(months),
        capitals,
        undated,
        small,
    )


def _parts(selection: Selection, word: str) -> Iterator[SegmentHits]:
    """Yield the places of a form in the documents that count."""
    for segment, mask in zip(selection.segments, selection.masks, strict=True):
        number = form_attribute(segment).number(word)
        if number is None:
            continue
        part = SegmentHits(segment, Hits(form_attribute(segment).positions(number)))
        yield part if mask is None else part.kept(mask[part.documents])


def _months(days: NDArray[np.int32]) -> NDArray[np.int64]:
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)


def _capitals(part: SegmentHits) -> int:
    """Return how many occurrences begin with a capital that no beginning of a sentence asks for."""
    segment = part.segment
    inner = part.starts
    if "s" in segment.structures and len(inner):
        # Ascending, so that each place is looked up among the beginnings; there are millions.
        starts = segment.structure("s").edges
        nearest = np.searchsorted(starts, inner, side="right") - 1
        inner = inner[starts[nearest] != inner]
    numbers, counts = np.unique(segment.word.column[inner], return_counts=True)
    words = segment.word.values(numbers)
    return sum(
        hits for word, hits in zip(words, counts.tolist(), strict=True) if word[:1].isupper()
    )


def _small(part: SegmentHits) -> int:
    """Return how many occurrences begin with a small letter, wherever they stand."""
    numbers, counts = np.unique(part.segment.word.column[part.starts], return_counts=True)
    words = part.segment.word.values(numbers)
    return sum(
        hits for word, hits in zip(words, counts.tolist(), strict=True) if not word[:1].isupper()
    )


@dataclass(frozen=True, slots=True)
class _Draft:
    """A word that looks new, before its first line is looked up."""

    spread: NewWordSpread
    variants: tuple[Variant, ...]
    older: Variant | None
    factors: tuple[Factor, ...]
    has_small_nouns: bool

    @property
    def kind(self) -> str:
        """Whether it looks like a word, a name or a slip of the hand."""
        value = {factor.name: factor.value for factor in self.factors}
        if self.has_small_nouns and (value["no name"] <= _NAME or not self.spread.small):
            return "name"
        return "slip" if value["no slip"] < _SLIP else "word"


def _drafts(
    segments: Sequence[Segment],
    ages: Sequence[WordAges],
    spread_by_word: Mapping[str, NewWordSpread],
    search: Search,
) -> list[_Draft]:
    """Return the words by score; spellings of one word stand under the commonest of them."""
    hits_by_word = {word: spread.hits for word, spread in spread_by_word.items()}
    lemma_by_word = {word: _likely_lemma(segments, word) for word in hits_by_word}
    groups = words_and_forms(hits_by_word, lemma_by_word)
    neighbours = Neighbours(_older_words(segments, ages) if groups else {})
    drafts = []
    for word, variants in groups.items():
        spread = spread_by_word[word]
        for variant in variants:
            spread += spread_by_word[variant.word]
        if len(spread.sites) >= search.sites and spread.hits >= search.least:
            older = neighbours.nearest(word)
            factors = factors_of(spread, older)
            drafts.append(_Draft(spread, variants, older, factors, search.has_small_nouns))
    drafts.sort(
        key=lambda draft: (NEW_KINDS[draft.kind], -weighted(draft.factors), draft.spread.words)
    )
    return drafts


def _older_words(segments: Sequence[Segment], ages: Sequence[WordAges]) -> dict[str, int]:
    """Return the most frequent forms of the time before the period."""
    counted: Counter[str] = Counter()
    for segment, age in zip(segments, ages, strict=True):
        numbers = np.argsort(-age.before, kind="stable")[:_MOST_OLDER]
        numbers = numbers[age.before[numbers] >= _OLDER_HITS]
        hits = age.before[numbers].tolist()
        for word, own in zip(form_attribute(segment).values(numbers), hits, strict=True):
            counted[word] += own
    return dict(counted.most_common(_MOST_OLDER))


def _lines(selection: Selection, drafts: Sequence[_Draft], search: Search) -> tuple[NewWord, ...]:
    lines = [_line(selection, draft, search) for draft in drafts]
    return tuple(sorted(lines, key=lambda line: (NEW_KINDS[line.kind], -line.score, line.word)))


def _line(selection: Selection, draft: _Draft, search: Search) -> NewWord:
    spread, word = draft.spread, draft.spread.words[0]
    parts = [part for form in spread.words for part in _parts(selection, form)]
    first = first_attestation(selection.segments, parts, word)
    assert first is not None, "a word of the period has a dated line"
    factors = (*draft.factors, date_factor(first, spread.undated))
    return NewWord(
        word=word,
        score=round(weighted(factors), 3),
        hits=spread.hits,
        documents=len(spread.documents),
        sites=len(spread.sites),
        factors=factors,
        first=first,
        variants=draft.variants,
        decision=search.decision(word),
        cql=_any_form(form_attribute(selection.segments[0]).name, spread.words),
        kind=draft.kind,
    )


def _any_form(attribute: str, forms: Sequence[str]) -> str:
    tests = (f'{attribute}=="{form}"' for form in forms)
    return f"[{' | '.join(tests)}]"
