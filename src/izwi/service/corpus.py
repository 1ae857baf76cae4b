"""A corpus to work with: one short method per use case; the command line and the web call these."""

import threading
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Self

from izwi.config.load import load
from izwi.config.schema import CorpusConfig
from izwi.export.choice import Choice
from izwi.index.reader import Segment
from izwi.model.card import CorpusCard
from izwi.model.errors import QueryError
from izwi.model.exporting import ExportReport
from izwi.model.labelled import LabelledPage
from izwi.model.portal import Inventory, Suggestion
from izwi.model.results import (
    Concordance,
    CopyCluster,
    Copying,
    CorpusStatus,
    CorpusSummary,
    Finding,
    KwicLine,
    LanguageShare,
    Ledger,
    Listener,
    RunReport,
    SourceSummary,
    ignore,
)
from izwi.pipeline.build import statuses
from izwi.query.concordance import Filter, Narrowing, View
from izwi.query.deadline import Deadline
from izwi.query.lookup import find_hit
from izwi.service import (
    building,
    card,
    checking,
    compacting,
    copies,
    curating,
    doctor,
    exporting,
    gathering,
    importing,
    labelling,
    language_report,
    ledger,
    opml,
    portals,
    querying,
    run_log,
    setup,
    summary,
    takedown,
)
from izwi.service.analysing import AnalysisCases
from izwi.service.curation_cases import CurationCases
from izwi.service.exchange_cases import ExchangeCases
from izwi.service.lexicography import LexicographyCases
from izwi.service.reading_cases import ReadingCases
from izwi.service.runs import running
from izwi.service.source_cases import SourceCases
from izwi.service.subcorpora import (
    Subcorpus,
    condition_named,
    list_subcorpora,
    save_subcorpus,
)
from izwi.service.use_cases import use_case
from izwi.store import lock, snapshots
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout


