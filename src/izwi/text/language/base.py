"""What every identifier is, and the stage that asks one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Literal, Protocol

from izwi import plugins
from izwi.model.document import Document, LanguageGuess
from izwi.text.language.variety import VarietyLists

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


def identifier(method: str, model: str = "", packs: Mapping[str, str] = _NONE) -> Identifier:
    """Return an identifier by its name in corpus.toml, with a model of the user's own if given.

    Languages of packs (folders by code) are told by `izwi` beside those it comes with.
    """
    if packs and method == "izwi" and not model:
        return _with_packs(packs)
    if not model:
        made: Identifier = plugins.load("izwi.languages", method)()
        return made
    from izwi.text.language.model import open_model
    from izwi.text.language.new_language import METHODS, alternative, open_alternatives
    from izwi.text.language.ngrams import Izwi

    if method in METHODS:
        return alternative(method, open_alternatives(model))
    return Izwi(open_model(model))


def _with_packs(packs: Mapping[str, str]) -> Identifier:
    from izwi.text.language.new_language import read_column, with_columns
    from izwi.text.language.ngrams import Izwi
    from izwi.text.language.world import shipped_world

    files = {code: Path(folder) / "identifier.npz" for code, folder in packs.items()}
    columns = {code: read_column(path) for code, path in files.items() if path.exists()}
    world = shipped_world()
    return Izwi(world=with_columns(world, columns)) if columns and world else Izwi()


class Language:
    """Writes the language of each document's main text, and measures how connected it is."""

    name: ClassVar[str] = "language"
    version: ClassVar[int] = 7

    def __init__(self, config: LanguageConfig) -> None:
        from izwi.text.language.parts import Parts

        self._identify = identifier(config.method, config.model, config.packs)
        self._parts = Parts(config, self._identify)

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents with their language; those without text have none."""
        for document in documents:
            has_text = document.verdict.is_kept and document.text
            yield self._parts(document) if has_text else document
