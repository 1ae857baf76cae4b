"""What a corpus holds: for its home page, by hosts and pages, by languages."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pyarrow as pa

from izwi.config.schema import CorpusConfig, GatherSection
from izwi.index.columns import distinct
from izwi.index.reader import Segment
from izwi.index.tallies import (
    NOTHING,
    Amount,
    by_origin,
    count_copies,
    months_of,
    originals,
    years_of,
)
from izwi.model.errors import QueryError, SourceError
from izwi.model.notation import size_bytes
from izwi.model.reports import By, Coverage, HostBias, bias_curve, compare
from izwi.model.results import CorpusSummary, LanguageShare, PublicationSummary, SourceSummary
from izwi.pipeline.stages import plan
from izwi.service.ledger import funnel
from izwi.service.ledger_counts import parted_ledger
from izwi.store import snapshots
from izwi.store.catalog import Catalog
from izwi.store.layers import read_columns
from izwi.store.layout import Layout

if TYPE_CHECKING:
    from izwi.gather.web_archives import CdxRow

_EPOCH = date(1970, 1, 1)


def summarise(
    layout: Layout, config: CorpusConfig, catalog: Catalog, number: int, segments: Sequence[Segment]
) -> CorpusSummary:
    """Return the size, the time covered, the sources and the funnel of one version."""
    snapshot = snapshots.read(layout, number) if number else snapshots.EMPTY
    captures, _ = catalog.counts()
    sources = by_origin(segments, [_source_names(segment) for segment in segments])
    first, last = _first_and_last(sum(sources.values(), NOTHING))
    return CorpusSummary(
        name=config.corpus.name,
        title=config.corpus.title or config.corpus.name,
        languages=config.corpus.languages,
        path=str(layout.root),
        snapshot=number,
        published=snapshot.published,
        documents=snapshot.documents,
        tokens=snapshot.tokens,
        segments=len(segments),
        captures=captures,
        copies=count_copies(segments),
        first=first,
        last=last,
        sources=_sources(config, catalog, sources),
        years=years_of(segments),
        funnel=funnel(parted_ledger(layout, config, catalog).counts, snapshot.tokens),
        months=months_of(segments),
        publications=_publications(segments),
    )


def _source_names(segment: Segment) -> list[str]:
    return [source for _, _, source in segment.origins.rows]


def _sources(
    config: CorpusConfig, catalog: Catalog, held: Mapping[str, Amount]
) -> tuple[SourceSummary, ...]:
    counts = catalog.source_counts()
    found = []
    for source in config.sources:
        amount = held.get(source.name, NOTHING)
        found.append(
            SourceSummary(
                source.name,
                source.type,
                str(getattr(source, "address", "")),
                *counts.get(source.name, (0, 0)),
                amount.documents,
                *_first_and_last(amount),
            )
        )
    return tuple(found)


def _publications(segments: Sequence[Segment]) -> tuple[PublicationSummary, ...]:
    """Return what there is of each publication, the largest first, copies left out."""
    names = [segment.publication_by_origin for segment in segments]
    held = by_origin(segments, names)
    sources: dict[str, set[str]] = defaultdict(set)
    for segment, own in zip(segments, names, strict=True):
        by_number = _source_names(segment)
        for number in distinct(originals(segment).origins).tolist():
            sources[own[number]].add(by_number[number])
    return tuple(
        PublicationSummary(
            name, own.documents, own.tokens, tuple(sorted(sources[name])), *_first_and_last(own)
        )
        for name, own in sorted(held.items(), key=lambda item: (-item[1].documents, item[0]))
    )


def _first_and_last(held: Amount) -> tuple[date | None, date | None]:
    """Return the earliest and the latest day of something."""
    days = (held.first, held.last)
    first, last = (None if day is None else _EPOCH + timedelta(days=day) for day in days)
    return first, last


def coverage(
    catalog: Catalog, settings: GatherSection, cdx: str, *, source: str, by: By
) -> Coverage:
    """Return how the captured pages of a source compare with a CDX list, a file or an address."""
    if by not in ("url", "slug"):
        raise QueryError(f"by = '{by}' is neither url nor slug.")
    rows = _rows(cdx, settings)
    captured = list(catalog.captured_pages(source))
    # What the archive captured after our last page cannot be expected of us (Indig 2020, 5.2).
    last = max((f"{time:%Y%m%d%H%M%S}" for _, time in captured), default="9")
    theirs = (row.url for row in rows if row.is_page and row.stamp <= last)
    return compare((url for url, _ in captured), theirs, by)


def host_bias(catalog: Catalog, segments: Sequence[Segment]) -> HostBias:
    """Return the curves of seeds, captures and corpus."""
    corpus: Counter[str] = Counter()
    for segment in segments:
        urls = segment.cards.select(["url"]).filter(pa.array(segment.is_original)).column("url")
        corpus.update(urlsplit(url).hostname or "" for url in urls.to_pylist())
    return HostBias(
        (
            bias_curve("seeds", catalog.seeds_by_host()),
            bias_curve("captures", catalog.captures_by_host()),
            bias_curve("corpus", corpus),
        )
    )


def _rows(cdx: str, settings: GatherSection) -> "tuple[CdxRow, ...]":
    # A home page would load the gatherer for nothing; so below.
    from izwi.gather.web_archives import read_cdx

    try:
        return read_cdx(_body(cdx, settings)).rows
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise SourceError(f"{cdx} is no CDX list ({error}).") from None


def _body(cdx: str, settings: GatherSection) -> bytes:
    if cdx.startswith(("http://", "https://")):
        from izwi.gather.fetch import Limits, fetch_page

        own = settings
        limits = Limits(own.timeout, size_bytes(own.max_size), own.allow_private, own.proxy)
        return fetch_page(cdx, limits)
    try:
        return Path(cdx).read_bytes()
    except OSError as error:
        raise SourceError(f"{cdx} cannot be read: {error.strerror or error}.") from error


_COLUMNS = ["language", "score", "reason", "deviation", "threshold", "variety"]


def language_shares(layout: Layout, config: CorpusConfig) -> tuple[LanguageShare, ...]:
    """Return the languages of the documents built so far, the most frequent first."""
    groups = defaultdict(list)
    for row in _language_rows(layout, config):
        groups[row["language"], row["reason"]].append(row)
    shares = [_share(code, reason, rows) for (code, reason), rows in groups.items() if code]
    return tuple(sorted(shares, key=lambda one: (-one.documents, one.language, one.reason)))


def _language_rows(layout: Layout, config: CorpusConfig) -> Iterator[dict[str, Any]]:
    made = {stage.spec.writes: stage.fingerprint for stage in plan(config)}
    both = layout.built_shards("lang", made["lang"]) & layout.built_shards("select", made["select"])
    for shard in sorted(both):
        told = read_columns(layout.shard("lang", made["lang"], shard), _COLUMNS)
        judged = read_columns(layout.shard("select", made["select"], shard), ["verdict"])
        verdicts = judged.column("verdict").to_pylist()
        for row, verdict in zip(told.to_pylist(), verdicts, strict=True):
            yield {**row, "is_kept": verdict["outcome"] == "kept"}


def _share(code: str, reason: str, rows: list[dict[str, Any]]) -> LanguageShare:
    from statistics import mean

    measured = [row for row in rows if row["deviation"] is not None]
    scored = [row["variety"]["score"] for row in rows if row["variety"]]
    return LanguageShare(
        code,
        reason,
        len(rows),
        sum(row["is_kept"] for row in rows),
        mean(row["score"] for row in rows),
        sum(row["deviation"] > row["threshold"] for row in measured),
        mean(scored) if scored else None,
    )
