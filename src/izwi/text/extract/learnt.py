"""The default extractor: decision trees over a block, its place and what is round it.

They give each block a chance to be main text; of several cuts through the chances (cuts.py) the
most promising is taken.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import B_END, B_KIND, B_START
from izwi.kernels.records import made
from izwi.model.document import PAGE_TYPES, Mark, Paragraph
from izwi.model.errors import ConfigError, of_damaged_arrays
from izwi.model.records import dataclass
from izwi.text.blocks import MOST_BLOCKS, Segmented, segment_lean
from izwi.text.elements import KINDS, hash_of
from izwi.text.extract.corrections import corrected
from izwi.text.extract.cuts import CUT_NAMES, best_cut, cuts, split_of
from izwi.text.features import (
    NAMES,
    PageTypes,
    Rows,
    Vocabulary,
    Weights,
    features,
    named,
    page_row,
)
from izwi.text.page_types import Leanings, TypeTeller
from izwi.text.trees import NO_TREES, Forest, chances_of, read_forest

COMMENT = "comment"
_SHIPPED = Path(__file__).parents[2] / "models" / "extractor.npz"
_FIELDS = ("text", "kind", "is_main", "reason", "marks")
# So much of a block's odds are those of its place; with half of them sets of articles lose.
_BY_PLACE = 0.3


@dataclass(frozen=True, slots=True)
class IzwiOptions:
    """Settings of the default extractor."""

    # How sure one must be of a block (0 to 1), beside how sure one can be on its page. 0.5 gives
    # the best F1 where the chances are right; a little more gives a better F0.5.
    cutoff: float = 0.65
    # A model of your own (see izwi train extractor); empty for the one that comes along.
    model: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.cutoff < 1:
            raise ValueError(f"cutoff = {self.cutoff} is not between 0 and 1")


@dataclass(frozen=True)
class Judged:
    """A page in blocks with the class of each; shown one by one when asked for."""

    page: Segmented
    chances: NDArray[np.float32]
    marks: NDArray[np.bool_]
    comments: NDArray[np.bool_]
    # Asked for when somebody wants to know: most callers want the text alone.
    told: Callable[[], Rows]

    @cached_property
    def types(self) -> Rows:
        """How likely the page is of each type, in the order of PAGE_TYPES."""
        return self.told()

    @property
    def page_type(self) -> str:
        """The likeliest type, or nothing if none is likely."""
        return named(self.types) if len(self.types) else ""

    @property
    def type_chances(self) -> dict[str, float]:
        """How likely the page is of each of PAGE_TYPES."""
        return dict(zip(PAGE_TYPES, self.types.tolist(), strict=False))

    @property
    def notes(self) -> tuple[str, ...]:
        """Where text was read beside plain markup, and whether the page was too long."""
        cut = f"cut: only the first {MOST_BLOCKS:,} blocks were read" if self.page.is_cut else ""
        origin = f"from {self.page.origin}" if self.page.origin else ""
        return tuple(note for note in (origin, cut) if note)

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """All blocks, each with how likely it is main text as the reason."""
        marks: list[tuple[Mark, ...]] = [()] * len(self.page)
        for place, found in self.page.marks(self.marks).items():
            marks[place] = found
        return self._shown(slice(None), marks)

    @cached_property
    def main(self) -> tuple[Paragraph, ...]:
        """The blocks of the main text alone, for their words: without what is set apart in them."""
        return self._shown(np.flatnonzero(self.marks), ())

    def _shown(
        self, places: NDArray[np.int64] | slice, marks: list[tuple[Mark, ...]] | tuple[()]
    ) -> tuple[Paragraph, ...]:
        text, table = self.page.text, self.page.table[places]
        classes = np.where(self.marks[places], 0, np.where(self.comments[places], 1, 2))
        percents = np.rint(self.chances[places] * 100).astype(np.int64)
        bounds = zip(table[:, B_START].tolist(), table[:, B_END].tolist(), strict=True)
        columns = (
            [text[start:end] for start, end in bounds],
            [KINDS[kind] for kind in table[:, B_KIND].tolist()],
            (classes == 0).tolist(),
            [_REASONS[reason] for reason in (classes * 101 + percents).tolist()],
            marks,
        )
        return tuple(made(Paragraph, _FIELDS, columns))


class Izwi:
    """Finds main text, and readers' comments apart from it, in pages of any kind and language."""

    Options: ClassVar[type] = IzwiOptions
    depends_on: ClassVar[tuple[str, ...]] = ("selectolax",)

    def __init__(self, options: IzwiOptions) -> None:
        self._options = options

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return the blocks with how likely each is main text as the reason."""
        return self.judge(html).paragraphs

    def judge(self, html: str, lean: bytes = b"") -> Judged:
        """Return the blocks, and what sort of page it is; `lean` as in `Decoded`."""
        return self.judge_page(segment_lean(html, lean))

    def judge_page(self, page: Segmented) -> Judged:
        """Return the same for a page that is already in blocks."""
        model = model_at(self._options.model)
        answers = model.answers(page)
        chances, types, rows, _ = answers
        split = split_of(page, chances, self._options.cutoff)
        marks = best_cut(model.choice, cuts(page, rows, chances, split, types))
        marks = corrected(page, chances, marks, types)
        return Judged(page, chances, marks, split.comments, partial(model.told, page, answers))


# Made once: pages have thousands of blocks, and only so many reasons.
_REASONS = tuple(
    f"{name} {percent / 100:.2f}"
    for name in ("main", COMMENT, "boilerplate")
    for percent in range(101)
)


class Answers(NamedTuple):
    """How likely each block is main text, the page of each type, and what was seen of both.

    Cuts and corrections go by these types, which are guessed; people are shown those that are told.
    """

    chances: NDArray[np.float32]
    types: NDArray[np.float32]
    rows: Rows
    page_row: Rows


@dataclass(frozen=True, slots=True)
class ExtractorModel:
    """Weights of words, and trees: for blocks, a guess of the page's type, a cut, and its type."""

    vocabulary: Vocabulary
    blocks: Forest
    types: PageTypes = field(default_factory=PageTypes)
    choice: Forest = NO_TREES
    teller: TypeTeller = field(default_factory=TypeTeller)

    def answers(self, page: Segmented) -> Answers:
        """Return for each block how likely it is main text, and for each type the page's."""
        rows = features(page, self.vocabulary)
        if not len(rows):
            nothing = np.zeros(0, dtype=np.float32)
            return Answers(nothing, nothing, rows, nothing)
        chances = block_chances(self.blocks, page, rows)
        seen = page_row(page, rows, chances)
        types = self.types.chances(seen[None, :])[0]
        return Answers(chances, types, rows, seen)

    def told(self, page: Segmented, answers: Answers) -> Rows:
        """Return how likely the page is of each type by its words, too, if the model knows any."""
        if not len(answers.rows) or not self.teller.types.forests:
            return answers.types
        return self.teller.chances(page, answers.page_row)

    def chances(self, page: Segmented) -> NDArray[np.float32]:
        """Return for each block how likely it is main text."""
        return self.answers(page).chances


