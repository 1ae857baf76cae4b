"""Use cases of reports: what a corpus holds, what it left out and why, and how it fares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from izwi.service.folder import CorpusFolder
from izwi.service.use_cases import use_case

if TYPE_CHECKING:
    from izwi.model.card import CorpusCard
    from izwi.model.results import (
        CopyCluster,
        Copying,
        CorpusStatus,
        CorpusSummary,
        Finding,
        LanguageShare,
        Ledger,
        PublishedVersion,
        SourceSummary,
    )


class ReportCases(CorpusFolder):
    """Reports: status, losses, sizes, copies, languages, the card."""

    @use_case("status", "GET /api/v1/c/{corpus}/status")
    def status(self) -> CorpusStatus:
        """Say per stage what is current, stale (and which key changed), missing or failed."""
        from izwi.model.results import CorpusStatus
        from izwi.pipeline.build import statuses
        from izwi.store import lock, snapshots
        from izwi.store.catalog import Catalog

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
        from izwi.service import ledger, run_log
        from izwi.store.catalog import Catalog

        names = tuple(run_log.run_names(self._layout)) if run else ()
        wanted = ledger.Wanted(outcome, stage, reason, source, url, run, names)
        with Catalog.read(self._layout.catalog) as catalog:
            lines = ledger.ledger_lines(self._layout, self._config, catalog)
            return ledger.ledger(lines, wanted, first=first, most=most)

    @use_case("info", "GET /c/{corpus}")
    def summary(self, *, version: int | None = None) -> CorpusSummary:
        """Say what the corpus holds: size, sources, years, and what was dropped on the way."""
        from izwi.service import summary
        from izwi.store.catalog import Catalog

        number, segments = self._snapshot(version)
        with Catalog.read(self._layout.catalog) as catalog:
            return summary.summarise(self._layout, self._config, catalog, number, segments)

    @use_case("versions", "GET /api/v1/c/{corpus}/versions")
    def versions(self) -> tuple[PublishedVersion, ...]:
        """List the published versions that can be asked and cited, the newest first."""
        from izwi.model.results import PublishedVersion
        from izwi.store import snapshots

        now = snapshots.current_number(self._layout)
        found = (snapshots.read(self._layout, each) for each in snapshots.numbers(self._layout))
        made = [
            PublishedVersion(
                each.number, each.published, each.documents, each.tokens, each.number == now
            )
            for each in found
        ]
        return tuple(reversed(made))

    @use_case("sources list", "GET /api/v1/c/{corpus}/sources")
    def sources(self) -> tuple[SourceSummary, ...]:
        """List the sources with what has come of each."""
        return self.summary().sources

    @use_case("report card", "GET /api/v1/c/{corpus}/card")
    def card(self, *, version: int | None = None) -> CorpusCard:
        """Say what the corpus is made of, what was lost, who owns it, and how good it is."""
        from izwi.service import card
        from izwi.store.catalog import Catalog

        summary = self.summary(version=version)
        _, segments = self._snapshot(version)
        made = card.card(summary, segments, self._settings(summary.snapshot))
        with Catalog.read(self._layout.catalog) as catalog:
            return card.completed(made, self._layout, self._config, catalog, segments)

    @use_case("copies", "GET /api/v1/c/{corpus}/copies")
    def copies(self, document: str) -> CopyCluster:
        """List the copies of a document, given by id or URL, with the words that differ."""
        from izwi.service import copies

        return copies.cluster(self._layout, self._config, document)

    @use_case("report duplicates", "GET /api/v1/c/{corpus}/duplicates")
    def duplicates(self) -> tuple[Copying, ...]:
        """Say which host copies which, month by month."""
        from izwi.service import copies

        return copies.copying(self._layout, self._config)

    @use_case("report languages", "GET /api/v1/c/{corpus}/languages")
    def languages(self) -> tuple[LanguageShare, ...]:
        """Say which languages the documents are in, how surely, and how many are kept."""
        from izwi.service import language_report

        return language_report.language_shares(self._layout, self._config)

    @use_case("doctor", "GET /api/v1/c/{corpus}/doctor")
    def doctor(self) -> tuple[Finding, ...]:
        """Look at the machine and at this corpus, and say what would mend what is amiss."""
        from izwi.service import doctor

        return doctor.examine(self.path)
