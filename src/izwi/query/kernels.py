"""Compiled loops of the query engine; imported only for queries that need an automaton."""

# Numba gives no types; what goes in and comes out is said by the typed functions that call these.
# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"

import numba as nb
import numpy as np

from izwi.index.kernels import trailing_zeros, value_at

_U = np.uint64


@nb.njit(cache=True, nogil=True)
def _allowed(columns, widths, tables, bases, free, place, word, states, reach):
    """Return which states of one word, of those within reach, the token at a place allows."""
    found = reach
    for slot in range(len(free)):
        # Columns no state in question looks at are not touched: each look may be a cache miss.
        if found & ~free[slot, word]:
            value = np.int64(value_at(columns[slot], widths[slot], place))
            found &= tables[(bases[slot] + value) * states + word] | free[slot, word]
    return found


@nb.njit(cache=True, nogil=True)
def match_longest(
    starts, begin, upper, lower, columns, widths, tables, bases, free,
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
                active[word] = _allowed(
                    columns,
                    widths,
                    tables,
                    bases,
                    free,
                    place,
                    word,
                    words,
                    reach[word],
                )
                some |= active[word]
                ends |= active[word] & last[word]
            # What may follow is looked up for each state and word.
            steps += words * words
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


# Starts that take their first steps together, and how many steps. Looks at a column from one loop
# do not wait for each other, and what is to be done for each column is done once for all starts.
_TOGETHER = 1024
_STEPS = 16


@nb.njit(cache=True, nogil=True)
def _following(active, follow):
    """Return the states that may follow the active ones, of at most 64."""
    reach = _U(0)
    while active:
        reach |= follow[trailing_zeros(active), 0]  # type: ignore[call-arg]
        active &= active - _U(1)
    return reach


@nb.njit(cache=True, nogil=True)
def _look(words, bits, table, free, starts, alive, step, active):
    """Take away the states that one column does not allow at a step from some starts."""
    for place in range(len(alive)):
        number = alive[place]
        if active[number] & ~free:
            value = value_at(words, bits, starts[number] + step)
            active[number] &= table[value] | free


@nb.njit(cache=True, nogil=True)
def _step_together(
    starts, upper, columns, widths, tables, bases, free, first, follow, last, is_known, reach, ends,
):  # fmt: skip
    """Take the first steps from some starts; note what is in reach then and where matches end.

    If it is known that a match may begin at every start, the tokens there are not looked at again.
    """
    alive = np.arange(len(starts))
    ends[:] = -1
    for number in range(len(starts)):
        reach[number] = first[0] if starts[number] < upper[number] else _U(0)
    for step in range(_STEPS):
        for slot in range(0 if step or not is_known else len(free), len(free)):
            table = tables[bases[slot] : bases[slot + 1]]
            _look(columns[slot], widths[slot], table, free[slot, 0], starts, alive, step, reach)
        left = 0
        for number in alive:
            following = starts[number] + step + 1
            if reach[number] & last[0]:
                ends[number] = following
            is_over = following >= upper[number]
            reach[number] = _U(0) if is_over else _following(reach[number], follow)
            alive[left] = number
            left += reach[number] != _U(0)
        alive = alive[:left]


@nb.njit(cache=True, nogil=True)
def match_narrow(
    starts, begin, upper, lower, columns, widths, tables, bases, free,
    first, follow, last, budget, found_starts, found_ends, is_known,
):  # fmt: skip
    """Do what match_longest does for an automaton of at most 64 states, which most are."""
    size, steps = 0, 0
    ends, reaches = np.empty(_TOGETHER, np.int64), np.empty(_TOGETHER, np.uint64)
    for base in range(begin, len(starts), _TOGETHER):
        top = min(base + _TOGETHER, len(starts))
        reached = reaches[: top - base]
        _step_together(
            starts[base:top], upper[base:top], columns, widths, tables, bases, free,
            first, follow, last, is_known, reached, ends[: top - base],
        )  # fmt: skip
        steps += len(reached)
        for number in range(base, base + len(reached)):
            if steps > budget:
                return number, size
            end, reach = ends[number - base], reached[number - base]
            place = starts[number] + _STEPS
            while place < upper[number] and reach:
                active = _allowed(columns, widths, tables, bases, free, place, 0, 1, reach)
                steps += 1
                place += 1
                if active & last[0]:
                    end = place
                reach = _following(active, follow)
            if end >= 0 and end >= lower[number]:
                found_starts[size] = starts[number]
                found_ends[size] = end
                size += 1
    return len(starts), size


@nb.njit(cache=True, nogil=True)
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
    starts, begin, upper, lower, columns, widths, tables, bases, free,
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
            if most > 100 * budget:
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
            wanted = _U(1) << bit
            place = origin + depth
            if not _allowed(
                columns,
                widths,
                tables,
                bases,
                free,
                place,
                word,
                words,
                wanted,
            ):
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
def _passed(edges, place, start, is_near):
    """Return how many of some edges, known to be as many as `place` at least, are up to a start."""
    if is_near:
        while place < len(edges) and edges[place] <= start:
            place += 1
        return place
    step = 1
    while place + step <= len(edges) and edges[place + step - 1] <= start:
        place += step
        step *= 2
    while step > 1:
        step //= 2
        if place + step <= len(edges) and edges[place + step - 1] <= start:
            place += step
    return place


@nb.njit(cache=True, nogil=True)
def bounds_at(starts, edges, values, default, is_right):
    """Return, for ascending starts, the value at the last edge (right) or the next edge (left)."""
    found = np.empty(len(starts), np.int32)
    # Where starts are dense the next edge is near; where they are rare, it is found by leaps.
    is_near, place = 4 * len(starts) > len(edges), 0
    for number in range(len(starts)):
        start = starts[number] if is_right else starts[number] - 1
        place = _passed(edges, place, start, is_near)
        at = place - 1 if is_right else place
        found[number] = values[at] if 0 <= at < len(edges) else default
    return found


@nb.njit(cache=True, nogil=True)
def tally(starts, edges):
    """Return the regions between edges that hold ascending starts, and how many each holds."""
    most = min(len(starts), len(edges))
    regions, counts = np.empty(most, np.int64), np.empty(most, np.int64)
    size, number, place = 0, 0, 0
    is_near = 4 * len(starts) > len(edges)
    while number < len(starts):
        place = _passed(edges, place, starts[number], is_near)
        begin = number
        end = edges[place] if place < len(edges) else starts[-1] + 1
        while number < len(starts) and starts[number] < end:
            number += 1
        regions[size], counts[size] = place - 1, number - begin
        size += 1
    return regions[:size], counts[:size]
