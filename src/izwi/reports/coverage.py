"""What a corpus covers: hosts and pages, and the languages of its documents."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa

from izwi.config.schema import CorpusConfig, GatherSection
from izwi.gather.fetch import Limits, fetch_page
from izwi.gather.web_archives import CdxRow, read_cdx
from izwi.index.reader import Segment
from izwi.model.errors import QueryError, SourceError
from izwi.model.notation import size_bytes
from izwi.model.reports import By, Coverage, HostBias, bias_curve, compare
from izwi.model.results import LanguageShare
from izwi.pipeline.stages import plan
from izwi.store.catalog import Catalog
from izwi.store.layers import read_columns
from izwi.store.layout import Layout


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


def _rows(cdx: str, settings: GatherSection) -> tuple[CdxRow, ...]:
    try:
        return read_cdx(_body(cdx, settings)).rows
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise SourceError(f"{cdx} is no CDX list ({error}).") from None


def _body(cdx: str, settings: GatherSection) -> bytes:
    if cdx.startswith(("http://", "https://")):
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
