"""The inner loops of training, compiled; used by `izwi train language` only."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from izwi.text.language.kernels import ROOM, hashes, pair_hash, word_end, word_hash

_TAG_SHIFT = np.uint64(24)
_TAG_MASK = np.uint64(0xFF)
Hashes = NDArray[np.uint64]


@njit(cache=True)
def text_hashes(text: NDArray[np.uint8]) -> Hashes:
    """Return the hashes of all n-grams, words and pairs of words of a text."""
    room = np.empty(ROOM, np.uint64)
    out = np.empty(len(text) * 6 + 8, np.uint64)
    count, start = 0, 1
    before = np.uint64(0)
    while start < len(text):
        end = word_end(text, start)
        found = hashes(text, start, end, room)
        out[count : count + found] = room[:found]
        count += found
        whole = word_hash(text, start, end)
        if before:
            out[count] = pair_hash(before, whole)
            count += 1
        before = whole
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
    bias: NDArray[np.float32],
    settings: tuple[float, float, float],
    seed: int,
) -> float:
    """Go through the snippets once (softmax, gradient descent) and return their mean loss.

    The settings are the rate, the power of a snippet's size its score is divided by, and the share
    of n-grams left out.
    """
    rate, power, dropped = settings
    np.random.seed(seed)
    score = np.zeros(weights.shape[1], np.float32)
    kept = np.empty((bounds[1:] - bounds[:-1]).max() + 1, np.int32)
    loss = 0.0
    for number in order:
        count = _kept(slots[bounds[number] : bounds[number + 1]], dropped, kept)
        factor = np.float32(max(1.0, sizes[number] * (1 - dropped)) ** -power)
        _softmax(kept[:count], weights, bias, factor, score)
        loss -= np.log(score[classes[number]] + 1e-12)
        score[classes[number]] -= 1
        for c in range(len(score)):
            bias[c] -= np.float32(rate * 0.01) * score[c]
            score[c] *= np.float32(rate) * factor
        for k in range(count):
            row = weights[kept[k]]
            for c in range(len(score)):
                row[c] -= score[c]
    return loss / max(1, len(order))


@njit(cache=True)
def _kept(slots: NDArray[np.int32], dropped: float, kept: NDArray[np.int32]) -> int:
    """Copy the slots but for a random share and return how many stay."""
    count = 0
    for slot in slots:
        if np.random.random() >= dropped:
            kept[count] = slot
            count += 1
    return count


@njit(cache=True, fastmath=True)
def _softmax(
    slots: NDArray[np.int32],
    weights: NDArray[np.float32],
    bias: NDArray[np.float32],
    factor: np.float32,
    score: NDArray[np.float32],
) -> None:
    """Write the probability of each class."""
    score[:] = 0
    for slot in slots:
        row = weights[slot]
        for c in range(len(score)):
            score[c] += row[c]
    top = np.float32(-1e30)
    for c in range(len(score)):
        score[c] = score[c] * factor + bias[c]
        top = max(top, score[c])
    whole = np.float32(0)
    for c in range(len(score)):
        score[c] = np.exp(score[c] - top)
        whole += score[c]
    for c in range(len(score)):
        score[c] /= whole
