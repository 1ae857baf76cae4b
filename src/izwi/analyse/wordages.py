"""When each word form of a segment was first seen, and how often since."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.attributes import form_attribute
from izwi.index.reader import NO_DATE, Segment
from izwi.query.deadline import Deadline
from izwi.query.documents import Filter, chosen_documents

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
