"""The inner loops of training, compiled; used by `izwi train language` only."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from izwi.text.language.kernels import ROOM, hashes, word_end

_TAG_SHIFT = np.uint64(24)
_TAG_MASK = np.uint64(0xFF)
Hashes = NDArray[np.uint64]


@njit(cache=True)
def text_hashes(text: NDArray[np.uint8]) -> Hashes:
    """Return the hashes of all n-grams and words of a text."""
    room = np.empty(ROOM, np.uint64)
    out = np.empty(len(text) * 5 + 8, np.uint64)
    count, start = 0, 1
    while start < len(text):
        end = word_end(text, start)
        found = hashes(text, start, end, room)
        out[count : count + found] = room[:found]
        count += found
        start = end + 1
    return out[:count]


@njit(cache=True)
def count_hashes(
    found: Hashes, weight: float, shift: np.uint64, column: NDArray[np.float32]
) -> None:
    """Add a weight to a class's counter of each hash."""
    for value in found:
        column[value >> shift] += weight


@njit(cache=True)
def vote_tags(
    found: Hashes,
    fine: np.uint64,
    coarse: np.uint64,
    owner: NDArray[np.int64],
    tags: NDArray[np.uint8],
    votes: NDArray[np.int64],
) -> None:
    """Let the n-grams that fall on a slot's owner vote for its tag; the majority stays."""
    for value in found:
        slot = value >> coarse
        if owner[slot] != np.int64(value >> fine):
            continue
        tag = np.uint8((value >> _TAG_SHIFT) & _TAG_MASK)
        if tags[slot] == tag:
            votes[slot] += 1
        elif votes[slot] == 0:
            tags[slot], votes[slot] = tag, 1
        else:
            votes[slot] -= 1


@njit(cache=True)
def known_slots(
    found: Hashes, shift: np.uint64, tags: NDArray[np.uint8], is_owned: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """Return the slots of those hashes that own one."""
    out = np.empty(len(found), np.int32)
    count = 0
    for value in found:
        slot = value >> shift
        if is_owned[slot] and tags[slot] == np.uint8((value >> _TAG_SHIFT) & _TAG_MASK):
            out[count] = slot
            count += 1
    return out[:count]


@njit(cache=True, fastmath=True)
def learn(
    slots: NDArray[np.int32],
    bounds: NDArray[np.int64],
    sizes: NDArray[np.int64],
    classes: NDArray[np.int64],
    order: NDArray[np.int64],
    weights: NDArray[np.float32],
    gradients: NDArray[np.float32],
    bias: NDArray[np.float32],
    rate: float,
    power: float,
) -> float:
    """Go through the snippets once (softmax, Adagrad) and return their mean loss."""
    width = weights.shape[1]
    score = np.zeros(width, np.float32)
    loss = 0.0
    for number in order:
        low, high = bounds[number], bounds[number + 1]
        factor = np.float32(1.0 / max(1, sizes[number]) ** power)
        score[:] = 0
        for k in range(low, high):
            row = weights[slots[k]]
            for c in range(width):
                score[c] += row[c]
        top = np.float32(-1e30)
        for c in range(width):
            score[c] = score[c] * factor + bias[c]
            top = max(top, score[c])
        whole = np.float32(0)
        for c in range(width):
            score[c] = np.exp(score[c] - top)
            whole += score[c]
        for c in range(width):
            score[c] /= whole
        loss -= np.log(score[classes[number]] + 1e-12)
        score[classes[number]] -= 1
        for c in range(width):
            bias[c] -= np.float32(rate * 0.02) * score[c]
        for k in range(low, high):
            row, past = weights[slots[k]], gradients[slots[k]]
            for c in range(width):
                step = score[c] * factor
                past[c] += step * step
                row[c] -= np.float32(rate) * step / np.sqrt(past[c] + np.float32(1e-6))
    return loss / max(1, len(order))
