"""Which documents enter the index, of those worth having: copies go, or parts of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from izwi.model.curation import CURATOR
from izwi.model.document import Document, Verdict, dropped
from izwi.text.quality import count_words

# How alike documents must be by the methods that look at nothing smaller.
_WHOLE: Mapping[str, float] = {"exact": 1.0, "sentences": 0.0, "shingles": 0.0}


@dataclass(frozen=True, slots=True)
class SelectConfig:
    """What corpus.toml says about copies."""

    exact: bool = True
    documents: str = "fold"
    blocks: str = "fold"
    document: float = 0.8
    # A document with more words of its own than this stays for their sake.
    rest: int = 20
    sources: Mapping[str, str] = field(default_factory=dict)

    def policy(self, source: str) -> str:
        """Return what becomes of copied documents of a source."""
        return self.sources.get(source, self.documents)


class Select:
    """Gives copies their verdict; all others keep the one they have."""

    name: ClassVar[str] = "select"
    version: ClassVar[int] = 4

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
    least = _WHOLE.get(copy.method, config.document)
    if copy.similarity < least:
        return None
    # What nobody else has must stay: others may have been left out as copies of it.
    if copy.method not in _WHOLE and own_words(document) > config.rest:
        return None
    reason = f"{copy.method}-copy" if policy == "fold" else "dropped-copy"
    return dropped("dedup", reason, value=copy.similarity, threshold=least, detail=copy.document)


def own_words(document: Document) -> int:
    """Return how many words a document has in paragraphs that are no copies."""
    copied = {block.paragraph for block in document.copied}
    own = (p for n, p in enumerate(document.paragraphs) if p.is_main and n not in copied)
    return sum(count_words(paragraph.text) for paragraph in own)


def _left_out(document: Document, config: SelectConfig) -> tuple[int, ...]:
    """Return the copied paragraphs of a document that stays."""
    is_whole = document.is_ready_made or config.blocks == "keep"
    if is_whole or config.policy(document.source) == "keep":
        return ()
    return tuple(block.paragraph for block in document.copied)
