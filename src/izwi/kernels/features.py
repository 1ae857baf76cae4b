"""Loops over a page's blocks and elements that fill what a classifier sees of each block."""

import cython
from cython.cimports.izwi.kernels.columns import (
    B_KIND,
    B_NODE,
    B_WORDS,
    B_WORDS_END,
    HEADING,
    N_DEPTH,
    N_PARENT,
    N_TAG,
    N_WORDS,
    N_WORDS_END,
    TAG_H1,
    TAG_H6,
)  # fmt: skip
from cython.cimports.izwi.kernels.feature_columns import (
    EXTRA_BEST_SHARE,
    EXTRA_BRANCH_HEIGHT,
    EXTRA_BRANCH_HINT,
    EXTRA_BRANCH_LINK_SHARE,
    EXTRA_BRANCH_MEAN_WORDS,
    EXTRA_BRANCH_PROSE_SHARE,
    EXTRA_BRANCH_RISE,
    EXTRA_BRANCH_SHARE,
    EXTRA_BRANCH_SIDE,
    EXTRA_IN_BEST,
    EXTRA_PAGE_LONGEST,
    EXTRA_PAGE_PARAGRAPHS,
    EXTRA_WINDOW_LINKS,
    EXTRA_WINDOW_PROSE,
    LEVELS,
    NEAR_CHARS,
    NEAR_COLUMNS,
    NEAR_IS_SIBLING,
    NEAR_KIND,
    NEAR_LINK_SHARE,
    NEAR_PATH_HINT,
    NEAR_STOPS,
    OWN_AFTER_COMMENTS,
    OWN_CHARS,
    OWN_DEPTH,
    OWN_HEADING,
    OWN_HINT,
    OWN_KIND,
    OWN_LINK_SHARE,
    OWN_PARENT_HINT,
    OWN_PARENT_TAG,
    OWN_PATH_HINT,
    OWN_PATH_HINT_HIGH,
    OWN_PATH_HINT_LOW,
    OWN_STOPS,
    OWN_TAG,
    OWN_TITLE_SHARE,
    OWN_WORDING,
    OWN_WORDING_LOW,
    OWN_WORDS,
    SUM_BLOCKS,
    SUM_CHARS,
    SUM_LINKED,
    SUM_PROSE,
    SUM_PROSE_HERE,
    SUM_WORDS,
    UP_BLOCKS,
    UP_CHARS,
    UP_COLUMNS,
    UP_HINT,
    UP_LINK_SHARE,
    UP_MEAN_WORDS,
    UP_PROSE_HERE,
    UP_PROSE_SHARE,
    UP_SHARE,
    UP_TAG,
    UP_TWINS,
)  # fmt: skip

# How far the windows round a block and the nearest neighbours go.
WINDOW = cython.declare(cython.Py_ssize_t, 5)
NEIGHBOURS = cython.declare(cython.Py_ssize_t, 3)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(-1)
def _is_among(wanted: cython.ulonglong, hashes: cython.const[cython.ulonglong][::1]) -> cython.int:
    place: cython.Py_ssize_t
    for place in range(len(hashes)):
        if hashes[place] == wanted:
            return 1
    return 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(-1)
def _place_of(
    hashes: cython.const[cython.ulonglong][::1], wanted: cython.ulonglong
) -> cython.Py_ssize_t:
    """Return where sorted hashes hold the wanted one, counted from 1, or 0."""
    low: cython.Py_ssize_t = 0
    half: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(hashes)
    if not size:
        return 0
    # Halved without asking which half it is: a wrong guess would cost more than the step.
    while size > 1:
        half = size >> 1
        low += half * (hashes[low + half] <= wanted)
        size -= half
    return low + 1 if hashes[low] == wanted else 0


def comments_heading(
    table: cython.const[cython.longlong][:, ::1],
    words: cython.const[cython.ulonglong][::1],
    heads: cython.const[cython.ulonglong][::1],
):
    """Return the number of the first heading of a single word that heads comments."""
    row: cython.Py_ssize_t
    first: cython.Py_ssize_t
    for row in range(len(table)):
        first = table[row, B_WORDS]
        if (
            table[row, B_KIND] == HEADING
            and table[row, B_WORDS_END] - first == 1
            and _is_among(words[first], heads)
        ):
            return row
    return len(table)


