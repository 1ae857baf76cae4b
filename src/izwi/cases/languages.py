"""What is known of languages: which one a text is in, what comes along, identifiers that learn."""

import gzip
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from izwi.annotate.conventions import ABBREVIATED, WITH_ORDINALS
from izwi.annotate.tagger import shipped_languages
from izwi.annotate.word_lists import has_word_list
from izwi.config.language_packs import Pack, check_code, find_pack, installed_packs
from izwi.evaluate.language import Labelled, LanguageEvaluation, evaluate
from izwi.model.document import Connected, LanguageGuess, LanguageRun
from izwi.model.errors import ConfigError
from izwi.model.languages import KnownLanguage, TrainedProfile, iso639_3, names_like
from izwi.store.files import write_bytes, write_text
from izwi.text.connected import (
    connectedness,
    dump_profiles,
    load_profiles,
    shipped_profiles,
    shipped_threshold,
    shipped_weights,
    train_profile,
)
from izwi.text.language.alternative_models import dump_alternatives, shipped_alternatives
from izwi.text.language.base import Identifier, expected_of, identifier
from izwi.text.language.expected import NOTHING, PRIOR, Expected
from izwi.text.language.new_language import (
    METHODS,
    Added,
    add_alternative,
    open_alternatives,
    stop_words,
)
from izwi.text.language.ngrams import Izwi
from izwi.text.language.parts import language_runs as runs_of
from izwi.text.language.world import named_languages

# Before the code of a language that pieces of another are taken for, among its figures.
_TAKEN = "taken for "
# A stop list with fewer of a text's words is made of menus or of another spelling (Karakalpak, Ho).
_LEAST_STOPPED = 0.05


def known_languages(packs: Iterable[str | Path] = ()) -> tuple[KnownLanguage, ...]:
    """Return what is known of each language, by its code; with installed packs and those given."""
    opened = {pack.code: pack for pack in (*installed_packs(), *_opened(packs))}
    taggers, profiles = frozenset(shipped_languages()), frozenset(shipped_profiles())
    told = named_languages()
    return tuple(
        _in_pack(opened[code], shipped) if code in opened else shipped
        for code in sorted(told | taggers | profiles | frozenset(opened))
        for shipped in [_shipped(code, told, profiles, taggers)]
    )


def _shipped(
    code: str, told: Collection[str], profiles: Collection[str], taggers: Collection[str]
) -> KnownLanguage:
    return KnownLanguage(
        code,
        code in told,
        code in profiles,
        code in ABBREVIATED,
        "tagger" if code in taggers else "",
        "tagger" if code in taggers else "word list" if has_word_list(code) else "",
        len(stop_lists([code])),
        code in WITH_ORDINALS,
        close_languages(shipped_figures().get(code, {})),
        figures=shipped_figures().get(code, {}),
    )


def stop_lists(codes: Iterable[str]) -> tuple[str, ...]:
    """Return the words that texts of these languages are full of, each once.

    Lists that hold too few of the words of other texts, or were never tried on any, are left out.
    """
    shares = {code: row.get("running text stopped", 0.0) for code, row in shipped_figures().items()}
    tried = [code for code in codes if shares.get(code, 0.0) >= _LEAST_STOPPED]
    return tuple(dict.fromkeys(word for code in tried for word in stop_words(code)))


def close_languages(figures: Mapping[str, float]) -> tuple[str, ...]:
    """Return the languages that a language is often taken for, the nearest first.

    >>> close_languages({"taken for bos": 0.1, "taken for srp": 0.2, "tags": 0.9})
    ('srp', 'bos')
    """
    shares = {n.removeprefix(_TAKEN): s for n, s in figures.items() if n.startswith(_TAKEN)}
    return tuple(sorted(shares, key=lambda code: -shares[code]))


def _in_pack(pack: Pack, shipped: KnownLanguage) -> KnownLanguage:
    """Return what a pack knows over what comes along."""
    tagger = "tagger" if pack.part("tagger.npz") else ""
    lexicon = "lexicon" if pack.part("lexicon.tsv") else ""
    return KnownLanguage(
        pack.code,
        shipped.identified or pack.part("identifier.npz") is not None,
        shipped.connected or pack.part("profile.json") is not None,
        shipped.sentences or pack.part("abbreviations.txt") is not None,
        tagger or lexicon or shipped.tags,
        tagger or lexicon or shipped.lemmas,
        shipped.stop_words,
        shipped.ordinals,
        shipped.close_to,
        str(pack.folder),
        {**shipped.figures, **pack.figures},
    )


