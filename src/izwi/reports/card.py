"""The corpus card: counts over all documents of a version."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa

from izwi.config.schema import CorpusConfig
from izwi.curation import auditing
from izwi.curation.labelling import labels_path
from izwi.index.memory import Memory
from izwi.index.reader import Segment
from izwi.model.reports import CorpusCard, Share, SourceYear
from izwi.model.results import CorpusSummary
from izwi.reports.quality import quality_figures
from izwi.reports.rights import count_rights, signals_of
from izwi.service.ledger import verdict_layers
from izwi.store import snapshots
from izwi.store.catalog import Catalog
from izwi.store.files import FileState, file_state
from izwi.store.layout import Layout
from izwi.store.takedowns import read_takedowns

_MOST_HOSTS = 100
_MOST_LICENCES = 30
_COLUMNS = ["url", "date", "date_precision", "date_evidence", "source", "language"]
# What cards of all corpora of this process rest on; a comparison opens a corpus anew each time.
_KEPT = Memory(most=64)


@dataclass
class _Counts:
    """Documents and tokens by name."""

    documents: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    tokens: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, name: str, tokens: int) -> None:
        self.documents[name] += 1
        self.tokens[name] += tokens

    def largest_first(self) -> tuple[Share, ...]:
        shares = (Share(name, count, self.tokens[name]) for name, count in self.documents.items())
        return largest_first(shares)

    def by_name(self) -> tuple[Share, ...]:
        return tuple(sorted(self.largest_first(), key=lambda each: each.name))


def card(summary: CorpusSummary, segments: Sequence[Segment], settings: str) -> CorpusCard:
    """Return the card of the version that a summary tells of."""
    names = ("years", "languages", "publications", "sources", "hosts", "evidence", "precision")
    counts = {name: _Counts() for name in names}
    annual: Counter[tuple[str, str]] = Counter()
    for row, tokens in _rows(segments):
        values = _values(row)
        annual[values["sources"], values["years"]] += 1
        for name, value in values.items():
            counts[name].add(value, tokens)
    hosts = counts["hosts"].largest_first()
    return CorpusCard(
        name=summary.name,
        title=summary.title,
        snapshot=summary.snapshot,
        published=summary.published,
        settings=settings,
        documents=summary.documents,
        tokens=summary.tokens,
        captures=summary.captures,
        copies=summary.copies,
        first=summary.first,
        last=summary.last,
        years=counts["years"].by_name(),
        languages=counts["languages"].largest_first(),
        publications=counts["publications"].largest_first(),
        sources=counts["sources"].largest_first(),
        hosts=hosts[:_MOST_HOSTS],
        hosts_in_all=len(hosts),
        effective_hosts=effective_number(each.tokens for each in hosts),
        date_evidence=counts["evidence"].largest_first(),
        date_precision=counts["precision"].largest_first(),
        funnel=summary.funnel,
        years_by_source=tuple(SourceYear(*key, annual[key]) for key in sorted(annual)),
    )


def completed(
    made: CorpusCard,
    layout: Layout,
    config: CorpusConfig,
    catalog: Catalog,
    segments: Sequence[Segment],
) -> CorpusCard:
    """Return a card with what is not in the index: licences, owners' signals, quality, audit."""
    snapshot = snapshots.read(layout, made.snapshot) if made.snapshot else snapshots.EMPTY
    shards = [shard for entry in snapshot.segments for shard in entry.shards]
    text, _ = verdict_layers(layout, config)
    audit = auditing.figures(layout)
    # Both read every shard, and readers ask for cards: kept while all that they read is the same.
    files = (layout.root, made.snapshot, made.published, text, _shard_states(layout, text, shards))
    counted = _KEPT.of(("rights", *files), lambda: count_rights(layout, text, snapshot, segments))
    gold = (*_gold_states(layout, config), repr((config.extract, config.language)), tuple(audit))
    quality = _KEPT.of(
        ("quality", *files, *gold),
        lambda: quality_figures(layout, config, text, shards, audit),
    )
    licences = (Share(name, n, counted.tokens[name]) for name, n in counted.documents.items())
    return replace(
        made,
        audit=audit,
        licences=largest_first(licences)[:_MOST_LICENCES],
        rights=signals_of(counted.kept, catalog, config.gather.respect),
        rights_unread=counted.unread,
        takedowns=len(read_takedowns(layout).entries),
        quality=quality,
    )


def largest_first(shares: Iterable[Share]) -> tuple[Share, ...]:
    """Return shares by their tokens, then by name."""
    return tuple(sorted(shares, key=lambda each: (-each.tokens, each.name)))


def effective_number(sizes: Iterable[int]) -> float:
    """Return how many equal parts would be as varied as these.

    >>> effective_number([5, 5]), effective_number([98, 1, 1]), effective_number([])
    (2.0, 1.04, 0.0)
    """
    known = [size for size in sizes if size]
    total = sum(known)
    return round(total * total / sum(size * size for size in known), 2) if total else 0.0


def _rows(segments: Sequence[Segment]) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the documents that count, folded copies left out, with their tokens."""
    for segment in segments:
        counts = segment.is_original
        sizes = (segment.document_ends - segment.document_starts)[counts].tolist()
        rows = segment.cards.select(_COLUMNS).filter(pa.array(counts)).to_pylist()
        numbers, names = segment.publications
        for row, number in zip(rows, numbers[counts].tolist(), strict=True):
            row["publication"] = names[number]
        yield from zip(rows, sizes, strict=True)


def _shard_states(layout: Layout, text: str, shards: Sequence[str]) -> int:
    """Return a number that changes with any file of these shards that a card rests on."""
    files = (
        path
        for shard in shards
        for path in (layout.warc(shard), layout.captures(shard), layout.shard("text", text, shard))
    )
    return hash(tuple(map(file_state, files)))


def _gold_states(layout: Layout, config: CorpusConfig) -> tuple[FileState | None, ...]:
    """Return the states of the labels and of the models that are measured by them."""
    files = [labels_path(layout), *sorted(layout.models.rglob("*"))]
    if config.language.model:
        files.append(layout.root / config.language.model)
    return tuple(map(file_state, files))


def _values(row: dict[str, Any]) -> dict[str, str]:
    return {
        "years": str(row["date"].year) if row["date"] else "",
        "languages": row["language"],
        "publications": row["publication"],
        "sources": row["source"],
        "hosts": urlsplit(row["url"]).hostname or "",
        "evidence": row["date_evidence"] if row["date"] else "no date",
        "precision": row["date_precision"] if row["date"] else "no date",
    }
