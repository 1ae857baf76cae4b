"""Extractors trained from a corpus's own labels, each saved under a name with its figures."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from izwi.config.schema import CorpusConfig, check_name
from izwi.curation import labelling
from izwi.curation.labelling import page_places
from izwi.evaluate.cutoffs import Cutoff, best_cutoff, held_out_cutoffs
from izwi.evaluate.examples import Example, example
from izwi.evaluate.labels import from_labels
from izwi.model.errors import QueryError
from izwi.model.labelled import LabelledPage
from izwi.service.extractors import trained
from izwi.store.curation import changing, moment
from izwi.store.files import disk_errors, replacing, write_text
from izwi.store.layout import Layout

LEAST_PAGES = 2


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A model of a corpus: of how many pages, by whom, and how good at each cut-off."""

    name: str
    method: str
    # The source whose pages it was trained on; empty for all.
    source: str
    pages: int
    paragraphs: int
    who: str
    time: str
    cutoffs: tuple[Cutoff, ...]

    @property
    def best(self) -> Cutoff:
        """The cut-off with the highest F1."""
        return best_cutoff(self.cutoffs)

    @property
    def file(self) -> str:
        """The model's file as corpus.toml names it."""
        return f"models/{self.name}.npz"


def train_named(
    layout: Layout, config: CorpusConfig, name: str, *, method: str, source: str, who: str
) -> TrainedModel:
    """Train an extractor from the labels of a corpus, or of one source, and save it."""
    try:
        check_name(name)
    except ValueError as error:
        raise QueryError(f"{error}.") from None
    pages = _labelled(layout, config, source)
    examples = _examples(pages)
    cutoffs = held_out_cutoffs(examples, lambda given: trained(given, method)[0])
    _, file = trained(examples, method)
    model = TrainedModel(
        name, method, source, len(examples), sum(len(page.blocks) for page in pages),
        who, moment(), tuple(cutoffs),
    )  # fmt: skip
    with changing(layout, who) as desk, disk_errors():
        desk.record("model", name, None, {"method": method, "pages": len(pages)})
        with replacing(layout.root / model.file) as temporary:
            temporary.write_bytes(file)
        write_text(layout.models / f"{name}.json", json.dumps(asdict(model), indent=1))
    return model


def models(layout: Layout) -> tuple[TrainedModel, ...]:
    """Return the models of a corpus, the newest first."""
    found = (_read(path.read_text(encoding="utf-8")) for path in layout.models.glob("*.json"))
    return tuple(sorted(found, key=lambda model: model.time, reverse=True))


def _labelled(layout: Layout, config: CorpusConfig, source: str) -> list[LabelledPage]:
    pages = [page for page in labelling.stored(layout) if page.time]
    if source:
        wanted = {entry.url for _, entry in page_places(layout, source)}
        pages = [page for page in pages if page.url in wanted]
    return pages


def _examples(pages: Sequence[LabelledPage]) -> list[Example]:
    """Return the pages ready for training; pages of one host are tested page against page."""
    found = [(page.url, made) for page in pages if (made := example(from_labels(page)))]
    if len(found) < LEAST_PAGES:
        raise QueryError(
            f"{len(found)} pages are labelled; training needs at least {LEAST_PAGES}, so that "
            "some are left to test on."
        )
    hosts = {made.host for _, made in found}
    if len(hosts) > 1:
        return [made for _, made in found]
    return [replace(made, host=url) for url, made in found]


def _read(text: str) -> TrainedModel:
    row = json.loads(text)
    return TrainedModel(**{**row, "cutoffs": tuple(Cutoff(**each) for each in row["cutoffs"])})
