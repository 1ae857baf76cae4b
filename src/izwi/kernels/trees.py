"""A forest of decision trees asked about many rows."""

import cython
from cython.cimports.izwi.kernels.columns import T_BELOW, T_COLUMN, T_LIMIT

# Beyond this sum (a chance of 5 %, or 95 %) the remaining trees change no page's score.
SURE = cython.declare(cython.double, 3.0)
LOOK_EVERY = cython.declare(cython.Py_ssize_t, 8)


def sums(rows, nodes, limits, values, roots, out, unsure):
    """Add to `out` the leaves that each row comes to; rows that are sure are left early.

    A node has a column, a limit, and where to go below and above it: a node, or the complement
    (~leaf) of a leaf. `limits` are the same bytes, read as fractions. `unsure` are the numbers of
    the rows, and is changed.
    """
    Asking(rows, nodes, limits, values, roots, out, unsure).run()


@cython.final
@cython.cclass
class Asking:
    """The rows, the trees and the sums."""

    rows: cython.const[cython.float][:, ::1]
    nodes: cython.const[cython.int][:, ::1]
    limits: cython.const[cython.float][:, ::1]
    values: cython.const[cython.float][::1]
    roots: cython.const[cython.int][::1]
    sums: cython.double[::1]
    unsure: cython.longlong[::1]

    def __init__(self, rows, nodes, limits, values, roots, out, unsure):
        """Take the rows and the trees."""
        self.rows, self.nodes, self.limits = rows, nodes, limits
        self.values, self.roots, self.sums, self.unsure = values, roots, out, unsure

    def run(self):
        """Ask one tree after another."""
        number: cython.Py_ssize_t
        place: cython.Py_ssize_t
        count: cython.Py_ssize_t = len(self.unsure)
        with cython.nogil:
            for number in range(len(self.roots)):
                place = 0
                # Four rows at a time: while one waits for memory the others go on.
                while place + 4 <= count:
                    self._descend(self.roots[number], place)
                    place += 4
                while place < count:
                    self._add(self.unsure[place], self.roots[number])
                    place += 1
                if number % LOOK_EVERY == LOOK_EVERY - 1:
                    count = self._keep_unsure(count)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _descend(self, root: cython.Py_ssize_t, place: cython.Py_ssize_t) -> cython.int:
        one: cython.Py_ssize_t = self.unsure[place]
        two: cython.Py_ssize_t = self.unsure[place + 1]
        three: cython.Py_ssize_t = self.unsure[place + 2]
        last: cython.Py_ssize_t = self.unsure[place + 3]
        a: cython.Py_ssize_t = root
        b: cython.Py_ssize_t = root
        c: cython.Py_ssize_t = root
        d: cython.Py_ssize_t = root
        rows: cython.const[cython.float][:, ::1] = self.rows
        nodes: cython.const[cython.int][:, ::1] = self.nodes
        limits: cython.const[cython.float][:, ::1] = self.limits
        while (a | b | c | d) >= 0:
            a = nodes[a, T_BELOW + (rows[one, nodes[a, T_COLUMN]] > limits[a, T_LIMIT])]
            b = nodes[b, T_BELOW + (rows[two, nodes[b, T_COLUMN]] > limits[b, T_LIMIT])]
            c = nodes[c, T_BELOW + (rows[three, nodes[c, T_COLUMN]] > limits[c, T_LIMIT])]
            d = nodes[d, T_BELOW + (rows[last, nodes[d, T_COLUMN]] > limits[d, T_LIMIT])]
        self._add(one, a)
        self._add(two, b)
        self._add(three, c)
        self._add(last, d)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _add(self, row: cython.Py_ssize_t, node: cython.Py_ssize_t) -> cython.int:
        """Go on from a node to a leaf, and add its value."""
        is_high: cython.bint
        while node >= 0:
            is_high = self.rows[row, self.nodes[node, T_COLUMN]] > self.limits[node, T_LIMIT]
            node = self.nodes[node, T_BELOW + is_high]
        self.sums[row] += self.values[~node]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _keep_unsure(self, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Move the rows that are not sure yet to the front; return how many they are."""
        kept: cython.Py_ssize_t = 0
        place: cython.Py_ssize_t
        for place in range(count):
            if -SURE <= self.sums[self.unsure[place]] <= SURE:
                self.unsure[kept] = self.unsure[place]
                kept += 1
        return kept
