"""Loops that fill what the first pass thinks of a block's surroundings."""

import cython
from cython.cimports.izwi.kernels.feature_columns import (
    AROUND_ALIKE,
    AROUND_BACK1,
    AROUND_BRANCH_MAIN,
    AROUND_BRANCH_SHARE,
    AROUND_BRANCH_TEXT,
    AROUND_GAP_AFTER,
    AROUND_GAP_BEFORE,
    AROUND_MAIN_AFTER,
    AROUND_MAIN_BEFORE,
    AROUND_NEXT1,
    AROUND_PAGE_MAIN,
    AROUND_RISE,
    AROUND_SELF,
    AROUND_UP1,
    AROUND_WINDOW,
    LEVELS,
    LIKELY_BLOCKS,
    LIKELY_CHARS,
    LIKELY_COLUMNS,
    LIKELY_LIKELY,
)  # fmt: skip

WINDOW = cython.declare(cython.Py_ssize_t, 5)
NEIGHBOURS = cython.declare(cython.Py_ssize_t, 3)
# A block of so many characters and so likely is sure to be text.
SURE = cython.declare(cython.double, 0.7)
LONG = cython.declare(cython.double, 60.0)
# How far it is to sure text where there is none.
FAR = cython.declare(cython.float, 999.0)


@cython.final
@cython.cclass
class Surroundings:
    """The blocks of a page with their chances, their elements, and sums over both."""

    chars: cython.const[cython.float][::1]
    chances: cython.const[cython.float][::1]
    places: cython.const[cython.longlong][::1]
    parents: cython.const[cython.longlong][::1]
    alike: cython.const[cython.longlong][::1]
    sums: cython.float[:, ::1]
    groups: cython.float[:, ::1]
    blocks: cython.Py_ssize_t

    def __init__(self, chars, chances, places, parents, alike, sums, groups):
        """Take the tables of a page; the sums are empty yet."""
        self.chars, self.chances, self.places, self.parents = chars, chances, places, parents
        self.alike, self.sums, self.groups = alike, sums, groups
        self.blocks = len(chars)

    def add_up(self):
        """Sum text, likely text and blocks below each element and in each place of a template."""
        sums: cython.float[:, ::1] = self.sums
        groups: cython.float[:, ::1] = self.groups
        row: cython.Py_ssize_t
        node: cython.Py_ssize_t
        parent: cython.Py_ssize_t
        column: cython.Py_ssize_t
        for row in range(self.blocks):
            node = self.places[row]
            if node >= 0:
                sums[node, LIKELY_CHARS] += self.chars[row]
                sums[node, LIKELY_LIKELY] += self.chars[row] * self.chances[row]
                sums[node, LIKELY_BLOCKS] += 1
            groups[self.alike[row], LIKELY_CHARS] += self.chars[row]
            groups[self.alike[row], LIKELY_LIKELY] += self.chars[row] * self.chances[row]
        for node in range(len(self.parents) - 1, -1, -1):
            parent = self.parents[node]
            if parent >= 0:
                for column in range(LIKELY_COLUMNS):
                    sums[parent, column] += sums[node, column]

    def weigh(self, here: cython.double[::1]):
        """Fill how much likely text stands directly in each element, or just below it."""
        row: cython.Py_ssize_t
        node: cython.Py_ssize_t
        step: cython.Py_ssize_t
        likely: cython.float
        for row in range(self.blocks):
            node = self.places[row]
            likely = self.chars[row] * self.chances[row]
            for step in range(3):
                if node >= 0:
                    here[node] += likely * (1.0 if step == 1 else 0.5)
                    node = self.parents[node]

    def fill(
        self,
        out: cython.float[:, ::1],
        best: cython.Py_ssize_t,
        branches: cython.const[cython.longlong][::1],
        depths: cython.const[cython.longlong][::1],
    ):
        """Fill one row for each block."""
        row: cython.Py_ssize_t
        total: cython.float = 0
        main: cython.float = 0
        for row in range(self.blocks):
            total += self.chars[row]
            main += self.chars[row] * self.chances[row]
        with cython.nogil:
            self._fill_near(out)
            self._fill_page(out, max(total, 1.0), max(main, 1.0), main)
            for row in range(self.blocks):
                self._climb(out, row)
                if self.places[row] >= 0:
                    self._fill_branch(
                        out, row, branches[self.places[row]], max(total, 1.0), max(main, 1.0)
                    )
                    out[row, AROUND_RISE] = depths[best] - depths[branches[self.places[row]]]
            self._fill_gaps(out)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_near(self, out: cython.float[:, ::1]) -> cython.int:
        """Fill the chances of the block and its neighbours, and of its place in the template."""
        row: cython.Py_ssize_t
        step: cython.Py_ssize_t
        rest: cython.float
        likely: cython.float
        for row in range(self.blocks):
            out[row, AROUND_SELF] = self.chances[row]
            for step in range(NEIGHBOURS):
                if row > step:
                    out[row, AROUND_BACK1 + step] = self.chances[row - step - 1]
                if row + step + 1 < self.blocks:
                    out[row, AROUND_NEXT1 + step] = self.chances[row + step + 1]
            out[row, AROUND_WINDOW] = self._window(row)
            rest = self.groups[self.alike[row], LIKELY_CHARS] - self.chars[row]
            if rest > 0:
                likely = self.chars[row] * self.chances[row]
                likely = self.groups[self.alike[row], LIKELY_LIKELY] - likely
                out[row, AROUND_ALIKE] = likely / rest
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _window(self, row: cython.Py_ssize_t) -> cython.double:
        other: cython.Py_ssize_t
        weight: cython.double = 0.0
        mass: cython.double = 0.0
        near: cython.double
        distance: cython.Py_ssize_t
        for other in range(max(0, row - WINDOW), min(self.blocks, row + WINDOW + 1)):
            if other != row:
                distance = other - row if other > row else row - other
                near = self.chars[other] / cython.cast(cython.double, 1 + distance)
                weight += near
                mass += near * self.chances[other]
        return mass / weight if weight > 0 else -1.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_page(
        self,
        out: cython.float[:, ::1],
        total: cython.double,
        least_main: cython.double,
        main: cython.float,
    ) -> cython.int:
        """Fill the share of likely text on the page, before the block and after it."""
        row: cython.Py_ssize_t
        before: cython.double = 0.0
        likely: cython.float
        for row in range(self.blocks):
            likely = self.chars[row] * self.chances[row]
            out[row, AROUND_PAGE_MAIN] = main / total
            out[row, AROUND_MAIN_BEFORE] = before / least_main
            before += likely
            out[row, AROUND_MAIN_AFTER] = 1 - before / least_main
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _climb(self, out: cython.float[:, ::1], row: cython.Py_ssize_t) -> cython.int:
        """Fill the share of likely text in the containers that each hold more than the last."""
        sums: cython.float[:, ::1] = self.sums
        parents: cython.const[cython.longlong][::1] = self.parents
        node: cython.Py_ssize_t = self.places[row]
        level: cython.Py_ssize_t
        blocks: cython.float
        for level in range(LEVELS):
            if node < 0:
                return 0
            while parents[node] >= 0 and sums[node, LIKELY_BLOCKS] <= 1:
                node = parents[node]
            out[row, AROUND_UP1 + level] = sums[node, LIKELY_LIKELY] / max(
                cython.cast(cython.double, sums[node, LIKELY_CHARS]), 1.0
            )
            blocks = sums[node, LIKELY_BLOCKS]
            while node >= 0 and sums[node, LIKELY_BLOCKS] <= blocks:
                node = parents[node]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_branch(
        self,
        out: cython.float[:, ::1],
        row: cython.Py_ssize_t,
        branch: cython.Py_ssize_t,
        total: cython.double,
        main: cython.double,
    ) -> cython.int:
        text: cython.double = self.sums[branch, LIKELY_CHARS]
        likely: cython.double = self.sums[branch, LIKELY_LIKELY]
        out[row, AROUND_BRANCH_SHARE] = likely / main
        out[row, AROUND_BRANCH_MAIN] = likely / max(text, 1.0)
        out[row, AROUND_BRANCH_TEXT] = text / total
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_gaps(self, out: cython.float[:, ::1]) -> cython.int:
        """Fill how far it is to the nearest sure text on each side."""
        row: cython.Py_ssize_t
        last: cython.Py_ssize_t = -1
        for row in range(self.blocks):
            out[row, AROUND_GAP_BEFORE] = row - last if last >= 0 else FAR
            if self.chances[row] > SURE and self.chars[row] > LONG:
                last = row
        last = -1
        for row in range(self.blocks - 1, -1, -1):
            out[row, AROUND_GAP_AFTER] = last - row if last >= 0 else FAR
            if self.chances[row] > SURE and self.chars[row] > LONG:
                last = row
        return 0
