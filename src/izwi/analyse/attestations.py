"""First attestations: the earliest dated line of a word, its evidence; ages of forms."""

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.word_forms import form_attribute
from izwi.index.limits import Deadline
from izwi.index.reader import NO_DATE, Segment
from izwi.model.errors import QueryError
from izwi.model.lexicography import Attestation
from izwi.model.results import KwicLine
from izwi.query.concordance import View, lines_of
from izwi.query.engine import Filter, chosen_documents
from izwi.query.hits import SegmentHits

STRONG, FAIR, WEAK = "strong", "fair", "weak"
# What machines were told, what a reader sees, what was found somewhere in the text.
_STRONG = ("JSON-LD", "microdata", "meta", "feed", "attribute", "sitemap")
_FAIR = ("time element", "shown date", "URL")
_KNOWN = re.compile(r"(?:c\.?|ca\.?|circa)?\s*(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?\s*\??", re.I)
# Earliest documents that are looked at more closely; dates of a whole year or month share a day.
_CLOSELY = 200


@dataclass(frozen=True, slots=True)
class Span:
    """The days a date may mean: one for an exact date, more for a month or a year."""

    first: date
    last: date

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first} to {self.last}"


def span_of(day: date, precision: str) -> Span:
    """Return the days a date of a certain precision may mean.

    >>> str(span_of(date(1994, 1, 1), "year"))
    '1994-01-01 to 1994-12-31'
    """
    if precision == "year":
        return Span(date(day.year, 1, 1), date(day.year, 12, 31))
    if precision == "month":
        end = calendar.monthrange(day.year, day.month)[1]
        return Span(day.replace(day=1), day.replace(day=end))
    return Span(day, day)


def known_span(text: str) -> Span:
    """Return the days a known first date may mean: 1994, c1994, 1994-03 or 1994-03-09."""
    found = _KNOWN.fullmatch(text.strip())
    try:
        if found is None:
            raise ValueError
        year, month, day = (int(part) if part else 0 for part in found.groups())
        precision = "day" if day else "month" if month else "year"
        return span_of(date(year, month or 1, day or 1), precision)
    except ValueError:
        raise QueryError(
            f"'{text}' is not a date. Write a year, a month or a day: 1994, 1994-03 or 1994-03-09."
        ) from None


def certainty_of(evidence: str, day: date, captured: str) -> str:
    """Return how far one can trust a date: strong, fair or weak.

    >>> certainty_of("JSON-LD", date(2020, 1, 1), "2021-01-01"), certainty_of("URL", date.max, "")
    ('strong', 'fair')
    """
    if captured and captured[:10] < day.isoformat():
        return WEAK
    if evidence.startswith(_STRONG):
        return STRONG
    return FAIR if evidence.startswith(_FAIR) else WEAK


def verdict_of(found: Span, known: Span) -> tuple[str, int]:
    """Return whether a line is earlier than a known date for certain, and by how many days."""
    if found.last < known.first:
        return "antedating", (known.first - found.last).days
    if found.first > known.last:
        return "later", -(found.first - known.last).days
    return "same", 0


def first_attestation(
    segments: Sequence[Segment],
    parts: Sequence[SegmentHits],
    word: str,
    *,
    is_sure: bool = False,
    context: int = 12,
) -> Attestation | None:
    """Return the earliest dated line among some hits; with `is_sure`, of a well-founded date."""
    places = [(part, int(hit)) for part in parts for hit in _earliest_hits(part, is_sure=is_sure)]
    lines = lines_of(segments, places, View(context=context))
    found = [_attested(word, line) for line in lines]
    rank = {STRONG: 0, FAIR: 1, WEAK: 2}
    return min(
        (each for each in found if each is not None),
        key=lambda each: (
            span_of(each.date, each.precision).last,
            rank[each.certainty],
            each.line.id,
        ),
        default=None,
    )


def _attested(word: str, line: KwicLine) -> Attestation | None:
    card = line.document
    if card.date is None:
        return None
    certainty = certainty_of(card.date_evidence, card.date, card.captured)
    return Attestation(word, card.date, card.date_precision, card.date_evidence, certainty, line)


