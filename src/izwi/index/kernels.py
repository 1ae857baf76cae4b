"""Compiled loops of the index; imported only where there is much to do."""

# Numba gives no types; what goes in and comes out is said by the typed functions that call these.
# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"

import numba as nb
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

_U = np.uint64


@nb.njit(cache=True, nogil=True, inline="always")
def value_at(words, bits, place):
    """Return one packed value."""
    bit = _U(place) * _U(bits)
    word = bit >> _U(6)
    shift = bit & _U(63)
    found = words[word] >> shift
    if shift + _U(bits) > _U(64):
        found |= words[word + _U(1)] << (_U(64) - shift)
    return found & ((_U(1) << _U(bits)) - _U(1))


@nb.njit(cache=True, nogil=True)
def unpack(words, bits, begin, end):
    """Return a stretch of packed values."""
    found = np.empty(end - begin, np.int64)
    for place in range(begin, end):
        found[place - begin] = np.int64(value_at(words, bits, place))
    return found


@nb.njit(cache=True, nogil=True)
def gather(words, bits, places):
    """Return packed values at some places."""
    found = np.empty(len(places), np.int64)
    for number in range(len(places)):
        found[number] = np.int64(value_at(words, bits, places[number]))
    return found


@nb.njit(cache=True, nogil=True)
def holding(words, bits, starts, distance, wanted):
    """Return the starts at a distance from which one value stands."""
    found = np.empty(len(starts), np.int32)
    size = 0
    for start in starts:
        found[size] = start
        size += np.int64(value_at(words, bits, start + distance)) == wanted
    return found[:size]


@nb.njit(cache=True, nogil=True)
def holding_any(words, bits, starts, distance, wanted):
    """Return the starts at a distance from which one of the values wanted stands."""
    found = np.empty(len(starts), np.int32)
    size = 0
    for start in starts:
        found[size] = start
        size += wanted[value_at(words, bits, start + distance)]
    return found[:size]


@nb.njit(cache=True, nogil=True)
def common(few, many, distance):
    """Return the members of an ascending list at a distance from which those of another stand."""
    found = np.empty(len(few), np.int32)
    size, one, other = 0, 0, 0
    # Without branches but the loop's own: which list goes on next cannot be guessed.
    while one < len(few) and other < len(many):
        wanted, here = few[one] + distance, many[other]
        found[size] = few[one]
        size += wanted == here
        one += wanted <= here
        other += here <= wanted
    return found[:size]


