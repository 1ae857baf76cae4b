"""Where a block stands in the run of its page: sections, articles, dates in rhythm, runs of prose.

Several articles on one page, comments without a name and lists of teasers look alike block by
block; they differ in what heads them, how often dates come again, and which run of prose they are.
"""

import cython
from cython.cimports.izwi.kernels.columns import (
    B_FIRST,
    B_KIND,
    B_LAST,
    B_NODE,
    HEADING,
    N_PARENT,
    N_TAG,
    TAG_ARTICLE,
)  # fmt: skip
from cython.cimports.izwi.kernels.feature_columns import (
    OWN_CHARS,
    OWN_HEADING,
    OWN_LINK_SHARE,
    OWN_PATH_HINT,
    OWN_STOPS,
    OWN_TITLE_SHARE,
    OWN_WORDING,
    OWN_WORDING_LOW,
    OWN_WORDS,
    SECTION_ALIKE_SHARE,
    SECTION_ARTICLE_NUMBER,
    SECTION_ARTICLE_RANK,
    SECTION_ARTICLE_SHARE,
    SECTION_DATE_ALIKE,
    SECTION_DATE_GAP,
    SECTION_DATE_PROSE,
    SECTION_HEAD_CHARS,
    SECTION_HEAD_GAP,
    SECTION_HEAD_HINT,
    SECTION_HEAD_LEVEL,
    SECTION_HEAD_LINKS,
    SECTION_HEAD_LOW,
    SECTION_HEAD_PROSE,
    SECTION_HEAD_TITLE,
    SECTION_HEAD_WORDING,
    SECTION_IS_DATED,
    SECTION_LINKS_SINCE_PROSE,
    SECTION_NEXT_DATE_GAP,
    SECTION_NEXT_HEAD_GAP,
    SECTION_NEXT_HEAD_LEVEL,
    SECTION_PROSE_ALIKE,
    SECTION_PROSE_BEFORE,
    SECTION_PROSE_GAP,
    SECTION_RUN_RANK,
    SECTION_RUN_SHARE,
)  # fmt: skip

FAR = cython.declare(cython.Py_ssize_t, 999)
LONGEST_DATED = cython.declare(cython.float, 90)
RUN_GAP = cython.declare(cython.Py_ssize_t, 5)
NO_SIZE = cython.declare(cython.float, -9)


def articles(
    table: cython.const[cython.longlong][:, ::1],
    nodes: cython.const[cython.longlong][:, ::1],
    nearest: cython.longlong[::1],
    own: cython.longlong[::1],
):
    """Fill for each element the article round it, for each block that of its element, or -1."""
    node: cython.Py_ssize_t
    row: cython.Py_ssize_t
    parent: cython.Py_ssize_t
    found: cython.bint = False
    for node in range(len(nodes)):
        parent = nodes[node, N_PARENT]
        if nodes[node, N_TAG] == TAG_ARTICLE:
            nearest[node], found = node, True
        else:
            nearest[node] = nearest[parent] if parent >= 0 else -1
    for row in range(len(table)):
        node = table[row, B_NODE]
        own[row] = nearest[node] if node >= 0 else -1
    return found


