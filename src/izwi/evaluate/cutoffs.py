"""How good a trained extractor is at each cut-off, on pages of hosts it has not seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from izwi.evaluate.extraction import f_score
from izwi.evaluate.labels import UNKNOWN
from izwi.evaluate.training import Example, TrainingOptions, part_of, train


@dataclass(frozen=True, slots=True)
class Cutoff:
    """Precision and recall of blocks, weighted by their text, at one cut-off."""

    cutoff: float
    precision: float
    recall: float
    f1: float


def held_out_cutoffs(examples: Sequence[Example], options: TrainingOptions) -> list[Cutoff]:
    """Return the figures of a model trained on some hosts, measured on the others."""
    hosts = sorted({one.host for one in examples})
    tested = {host for host in hosts if part_of(host, 4) == 0} or {hosts[0]}
    model = train([one for one in examples if one.host not in tested], options)
    rest = [one for one in examples if one.host in tested]
    chances = np.concatenate([model.chances(one.page) for one in rest])
    labels = np.concatenate([one.labels for one in rest])
    costs = np.concatenate([one.costs for one in rest]) * (labels != UNKNOWN)
    steps = (number / 20 for number in range(1, 20))
    return [_at(step, chances >= step, labels >= 0.5, costs) for step in steps]


def _at(step: float, found: np.ndarray, wanted: np.ndarray, costs: np.ndarray) -> Cutoff:
    right = float((found & wanted) @ costs)
    precision = right / max(float(found @ costs), 1e-9)
    recall = right / max(float(wanted @ costs), 1e-9)
    return Cutoff(step, precision, recall, f_score(precision, recall))
