"""Calibration: temperatures by length, so that a probability of 0.9 is right nine times in ten."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from izwi.text.language.letters import read
from izwi.text.language.model import NgramModel

# Numbers of n-grams that part the bands: a word or two, a phrase, a sentence, a paragraph.
_BANDS = np.array([60, 150, 400, 1200], np.int64)
_CANDIDATES = np.geomspace(0.25, 12.0, 40)


def calibrated(model: NgramModel, snippets: Iterable[tuple[str, str]]) -> NgramModel:
    """Return the model with the temperatures under which held-back snippets are likeliest."""
    scores, counts, classes = _scored(model, snippets)
    bands = np.searchsorted(_BANDS, counts)
    temperatures = [
        _best(scores[bands == band], classes[bands == band]) for band in range(len(_BANDS) + 1)
    ]
    return replace(model, lengths=_BANDS, temperatures=np.array(temperatures))


def _scored(
    model: NgramModel, snippets: Iterable[tuple[str, str]]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    from izwi.text.language.learning import text_sums

    names = {name: number for number, name in enumerate(model.classes)}
    rows, counts, classes = [], [], []
    for name, text in snippets:
        reading = read(text)
        if reading.reason:
            continue
        sums, count = text_sums(model, reading.text)
        rows.append(sums * model.scale / count**model.power + model.bias)
        counts.append(count)
        classes.append(names[name])
    return np.array(rows), np.array(counts, np.int64), np.array(classes, np.int64)


def _best(scores: NDArray[np.float64], classes: NDArray[np.int64]) -> float:
    """Return the temperature with the smallest log-loss; 1 without evidence."""
    if len(classes) < 20:
        return 1.0
    return float(min(_CANDIDATES, key=lambda one: _loss(scores / one, classes)))


def _loss(scores: NDArray[np.float64], classes: NDArray[np.int64]) -> float:
    top = scores.max(axis=1)
    whole = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
    return float((whole - scores[np.arange(len(classes)), classes]).mean())
