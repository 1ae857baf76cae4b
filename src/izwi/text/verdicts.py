"""Which documents are worth having, each seen alone, and which of those enter the index.

Which documents are worth having, each seen alone: settled before any of them owns a text. Whether a
text is a copy of another is decided later, and only between documents that are kept here: what is
dropped for any reason owns nothing, so nothing is left out for its sake.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, fields, replace
from itertools import chain, repeat
from typing import ClassVar

from izwi.model.curation import CURATOR, EXCLUDED, RESTORED
from izwi.model.document import KEPT, Document, Verdict, dropped
from izwi.model.languages import iso639_3
from izwi.text.connected import SURE_WORDS
from izwi.text.listings import SHORT, is_note, look, shipped_listings
from izwi.text.quality import QUALITY_REASONS, Rules, broken_rule, count_words
from izwi.text.refrains import refrains

_SHORTEST_COMMENT = 3


@dataclass(frozen=True, slots=True)
class SiftConfig:
    """The thresholds of corpus.toml that decide about a document by itself."""

    languages: tuple[str, ...] = ()
    minimum: float = 0.5
    minimum_words: int = 20
    connected: bool = True
    # Whether pages with fewer words that are whole all the same are wanted.
    notes: bool = True
    rules: Rules = field(default_factory=Rules)
    variety: float = 0.0
    # Types of pages that are not wanted, and those of single sources, by name.
    without_types: tuple[str, ...] = ("listing",)
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Sift:
    """Gives every document the verdict it deserves whatever the others hold."""

    name: ClassVar[str] = "sift"
    version: ClassVar[int] = 17

    def __init__(
        self,
        config: SiftConfig,
        decided: Mapping[str, str] | None = None,
        before: Iterable[Verdict] = (),
        changed: Iterable[str] = (),
    ) -> None:
        self._config = replace(config, languages=tuple(map(iso639_3, config.languages)))
        # What curators decided, by document; they overrule the rules.
        self._decided = decided or {}
        # What the documents were given by other settings, and which of these are others now.
        self._before = before
        self._renewed = frozenset(
            chain.from_iterable(_LISTENS.get(each, _RULES) for each in changed)
        )

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents with their verdicts."""
        for document, before in zip(documents, chain(self._before, repeat(None)), strict=False):
            verdict = overruled(document, self._decided.get(document.id, ""))
            if verdict is None:
                verdict = decide_alone(document, self._config, before, self._renewed)
            yield replace(document, verdict=verdict)


def overruled(document: Document, decided: str) -> Verdict | None:
    """Return the verdict of a curator; None if there is none, or nothing to decide about."""
    if not decided or not document.verdict.is_kept or not document.text:
        return None
    if decided == "drop":
        return dropped(CURATOR, EXCLUDED)
    return Verdict("kept", CURATOR, RESTORED) if decided == "keep" else None


def decide_alone(
    document: Document,
    config: SiftConfig,
    before: Verdict | None = None,
    renewed: Set[str] = frozenset(),
) -> Verdict:
    """Return a document's verdict: the first thing that speaks against it, or kept.

    Given the one it had before, no rule is asked again but those that are others now.
    """
    if not document.verdict.is_kept:
        return document.verdict
    if document.is_ready_made:
        return KEPT
    spoke = _rule_of(before, document)
    for name, rule in _RULES.items():
        is_renewed = name in renewed
        if spoke is None or is_renewed:
            if verdict := rule(document, config):
                return verdict
            # It no longer speaks; those behind it were never asked.
            spoke = None if name == spoke else spoke
        elif name == spoke and before is not None:
            return before
    # Kept, with what extraction had to say of it.
    return document.verdict


def _rule_of(before: Verdict | None, document: Document) -> str | None:
    """Return the rule that gave a verdict, nothing if none spoke; None if that is not known."""
    if before is None:
        return None
    return "" if before == document.verdict else _RULE_BY_REASON.get(before.reason)


def _too_short(document: Document, config: SiftConfig) -> Verdict | None:
    words, least = count_words(document.text), _least_words(document, config)
    if words < least and not (config.notes and is_note(document, words)):
        return dropped("select", "too-short", value=words, threshold=least)
    return None


def _least_words(document: Document, config: SiftConfig) -> int:
    """Return how many words a document needs; comments are short by nature."""
    is_comment = document.metadata.page_type == "comment"
    return min(config.minimum_words, _SHORTEST_COMMENT) if is_comment else config.minimum_words


