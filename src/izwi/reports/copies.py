"""Who copies whom: the cluster round one document, and the whole corpus host by host."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from izwi.config.schema import CorpusConfig
from izwi.dedup.ownership import rank
from izwi.model.document import Document
from izwi.model.errors import QueryError, StoreError, TakenDown
from izwi.model.reading import MOST_WORDS, differences
from izwi.model.results import CopyCluster, Copying, CopyMember, WordChange
from izwi.pipeline.stages import plan
from izwi.store.layers import read_columns, read_documents
from izwi.store.layout import Layout
from izwi.store.takedowns import read_takedowns

_MOST_CHANGES = 50
# The more copies there are, the fewer words of each are compared.
_MOST_COMPARED = 60_000
# So many shards' cards are kept in memory.
_KEPT_SHARDS = 128
# A document belongs to the cluster of the one that has so much of its text.
_MOSTLY = 0.5
# These judge documents as a whole, without a look at paragraphs.
_WHOLE_METHODS = ("exact", "sentences", "shingles")


@dataclass(frozen=True, slots=True)
class _Card:
    """What is known of a document beside its text."""

    id: str
    url: str
    shard: str
    date: date | None
    copy_of: str
    copied_words: int
    # Share of its words that its original has.
    share: float


def cluster(layout: Layout, config: CorpusConfig, document: str) -> CopyCluster:
    """Return all copies of a document, given by id or URL, the original first."""
    cards = {card.id: card for card in _cards(layout, config)}
    wanted = next((each for each in cards.values() if document in (each.id, each.url)), None)
    if wanted is None:
        raise QueryError(f"No document of this corpus has the id or URL '{document}'.")
    gone = _gone(layout, cards.values())
    if wanted.id in gone:
        raise TakenDown("This document was taken down at its owner's request and is not shown.")
    # What was taken down still links its copies, but is not shown.
    names = _component(cards, wanted.id) - gone
    shards = sorted({cards[name].shard for name in names})
    found = [each for shard in shards for each in _documents(layout, config, shard)]
    members = sorted((each for each in found if each.id in names), key=rank)
    original, most = members[0], min(MOST_WORDS, _MOST_COMPARED // len(members))
    return CopyCluster(original.id, tuple(_member(each, original, gone, most) for each in members))


def copying(layout: Layout, config: CorpusConfig) -> tuple[Copying, ...]:
    """Return which host copies which, month by month, the most first."""
    cards = {card.id: card for card in _cards(layout, config)}
    for name in _gone(layout, cards.values()):
        del cards[name]
    documents: Counter[tuple[str, str, str]] = Counter()
    words: Counter[tuple[str, str, str]] = Counter()
    for card in cards.values():
        original = cards.get(card.copy_of)
        if original is None:
            continue
        month = card.date.strftime("%Y-%m") if card.date else ""
        key = (_host(original.url), _host(card.url), month)
        documents[key] += 1
        words[key] += card.copied_words
    return tuple(Copying(*key, count, words[key]) for key, count in documents.most_common())


def _gone(layout: Layout, cards: Iterable[_Card]) -> frozenset[str]:
    """Return the documents that were taken down; their files may still be there."""
    takedowns = read_takedowns(layout)
    return frozenset(card.id for card in cards if takedowns.covers(card.url))


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _layers(layout: Layout, config: CorpusConfig) -> tuple[dict[str, str], list[str]]:
    """Return the fingerprints of the layers that tell of copies, and the shards that have both."""
    made = {stage.spec.writes: stage.fingerprint for stage in plan(config)}
    both = layout.built_shards("text", made["text"]) & layout.built_shards("dup", made["dup"])
    return made, [shard for shard in layout.sealed_shards() if shard in both]


def _cards(layout: Layout, config: CorpusConfig) -> Iterator[_Card]:
    made, shards = _layers(layout, config)
    for shard in shards:
        text, dup = (layout.shard(name, made[name], shard) for name in ("text", "dup"))
        yield from _shard_cards(shard, text, dup, (_stamp(text), _stamp(dup)))


def _stamp(path: Path) -> tuple[int, int]:
    """Return what changes when a file is written anew."""
    try:
        found = path.stat()
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error}.") from error
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=_KEPT_SHARDS)
def _shard_cards(shard: str, text: Path, dup: Path, _stamps: object) -> tuple[_Card, ...]:
    """Return the cards of a shard; to make them is to read every word of it."""
    known = read_columns(text, ["id", "url", "date", "paragraphs"])
    judged = read_columns(dup, ["copy_of", "method", "blocks"])
    rows = zip(known.to_pylist(), judged.to_pylist(), strict=True)
    return tuple(_card(row, copy, shard) for row, copy in rows)


def _card(row: dict[str, Any], copy: dict[str, Any], shard: str) -> _Card:
    words = [len(each["text"].split()) if each["is_main"] else 0 for each in row["paragraphs"]]
    copied = sum(words[block["paragraph"]] for block in copy["blocks"])
    original = copy["copy_of"]
    from_it = sum(
        words[block["paragraph"]] for block in copy["blocks"] if block["document"] == original
    )
    share = from_it / max(sum(words), 1)
    if copy["method"] in _WHOLE_METHODS:
        copied, share = sum(words), 1.0
    return _Card(row["id"], row["url"], shard, row["date"], original, copied, share)


def _component(cards: dict[str, _Card], start: str) -> set[str]:
    """Return all documents that copying links to one, whichever way.

    Pages put together from many others link nothing: only what is mostly from one original does.
    """
    linked: dict[str, set[str]] = defaultdict(set)
    for card in cards.values():
        if card.copy_of in cards and card.share >= _MOSTLY:
            linked[card.id].add(card.copy_of)
            linked[card.copy_of].add(card.id)
    found, open_names = {start}, [start]
    while open_names:
        new = linked[open_names.pop()] - found
        found |= new
        open_names += new
    return found


def _documents(layout: Layout, config: CorpusConfig, shard: str) -> Iterator[Document]:
    made, _ = _layers(layout, config)
    return read_documents({name: layout.shard(name, made[name], shard) for name in ("text", "dup")})


def _member(document: Document, original: Document, gone: Collection[str], most: int) -> CopyMember:
    copy, when = document.copy_of, document.metadata.date
    return CopyMember(
        id=document.id,
        url=document.url,
        source=document.source,
        site=document.metadata.site,
        date=when.value if when else None,
        method=copy.method if copy else "",
        similarity=copy.similarity if copy else 0.0,
        changes=tuple(_changes(original.text.split(), document.text.split(), most)),
        originals=tuple(each for each in document.originals if each.document not in gone),
    )


def _changes(before: list[str], after: list[str], most: int) -> Iterator[WordChange]:
    """Yield the words that differ, the first fifty places."""
    different = (each for each in differences(before, after, most=most) if each[0] != "equal")
    for _, (_, i, j, k, m) in zip(range(_MOST_CHANGES), different, strict=False):
        yield WordChange(" ".join(before[i:j]), " ".join(after[k:m]))
