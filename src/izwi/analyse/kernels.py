"""Compiled loops of the analyses; imported only where there is much to do."""

# Numba gives no types; what goes in and comes out is said by the typed functions that call these.
# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"

import numba as nb
import numpy as np

from izwi.index.kernels import value_at

_U = np.uint64
_GOLDEN = _U(0x9E3779B97F4A7C15)


@nb.njit(cache=True, nogil=True)
def count_values(words, bits, starts, ends, counts):
    """Add to the counts of values those of some stretches of a column."""
    for number in range(len(starts)):
        for place in range(starts[number], ends[number]):
            counts[value_at(words, bits, place)] += 1


@nb.njit(cache=True, nogil=True)
def count_window(words, bits, starts, ends, lows, highs, reach, is_once, left, right):
    """Count the values up to so many places before and after some hits; return how many places.

    Lows and highs are the ends of the document or sentence round each hit. With `is_once` a value
    counts once a hit, on the side where it is met first.
    """
    seen = np.full(len(left) if is_once else 1, -1, np.int32)
    places = 0
    for number in range(len(starts)):
        first = max(lows[number], starts[number] - reach[0])
        last = min(highs[number], ends[number] + reach[1])
        for place in range(first, starts[number]):
            value = value_at(words, bits, place)
            if is_once:
                if seen[value] == number:
                    continue
                seen[value] = number
            left[value] += 1
        for place in range(ends[number], last):
            value = value_at(words, bits, place)
            if is_once:
                if seen[value] == number:
                    continue
                seen[value] = number
            right[value] += 1
        places += max(0, starts[number] - first) + max(0, last - ends[number])
    return places


@nb.njit(cache=True, nogil=True)
def spread_values(words, bits, starts, ends, parts, shares, counts, ranges, deviations):
    """Add up, for each value, the parts it is in and how far its shares are from theirs.

    Stretches come part by part. `deviations` gets the sum of |share of hits - share of text| over
    the parts a value is in, and the share of those parts in a second column.
    """
    last = np.full(len(counts), -1, np.int32)
    own = np.zeros(len(counts), np.int64)
    for number in range(len(starts)):
        part = parts[number]
        for place in range(starts[number], ends[number]):
            value = value_at(words, bits, place)
            if last[value] != part:
                _close(value, last, own, shares, counts, ranges, deviations)
                last[value] = part
                own[value] = 0
            own[value] += 1
    for value in range(len(counts)):
        _close(value, last, own, shares, counts, ranges, deviations)


@nb.njit(cache=True, nogil=True, inline="always")
def _close(value, last, own, shares, counts, ranges, deviations):
    if last[value] >= 0:
        share = shares[last[value]]
        ranges[value] += 1
        deviations[value, 0] += abs(share - own[value] / counts[value])
        deviations[value, 1] += share


@nb.njit(cache=True, nogil=True, inline="always")
def _slot(key, mask):
    """Return the place of a key in a table whose size is a power of two."""
    mixed = key * _GOLDEN
    return (mixed ^ (mixed >> _U(32))) & mask


@nb.njit(cache=True, nogil=True)
def _read_keys(words, bits, codes, start, end, size, factor, keys, is_good):
    """Put the key of the sequence that begins at each place of a stretch into an array.

    A key is a number written with the codes as its digits; a code below zero spoils it.
    """
    top = _U(1)
    for _ in range(size - 1):
        top *= factor
    key, good = _U(0), 0
    for place in range(start, end):
        code = codes[value_at(words, bits, place)]
        good = good + 1 if code >= 0 else 0
        key = key * factor + _U(max(code, 0))
        at = place - start - size + 1
        if at >= 0:
            keys[at], is_good[at] = key, good >= size
            # The digit that leaves the window.
            key -= top * _U(max(codes[value_at(words, bits, place - size + 1)], 0))
    return max(0, end - start - size + 1)


@nb.njit(cache=True, nogil=True)
def sketch_ngrams(words, bits, codes, starts, ends, size, factor, sketch, begin, budget):
    """Count sequences in a small table in which some share a place; return the next stretch."""
    mask, steps = _U(len(sketch) - 1), 0
    longest = max(1, int((ends - starts).max()))
    keys, is_good = np.empty(longest, np.uint64), np.empty(longest, np.bool_)
    for number in range(begin, len(starts)):
        if steps > budget:
            return number
        start, end = starts[number], ends[number]
        steps += end - start
        count = _read_keys(words, bits, codes, start, end, size, factor, keys, is_good)
        for at in range(count):
            if is_good[at]:
                sketch[_slot(keys[at], mask)] += 1
    return len(starts)


@nb.njit(cache=True, nogil=True)
def count_ngrams(
    words, bits, codes, starts, ends, size, factor, sketch, least, share, table, counts, places,
    offset, state, budget,
):  # fmt: skip
    """Count exactly the sequences that the sketch lets pass, in a table by their keys.

    `share` says which of how many parts of all keys are counted; `state` holds the next stretch and
    how many keys there are. It stops when the table might get too full or the budget is used up.
    """
    mask, slots, steps = _U(len(sketch) - 1), _U(len(table) - 1), 0
    longest = max(1, int((ends - starts).max()))
    keys, is_good = np.empty(longest, np.uint64), np.empty(longest, np.bool_)
    while state[0] < len(starts):
        start, end = starts[state[0]], ends[state[0]]
        if steps > budget or 2 * (state[1] + end - start) > len(table):
            return
        steps += end - start
        count = _read_keys(words, bits, codes, start, end, size, factor, keys, is_good)
        for at in range(count):
            slot = _slot(keys[at], mask)
            if is_good[at] and sketch[slot] >= least and slot % share[1] == share[0]:
                place = offset + start + at
                state[1] += _add(table, counts, places, keys[at], slots, 1, place)
        state[0] += 1


@nb.njit(cache=True, nogil=True, inline="always")
def _add(table, counts, places, key, slots, many, place):
    """Add to the count of a key; return 1 if it is new."""
    slot = _slot(key, slots)
    while counts[slot] and table[slot] != key:
        slot = (slot + _U(1)) & slots
    is_new = counts[slot] == 0
    counts[slot] += many
    if is_new:
        table[slot], places[slot] = key, place
    return np.int64(is_new)


@nb.njit(cache=True, nogil=True)
def regrow(table, counts, places, larger, larger_counts, larger_places):
    """Put the keys of a table into a larger one."""
    slots = _U(len(larger) - 1)
    for number in range(len(table)):
        if counts[number]:
            _add(
                larger, larger_counts, larger_places, table[number], slots, counts[number],
                places[number],
            )  # fmt: skip