@cache
def shipped_figures() -> Mapping[str, Mapping[str, float]]:
    """Return how well the languages that come along are known: shares on text held out."""
    text = (files("izwi") / "models" / "figures.json").read_text(encoding="utf-8")
    return {code: dict(row) for code, row in json.loads(text).items()}


def _opened(packs: Iterable[str | Path]) -> list[Pack]:
    return [find_pack(str(pack), Path()) for pack in packs]


@cache
def _izwi(
    model: Path | None = None,
    packs: tuple[tuple[str, str], ...] = (),
    expected: Expected = NOTHING,
) -> Izwi:
    found = identifier("izwi", str(model or ""), dict(packs), expected)
    assert isinstance(found, Izwi)
    if unknown := sorted(expected.languages - set(found.codes)):
        raise ConfigError(
            f"'{unknown[0]}' cannot be expected: it is no language that can be told"
            f"{names_like(unknown[0])}. What can be told: izwi languages."
        )
    return found


@cache
def _other(method: str, model: str) -> Identifier:
    return identifier(method, model)


def identified(
    text: str,
    *,
    method: str,
    model: str | Path | None,
    packs: Iterable[str | Path],
    expected: Expected,
) -> tuple[LanguageGuess, ...]:
    """Return the languages a text may be in (ISO 639-3) with their probabilities, best first."""
    if method == "izwi":
        folders = tuple((pack.code, str(pack.folder)) for pack in _opened(packs))
        return _izwi(Path(model) if model else None, folders, expected).guesses(text)
    return (_other(method, str(model or ""))(text),)


def identify_many(
    texts: Iterable[str],
    *,
    method: str = "izwi",
    model: str | Path | None = None,
    expect: Iterable[str] = (),
    prior: float = PRIOR,
) -> list[LanguageGuess]:
    """Return the most probable language of each text."""
    if method == "izwi":
        expected = expected_of(expect, prior)
        return _izwi(Path(model) if model else None, expected=expected).many(texts)
    return list(map(_other(method, str(model or "")), texts))


def runs_in(text: str, languages: Sequence[str]) -> tuple[LanguageRun, ...]:
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


def add_language(code: str, sample: Path, model: Path, method: str) -> Added:
    """Add a language to what an alternative identifier knows (the shipped file if absent)."""
    check_code(code)
    if method not in METHODS:
        raise ConfigError(
            f"'{method}' is not trained so; {' and '.join(METHODS)} are. "
            f"For izwi's own: izwi language make {code} --text {sample}"
        )
    before = open_alternatives(model) if model.exists() else shipped_alternatives()
    made, report = add_alternative(before, code, sample_lines(sample), method=method)
    write_bytes(model, dump_alternatives(made))
    return report


def add_profile(code: str, sample: Path, profiles: Path) -> TrainedProfile:
    """Add a profile of connected text to a file of profiles."""
    lines = sample_lines(sample)
    documents = ["\n".join(lines[start : start + 10]) for start in range(0, len(lines), 10)]
    if len(documents) < 10:
        raise ConfigError(f"{sample} has {len(lines)} lines; a profile needs at least 100.")
    held = load_profiles(profiles.read_text(encoding="utf-8")) if profiles.exists() else {}
    made = train_profile(
        iso639_3(code), documents, weights=shipped_weights(), threshold=shipped_threshold()
    )
    write_text(profiles, dump_profiles({**held, made.language: made}))
    return TrainedProfile(code, made.threshold, str(profiles))


def measured(labelled: Path, method: str, model: str | Path | None) -> LanguageEvaluation:
    """Measure an identifier on a file of lines `code<TAB>source<TAB>text` (.gz may be)."""
    asked: Identifier = identifier(method, str(model or ""))
    return evaluate(method, asked, _labelled(labelled))


def sample_lines(path: Path) -> list[str]:
    """Return the lines of a text file that are not empty; gzip is understood."""
    try:
        packed = path.read_bytes()
        text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text: {error.reason}.") from error
    except (OSError, EOFError) as error:
        raise ConfigError(f"{path} cannot be read: {error}.") from error
    return [line for line in text.splitlines() if line.strip()]


def _labelled(path: Path) -> list[Labelled]:
    rows = [line.split("\t", 2) for line in sample_lines(path)]
    wrong = next((number for number, row in enumerate(rows, 1) if len(row) != 3), None)
    if wrong is not None:
        raise ConfigError(f"{path}, line {wrong}: expected code, source and text between tabs.")
    return [Labelled(iso639_3(code), source, body) for code, source, body in rows]
