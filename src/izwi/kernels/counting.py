"""Values and sequences of a packed column counted: in stretches, round hits, and part by part."""

import cython
import numpy as np

ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
# Odd numbers without a pattern: two ways to scatter keys that have nothing to do with each other.
FIRST = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
SECOND = cython.declare(cython.ulonglong, 0xD6E8FEB86659FD93)
# The sketch counts no further.
FULL = cython.declare(cython.int, 65535)
# Hits whose windows are read together.
TOGETHER = cython.declare(cython.Py_ssize_t, 256)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _read(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    values: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Put the packed values of a stretch into an array, word by word of the column."""
    mask: cython.ulonglong = ALL >> (64 - bits)
    at: cython.Py_ssize_t = (start * bits) >> 6
    # What is left of the current word, and how many bits that is.
    left: cython.Py_ssize_t = 64 - ((start * bits) & 63)
    rest: cython.ulonglong = words[at] >> (64 - left)
    value: cython.ulonglong
    number: cython.Py_ssize_t
    for number in range(end - start):
        value = rest & mask
        if left >= bits:
            rest = (rest >> (bits - 1)) >> 1
            left -= bits
        else:
            at += 1
            value = (value | (words[at] << left)) & mask
            rest = (words[at] >> (bits - left - 1)) >> 1
            left += 64 - bits
        values[number] = value
    return 0


def _room(starts, ends):
    """Return an array for the longest of some stretches."""
    longest = int((np.asarray(ends) - np.asarray(starts)).max(initial=1))
    return np.empty(max(1, longest), np.int64)


def count_values(words, bits, starts, ends, counts):
    """Add to the counts of values those of some stretches of a column."""
    _count_values(words, bits, starts, ends, counts, _room(starts, ends))


@cython.cfunc
def _count_values(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    starts: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    counts: cython.longlong[::1],
    values: cython.longlong[::1],
) -> cython.Py_ssize_t:
    number: cython.Py_ssize_t
    place: cython.Py_ssize_t
    with cython.nogil:
        for number in range(len(starts)):
            _read(words, bits, starts[number], ends[number], values)
            for place in range(ends[number] - starts[number]):
                counts[values[place]] += 1
    return 0


def count_window(words, bits, starts, ends, firsts, lasts, is_once, counts):
    """Count the values from the first to the last place round each hit; return how many places.

    A value counts twice its number to the left of a hit and one place further to the right. With
    `is_once` it counts once a hit, on the side where it is met first.
    """
    found = np.empty(256 * len(_room(firsts, lasts)) + 1, np.uint32)
    seen = np.full(len(counts) // 2 if is_once else 1, -1, np.int32)
    sizes = np.empty(256, np.int64)
    return _count_window(
        words, bits, starts, ends, firsts, lasts, is_once, counts, found, sizes, seen
    )


@cython.cfunc
def _count_window(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    starts: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    firsts: cython.const[cython.int][::1],
    lasts: cython.const[cython.int][::1],
    is_once: cython.bint,
    counts: cython.int[::1],
    found: cython.uint[::1],
    sizes: cython.longlong[::1],
    seen: cython.int[::1],
) -> cython.Py_ssize_t:
    places: cython.Py_ssize_t = 0
    touched: cython.ulonglong = 0
    begin: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    hit: cython.Py_ssize_t
    size: cython.Py_ssize_t
    before: cython.Py_ssize_t
    number: cython.Py_ssize_t
    with cython.nogil:
        while begin < len(starts):
            end = min(begin + TOGETHER, len(starts))
            for hit in range(begin, end):
                # A first look at both ends of every window, so that no look waits for another.
                touched ^= words[(firsts[hit] * bits) >> 6]
                touched ^= words[(lasts[hit] * bits) >> 6]
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
            begin = end
    # What was only looked at is written somewhere, or the compiler would leave the looks out.
    sizes[0] = touched & 1
    return places


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(-1)
def _gather(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    found: cython.uint[::1],
    size: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Put what stands left and right of a hit after what was found before; return the new size."""
    mask: cython.ulonglong = ALL >> (64 - bits)
    bit: cython.Py_ssize_t = first * bits
    place: cython.Py_ssize_t
    word: cython.Py_ssize_t
    shift: cython.Py_ssize_t
    high: cython.ulonglong
    is_right: cython.Py_ssize_t
    for place in range(first, last):
        word, shift = bit >> 6, bit & 63
        # A shift by 64 is undefined, so the upper word moves in two steps.
        high = ((words[word + 1] << 1) & ALL) << (63 - shift)
        is_right = place >= end
        found[size] = cython.cast(
            cython.uint, ((((words[word] >> shift) | high) & mask) << 1) | is_right
        )
        # Without a branch: the hit's own tokens are written, too, and then written over.
        size += (place < start) | is_right
        bit += bits
    return size


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _add_once(
    found: cython.uint[::1],
    sizes: cython.longlong[::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    seen: cython.int[::1],
    counts: cython.int[::1],
) -> cython.Py_ssize_t:
    at: cython.Py_ssize_t = 0
    hit: cython.Py_ssize_t
    number: cython.Py_ssize_t
    for hit in range(begin, end):
        for number in range(at, at + sizes[hit - begin]):
            if seen[found[number] >> 1] != hit:
                seen[found[number] >> 1] = cython.cast(cython.int, hit)
                counts[found[number]] += 1
        at += sizes[hit - begin]
    return 0


def spread_values(words, bits, starts, ends, parts, shares, counts, current, ranges, deviations):
    """Add up, for each value, the parts it is in and how far its shares are from theirs.

    Stretches come part by part. `current` holds the part each value was met in last, and the hits
    there. `deviations` gets the sum of |share of hits - share of text| over the parts a value is
    in, and the share of those parts in a second column.
    """
    _spread_values(
        words, bits, starts, ends, parts, shares, counts, current, ranges, deviations,
        _room(starts, ends),
    )  # fmt: skip


@cython.cfunc
def _spread_values(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    starts: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    parts: cython.const[cython.int][::1],
    shares: cython.const[cython.double][::1],
    counts: cython.const[cython.longlong][::1],
    current: cython.int[:, ::1],
    ranges: cython.longlong[::1],
    deviations: cython.double[:, ::1],
    values: cython.longlong[::1],
) -> cython.Py_ssize_t:
    number: cython.Py_ssize_t
    place: cython.Py_ssize_t
    value: cython.Py_ssize_t
    part: cython.int
    with cython.nogil:
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
    return 0


def close_values(shares, counts, current, ranges, deviations):
    """Add the part that each value was met in last."""
    _close_values(shares, counts, current, ranges, deviations)


@cython.cfunc
def _close_values(
    shares: cython.const[cython.double][::1],
    counts: cython.const[cython.longlong][::1],
    current: cython.int[:, ::1],
    ranges: cython.longlong[::1],
    deviations: cython.double[:, ::1],
) -> cython.Py_ssize_t:
    value: cython.Py_ssize_t
    with cython.nogil:
        for value in range(len(counts)):
            _close(value, current, shares, counts, ranges, deviations)
    return 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.cdivision(True)
@cython.exceptval(-1)
def _close(
    value: cython.Py_ssize_t,
    current: cython.int[:, ::1],
    shares: cython.const[cython.double][::1],
    counts: cython.const[cython.longlong][::1],
    ranges: cython.longlong[::1],
    deviations: cython.double[:, ::1],
) -> cython.Py_ssize_t:
    share: cython.double
    apart: cython.double
    if current[value, 0] >= 0:
        share = shares[current[value, 0]]
        apart = share - cython.cast(cython.double, current[value, 1]) / counts[value]
        ranges[value] += 1
        deviations[value, 0] += apart if apart > 0 else -apart
        deviations[value, 1] += share
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _read_keys(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    codes: cython.const[cython.int][::1],
    is_wanted: cython.const[cython.ulonglong][::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    factor: cython.ulonglong,
    values: cython.longlong[::1],
    keys: cython.ulonglong[::1],
    is_good: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """Put the key of the sequence that begins at each place of a stretch into an array.

    A key is a number written with the codes as its digits; a value not wanted spoils it. Without
    codes the values are written. `is_wanted` has a bit for each value.
    """
    top: cython.ulonglong = 1
    key: cython.ulonglong = 0
    digit: cython.ulonglong
    good: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t
    at: cython.Py_ssize_t
    value: cython.Py_ssize_t
    wanted: cython.Py_ssize_t
    _read(words, bits, start, end, values)
    for _ in range(size - 1):
        top = (top * factor) & ALL
    for place in range(end - start):
        value = values[place]
        wanted = (is_wanted[value >> 6] >> (value & 63)) & 1
        good = (good + 1) * wanted
        if len(codes):
            values[place] = codes[value]
        at = place - size
        if at >= 0:
            # The digit that leaves the window.
            digit = values[at]
            key = (key - ((top * digit) & ALL)) & ALL
        digit = values[place]
        key = (((key * factor) & ALL) + digit) & ALL
        if at >= -1:
            keys[at + 1], is_good[at + 1] = key, good >= size
    return max(0, end - start - size + 1)


def _rooms(starts, ends):
    """Return arrays for the values, the keys and their marks in the longest of some stretches."""
    values = _room(starts, ends)
    return values, np.empty(len(values), np.uint64), np.empty(len(values), np.uint8)


def sketch_ngrams(words, bits, codes, is_wanted, starts, ends, size, factor, sketch, begin, budget):
    """Count sequences in a small table in which some share a place; return the next stretch."""
    values, keys, is_good = _rooms(starts, ends)
    return _sketch_ngrams(
        words, bits, codes, is_wanted, starts, ends, size, factor, sketch, begin, budget,
        values, keys, is_good,
    )  # fmt: skip


@cython.cfunc
def _sketch_ngrams(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    codes: cython.const[cython.int][::1],
    is_wanted: cython.const[cython.ulonglong][::1],
    starts: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    size: cython.Py_ssize_t,
    factor: cython.ulonglong,
    sketch: cython.ushort[::1],
    begin: cython.Py_ssize_t,
    budget: cython.Py_ssize_t,
    values: cython.longlong[::1],
    keys: cython.ulonglong[::1],
    is_good: cython.uchar[::1],
) -> cython.Py_ssize_t:
    mask: cython.ulonglong = len(sketch) - 1
    slot: cython.ulonglong
    steps: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t
    at: cython.Py_ssize_t
    number: cython.Py_ssize_t = begin
    with cython.nogil:
        while number < len(starts) and steps <= budget:
            steps += ends[number] - starts[number]
            count = _read_keys(
                words, bits, codes, is_wanted, starts[number], ends[number], size, factor,
                values, keys, is_good,
            )  # fmt: skip
            for at in range(count):
                if is_good[at]:
                    slot = (((keys[at] * FIRST) & ALL) >> 40) & mask
                    if sketch[slot] != FULL:
                        sketch[slot] += 1
            number += 1
    return number


def count_ngrams(
    words, bits, codes, is_wanted, starts, ends, size, factor, sketch, least, share, table,
    counts, places, offset, state, budget,
):  # fmt: skip
    """Count exactly the sequences that the sketch lets pass, in a table by their keys.

    `share` says which of how many parts of all keys are counted; `state` holds the next stretch and
    how many keys there are. It stops when the table might get too full or the budget is used up.
    """
    values, keys, is_good = _rooms(starts, ends)
    _count_ngrams(
        words, bits, codes, is_wanted, starts, ends, size, factor, sketch, least, share[0],
        share[1], table, counts, places, offset, state, budget, values, keys, is_good,
    )  # fmt: skip


@cython.cfunc
@cython.cdivision(True)
def _count_ngrams(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    codes: cython.const[cython.int][::1],
    is_wanted: cython.const[cython.ulonglong][::1],
    starts: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    size: cython.Py_ssize_t,
    factor: cython.ulonglong,
    sketch: cython.const[cython.ushort][::1],
    least: cython.Py_ssize_t,
    share: cython.ulonglong,
    shares: cython.ulonglong,
    table: cython.ulonglong[::1],
    counts: cython.uint[::1],
    places: cython.longlong[::1],
    offset: cython.Py_ssize_t,
    state: cython.longlong[::1],
    budget: cython.Py_ssize_t,
    values: cython.longlong[::1],
    keys: cython.ulonglong[::1],
    is_good: cython.uchar[::1],
) -> cython.Py_ssize_t:
    mask: cython.ulonglong = len(sketch) - 1
    slot: cython.ulonglong
    steps: cython.Py_ssize_t = 0
    number: cython.Py_ssize_t = state[0]
    used: cython.Py_ssize_t = state[1]
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    count: cython.Py_ssize_t
    at: cython.Py_ssize_t
    with cython.nogil:
        while number < len(starts):
            start, end = starts[number], ends[number]
            if steps > budget or 2 * (used + end - start) > len(table):
                break
            steps += end - start
            count = _read_keys(
                words, bits, codes, is_wanted, start, end, size, factor, values, keys, is_good
            )
            for at in range(count):
                slot = (((keys[at] * FIRST) & ALL) >> 40) & mask
                if is_good[at] and sketch[slot] >= least and slot % shares == share:
                    used += _add(table, counts, places, keys[at], 1, offset + start + at)
            number += 1
    state[0], state[1] = number, used
    return 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(-1)
def _add(
    table: cython.ulonglong[::1],
    counts: cython.uint[::1],
    places: cython.longlong[::1],
    key: cython.ulonglong,
    many: cython.uint,
    place: cython.longlong,
) -> cython.Py_ssize_t:
    """Add to the count of a key; return 1 if it is new."""
    slots: cython.ulonglong = len(table) - 1
    slot: cython.ulonglong = (((key * SECOND) & ALL) >> 36) & slots
    is_new: cython.bint
    while counts[slot] and table[slot] != key:
        slot = (slot + 1) & slots
    is_new = counts[slot] == 0
    counts[slot] += many
    if is_new:
        table[slot], places[slot] = key, place
    return is_new


def regrow(table, counts, places, larger, larger_counts, larger_places):
    """Put the keys of a table into a larger one."""
    _regrow(table, counts, places, larger, larger_counts, larger_places)


@cython.cfunc
def _regrow(
    table: cython.const[cython.ulonglong][::1],
    counts: cython.const[cython.uint][::1],
    places: cython.const[cython.longlong][::1],
    larger: cython.ulonglong[::1],
    larger_counts: cython.uint[::1],
    larger_places: cython.longlong[::1],
) -> cython.Py_ssize_t:
    number: cython.Py_ssize_t
    with cython.nogil:
        for number in range(len(table)):
            if counts[number]:
                _add(
                    larger, larger_counts, larger_places, table[number], counts[number],
                    places[number],
                )  # fmt: skip
    return 0
