"""The parts of a document by language: its own, its paragraphs', its words', what is kept of it.

Which words of a mixed text are in which language is told by a hidden Markov model over words. Each
word says how well it fits each language; changing the language costs more inside a sentence than at
its end. The cheapest path through the words (Viterbi) gives runs of one language, so that a
quotation or a switch of code is known, and single odd words do not break a run.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import ngrams as loops
from izwi.model.document import (
    Connected,
    Document,
    ForeignRun,
    LanguageGuess,
    LanguageRun,
    Paragraph,
)
from izwi.model.languages import iso639_3
from izwi.text.connected import connectedness, profiles_with, source_connectedness
from izwi.text.language.base import Identifier, LanguageConfig, variety_score
from izwi.text.language.ngrams import Izwi
from izwi.text.quality import count_words

# Shorter paragraphs are in the language of their document unless it is plainly another.
_SURE_WORDS, _SURE = 8, 0.8
OTHER = "other-language"
# Elements of code, and which share of it is figures and signs that sentences do without; so many
# words beside it tell the language.
_CODE, _MOST_SIGNS, _ENOUGH = ("pre", "code"), 0.06, 20
_SIGN = re.compile(r"[0-9#$%&()*+/:;<=>@\[\\\]^_`{|}~-]")
# Code as a whole is told as English at most, or as nothing; what is told as another language so
# surely is verse or talk, with the numbers and signs of it. English code has signs no sentence has.
_SAID, _MOST_HARD = 0.6, 0.02
_NO_OTHER = frozenset({"und", "eng", "sco", "pcm"})
_HARD_SIGN = re.compile(r"[#$%&*+<=>@\\^_`{|}~]")
# Fewer words in another language are names and loans more often than that language.
_FEWEST_WORDS = 3


def stated_language(document: Document) -> LanguageGuess | None:
    """Return the language a document made elsewhere says it is in; pages are not believed."""
    stated = document.metadata.language
    return LanguageGuess(iso639_3(stated), 1.0) if document.is_ready_made and stated else None


def text_without_code(document: Document, identify: Identifier) -> str:
    """Return what tells a document's language: its text but for code, if there is enough beside it.

    Half of a manual is commands, whose words are English or none: with them a page in Russian or
    Greek was in no language. Poems stand in the same elements, but have no signs; psalms and talk
    have, and are in a language.
    """
    prose: list[str] = []
    code: list[str] = []
    for block in document.paragraphs:
        if block.is_main:
            is_code = block.kind in _CODE and _has_many(_SIGN, block.text, _MOST_SIGNS)
            (code if is_code else prose).append(block.text)
    said = "\n".join(prose)
    if not code or count_words(said) < _ENOUGH or _is_said("\n".join(code), identify):
        return document.text
    return said


def _is_said(text: str, identify: Identifier) -> bool:
    """Return whether what has the signs of code is somebody's words: verses, dialogues, letters."""
    guess = identify(text)
    if guess.code in _NO_OTHER:
        is_sure = guess.code == "eng" and guess.score >= _SURE
        return is_sure and not _has_many(_HARD_SIGN, text, _MOST_HARD)
    return guess.score >= _SAID


def _has_many(signs: re.Pattern[str], text: str, most: float) -> bool:
    """Return whether more than a share of what is written in a text is signs."""
    return len(signs.findall(text)) > most * sum(map(len, text.split()))


