"""Lemmas that nothing attests: no list has them, and no word of the corpus is spelt like them."""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from izwi.analyse.selection import Selection
from izwi.analyse.word_forms import (
    document_mask,
    form_attribute,
    lemma_attribute,
    lemma_frequencies,
)
from izwi.index.reader import Segment
from izwi.model.lexicography import DoubtfulLemma, DoubtfulLemmas, FormCount

# Forms named of one lemma.
_MOST_FORMS = 6
# Whether a lemma is attested, and which other ones a form may have, the likeliest first.
Attests = Callable[[str], bool]
Offers = Callable[[str], tuple[str, ...]]


def doubtful_lemmas(
    selection: Selection, language: str, attests: Attests, offers: Offers, *, least: int, most: int
) -> DoubtfulLemmas:
    """Return lemmas that are not attested, the most frequent first, with forms and other lemmas.

    A lemma that is a word of the corpus itself is doubtful only if it looks like a form of another.
    """
    counted: Counter[str] = Counter()
    for segment in selection.segments:
        counted.update(dict(_frequent(selection, segment, language)))
    doubtful = [
        (lemma, hits)
        for lemma, hits in counted.most_common()
        if hits >= least and not attests(lemma) and _is_odd(selection, lemma, offers)
    ]
    lines = tuple(
        _line(selection, language, lemma, hits, offers) for lemma, hits in doubtful[:most]
    )
    return DoubtfulLemmas(language, selection.number, len(doubtful), lines)


def _frequent(selection: Selection, segment: Segment, language: str) -> Iterator[tuple[str, int]]:
    """Yield the lemmas in small letters that occur; what has a capital is a name."""
    selection.deadline.check()
    counts = lemma_frequencies(segment, selection.chosen, language)
    numbers = np.flatnonzero(counts)
    values = lemma_attribute(segment).values(numbers)
    for lemma, hits in zip(values, counts[numbers].tolist(), strict=True):
        if lemma.islower() and lemma.replace("-", "").isalpha():
            yield lemma, hits


def _is_odd(selection: Selection, lemma: str, offers: Offers) -> bool:
    is_word = any(form_attribute(each).number(lemma) is not None for each in selection.segments)
    return not is_word or bool(offers(lemma))


def _line(
    selection: Selection, language: str, lemma: str, hits: int, offers: Offers
) -> DoubtfulLemma:
    forms: Counter[str] = Counter()
    for segment in selection.segments:
        selection.deadline.check()
        forms.update(_forms(selection, segment, language, lemma))
    most = forms.most_common(_MOST_FORMS)
    others = dict.fromkeys(other for form, _ in most for other in offers(form) if other != lemma)
    return DoubtfulLemma(lemma, hits, tuple(FormCount(*each) for each in most), tuple(others))


def _forms(selection: Selection, segment: Segment, language: str, lemma: str) -> Counter[str]:
    """Return how often a segment has each form of a lemma."""
    lemmas, forms = lemma_attribute(segment), form_attribute(segment)
    number = lemmas.number(lemma)
    if number is None:
        return Counter()
    positions = lemmas.positions(number)
    mask = document_mask(segment, selection.chosen, language)
    if mask is not None:
        positions = positions[mask[segment.documents_at(positions)]]
    numbers, counts = np.unique(forms.column[positions], return_counts=True)
    return Counter(dict(zip(forms.values(numbers), counts.tolist(), strict=True)))