class Corpus(
    AnalysisCases, CurationCases, ExchangeCases, LexicographyCases, ReadingCases, SourceCases
):
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
        size: int | None = None,
        proxy: str = "",
        listener: Listener = ignore,
    ) -> RunReport:
        """Fetch what the sources offer, until nothing is due or a bound is met."""
        with running(self._layout, "gather", listener) as run:
            gathering.gather(
                self._layout, self._with_proxy(proxy), run, seconds=seconds, pages=pages, size=size
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
        run: str = "",
        first: int = 0,
        most: int = 100,
    ) -> Ledger:
        """List and count what became of every URL: kept, waiting, dropped or failed, and why."""
        names = tuple(run_log.run_names(self._layout)) if run else ()
        wanted = ledger.Wanted(outcome, stage, reason, source, url, run, names)
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
        mode: str = "auto",
        unit: str = "tokens",
        where: str = "",
        subcorpus: str = "",
        near: str = "",
        window: int = 5,
        first: bool = False,
        sample: int = 0,
        copies: bool = False,
        translate: str | Path = "",
        timeout: float | None = 30.0,
        cancelled: threading.Event | None = None,
    ) -> Concordance:
        """Find a word, a phrase or a CQL query and return one page of its lines in context.

        It ends with QueryTimeout after so many seconds, or once `cancelled` is set elsewhere.
        """
        deadline = Deadline(timeout, cancelled)
        number, segments = self._snapshot(version)
        asked = (
            querying.translated(
                query,
                str(translate),
                segments,
                folder=self.path,
                config=self._config,
                is_exact_case=case,
                seconds=timeout,
            )
            if translate
            else querying.understood(query, mode, segments, is_exact_case=case)
        )
        where = self._where(where, subcorpus)
        return querying.concordance_of(
            asked,
            segments,
            snapshot=number,
            chosen=Filter(since, until, sources, where, copies),
            view=View(sort, seed, page, size, context, unit),
            narrowing=Narrowing(near, window, first, sample),
            deadline=deadline,
        )

    @use_case("hit", "GET /api/v1/c/{corpus}/hit")
    def hit(
        self, id: str, *, context: int = 12, unit: str = "tokens", version: int | None = None
    ) -> KwicLine:
        """Return the line of one hit by its permanent id."""
        _, segments = self._snapshot(version)
        return find_hit(segments, id, context=context, unit=unit)

    @use_case("subcorpora list", "GET /api/v1/c/{corpus}/subcorpora")
    def subcorpora(self) -> tuple[Subcorpus, ...]:
        """List the saved subcorpora: conditions on documents by name."""
        return list_subcorpora(self.name)

    @use_case("subcorpora save", "POST /api/v1/c/{corpus}/subcorpora")
    def save_subcorpus(self, name: str, where: str) -> Subcorpus:
        """Save a condition on documents under a name."""
        return save_subcorpus(self.name, name, where)

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
        self,
        url: str,
        *,
        type: str = "",
        name: str = "",
        depth: int = 0,
        every: str = "",
        since: str = "",
        by: str = "",
    ) -> str:
        """Add a feed, archive or seed page to corpus.toml and return its name."""
        languages = self._config.corpus.languages
        fields = setup.source_fields(
            url, type, name, depth=depth, every=every, since=since, languages=languages
        )
        self._config = setup.add_source(self.path, fields, who=by)
        return str(fields["name"])

    @use_case("sources check", "GET /api/v1/c/{corpus}/sources/check")
    def check_source(self, url: str, *, proxy: str = "") -> checking.SourceCheck:
        """Look at an address before it is added: robots, feeds, dates, pages a day."""
        return checking.check_source(self._with_proxy(proxy).gather, url, self._config.sources)

    @use_case("sources import", "POST /api/v1/c/{corpus}/sources/opml")
    def import_opml(self, text: str, *, by: str = "") -> tuple[str, ...]:
        """Add every feed of an OPML list that is not there yet; return the names."""
        added = tuple(opml.new_feeds(text, self._config))
        for fields in added:
            self._config = setup.add_source(self.path, fields, who=by)
        return tuple(str(fields["name"]) for fields in added)

    @use_case("sources export", "GET /api/v1/c/{corpus}/sources/opml")
    def export_opml(self) -> str:
        """Return the feeds as an OPML list that feed readers take."""
        return opml.as_opml(self._config)

    @use_case("import warc", "POST /api/v1/c/{corpus}/import/warc")
    def import_warc(
        self, path: str | Path, *, name: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in the pages of WARC, ARC or WACZ files, one file or a folder of them."""
        with running(self._layout, "import warc", listener) as run:
            importing.import_web_archive(self._layout, self._config, run, Path(path), name)
            self._close(run)
        return run.report

    @use_case("import files", "POST /api/v1/c/{corpus}/import/files")
    def import_files(
        self, path: str | Path, *, name: str = "", address: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in HTML, text and PDF files of a folder, a zip or a tar archive."""
        with running(self._layout, "import files", listener) as run:
            importing.import_files(self._layout, self._config, run, Path(path), name, address)
            self._close(run)
        return run.report

    @use_case("takedown", "POST /api/v1/c/{corpus}/takedown")
    def takedown(
        self, target: str, *, reason: str = "", listener: Listener = ignore
    ) -> takedown.TakedownReport:
        """Take a URL or a host out of serving at once; it is never fetched again."""
        with running(self._layout, "takedown", listener) as run:
            report = takedown.add(self._layout, run, target, reason)
            building.build(self._layout, self._config, run, workers=1)
            takedown.forget_older(self._layout)
            self._segments.cache_clear()
        return report

    @use_case("compact", "POST /api/v1/c/{corpus}/compact")
    def compact(self, *, workers: int = 0, listener: Listener = ignore) -> RunReport:
        """Take what was taken down out of the files, join small ones, and build what is new."""
        with running(self._layout, "compact", listener) as run:
            if compacting.remove_taken_down(self._layout, run):
                building.build(self._layout, self._config, run, workers=workers)
                takedown.forget_older(self._layout)
            if compacting.join_small(self._layout, self._config, run):
                building.build(self._layout, self._config, run, workers=workers)
            self._segments.cache_clear()
            self._close(run)
        return run.report

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

    @use_case("report languages", "GET /api/v1/c/{corpus}/languages")
    def languages(self) -> tuple[LanguageShare, ...]:
        """Say which languages the documents are in, how surely, and how many are kept."""
        return language_report.language_shares(self._layout, self._config)

    @use_case("portal tags", "GET /api/v1/c/{corpus}/portal/tags")
    def portal_tags(
        self, source: str, *, body: str = "", pages: int = 200, least: int = 2
    ) -> Inventory:
        """List the tags of a source's pages with what they hold, and the merged tree of pages."""
        return portals.tags(self._layout, self._config, source, body=body, pages=pages, least=least)

    @use_case("portal suggest", "GET /api/v1/c/{corpus}/portal/suggest")
    def portal_suggestion(self, source: str, *, pages: int = 50) -> Suggestion:
        """Propose rules for the pages of a source: its body, its fields, what to drop."""
        return portals.suggestion(self._layout, self._config, source, pages=pages)

    @use_case("labels draft", "GET /api/v1/c/{corpus}/labels/draft")
    def label_drafts(self, *, source: str = "", pages: int = 20) -> tuple[LabelledPage, ...]:
        """Give pages without labels, labelled by the default extractor, to be corrected."""
        return labelling.drafts(self._layout, self._config, source, pages)

    @use_case("labels export", "GET /api/v1/c/{corpus}/labels")
    def labels(self) -> tuple[LabelledPage, ...]:
        """Give the labels that people made of this corpus's pages."""
        return labelling.stored(self._layout)

    @use_case("labels import", "POST /api/v1/c/{corpus}/labels")
    def import_labels(self, pages: Iterable[LabelledPage], *, by: str = "") -> int:
        """Take in labels and say how many; a page labelled again replaces its labels."""
        return curating.record_labels(self._layout, tuple(pages), who=by)

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
        query: str = "",
        where: str = "",
        subcorpus: str = "",
        version: int | None = None,
        restart: bool = False,
        listener: Listener = ignore,
    ) -> ExportReport:
        """Write the corpus, or some of its documents, into a folder for other programs.

        `documents` names them by id, `query` by what they hold, `where` and `subcorpus` by what is
        said of them. The same call goes on after a kill unless it is to `restart`.
        """
        ids = frozenset(documents)
        if query or where or subcorpus:
            asked = self._where(where, subcorpus)
            found = querying.documents_asked(self._snapshot(version)[1], query, asked)
            ids = (ids & found or frozenset({""})) if ids else found
        choice = Choice(sources, languages, since, until, ids)
        wishes = exporting.Wishes(choice, mask, tokens, comments, licence, seed)
        return exporting.export(
            self._layout,
            self._config,
            format,
            Path(target),
            wishes=wishes,
            listener=listener,
            version=version,
            is_new=restart,
        )

    @use_case("report card", "GET /api/v1/c/{corpus}/card")
    def card(self, *, version: int | None = None) -> CorpusCard:
        """Say what the corpus is made of, what was lost, who owns it, and how good it is."""
        summary = self.summary(version=version)
        _, segments = self._snapshot(version)
        made = card.card(summary, segments, self._settings(summary.snapshot))
        with Catalog.read(self._layout.catalog) as catalog:
            return card.completed(made, self._layout, self._config, catalog, segments)

    def _reload(self) -> None:
        self._config = load(self._layout.config)

    def _where(self, where: str, subcorpus: str) -> str:
        """Return the condition that both make together."""
        saved = condition_named(self.name, subcorpus) if subcorpus else ""
        return f"({saved}) & ({where})" if saved and where else saved or where

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
