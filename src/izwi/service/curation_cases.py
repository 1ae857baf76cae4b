"""What curators do, as use cases of a corpus."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from izwi.config.schema import CorpusConfig
from izwi.index.reader import Segment
from izwi.model.curation import Change, Decision
from izwi.model.labelled import LabelledPage
from izwi.service import (
    auditing,
    curating,
    health,
    inspecting,
    ledger,
    models,
    playground,
    queueing,
    run_log,
    settings,
)
from izwi.service.use_cases import use_case
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout
from izwi.store.takedowns import Takedown, read_takedowns


class _Folder(Protocol):
    """What these methods need of a corpus."""

    _layout: Layout
    _config: CorpusConfig

    def _snapshot(self, version: int | None) -> tuple[int, tuple[Segment, ...]]: ...


class CurationCases:
    """Decisions, settings, labels, audits and the record of them."""

    @use_case("curate decide", "POST /api/v1/c/{corpus}/documents/decisions")
    def decide_document(
        self: _Folder, document: str, verdict: str, *, by: str = "", comment: str = ""
    ) -> Decision:
        """Overrule the rules for one document (keep, drop, or nothing); the next build obeys."""
        return curating.decide(
            self._layout, self._config, document, verdict, who=by, comment=comment
        )

    @use_case("curate decisions", "GET /api/v1/c/{corpus}/documents/decisions")
    def document_decisions(self: _Folder) -> tuple[Decision, ...]:
        """List the documents for which curators overrule the rules."""
        from izwi.store.curation import read_decisions

        return tuple(each for each in read_decisions(self._layout) if each.verdict)

    @use_case("curate changes", "GET /api/v1/c/{corpus}/changes")
    def changes(self: _Folder, *, first: int = 0, most: int = 100) -> tuple[Change, ...]:
        """List what curators changed, with who and when, the newest first."""
        return curating.changes(self._layout, first=first, most=most)

    @use_case("curate undo", "POST /api/v1/c/{corpus}/undo")
    def undo(self, number: int, *, by: str = "") -> Change:
        """Take a change back, unless the same thing was changed again since."""
        made = curating.undo(self._layout, number, who=by)  # type: ignore[attr-defined]
        self._reload()
        return made

    @use_case("inspect", "GET /api/v1/c/{corpus}/inspect")
    def inspect(self: _Folder, document: str) -> inspecting.Inspection:
        """Show a document, given by id or URL: its capture, paragraphs with reasons, dates."""
        return inspecting.inspect(self._layout, self._config, document)

    @use_case("runs", "GET /api/v1/c/{corpus}/runs")
    def runs(self: _Folder, *, most: int = 50) -> tuple[run_log.RunState, ...]:
        """List the runs and how each stands, the newest first."""
        return run_log.runs(self._layout, most=most)

    @use_case("sources health", "GET /api/v1/c/{corpus}/sources/health")
    def source_health(self: _Folder) -> tuple[health.SourceHealth, ...]:
        """Say how each source does: what it yields, what it usually yields, and why less."""
        with Catalog.read(self._layout.catalog) as catalog:
            lines = ledger.ledger_lines(self._layout, self._config, catalog)
            return health.source_health(self._config, lines, run_log.run_names(self._layout))

    @use_case("settings change", "POST /api/v1/c/{corpus}/settings")
    def change_settings(
        self, changes: Mapping[str, Any], *, by: str = "", comment: str = ""
    ) -> Mapping[str, Any]:
        """Write keys into corpus.toml with a comment; nothing but these keys changes."""
        layout: Layout = self._layout  # type: ignore[attr-defined]
        settings.change_settings(layout, changes, who=by, comment=comment)
        self._reload()
        return dict(changes)

    @use_case("settings try", "POST /api/v1/c/{corpus}/settings/try")
    def try_settings(
        self: _Folder, changes: Mapping[str, Any], *, sample: int = 100, seed: int = 1
    ) -> playground.Comparison:
        """Compare settings with those in use on a sample of pages; nothing is changed."""
        other = settings.with_settings(self._layout, changes)
        return playground.compare(self._layout, self._config, other, sample=sample, seed=seed)

    @use_case("labels queue", "GET /api/v1/c/{corpus}/labels/queue")
    def label_queue(
        self: _Folder,
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
        self: _Folder, name: str, *, method: str = "perceptron", source: str = "", by: str = ""
    ) -> models.TrainedModel:
        """Train an extractor from the labels and save it under a name with its figures."""
        return models.train_named(
            self._layout, self._config, name, method=method, source=source, who=by
        )

    @use_case("labels models", "GET /api/v1/c/{corpus}/labels/models")
    def models(self: _Folder) -> tuple[models.TrainedModel, ...]:
        """List the models trained from this corpus's labels, with their figures."""
        return models.models(self._layout)

    @use_case("audit start", "POST /api/v1/c/{corpus}/audits")
    def start_audit(self: _Folder, *, size: int = 100, seed: int = 1, by: str = "") -> int:
        """Draw a random sample of documents to be judged and return the audit's number."""
        number, segments = self._snapshot(None)
        return auditing.start(self._layout, segments, number, size=size, seed=seed, who=by)

    @use_case("audit judge", "POST /api/v1/c/{corpus}/audits/judge")
    def judge(
        self: _Folder, audit: int, document: str, faults: Sequence[str] = (), *, by: str = ""
    ) -> tuple[str, ...]:
        """Write down what is wrong with a document of an audit; nothing, if it is well."""
        auditing.judge(self._layout, audit, document, faults, who=by)
        return tuple(faults)

    @use_case("audit report", "GET /api/v1/c/{corpus}/audits")
    def audits(self: _Folder) -> tuple[auditing.Audit, ...]:
        """List the audits with the share of each fault and its interval."""
        return auditing.audits(self._layout)

    @use_case("takedowns", "GET /api/v1/c/{corpus}/takedowns")
    def takedowns(self: _Folder) -> tuple[Takedown, ...]:
        """List what was taken down, when and why."""
        return read_takedowns(self._layout).entries

    def _reload(self) -> None:
        """Read corpus.toml again after it was changed."""
        raise NotImplementedError