@cython.final
@cython.cclass
class Sections:
    """The blocks of a page, the columns that are filled, and sums over runs and like places."""

    rows: cython.float[:, ::1]
    # Where the columns of sections begin.
    column: cython.Py_ssize_t
    own: cython.const[cython.float][:, ::1]
    table: cython.const[cython.longlong][:, ::1]
    alike: cython.const[cython.longlong][::1]
    # Of each block, prose and links up to it, and its run.
    read: cython.double[::1]
    linked: cython.double[::1]
    run: cython.longlong[::1]
    # Of each run its prose; of each place in the template how many dates, and blocks of prose.
    sizes: cython.double[::1]
    dates: cython.longlong[::1]
    blocks: cython.longlong[::1]
    prose: cython.double[::1]

    def __init__(
        self, rows, column, own, table, alike, read, linked, run, sizes, dates, blocks, prose
    ):
        """Take the tables of a page."""
        self.rows, self.column, self.own, self.table, self.alike = rows, column, own, table, alike
        self.read, self.linked, self.run, self.sizes = read, linked, run, sizes
        self.dates, self.blocks, self.prose = dates, blocks, prose

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _prose(self, row: cython.Py_ssize_t) -> cython.double:
        """Return how many characters of prose a block has."""
        is_prose: cython.bint = (
            self.own[row, OWN_STOPS] >= 1
            and self.own[row, OWN_WORDS] >= 8
            and self.own[row, OWN_LINK_SHARE] < 0.4
        )
        return self.own[row, OWN_CHARS] if is_prose else 0.0

    def add_up(self, utf8: cython.const[cython.uchar][::1]):
        """Sum up prose, links and dates; return how many runs of prose there are, and one."""
        row: cython.Py_ssize_t
        last: cython.Py_ssize_t = -1
        runs: cython.Py_ssize_t = 0
        prose: cython.double
        read: cython.double = 0.0
        linked: cython.double = 0.0
        here: cython.float
        is_dated: cython.bint
        for row in range(len(self.own)):
            prose = self._prose(row)
            if prose > 0:
                runs += last < 0 or row - last > RUN_GAP
                last = row
                self.sizes[runs] += prose
                self.blocks[self.alike[row]] += 1
                self.prose[self.alike[row]] += prose
            read += prose
            here = self.own[row, OWN_CHARS] * self.own[row, OWN_LINK_SHARE]
            linked += here
            self.read[row], self.linked[row], self.run[row] = read, linked, runs
            is_dated = self.own[row, OWN_CHARS] < LONGEST_DATED and self._has_date(row, utf8)
            self.rows[row, self.column + SECTION_IS_DATED] = is_dated
            self.dates[self.alike[row]] += is_dated
        return runs + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _has_date(
        self, row: cython.Py_ssize_t, utf8: cython.const[cython.uchar][::1]
    ) -> cython.int:
        """Return whether a block has a year of four digits, or a time such as 9:05."""
        place: cython.Py_ssize_t
        first: cython.uchar
        second: cython.uchar
        for place in range(self.table[row, B_FIRST], min(self.table[row, B_LAST], len(utf8) - 3)):
            first, second = utf8[place], utf8[place + 1]
            if not 48 <= first <= 57 or not 48 <= second <= 58:
                continue
            if not 48 <= utf8[place + 2] <= 57 or not 48 <= utf8[place + 3] <= 57:
                continue
            if second == 58 or (first == 49 and second == 57) or (first == 50 and second == 48):
                return 1
        return 0

    def fill(self, ranks: cython.const[cython.longlong][::1]):
        """Fill all columns but those of articles; `ranks` are those of the runs."""
        row: cython.Py_ssize_t
        head: cython.Py_ssize_t = -1
        dated: cython.Py_ssize_t = -1
        last: cython.Py_ssize_t = -1
        count: cython.Py_ssize_t = len(self.own)
        with cython.nogil:
            for row in range(count):
                self._fill_head(row, head)
                self._fill_date(row, dated)
                self._fill_run(row, last, ranks[self.run[row]])
                self._fill_outside(row)
                if self.table[row, B_KIND] == HEADING:
                    head = row
                if self.rows[row, self.column + SECTION_IS_DATED] > 0:
                    dated = row
                if self._prose(row) > 0:
                    last = row
            head = dated = count
            for row in range(count - 1, -1, -1):
                self._fill_next(row, head, dated)
                if self.table[row, B_KIND] == HEADING:
                    head = row
                if self.rows[row, self.column + SECTION_IS_DATED] > 0:
                    dated = row

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_head(self, row: cython.Py_ssize_t, head: cython.Py_ssize_t) -> cython.int:
        at: cython.Py_ssize_t = self.column
        before: cython.double = self.read[row] - self._prose(row)
        if head < 0:
            self.rows[row, at + SECTION_HEAD_GAP] = FAR
            self.rows[row, at + SECTION_HEAD_CHARS] = self.rows[row, at + SECTION_HEAD_LEVEL] = (
                NO_SIZE
            )
            self.rows[row, at + SECTION_HEAD_PROSE] = before
            return 0
        self.rows[row, at + SECTION_HEAD_GAP] = row - head
        self.rows[row, at + SECTION_HEAD_WORDING] = self.own[head, OWN_WORDING]
        self.rows[row, at + SECTION_HEAD_LOW] = self.own[head, OWN_WORDING_LOW]
        self.rows[row, at + SECTION_HEAD_CHARS] = self.own[head, OWN_CHARS]
        self.rows[row, at + SECTION_HEAD_LINKS] = self.own[head, OWN_LINK_SHARE]
        self.rows[row, at + SECTION_HEAD_LEVEL] = self.own[head, OWN_HEADING]
        self.rows[row, at + SECTION_HEAD_TITLE] = self.own[head, OWN_TITLE_SHARE]
        self.rows[row, at + SECTION_HEAD_HINT] = self.own[head, OWN_PATH_HINT]
        self.rows[row, at + SECTION_HEAD_PROSE] = before - self.read[head]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_date(self, row: cython.Py_ssize_t, dated: cython.Py_ssize_t) -> cython.int:
        at: cython.Py_ssize_t = self.column
        before: cython.double = self.read[row] - self._prose(row)
        self.rows[row, at + SECTION_DATE_GAP] = row - dated if dated >= 0 else FAR
        self.rows[row, at + SECTION_DATE_ALIKE] = self.dates[self.alike[dated]] if dated >= 0 else 0
        self.rows[row, at + SECTION_DATE_PROSE] = before - (self.read[dated] if dated >= 0 else 0.0)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_run(
        self, row: cython.Py_ssize_t, last: cython.Py_ssize_t, rank: cython.Py_ssize_t
    ) -> cython.int:
        at: cython.Py_ssize_t = self.column
        total: cython.double = max(self.read[len(self.read) - 1], 1.0)
        since: cython.double = self.linked[last] if last >= 0 else 0.0
        self.rows[row, at + SECTION_PROSE_BEFORE] = (self.read[row] - self._prose(row)) / total
        self.rows[row, at + SECTION_PROSE_GAP] = row - last if last >= 0 else FAR
        self.rows[row, at + SECTION_RUN_SHARE] = self.sizes[self.run[row]] / total
        self.rows[row, at + SECTION_RUN_RANK] = rank
        self.rows[row, at + SECTION_PROSE_ALIKE] = self.blocks[self.alike[row]]
        self.rows[row, at + SECTION_ALIKE_SHARE] = self.prose[self.alike[row]] / total
        self.rows[row, at + SECTION_LINKS_SINCE_PROSE] = self.linked[row] - since
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_outside(self, row: cython.Py_ssize_t) -> cython.int:
        """Fill the columns of a block that no article is round."""
        self.rows[row, self.column + SECTION_ARTICLE_NUMBER] = 0
        self.rows[row, self.column + SECTION_ARTICLE_SHARE] = -1
        self.rows[row, self.column + SECTION_ARTICLE_RANK] = -1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_next(
        self, row: cython.Py_ssize_t, head: cython.Py_ssize_t, dated: cython.Py_ssize_t
    ) -> cython.int:
        """Fill how far it is to the next heading and the next date."""
        at: cython.Py_ssize_t = self.column
        count: cython.Py_ssize_t = len(self.own)
        self.rows[row, at + SECTION_NEXT_DATE_GAP] = dated - row if dated < count else FAR
        self.rows[row, at + SECTION_NEXT_HEAD_GAP] = head - row if head < count else FAR
        self.rows[row, at + SECTION_NEXT_HEAD_LEVEL] = (
            self.own[head, OWN_HEADING] if head < count else 0
        )
        return 0

    def fill_articles(
        self,
        articles: cython.const[cython.longlong][::1],
        numbers: cython.const[cython.longlong][::1],
        shares: cython.const[cython.double][::1],
        ranks: cython.const[cython.longlong][::1],
    ):
        """Fill the columns of the blocks that have an article: its number, share and rank."""
        row: cython.Py_ssize_t
        article: cython.Py_ssize_t
        for row in range(len(articles)):
            article = articles[row]
            if article >= 0:
                self.rows[row, self.column + SECTION_ARTICLE_NUMBER] = numbers[article]
                self.rows[row, self.column + SECTION_ARTICLE_SHARE] = shares[article]
                self.rows[row, self.column + SECTION_ARTICLE_RANK] = ranks[article]
