"""Compiled loops of the query engine; imported only for queries that need an automaton."""

# Numba gives no types; what goes in and comes out is said by the typed functions that call these.
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

import numba as nb
import numpy as np

from izwi.index.kernels import value_at

_U = np.uint64


@nb.njit(cache=True, nogil=True, inline="always")
def _allowed(columns, widths, tables, bases, free, used, place, word, states):
    """Return which states of one word the token at a place allows."""
    found = ~_U(0)
    for slot in range(used):
        value = np.int64(value_at(columns[slot], widths[slot], place))
        found &= tables[(bases[slot] + value) * states + word] | free[slot, word]
    return found


@nb.njit(cache=True, nogil=True)
def match_longest(
    starts, begin, upper, lower, columns, widths, tables, bases, free, used,
    first, follow, last, budget, found_starts, found_ends,
):  # fmt: skip
    """Run the automaton from some starts; return the next start and how many hits were written.

    States are bits of `words` 64-bit words. For each start the longest match that ends at most at
    its upper and at least at its lower bound is kept. It stops when the budget of steps is used up.
    """
    words = len(first)
    active = np.zeros(words, np.uint64)
    reach = np.zeros(words, np.uint64)
    size, steps = 0, 0
    for number in range(begin, len(starts)):
        if steps > budget:
            return number, size
        end = -1
        place = starts[number]
        reach[:] = first
        while place < upper[number]:
            some = _U(0)
            ends = _U(0)
            for word in range(words):
                active[word] = reach[word]
                if reach[word]:
                    active[word] &= _allowed(
                        columns, widths, tables, bases, free, used, place, word, words
                    )
                some |= active[word]
                ends |= active[word] & last[word]
            steps += 1
            place += 1
            if some == 0:
                break
            if ends:
                end = place
            _advance(active, follow, reach)
        if end >= 0 and end >= lower[number]:
            found_starts[size] = starts[number]
            found_ends[size] = end
            size += 1
    return len(starts), size


@nb.njit(cache=True, nogil=True)
def match_narrow(
    starts, begin, upper, lower, columns, widths, tables, bases, free, used,
    first, follow, last, budget, found_starts, found_ends,
):  # fmt: skip
    """Do what match_longest does for an automaton of at most 64 states, which most are."""
    size, steps = 0, 0
    for number in range(begin, len(starts)):
        if steps > budget:
            return number, size
        end = -1
        place = starts[number]
        reach = first[0]
        while place < upper[number] and reach:
            active = reach & _allowed(columns, widths, tables, bases, free, used, place, 0, 1)
            steps += 1
            place += 1
            if active & last[0]:
                end = place
            reach = _U(0)
            state = 0
            while active:
                if active & _U(1):
                    reach |= follow[state, 0]
                active >>= _U(1)
                state += 1
        if end >= 0 and end >= lower[number]:
            found_starts[size] = starts[number]
            found_ends[size] = end
            size += 1
    return len(starts), size


@nb.njit(cache=True, nogil=True, inline="always")
def _advance(active, follow, reach):
    """Put into `reach` the states that may follow the active ones."""
    reach[:] = _U(0)
    for word in range(len(active)):
        rest = active[word]
        state = word * 64
        while rest:
            if rest & _U(1):
                for other in range(len(active)):
                    reach[other] |= follow[state, other]
            rest >>= _U(1)
            state += 1


@nb.njit(cache=True, nogil=True)
def match_labelled(
    starts, begin, upper, lower, columns, widths, tables, bases, free, used,
    first, follow, last, budget, found_starts, found_ends,
    label_of, comparisons, compared, compared_widths, translation,
):  # fmt: skip
    """Like match_longest, but try every path, since what labels stand for depends on the path.

    A comparison is (label, column, label, column, negated, where its translation begins or -1).
    """
    words = len(first)
    deepest = 1
    for number in range(len(starts)):
        deepest = max(deepest, upper[number] - starts[number])
    path = np.zeros(deepest + 1, np.int64)
    bound = np.full(64, -1, np.int64)
    states = len(label_of)
    size, steps = 0, 0
    for number in range(begin, len(starts)):
        if steps > budget:
            return number, size, False
        end, depth, state = -1, 0, 0
        origin, most = starts[number], 0
        while depth >= 0:
            steps += 1
            most += 1
            if most > 50 * budget:
                return number, size, True
            if state >= states or origin + depth >= upper[number]:
                depth -= 1
                if depth >= 0:
                    state = path[depth] + 1
                continue
            word, bit = state >> 6, _U(state & 63)
            sources = first if depth == 0 else follow[path[depth - 1]]
            if not (sources[word] >> bit) & _U(1):
                state += 1
                continue
            here = _allowed(columns, widths, tables, bases, free, used, origin + depth, word, words)
            if not (here >> bit) & _U(1):
                state += 1
                continue
            path[depth] = state
            if (last[word] >> bit) & _U(1) and origin + depth + 1 > end:
                _bind(bound, path, depth, label_of, origin)
                if _holds(bound, comparisons, compared, compared_widths, translation):
                    end = origin + depth + 1
            depth += 1
            state = 0
        if end >= 0 and end >= lower[number]:
            found_starts[size] = origin
            found_ends[size] = end
            size += 1
    return len(starts), size, False


@nb.njit(cache=True, nogil=True)
def _bind(bound, path, depth, label_of, origin):
    """Note at which position each label of a path stands, the last one if there are several."""
    bound[:] = -1
    for place in range(depth + 1):
        label = label_of[path[place]]
        if label >= 0:
            bound[label] = origin + place


@nb.njit(cache=True, nogil=True)
def _holds(bound, comparisons, compared, widths, translation):
    for number in range(len(comparisons)):
        one, two = bound[comparisons[number, 0]], bound[comparisons[number, 2]]
        if one < 0 or two < 0:
            return False
        a, b = comparisons[number, 1], comparisons[number, 3]
        first = np.int64(value_at(compared[a], widths[a], one))
        second = np.int64(value_at(compared[b], widths[b], two))
        if comparisons[number, 5] >= 0:
            second = translation[comparisons[number, 5] + second]
        if (first == second) == (comparisons[number, 4] == 1):
            return False
    return True


@nb.njit(cache=True, nogil=True)
def bounds_at(starts, edges, values, default, is_right):
    """Return, for ascending starts, the value at the last edge (right) or the next edge (left)."""
    found = np.empty(len(starts), np.int32)
    place = 0
    for number in range(len(starts)):
        start = starts[number]
        step = 1
        while place + step <= len(edges) and (
            edges[place + step - 1] <= start if is_right else edges[place + step - 1] < start
        ):
            place += step
            step *= 2
        while step > 1:
            step //= 2
            if place + step <= len(edges) and (
                edges[place + step - 1] <= start if is_right else edges[place + step - 1] < start
            ):
                place += step
        at = place - 1 if is_right else place
        found[number] = values[at] if 0 <= at < len(edges) else default
    return found


@nb.njit(cache=True, nogil=True)
def count_by_region(starts, edges):
    """Return how many ascending starts lie in each region that begins at an edge."""
    counts = np.zeros(len(edges), np.int64)
    place = -1
    for number in range(len(starts)):
        while place + 1 < len(edges) and edges[place + 1] <= starts[number]:
            place += 1
        if place >= 0:
            counts[place] += 1
    return counts
