"""Which lemma a word stands for, and how often lemmas occur in the documents that count."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.attributes import form_attribute, lemma_attribute
from izwi.index.reader import Segment
from izwi.query.documents import Filter, chosen_documents

_BLOCK = 1 << 22


@dataclass(frozen=True, slots=True)
class Lemma:
    """A lemma that occurs, or nothing, and what has to be said of how it was found."""

    text: str
    notes: tuple[str, ...] = ()


def lemma_of(segments: Sequence[Segment], word: str) -> Lemma:
    """Return the lemma somebody means: as typed, but for its case, or of the form typed."""
    typed = word.strip()
    if any(lemma_attribute(segment).number(typed) is not None for segment in segments):
        return Lemma(typed)
    counted = _but_for_case(segments, typed) + _of_form(segments, typed)
    likely = max(counted, key=counted.__getitem__, default="")
    if not likely:
        return Lemma(typed, (f"'{typed}' does not occur.",))
    return Lemma(likely, (f"'{typed}' is not a lemma here; this is '{likely}'.",))


def _but_for_case(segments: Sequence[Segment], typed: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for segment in segments:
        lemmas = lemma_attribute(segment)
        numbers = lemmas.lexicon.same_but_for_case(typed)
        _count(counted, lemmas.values(numbers), lemmas.frequencies_of(numbers))
    return counted


def _of_form(segments: Sequence[Segment], typed: str) -> Counter[str]:
    """Return the lemmas that the occurrences of a form have."""
    counted: Counter[str] = Counter()
    for segment in segments:
        forms = form_attribute(segment)
        form = forms.number(typed.lower())
        if form is None:
            continue
        lemmas = lemma_attribute(segment)
        numbers = np.unique(lemmas.column[forms.positions(form)], return_counts=True)
        _count(counted, lemmas.values(numbers[0]), numbers[1])
    return counted


def _count(counted: Counter[str], values: Sequence[str], many: NDArray[np.int64]) -> None:
    for value, hits in zip(values, many.tolist(), strict=True):
        counted[value] += hits


def document_mask(segment: Segment, chosen: Filter, language: str) -> NDArray[np.bool_] | None:
    """Return which documents count and are of a language, as far as they say; None for all."""
    mask = chosen_documents(segment, chosen).mask
    codes = segment.cards.column("language").to_pylist()
    is_other = np.fromiter((bool(code) and code != language for code in codes), np.bool_)
    if not is_other.any():
        return mask
    return ~is_other if mask is None else mask & ~is_other


def token_mask(
    segment: Segment, documents: NDArray[np.bool_], first: int, last: int
) -> NDArray[np.bool_]:
    """Return which tokens of a stretch are in some documents."""
    own = segment.documents_at(np.arange(first, last))
    return documents[own]


def lemma_frequencies(segment: Segment, chosen: Filter, language: str) -> NDArray[np.int64]:
    """Return how often each lemma occurs in the documents that count."""
    lemmas = lemma_attribute(segment)
    mask = document_mask(segment, chosen, language)
    if mask is None:
        return lemmas.frequencies
    key = ("lemma frequencies", chosen, language)
    return segment.remembered(key, lambda: _counted(segment, mask))


def _counted(segment: Segment, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    lemmas = lemma_attribute(segment)
    found = np.zeros(len(lemmas.lexicon), np.int64)
    for first in range(0, segment.tokens, _BLOCK):
        last = min(first + _BLOCK, segment.tokens)
        column = lemmas.column[first:last][token_mask(segment, mask, first, last)]
        found += np.bincount(column, minlength=len(found))
    return found
