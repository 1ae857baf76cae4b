"""What curators do, as use cases of a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from izwi.service.folder import CorpusFolder
from izwi.service.use_cases import use_case

if TYPE_CHECKING:
    from izwi.model.curation import Change, Decision
    from izwi.model.labelled import LabelledPage
    from izwi.model.portal import Inventory, Suggestion
    from izwi.service import auditing, health, inspecting, models, playground, run_log
    from izwi.store.takedowns import Takedown


class CurationCases(CorpusFolder):
    """Decisions, settings, labels, audits and the record of them."""

    @use_case("curate decisions", "GET /api/v1/c/{corpus}/documents/decisions")
    def document_decisions(self) -> tuple[Decision, ...]:
        """List the documents for which curators overrule the rules."""
        from izwi.store.curation import read_decisions

        return tuple(each for each in read_decisions(self._layout) if each.verdict)

    @use_case("curate changes", "GET /api/v1/c/{corpus}/changes")
    def changes(self, *, first: int = 0, most: int = 100) -> tuple[Change, ...]:
        """List what curators changed, with who and when, the newest first."""
        from izwi.service import curating

        return curating.changes(self._layout, first=first, most=most)

    @use_case("inspect", "GET /api/v1/c/{corpus}/inspect")
    def inspect(self, document: str) -> inspecting.Inspection:
        """Show a document, given by id or URL: its capture, paragraphs with reasons, dates."""
        from izwi.service import inspecting

        return inspecting.inspect(self._layout, self._config, document)

    @use_case("runs", "GET /api/v1/c/{corpus}/runs")
    def runs(self, *, most: int = 50) -> tuple[run_log.RunState, ...]:
        """List the runs and how each stands, the newest first."""
        from izwi.service import run_log

        return run_log.runs(self._layout, most=most)

    @use_case("sources health", "GET /api/v1/c/{corpus}/sources/health")
    def source_health(self) -> tuple[health.SourceHealth, ...]:
        """Say how each source does: what it yields, what it usually yields, and why less."""
        from izwi.service import health, run_log

        runs = tuple(run_log.run_names(self._layout))
        # The whole ledger is read for it, and every page of the curators' desk wants to know.
        state = (health.ledger_state(self._layout, self._config), repr(self._config), runs)
        return self._answers.of(("health", *state), lambda: self._source_health(runs))

    def _source_health(self, runs: Sequence[str]) -> tuple[health.SourceHealth, ...]:
        from izwi.service import health, ledger
        from izwi.store.catalog import Catalog

        with Catalog.read(self._layout.catalog) as catalog:
            lines = ledger.ledger_lines(self._layout, self._config, catalog)
            return health.source_health(self._config, lines, runs)

    @use_case("settings try", "POST /api/v1/c/{corpus}/settings/try")
    def try_settings(
        self, changes: Mapping[str, Any], *, sample: int = 100, seed: int = 1
    ) -> playground.Comparison:
        """Compare settings with those in use on a sample of pages; nothing is changed."""
        from izwi.service import playground, settings

        other = settings.with_settings(self._layout, changes)
        return playground.compare(self._layout, self._config, other, sample=sample, seed=seed)

    @use_case("labels queue", "GET /api/v1/c/{corpus}/labels/queue")
    def label_queue(
        self,
        *,
        source: str = "",
        pages: int = 10,
        order: str = "disagreement",
        seed: int = 1,
    ) -> tuple[LabelledPage, ...]:
        """Give pages to be labelled: where methods disagree most, at random, or the first."""
        from izwi.service import queueing

        return queueing.queue(
            self._layout, self._config, source=source, pages=pages, order=order, seed=seed
        )

    @use_case("labels models", "GET /api/v1/c/{corpus}/labels/models")
    def models(self) -> tuple[models.TrainedModel, ...]:
        """List the models trained from this corpus's labels, with their figures."""
        from izwi.service import models

        return models.models(self._layout)

    @use_case("audit report", "GET /api/v1/c/{corpus}/audits")
    def audits(self) -> tuple[auditing.Audit, ...]:
        """List the audits with the share of each fault and its interval."""
        from izwi.service import auditing

        return auditing.audits(self._layout)

    @use_case("takedowns", "GET /api/v1/c/{corpus}/takedowns")
    def takedowns(self) -> tuple[Takedown, ...]:
        """List what was taken down, when and why."""
        from izwi.store.takedowns import read_takedowns

        return read_takedowns(self._layout).entries

    @use_case("portal tags", "GET /api/v1/c/{corpus}/portal/tags")
    def portal_tags(
        self, source: str, *, body: str = "", pages: int = 200, least: int = 2
    ) -> Inventory:
        """List the tags of a source's pages with what they hold, and the merged tree of pages."""
        from izwi.service import portals

        return portals.tags(self._layout, self._config, source, body=body, pages=pages, least=least)

    @use_case("portal suggest", "GET /api/v1/c/{corpus}/portal/suggest")
    def portal_suggestion(self, source: str, *, pages: int = 50) -> Suggestion:
        """Propose rules for the pages of a source: its body, its fields, what to drop."""
        from izwi.service import portals

        return portals.suggestion(self._layout, self._config, source, pages=pages)

    @use_case("labels draft", "GET /api/v1/c/{corpus}/labels/draft")
    def label_drafts(self, *, source: str = "", pages: int = 20) -> tuple[LabelledPage, ...]:
        """Give pages without labels, labelled by the default extractor, to be corrected."""
        from izwi.service import labelling

        return labelling.drafts(self._layout, self._config, source, pages)

    @use_case("labels export", "GET /api/v1/c/{corpus}/labels")
    def labels(self) -> tuple[LabelledPage, ...]:
        """Give the labels that people made of this corpus's pages."""
        from izwi.service import labelling

        return labelling.stored(self._layout)
