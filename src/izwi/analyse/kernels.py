"""Compiled loops of the analyses; imported only where there is much to do."""

# Numba gives no types; what goes in and comes out is said by the typed functions that call these.
# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"

import numba as nb
import numpy as np

_U = np.uint64
# Odd numbers without a pattern: two ways to scatter keys that have nothing to do with each other.
_FIRST, _SECOND = _U(0x9E3779B97F4A7C15), _U(0xD6E8FEB86659FD93)
# The sketch counts no further.
_FULL = np.uint16(65535)


@nb.njit(cache=True, nogil=True)
def _read(words, bits, start, end, values):
    """Put the packed values of a stretch into an array, word by word of the column."""
    width, mask = _U(bits), (_U(1) << _U(bits)) - _U(1)
    bit = _U(start) * width
    at = np.int64(bit >> _U(6))
    # What is left of the current word, and how many bits that is.
    rest, left = words[at] >> (bit & _U(63)), _U(64) - (bit & _U(63))
    for number in range(end - start):
        value = rest & mask
        if left >= width:
            rest >>= width
            left -= width
        else:
            at += 1
            value = (value | words[at] << left) & mask
            rest = words[at] >> (width - left)
            left += _U(64) - width
        values[number] = value


@nb.njit(cache=True, nogil=True)
def count_values(words, bits, starts, ends, counts):
    """Add to the counts of values those of some stretches of a column."""
    values = np.empty(_longest(starts, ends), np.int64)
    for number in range(len(starts)):
        _read(words, bits, starts[number], ends[number], values)
        for place in range(ends[number] - starts[number]):
            counts[values[place]] += 1


@nb.njit(cache=True, nogil=True)
def _longest(starts, ends):
    longest = 1
    for number in range(len(starts)):
        longest = max(longest, ends[number] - starts[number])
    return longest


# Hits whose windows are read together.
_TOGETHER = 256


