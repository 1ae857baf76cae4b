"""The corpus card: counts over a version's documents, how good they are, what owners said."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any
from urllib.parse import urldefrag, urlsplit

import pyarrow as pa

from izwi import plugins
from izwi.config.schema import CorpusConfig
from izwi.curation import decisions, labelling
from izwi.curation.labelling import labels_path
from izwi.evaluate.extraction import evaluate
from izwi.evaluate.gold_pages import from_labels
from izwi.index.limits import Memory
from izwi.index.reader import Segment
from izwi.model.curation import FAULTS
from izwi.model.document import READY_MADE, Document
from izwi.model.errors import CorruptShard
from izwi.model.languages import iso639_3
from izwi.model.reports import (
    AuditFigure,
    CorpusCard,
    QualityFigure,
    RightsSignal,
    Share,
    SourceYear,
)
from izwi.model.results import CorpusSummary
from izwi.service.ledger import verdict_layers
from izwi.store import snapshots
from izwi.store.catalog import Catalog
from izwi.store.files import FileState, file_state
from izwi.store.layers import read_columns, read_documents
from izwi.store.layout import Layout
from izwi.store.snapshots import Snapshot
from izwi.store.takedowns import read_takedowns
from izwi.store.warc import rights_in
from izwi.text.extract.judging import Extractor
from izwi.text.language.base import expected_of, identifier

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
    audit = decisions.figures(layout)
    # Both read every shard, and readers ask for cards: kept while all that they read is the same.
    files = (layout.root, made.snapshot, made.published, text, _shard_states(layout, text, shards))
    counted = _KEPT.of(("rights", *files), lambda: count_rights(layout, text, snapshot, segments))
    gold = (*_gold_states(layout, config), repr((config.extract, config.language)), tuple(audit))
    quality = _KEPT.of(
        ("quality", *files, *gold), lambda: quality_figures(layout, config, text, shards, audit)
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


# Enough for a share that is right to some two per cent, and soon done.
_MOST_TEXTS, _MOST_PAGES = 500, 200


def quality_figures(
    layout: Layout,
    config: CorpusConfig,
    text: str,
    shards: Sequence[str],
    audit: Sequence[AuditFigure],
) -> tuple[QualityFigure, ...]:
    """Return what labels, stated languages and an audit say; nothing where there is no gold."""
    return (
        *extraction_quality(layout, config),
        *language_quality(layout, config, text, shards),
        *audited_language(audit),
    )


def extraction_quality(layout: Layout, config: CorpusConfig) -> Iterator[QualityFigure]:
    """Yield how the corpus's extractor does on the pages that people labelled."""
    looked_at = [from_labels(page) for page in labelling.stored(layout) if page.time]
    pages = [page for page in looked_at if page.text][:_MOST_PAGES]
    if not pages:
        return
    method = config.extract.method
    found = evaluate(method, _extractor(config), pages)
    for measure in ("precision", "recall", "f1"):
        value = getattr(found, measure)
        yield QualityFigure("main text", f"pages labelled, {method}", len(pages), measure, value)


def language_quality(
    layout: Layout, config: CorpusConfig, text: str, shards: Sequence[str]
) -> Iterator[QualityFigure]:
    """Yield how often the language of imported texts is told as they state it."""
    known = list(islice(_stated(layout, text, shards), _MOST_TEXTS))
    if not known:
        return
    model = layout.root / config.language.model if config.language.model else None
    expected = expected_of(config.corpus.languages, config.language.prior)
    told = identifier(config.language.method, str(model or ""), config.language.packs, expected)
    right = sum(told(each.text).code == iso639_3(each.metadata.language) for each in known)
    gold = f"imported texts that state it, {config.language.method}"
    yield QualityFigure("language", gold, len(known), "accuracy", right / len(known))


def audited_language(audit: Sequence[AuditFigure]) -> Iterator[QualityFigure]:
    """Yield the share of an audit's documents that are in the right language."""
    for each in audit:
        if each.fault == FAULTS["language"] and each.judged:
            gold = f"audit of version {each.version}"
            value = 1 - each.count / each.judged
            yield QualityFigure("language", gold, each.judged, "accuracy", value)


def _extractor(config: CorpusConfig) -> Extractor:
    kind = plugins.load("izwi.extractors", config.extract.method)
    made: Extractor = kind(config.extract.options or kind.Options())
    return made


def _stated(layout: Layout, text: str, shards: Sequence[str]) -> Iterator[Document]:
    """Yield imported texts that say what language they are in."""
    for shard in sorted(layout.built_shards("text", text) & set(shards)):
        path = layout.shard("text", text, shard)
        kinds = read_columns(path, ["media_type"]).column("media_type").to_pylist()
        if READY_MADE in kinds:
            for each in read_documents({"text": path}):
                if each.media_type == READY_MADE and each.metadata.language and each.text.strip():
                    yield each


NONE_STATED = "none stated"
# Words of robots rules and reservations; robots.txt is asked before a page is.
SIGNALS = (
    "robots", "noindex", "noarchive", "noai", "nosnippet", "nofollow", "none", "tdm-reservation",
)  # fmt: skip
_RIGHTS_COLUMNS = ["id", "url", "captured", "licence"]
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
    rows = read_columns(layout.shard("text", text, shard), _RIGHTS_COLUMNS).to_pylist()
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
