"""A small neural network over nine numbers of each paragraph (Schäfer and Bildhauer 2012, 3.2)."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import B_END, B_MARKUP, B_START, CJK, LOWER, UPPER
from izwi.model.document import Paragraph
from izwi.text.blocks import Segmented, segment
from izwi.text.characters import class_table

Table = NDArray[np.float64]
# In the order of the paper.
NINE = (
    "text share", "text share within 1", "text share within 2", "characters", "capitals",
    "non-letters", "non-letters within 1", "non-letters within 2", "percentile",
)  # fmt: skip
_ARRAYS = ("means", "scales", "hidden", "hidden_bias", "output", "output_bias")


@dataclass(frozen=True, slots=True)
class PerceptronOptions:
    """Settings of the perceptron."""

    # Paragraphs whose value (0 to 1) is below this are boilerplate.
    cutoff: float = 0.6
    # A network of your own (see izwi train extractor); empty for the one that comes along.
    model: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.cutoff < 1:
            raise ValueError(f"cutoff = {self.cutoff} is not between 0 and 1")


@dataclass(frozen=True, slots=True)
class Network:
    """Nine inputs, one hidden layer, and an output that is a bell curve from 0 to 1."""

    means: Table
    scales: Table
    hidden: Table
    hidden_bias: Table
    output: Table
    output_bias: Table

    def chances(self, page: Segmented) -> NDArray[np.float32]:
        """Return for each paragraph how likely it is text."""
        return self.values(nine(page)).astype(np.float32)

    def values(self, rows: Table) -> Table:
        """Return the output for each row of NINE."""
        inner = np.tanh((rows - self.means) / self.scales @ self.hidden + self.hidden_bias)
        found: Table = np.exp(-np.square(inner @ self.output + self.output_bias))
        return found


class Perceptron:
    """Decides for each paragraph alone whether it is text."""

    Options: ClassVar[type] = PerceptronOptions
    depends_on: ClassVar[tuple[str, ...]] = ("selectolax",)

    def __init__(self, options: PerceptronOptions) -> None:
        self._options = options

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return the paragraphs with the network's value as the reason."""
        page = segment(html)
        values = network_at(self._options.model).chances(page).tolist()
        return tuple(
            Paragraph(text, kind, value >= self._options.cutoff, f"value {value:.2f}")
            for text, kind, value in zip(page.texts, page.kinds, values, strict=True)
        )


def nine(page: Segmented) -> Table:
    """Return one row of NINE for each paragraph."""
    if not len(page):
        return np.zeros((0, len(NINE)))
    text, markup = page.sizes.astype(float), page.table[:, B_MARKUP].astype(float)
    capitals, small, letters = _counts(page)
    others = text - letters
    columns = [_share(text, markup, reach) for reach in (0, 1, 2)]
    columns += [np.log1p(text), capitals / np.maximum(small, 1)]
    columns += [_share(others, letters, reach) for reach in (0, 1, 2)]
    columns.append((np.cumsum(text) - text / 2) / text.sum())
    return np.stack(columns, axis=1)


def _counts(page: Segmented) -> tuple[Table, Table, Table]:
    """Return for each paragraph its capitals, small letters, and all letters."""
    codes = np.frombuffer(page.text.encode("utf-32-le", "replace"), dtype=np.uint32)
    classes = class_table()[np.minimum(codes, 0xFFFF)]
    starts, ends = page.table[:, B_START], page.table[:, B_END]
    found = []
    for wanted in (classes == UPPER, classes == LOWER, (classes >= LOWER) & (classes <= CJK)):
        sums = np.concatenate([[0], np.cumsum(wanted)])
        found.append((sums[ends] - sums[starts]).astype(float))
    return found[0], found[1], found[2]


def _share(part: Table, rest: Table, reach: int) -> Table:
    """Return the part's share of both, in a window of so many paragraphs on each side."""
    window = np.ones(2 * reach + 1)
    mine = np.convolve(part, window)[reach : reach + len(part)]
    all_of_it = np.convolve(part + rest, window)[reach : reach + len(part)]
    return mine / np.maximum(all_of_it, 1)


def read_network(archive: bytes) -> Network:
    """Return the network in a file's bytes."""
    with np.load(io.BytesIO(archive), allow_pickle=False) as arrays:
        return Network(*(arrays[name] for name in _ARRAYS))


def write_network(network: Network) -> bytes:
    """Return the bytes of a network's file."""
    made = io.BytesIO()
    np.savez_compressed(made, **{name: getattr(network, name) for name in _ARRAYS})
    return made.getvalue()


@cache
def network_at(path: str) -> Network:
    """Return the network in a file, or the one that comes with the package."""
    if path:
        return read_network(Path(path).read_bytes())
    return read_network((files("izwi") / "models" / "perceptron.npz").read_bytes())
