"""How well an identifier names languages: by length, by source, and what it confuses."""

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from izwi.model.document import LanguageGuess

# The eleven official languages that are written.
SOUTH_AFRICAN = ("afr", "eng", "nbl", "nso", "sot", "ssw", "tsn", "tso", "ven", "xho", "zul")
# Names and bounds in words of what is measured apart; a paragraph has at least sixteen words.
LENGTHS = (("1-5 words", 1, 5), ("6-15 words", 6, 15), ("paragraph", 16, 200))
_SHORTEST_LINE = 16

Identify = Callable[[str], LanguageGuess]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text with the language it is in and where it comes from."""

    language: str
    source: str
    text: str


@dataclass(frozen=True, slots=True)
class LengthScore:
    """Shares, 0 to 1, for texts of one length."""

    length: str
    texts: int
    # Right answers, mean over languages.
    accuracy: float
    # South African languages alone, and the other languages called South African.
    south_african: float
    accepted_wrongly: float
    # Of the texts called Zulu, how many are (languages counted alike).
    zulu_precision: float


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often one language was taken for another, at one length."""

    length: str
    language: str
    taken_for: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class SourceScore:
    """The share of right answers on one source of one language, at one length."""

    length: str
    language: str
    source: str
    texts: int
    accuracy: float


@dataclass(frozen=True, slots=True)
class LanguageEvaluation:
    """What an identifier did with labelled text."""

    method: str
    scores: tuple[LengthScore, ...]
    sources: tuple[SourceScore, ...]
    confusions: tuple[Confusion, ...]
    # Mean distance between how sure it was and how often it was right.
    calibration_error: float
    megabytes_per_second: float


@dataclass(frozen=True, slots=True)
class _Answer:
    length: str
    item: Labelled
    guess: LanguageGuess

    @property
    def is_right(self) -> bool:
        return self.guess.code == self.item.language


def evaluate(
    method: str, identify: Identify, items: Sequence[Labelled], *, seed: int = 5
) -> LanguageEvaluation:
    """Ask an identifier about pieces of the texts, of three lengths, and count."""
    answers = [
        _Answer(length, piece, identify(piece.text))
        for length, low, high in LENGTHS
        for piece in pieces(items, low, high, seed)
    ]
    return LanguageEvaluation(
        method,
        tuple(_length_score(length, answers) for length, _, _ in LENGTHS),
        tuple(_source_scores(answers)),
        tuple(_confusions(answers)),
        calibration_error(answers),
        speed(identify, [item.text for item in items]),
    )


def pieces(items: Iterable[Labelled], low: int, high: int, seed: int) -> list[Labelled]:
    """Return one piece of `low` to `high` words from each text long enough for a paragraph."""
    chance = random.Random(f"{seed} {low}")
    found = []
    for item in items:
        words = item.text.split()
        if len(words) >= _SHORTEST_LINE:
            size = chance.randint(low, high)
            start = chance.randrange(max(1, len(words) - size + 1))
            text = " ".join(words[start : start + size])
            found.append(Labelled(item.language, item.source, text))
    return found


def speed(identify: Identify, texts: Sequence[str]) -> float:
    """Return megabytes of UTF-8 per second of processor time, on documents of some 4,000 bytes."""
    documents = _documents(texts)
    if not documents:
        return 0.0
    identify(documents[0])
    begun = time.process_time()
    for document in documents:
        identify(document)
    spent = max(time.process_time() - begun, 1e-9)
    return sum(len(document.encode()) for document in documents) / spent / 1e6


def calibration_error(answers: Sequence[_Answer]) -> float:
    """Return the mean gap between stated and real certainty over ten bands."""
    bands = defaultdict(list)
    for answer in answers:
        bands[min(9, int(answer.guess.score * 10))].append(answer)
    gaps = (
        abs(sum(a.guess.score for a in band) - sum(a.is_right for a in band))
        for band in bands.values()
    )
    return sum(gaps) / max(1, len(answers))


def _documents(texts: Sequence[str], size: int = 4_000) -> list[str]:
    documents, parts, length = [], list[str](), 0
    for text in texts:
        parts.append(text)
        length += len(text)
        if length >= size:
            documents.append("\n".join(parts))
            parts, length = [], 0
    return documents


def _length_score(length: str, answers: Sequence[_Answer]) -> LengthScore:
    here = [answer for answer in answers if answer.length == length]
    by_language = defaultdict(list)
    for answer in here:
        by_language[answer.item.language].append(answer)
    right = {code: _share(a.is_right for a in own) for code, own in by_language.items()}
    accepted = [
        _share(a.guess.code in SOUTH_AFRICAN for a in own)
        for code, own in by_language.items()
        if code not in SOUTH_AFRICAN
    ]
    return LengthScore(
        length,
        len(here),
        _mean(right.values()),
        _mean(right[code] for code in right if code in SOUTH_AFRICAN),
        _mean(accepted),
        _zulu_precision(by_language),
    )


def _zulu_precision(by_language: dict[str, list[_Answer]]) -> float:
    called = {c: _share(a.guess.code == "zul" for a in own) for c, own in by_language.items()}
    return called.get("zul", 0.0) / (sum(called.values()) or 1.0)


def _source_scores(answers: Sequence[_Answer]) -> Iterable[SourceScore]:
    groups = defaultdict(list)
    for answer in answers:
        groups[answer.length, answer.item.language, answer.item.source].append(answer.is_right)
    for (length, language, source), right in sorted(groups.items()):
        yield SourceScore(length, language, source, len(right), _share(right))


def _confusions(answers: Sequence[_Answer]) -> Iterable[Confusion]:
    asked = Counter((answer.length, answer.item.language) for answer in answers)
    wrong = Counter((a.length, a.item.language, a.guess.code) for a in answers if not a.is_right)
    for (length, language, taken_for), count in wrong.most_common():
        share = count / asked[length, language]
        yield Confusion(length, language, taken_for, count, share)


def _share(values: Iterable[bool]) -> float:
    return _mean(float(value) for value in values)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0