class Parts:
    """Tells the language of a document and keeps what the corpus wants of a mixed one."""

    def __init__(self, config: LanguageConfig, identify: Identifier) -> None:
        self._keep = config.keep
        self._wanted = frozenset(map(iso639_3, config.languages))
        self._identify = identify
        self._profiles = profiles_with(config.profiles, config.packs)
        self._measure = source_connectedness if config.connected_by == "fixed" else connectedness
        self._variety = config.variety
        self._has_runs = config.runs

    def __call__(self, document: Document) -> Document:
        """Return the document with its language, without other languages' parts if so wanted."""
        if self._keep != "documents" and self._wanted and not document.is_ready_made:
            document = self._cut(document)
        text = document.text
        if not text:
            return replace(document, language=LanguageGuess("und", 0.0, reason=OTHER))
        guess = stated_language(document) or self._identify(self._telling(document))
        return replace(
            document,
            language=guess,
            connected=self._connected(text, guess.code),
            variety=variety_score(text, self._variety, url=document.url) if self._variety else None,
            foreign=tuple(self._foreign(document, guess.code)) if self._has_runs else (),
        )

    def _telling(self, document: Document) -> str:
        return text_without_code(document, self._identify)

    def _foreign(self, document: Document, own: str) -> Iterator[ForeignRun]:
        """Yield the runs of some words that are in another language than the document."""
        for number, paragraph in enumerate(document.paragraphs):
            for run in self._runs(paragraph.text) if paragraph.is_main else ():
                if run.words >= _FEWEST_WORDS and run.code not in (own, "und"):
                    yield ForeignRun(number, run.start, run.end, run.code)

    def _connected(self, text: str, code: str) -> Connected | None:
        profile = self._profiles.get(code)
        return self._measure(text, profile) if profile else None

    def _cut(self, document: Document) -> Document:
        kept = tuple(map(self._kept, document.paragraphs))
        pairs = zip(document.paragraphs, kept, strict=True)
        changed = tuple(number for number, (old, new) in enumerate(pairs) if old != new)
        return replace(document, paragraphs=kept, cut=changed)

    def _kept(self, paragraph: Paragraph) -> Paragraph:
        if not paragraph.is_main or self._is_wanted(paragraph.text):
            return paragraph
        part = self._target(paragraph.text) if self._keep == "target" else ""
        if part:
            return replace(paragraph, text=part, marks=())
        return replace(paragraph, is_main=False, reason=OTHER, marks=())

    def _is_wanted(self, text: str) -> bool:
        """Whether a paragraph may stay whole; a short one must be surely another to go."""
        if self._keep == "target":
            return {run.code for run in self._runs(text)} <= self._wanted
        guess = self._identify(text)
        is_plain = len(text.split()) >= _SURE_WORDS or guess.score >= _SURE
        return guess.code in self._wanted or not is_plain or guess.code == "und"

    def _target(self, text: str) -> str:
        """Return the runs in the wanted languages, an ellipsis where others stood between."""
        wanted = [run for run in self._runs(text) if run.code in self._wanted]
        return " […] ".join(text[run.start : run.end] for run in wanted)

    def _runs(self, text: str) -> tuple[LanguageRun, ...]:
        return language_runs(text, self._words)

    @cached_property
    def _words(self) -> Izwi:
        """Our own identifier: the only one that says how well single words fit."""
        return self._identify if isinstance(self._identify, Izwi) else Izwi()


_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE_END = re.compile(r"[.!?:;\n”\"«»()]")
# Costs in nats of going on in another language: inside a sentence, and after its end.
# Knee of the word-level F1 on mixed pages in docs/explanation/language.md.
_INSIDE, _BETWEEN = 9.0, 4.0
# No word alone is surer than this (nats): a name of one language may stand in another.
_SUREST = 6.0


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    begins_sentence: bool


def language_runs(
    text: str, identify: Izwi, *, languages: tuple[str, ...] = ()
) -> tuple[LanguageRun, ...]:
    """Return the runs of one language in a text, in order; `languages` restricts the answer."""
    words = _words(text)
    if not words:
        return ()
    costs = _costs([text[word.start : word.end] for word in words], identify, languages)
    changes = np.array([_BETWEEN if word.begins_sentence else _INSIDE for word in words])

    return _joined(words, cheapest_path(costs, changes), identify.word_codes)


def _words(text: str) -> list[_Word]:
    found, before = [], 0
    for match in _WORD.finditer(text):
        between = text[before : match.start()]
        found.append(_Word(match.start(), match.end(), bool(_SENTENCE_END.search(between))))
        before = match.end()
    return found


def _costs(words: list[str], identify: Izwi, languages: tuple[str, ...]) -> NDArray[np.float64]:
    """Return the cost of each word in each language: 0 for the best, at most `_SUREST`."""
    logs = identify.word_probabilities(words)
    if languages:
        allowed = [code in languages or code == "und" for code in identify.word_codes]
        logs = np.where(allowed, logs, -1e3)
    costs: NDArray[np.float64] = np.minimum(logs.max(axis=1, keepdims=True) - logs, _SUREST)
    if languages:
        costs = np.where(allowed, costs, 1e3)
    return costs


def _joined(
    words: list[_Word], path: NDArray[np.int64], codes: tuple[str, ...]
) -> tuple[LanguageRun, ...]:
    bounds = [0, *(np.flatnonzero(np.diff(path)) + 1).tolist(), len(words)]
    return tuple(
        LanguageRun(words[low].start, words[high - 1].end, codes[path[low]], high - low)
        for low, high in pairwise(bounds)
    )


def cheapest_path(costs: NDArray[np.float64], changes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the language of each word: least cost of words plus cost of changes (Viterbi)."""
    words, languages = costs.shape
    path = np.empty(words, np.int64)
    came_from = np.empty((words, languages), np.int64)
    loops.cheapest_path(
        np.ascontiguousarray(costs), np.ascontiguousarray(changes, np.float64),
        np.empty(languages), came_from, path,
    )  # fmt: skip
    return path
