"""What only a curator may decide, over HTTP; pages of the same are in web/admin."""

from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Body, Query
from pydantic import Field

from izwi.model.curation import Change, Decision
from izwi.model.labelled import LabelledPage
from izwi.service.auditing import Audit
from izwi.service.health import SourceHealth
from izwi.service.inspecting import Inspection
from izwi.service.models import TrainedModel
from izwi.service.playground import Comparison
from izwi.service.run_log import RunState
from izwi.store.takedowns import Takedown
from izwi.web.curator import curator_router
from izwi.web.rights import MOST_NUMBER, ThisVisitor
from izwi.web.site import ThisCorpus

router = curator_router()


@dataclass(frozen=True, slots=True)
class NewDecision:
    """A decision about one document."""

    document: Annotated[str, Field(description="Its id or URL.")]
    verdict: Annotated[str, Field(description="keep, drop, or nothing.")] = ""
    comment: Annotated[str, Field(description="Why.")] = ""


@dataclass(frozen=True, slots=True)
class NewSettings:
    """Keys of corpus.toml with their values."""

    changes: Annotated[dict[str, Any], Field(description='E.g. {"language.minimum": 0.4}.')]
    comment: Annotated[str, Field(description="Why.")] = ""
    sample: Annotated[int, Field(description="try: so many pages.", ge=1, le=2000)] = 100
    seed: Annotated[int, Field(description="try: which pages.", ge=0, le=MOST_NUMBER)] = 1


@dataclass(frozen=True, slots=True)
class NewModel:
    """A model to be trained."""

    name: Annotated[str, Field(description="What to call it.")]
    method: Annotated[str, Field(description="perceptron or izwi.")] = "perceptron"
    source: Annotated[str, Field(description="Only pages of this source.")] = ""


@dataclass(frozen=True, slots=True)
class NewAudit:
    """A sample to be drawn."""

    size: Annotated[int, Field(description="How many documents.", ge=1, le=5000)] = 100
    seed: Annotated[int, Field(description="Which documents.", ge=0, le=MOST_NUMBER)] = 1


@dataclass(frozen=True, slots=True)
class NewJudgement:
    """What is wrong with a document of an audit."""

    audit: Annotated[int, Field(description="The audit's number.", ge=0, le=MOST_NUMBER)]
    document: Annotated[str, Field(description="The document's id.")]
    faults: Annotated[
        list[str], Field(description="language, boilerplate, machine, date, offensive.")
    ] = field(default_factory=list)


@router.post("/documents/decisions", status_code=201, summary="Decide about a document")
def decide(
    corpus: ThisCorpus, visitor: ThisVisitor, given: Annotated[NewDecision, Body()]
) -> Decision:
    """Overrule the rules for one document; the next build obeys."""
    return corpus.decide_document(
        given.document, given.verdict, by=visitor.name, comment=given.comment
    )


@router.get("/documents/decisions", summary="Decisions about documents")
def decisions(corpus: ThisCorpus) -> tuple[Decision, ...]:
    """List the documents for which curators overrule the rules."""
    return corpus.document_decisions()


@router.get("/changes", summary="What curators changed")
def changes(
    corpus: ThisCorpus,
    first: Annotated[int, Query(description="Leave out so many.", ge=0, le=MOST_NUMBER)] = 0,
    most: Annotated[int, Query(description="At most so many.", ge=1, le=1000)] = 100,
) -> tuple[Change, ...]:
    """List what curators changed, with who and when, the newest first."""
    return corpus.changes(first=first, most=most)


@router.post("/undo", summary="Take a change back")
def undo(
    corpus: ThisCorpus,
    visitor: ThisVisitor,
    number: Annotated[
        int, Body(embed=True, description="The number of the change.", ge=0, le=MOST_NUMBER)
    ],
) -> Change:
    """Take a change back, unless the same thing was changed again since."""
    return corpus.undo(number, by=visitor.name)