def structure(
    rows: cython.float[:, ::1],
    table: cython.const[cython.longlong][:, ::1],
    nodes: cython.const[cython.longlong][:, ::1],
):
    """Fill the level of headings and the depth."""
    row: cython.Py_ssize_t
    node: cython.Py_ssize_t
    for row in range(len(rows)):
        node = table[row, B_NODE]
        if node < 0:
            continue
        rows[row, OWN_DEPTH] = nodes[node, N_DEPTH]
        while table[row, B_KIND] == HEADING and node >= 0:
            if TAG_H1 <= nodes[node, N_TAG] <= TAG_H6:
                rows[row, OWN_HEADING] = nodes[node, N_TAG] - TAG_H1 + 1
                break
            node = nodes[node, N_PARENT]


def wording(
    rows: cython.float[:, ::1],
    table: cython.const[cython.longlong][:, ::1],
    words: cython.const[cython.ulonglong][::1],
    title: cython.const[cython.ulonglong][::1],
    hashes: cython.const[cython.ulonglong][::1],
    values: cython.const[cython.float][::1],
    heads: cython.const[cython.ulonglong][::1],
):
    """Fill what the words of short blocks say: in the title, usual in menus, heading comments."""
    is_after: cython.bint = False
    row: cython.Py_ssize_t
    place: cython.Py_ssize_t
    found: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    titled: cython.Py_ssize_t
    total: cython.double
    low: cython.double
    weight: cython.double
    for row in range(len(rows)):
        first, last = table[row, B_WORDS], table[row, B_WORDS_END]
        if last > first:
            titled, total, low = 0, 0.0, 0.0
            for place in range(first, last):
                found = _place_of(hashes, words[place])
                weight = values[found - 1] if found else 0.0
                total += weight
                if place == first or weight < low:
                    low = weight
                titled += _place_of(title, words[place]) > 0
                if last - first <= 5 and not is_after and _is_among(words[place], heads):
                    is_after = True
            rows[row, OWN_TITLE_SHARE] = cython.cast(cython.double, titled) / (last - first)
            rows[row, OWN_WORDING] = total / (last - first)
            rows[row, OWN_WORDING_LOW] = low
        rows[row, OWN_AFTER_COMMENTS] = is_after


def hints(
    out: cython.float[::1],
    nodes: cython.const[cython.longlong][:, ::1],
    names: cython.const[cython.ulonglong][::1],
    hashes: cython.const[cython.ulonglong][::1],
    values: cython.const[cython.float][::1],
):
    """Fill what the names of each element speak for."""
    node: cython.Py_ssize_t
    place: cython.Py_ssize_t
    found: cython.Py_ssize_t
    for node in range(len(nodes)):
        for place in range(nodes[node, N_WORDS], nodes[node, N_WORDS_END]):
            found = _place_of(hashes, names[place])
            if found:
                out[node] += values[found - 1]


def branches_from(
    best: cython.Py_ssize_t,
    parents: cython.const[cython.longlong][::1],
    is_round: cython.uchar[::1],
    branches: cython.longlong[::1],
    depths: cython.longlong[::1],
):
    """Fill for each element its branch, seen from the best one, and how deep it lies.

    Elements round the best one, which are marked, are branches of their own.
    """
    node: cython.Py_ssize_t = best if len(parents) else -1
    parent: cython.Py_ssize_t
    while node >= 0:
        is_round[node] = 1
        node = parents[node]
    for node in range(len(parents)):
        parent = parents[node]
        branches[node] = node
        depths[node] = 0
        if parent < 0:
            continue
        depths[node] = depths[parent] + 1
        if not is_round[node] and not is_round[parent]:
            branches[node] = branches[parent]


