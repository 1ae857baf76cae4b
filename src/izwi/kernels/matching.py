"""Patterns run over packed columns: which starts have a match, how far it goes, and what it binds.

States are bits. A table for each column says which states a value allows; what may follow a state
is a row of bits. Columns cannot be kept in a list here without giving up that every look is
checked, so they have fields of their own.
"""

import cython
import numpy as np
from cython.cimports.izwi.kernels.matching_rows import (
    BOTH,
    CONSTANT,
    DISTANCE,
    EITHER,
    EQUAL,
    GUIDE_BITS,
    LESS,
    MOST_LABELS,
    NEITHER,
    STEPS,
    TOGETHER,
)

ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
# The place of the lowest bit of a word, by the upper six bits of its product with this number.
SEQUENCE = cython.declare(cython.ulonglong, 0x03F79D71B4CB0A89)


def _places_of_bits():
    found = bytearray(64)
    for place in range(64):
        found[((0x03F79D71B4CB0A89 << place) & 0xFFFFFFFFFFFFFFFF) >> 58] = place
    return bytes(found)


LOWEST = cython.declare(cython.const[cython.uchar][::1], _places_of_bits())
NO_LABELS = np.empty((0, 0), np.int64)


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


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(-1)
def _look(
    words: cython.const[cython.ulonglong][::1],
    bits: cython.Py_ssize_t,
    tables: cython.const[cython.ulonglong][::1],
    base: cython.Py_ssize_t,
    free: cython.ulonglong,
    starts: cython.const[cython.int][::1],
    begin: cython.Py_ssize_t,
    alive: cython.longlong[::1],
    many: cython.Py_ssize_t,
    step: cython.Py_ssize_t,
    reach: cython.ulonglong[::1],
) -> cython.Py_ssize_t:
    """Take away the states that one column does not allow at a step from some starts."""
    at: cython.Py_ssize_t
    number: cython.Py_ssize_t
    for at in range(many):
        number = alive[at]
        if reach[number] & (ALL ^ free):
            reach[number] &= (
                tables[base + _value_at(words, bits, starts[begin + number] + step)] | free
            )
    return 0