@router.get("/inspect", summary="A document looked at closely")
def inspect(
    corpus: ThisCorpus, document: Annotated[str, Query(description="Its id or URL.")]
) -> Inspection:
    """Show a document: its capture, its paragraphs with their reasons, its dates."""
    return corpus.inspect(document)


@router.get("/runs", summary="Runs")
def runs(
    corpus: ThisCorpus,
    most: Annotated[int, Query(description="At most so many.", ge=1, le=MOST_NUMBER)] = 50,
) -> tuple[RunState, ...]:
    """List the runs and how each stands, the newest first."""
    return corpus.runs(most=most)


@router.get("/sources/health", summary="How each source does")
def source_health(corpus: ThisCorpus) -> tuple[SourceHealth, ...]:
    """Say how each source does: what it yields, what it usually yields, and why less."""
    return corpus.source_health()


@router.post("/settings", summary="Change settings")
def change_settings(
    corpus: ThisCorpus, visitor: ThisVisitor, given: Annotated[NewSettings, Body()]
) -> dict[str, Any]:
    """Write keys into corpus.toml with a comment; nothing but these keys changes."""
    return dict(corpus.change_settings(given.changes, by=visitor.name, comment=given.comment))


@router.post("/settings/try", summary="Try settings")
def try_settings(corpus: ThisCorpus, given: Annotated[NewSettings, Body()]) -> Comparison:
    """Compare settings with those in use on a sample of pages; nothing is changed."""
    return corpus.try_settings(given.changes, sample=given.sample, seed=given.seed)


@router.get("/labels/queue", summary="Pages to be labelled next")
def label_queue(
    corpus: ThisCorpus,
    source: Annotated[str, Query(description="Only pages of this source.")] = "",
    pages: Annotated[int, Query(description="At most so many.", ge=1, le=100)] = 10,
    order: Annotated[str, Query(description="disagreement, random or first.")] = "disagreement",
    seed: Annotated[int, Query(description="Which pages are looked at.", ge=0, le=MOST_NUMBER)] = 1,
) -> tuple[LabelledPage, ...]:
    """Give pages to be labelled: where methods disagree most, at random, or the first."""
    return corpus.label_queue(source=source, pages=pages, order=order, seed=seed)


@router.post("/labels/train", status_code=201, summary="Train from labels")
def train_from_labels(
    corpus: ThisCorpus, visitor: ThisVisitor, given: Annotated[NewModel, Body()]
) -> TrainedModel:
    """Train an extractor from the labels and save it under a name with its figures."""
    return corpus.train_from_labels(
        given.name, method=given.method, source=given.source, by=visitor.name
    )


@router.get("/labels/models", summary="Models trained from labels")
def models(corpus: ThisCorpus) -> tuple[TrainedModel, ...]:
    """List the models trained from this corpus's labels, with their figures."""
    return corpus.models()


@router.post("/audits", status_code=201, summary="Begin an audit")
def start_audit(
    corpus: ThisCorpus, visitor: ThisVisitor, given: Annotated[NewAudit, Body()]
) -> int:
    """Draw a random sample of documents to be judged and return the audit's number."""
    return corpus.start_audit(size=given.size, seed=given.seed, by=visitor.name)


@router.post("/audits/judge", summary="Judge a document")
def judge(
    corpus: ThisCorpus, visitor: ThisVisitor, given: Annotated[NewJudgement, Body()]
) -> tuple[str, ...]:
    """Write down what is wrong with a document of an audit; nothing, if it is well."""
    return corpus.judge(given.audit, given.document, given.faults, by=visitor.name)


@router.get("/audits", summary="Audits")
def audits(corpus: ThisCorpus) -> tuple[Audit, ...]:
    """List the audits with the share of each fault and its interval."""
    return corpus.audits()


@router.get("/takedowns", summary="What was taken down")
def takedowns(corpus: ThisCorpus) -> tuple[Takedown, ...]:
    """List what was taken down, when and why."""
    return corpus.takedowns()
