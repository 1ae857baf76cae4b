"""A corpus to work with: one short method per use case; the command line and the web call these."""

import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Self

from izwi import plugins
from izwi.config.load import load
from izwi.config.schema import CorpusConfig
from izwi.export.choice import Choice
from izwi.index.reader import Segment
from izwi.model.card import CorpusCard
from izwi.model.errors import QueryError
from izwi.model.exporting import ExportReport
from izwi.model.results import (
    Concordance,
    CopyCluster,
    Copying,
    CorpusStatus,
    CorpusSummary,
    Finding,
    Ledger,
    Listener,
    RunReport,
    SourceSummary,
    ignore,
)
from izwi.pipeline.build import statuses
from izwi.query.concordance import Filter, View, concordance
from izwi.service import (
    building,
    card,
    copies,
    doctor,
    exporting,
    gathering,
    ledger,
    setup,
    summary,
)
from izwi.service.runs import running
from izwi.service.searching import as_indexed
from izwi.service.use_cases import use_case
from izwi.store import lock, snapshots
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout

# A longer phrase is a paste by mistake.
LONGEST_QUERY = 100


class Corpus:
    """A corpus folder: gather and build it, ask what it holds, search it.

    Reading never changes the folder, so it may lie on a read-only mount.
    """

    def __init__(self, path: Path) -> None:
        self._layout = Layout(path.resolve())
        self._config = load(self._layout.config)
        self._segments = lru_cache(maxsize=4)(self._open_segments)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._segments.cache_clear()

    @property
    def name(self) -> str:
        """Its name in corpus.toml."""
        return self._config.corpus.name

    @property
    def path(self) -> Path:
        """Its folder."""
        return self._layout.root

    @property
    def config(self) -> CorpusConfig:
        """Its settings as they were when it was opened."""
        return self._config

    @use_case("gather", "POST /api/v1/c/{corpus}/gather")
    def gather(
        self,
        *,
        seconds: float | None = None,
        pages: int | None = None,
        proxy: str = "",
        listener: Listener = ignore,
    ) -> RunReport:
        """Fetch what the sources offer, until nothing is due or a bound is met."""
        with running(self._layout, "gather", listener) as run:
            gathering.gather(
                self._layout, self._with_proxy(proxy), run, seconds=seconds, pages=pages
            )
            self._close(run)
        return run.report

    @use_case("build", "POST /api/v1/c/{corpus}/build")
    def build(self, *, workers: int = 0, listener: Listener = ignore) -> RunReport:
        """Do what is stale or missing: text, language, copies, tokens, index; publish a version."""
        with running(self._layout, "build", listener) as run:
            building.build(self._layout, self._config, run, workers=workers)
            self._close(run)
        return run.report

    @use_case("run", "POST /api/v1/c/{corpus}/run")
    def run(
        self,
        *,
        seconds: float | None = None,
        pages: int | None = None,
        proxy: str = "",
        workers: int = 0,
        listener: Listener = ignore,
    ) -> RunReport:
        """Gather, then build."""
        with running(self._layout, "run", listener) as run:
            gathering.gather(
                self._layout, self._with_proxy(proxy), run, seconds=seconds, pages=pages
            )
            if not run.report.was_stopped:
                building.build(self._layout, self._config, run, workers=workers)
            self._close(run)
        return run.report

    @use_case("status", "GET /api/v1/c/{corpus}/status")
    def status(self) -> CorpusStatus:
        """Say per stage what is current, stale (and which key changed), missing or failed."""
        with Catalog.read(self._layout.catalog) as catalog:
            captures, waiting = catalog.counts()
            return CorpusStatus(
                name=self.name,
                shards=len(self._layout.sealed_shards()),
                captures=captures,
                waiting=waiting,
                snapshot=snapshots.current_number(self._layout),
                stages=tuple(statuses(self._layout, self._config, catalog)),
                holder=lock.holder(self._layout.lock),
            )

    @use_case("drops", "GET /api/v1/c/{corpus}/drops")
    def drops(
        self,
        *,
        outcome: str = "",
        stage: str = "",
        reason: str = "",
        source: str = "",
        url: str = "",
        first: int = 0,
        most: int = 100,
    ) -> Ledger:
        """List and count what became of every URL: kept, waiting, dropped or failed, and why."""
        wanted = ledger.Wanted(outcome, stage, reason, source, url)
        with Catalog.read(self._layout.catalog) as catalog:
            lines = ledger.ledger_lines(self._layout, self._config, catalog)
            return ledger.ledger(lines, wanted, first=first, most=most)

    @use_case("query", "GET /c/{corpus}/conc")
    def concordance(
        self,
        query: str,
        *,
        sort: str = "date",
        page: int = 1,
        size: int = 50,
        context: int = 12,
        since: date | None = None,
        until: date | None = None,
        sources: tuple[str, ...] = (),
        case: bool = False,
        seed: int = 1,
        version: int | None = None,
    ) -> Concordance:
        """Find a word or phrase and return one page of its lines in context."""
        view = View(sort, seed, page, size, context)
        number, segments = self._snapshot(version)
        text = unicodedata.normalize("NFC", query)
        tokens = as_indexed(text, segments, is_exact_case=case)
        if not tokens:
            raise QueryError("The query is empty: type a word or a phrase.")
        if len(tokens) > LONGEST_QUERY:
            raise QueryError(
                f"The query has {len(tokens)} tokens; at most {LONGEST_QUERY} can be searched."
            )
        return concordance(
            segments,
            tokens,
            query=query,
            snapshot=number,
            chosen=Filter(since, until, sources),
            view=view,
            is_exact_case=case,
        )

    @use_case("info", "GET /c/{corpus}")
    def summary(self, *, version: int | None = None) -> CorpusSummary:
        """Say what the corpus holds: size, sources, years, and what was dropped on the way."""
        number, segments = self._snapshot(version)
        with Catalog.read(self._layout.catalog) as catalog:
            return summary.summarise(self._layout, self._config, catalog, number, segments)

    @use_case("sources list", "GET /api/v1/c/{corpus}/sources")
    def sources(self) -> tuple[SourceSummary, ...]:
        """List the sources with what has come of each."""
        return self.summary().sources

    @use_case("sources add", "POST /api/v1/c/{corpus}/sources")
    def add_source(
        self, url: str, *, type: str = "", name: str = "", depth: int = 0, every: str = ""
    ) -> str:
        """Add a feed or seed page to corpus.toml and return its name."""
        kind = type or ("feed" if _looks_like_feed(url) else "seeds")
        fields: dict[str, object] = {"name": name or setup.source_name(url), "type": kind}
        plugins.describe("izwi.sources", kind)
        if kind == "seeds":
            fields |= {"urls": [url], "depth": depth}
        else:
            fields |= {"url": url, "every": every}
        self._config = setup.add_source(self.path, fields)
        return str(fields["name"])

    @use_case("doctor", "GET /api/v1/c/{corpus}/doctor")
    def doctor(self) -> tuple[Finding, ...]:
        """Look at the machine and at this corpus, and say what would mend what is amiss."""
        return doctor.examine(self.path)

    @use_case("copies", "GET /api/v1/c/{corpus}/copies")
    def copies(self, document: str) -> CopyCluster:
        """List the copies of a document, given by id or URL, with the words that differ."""
        return copies.cluster(self._layout, self._config, document)

    @use_case("report duplicates", "GET /api/v1/c/{corpus}/duplicates")
    def duplicates(self) -> tuple[Copying, ...]:
        """Say which host copies which, month by month."""
        return copies.copying(self._layout, self._config)

    @use_case("export", "GET /api/v1/c/{corpus}/export")
    def export(
        self,
        format: str,
        target: str | Path,
        *,
        sources: tuple[str, ...] = (),
        languages: tuple[str, ...] = (),
        since: int | None = None,
        until: int | None = None,
        documents: Iterable[str] = (),
        mask: bool = False,
        tokens: bool = False,
        comments: bool = False,
        licence: str = "",
        seed: int = 1,
        listener: Listener = ignore,
    ) -> ExportReport:
        """Write the corpus, or some of its documents, into a folder for other programs."""
        choice = Choice(sources, languages, since, until, frozenset(documents))
        wishes = exporting.Wishes(choice, mask, tokens, comments, licence, seed)
        return exporting.export(
            self._layout, self._config, format, Path(target), wishes=wishes, listener=listener
        )

    @use_case("report card", "GET /api/v1/c/{corpus}/card")
    def card(self, *, version: int | None = None) -> CorpusCard:
        """Say what the corpus is made of: years, languages, sources, hosts, dates, losses."""
        summary = self.summary(version=version)
        _, segments = self._snapshot(version)
        return card.card(summary, segments, self._settings(summary.snapshot))

    def _snapshot(self, version: int | None) -> tuple[int, tuple[Segment, ...]]:
        number = snapshots.current_number(self._layout) if version is None else version
        if version is not None and version < 1:
            raise QueryError(f"Versions are counted from 1, so there is no version {version}.")
        return number, self._segments(number)

    def _open_segments(self, number: int) -> tuple[Segment, ...]:
        snapshot = snapshots.read(self._layout, number) if number else snapshots.EMPTY
        return tuple(Segment(self._layout.segments / entry.id) for entry in snapshot.segments)

    def _settings(self, number: int) -> str:
        return (
            snapshots.read(self._layout, number).versions.get("fingerprint", "") if number else ""
        )

    def _with_proxy(self, proxy: str) -> CorpusConfig:
        if not proxy:
            return self._config
        return replace(self._config, gather=replace(self._config.gather, proxy=proxy))

    def _close(self, run: "building.Run") -> None:
        """End a run's report with the funnel of what is in the corpus now."""
        lines = ledger.ledger_lines(self._layout, self._config, run.catalog)
        tokens = snapshots.current(self._layout).tokens
        run.report = replace(run.report, funnel=ledger.funnel(lines, tokens))


def open_corpus(path: str | Path) -> Corpus:
    """Return the corpus in a folder."""
    return Corpus(Path(path))


def create_corpus(
    path: str | Path,
    *,
    contact: str,
    name: str = "",
    title: str = "",
    languages: tuple[str, ...] = (),
    delay: float = 2.0,
) -> Corpus:
    """Make a corpus folder with a commented corpus.toml and return the corpus."""
    folder = Path(path)
    setup.create(folder, contact=contact, name=name, title=title, languages=languages, delay=delay)
    return Corpus(folder)


def _looks_like_feed(url: str) -> bool:
    return any(mark in url.lower() for mark in ("feed", "rss", "atom", ".xml"))
