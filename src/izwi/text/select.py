"""Which documents enter the index: the one stage that decides, from what the others measured."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from izwi.model.curation import CURATOR, EXCLUDED, RESTORED
from izwi.model.document import KEPT, Document, Verdict, dropped
from izwi.model.languages import iso639_3
from izwi.text.quality import Rules, broken_rule

_SHORTEST_COMMENT = 3


@dataclass(frozen=True, slots=True)
class SelectConfig:
    """The thresholds of corpus.toml that decide about whole documents."""

    languages: tuple[str, ...] = ()
    minimum: float = 0.5
    exact: bool = True
    minimum_words: int = 20
    connected: bool = True
    rules: Rules = field(default_factory=Rules)
    documents: str = "fold"
    blocks: str = "fold"
    document: float = 0.8
    sources: Mapping[str, str] = field(default_factory=dict)
    variety: float = 0.0
    # Types of pages that are not wanted.
    without_types: tuple[str, ...] = ()

    def policy(self, source: str) -> str:
        """Return what becomes of copied documents of a source."""
        return self.sources.get(source, self.documents)


class Select:
    """Gives every document its verdict."""

    name: ClassVar[str] = "select"
    version: ClassVar[int] = 2

    def __init__(self, config: SelectConfig, decided: Mapping[str, str] | None = None) -> None:
        self._config = replace(config, languages=tuple(map(iso639_3, config.languages)))
        # What curators decided, by document; they overrule the rules.
        self._decided = decided or {}

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents with their verdicts."""
        for document in documents:
            verdict = overruled(document, self._decided.get(document.id, ""))
            verdict = verdict or decide(document, self._config)
            # Of a document that was restored all is wanted.
            is_whole = not verdict.is_kept or verdict.stage == CURATOR
            left_out = () if is_whole else _left_out(document, self._config)
            yield replace(document, verdict=verdict, left_out=left_out)


def overruled(document: Document, decided: str) -> Verdict | None:
    """Return the verdict of a curator; None if there is none, or nothing to decide about."""
    if not document.verdict.is_kept or not document.text:
        return None
    if decided == "drop":
        return dropped(CURATOR, EXCLUDED)
    return Verdict("kept", CURATOR, RESTORED) if decided == "keep" else None


def decide(document: Document, config: SelectConfig) -> Verdict:
    """Return a document's verdict: the first thing that speaks against it, or kept."""
    if not document.verdict.is_kept:
        return document.verdict
    if document.is_ready_made:
        return KEPT
    words, least = len(document.text.split()), _least_words(document, config)
    if words < least:
        return dropped("select", "too-short", value=words, threshold=least)
    return (
        _page_type(document, config)
        or _language(document, config)
        or _connected(document, config)
        or _variety(document, config)
        or broken_rule(document.text, config.rules)
        or _copy(document, config)
        or KEPT
    )


def _least_words(document: Document, config: SelectConfig) -> int:
    """Return how many words a document needs; comments are short by nature."""
    is_comment = document.metadata.page_type == "comment"
    return min(config.minimum_words, _SHORTEST_COMMENT) if is_comment else config.minimum_words


def _page_type(document: Document, config: SelectConfig) -> Verdict | None:
    found = document.metadata.page_type
    return dropped("select", "page-type", detail=found) if found in config.without_types else None


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


def _variety(document: Document, config: SelectConfig) -> Verdict | None:
    found = document.variety
    if found is None or found.score >= config.variety:
        return None
    parts = f"lexicon {found.lexicon:.2f}, spelling {found.spelling:.2f}, host {found.host:.2f}"
    return dropped(
        "language",
        "other-variety",
        value=round(found.score, 3),
        threshold=config.variety,
        detail=parts,
    )


def _copy(document: Document, config: SelectConfig) -> Verdict | None:
    copy, policy = document.copy_of, config.policy(document.source)
    if copy is None or policy == "keep" or (copy.method == "exact" and not config.exact):
        return None
    # Methods for whole documents have a threshold of their own, which was passed already.
    least = {"exact": 1.0, "sentences": 0.0, "shingles": 0.0}.get(copy.method, config.document)
    if copy.similarity < least:
        return None
    reason = f"{copy.method}-copy" if policy == "fold" else "dropped-copy"
    return dropped("dedup", reason, value=copy.similarity, threshold=least, detail=copy.document)


def _left_out(document: Document, config: SelectConfig) -> tuple[int, ...]:
    """Return the copied paragraphs of a document that stays."""
    is_whole = document.is_ready_made or config.blocks == "keep"
    if is_whole or config.policy(document.source) == "keep":
        return ()
    return tuple(block.paragraph for block in document.copied)