def _page_type(document: Document, config: SiftConfig) -> Verdict | None:
    unwanted = config.sources.get(document.source, config.without_types)
    found = document.metadata.page_type
    if not unwanted or found == "comment":
        return None
    # What lists others is told by more than the extractor sees.
    if "listing" in unwanted:
        seen = look(document)
        chance = shipped_listings().chance(seen)
        if chance >= seen.least:
            return dropped(
                "select",
                "page-type",
                value=round(chance, 3),
                threshold=seen.least,
                detail=seen.evidence,
            )
    is_other = found in unwanted and found != "listing"
    return dropped("select", "page-type", detail=found) if is_other else None


def _language(document: Document, config: SiftConfig) -> Verdict | None:
    guess = document.language
    if not config.languages or guess is None:
        return None
    # Few words tell less than the page itself.
    if _says_wanted(document, config) and count_words(document.text) < SHORT:
        return None
    detail = f"{guess.code} {guess.reason}".strip()
    if guess.code not in config.languages:
        return dropped("language", "other-language", value=guess.score, detail=detail)
    if guess.score < config.minimum:
        return dropped(
            "language", "uncertain", value=guess.score, threshold=config.minimum, detail=detail
        )
    return None


def _says_wanted(document: Document, config: SiftConfig) -> bool:
    """Whether a page says itself that it is in a language of the corpus."""
    said = re.split(r"[-_]", document.metadata.language)[0]
    return bool(said) and iso639_3(said) in config.languages


def _connected(document: Document, config: SiftConfig) -> Verdict | None:
    found = _doubtful(document, config)
    # What people post to each other is short of much, and a document all the same.
    is_thread = document.metadata.page_type in ("forum", "comment")
    if found is None or is_thread or count_words(document.text) < SURE_WORDS:
        return None
    return replace(found, outcome="dropped", reason="not-connected")


def _doubtful(document: Document, config: SiftConfig) -> Verdict | None:
    """Return the verdict of a text too short to be dropped as a list, though it reads like one."""
    found = document.connected
    if not config.connected or found is None or found.is_connected:
        return None
    code = document.language.code if document.language else ""
    value = round(found.deviation, 2)
    detail = f"{code}, short of: {found.short}" if found.short else code
    return Verdict("kept", "language", "maybe-not-connected", value, found.threshold, detail)


def _variety(document: Document, config: SiftConfig) -> Verdict | None:
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


def _quality(document: Document, config: SiftConfig) -> Verdict | None:
    return broken_rule(document.text, config.rules)


# What may speak against a document, in the order in which it is asked.
_RULES: Mapping[str, Callable[[Document, SiftConfig], Verdict | None]] = {
    "length": _too_short,
    "type": _page_type,
    "language": _language,
    "connected": _connected,
    "variety": _variety,
    "quality": _quality,
    "doubt": _doubtful,
}
# The rules that a setting is about; one that is not named may be about all.
_LISTENS: Mapping[str, tuple[str, ...]] = {
    "select.minimum_words": ("length",),
    "select.notes": ("length",),
    "select.without_types": ("type",),
    "select.sources": ("type",),
    "corpus.languages": ("language",),
    "language.minimum": ("language",),
    "language.connected": ("connected", "doubt"),
    "variety.minimum": ("variety",),
    **{f"select.{each.name}": ("quality",) for each in fields(Rules)},
}
_RULE_BY_REASON: Mapping[str, str] = {
    "too-short": "length",
    "page-type": "type",
    "other-language": "language",
    "uncertain": "language",
    "not-connected": "connected",
    "other-variety": "variety",
    "maybe-not-connected": "doubt",
    **dict.fromkeys(QUALITY_REASONS, "quality"),
}


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
    version: ClassVar[int] = 6

    def __init__(self, config: SelectConfig) -> None:
        self._config = config

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents with their last verdicts."""
        for document in documents:
            verdict = decide_among(document, self._config)
            # Of a document that was restored all is wanted.
            is_whole = not verdict.is_kept or verdict.stage == CURATOR
            left_out = () if is_whole else _left_out(document, self._config)
            yield replace(document, verdict=verdict, left_out=left_out)


def decide_among(document: Document, config: SelectConfig) -> Verdict:
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
    stays = refrains(document)
    return tuple(block.paragraph for block in document.copied if block.paragraph not in stays)