def block_chances(forest: Forest, page: Segmented, rows: Rows) -> NDArray[np.float32]:
    """Return for each block how likely it is main text, with a share of its place's mean odds.

    What stands in one place of a template, the posts of a thread, is text together or not at all.
    """
    odds, places, sizes = forest.sums(rows), page.alike, page.sizes
    means = np.bincount(places, odds * sizes) / np.bincount(places, sizes)
    return chances_of((1 - _BY_PLACE) * odds + _BY_PLACE * means[places])


def read_model(archive: bytes) -> ExtractorModel:
    """Return the model in a file's bytes."""
    with np.load(io.BytesIO(archive), allow_pickle=False) as arrays:
        if "columns" not in arrays or int(arrays["columns"]) != _columns():
            raise ConfigError("The extractor's model is of another release. Train it again.")
        vocabulary = Vocabulary(*(_weights(arrays, name) for name in Vocabulary._fields))
        has_types = "type0_roots" in arrays
        types = [read_forest(arrays, f"type{n}") for n in range(len(PAGE_TYPES)) if has_types]
        return ExtractorModel(
            vocabulary,
            read_forest(arrays, "blocks"),
            PageTypes(tuple(types)),
            read_forest(arrays, "choice"),
            _read_teller(arrays),
        )


def _read_teller(arrays: Any) -> TypeTeller:
    """Return what tells types by words; what tells none if the file is of before there was one."""
    if "told0_roots" not in arrays:
        return TypeTeller()
    leanings = Leanings(*(_weights(arrays, f"page_{name}") for name in Leanings._fields))
    told = (read_forest(arrays, f"told{number}") for number in range(len(PAGE_TYPES)))
    return TypeTeller(leanings, PageTypes(tuple(told)))


def _columns() -> int:
    """Return a number that changes with what the trees see: others would read wrong columns."""
    return hash_of(" ".join((*NAMES, *CUT_NAMES)))


def _weights(arrays: Any, name: str) -> Weights:
    return Weights(arrays[f"{name}_hashes"], arrays[f"{name}_values"])


def write_model(model: ExtractorModel) -> bytes:
    """Return the bytes of a model's file."""
    file = io.BytesIO()
    arrays: dict[str, Any] = {**model.blocks.arrays("blocks"), **model.choice.arrays("choice")}
    leanings = {f"page_{name}": each for name, each in model.teller.leanings._asdict().items()}
    for name, weights in {**model.vocabulary._asdict(), **leanings}.items():
        arrays |= {f"{name}_hashes": weights.hashes, f"{name}_values": weights.values}
    for name, types in (("type", model.types), ("told", model.teller.types)):
        for number, forest in enumerate(types.forests):
            arrays |= forest.arrays(f"{name}{number}")
    arrays["columns"] = np.uint64(_columns())
    np.savez_compressed(file, **arrays)
    return file.getvalue()


@cache
def model_at(path: str) -> ExtractorModel:
    """Return the model in a file, or the one that comes with the package; read once a process."""
    if path:
        return _own_model(Path(path))
    return read_model(_SHIPPED.read_bytes())


def _own_model(path: Path) -> ExtractorModel:
    try:
        return read_model(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    except of_damaged_arrays() as error:
        raise ConfigError(f"{path} is not a model of the extractor.") from error