def span_of(
    best: cython.Py_ssize_t,
    places: cython.const[cython.longlong][::1],
    parents: cython.const[cython.longlong][::1],
    is_inside: cython.uchar[::1],
):
    """Return the numbers of the first and the last block inside an element."""
    node: cython.Py_ssize_t
    row: cython.Py_ssize_t
    first: cython.Py_ssize_t = len(places)
    last: cython.Py_ssize_t = -1
    is_inside[best] = 1
    for node in range(best + 1, len(parents)):
        is_inside[node] = parents[node] >= 0 and is_inside[parents[node]]
    for row in range(len(places)):
        if places[row] >= 0 and is_inside[places[row]]:
            first, last = min(first, row), row
    return first, last


@cython.final
@cython.cclass
class Page:
    """A page as the loops read it: its blocks' own columns, its elements, and sums over them."""

    own: cython.float[:, ::1]
    # Of each block, its element; of each element, its parent, tag, hints and how many look alike.
    places: cython.const[cython.longlong][::1]
    parents: cython.const[cython.longlong][::1]
    tags: cython.const[cython.longlong][::1]
    hints: cython.const[cython.float][::1]
    twins: cython.const[cython.float][::1]
    sums: cython.float[:, ::1]
    blocks: cython.Py_ssize_t
    total: cython.double
    prose: cython.double

    def __init__(self, own, places, parents, tags, hints, twins, sums):
        """Take the tables of a page."""
        self.own, self.places, self.parents, self.tags = own, places, parents, tags
        self.hints, self.twins, self.sums = hints, twins, sums
        self.blocks = len(own)
        self.total = self.prose = 0.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _is_prose(self, row: cython.Py_ssize_t) -> cython.int:
        own: cython.float[:, ::1] = self.own
        return (
            own[row, OWN_STOPS] >= 1 and own[row, OWN_WORDS] >= 8 and own[row, OWN_LINK_SHARE] < 0.4
        )

    def fill_hints(self):
        """Fill what the names of the elements round each block speak for, and their tags."""
        own: cython.float[:, ::1] = self.own
        row: cython.Py_ssize_t
        node: cython.Py_ssize_t
        step: cython.Py_ssize_t
        value: cython.float
        for row in range(self.blocks):
            node, step = self.places[row], 0
            while node >= 0:
                value = self.hints[node]
                if step == 0:
                    own[row, OWN_HINT] = value
                    own[row, OWN_TAG] = self.tags[node]
                elif step == 1:
                    own[row, OWN_PARENT_HINT] = value
                    own[row, OWN_PARENT_TAG] = self.tags[node]
                own[row, OWN_PATH_HINT] += value
                own[row, OWN_PATH_HINT_LOW] = min(own[row, OWN_PATH_HINT_LOW], value)
                own[row, OWN_PATH_HINT_HIGH] = max(own[row, OWN_PATH_HINT_HIGH], value)
                node = self.parents[node]
                step += 1

    def add_up(self, here: cython.float[::1]):
        """Sum characters, links, blocks, prose and words of every element, and its own prose."""
        own: cython.float[:, ::1] = self.own
        sums: cython.float[:, ::1] = self.sums
        parents: cython.const[cython.longlong][::1] = self.parents
        row: cython.Py_ssize_t
        node: cython.Py_ssize_t
        parent: cython.Py_ssize_t
        column: cython.Py_ssize_t
        chars: cython.float
        for row in range(self.blocks):
            node = self.places[row]
            if node < 0:
                continue
            chars = own[row, OWN_CHARS]
            sums[node, SUM_CHARS] += chars
            sums[node, SUM_LINKED] += chars * own[row, OWN_LINK_SHARE]
            sums[node, SUM_BLOCKS] += 1
            sums[node, SUM_WORDS] += own[row, OWN_WORDS]
            if self._is_prose(row):
                sums[node, SUM_PROSE] += chars
                # Paragraphs that stand directly here, or one element below, make a text body.
                here[node] += chars * 0.5
                parent = parents[node]
                if parent >= 0:
                    here[parent] += chars
                    if parents[parent] >= 0:
                        here[parents[parent]] += chars * 0.5
        for node in range(len(parents) - 1, -1, -1):
            parent = parents[node]
            if parent >= 0:
                for column in range(SUM_PROSE_HERE):
                    sums[parent, column] += sums[node, column]
            sums[node, SUM_PROSE_HERE] = here[node]

    def totals(self):
        """Count text, links and prose; return them and the number of the first main heading."""
        row: cython.Py_ssize_t
        total: cython.float = 0
        linked: cython.float = 0
        first_heading: cython.Py_ssize_t = -1
        self.prose = 0.0
        for row in range(self.blocks):
            total += self.own[row, OWN_CHARS]
            linked += self.own[row, OWN_CHARS] * self.own[row, OWN_LINK_SHARE]
            if self._is_prose(row):
                self.prose += self.own[row, OWN_CHARS]
            if self.own[row, OWN_HEADING] == 1 and first_heading < 0:
                first_heading = row
        self.total = max(total, 1.0)
        return self.total, linked, self.prose, first_heading

    def prose_blocks(self):
        """Return the length of the longest block of prose and how many there are."""
        row: cython.Py_ssize_t
        longest: cython.float = 0
        count: cython.Py_ssize_t = 0
        for row in range(self.blocks):
            if self._is_prose(row):
                longest = max(longest, self.own[row, OWN_CHARS])
                count += 1
        return longest, count

    def fill(
        self,
        rows: cython.float[:, ::1],
        near: cython.Py_ssize_t,
        best: cython.Py_ssize_t,
        branches: cython.const[cython.longlong][::1],
        depths: cython.const[cython.longlong][::1],
        first: cython.Py_ssize_t,
        last: cython.Py_ssize_t,
    ):
        """Fill the columns of neighbours, containers and the rest, which begin at `near`."""
        row: cython.Py_ssize_t
        up: cython.Py_ssize_t = near + 2 * NEIGHBOURS * NEAR_COLUMNS
        extra: cython.Py_ssize_t = up + LEVELS * UP_COLUMNS
        longest: cython.float
        longest, count = self.prose_blocks()
        paragraphs: cython.float = count
        with cython.nogil:
            for row in range(self.blocks):
                self._fill_near(rows, row, near)
                self._fill_containers(rows, row, up)
                self._fill_extra(rows, row, extra, best)
                rows[row, extra + EXTRA_PAGE_LONGEST] = longest
                rows[row, extra + EXTRA_PAGE_PARAGRAPHS] = paragraphs
                if self.places[row] >= 0:
                    self._fill_branch(rows, row, extra, branches[self.places[row]])
                    rows[row, extra + EXTRA_BRANCH_HEIGHT] = (
                        depths[self.places[row]] - depths[branches[self.places[row]]]
                    )
                    rows[row, extra + EXTRA_BRANCH_RISE] = (
                        depths[best] - depths[branches[self.places[row]]]
                    )
                    rows[row, extra + EXTRA_BRANCH_SIDE] = -1 if row < first else row > last

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_near(
        self, rows: cython.float[:, ::1], row: cython.Py_ssize_t, column: cython.Py_ssize_t
    ) -> cython.int:
        own: cython.float[:, ::1] = self.own
        node: cython.Py_ssize_t = self.places[row]
        above: cython.Py_ssize_t = self.parents[node] if node >= 0 else -1
        offset: cython.Py_ssize_t
        other: cython.Py_ssize_t
        there: cython.Py_ssize_t
        for offset in range(-NEIGHBOURS, NEIGHBOURS + 1):
            if offset == 0:
                continue
            other = row + offset
            if 0 <= other < self.blocks:
                rows[row, column + NEAR_CHARS] = own[other, OWN_CHARS]
                rows[row, column + NEAR_LINK_SHARE] = own[other, OWN_LINK_SHARE]
                rows[row, column + NEAR_STOPS] = own[other, OWN_STOPS]
                rows[row, column + NEAR_KIND] = own[other, OWN_KIND]
                rows[row, column + NEAR_PATH_HINT] = own[other, OWN_PATH_HINT]
                there = self.places[other]
                rows[row, column + NEAR_IS_SIBLING] = there == node or (
                    there >= 0 and self.parents[there] == above
                )
            else:
                rows[row, column + NEAR_CHARS] = -1
                rows[row, column + NEAR_KIND] = -1
            column += NEAR_COLUMNS
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_containers(
        self, rows: cython.float[:, ::1], row: cython.Py_ssize_t, column: cython.Py_ssize_t
    ) -> cython.int:
        """Fill the numbers of the nearest elements that each hold more than the last."""
        sums: cython.float[:, ::1] = self.sums
        parents: cython.const[cython.longlong][::1] = self.parents
        node: cython.Py_ssize_t = self.places[row]
        step: cython.Py_ssize_t
        level: cython.Py_ssize_t
        blocks: cython.float
        prose: cython.double = max(self.prose, 1.0)
        for level in range(LEVELS):
            if node < 0:
                for step in range(column + level * UP_COLUMNS, column + LEVELS * UP_COLUMNS):
                    rows[row, step] = -1
                return 0
            step = column + level * UP_COLUMNS
            while parents[node] >= 0 and sums[node, SUM_BLOCKS] <= 1:
                node = parents[node]
            blocks = sums[node, SUM_BLOCKS]
            rows[row, step + UP_CHARS] = sums[node, SUM_CHARS]
            rows[row, step + UP_SHARE] = sums[node, SUM_CHARS] / self.total
            rows[row, step + UP_LINK_SHARE] = _share(sums[node, SUM_LINKED], sums[node, SUM_CHARS])
            rows[row, step + UP_BLOCKS] = blocks
            rows[row, step + UP_PROSE_SHARE] = sums[node, SUM_PROSE] / prose
            rows[row, step + UP_MEAN_WORDS] = _share(sums[node, SUM_WORDS], blocks)
            rows[row, step + UP_TAG] = self.tags[node]
            rows[row, step + UP_HINT] = self.hints[node]
            rows[row, step + UP_PROSE_HERE] = sums[node, SUM_PROSE_HERE] / prose
            rows[row, step + UP_TWINS] = self.twins[node]
            while node >= 0 and sums[node, SUM_BLOCKS] <= blocks:
                node = parents[node]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_extra(
        self,
        rows: cython.float[:, ::1],
        row: cython.Py_ssize_t,
        column: cython.Py_ssize_t,
        best: cython.Py_ssize_t,
    ) -> cython.int:
        """Fill whether a block stands in the text body, and what is in the window round it."""
        own: cython.float[:, ::1] = self.own
        other: cython.Py_ssize_t
        node: cython.Py_ssize_t = self.places[row]
        chars: cython.double = 0.0
        linked: cython.double = 0.0
        sentences: cython.double = 0.0
        while node >= 0 and node != best:
            node = self.parents[node]
        rows[row, column + EXTRA_IN_BEST] = node == best
        rows[row, column + EXTRA_BEST_SHARE] = self.sums[best, SUM_PROSE] / max(self.prose, 1.0)
        for other in range(max(0, row - WINDOW), min(self.blocks, row + WINDOW + 1)):
            chars += own[other, OWN_CHARS]
            linked += own[other, OWN_CHARS] * own[other, OWN_LINK_SHARE]
            if self._is_prose(other):
                sentences += own[other, OWN_CHARS]
        rows[row, column + EXTRA_WINDOW_LINKS] = linked / max(chars, 1.0)
        rows[row, column + EXTRA_WINDOW_PROSE] = sentences / max(chars, 1.0)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _fill_branch(
        self,
        rows: cython.float[:, ::1],
        row: cython.Py_ssize_t,
        column: cython.Py_ssize_t,
        branch: cython.Py_ssize_t,
    ) -> cython.int:
        sums: cython.float[:, ::1] = self.sums
        chars: cython.float = sums[branch, SUM_CHARS]
        rows[row, column + EXTRA_BRANCH_SHARE] = chars / self.total
        rows[row, column + EXTRA_BRANCH_PROSE_SHARE] = sums[branch, SUM_PROSE] / max(
            self.prose, 1.0
        )
        rows[row, column + EXTRA_BRANCH_LINK_SHARE] = _share(sums[branch, SUM_LINKED], chars)
        rows[row, column + EXTRA_BRANCH_MEAN_WORDS] = _share(
            sums[branch, SUM_WORDS], sums[branch, SUM_BLOCKS]
        )
        rows[row, column + EXTRA_BRANCH_HINT] = self.hints[branch]
        return 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _share(part: cython.double, whole: cython.double) -> cython.double:
    return part / max(whole, 1.0)
