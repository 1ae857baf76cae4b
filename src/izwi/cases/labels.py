"""Labels of pages: which to label next, labels taken in and given out, models made of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from izwi.cases.case import Doing, Nothing, Policy, Says, Written, case_of, each_as, place
from izwi.model.accounts import actor
from izwi.model.curation import LabelledPage

if TYPE_CHECKING:
    from izwi.curation.labelling import TrainedModel
    from izwi.service.folder import CorpusFolder


def _pages_in(path: Path) -> tuple[LabelledPage, ...]:
    from izwi.curation.labelling import read_file

    return read_file(path)


@dataclass(frozen=True, kw_only=True)
class LabelledPages:
    """Pages with labels."""

    pages: Annotated[
        Iterable[LabelledPage],
        place("Labelled pages; on the command line a file (JSON Lines).",
             is_body=True, metavar="FILE", file=_pages_in),
    ]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Drafts:
    """Which pages are drafted."""

    source: Annotated[str, Says("Only pages of this source.")] = ""
    pages: Annotated[int, Says("At most so many pages.", least=1, web_most=200)] = 20


@dataclass(frozen=True, kw_only=True)
class Queue:
    """Which pages come next."""

    source: Annotated[str, Says("Only pages of this source.")] = ""
    pages: Annotated[int, Says("At most so many.", least=1, web_most=100)] = 10
    order: Annotated[str, Says("disagreement, random or first.")] = "disagreement"
    seed: Annotated[int, Says("Which pages are looked at.", least=0, most=2**31)] = 1


@dataclass(frozen=True, kw_only=True)
class PageAddress:
    """One page."""

    url: Annotated[str, place("The page's address.")]


@dataclass(frozen=True, kw_only=True)
class NewModel:
    """A model to be trained."""

    name: Annotated[str, place("What to call the model.")]
    method: Annotated[str, Says("perceptron or izwi.")] = "perceptron"
    source: Annotated[str, Says("Only pages of this source.")] = ""


def import_labels(folder: "CorpusFolder", asked: LabelledPages, doing: Doing) -> int:
    """Take in labels and say how many; a page labelled again replaces its labels."""
    from izwi.curation import decisions

    return decisions.record_labels(folder._layout, tuple(asked.pages), who=doing.who)


def labels(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> tuple[LabelledPage, ...]:
    """Give the labels that people made of this corpus's pages."""
    from izwi.curation import labelling

    return labelling.stored(folder._layout)


def label_drafts(folder: "CorpusFolder", asked: Drafts, doing: Doing) -> tuple[LabelledPage, ...]:
    """Give pages without labels, labelled by the default extractor, to be corrected."""
    from izwi.curation import labelling

    return labelling.drafts(folder._layout, folder.config, asked.source, asked.pages)


def label_page(folder: "CorpusFolder", asked: PageAddress, doing: Doing) -> LabelledPage:
    """Give one page with the labels this person gave it, or labelled by the default extractor."""
    from izwi.curation import labelling

    return labelling.page_of(folder._layout, folder.config, asked.url, doing.who or actor().who)


def label_queue(folder: "CorpusFolder", asked: Queue, doing: Doing) -> tuple[LabelledPage, ...]:
    """Give pages to be labelled next: where methods disagree most, at random, or the first."""
    from izwi.curation import labelling

    return labelling.queue(
        folder._layout, folder.config, source=asked.source, pages=asked.pages, order=asked.order,
        seed=asked.seed,
    )  # fmt: skip


def train(folder: "CorpusFolder", asked: NewModel, doing: Doing) -> "TrainedModel":
    """Train an extractor from the labels and save it under a name with its figures."""
    from izwi.curation import labelling

    return labelling.train_named(
        folder._layout, folder.config, asked.name, method=asked.method, source=asked.source,
        who=doing.who,
    )  # fmt: skip


def trained(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> "tuple[TrainedModel, ...]":
    """List the models trained from this corpus's labels, with their figures."""
    from izwi.curation import labelling

    return labelling.models(folder._layout)


def _taken_in(asked: LabelledPages, number: int, folder: Path) -> Iterator[str]:
    drafts = sum(not page.time for page in asked.pages)
    looked = f" {drafts} of them are drafts: nobody has looked at them." if drafts else ""
    yield f"Took in {number} pages.{looked}"


def _models_told(asked: object, found: "Iterable[TrainedModel]", folder: Path) -> Iterator[str]:
    for model in found:
        yield from _model_told(asked, model, folder)


def _model_told(asked: object, model: "TrainedModel", folder: Path) -> Iterator[str]:
    best = model.best
    yield (
        f"{model.name}: {model.pages} pages, {model.paragraphs} paragraphs, {model.method}; "
        f"best cut-off {best.cutoff:.2f} (F1 {best.f1:.3f})"
    )
    for each in model.cutoffs:
        yield (
            f"  {each.cutoff:.2f}  accuracy {each.accuracy:.3f}  precision {each.precision:.3f}  "
            f"recall {each.recall:.3f}  F1 {each.f1:.3f}"
        )


_CHANGES = Policy("curator", record="itself")
_FILE = Written(
    "izwi.model.curation:labels_file", "Wrote {number} pages to {file}.",
    place="A label file (JSON Lines).",
)  # fmt: skip
_case = partial(case_of, "Labels")

CASES = (
    _case("label_drafts", "labels draft", "labels/draft", Drafts, label_drafts, "drafts.jsonl",
          written=_FILE),
    _case("import_labels", "labels import", "labels", LabelledPages, import_labels, "done.jsonl",
          _CHANGES, key="pages", status=201, tells=_taken_in),
    _case("labels", "labels export", "labels", Nothing, labels, "labels.jsonl",
          written=_FILE),
    _case("label_page", "labels page", "labels/page", PageAddress, label_page,
          "https://example.org/page", context=("by",),
          tells=lambda asked, page, folder: (f"{b.label}  {b.text}" for b in page.blocks)),
    _case("label_queue", "labels queue", "labels/queue", Queue, label_queue, "--order random",
          tells=each_as("{0.url}")),
    _case("train_from_labels", "labels train", "labels/train", NewModel, train, "my-model",
          _CHANGES, status=201, tells=_model_told),
    _case("models", "labels models", "labels/models", Nothing, trained, tells=_models_told),
)  # fmt: skip
