"""What a corpus holds: for its home page, by hosts and pages, by languages."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.config.schema import CorpusConfig, GatherSection
from izwi.index.columns import distinct
from izwi.index.reader import NO_DATE, Segment
from izwi.model.errors import QueryError, SourceError
from izwi.model.notation import size_bytes
from izwi.model.reports import By, Coverage, HostBias, bias_curve, compare
from izwi.model.results import CorpusSummary, LanguageShare, PublicationSummary, SourceSummary
from izwi.pipeline.stages import plan
from izwi.query.concordance import years_of
from izwi.service.documents import months_of
from izwi.service.ledger import all_counts, funnel, ledger_parts
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
    days = [s.dates[(s.dates != NO_DATE) & s.is_original] for s in segments]
    captures, _ = catalog.counts()
    first, last = _first_and_last(days)
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
        copies=sum(int(segment.is_copy.sum()) for segment in segments),
        first=first,
        last=last,
        sources=_sources(config, catalog, segments),
        years=years_of(segments),
        funnel=funnel(all_counts(ledger_parts(layout, config, catalog)), snapshot.tokens),
        months=months_of(segments),
        publications=_publications(segments),
    )


def _sources(
    config: CorpusConfig, catalog: Catalog, segments: Sequence[Segment]
) -> tuple[SourceSummary, ...]:
    counts = catalog.source_counts()
    found = []
    for source in config.sources:
        masks = [_of_source(segment, source.name) for segment in segments]
        days = [
            s.dates[mask & (s.dates != NO_DATE)] for s, mask in zip(segments, masks, strict=True)
        ]
        leads, fetched = counts.get(source.name, (0, 0))
        found.append(
            SourceSummary(
                source.name,
                source.type,
                str(getattr(source, "address", "")),
                leads,
                fetched,
                sum(int(mask.sum()) for mask in masks),
                *_first_and_last(days),
            )
        )
    return tuple(found)


def _publications(segments: Sequence[Segment]) -> tuple[PublicationSummary, ...]:
    """Return what there is of each publication, the largest first, copies left out."""
    documents: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    sources: dict[str, set[str]] = defaultdict(set)
    days: dict[str, list[NDArray[np.int32]]] = defaultdict(list)
    for segment in segments:
        numbers, names = segment.publications
        source_numbers, source_names = segment.sources
        counted = np.flatnonzero(~segment.is_copy)
        order = counted[np.argsort(numbers[counted], kind="stable")]
        own, starts = np.unique(numbers[order], return_index=True)
        # A segment of copies alone has no publication and no start.
        ends = [*starts[1:].tolist(), len(order)]
        for number, start, end in zip(own.tolist(), starts.tolist(), ends, strict=False):
            name, rows = names[number], order[start:end]
            documents[name] += len(rows)
            tokens[name] += int(segment.document_lengths[rows].sum())
            sources[name].update(source_names[n] for n in distinct(source_numbers[rows]).tolist())
            days[name].append(segment.dates[rows][segment.dates[rows] != NO_DATE])
    return tuple(
        PublicationSummary(
            name, documents[name], tokens[name], tuple(sorted(sources[name])),
            *_first_and_last(days[name]),
        )
        for name in sorted(documents, key=lambda name: (-documents[name], name))
    )  # fmt: skip


def _of_source(segment: Segment, name: str) -> NDArray[np.bool_]:
    """Return which documents, copies left out, come from a source."""
    numbers, names = segment.sources
    is_wanted = np.array([each == name for each in names], np.bool_)
    return (is_wanted[numbers] if len(names) else np.zeros(0, np.bool_)) & segment.is_original


def _first_and_last(days: list[NDArray[np.int32]]) -> tuple[date | None, date | None]:
    """Return the earliest and the latest of some days."""
    values = [(int(part.min()), int(part.max())) for part in days if len(part)]
    if not values:
        return None, None
    first, last = min(low for low, _ in values), max(high for _, high in values)
    return _EPOCH + timedelta(days=first), _EPOCH + timedelta(days=last)


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
