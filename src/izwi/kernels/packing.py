"""Numbers in few bits, and ascending lists in Elias-Fano code: written, read, looked through."""

import cython
import numpy as np

ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
# An odd number without a pattern, to scatter keys.
SCATTER = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
# The place of the lowest bit of a word, by the upper six bits of its product with this number.
SEQUENCE = cython.declare(cython.ulonglong, 0x03F79D71B4CB0A89)


def _places_of_bits():
    found = bytearray(64)
    for place in range(64):
        found[((0x03F79D71B4CB0A89 << place) & 0xFFFFFFFFFFFFFFFF) >> 58] = place
    return bytes(found)


LOWEST = cython.declare(cython.const[cython.uchar][::1], _places_of_bits())


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(-1)
def _value_at(
    words: cython.const[cython.ulonglong][::1], bits: cython.Py_ssize_t, place: cython.Py_ssize_t
) -> cython.longlong:
    """Return one packed value."""
    bit: cython.Py_ssize_t = place * bits
    word: cython.Py_ssize_t = bit >> 6
    shift: cython.Py_ssize_t = bit & 63
    found: cython.ulonglong = words[word] >> shift
    if shift + bits > 64:
        found |= words[word + 1] << (64 - shift)
    return found & (ALL >> (64 - bits))


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(-1)
def _lowest(word: cython.ulonglong) -> cython.Py_ssize_t:
    """Return how many zeros a word that is not zero ends with."""
    single: cython.ulonglong = word & ((~word + 1) & ALL)
    return LOWEST[((single * SEQUENCE) & ALL) >> 58]


def unpack(words, bits, begin, end):
    """Return a stretch of packed values."""
    found = np.empty(max(0, end - begin), np.int64)
    _unpack(words, bits, begin, end, found)
    return found


@cython.cfunc
def _unpack(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    found: cython.longlong[::1],
) -> cython.Py_ssize_t:
    place: cython.Py_ssize_t
    with cython.nogil:
        for place in range(begin, end):
            found[place - begin] = _value_at(words, bits, place)
    return 0


def gather(words, bits, places):
    """Return packed values at some places."""
    places = np.ascontiguousarray(places, np.int64)
    found = np.empty(len(places), np.int64)
    _gather(words, bits, places, found)
    return found


@cython.cfunc
def _gather(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    places: cython.const[cython.longlong][::1],
    found: cython.longlong[::1],
) -> cython.Py_ssize_t:
    number: cython.Py_ssize_t
    with cython.nogil:
        for number in range(len(places)):
            found[number] = _value_at(words, bits, places[number])
    return 0


def holding(words, bits, starts, distance, wanted):
    """Return the starts at a distance from which one value stands."""
    starts = np.ascontiguousarray(starts, np.int32)
    found = np.empty(len(starts), np.int32)
    return found[: _holding(words, bits, starts, distance, wanted, found)]


@cython.cfunc
def _holding(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    starts: cython.const[cython.int][::1],
    distance: cython.Py_ssize_t,
    wanted: cython.longlong,
    found: cython.int[::1],
) -> cython.Py_ssize_t:
    number: cython.Py_ssize_t
    size: cython.Py_ssize_t = 0
    with cython.nogil:
        for number in range(len(starts)):
            found[size] = starts[number]
            size += _value_at(words, bits, starts[number] + distance) == wanted
    return size


def holding_any(words, bits, starts, distance, wanted):
    """Return the starts at a distance from which one of the values wanted stands."""
    starts = np.ascontiguousarray(starts, np.int32)
    found = np.empty(len(starts), np.int32)
    return found[: _holding_any(words, bits, starts, distance, wanted.view(np.uint8), found)]


@cython.cfunc
def _holding_any(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    starts: cython.const[cython.int][::1],
    distance: cython.Py_ssize_t,
    wanted: cython.const[cython.uchar][::1],
    found: cython.int[::1],
) -> cython.Py_ssize_t:
    number: cython.Py_ssize_t
    size: cython.Py_ssize_t = 0
    with cython.nogil:
        for number in range(len(starts)):
            found[size] = starts[number]
            size += wanted[_value_at(words, bits, starts[number] + distance)]
    return size