def _earliest_hits(part: SegmentHits, *, is_sure: bool) -> NDArray[np.int64]:
    """Return the first hit in each of the earliest documents of a segment."""
    documents, counts = part.tally.documents, part.tally.counts
    first = np.cumsum(counts) - counts
    days = part.segment.dates[documents]
    kept = days != NO_DATE
    if is_sure:
        kept &= _well_founded(part.segment)[documents]
    order = np.argsort(days[kept], kind="stable")[:_CLOSELY]
    found: NDArray[np.int64] = first[kept][order]
    # Of many documents only those that may be the earliest: a date of a year covers a year.
    ordered = days[kept][order]
    return found[ordered <= ordered[0] + 366] if len(found) else found


def _well_founded(segment: Segment) -> NDArray[np.bool_]:
    """Return which documents have a date that machines were told."""

    def made() -> NDArray[np.bool_]:
        said = segment.cards.column("date_evidence").to_pylist()
        return np.fromiter(((text or "").startswith(_STRONG) for text in said), np.bool_, len(said))

    return segment.remembered("well-founded dates", made)


_EPOCH = date(1970, 1, 1)
_BLOCK = 1 << 21
NEVER_SEEN = np.int32(np.iinfo(np.int32).max)

Days = NDArray[np.int32]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WordAges:
    """Of each form of a segment: the first day it was seen, and its hits by where they lie."""

    first: Days
    before: Counts
    within: Counts
    undated: Counts
    # How often each lemma occurs before the period; nothing where there are no lemmas.
    lemmas_before: Counts
    tokens: int
    tokens_before: int


def day_number(day: date) -> int:
    """Return a day as days since 1970, as segments count them."""
    return (day - _EPOCH).days


def word_ages(
    segment: Segment, since: date, until: date, chosen: Filter, deadline: Deadline
) -> WordAges:
    """Return the ages of all forms, counted in the documents that count."""
    size = len(form_attribute(segment).lexicon)
    first = np.full(size, NEVER_SEEN, np.int32)
    before, within, undated = (np.zeros(size, np.int64) for _ in range(3))
    low, high = day_number(since), day_number(until)
    has_lemmas = "lemma" in segment.attributes
    lemmas_before = np.zeros(len(segment.attribute("lemma").lexicon) if has_lemmas else 0, np.int64)
    for forms, days, lemmas in _blocks(segment, chosen, has_lemmas=has_lemmas):
        deadline.check()
        is_dated = days != NO_DATE
        if has_lemmas:
            early = lemmas[is_dated & (days < low)]
            lemmas_before += np.bincount(early, minlength=len(lemmas_before))
        undated += np.bincount(forms[~is_dated], minlength=size)
        forms, days = forms[is_dated], days[is_dated]
        np.minimum.at(first, forms, days)
        before += np.bincount(forms[days < low], minlength=size)
        within += np.bincount(forms[(days >= low) & (days <= high)], minlength=size)
    sums = (int(within.sum()), int(before.sum()))
    return WordAges(first, before, within, undated, lemmas_before, *sums)


def _blocks(
    segment: Segment, chosen: Filter, *, has_lemmas: bool
) -> Iterator[tuple[Counts, Days, Counts]]:
    """Yield forms, the days of their documents, and lemmas, so many tokens at a time."""
    mask = chosen_documents(segment, chosen).mask
    for begin in range(0, segment.tokens, _BLOCK):
        end = min(begin + _BLOCK, segment.tokens)
        documents = segment.documents_at(np.arange(begin, end))
        forms, days = form_attribute(segment).column[begin:end], segment.dates[documents]
        lemmas = segment.attribute("lemma").column[begin:end] if has_lemmas else forms[:0]
        if mask is None:
            yield forms, days, lemmas
            continue
        kept = mask[documents]
        yield forms[kept], days[kept], lemmas[kept] if has_lemmas else lemmas


def last_day(segments: "tuple[Segment, ...]") -> date | None:
    """Return the last day of publication in some segments; None if nothing has a date."""
    days = [
        int(segment.dates.max())
        for segment in segments
        if len(segment.dates) and int(segment.dates.max()) != NO_DATE
    ]
    return date.fromordinal(_EPOCH.toordinal() + max(days)) if days else None