@cython.final
@cython.cclass
class Matcher:
    """An automaton over the columns of a segment."""

    column0: cython.const[cython.ulonglong][::1]
    column1: cython.const[cython.ulonglong][::1]
    column2: cython.const[cython.ulonglong][::1]
    column3: cython.const[cython.ulonglong][::1]
    column4: cython.const[cython.ulonglong][::1]
    column5: cython.const[cython.ulonglong][::1]
    column6: cython.const[cython.ulonglong][::1]
    column7: cython.const[cython.ulonglong][::1]
    column8: cython.const[cython.ulonglong][::1]
    column9: cython.const[cython.ulonglong][::1]
    column10: cython.const[cython.ulonglong][::1]
    column11: cython.const[cython.ulonglong][::1]
    column12: cython.const[cython.ulonglong][::1]
    column13: cython.const[cython.ulonglong][::1]
    column14: cython.const[cython.ulonglong][::1]
    column15: cython.const[cython.ulonglong][::1]
    widths: cython.const[cython.longlong][::1]
    tables: cython.const[cython.ulonglong][::1]
    bases: cython.const[cython.longlong][::1]
    free: cython.const[cython.ulonglong][:, ::1]
    first: cython.const[cython.ulonglong][::1]
    follow: cython.const[cython.ulonglong][:, ::1]
    last: cython.const[cython.ulonglong][::1]
    # States that any token meets, that lead to themselves and end a match.
    endless: cython.const[cython.ulonglong][::1]
    is_shortest: cython.bint
    slots: cython.Py_ssize_t
    words: cython.Py_ssize_t
    active: cython.ulonglong[::1]
    reach: cython.ulonglong[::1]

    def __init__(self, columns, widths, automaton, is_shortest):
        self.column0 = columns[0]
        self.column1 = columns[1]
        self.column2 = columns[2]
        self.column3 = columns[3]
        self.column4 = columns[4]
        self.column5 = columns[5]
        self.column6 = columns[6]
        self.column7 = columns[7]
        self.column8 = columns[8]
        self.column9 = columns[9]
        self.column10 = columns[10]
        self.column11 = columns[11]
        self.column12 = columns[12]
        self.column13 = columns[13]
        self.column14 = columns[14]
        self.column15 = columns[15]
        self.widths = widths
        self.tables, self.bases, self.free, self.first, self.follow, self.last, self.endless = (
            automaton
        )
        self.is_shortest = is_shortest
        self.slots = len(self.free)
        self.words = len(self.first)
        self.active = np.zeros(self.words, np.uint64)
        self.reach = np.zeros(self.words, np.uint64)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _value(self, slot: cython.Py_ssize_t, place: cython.Py_ssize_t) -> cython.longlong:
        """Return the value of a column at a place."""
        bits: cython.Py_ssize_t = self.widths[slot]
        if slot == 0:
            return _value_at(self.column0, bits, place)
        if slot == 1:
            return _value_at(self.column1, bits, place)
        if slot == 2:
            return _value_at(self.column2, bits, place)
        if slot == 3:
            return _value_at(self.column3, bits, place)
        if slot == 4:
            return _value_at(self.column4, bits, place)
        if slot == 5:
            return _value_at(self.column5, bits, place)
        if slot == 6:
            return _value_at(self.column6, bits, place)
        if slot == 7:
            return _value_at(self.column7, bits, place)
        if slot == 8:
            return _value_at(self.column8, bits, place)
        if slot == 9:
            return _value_at(self.column9, bits, place)
        if slot == 10:
            return _value_at(self.column10, bits, place)
        if slot == 11:
            return _value_at(self.column11, bits, place)
        if slot == 12:
            return _value_at(self.column12, bits, place)
        if slot == 13:
            return _value_at(self.column13, bits, place)
        if slot == 14:
            return _value_at(self.column14, bits, place)
        if slot == 15:
            return _value_at(self.column15, bits, place)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _look_at(
        self,
        slot: cython.Py_ssize_t,
        starts: cython.const[cython.int][::1],
        begin: cython.Py_ssize_t,
        alive: cython.longlong[::1],
        many: cython.Py_ssize_t,
        step: cython.Py_ssize_t,
        reach: cython.ulonglong[::1],
    ) -> cython.Py_ssize_t:
        """Look at one column at a step from some starts."""
        bits: cython.Py_ssize_t = self.widths[slot]
        base: cython.Py_ssize_t = self.bases[slot]
        free: cython.ulonglong = self.free[slot, 0]
        if slot == 0:
            _look(
                self.column0, bits, self.tables, base, free, starts, begin, alive, many, step, reach
            )
        elif slot == 1:
            _look(
                self.column1, bits, self.tables, base, free, starts, begin, alive, many, step, reach
            )
        elif slot == 2:
            _look(
                self.column2, bits, self.tables, base, free, starts, begin, alive, many, step, reach
            )
        elif slot == 3:
            _look(
                self.column3, bits, self.tables, base, free, starts, begin, alive, many, step, reach
            )
        elif slot == 4:
            _look(
                self.column4, bits, self.tables, base, free, starts, begin, alive, many, step, reach
            )
        elif slot == 5:
            _look(
                self.column5, bits, self.tables, base, free, starts, begin, alive, many, step, reach
            )
        elif slot == 6:
            _look(
                self.column6, bits, self.tables, base, free, starts, begin, alive, many, step, reach
            )
        elif slot == 7:
            _look(
                self.column7, bits, self.tables, base, free, starts, begin, alive, many, step, reach
            )
        elif slot == 8:
            _look(
                self.column8, bits, self.tables, base, free, starts, begin, alive, many, step, reach
            )
        elif slot == 9:
            _look(
                self.column9, bits, self.tables, base, free, starts, begin, alive, many, step, reach
            )
        elif slot == 10:
            _look(
                self.column10,
                bits,
                self.tables,
                base,
                free,
                starts,
                begin,
                alive,
                many,
                step,
                reach,
            )
        elif slot == 11:
            _look(
                self.column11,
                bits,
                self.tables,
                base,
                free,
                starts,
                begin,
                alive,
                many,
                step,
                reach,
            )
        elif slot == 12:
            _look(
                self.column12,
                bits,
                self.tables,
                base,
                free,
                starts,
                begin,
                alive,
                many,
                step,
                reach,
            )
        elif slot == 13:
            _look(
                self.column13,
                bits,
                self.tables,
                base,
                free,
                starts,
                begin,
                alive,
                many,
                step,
                reach,
            )
        elif slot == 14:
            _look(
                self.column14,
                bits,
                self.tables,
                base,
                free,
                starts,
                begin,
                alive,
                many,
                step,
                reach,
            )
        elif slot == 15:
            _look(
                self.column15,
                bits,
                self.tables,
                base,
                free,
                starts,
                begin,
                alive,
                many,
                step,
                reach,
            )
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(0xFFFFFFFFFFFFFFFF)
    def _allowed(
        self, place: cython.Py_ssize_t, word: cython.Py_ssize_t, reach: cython.ulonglong
    ) -> cython.ulonglong:
        """Return which states of one word, of those within reach, the token at a place allows."""
        found: cython.ulonglong = reach
        slot: cython.Py_ssize_t
        for slot in range(self.slots):
            # Columns no state in question looks at are not touched: each look may be a cache miss.
            if found & (ALL ^ self.free[slot, word]):
                found &= (
                    self.tables[(self.bases[slot] + self._value(slot, place)) * self.words + word]
                    | self.free[slot, word]
                )
        return found

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(0xFFFFFFFFFFFFFFFF)
    def _following(self, active: cython.ulonglong) -> cython.ulonglong:
        """Return the states that may follow the active ones, of at most 64."""
        reach: cython.ulonglong = 0
        while active:
            reach |= self.follow[_lowest(active), 0]
            active &= active - 1
        return reach

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _advance(self) -> cython.Py_ssize_t:
        """Put into `reach` the states that may follow the active ones."""
        word: cython.Py_ssize_t
        other: cython.Py_ssize_t
        state: cython.Py_ssize_t
        rest: cython.ulonglong
        for word in range(self.words):
            self.reach[word] = 0
        for word in range(self.words):
            rest = self.active[word]
            while rest:
                state = 64 * word + _lowest(rest)
                rest &= rest - 1
                for other in range(self.words):
                    self.reach[other] |= self.follow[state, other]
        return 0

    def wide(self, starts, begin, upper, lower, budget, found_starts, found_ends):
        """Run the automaton from some starts; return the next start and how many hits there are.

        For each start the longest match (or the shortest) that ends at most at its upper and at
        least at its lower bound is kept. It stops when the budget of steps is used up.
        """
        state = np.array([begin, 0], np.int64)
        self._wide(starts, upper, lower, budget, found_starts, found_ends, state)
        return int(state[0]), int(state[1])

    @cython.cfunc
    def _wide(
        self,
        starts: cython.const[cython.int][::1],
        upper: cython.const[cython.int][::1],
        lower: cython.const[cython.int][::1],
        budget: cython.Py_ssize_t,
        found_starts: cython.int[::1],
        found_ends: cython.int[::1],
        state: cython.longlong[::1],
    ) -> cython.Py_ssize_t:
        size: cython.Py_ssize_t = 0
        steps: cython.Py_ssize_t = 0
        number: cython.Py_ssize_t = state[0]
        end: cython.Py_ssize_t
        place: cython.Py_ssize_t
        word: cython.Py_ssize_t
        some: cython.ulonglong
        ends: cython.ulonglong
        endless: cython.ulonglong
        with cython.nogil:
            while number < len(starts) and steps <= budget:
                end, place = -1, starts[number]
                for word in range(self.words):
                    self.reach[word] = self.first[word]
                while place < upper[number]:
                    some, ends, endless = 0, 0, 0
                    for word in range(self.words):
                        self.active[word] = self._allowed(place, word, self.reach[word])
                        some |= self.active[word]
                        ends |= self.active[word] & self.last[word]
                        endless |= self.active[word] & self.endless[word]
                    # What may follow is looked up for each state and word.
                    steps += self.words * self.words
                    place += 1
                    if some == 0:
                        break
                    if ends:
                        end = place
                        if self.is_shortest and end >= lower[number]:
                            break
                    if endless and not self.is_shortest:
                        end = upper[number]
                        break
                    self._advance()
                if end >= 0 and end >= lower[number]:
                    found_starts[size] = starts[number]
                    found_ends[size] = cython.cast(cython.int, end)
                    size += 1
                number += 1
        state[0], state[1] = number, size
        return 0

    def narrow(self, starts, begin, upper, lower, budget, found_starts, found_ends, is_known):
        """Do what `wide` does for an automaton of at most 64 states, which most are."""
        state = np.array([begin, 0], np.int64)
        work = np.empty((3, TOGETHER), np.int64)
        self._narrow(
            starts, upper, lower, budget, found_starts, found_ends, is_known, state,
            work[0], work[1].view(np.uint64), work[2],
        )  # fmt: skip
        return int(state[0]), int(state[1])

    @cython.cfunc
    def _narrow(
        self,
        starts: cython.const[cython.int][::1],
        upper: cython.const[cython.int][::1],
        lower: cython.const[cython.int][::1],
        budget: cython.Py_ssize_t,
        found_starts: cython.int[::1],
        found_ends: cython.int[::1],
        is_known: cython.bint,
        state: cython.longlong[::1],
        ends: cython.longlong[::1],
        reached: cython.ulonglong[::1],
        alive: cython.longlong[::1],
    ) -> cython.Py_ssize_t:
        size: cython.Py_ssize_t = 0
        steps: cython.Py_ssize_t = 0
        base: cython.Py_ssize_t = state[0]
        number: cython.Py_ssize_t = state[0]
        top: cython.Py_ssize_t
        end: cython.Py_ssize_t
        place: cython.Py_ssize_t
        reach: cython.ulonglong
        active: cython.ulonglong
        with cython.nogil:
            while base < len(starts) and steps <= budget:
                top = min(base + TOGETHER, len(starts))
                self._step_together(
                    starts, base, top - base, upper, lower, is_known, reached, ends, alive
                )
                steps += top - base
                number = base
                while number < top and steps <= budget:
                    end, reach = ends[number - base], reached[number - base]
                    place = starts[number] + STEPS
                    while place < upper[number] and reach:
                        active = self._allowed(place, 0, reach)
                        steps += 1
                        place += 1
                        if active & self.last[0]:
                            end = place
                            if self.is_shortest and end >= lower[number]:
                                break
                        if active & self.endless[0] and not self.is_shortest:
                            end = upper[number]
                            break
                        reach = self._following(active)
                    if end >= 0 and end >= lower[number]:
                        found_starts[size] = starts[number]
                        found_ends[size] = cython.cast(cython.int, end)
                        size += 1
                    number += 1
                base = number
        state[0], state[1] = base, size
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _step_together(
        self,
        starts: cython.const[cython.int][::1],
        begin: cython.Py_ssize_t,
        many: cython.Py_ssize_t,
        upper: cython.const[cython.int][::1],
        lower: cython.const[cython.int][::1],
        is_known: cython.bint,
        reach: cython.ulonglong[::1],
        ends: cython.longlong[::1],
        alive: cython.longlong[::1],
    ) -> cython.Py_ssize_t:
        """Take the first steps from some starts; note what is in reach then and where matches end.

        Looks at a column from one loop do not wait for each other. If it is known that a match may
        begin at every start, the tokens there are not looked at again.
        """
        number: cython.Py_ssize_t
        at: cython.Py_ssize_t
        left: cython.Py_ssize_t = many
        kept: cython.Py_ssize_t
        step: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        following: cython.Py_ssize_t
        active: cython.ulonglong
        for number in range(many):
            alive[number] = number
            ends[number] = -1
            reach[number] = self.first[0] if starts[begin + number] < upper[begin + number] else 0
        for step in range(STEPS):
            if step or not is_known:
                for slot in range(self.slots):
                    self._look_at(slot, starts, begin, alive, left, step, reach)
            kept = 0
            for at in range(left):
                number = alive[at]
                active = reach[number]
                following = starts[begin + number] + step + 1
                if active & self.last[0]:
                    ends[number] = following
                    if self.is_shortest and following >= lower[begin + number]:
                        active = 0
                if active & self.endless[0] and not self.is_shortest:
                    ends[number] = upper[begin + number]
                    active = 0
                reach[number] = 0
                if following < upper[begin + number]:
                    reach[number] = self._following(active)
                alive[kept] = number
                kept += reach[number] != 0
            left = kept
            if left == 0:
                break
        return 0

    def labelled(
        self, starts, begin, upper, lower, budget, found_starts, found_ends, label_of, rows, tables,
        found_labels=NO_LABELS,
    ):  # fmt: skip
        """Like `wide`, but try every path, since what labels stand for depends on the path.

        Return also whether a start has too many paths. What is asked of the labels is a list of
        rows in postfix order, see matching_rows. Where the labels stand is noted if there is room.
        """
        state = np.array([begin, 0, 0], np.int64)
        longest = max(1, int((np.asarray(upper) - np.asarray(starts)).max(initial=1)))
        path = np.zeros(longest + 2, np.int64)
        bound = np.full(MOST_LABELS, -1, np.int64)
        self._labelled(
            starts, upper, lower, budget, found_starts, found_ends, label_of, rows, tables,
            path, bound, np.zeros(len(rows) + 1, np.int64), state, found_labels,
        )  # fmt: skip
        return int(state[0]), int(state[1]), bool(state[2])

    @cython.cfunc
    def _labelled(
        self,
        starts: cython.const[cython.int][::1],
        upper: cython.const[cython.int][::1],
        lower: cython.const[cython.int][::1],
        budget: cython.Py_ssize_t,
        found_starts: cython.int[::1],
        found_ends: cython.int[::1],
        label_of: cython.const[cython.longlong][::1],
        rows: cython.const[cython.longlong][:, ::1],
        tables: cython.const[cython.longlong][::1],
        path: cython.longlong[::1],
        bound: cython.longlong[::1],
        stack: cython.longlong[::1],
        result: cython.longlong[::1],
        found_labels: cython.longlong[:, ::1],
    ) -> cython.Py_ssize_t:
        states: cython.Py_ssize_t = len(label_of)
        size: cython.Py_ssize_t = 0
        steps: cython.Py_ssize_t = 0
        number: cython.Py_ssize_t = result[0]
        most: cython.Py_ssize_t
        end: cython.Py_ssize_t
        reached: cython.Py_ssize_t
        depth: cython.Py_ssize_t
        state: cython.Py_ssize_t
        origin: cython.Py_ssize_t
        label: cython.Py_ssize_t
        word: cython.Py_ssize_t
        one: cython.ulonglong = 1
        wanted: cython.ulonglong
        sources: cython.ulonglong
        with cython.nogil:
            while number < len(starts) and steps <= budget:
                end, depth, state, most = -1, 0, 0, 0
                origin = starts[number]
                while depth >= 0:
                    steps += 1
                    most += 1
                    if most > 100 * budget:
                        result[0], result[1], result[2] = number, size, 1
                        return 0
                    if state >= states or origin + depth >= upper[number]:
                        depth -= 1
                        if depth >= 0:
                            state = path[depth] + 1
                        continue
                    word, wanted = state >> 6, one << (state & 63)
                    sources = self.first[word]
                    if depth:
                        sources = self.follow[path[depth - 1], word]
                    if not sources & wanted or not self._allowed(origin + depth, word, wanted):
                        state += 1
                        continue
                    path[depth] = state
                    reached = origin + depth + 1
                    if (
                        self.last[word] & wanted
                        and reached >= lower[number]
                        and (end < 0 or (reached < end if self.is_shortest else reached > end))
                    ):
                        self._bind(bound, path, depth, label_of, origin)
                        if self._holds(bound, rows, tables, stack):
                            end = reached
                            for label in range(found_labels.shape[1]):
                                found_labels[size, label] = bound[label]
                    depth += 1
                    state = 0
                if end >= 0:
                    found_starts[size] = cython.cast(cython.int, origin)
                    found_ends[size] = cython.cast(cython.int, end)
                    size += 1
                number += 1
        result[0], result[1] = number, size
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _bind(
        self,
        bound: cython.longlong[::1],
        path: cython.longlong[::1],
        depth: cython.Py_ssize_t,
        label_of: cython.const[cython.longlong][::1],
        origin: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Note at which position each label of a path stands, the last one if there are several.

        The first label is the beginning of the match, the second its last token.
        """
        place: cython.Py_ssize_t
        label: cython.Py_ssize_t
        for place in range(len(bound)):
            bound[place] = -1
        bound[0], bound[1] = origin, origin + depth
        for place in range(depth + 1):
            label = label_of[path[place]]
            if label >= 0:
                bound[label] = origin + place
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _operand(
        self,
        bound: cython.longlong[::1],
        rows: cython.const[cython.longlong][:, ::1],
        row: cython.Py_ssize_t,
        at: cython.Py_ssize_t,
        tables: cython.const[cython.longlong][::1],
    ) -> cython.longlong:
        """Return one side of a comparison: kind, label, column or other label, table."""
        value: cython.longlong
        if rows[row, at] == CONSTANT:
            return rows[row, at + 1]
        if rows[row, at] == DISTANCE:
            return bound[rows[row, at + 2]] - bound[rows[row, at + 1]]
        value = self._value(rows[row, at + 2], bound[rows[row, at + 1]])
        return value if rows[row, at + 3] < 0 else tables[rows[row, at + 3] + value]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _is_bound(
        self,
        bound: cython.longlong[::1],
        rows: cython.const[cython.longlong][:, ::1],
        row: cython.Py_ssize_t,
        at: cython.Py_ssize_t,
    ) -> cython.bint:
        """Whether the labels of one side stand for a token."""
        if rows[row, at] == CONSTANT:
            return True
        if rows[row, at] == DISTANCE and bound[rows[row, at + 2]] < 0:
            return False
        return bound[rows[row, at + 1]] >= 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _holds(
        self,
        bound: cython.longlong[::1],
        rows: cython.const[cython.longlong][:, ::1],
        tables: cython.const[cython.longlong][::1],
        stack: cython.longlong[::1],
    ) -> cython.bint:
        """Whether what is asked of the labels holds."""
        row: cython.Py_ssize_t
        size: cython.Py_ssize_t = 0
        kind: cython.longlong
        left: cython.longlong
        right: cython.longlong
        for row in range(len(rows)):
            kind = rows[row, 0]
            if kind == NEITHER:
                stack[size - 1] = not stack[size - 1]
            elif kind == BOTH:
                size -= 1
                stack[size - 1] = stack[size - 1] and stack[size]
            elif kind == EITHER:
                size -= 1
                stack[size - 1] = stack[size - 1] or stack[size]
            elif not (self._is_bound(bound, rows, row, 1) and self._is_bound(bound, rows, row, 5)):
                stack[size] = 0
                size += 1
            else:
                left = self._operand(bound, rows, row, 1, tables)
                right = self._operand(bound, rows, row, 5, tables)
                if kind == EQUAL:
                    stack[size] = left == right
                elif kind == LESS:
                    stack[size] = left < right
                else:
                    stack[size] = left > right
                size += 1
        return size == 0 or stack[0] != 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(-1)
def _passed(
    edges: cython.const[cython.int][::1],
    place: cython.Py_ssize_t,
    start: cython.Py_ssize_t,
    is_near: cython.bint,
) -> cython.Py_ssize_t:
    """Return how many of some edges, known to be as many as `place` at least, are up to a start."""
    step: cython.Py_ssize_t = 1
    if is_near:
        while place < len(edges) and edges[place] <= start:
            place += 1
        return place
    while place + step <= len(edges) and edges[place + step - 1] <= start:
        place += step
        step *= 2
    while step > 1:
        step //= 2
        if place + step <= len(edges) and edges[place + step - 1] <= start:
            place += step
    return place


def bounds_at(starts, edges, guide, values, default, is_right):
    """Return, for ascending starts, the value at the last edge (right) or the next edge (left)."""
    found = np.empty(len(starts), np.int32)
    starts, edges, guide, values = (
        np.ascontiguousarray(each, np.int32) for each in (starts, edges, guide, values)
    )
    _bounds_at(starts, edges, guide, values, default, is_right, found)
    return found


@cython.cfunc
def _bounds_at(
    starts: cython.const[cython.int][::1],
    edges: cython.const[cython.int][::1],
    guide: cython.const[cython.int][::1],
    values: cython.const[cython.int][::1],
    default: cython.Py_ssize_t,
    is_right: cython.bint,
    found: cython.int[::1],
) -> cython.Py_ssize_t:
    # Where starts are dense the next edge is near; where they are rare, a guide says where to
    # look, or else it is found by leaps.
    is_near: cython.bint = 4 * len(starts) > len(edges)
    is_guided: cython.bint = len(guide) > 0 and not is_near
    place: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t
    at: cython.Py_ssize_t
    number: cython.Py_ssize_t
    with cython.nogil:
        for number in range(len(starts)):
            start = starts[number] if is_right else starts[number] - 1
            if is_guided and start >= 0:
                place = _passed(edges, guide[start >> GUIDE_BITS], start, True)
            else:
                place = _passed(edges, place, start, is_near)
            at = place - 1 if is_right else place
            found[number] = values[at] if 0 <= at < len(edges) else cython.cast(cython.int, default)
    return 0


def tally(starts, edges, guide):
    """Return the regions between edges that hold ascending starts, and how many each holds."""
    most = min(len(starts), len(edges))
    regions, counts = np.empty(most, np.int64), np.empty(most, np.int64)
    starts, edges, guide = (np.ascontiguousarray(each, np.int32) for each in (starts, edges, guide))
    size = _tally(starts, edges, guide, regions, counts)
    return regions[:size], counts[:size]


@cython.cfunc
def _tally(
    starts: cython.const[cython.int][::1],
    edges: cython.const[cython.int][::1],
    guide: cython.const[cython.int][::1],
    regions: cython.longlong[::1],
    counts: cython.longlong[::1],
) -> cython.Py_ssize_t:
    is_guided: cython.bint = len(guide) > 0 and len(starts) < len(edges)
    size: cython.Py_ssize_t = 0
    number: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t
    end: cython.longlong
    with cython.nogil:
        while number < len(starts):
            if is_guided:
                place = guide[starts[number] >> GUIDE_BITS]
            place = _passed(edges, place, starts[number], True)
            begin = number
            end = edges[place] if place < len(edges) else 1 << 62
            while number < len(starts) and starts[number] < end:
                number += 1
            regions[size], counts[size] = place - 1, number - begin
            size += 1
    return size
