"""What one asks about languages without a corpus: identify, part, judge, train, evaluate."""

import gzip
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from izwi.annotate.izwi import has_word_list
from izwi.annotate.models import shipped_languages
from izwi.evaluate.language import Labelled, LanguageEvaluation, evaluate
from izwi.model.document import Connected, LanguageGuess, LanguageRun, VarietyScore
from izwi.model.errors import ConfigError
from izwi.model.languages import iso639_3
from izwi.store.files import replacing
from izwi.text.connected import connectedness, train_profile
from izwi.text.language.adding import Added, add_language
from izwi.text.language.alternatives import METHODS, add_alternative, open_alternatives
from izwi.text.language.base import Identifier, identifier
from izwi.text.language.model import open_model, shipped_model, write_model
from izwi.text.language.models import dump_alternatives, shipped_alternatives
from izwi.text.language.ngrams import Izwi
from izwi.text.language.world import named_languages
from izwi.text.profiles import (
    dump_profiles,
    load_profiles,
    shipped_profiles,
    shipped_threshold,
    shipped_weights,
)
from izwi.text.runs import language_runs as runs_of
from izwi.text.variety import VarietyLists
from izwi.text.variety import variety_score as score_of


@dataclass(frozen=True, slots=True)
class KnownLanguage:
    """What can be done with a language as izwi comes along."""

    code: str
    # Whether it is told from others, and running text from lists.
    identified: bool
    connected: bool
    # Where tags and lemmas come from: a tagger, word lists, or nothing.
    tags: str
    lemmas: str


def known_languages() -> tuple[KnownLanguage, ...]:
    """Return what is known of each language, by its code."""
    taggers, profiles = frozenset(shipped_languages()), frozenset(shipped_profiles())
    told = named_languages()
    return tuple(
        KnownLanguage(
            code,
            code in told,
            code in profiles,
            "tagger" if code in taggers else "",
            "tagger" if code in taggers else "word list" if has_word_list(code) else "",
        )
        for code in sorted(told | taggers | profiles)
    )


@cache
def _izwi(model: Path | None = None) -> Izwi:
    if model is None:
        return Izwi()
    return Izwi(open_model(model))


@cache
def _other(method: str, model: str) -> Identifier:
    return identifier(method, model)


def identify(
    text: str, *, method: str = "izwi", model: str | Path | None = None
) -> tuple[LanguageGuess, ...]:
    """Return the languages a text may be in (ISO 639-3) with their probabilities, best first.

    Other methods than our own name the most probable language only.
    """
    if method == "izwi":
        return _izwi(Path(model) if model else None).guesses(text)
    return (_other(method, str(model or ""))(text),)


def identify_many(
    texts: Iterable[str], *, method: str = "izwi", model: str | Path | None = None
) -> list[LanguageGuess]:
    """Return the most probable language of each text."""
    if method == "izwi":
        return _izwi(Path(model) if model else None).many(texts)
    return list(map(_other(method, str(model or "")), texts))


def language_runs(text: str, *, languages: Sequence[str] = ()) -> tuple[LanguageRun, ...]:
    """Return the runs of one language inside a mixed text, in order."""
    return runs_of(text, _izwi(), languages=tuple(map(iso639_3, languages)))


def is_connected(text: str, language: str) -> Connected:
    """Return B(d) of a text with the threshold of its language; `.is_connected` is the verdict."""
    code, profiles = iso639_3(language), shipped_profiles()
    if code not in profiles:
        raise ConfigError(
            f"There is no profile of '{language}'. There are: {', '.join(sorted(profiles))}; "
            "izwi train profile makes one."
        )
    return connectedness(text, profiles[code])


def variety_score(
    text: str,
    *,
    words: Collection[str] = (),
    spellings: Collection[str] = (),
    other_spellings: Collection[str] = (),
    hosts: Sequence[str] = (),
    url: str = "",
) -> VarietyScore:
    """Return how much of a text speaks for a variety, by the lists given, with its parts."""
    lists = VarietyLists(words, spellings, other_spellings, tuple(hosts))
    return score_of(text, lists, url=url)


def read_list(path: Path | None) -> tuple[str, ...]:
    """Return the words of a list, one a line; none without a file."""
    return tuple(line.strip() for line in _lines(path)) if path else ()


def train_language(code: str, sample: Path, model: Path, *, method: str = "izwi") -> Added:
    """Add a language from a text file to a model file (made from the shipped one if absent)."""
    if len(code) != 3 or not code.isascii() or not code.isalpha() or code != code.lower():
        raise ConfigError(f"'{code}' is not an ISO 639-3 code; write three letters, e.g. xyz.")
    if method in METHODS:
        return _train_alternative(code, sample, model, method)
    if method != "izwi":
        raise ConfigError(f"'{method}' cannot be trained; izwi, {' and '.join(METHODS)} can.")
    before = open_model(model) if model.exists() else shipped_model()
    made, report = add_language(before, code, _lines(sample))
    with replacing(model) as temporary, temporary.open("wb") as file:
        write_model(made, file)
    _izwi.cache_clear()
    return report


def _train_alternative(code: str, sample: Path, model: Path, method: str) -> Added:
    before = open_alternatives(model) if model.exists() else shipped_alternatives()
    made, report = add_alternative(before, code, _lines(sample), method=method)
    with replacing(model) as temporary:
        temporary.write_bytes(dump_alternatives(made))
    return report


def train_profile_of(code: str, sample: Path, profiles: Path) -> float:
    """Add a profile of connected text to a file of profiles and return its threshold."""
    lines = _lines(sample)
    documents = ["\n".join(lines[start : start + 10]) for start in range(0, len(lines), 10)]
    if len(documents) < 10:
        raise ConfigError(f"{sample} has {len(lines)} lines; a profile needs at least 100.")
    held = load_profiles(profiles.read_text(encoding="utf-8")) if profiles.exists() else {}
    made = train_profile(
        iso639_3(code), documents, weights=shipped_weights(), threshold=shipped_threshold()
    )
    with replacing(profiles) as temporary:
        temporary.write_text(dump_profiles({**held, made.language: made}), encoding="utf-8")
    return made.threshold


def evaluate_language(
    labelled: Path, *, method: str = "izwi", model: Path | None = None
) -> LanguageEvaluation:
    """Measure an identifier on a file of lines `code<TAB>source<TAB>text` (.gz may be)."""
    asked: Identifier = identifier(method, str(model or ""))
    return evaluate(method, asked, _labelled(labelled))


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text: {error.reason}.") from error
    return [line for line in text.splitlines() if line.strip()]


def _labelled(path: Path) -> list[Labelled]:
    packed = path.read_bytes()
    text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode("utf-8")
    rows = [line.split("\t", 2) for line in text.splitlines() if line.strip()]
    wrong = next((number for number, row in enumerate(rows, 1) if len(row) != 3), None)
    if wrong is not None:
        raise ConfigError(f"{path}, line {wrong}: expected code, source and text between tabs.")
    return [Labelled(iso639_3(code), source, body) for code, source, body in rows]
