"""Which documents enter the index, of those worth having: copies go, or parts of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from izwi.model.curation import CURATOR
from izwi.model.document import Document, Verdict, dropped


@dataclass(frozen=True, slots=True)
class SelectConfig:
    """What corpus.toml says about copies."""

    exact: bool = True
    documents: str = "fold"
    blocks: str = "fold"
    document: float = 0.8
    sources: Mapping[str, str] = field(default_factory=dict)

    def policy(self, source: str) -> str:
        """Return what becomes of copied documents of a source."""
        return self.sources.get(source, self.documents)


class Select:
    """Gives copies their verdict; all others keep the one they have."""

    name: ClassVar[str] = "select"
    version: ClassVar[int] = 3

    def __init__(self, config: SelectConfig) -> None:
        self._config = config

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents with their last verdicts."""
        for document in documents:
            verdict = decide(document, self._config)
            # Of a document that was restored all is wanted.
            is_whole = not verdict.is_kept or verdict.stage == CURATOR
            left_out = () if is_whole else _left_out(document, self._config)
            yield replace(document, verdict=verdict, left_out=left_out)


def decide(document: Document, config: SelectConfig) -> Verdict:
    """Return a document's verdict: what was decided before, or that it is a copy."""
    is_settled = not document.verdict.is_kept or document.verdict.stage == CURATOR
    if is_settled or document.is_ready_made:
        return document.verdict
    return _copy(document, config) or document.verdict


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
