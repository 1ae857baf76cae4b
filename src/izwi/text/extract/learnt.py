"""The default extractor: decision trees over what a block is, where it stands and what is round it.

Two passes: the first judges each block by its features, the second sees also what the first
thought of the neighbours, the containers and the blocks of the same template place.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from izwi.model.document import Paragraph
from izwi.text.blocks import SORTS, Segmented, segment
from izwi.text.features import context, features
from izwi.text.hints import hint_words
from izwi.text.trees import Forest, read_forest

_COMMENT_WORDS = frozenset({"comment", "comments", "commentlist", "disqus"})
COMMENT = "comment"
# Fewer characters of main text are none.
_LEAST_MAIN = 15
_FORUM = 1 << list(SORTS).index("forum")
# Comments stand below a text if there is so much of it, in characters and beside theirs.
_LEAST_TEXT = 300
_LEAST_SHARE = 0.1
# A page whose best block is below the cut-off is cut at this share of the best instead.
_RELATIVE = 0.6
# ... unless even the best is worse than this: then the page has no main text.
_HOPELESS = 0.35


@dataclass(frozen=True, slots=True)
class IzwiOptions:
    """Settings of the default extractor."""

    # Blocks less likely than this (0 to 1) to be main text are not taken for it.
    cutoff: float = 0.5
    # A model of your own (see izwi train extractor); empty for the one that comes along.
    model: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.cutoff < 1:
            raise ValueError(f"cutoff = {self.cutoff} is not between 0 and 1")


@dataclass(frozen=True, slots=True)
class ExtractorModel:
    """What training gives: weights of the words in class and id names, and two forests."""

    weights: Mapping[str, float]
    first: Forest
    second: Forest

    def chances(self, page: Segmented) -> NDArray[np.float32]:
        """Return for each block how likely it is main text."""
        rows = features(page, self.weights)
        if not len(rows):
            return np.zeros(0, dtype=np.float32)
        first = self.first.chances(rows)
        second = self.second.chances(np.hstack([rows, context(page, rows, first)]))
        # The mean of both passes holds better on pages unlike those trained on.
        return np.asarray((first + second) / 2, dtype=np.float32)


def read_model(archive: bytes) -> ExtractorModel:
    """Return the model in a file's bytes."""
    with np.load(io.BytesIO(archive), allow_pickle=False) as arrays:
        words = [str(word) for word in arrays["hint_words"]]
        weights = dict(zip(words, map(float, arrays["hint_weights"]), strict=True))
        return ExtractorModel(weights, read_forest(arrays, "first"), read_forest(arrays, "second"))


def write_model(model: ExtractorModel) -> bytes:
    """Return the bytes of a model's file."""
    made = io.BytesIO()
    arrays: dict[str, Any] = {
        "hint_words": np.array(list(model.weights)),
        "hint_weights": np.array(list(model.weights.values()), dtype=np.float32),
        **model.first.arrays("first"),
        **model.second.arrays("second"),
    }
    np.savez_compressed(made, **arrays)
    return made.getvalue()


@cache
def model_at(path: str) -> ExtractorModel:
    """Return the model in a file, or the one that comes with the package; read once a process."""
    if path:
        return read_model(Path(path).read_bytes())
    return read_model((files("izwi.text") / "models" / "extractor.npz").read_bytes())


class Izwi:
    """Finds main text, and readers' comments apart from it, in pages of any kind and language."""

    Options: ClassVar[type] = IzwiOptions
    depends_on: ClassVar[tuple[str, ...]] = ("selectolax",)

    def __init__(self, options: IzwiOptions) -> None:
        self._options = options

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return the blocks with how likely each is main text as the reason."""
        page = segment(html)
        chances = model_at(self._options.model).chances(page)
        marks = chances >= cutoff_of(chances, self._options.cutoff)
        comments = comment_blocks(page)
        if has_text_beside_comments(page, marks, comments):
            marks = marks & ~comments
        if _sizes(page)[marks].sum() < _LEAST_MAIN:
            marks = np.zeros(len(marks), dtype=bool)
        return tuple(
            Paragraph(block.text, block.kind, bool(is_main), _reason(is_main, is_comment, chance))
            for block, is_main, is_comment, chance in zip(
                page.blocks, marks, comments, chances, strict=True
            )
        )


def has_text_beside_comments(
    page: Segmented, marks: NDArray[np.bool_], comments: NDArray[np.bool_]
) -> bool:
    """Return whether the comments stand below a text; in a forum they are the text."""
    if not comments.any() or page.sorts & _FORUM:
        return False
    sizes = _sizes(page)
    beside, inside = sizes[marks & ~comments].sum(), sizes[marks & comments].sum()
    return bool(beside >= _LEAST_TEXT and beside >= _LEAST_SHARE * inside)


def cutoff_of(chances: NDArray[np.float32], wanted: float) -> float:
    """Return the cut-off for a page: the wanted one, or lower where no block would reach it."""
    best = float(chances.max(initial=0.0))
    if best >= wanted or best < _HOPELESS:
        return wanted
    return _RELATIVE * best


def _sizes(page: Segmented) -> NDArray[np.int64]:
    return np.array([len(block.text) for block in page.blocks], dtype=np.int64)


def _reason(is_main: bool, is_comment: bool, chance: float) -> str:
    kind = "main" if is_main else COMMENT if is_comment else "boilerplate"
    return f"{kind} {chance:.2f}"


def comment_blocks(page: Segmented) -> NDArray[np.bool_]:
    """Return for each block whether it stands among readers' comments."""
    among: list[bool] = []
    for node in page.nodes:
        is_below = node.parent >= 0 and among[node.parent]
        among.append(is_below or _names_comments(node.attributes))
    return np.array([block.node >= 0 and among[block.node] for block in page.blocks], dtype=bool)


def _names_comments(attributes: str) -> bool:
    # The quick look first: most elements have no such name.
    if "omment" not in attributes and "isqus" not in attributes:
        return False
    return not _COMMENT_WORDS.isdisjoint(hint_words(attributes))