@nb.njit(cache=True, nogil=True)
def pack(values, bits):
    """Return the words that hold some values."""
    words = np.zeros((len(values) * bits + 63) // 64, np.uint64)
    for place in range(len(values)):
        _put(words, place * bits, bits, values[place])
    return words


@nb.njit(cache=True, nogil=True, inline="always")
def _put(words, bit, bits, value):
    word, shift = bit >> 6, bit & 63
    words[word] |= value << _U(shift)
    if shift + bits > 64:
        words[word + 1] |= value >> _U(64 - shift)


@nb.njit(cache=True, nogil=True)
def count(words, bits, length, types):
    """Return how often each value of a column occurs."""
    counts = np.zeros(types, np.int64)
    for place in range(length):
        counts[value_at(words, bits, place)] += 1
    return counts


@nb.njit(cache=True, nogil=True)
def sort_positions(words, bits, length, first, last, counts):
    """Return the positions of the values from first up to last, grouped by value."""
    cursor = np.zeros(last - first + 1, np.int64)
    for value in range(first, last):
        cursor[value - first + 1] = cursor[value - first] + counts[value]
    positions = np.empty(cursor[last - first], np.uint32)
    for place in range(length):
        value = np.int64(value_at(words, bits, place))
        if first <= value < last:
            positions[cursor[value - first]] = place
            cursor[value - first] += 1
    return positions


@nb.njit(cache=True, nogil=True)
def low_bits(universe, count):
    """Return how many low bits of each number in a list are stored as they are."""
    low = 0
    while (universe >> (low + 1)) >= count:
        low += 1
    return low


@nb.njit(cache=True, nogil=True)
def encode_lists(positions, counts, universe):
    """Return ascending lists in Elias-Fano code, and the bit at which each begins."""
    begins = np.empty(len(counts) + 1, np.int64)
    bit, done = 0, 0
    for number in range(len(counts)):
        begins[number] = bit
        if counts[number]:
            low = low_bits(universe, counts[number])
            done += counts[number]
            bit += counts[number] * (low + 1) + (np.int64(positions[done - 1]) >> low)
    begins[len(counts)] = bit
    words = np.zeros(bit // 64 + 1, np.uint64)
    done = 0
    for number in range(len(counts)):
        size = counts[number]
        if size:
            _encode(words, begins[number], positions[done : done + size], low_bits(universe, size))
            done += size
    return words, begins


@nb.njit(cache=True, nogil=True)
def _encode(words, bit, values, low):
    mask = (_U(1) << _U(low)) - _U(1)
    upper = bit + len(values) * low
    for number in range(len(values)):
        value = _U(values[number])
        if low:
            _put(words, bit + number * low, low, value & mask)
        place = upper + number + np.int64(value >> _U(low))
        words[place >> 6] |= _U(1) << _U(place & 63)


@intrinsic
def trailing_zeros(typing, word):
    """Return how many zeros a word that is not zero ends with: one instruction of the machine."""

    def code(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return nb.types.uint64(nb.types.uint64), code


@nb.njit(cache=True, nogil=True)
def decode_list(words, bit, size, low, found, begin):
    """Put a list in Elias-Fano code into an array, from a place on."""
    upper = bit + size * low
    word = upper >> 6
    current = words[word] & ~((_U(1) << _U(upper & 63)) - _U(1))
    # What the upper bits count from; it moves on with each word and falls with each number.
    base = (word << 6) - upper
    at, width, mask = _U(bit), _U(low), (_U(1) << _U(low)) - _U(1)
    for number in range(begin, begin + size):
        while current == 0:
            word += 1
            base += 64
            current = words[word]
        high = _U(base + np.int64(trailing_zeros(current))) << width  # type: ignore[call-arg]
        current &= current - _U(1)
        base -= 1
        shift = at & _U(63)
        lower = words[at >> _U(6)] >> shift
        if shift + width > _U(64):
            lower |= words[(at >> _U(6)) + _U(1)] << (_U(64) - shift)
        at += width
        found[number] = np.int32(high | (lower & mask))


@nb.njit(cache=True, nogil=True)
def decode_lists(words, begins, sizes, universe, total):
    """Return several lists in Elias-Fano code, one after the other."""
    found = np.empty(total, np.int32)
    done = 0
    for number in range(len(sizes)):
        if sizes[number]:
            low = low_bits(universe, sizes[number])
            decode_list(words, begins[number], sizes[number], low, found, done)
            done += sizes[number]
    return found


@nb.njit(cache=True, nogil=True)
def scan(words, bits, begin, end, wanted, most):
    """Return the positions of a stretch whose value is wanted; there are at most so many."""
    found = np.empty(most + 1, np.int32)
    width, mask = _U(bits), (_U(1) << _U(bits)) - _U(1)
    bit = _U(begin) * width
    at = np.int64(bit >> _U(6))
    # What is left of the current word, and how many bits that is.
    rest, left = words[at] >> (bit & _U(63)), _U(64) - (bit & _U(63))
    size = 0
    for place in range(begin, end):
        value = rest & mask
        if left >= width:
            rest >>= width
            left -= width
        else:
            at += 1
            value = (value | words[at] << left) & mask
            rest = words[at] >> (width - left)
            left += _U(64) - width
        # Without a branch, which would be guessed wrongly too often.
        found[size] = place
        size += wanted[value]
    return found[:size]


@nb.njit(cache=True, nogil=True)
def distinct_pairs(first, first_bits, second, second_bits, length):
    """Return the pairs of values that two columns hold at the same places, each once."""
    size, used = 1 << 16, 0
    table = np.zeros(size, np.uint64)
    for place in range(length):
        # One more than the pair, so that nothing looks like an empty slot.
        one = value_at(first, first_bits, place)
        pair = (one << _U(32) | value_at(second, second_bits, place)) + _U(1)
        used += _insert(table, pair)
        if 2 * used > size:
            older, size = table, 2 * size
            table = np.zeros(size, np.uint64)
            for entry in older:
                if entry:
                    _insert(table, entry)
    return table[table > _U(0)] - _U(1)


@nb.njit(cache=True, nogil=True)
def _insert(table, entry):
    mask = _U(len(table) - 1)
    slot = (entry * _U(0x9E3779B97F4A7C15)) >> _U(20) & mask
    while table[slot] != _U(0):
        if table[slot] == entry:
            return 0
        slot = (slot + _U(1)) & mask
    table[slot] = entry
    return 1
