"""Which documents enter the index: the one stage that decides, from what the others measured."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

from izwi.model.document import KEPT, Document, Verdict, dropped
from izwi.model.languages import iso639_3
from izwi.text.quality import Rules, broken_rule


@dataclass(frozen=True, slots=True)
class SelectConfig:
    """The thresholds of corpus.toml that decide about whole documents."""

    languages: tuple[str, ...] = ()
    minimum: float = 0.5
    exact: bool = True
    minimum_words: int = 20
    connected: bool = True
    rules: Rules = field(default_factory=Rules)


class Select:
    """Gives every document its verdict."""

    name: ClassVar[str] = "select"
    version: ClassVar[int] = 2

    def __init__(self, config: SelectConfig) -> None:
        self._config = replace(config, languages=tuple(map(iso639_3, config.languages)))

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents with their verdicts."""
        for document in documents:
            yield replace(document, verdict=decide(document, self._config))


def decide(document: Document, config: SelectConfig) -> Verdict:
    """Return a document's verdict: the first thing that speaks against it, or kept."""
    if not document.verdict.is_kept:
        return document.verdict
    words = len(document.text.split())
    if words < config.minimum_words:
        return dropped("select", "too-short", value=words, threshold=config.minimum_words)
    return (
        _language(document, config)
        or _connected(document, config)
        or broken_rule(document.text, config.rules)
        or _copy(document, config)
        or KEPT
    )


def _language(document: Document, config: SelectConfig) -> Verdict | None:
    guess = document.language
    if not config.languages or guess is None:
        return None
    if guess.code not in config.languages:
        detail = f"{guess.code} {guess.reason}".strip()
        return dropped("language", "other-language", value=guess.score, detail=detail)
    if guess.score < config.minimum:
        return dropped(
            "language", "uncertain", value=guess.score, threshold=config.minimum, detail=guess.code
        )
    return None


def _connected(document: Document, config: SelectConfig) -> Verdict | None:
    found = document.connected
    if not config.connected or found is None or found.is_connected:
        return None
    return dropped(
        "language",
        "not-connected",
        value=round(found.deviation, 2),
        threshold=found.threshold,
        detail=document.language.code if document.language else "",
    )


def _copy(document: Document, config: SelectConfig) -> Verdict | None:
    copy = document.copy_of
    if copy is None or not config.exact:
        return None
    return dropped(
        "dedup", f"{copy.method}-copy", value=copy.similarity, threshold=1.0, detail=copy.document
    )