@nb.njit(cache=True, nogil=True)
def count_window(words, bits, starts, ends, firsts, lasts, is_once, counts):
    """Count the values from the first to the last place round each hit; return how many places.

    A value counts twice its number to the left of a hit and one place further to the right. With
    `is_once` it counts once a hit, on the side where it is met first.
    """
    longest = _longest(firsts, lasts)
    found = np.empty(_TOGETHER * longest, np.uint32)
    sizes = np.empty(_TOGETHER, np.int64)
    seen = np.full(len(counts) // 2 if is_once else 1, -1, np.int32)
    places, touched = 0, _U(0)
    for begin in range(0, len(starts), _TOGETHER):
        end = min(begin + _TOGETHER, len(starts))
        for hit in range(begin, end):
            # A first look at both ends of every window, so that no look waits for another.
            touched ^= words[_U(firsts[hit]) * _U(bits) >> _U(6)]
            touched ^= words[_U(lasts[hit]) * _U(bits) >> _U(6)]
        size = 0
        for hit in range(begin, end):
            before = size
            size = _gather(
                words, bits, firsts[hit], starts[hit], ends[hit], lasts[hit], found, size
            )
            sizes[hit - begin] = size - before
        places += size
        if is_once:
            _add_once(found, sizes, begin, end, seen, counts)
        else:
            for number in range(size):
                counts[found[number]] += 1
    return places, touched


@nb.njit(cache=True, nogil=True, inline="always")
def _gather(words, bits, first, start, end, last, found, size):
    """Put what stands left and right of a hit after what was found before; return the new size."""
    mask, width = (_U(1) << _U(bits)) - _U(1), _U(bits)
    bit = _U(first) * width
    for place in range(first, last):
        word, shift = bit >> _U(6), bit & _U(63)
        # A shift by 64 is undefined, so the upper word moves in two steps.
        high = words[word + _U(1)] << _U(1) << (_U(63) - shift)
        is_right = place >= end
        found[size] = np.uint32(((words[word] >> shift | high) & mask) << _U(1) | _U(is_right))
        # Without a branch: the hit's own tokens are written, too, and then written over.
        size += (place < start) | is_right
        bit += width
    return size


@nb.njit(cache=True, nogil=True)
def _add_once(found, sizes, begin, end, seen, counts):
    at = 0
    for hit in range(begin, end):
        for number in range(at, at + sizes[hit - begin]):
            value = found[number] >> 1
            if seen[value] != hit:
                seen[value] = hit
                counts[found[number]] += 1
        at += sizes[hit - begin]


@nb.njit(cache=True, nogil=True)
def spread_values(words, bits, starts, ends, parts, shares, counts, current, ranges, deviations):
    """Add up, for each value, the parts it is in and how far its shares are from theirs.

    Stretches come part by part. `current` holds the part each value was met in last, and the hits
    there. `deviations` gets the sum of |share of hits - share of text| over the parts a value is
    in, and the share of those parts in a second column.
    """
    values = np.empty(_longest(starts, ends), np.int64)
    for number in range(len(starts)):
        part = parts[number]
        _read(words, bits, starts[number], ends[number], values)
        for place in range(ends[number] - starts[number]):
            value = values[place]
            if current[value, 0] != part:
                _close(value, current, shares, counts, ranges, deviations)
                current[value, 0] = part
                current[value, 1] = 0
            current[value, 1] += 1


@nb.njit(cache=True, nogil=True)
def close_values(shares, counts, current, ranges, deviations):
    """Add the part that each value was met in last."""
    for value in range(len(counts)):
        _close(value, current, shares, counts, ranges, deviations)


@nb.njit(cache=True, nogil=True, inline="always")
def _close(value, current, shares, counts, ranges, deviations):
    if current[value, 0] >= 0:
        share = shares[current[value, 0]]
        ranges[value] += 1
        deviations[value, 0] += abs(share - current[value, 1] / counts[value])
        deviations[value, 1] += share


@nb.njit(cache=True, nogil=True)
def _read_keys(words, bits, codes, is_wanted, start, end, size, factor, values, keys, is_good):
    """Put the key of the sequence that begins at each place of a stretch into an array.

    A key is a number written with the codes as its digits; a value not wanted spoils it. Without
    codes the values are written. `is_wanted` has a bit for each value.
    """
    _read(words, bits, start, end, values)
    top = _U(1)
    for _ in range(size - 1):
        top *= factor
    key, good = _U(0), 0
    for place in range(end - start):
        value = values[place]
        wanted = np.int64((is_wanted[value >> 6] >> _U(value & 63)) & _U(1))
        good = (good + 1) * wanted
        if len(codes):
            values[place] = codes[value]
        at = place - size
        if at >= 0:
            # The digit that leaves the window.
            key -= top * _U(values[at])
        key = key * factor + _U(values[place])
        if at >= -1:
            keys[at + 1], is_good[at + 1] = key, good >= size
    return max(0, end - start - size + 1)


@nb.njit(cache=True, nogil=True)
def sketch_ngrams(words, bits, codes, is_wanted, starts, ends, size, factor, sketch, begin, budget):
    """Count sequences in a small table in which some share a place; return the next stretch."""
    mask, steps = _U(len(sketch) - 1), 0
    longest = _longest(starts, ends)
    values, keys = np.empty(longest, np.int64), np.empty(longest, np.uint64)
    is_good = np.empty(longest, np.bool_)
    for number in range(begin, len(starts)):
        if steps > budget:
            return number
        start, end = starts[number], ends[number]
        steps += end - start
        count = _read_keys(
            words, bits, codes, is_wanted, start, end, size, factor, values, keys, is_good
        )
        for at in range(count):
            if is_good[at]:
                slot = (keys[at] * _FIRST) >> _U(40) & mask
                if sketch[slot] != _FULL:
                    sketch[slot] += np.uint16(1)
    return len(starts)


@nb.njit(cache=True, nogil=True)
def count_ngrams(
    words, bits, codes, is_wanted, starts, ends, size, factor, sketch, least, share, table,
    counts, places, offset, state, budget,
):  # fmt: skip
    """Count exactly the sequences that the sketch lets pass, in a table by their keys.

    `share` says which of how many parts of all keys are counted; `state` holds the next stretch and
    how many keys there are. It stops when the table might get too full or the budget is used up.
    """
    mask, slots, steps = _U(len(sketch) - 1), _U(len(table) - 1), 0
    longest = _longest(starts, ends)
    values, keys = np.empty(longest, np.int64), np.empty(longest, np.uint64)
    is_good = np.empty(longest, np.bool_)
    while state[0] < len(starts):
        start, end = starts[state[0]], ends[state[0]]
        if steps > budget or 2 * (state[1] + end - start) > len(table):
            return
        steps += end - start
        count = _read_keys(
            words, bits, codes, is_wanted, start, end, size, factor, values, keys, is_good
        )
        for at in range(count):
            slot = (keys[at] * _FIRST) >> _U(40) & mask
            if is_good[at] and sketch[slot] >= least and slot % share[1] == share[0]:
                place = offset + start + at
                state[1] += _add(table, counts, places, keys[at], slots, 1, place)
        state[0] += 1


@nb.njit(cache=True, nogil=True, inline="always")
def _add(table, counts, places, key, slots, many, place):
    """Add to the count of a key; return 1 if it is new."""
    slot = (key * _SECOND) >> _U(36) & slots
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
