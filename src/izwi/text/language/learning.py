"""The loops of training and of scoring, with the arrays they work in."""

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import ngrams as loops
from izwi.text.language.model import NgramModel

Hashes = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
# Hashes of one word: 60 bytes, four sizes of n-grams, and the word.
_ROOM = 260


def text_sums(model: NgramModel, text: Bytes) -> tuple[NDArray[np.int32], int]:
    """Return the summed rows of a text's n-grams and pairs of words, and how many there were."""
    total = np.zeros(len(model.classes), np.int32)
    room = np.empty(_ROOM, np.uint64)
    shift = int(model.shift)
    return total, loops.text_scores(text, shift, model.tags, model.rows, room, total)


def word_sums(
    model: NgramModel, text: Bytes, words: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the summed rows of each word, and how many n-grams each has."""
    totals = np.zeros((words, len(model.classes)), np.int32)
    counts = np.zeros(words, np.int64)
    room = np.empty(_ROOM, np.uint64)
    loops.word_scores(text, int(model.shift), model.tags, model.rows, room, totals, counts)
    return totals, counts


def text_hashes(text: Bytes) -> Hashes:
    """Return the hashes of all n-grams, words and pairs of words of a text."""
    out = np.empty(len(text) * 6 + 8, np.uint64)
    return out[: loops.text_hashes(text, out)]


def known_slots(
    found: Hashes, shift: np.uint64, tags: Bytes, is_owned: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """Return the slots of those hashes that own one."""
    out = np.empty(len(found), np.int32)
    return out[: loops.known_slots(found, int(shift), tags, is_owned.view(np.uint8), out)].copy()


def learn(
    snippets: tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    order: NDArray[np.int64],
    weights: NDArray[np.float32],
    bias: NDArray[np.float32],
    settings: tuple[float, float, float],
    seed: int,
) -> float:
    """Go through the snippets once and return their mean loss.

    Snippets are slots, bounds, sizes and classes; the settings are the rate, the power of a
    snippet's size its score is divided by, and the share of n-grams left out.
    """
    longest = int(np.diff(snippets[1]).max(initial=0)) + 1
    kept, score = np.empty(longest, np.int32), np.zeros(weights.shape[1], np.float32)
    return loops.learn(*snippets, order, weights, bias, kept, score, *settings, seed)
