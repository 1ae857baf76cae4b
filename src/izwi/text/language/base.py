"""What every identifier is, the stage that asks one, and how much a text is of one variety.

The score of a variety has parts and is no verdict. It was made for South African English, but the
lists are the user's: words of the region, spellings of the region and of others, ends of host
names. A text without any such word is neither for nor against, and scores 0.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Literal, Protocol
from urllib.parse import urlsplit

from izwi import plugins
from izwi.model.document import Document, LanguageGuess, VarietyScore
from izwi.model.languages import iso639_3
from izwi.text.language.expected import NOTHING, PRIOR, Expected

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# Regional words per thousand at which the lexicon says all it can.
_MANY = 5.0
_SHARES = {"lexicon": 0.5, "spelling": 0.2, "host": 0.3}


@dataclass(frozen=True, slots=True)
class VarietyLists:
    """What the user says is typical of a variety."""

    words: Collection[str] = ()
    spellings: Collection[str] = ()
    other_spellings: Collection[str] = ()
    # Ends of host names, e.g. ".za".
    hosts: tuple[str, ...] = ()


def variety_score(text: str, lists: VarietyLists, *, url: str = "") -> VarietyScore:
    """Return how much of a text and its address is typical of the variety."""
    counts = Counter(word.lower() for word in _WORD.findall(text))
    regional = {word.lower() for word in lists.words}
    found = Counter({word: count for word, count in counts.items() if word in regional})
    lexicon = min(1.0, 1000 * found.total() / max(1, counts.total()) / _MANY)
    spelling = _spelling(counts, lists)
    host = float((urlsplit(url).hostname or "").endswith(lists.hosts)) if lists.hosts else 0.0
    parts = {"lexicon": lexicon, "spelling": spelling, "host": host}
    score = sum(_SHARES[name] * value for name, value in parts.items())
    return VarietyScore(score, lexicon, spelling, host, tuple(found.most_common()))


def _spelling(counts: Counter[str], lists: VarietyLists) -> float:
    """Return the share of regional among the spellings that differ between varieties."""
    own = sum(counts[word.lower()] for word in lists.spellings)
    others = sum(counts[word.lower()] for word in lists.other_spellings)
    return own / (own + others) if own + others else 0.0


Keep = Literal["documents", "paragraphs", "target"]

_NONE: Mapping[str, str] = MappingProxyType({})
UNKNOWN = LanguageGuess("und", 0.0)
# Enough to be sure, and bounds the time a page of many megabytes takes.
LONGEST = 20_000
NEEDED = "The identifier '{0}' needs a package that is not here. Try: pip install 'izwi[{0}]'"


class Identifier(Protocol):
    """Names the language of a text in ISO 639-3, `und` if it cannot."""

    depends_on: ClassVar[tuple[str, ...]]

    def __call__(self, text: str) -> LanguageGuess:
        """Return the language and how sure one is, 0 to 1."""


@dataclass(frozen=True, slots=True)
class LanguageConfig:
    """Which identifier is used, which languages are wanted, and how much of a page is kept."""

    method: str = "izwi"
    keep: Keep = "documents"
    languages: tuple[str, ...] = ()
    # Files of the user's own: a model for `izwi`, profiles of connected text.
    model: str = ""
    profiles: str = ""
    # Folders of language packs by code.
    packs: Mapping[str, str] = field(default_factory=dict)
    connected_by: Literal["language", "fixed"] = "language"
    variety: VarietyLists | None = None
    # Whether words in other languages than their document's are looked for.
    runs: bool = False
    # How many times as often as elsewhere the languages wanted are met.
    prior: float = PRIOR


def expected_of(languages: Iterable[str], prior: float = PRIOR) -> Expected:
    """Return what is expected by whoever wants these languages."""
    return Expected(frozenset(map(iso639_3, languages)), prior)


def identifier(
    method: str, model: str = "", packs: Mapping[str, str] = _NONE, expected: Expected = NOTHING
) -> Identifier:
    """Return an identifier by its name in corpus.toml, with a model of the user's own if given.

    Languages of packs (folders by code) are told by `izwi` beside those it comes with. What is
    expected changes what `izwi` says; others name one language and do not say how near the next is.
    """
    if method == "izwi" and not model:
        return _izwi(packs, expected)
    if not model:
        made: Identifier = plugins.load("izwi.languages", method)()
        return made
    from izwi.text.language.model import open_model
    from izwi.text.language.new_language import METHODS, alternative, open_alternatives
    from izwi.text.language.ngrams import Izwi

    if method in METHODS:
        return alternative(method, open_alternatives(model))
    return Izwi(open_model(model), expected=expected)


def _izwi(packs: Mapping[str, str], expected: Expected) -> Identifier:
    from izwi.text.language.new_language import read_column, with_columns
    from izwi.text.language.ngrams import Izwi
    from izwi.text.language.world import shipped_world

    files = {code: Path(folder) / "identifier.npz" for code, folder in packs.items()}
    columns = {code: read_column(path) for code, path in files.items() if path.exists()}
    world = shipped_world()
    if columns and world:
        return Izwi(world=with_columns(world, columns), expected=expected)
    return Izwi(expected=expected)


class Language:
    """Writes the language of each document's main text, and measures how connected it is."""

    name: ClassVar[str] = "language"
    version: ClassVar[int] = 12

    def __init__(self, config: LanguageConfig) -> None:
        from izwi.text.language.parts import Parts

        expected = expected_of(config.languages, config.prior)
        self._identify = identifier(config.method, config.model, config.packs, expected)
        self._parts = Parts(config, self._identify)

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents with their language; those without text have none."""
        for document in documents:
            has_text = document.verdict.is_kept and document.text
            yield self._parts(document) if has_text else document