def equal(words, bits, starts, one, two):
    """Return the starts at two distances from which the same value stands."""
    starts = np.ascontiguousarray(starts, np.int32)
    found = np.empty(len(starts), np.int32)
    return found[: _equal(words, bits, starts, one, two, found)]


@cython.cfunc
def _equal(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    starts: cython.const[cython.int][::1],
    one: cython.Py_ssize_t,
    two: cython.Py_ssize_t,
    found: cython.int[::1],
) -> cython.Py_ssize_t:
    number: cython.Py_ssize_t
    place: cython.Py_ssize_t
    size: cython.Py_ssize_t = 0
    with cython.nogil:
        for number in range(len(starts)):
            place = starts[number]
            found[size] = starts[number]
            size += _value_at(words, bits, place + one) == _value_at(words, bits, place + two)
    return size


def common(few, many, distance, universe):
    """Return the members of one list at a distance from which those of another stand.

    By way of a map of bits: twice as fast as a merge, whose branches cannot be guessed.
    """
    few, many = np.ascontiguousarray(few, np.int32), np.ascontiguousarray(many, np.int32)
    found = np.empty(len(few), np.int32)
    bits = np.zeros(universe // 64 + 1, np.uint64)
    return found[: _common(few, many, distance, bits, found)]


@cython.cfunc
def _common(
    few: cython.const[cython.int][::1],
    many: cython.const[cython.int][::1],
    distance: cython.Py_ssize_t,
    bits: cython.ulonglong[::1],
    found: cython.int[::1],
) -> cython.Py_ssize_t:
    number: cython.Py_ssize_t
    place: cython.Py_ssize_t
    one: cython.ulonglong = 1
    size: cython.Py_ssize_t = 0
    with cython.nogil:
        for number in range(len(many)):
            place = many[number]
            bits[place >> 6] |= one << (place & 63)
        for number in range(len(few)):
            place = few[number] + distance
            found[size] = few[number]
            size += (bits[place >> 6] >> (place & 63)) & 1
    return size


def pack(values, bits):
    """Return the words that hold some values."""
    words = np.zeros((len(values) * bits + 63) // 64, np.uint64)
    _pack(values, bits, words)
    return words


@cython.cfunc
def _pack(
    values: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    words: cython.ulonglong[::1],
) -> cython.Py_ssize_t:
    place: cython.Py_ssize_t
    with cython.nogil:
        for place in range(len(values)):
            _put(words, place * bits, bits, values[place])
    return 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(-1)
def _put(
    words: cython.ulonglong[::1],
    bit: cython.Py_ssize_t,
    bits: cython.Py_ssize_t,
    value: cython.ulonglong,
) -> cython.Py_ssize_t:
    """Add the bits of a value at a place."""
    word: cython.Py_ssize_t = bit >> 6
    shift: cython.Py_ssize_t = bit & 63
    words[word] |= (value << shift) & ALL
    if shift + bits > 64:
        words[word + 1] |= value >> (64 - shift)
    return 0


def count(words, bits, length, types):
    """Return how often each value of a column occurs."""
    counts = np.zeros(types, np.int64)
    _count(words, bits, length, counts)
    return counts


@cython.cfunc
def _count(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    counts: cython.longlong[::1],
) -> cython.Py_ssize_t:
    place: cython.Py_ssize_t
    with cython.nogil:
        for place in range(length):
            counts[_value_at(words, bits, place)] += 1
    return 0


def sort_positions(words, bits, length, first, last, counts):
    """Return the positions of the values from first up to last, grouped by value."""
    cursor = np.concatenate(([0], np.cumsum(counts[first:last]))).astype(np.int64)
    positions = np.empty(int(cursor[-1]), np.uint32)
    _sort_positions(words, bits, length, first, last, cursor, positions)
    return positions


@cython.cfunc
def _sort_positions(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    first: cython.longlong,
    last: cython.longlong,
    cursor: cython.longlong[::1],
    positions: cython.uint[::1],
) -> cython.Py_ssize_t:
    place: cython.Py_ssize_t
    value: cython.longlong
    with cython.nogil:
        for place in range(length):
            value = _value_at(words, bits, place)
            if first <= value < last:
                positions[cursor[value - first]] = cython.cast(cython.uint, place)
                cursor[value - first] += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(-1)
def _low_bits(universe: cython.longlong, size: cython.longlong) -> cython.Py_ssize_t:
    """Return how many low bits of each number in a list are stored as they are."""
    low: cython.Py_ssize_t = 0
    while (universe >> (low + 1)) >= size:
        low += 1
    return low


def encode_lists(positions, counts, universe):
    """Return ascending lists in Elias-Fano code, and the bit at which each begins."""
    begins = np.empty(len(counts) + 1, np.int64)
    bits = _measure(positions, counts, universe, begins)
    words = np.zeros(bits // 64 + 1, np.uint64)
    _encode_lists(positions, counts, universe, begins, words)
    return words, begins


@cython.cfunc
def _measure(
    positions: cython.const[cython.uint][::1],
    counts: cython.const[cython.longlong][::1],
    universe: cython.longlong,
    begins: cython.longlong[::1],
) -> cython.longlong:
    """Note at which bit each list begins; return at which the last ends."""
    number: cython.Py_ssize_t
    low: cython.Py_ssize_t
    bit: cython.longlong = 0
    done: cython.Py_ssize_t = 0
    with cython.nogil:
        for number in range(len(counts)):
            begins[number] = bit
            if counts[number]:
                low = _low_bits(universe, counts[number])
                done += counts[number]
                bit += counts[number] * (low + 1) + (positions[done - 1] >> low)
        begins[len(counts)] = bit
    return bit


@cython.cfunc
def _encode_lists(
    positions: cython.const[cython.uint][::1],
    counts: cython.const[cython.longlong][::1],
    universe: cython.longlong,
    begins: cython.const[cython.longlong][::1],
    words: cython.ulonglong[::1],
) -> cython.Py_ssize_t:
    number: cython.Py_ssize_t
    done: cython.Py_ssize_t = 0
    with cython.nogil:
        for number in range(len(counts)):
            if counts[number]:
                _encode(
                    words, begins[number], positions, done, counts[number],
                    _low_bits(universe, counts[number]),
                )  # fmt: skip
                done += counts[number]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _encode(
    words: cython.ulonglong[::1],
    bit: cython.Py_ssize_t,
    values: cython.const[cython.uint][::1],
    begin: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    low: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Write one list: the low bits of its numbers, then the upper ones as steps."""
    one: cython.ulonglong = 1
    mask: cython.ulonglong = (one << low) - 1
    upper: cython.Py_ssize_t = bit + size * low
    number: cython.Py_ssize_t
    place: cython.Py_ssize_t
    value: cython.ulonglong
    for number in range(size):
        value = values[begin + number]
        if low:
            _put(words, bit + number * low, low, value & mask)
        place = upper + number + (value >> low)
        words[place >> 6] |= one << (place & 63)
    return 0


def decode_lists(words, begins, sizes, universe, total):
    """Return several lists in Elias-Fano code, one after the other."""
    found = np.empty(total, np.int32)
    _decode_lists(words, begins, sizes, universe, found)
    return found


@cython.cfunc
def _decode_lists(
    words: cython.const[cython.ulonglong][::1],
    begins: cython.const[cython.longlong][::1],
    sizes: cython.const[cython.longlong][::1],
    universe: cython.longlong,
    found: cython.int[::1],
) -> cython.Py_ssize_t:
    number: cython.Py_ssize_t
    done: cython.Py_ssize_t = 0
    with cython.nogil:
        for number in range(len(sizes)):
            if sizes[number]:
                _decode(
                    words, begins[number], sizes[number], _low_bits(universe, sizes[number]),
                    found, done,
                )  # fmt: skip
                done += sizes[number]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _decode(
    words: cython.const[cython.ulonglong][::1],
    bit: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    low: cython.Py_ssize_t,
    found: cython.int[::1],
    begin: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Put one list into an array, from a place on."""
    one: cython.ulonglong = 1
    upper: cython.Py_ssize_t = bit + size * low
    word: cython.Py_ssize_t = upper >> 6
    current: cython.ulonglong = words[word] & (ALL - ((one << (upper & 63)) - 1))
    mask: cython.ulonglong = (one << low) - 1
    # What the upper bits count from; it moves on with each word and falls with each number.
    base: cython.Py_ssize_t = (word << 6) - upper
    at: cython.Py_ssize_t = bit
    number: cython.Py_ssize_t
    shift: cython.Py_ssize_t
    high: cython.ulonglong
    lower: cython.ulonglong
    for number in range(begin, begin + size):
        while current == 0:
            word += 1
            base += 64
            current = words[word]
        high = cython.cast(cython.ulonglong, base + _lowest(current)) << low
        current &= current - 1
        base -= 1
        shift = at & 63
        lower = words[at >> 6] >> shift
        if shift + low > 64:
            lower |= words[(at >> 6) + 1] << (64 - shift)
        at += low
        found[number] = cython.cast(cython.int, high | (lower & mask))
    return 0


def scan(words, bits, begin, end, wanted, most):
    """Return the positions of a stretch whose value is wanted; there are at most so many."""
    found = np.empty(most + 1, np.int32)
    return found[: _scan(words, bits, begin, end, wanted.view(np.uint8), found)]


@cython.cfunc
def _scan(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    wanted: cython.const[cython.uchar][::1],
    found: cython.int[::1],
) -> cython.Py_ssize_t:
    mask: cython.ulonglong = ALL >> (64 - bits)
    at: cython.Py_ssize_t = (begin * bits) >> 6
    # What is left of the current word, and how many bits that is.
    left: cython.Py_ssize_t = 64 - ((begin * bits) & 63)
    rest: cython.ulonglong = words[at] >> (64 - left)
    value: cython.ulonglong
    place: cython.Py_ssize_t
    size: cython.Py_ssize_t = 0
    with cython.nogil:
        for place in range(begin, end):
            value = rest & mask
            if left >= bits:
                rest = (rest >> (bits - 1)) >> 1
                left -= bits
            else:
                at += 1
                value = (value | (words[at] << left)) & mask
                rest = (words[at] >> (bits - left - 1)) >> 1
                left += 64 - bits
            # Without a branch, which would be guessed wrongly too often.
            found[size] = cython.cast(cython.int, place)
            size += wanted[value]
    return size


def distinct_pairs(first, first_bits, second, second_bits, length):
    """Return the pairs of values that two columns hold at the same places, each once."""
    table = np.zeros(1 << 16, np.uint64)
    state = np.zeros(2, np.int64)
    while True:
        _add_pairs(first, first_bits, second, second_bits, length, table, state)
        if state[0] >= length:
            return table[table > 0] - np.uint64(1)
        older, table = table, np.zeros(2 * len(table), np.uint64)
        _regrow(older, table)


@cython.cfunc
def _add_pairs(
    first: cython.const[cython.ulonglong][::1],
    first_bits: cython.Py_ssize_t,
    second: cython.const[cython.ulonglong][::1],
    second_bits: cython.Py_ssize_t,
    length: cython.Py_ssize_t,
    table: cython.ulonglong[::1],
    state: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Go on from the place in `state` until the table is half full."""
    place: cython.Py_ssize_t = state[0]
    used: cython.Py_ssize_t = state[1]
    pair: cython.ulonglong
    one: cython.ulonglong
    with cython.nogil:
        while place < length and 2 * used <= len(table):
            # One more than the pair, so that nothing looks like an empty slot.
            one = _value_at(first, first_bits, place)
            pair = ((one << 32) | _value_at(second, second_bits, place)) + 1
            used += _insert(table, pair)
            place += 1
    state[0], state[1] = place, used
    return 0


@cython.cfunc
def _regrow(
    older: cython.const[cython.ulonglong][::1], table: cython.ulonglong[::1]
) -> cython.Py_ssize_t:
    number: cython.Py_ssize_t
    with cython.nogil:
        for number in range(len(older)):
            if older[number]:
                _insert(table, older[number])
    return 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(-1)
def _insert(table: cython.ulonglong[::1], entry: cython.ulonglong) -> cython.Py_ssize_t:
    """Put an entry into a table; return 1 if it is new."""
    mask: cython.ulonglong = len(table) - 1
    slot: cython.ulonglong = (((entry * SCATTER) & ALL) >> 20) & mask
    while table[slot] != 0:
        if table[slot] == entry:
            return 0
        slot = (slot + 1) & mask
    table[slot] = entry
    return 1
