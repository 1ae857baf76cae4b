"""Cuts through a page's chances, and what is seen of each: loops over its blocks.

Which cuts there are, and why, stands in text/extract/cuts.py.
"""

import cython
from cython.cimports.izwi.kernels.columns import (
    B_END,
    B_KIND,
    B_LINKED,
    B_LINKS,
    B_NODE,
    B_START,
    CELL,
    HEADING,
    LISTED,
    N_FLAGS,
    N_PARENT,
    QUOTE,
)  # fmt: skip
from cython.cimports.izwi.kernels.feature_columns import (
    CUT_ALIKE,
    CUT_BLOCKS,
    CUT_CHARS,
    CUT_CUTOFF,
    CUT_DATES,
    CUT_DATES_BETWEEN,
    CUT_DENSITY,
    CUT_EXPECTED_F1,
    CUT_EXPECTED_RECALL,
    CUT_FILLING,
    CUT_FIRST,
    CUT_FIRST_TITLE,
    CUT_GAIN,
    CUT_GROWTH,
    CUT_HEADS,
    CUT_LAST,
    CUT_LEAST,
    CUT_LEFT,
    CUT_LEFT_BEST,
    CUT_LIKELY,
    CUT_OF_PROSE,
    CUT_OF_SURE,
    CUT_PAGE_BEST,
    CUT_PAGE_BLOCKS,
    CUT_PAGE_CHARS,
    CUT_PAGE_DATES,
    CUT_PAGE_LINKED,
    CUT_PAGE_PROSE,
    CUT_PAGE_SURE,
    CUT_PAGE_UNSURE,
    CUT_PLACES,
    CUT_RUN_CHARS,
    CUT_RUNS,
    CUT_SHARE,
    CUT_STEP,
    CUT_WAY,
    EXTRA_IN_BEST,
    OWN_LINK_SHARE,
    OWN_STOPS,
    OWN_TITLE_SHARE,
    OWN_WORDS,
    SECTION_ARTICLE_RANK,
    SECTION_ARTICLE_SHARE,
    SECTION_IS_DATED,
    WAY_ARTICLE,
    WAY_BODY,
    WAY_FILLED,
    WAY_FIRST_RUNS,
    WAY_RUN,
    WAY_STEP,
    WAY_TO_RUN,
    WAY_USUAL,
    WEIGHED_ARTICLE,
    WEIGHED_BLOCKS,
    WEIGHED_BODY,
    WEIGHED_CHARS,
    WEIGHED_COLUMNS,
    WEIGHED_DATES,
    WEIGHED_H,
    WEIGHED_HEADS,
    WEIGHED_LI,
    WEIGHED_LIKELY,
    WEIGHED_LINKED,
    WEIGHED_PROSE,
    WEIGHED_QUOTE,
    WEIGHED_SURE,
    WEIGHED_TD,
)  # fmt: skip
from cython.cimports.libc.math import fabs, log, log1p

# Blocks that so many others part are of two runs.
RUN_GAP = cython.declare(cython.Py_ssize_t, 4)
# What stands inside the text is filled in if it is not less likely than this.
LEAST_FILLED = cython.declare(cython.float, 0.03)
SURE = cython.declare(cython.float, 0.9)
# A shorter block that is left out is no loss.
SHORT = cython.declare(cython.Py_ssize_t, 40)
# A heading so likely, at most so many blocks above the text, is its headline. Tried 0 to .45 and 3
# to 8: dragnet gained .005 at .2, and scrapinghub, whose gold has no headlines, lost .003.
MAYBE_HEADLINE = cython.declare(cython.float, 0.2)
HEADLINE_ABOVE = cython.declare(cython.Py_ssize_t, 4)
# A block of so many links and next to nothing else is a menu, if there is three times as much text
# beside it and the page is no list for sure: no set lost, old pages in other scripts gained.
LEAST_LINKS = cython.declare(cython.Py_ssize_t, 3)
ALL_LINKED = cython.declare(cython.double, 0.9)
MANY_TIMES = cython.declare(cython.Py_ssize_t, 3)
LEAST_TEXT = cython.declare(cython.Py_ssize_t, 200)
# What stands on a page twice (for wide screens and narrow ones, quoted, as a preview) is its text
# once, from so many characters on, and if the elements so far above both are not the same: refrains
# and the rows of a table are no copies. Tried 16 to 50 and 2 to 4; all gained the same.
LEAST_COPIED = cython.declare(cython.Py_ssize_t, 25)
APART = cython.declare(cython.Py_ssize_t, 3)


