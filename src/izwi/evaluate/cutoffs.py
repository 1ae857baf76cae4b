"""How good a trained extractor is at each cut-off, on pages of hosts it has not seen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from izwi.evaluate.examples import Example, part_of
from izwi.evaluate.extraction import f_score
from izwi.evaluate.labels import UNKNOWN
from izwi.text.blocks import Segmented


class Chances(Protocol):
    """A model that says for each block how likely it is main text."""

    def chances(self, page: Segmented) -> NDArray[np.float32]:
        """Return a number from 0 to 1 for each block."""


@dataclass(frozen=True, slots=True)
class Cutoff:
    """One cut-off: blocks judged rightly, and precision, recall and F1 weighted by their text."""

    cutoff: float
    accuracy: float
    precision: float
    recall: float
    f1: float


def held_out_cutoffs(
    examples: Sequence[Example], train: Callable[[Sequence[Example]], Chances]
) -> list[Cutoff]:
    """Return the figures of a model trained on some hosts, measured on the others."""
    hosts = sorted({one.host for one in examples})
    tested = {host for host in hosts if part_of(host, 4) == 0} or {hosts[0]}
    if len(tested) == len(hosts):
        tested = {hosts[0]}
    model = train([one for one in examples if one.host not in tested])
    return cutoffs_on([one for one in examples if one.host in tested], model)


def cutoffs_on(examples: Sequence[Example], model: Chances) -> list[Cutoff]:
    """Return the figures of a model on examples."""
    chances = np.concatenate([model.chances(one.page) for one in examples])
    labels = np.concatenate([one.labels for one in examples])
    sizes = np.concatenate([one.page.sizes for one in examples])
    known = labels != UNKNOWN
    wanted, chances, sizes = labels[known] >= 0.5, chances[known], sizes[known].astype(float)
    return [_at(number / 20, chances >= number / 20, wanted, sizes) for number in range(1, 20)]


def best_cutoff(cutoffs: Sequence[Cutoff]) -> Cutoff:
    """Return the cut-off with the highest F1, as the paper chooses."""
    return max(cutoffs, key=lambda one: one.f1)


def _at(
    cutoff: float, found: NDArray[np.bool_], wanted: NDArray[np.bool_], sizes: NDArray[np.float64]
) -> Cutoff:
    right = float((found & wanted) @ sizes)
    precision = right / max(float(found @ sizes), 1e-9)
    recall = right / max(float(wanted @ sizes), 1e-9)
    accuracy = float((found == wanted).mean()) if len(found) else 0.0
    return Cutoff(cutoff, accuracy, precision, recall, f_score(precision, recall))
