"""What curators do, as use cases of a corpus."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from izwi.model.curation import Change, Decision
from izwi.model.labelled import LabelledPage
from izwi.model.portal import Inventory, Suggestion
from izwi.service import (
    auditing,
    curating,
    health,
    inspecting,
    labelling,
    ledger,
    models,
    playground,
    portals,
    queueing,
    run_log,
    settings,
)
from izwi.service.folder import CorpusFolder
from izwi.service.use_cases import use_case
from izwi.store.catalog import Catalog
from izwi.store.curation import read_decisions
from izwi.store.takedowns import Takedown, read_takedowns


class CurationCases(CorpusFolder):
    """Decisions, settings, labels, audits and the record of them."""

    @use_case("curate decide", "POST /api/v1/c/{corpus}/documents/decisions")
    def decide_document(
        self, document: str, verdict: str, *, by: str = "", comment: str = ""
    ) -> Decision:
        """Overrule the rules for one document (keep, drop, or nothing); the next build obeys."""
        return curating.decide(
            self._layout, self._config, document, verdict, who=by, comment=comment
        )

    @use_case("curate decisions", "GET /api/v1/c/{corpus}/documents/decisions")
    def document_decisions(self) -> tuple[Decision, ...]:
        """List the documents for which curators overrule the rules."""
        return tuple(each for each in read_decisions(self._layout) if each.verdict)

    @use_case("curate changes", "GET /api/v1/c/{corpus}/changes")
    def changes(self, *, first: int = 0, most: int = 100) -> tuple[Change, ...]:
        """List what curators changed, with who and when, the newest first."""
        return curating.changes(self._layout, first=first, most=most)

    @use_case("curate undo", "POST /api/v1/c/{corpus}/undo")
    def undo(self, number: int, *, by: str = "") -> Change:
        """Take a change back, unless the same thing was changed again since."""
        made = curating.undo(self._layout, number, who=by)
        self._reload()
        return made

    @use_case("inspect", "GET /api/v1/c/{corpus}/inspect")
    def inspect(self, document: str) -> inspecting.Inspection:
        """Show a document, given by id or URL: its capture, paragraphs with reasons, dates."""
        return inspecting.inspect(self._layout, self._config, document)

    @use_case("runs", "GET /api/v1/c/{corpus}/runs")
    def runs(self, *, most: int = 50) -> tuple[run_log.RunState, ...]:
        """List the runs and how each stands, the newest first."""
        return run_log.runs(self._layout, most=most)

    @use_case("sources health", "GET /api/v1/c/{corpus}/sources/health")
    def source_health(self) -> tuple[health.SourceHealth, ...]:
        """Say how each source does: what it yields, what it usually yields, and why less."""
        runs = tuple(run_log.run_names(self._layout))
        # The whole ledger is read for it, and every page of the curators' desk wants to know.
        state = (health.ledger_state(self._layout, self._config), repr(self._config), runs)
        return self._answers.of(("health", *state), lambda: self._source_health(runs))

    def _source_health(self, runs: Sequence[str]) -> tuple[health.SourceHealth, ...]:
        with Catalog.read(self._layout.catalog) as catalog:
            lines = ledger.ledger_lines(self._layout, self._config, catalog)
            return health.source_health(self._config, lines, runs)

    @use_case("settings change", "POST /api/v1/c/{corpus}/settings")
    def change_settings(
        self, changes: Mapping[str, Any], *, by: str = "", comment: str = ""
    ) -> Mapping[str, Any]:
        """Write keys into corpus.toml with a comment; nothing but these keys changes."""
        settings.change_settings(self._layout, changes, who=by, comment=comment)
        self._reload()
        return dict(changes)

    @use_case("settings try", "POST /api/v1/c/{corpus}/settings/try")
    def try_settings(
        self, changes: Mapping[str, Any], *, sample: int = 100, seed: int = 1
    ) -> playground.Comparison:
        """Compare settings with those in use on a sample of pages; nothing is changed."""
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
        return queueing.queue(
            self._layout, self._config, source=source, pages=pages, order=order, seed=seed
        )

    @use_case("labels train", "POST /api/v1/c/{corpus}/labels/train")
    def train_from_labels(
        self, name: str, *, method: str = "perceptron", source: str = "", by: str = ""
    ) -> models.TrainedModel:
        """Train an extractor from the labels and save it under a name with its figures."""
        return models.train_named(
            self._layout, self._config, name, method=method, source=source, who=by
        )

    @use_case("labels models", "GET /api/v1/c/{corpus}/labels/models")
    def models(self) -> tuple[models.TrainedModel, ...]:
        """List the models trained from this corpus's labels, with their figures."""
        return models.models(self._layout)

    @use_case("audit start", "POST /api/v1/c/{corpus}/audits")
    def start_audit(self, *, size: int = 100, seed: int = 1, by: str = "") -> int:
        """Draw a random sample of documents to be judged and return the audit's number."""
        number, segments = self._snapshot(None)
        return auditing.start(self._layout, segments, number, size=size, seed=seed, who=by)

    @use_case("audit judge", "POST /api/v1/c/{corpus}/audits/judge")
    def judge(
        self, audit: int, document: str, faults: Sequence[str] = (), *, by: str = ""
    ) -> tuple[str, ...]:
        """Write down what is wrong with a document of an audit; nothing, if it is well."""
        auditing.judge(self._layout, audit, document, faults, who=by)
        return tuple(faults)

    @use_case("audit report", "GET /api/v1/c/{corpus}/audits")
    def audits(self) -> tuple[auditing.Audit, ...]:
        """List the audits with the share of each fault and its interval."""
        return auditing.audits(self._layout)

    @use_case("takedowns", "GET /api/v1/c/{corpus}/takedowns")
    def takedowns(self) -> tuple[Takedown, ...]:
        """List what was taken down, when and why."""
        return read_takedowns(self._layout).entries

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
