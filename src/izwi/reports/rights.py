"""What the owners of a version's documents said may be done with them, and what they refused."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urldefrag

import pyarrow as pa

from izwi.index.reader import Segment
from izwi.model.errors import CorruptShard
from izwi.model.reports import RightsSignal
from izwi.store.catalog import Catalog
from izwi.store.layers import read_columns
from izwi.store.layout import Layout
from izwi.store.signals import rights_in
from izwi.store.snapshots import Snapshot

NONE_STATED = "none stated"
# Words of robots rules and reservations; robots.txt is asked before a page is.
SIGNALS = (
    "robots", "noindex", "noarchive", "noai", "nosnippet", "nofollow", "none", "tdm-reservation",
)  # fmt: skip
_COLUMNS = ["id", "url", "captured", "licence"]
_COMMONS = re.compile(
    r"creativecommons\.org/(licenses|publicdomain)/([a-z-]+)(?:/(\d\.\d))?", re.IGNORECASE
)
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of one document: its licence, and the signals of its capture."""

    licence: str = ""
    signals: tuple[str, ...] = ()


@dataclass
class RightsCount:
    """Documents and tokens by licence, and documents by signal and source."""

    documents: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)
    kept: Counter[tuple[str, str]] = field(default_factory=Counter)
    # Shards whose raw file is not there or damaged: what their owners said is not known.
    unread: int = 0

    def add(self, said: Said, source: str, tokens: int) -> None:
        """Count a document."""
        self.documents[said.licence] += 1
        self.tokens[said.licence] += tokens
        self.kept.update((signal, source) for signal in said.signals)


def count_rights(
    layout: Layout, text: str, snapshot: Snapshot, segments: Sequence[Segment]
) -> RightsCount:
    """Return what is said of the documents of a version; `text` is the layer that knows."""
    found = RightsCount()
    built = layout.built_shards("text", text)
    for entry, segment in zip(snapshot.segments, segments, strict=True):
        has_layers = bool(entry.shards) and built.issuperset(entry.shards)
        nothing = Said(NONE_STATED) if has_layers else Said()
        known: dict[str, Said] = {}
        for shard in entry.shards if has_layers else ():
            rights = _rights(layout, shard)
            found.unread += rights is None
            known.update(_said(layout, text, shard, rights or {}))
        for id, source, tokens in _documents(segment):
            found.add(known.get(id, nothing), source, tokens)
    return found


def signals_of(
    kept: Mapping[tuple[str, str], int], catalog: Catalog, respected: Sequence[str]
) -> tuple[RightsSignal, ...]:
    """Return how many documents carry each signal, and how many pages were not taken for it."""
    refused: Counter[tuple[str, str]] = Counter()
    for source, line in catalog.reasons_by_source():
        if line.outcome == "dropped" and line.reason in SIGNALS:
            refused[line.reason, source] += line.count
    return tuple(
        RightsSignal(signal, source, kept.get((signal, source), 0), refused[signal, source],
                     signal in respected or signal == "robots")
        for signal, source in sorted({*kept, *refused})
    )  # fmt: skip


def licence_name(value: str) -> str:
    """Return the name of a Creative Commons licence, or what the page says, at most a line.

    >>> licence_name("https://creativecommons.org/licenses/by-sa/4.0/deed.en")
    'CC BY-SA 4.0'
    >>> licence_name("http://creativecommons.org/publicdomain/zero/1.0/"), licence_name(" ")
    ('CC0 1.0', 'none stated')
    """
    known = _COMMONS.search(value)
    if known is None:
        return " ".join(value.split())[:_LONGEST] or NONE_STATED
    kind, code, number = known[1].lower(), known[2].lower(), known[3] or ""
    if kind == "publicdomain":
        name = "CC0" if code == "zero" else "public domain mark"
    else:
        name = f"CC {code.upper()}"
    return f"{name} {number}".strip()


def _rights(layout: Layout, shard: str) -> Mapping[tuple[str, str], str] | None:
    try:
        return rights_in(layout.warc(shard), layout.captures(shard))
    except CorruptShard:
        return None


def _said(
    layout: Layout, text: str, shard: str, rights: Mapping[tuple[str, str], str]
) -> Iterator[tuple[str, Said]]:
    """Yield the documents of a shard of which anything is said, by id."""
    rows = read_columns(layout.shard("text", text, shard), _COLUMNS).to_pylist()
    for row in rows:
        # A comment has the signals of its page.
        page = urldefrag(row["url"]).url if rights else ""
        said = rights.get((page, row["captured"].isoformat(timespec="seconds")), "")
        if said or row["licence"]:
            yield row["id"], Said(licence_name(row["licence"] or ""), _words(said))


def _words(said: str) -> tuple[str, ...]:
    parts = (part.strip() for part in said.split(";"))
    return tuple(part for part in parts if part in SIGNALS)


def _documents(segment: Segment) -> Iterator[tuple[str, str, int]]:
    counts = segment.is_original
    sizes = (segment.document_ends - segment.document_starts)[counts].tolist()
    cards = segment.cards.select(["id", "source"]).filter(pa.array(counts))
    ids, sources = (cards.column(name).to_pylist() for name in ("id", "source"))
    return zip(ids, sources, sizes, strict=True)