@cython.final
@cython.cclass
class Cutter:
    """A page with its chances, and the cuts of it that differ, the usual one first."""

    rows: cython.const[cython.float][:, ::1]
    table: cython.const[cython.longlong][:, ::1]
    chances: cython.const[cython.float][::1]
    # Whether the page is a list of others: then blocks of links are its text.
    is_list: cython.bint
    blocks: cython.Py_ssize_t
    # Of each cut, its blocks, how it was made, and by which step.
    marks: cython.uchar[:, ::1]
    ways: cython.double[:, ::1]
    # Of each block, the first one elsewhere that says the same, or -1.
    copied: cython.longlong[::1]
    count: cython.Py_ssize_t

    def __init__(self, rows, table, chances, is_list, copied, marks, ways):
        """Take a page, and room for cuts."""
        self.rows, self.table, self.chances, self.is_list = rows, table, chances, is_list
        self.copied = copied
        self.marks, self.ways = marks, ways
        self.blocks, self.count = len(table), 0

    @cython.cfunc
    @cython.nogil
    @cython.inline
    @cython.exceptval(-1)
    def _size(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        return self.table[row, B_END] - self.table[row, B_START]

    def settle(self):
        """Take what is marked in the next room as the usual cut: with headings, without menus."""
        self._drop_copies()
        self._drop_lists()
        self._add_headline()
        return self._keep(WAY_USUAL, 0.0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _drop_copies(self) -> cython.int:
        """Unmark what a marked block above says already."""
        row: cython.Py_ssize_t
        for row in range(self.blocks):
            if self.copied[row] >= 0 and self.marks[self.count, self.copied[row]]:
                self.marks[self.count, row] = 0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _drop_lists(self) -> cython.int:
        """Unmark blocks of nothing but links, where a text stands beside them."""
        row: cython.Py_ssize_t
        listed: cython.Py_ssize_t = 0
        beside: cython.Py_ssize_t = 0
        if self.is_list:
            return 0
        for row in range(self.blocks):
            if self.marks[self.count, row]:
                if self._is_list(row):
                    listed += self._size(row)
                else:
                    beside += self._size(row)
        if beside >= max(LEAST_TEXT, MANY_TIMES * listed):
            for row in range(self.blocks):
                if self.marks[self.count, row] and self._is_list(row):
                    self.marks[self.count, row] = 0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _is_list(self, row: cython.Py_ssize_t) -> cython.int:
        return self.table[row, B_LINKS] >= LEAST_LINKS and self.table[
            row, B_LINKED
        ] > ALL_LINKED * self._size(row)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _add_headline(self) -> cython.int:
        """Mark the headings just above the text: some gold texts leave them out."""
        row: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        while first < self.blocks and not self.marks[self.count, first]:
            first += 1
        if first < self.blocks:
            for row in range(max(0, first - HEADLINE_ABOVE), first):
                if self.table[row, B_KIND] == HEADING and self.chances[row] >= MAYBE_HEADLINE:
                    self.marks[self.count, row] = 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _keep(self, way: cython.Py_ssize_t, step: cython.double) -> cython.int:
        """Keep what is marked in the next room if it is something, and new."""
        row: cython.Py_ssize_t
        other: cython.Py_ssize_t
        marked: cython.bint = False
        for row in range(self.blocks):
            if self.marks[self.count, row]:
                marked = True
                break
        if not marked:
            return 0
        for other in range(self.count):
            row = 0
            while row < self.blocks and self.marks[self.count, row] == self.marks[other, row]:
                row += 1
            if row == self.blocks:
                return 0
        self.ways[self.count, 0], self.ways[self.count, 1] = way, step
        self.count += 1
        return 1

    def take_steps(self, cutoff: cython.double, steps, odds: cython.double[::1]):
        """Make cuts that are so much stricter or laxer than the cut-off; `odds` is room."""
        row: cython.Py_ssize_t
        step: cython.double
        limit: cython.double
        for row in range(self.blocks):
            odds[row] = _odds(self.chances[row])
        for step in steps:
            limit = _odds(cutoff) + step
            for row in range(self.blocks):
                self.marks[self.count, row] = odds[row] >= limit
            self._drop_copies()
            self._drop_lists()
            self._add_headline()
            self._keep(WAY_STEP, step)

    def narrow(
        self,
        runs: cython.longlong[::1],
        weights: cython.double[::1],
        extra: cython.Py_ssize_t,
        section: cython.Py_ssize_t,
    ):
        """Make parts of the usual cut: one run, the first ones, one article, all between its ends.

        `runs` are filled with the run of each block, `weights` hold nothing.
        """
        row: cython.Py_ssize_t
        first: cython.Py_ssize_t = -1
        last: cython.Py_ssize_t = -1
        run: cython.Py_ssize_t = -1
        best: cython.Py_ssize_t = 0
        until: cython.Py_ssize_t
        for row in range(self.blocks):
            runs[row] = -1
            if self.marks[0, row]:
                run += last < 0 or row - last > RUN_GAP
                first, last, runs[row] = first if first >= 0 else row, row, run
                weights[run] += self._size(row) * cython.cast(cython.double, self.chances[row])
        for row in range(1, run + 1):
            if weights[row] > weights[best]:
                best = row
        if run > 0:
            until = best if best else 1
            for row in range(self.blocks):
                self.marks[self.count, row] = runs[row] == best
            self._narrowed(WAY_RUN)
            for row in range(self.blocks):
                self.marks[self.count, row] = 0 <= runs[row] <= until
            self._narrowed(WAY_TO_RUN if best else WAY_FIRST_RUNS)
        for row in range(self.blocks):
            self.marks[self.count, row] = self.marks[0, row] or (
                first <= row <= last and self.chances[row] >= LEAST_FILLED
            )
        self._narrowed(WAY_FILLED)
        for row in range(self.blocks):
            self.marks[self.count, row] = (
                self.marks[0, row] and self.rows[row, section + SECTION_ARTICLE_RANK] == 0
            )
        self._narrowed(WAY_ARTICLE)
        for row in range(self.blocks):
            self.marks[self.count, row] = (
                self.marks[0, row] and self.rows[row, extra + EXTRA_IN_BEST] > 0
            )
        self._narrowed(WAY_BODY)
        return self.count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _narrowed(self, way: cython.Py_ssize_t) -> cython.int:
        self._drop_copies()
        self._drop_lists()
        return self._keep(way, 0.0)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _weigh(
        self,
        weights: cython.double[:, ::1],
        extra: cython.Py_ssize_t,
        section: cython.Py_ssize_t,
    ) -> cython.int:
        """Fill what is added up of each block."""
        row: cython.Py_ssize_t
        size: cython.double
        kind: cython.Py_ssize_t
        for row in range(self.blocks):
            size, kind = self._size(row), self.table[row, B_KIND]
            weights[row, WEIGHED_CHARS] = size
            weights[row, WEIGHED_LIKELY] = self.chances[row] * size
            weights[row, WEIGHED_LINKED] = (
                min(self.table[row, B_LINKED] / max(size, 1.0), 1.0) * size
            )
            weights[row, WEIGHED_PROSE] = size * (
                self.rows[row, OWN_STOPS] >= 1
                and self.rows[row, OWN_WORDS] >= 8
                and self.rows[row, OWN_LINK_SHARE] < 0.4
            )
            weights[row, WEIGHED_SURE] = size * (self.chances[row] >= SURE)
            weights[row, WEIGHED_ARTICLE] = size * (
                self.rows[row, section + SECTION_ARTICLE_SHARE] > 0
            )
            weights[row, WEIGHED_BODY] = size * self.rows[row, extra + EXTRA_IN_BEST]
            weights[row, WEIGHED_QUOTE] = size * (kind == QUOTE)
            weights[row, WEIGHED_LI] = size * (kind == LISTED)
            weights[row, WEIGHED_TD] = size * (kind == CELL)
            weights[row, WEIGHED_H] = size * (kind == HEADING)
            weights[row, WEIGHED_BLOCKS] = 1
            weights[row, WEIGHED_DATES] = self.rows[row, section + SECTION_IS_DATED]
            weights[row, WEIGHED_HEADS] = kind == HEADING
        return 0

    def fill(
        self,
        out: cython.float[:, ::1],
        weights: cython.double[:, ::1],
        sums: cython.double[:, ::1],
        alike: cython.const[cython.longlong][::1],
        places: cython.double[:, ::1],
        cutoff: cython.double,
        extra: cython.Py_ssize_t,
        section: cython.Py_ssize_t,
    ):
        """Fill one row for each cut; `sums` and `places` hold nothing, one row more than cuts."""
        cut: cython.Py_ssize_t
        row: cython.Py_ssize_t
        column: cython.Py_ssize_t
        unsure: cython.double = 0.0
        best: cython.float = 0
        with cython.nogil:
            self._weigh(weights, extra, section)
            for row in range(self.blocks):
                unsure += fabs(self.chances[row] - 0.5)
                best = max(best, self.chances[row])
                for column in range(WEIGHED_COLUMNS):
                    sums[self.count, column] += weights[row, column]
                for cut in range(self.count):
                    if self.marks[cut, row]:
                        places[cut, alike[row]] += weights[row, WEIGHED_CHARS]
                        for column in range(WEIGHED_COLUMNS):
                            sums[cut, column] += weights[row, column]
            for cut in range(self.count):
                self._fill_sums(out, sums, cut)
                self._fill_shape(out, weights, sums, cut)
                self._fill_places(out, places, sums, cut)
                out[cut, CUT_CUTOFF], out[cut, CUT_PAGE_BEST] = cutoff, best
                out[cut, CUT_PAGE_UNSURE] = unsure / self.blocks

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_sums(
        self, out: cython.float[:, ::1], sums: cython.double[:, ::1], cut: cython.Py_ssize_t
    ) -> cython.int:
        """Fill what is said by the sums of a cut, of the usual one, and of the page."""
        page: cython.Py_ssize_t = self.count
        column: cython.Py_ssize_t
        chars: cython.double = max(sums[cut, WEIGHED_CHARS], 1.0)
        usual: cython.double = max(sums[0, WEIGHED_CHARS], 1.0)
        total: cython.double = max(sums[page, WEIGHED_CHARS], 1.0)
        likely: cython.double = sums[cut, WEIGHED_LIKELY]
        all_likely: cython.double = max(sums[page, WEIGHED_LIKELY], 1.0)
        expected: cython.double = 2 * likely / (chars + all_likely)
        out[cut, CUT_WAY], out[cut, CUT_STEP] = self.ways[cut, 0], self.ways[cut, 1]
        out[cut, CUT_CHARS], out[cut, CUT_SHARE] = log1p(chars), chars / total
        out[cut, CUT_GROWTH], out[cut, CUT_BLOCKS] = log(chars / usual), sums[cut, WEIGHED_BLOCKS]
        out[cut, CUT_EXPECTED_RECALL], out[cut, CUT_EXPECTED_F1] = likely / all_likely, expected
        out[cut, CUT_GAIN] = expected - 2 * sums[0, WEIGHED_LIKELY] / (usual + all_likely)
        out[cut, CUT_LEFT] = (sums[page, WEIGHED_LIKELY] - likely) / all_likely
        for column in range(WEIGHED_LIKELY, WEIGHED_BLOCKS):
            out[cut, CUT_LIKELY + column - WEIGHED_LIKELY] = sums[cut, column] / chars
        out[cut, CUT_DATES], out[cut, CUT_HEADS] = (
            sums[cut, WEIGHED_DATES],
            sums[cut, WEIGHED_HEADS],
        )
        out[cut, CUT_OF_PROSE] = sums[cut, WEIGHED_PROSE] / max(sums[page, WEIGHED_PROSE], 1.0)
        out[cut, CUT_OF_SURE] = sums[cut, WEIGHED_SURE] / max(sums[page, WEIGHED_SURE], 1.0)
        out[cut, CUT_PAGE_CHARS], out[cut, CUT_PAGE_BLOCKS] = log1p(total), self.blocks
        out[cut, CUT_PAGE_LINKED] = sums[page, WEIGHED_LINKED] / total
        out[cut, CUT_PAGE_PROSE] = sums[page, WEIGHED_PROSE] / total
        out[cut, CUT_PAGE_DATES] = sums[page, WEIGHED_DATES]
        out[cut, CUT_PAGE_SURE] = sums[page, WEIGHED_SURE] / total
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_shape(
        self,
        out: cython.float[:, ::1],
        weights: cython.double[:, ::1],
        sums: cython.double[:, ::1],
        cut: cython.Py_ssize_t,
    ) -> cython.int:
        """Fill where a cut begins and ends, its runs, and what it leaves out."""
        row: cython.Py_ssize_t
        first: cython.Py_ssize_t = -1
        last: cython.Py_ssize_t = 0
        runs: cython.Py_ssize_t = 0
        least: cython.float = 2
        left: cython.float = 0
        read: cython.double = 0.0
        dated: cython.double = 0.0
        is_before: cython.bint = False
        chars: cython.double = max(sums[cut, WEIGHED_CHARS], 1.0)
        for row in range(self.blocks):
            if self.marks[cut, row]:
                runs += not is_before
                first, last = first if first >= 0 else row, row
                least = min(least, self.chances[row])
            elif self._size(row) > SHORT:
                left = max(left, self.chances[row])
            is_before = self.marks[cut, row]
        for row in range(first, last + 1):
            read += weights[row, WEIGHED_CHARS]
            dated += weights[row, WEIGHED_DATES] if row > first else 0.0
        out[cut, CUT_RUNS], out[cut, CUT_RUN_CHARS] = runs, chars / max(runs, 1)
        out[cut, CUT_LEAST], out[cut, CUT_LEFT_BEST] = least, left
        out[cut, CUT_FIRST] = cython.cast(cython.double, first) / self.blocks
        out[cut, CUT_LAST] = cython.cast(cython.double, last) / self.blocks
        out[cut, CUT_DENSITY] = sums[cut, WEIGHED_BLOCKS] / (last - first + 1)
        out[cut, CUT_FILLING], out[cut, CUT_DATES_BETWEEN] = chars / max(read, 1.0), dated
        out[cut, CUT_FIRST_TITLE] = self.rows[first, OWN_TITLE_SHARE]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_places(
        self,
        out: cython.float[:, ::1],
        places: cython.double[:, ::1],
        sums: cython.double[:, ::1],
        cut: cython.Py_ssize_t,
    ) -> cython.int:
        """Fill in how many places of the template a cut's text stands, and how much in one."""
        place: cython.Py_ssize_t
        most: cython.double = 0.0
        count: cython.Py_ssize_t = 0
        for place in range(places.shape[1]):
            most = max(most, places[cut, place])
            count += places[cut, place] > 0
        out[cut, CUT_ALIKE] = most / max(sums[cut, WEIGHED_CHARS], 1.0)
        out[cut, CUT_PLACES] = count
        return 0


def find_copies(
    table: cython.const[cython.longlong][:, ::1],
    elements: cython.const[cython.longlong][:, ::1],
    said: cython.const[cython.longlong][::1],
    first: cython.longlong[::1],
    copied: cython.longlong[::1],
    hidden: cython.longlong,
):
    """Fill in the first block elsewhere with the same text, or -1; `first` is room, all -1.

    `said` numbers the texts of the blocks, `hidden` is the flag of elements nobody sees: a text
    that is shown once and hidden once is a copy wherever both stand.
    """
    row: cython.Py_ssize_t
    other: cython.Py_ssize_t
    for row in range(len(table)):
        copied[row] = -1
        if table[row, B_END] - table[row, B_START] >= LEAST_COPIED:
            other = first[said[row]]
            if other < 0:
                first[said[row]] = row
            elif _above(elements, table[row, B_NODE]) != _above(elements, table[other, B_NODE]) or (
                (_flags(elements, table[row, B_NODE]) ^ _flags(elements, table[other, B_NODE]))
                & hidden
            ):
                copied[row] = other


@cython.cfunc
@cython.exceptval(-2)
def _flags(
    elements: cython.const[cython.longlong][:, ::1], node: cython.Py_ssize_t
) -> cython.longlong:
    return elements[node, N_FLAGS] if node >= 0 else 0


@cython.cfunc
@cython.exceptval(-2)
def _above(
    elements: cython.const[cython.longlong][:, ::1], node: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    above: cython.Py_ssize_t = 0
    while node >= 0 and above < APART:
        node, above = elements[node, N_PARENT], above + 1
    return node


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _odds(chance: cython.double) -> cython.double:
    return log(max(chance, 1e-4) / max(1 - chance, 1e-4))
