"""What a corpus holds, for its home page."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np
from numpy.typing import NDArray

from izwi.config.schema import CorpusConfig
from izwi.index.columns import distinct
from izwi.index.reader import NO_DATE, Segment
from izwi.model.results import CorpusSummary, PublicationSummary, SourceSummary
from izwi.query.concordance import years_of
from izwi.service.documents import months_of
from izwi.service.ledger import all_counts, funnel, ledger_parts
from izwi.store import snapshots
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout

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
        for number, rows in zip(own.tolist(), np.split(order, starts[1:]), strict=True):
            name = names[number]
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
