"""Edits that make lemmas of words, and how they are chosen: by weights and by what is attested."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from difflib import SequenceMatcher
from itertools import accumulate
from math import log

import numpy as np
from numpy.typing import NDArray

from izwi.annotate.tokens import looked_up
from izwi.kernels import tagging
from izwi.kernels.features_of_words import EDIT_FEATURES
from izwi.model.records import dataclass

Integers = NDArray[np.int64]

# Edits that are weighed for a word.
_CANDIDATES = 8
# What an attested lemma counts beside their weights: once, and for each time that its number of
# words is e times as large; chosen on Nguni. So short a lemma is attested by chance.
_ATTESTED, _ATTESTED_OFTEN, _MOST_FAVOUR, _SHORT = 400, 50, 800, 2


@dataclass(frozen=True, slots=True)
class Edit:
    """Cut so many characters before and after, put these there; in lower case or as written."""

    cut_before: int
    put_before: str
    cut_after: int
    put_after: str
    keeps_case: bool

    def apply(self, word: str) -> str:
        """Return the lemma of a word, the word itself if it is too short for the edit.

        >>> Edit(0, "", 3, "y", False).apply("Ladies")
        'lady'
        """
        form = word if self.keeps_case else word.lower()
        if len(form) < self.cut_before + self.cut_after:
            return form
        return self.put_before + form[self.cut_before : len(form) - self.cut_after] + self.put_after

    def as_text(self) -> str:
        """Return the edit in one short line."""
        case = "K" if self.keeps_case else "L"
        return f"{case}\t{self.cut_before}\t{self.put_before}\t{self.cut_after}\t{self.put_after}"


def edit_from_text(line: str) -> Edit:
    """Return the edit a line says."""
    case, cut_before, put_before, cut_after, put_after = line.split("\t")
    return Edit(int(cut_before), put_before, int(cut_after), put_after, case == "K")


def edit_between(word: str, lemma: str) -> Edit:
    """Return the edit that makes the lemma of the word, keeping their longest common part.

    >>> edit_between("izidingo", "dingo").as_text()
    'L\\t3\\t\\t0\\t'
    """
    keeps_case = lemma != lemma.lower()
    form = word if keeps_case else word.lower()
    common = SequenceMatcher(None, form, lemma, autojunk=False).find_longest_match()
    if common.size == 0:
        return Edit(len(form), "", 0, lemma, keeps_case)
    return Edit(
        common.a,
        lemma[: common.b],
        len(form) - common.a - common.size,
        lemma[common.b + common.size :],
        keeps_case,
    )


@dataclass(frozen=True, slots=True)
class LemmaModel:
    """How words become lemmas: learnt edits, and the words they get wrong."""

    edits: tuple[Edit, ...]
    weights: NDArray[np.int8]
    exceptions: Mapping[str, str]
    # Lemmas of the treebank in lower case, and what each counts beside the weights of edits.
    attested: Mapping[str, int] = field(default_factory=dict)


# Nothing was learnt: every word is its own lemma, in lower case.
NO_FORMS = LemmaModel((), np.zeros((2, 0), np.int8), {})


def pack_edits(pairs: Sequence[tuple[str, int]], mask: int) -> Integers:
    """Return the features by which the edits of words with tags are chosen."""
    words = [word for word, _ in pairs]
    codes, _ = looked_up("".join(words))
    offsets = np.fromiter(accumulate(map(len, words), initial=0), np.int64, len(words) + 1)
    tags = np.array([tag for _, tag in pairs], np.int64)
    found = np.zeros((len(words), EDIT_FEATURES), np.int64)
    tagging.edit_features(codes.astype(np.int64), offsets, tags, mask, found)
    return found


def favours(lemmas: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Return what each lemma of some pairs of word and lemma counts because it is attested.

    >>> favours([("Bathenge", "thenga"), ("bathenge", "thenga"), ("wathenga", "thenga")])
    {'thenga': 435}
    """
    words = Counter(lemma for _, lemma in {(w.lower(), lemma.lower()) for w, lemma in lemmas})
    return {
        lemma: min(_MOST_FAVOUR, round(_ATTESTED + _ATTESTED_OFTEN * log(times)))
        for lemma, times in sorted(words.items())
        if len(lemma) > _SHORT
    }


def choose_edits(model: LemmaModel, pairs: Sequence[tuple[str, int]]) -> list[int]:
    """Return the number of the edit chosen for each word with its tag."""
    found = pack_edits(pairs, len(model.weights) - 2)
    chosen = np.zeros(len(pairs), np.int64)
    scores = np.zeros(model.weights.shape[1], np.int16)
    tagging.choose(found, model.weights, scores, chosen)
    numbers: list[int] = chosen.tolist()
    return numbers


def likeliest_forms(model: LemmaModel, pairs: Sequence[tuple[str, int]]) -> list[str]:
    """Return the lemma of each word with its tag: of the likeliest edits one that is attested."""
    if not model.attested:
        edits = choose_edits(model, pairs)
        return [model.edits[n].apply(word) for (word, _), n in zip(pairs, edits, strict=True)]
    most = min(_CANDIDATES, len(model.edits))
    chosen, sums = np.zeros((2, len(pairs), most), np.int64)
    features = pack_edits(pairs, len(model.weights) - 2)
    scores = np.zeros(len(model.edits), np.int16)
    tagging.choose_some(features, model.weights, scores, chosen, sums)
    given = zip(pairs, chosen.tolist(), sums.tolist(), strict=True)
    return [
        _likeliest(model, word, zip(edits, own, strict=True)) for (word, _), edits, own in given
    ]


def _likeliest(model: LemmaModel, word: str, edits: Iterable[tuple[int, int]]) -> str:
    """Return what the best edit makes of a word, sums of weights and attestation together."""
    best, most = "", -_MOST_FAVOUR * 100
    for edit, own in edits:
        if own + _MOST_FAVOUR <= most:
            break
        lemma = model.edits[edit].apply(word)
        value = own + model.attested.get(lemma.lower(), 0)
        if value > most:
            best, most = lemma, value
    return best
