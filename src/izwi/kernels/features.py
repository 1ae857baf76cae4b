"""Loops over a page's blocks and elements that fill what a classifier sees of each block."""

import cython
from cython.cimports.izwi.kernels.columns import (
    B_BREAKS,
    B_END,
    B_INLINES,
    B_KIND,
    B_LINKED,
    B_LINKS,
    B_NODE,
    B_START,
    B_WORDS,
    B_WORDS_END,
    HEADING,
    N_DEPTH,
    N_HASH,
    N_PARENT,
    N_TAG,
    N_WORDS,
    N_WORDS_END,
    TAG_H1,
    TAG_H6,
)  # fmt: skip
from cython.cimports.izwi.kernels.feature_columns import (
    COUNT_CAPITALS,
    COUNT_CHARS,
    COUNT_COMMAS,
    COUNT_DIGITS,
    COUNT_FENCES,
    COUNT_IS_CAPITAL,
    COUNT_IS_ENDED,
    COUNT_LETTERS,
    COUNT_OTHERS,
    COUNT_STOPS,
    COUNT_WORDS,
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
    OWN_ALIKE,
    OWN_ALIKE_CHARS,
    OWN_ALIKE_LINKS,
    OWN_BREAKS,
    OWN_CAPITAL_SHARE,
    OWN_CHARS,
    OWN_COLUMNS,
    OWN_COMMAS,
    OWN_COPIES,
    OWN_DEPTH,
    OWN_DIGIT_SHARE,
    OWN_FENCE_SHARE,
    OWN_HEADING,
    OWN_HINT,
    OWN_INLINES,
    OWN_IS_CAPITAL,
    OWN_IS_ENDED,
    OWN_KIND,
    OWN_LINK_SHARE,
    OWN_LINKS,
    OWN_OTHER_SHARE,
    OWN_PARENT_HINT,
    OWN_PARENT_TAG,
    OWN_PATH_HINT,
    OWN_PATH_HINT_HIGH,
    OWN_PATH_HINT_LOW,
    OWN_STOPS,
    OWN_TAG,
    OWN_TITLE_SHARE,
    OWN_WORD_LENGTH,
    OWN_WORDING,
    OWN_WORDING_LOW,
    OWN_WORDS,
    PAGE_AFTER_H1,
    PAGE_CHARS_BEFORE,
    PAGE_COLUMNS,
    PAGE_HAS_H1,
    PAGE_PAGE_BLOCKS,
    PAGE_PAGE_CHARS,
    PAGE_PAGE_LINKS,
    PAGE_PAGE_PROSE,
    PAGE_PLACE,
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
FACTOR = cython.declare(cython.ulonglong, 1_000_003)
# Compiled code wraps round at 64 bits by itself; the interpreter needs to be told.
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
# Without so many of its bits a hash says where those that begin like it stand.
REST_BITS = cython.declare(cython.int, 52)


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


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(-1, check=True)
def _weight_of(
    hashes: cython.const[cython.ulonglong][::1],
    values: cython.const[cython.float][::1],
    starts: cython.const[cython.int][::1],
    wanted: cython.ulonglong,
) -> cython.float:
    """Return the weight of a word, 0 if it has none; `starts` as `Weights` has them."""
    first: cython.Py_ssize_t = wanted >> REST_BITS
    place: cython.Py_ssize_t
    for place in range(starts[first], starts[first + 1]):
        if hashes[place] == wanted:
            return values[place]
    return 0


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
            and _place_of(heads, words[first])
        ):
            return row
    return len(table)


def beginning_with(
    table: cython.const[cython.longlong][:, ::1],
    words: cython.const[cython.ulonglong][::1],
    firsts: cython.const[cython.ulonglong][::1],
    longest: cython.longlong,
):
    """Return the numbers of the blocks of so many characters at most that begin with a word."""
    row: cython.Py_ssize_t
    found = []
    for row in range(len(table)):
        if (
            table[row, B_WORDS] < table[row, B_WORDS_END]
            and table[row, B_END] - table[row, B_START] <= longest
            and _place_of(firsts, words[table[row, B_WORDS]])
        ):
            found.append(row)  # noqa: PERF401 (the row of a comprehension would be an object)
    return found


def numbered(
    keys: cython.const[cython.ulonglong][::1],
    odd: cython.ulonglong,
    slots: cython.longlong[::1],
    out: cython.longlong[::1],
):
    """Fill for each key a number, the same for equal keys, from 0 without gaps.

    `slots` hold -1, twice as many as keys or more, a power of two. They are chosen by a factor
    that pages cannot know, lest they have all keys look for the same one.
    """
    place: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    last: cython.Py_ssize_t = len(slots) - 1
    count: cython.longlong = 0
    mixed: cython.ulonglong
    for place in range(len(keys)):
        mixed = (keys[place] * odd) & 0xFFFFFFFFFFFFFFFF
        slot = (mixed >> 40) & last
        while slots[slot] >= 0 and keys[slots[slot]] != keys[place]:
            slot = (slot + 1) & last
        if slots[slot] < 0:
            slots[slot] = place
            out[place] = count
            count += 1
        else:
            out[place] = out[slots[slot]]


def template_keys(
    table: cython.const[cython.longlong][:, ::1],
    nodes: cython.const[cython.longlong][:, ::1],
    keys: cython.ulonglong[::1],
):
    """Fill for each block a key of its element's looks and of the parent's, 0 if it has none."""
    row: cython.Py_ssize_t
    node: cython.Py_ssize_t
    for row in range(len(keys)):
        node = table[row, B_NODE]
        keys[row] = 0
        if node >= 0:
            keys[row] = _mixed(nodes[node, N_HASH], 7)
            if nodes[node, N_PARENT] >= 0:
                keys[row] = _mixed(nodes[node, N_HASH], nodes[nodes[node, N_PARENT], N_HASH])


def sibling_keys(
    nodes: cython.const[cython.longlong][:, ::1],
    keys: cython.ulonglong[::1],
):
    """Fill for each element a key that it shares with siblings of the same looks."""
    node: cython.Py_ssize_t
    for node in range(len(keys)):
        keys[node] = _mixed(nodes[node, N_PARENT], nodes[node, N_HASH])


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _mixed(first: cython.longlong, second: cython.longlong) -> cython.ulonglong:
    mixed: cython.ulonglong = cython.cast(cython.ulonglong, first) * FACTOR
    return (mixed ^ cython.cast(cython.ulonglong, second)) & ALL


def times(
    numbers: cython.const[cython.longlong][::1], counts: cython.float[::1], out: cython.float[::1]
):
    """Fill how often each number comes; `counts` are empty."""
    place: cython.Py_ssize_t
    for place in range(len(numbers)):
        counts[numbers[place]] += 1
    for place in range(len(numbers)):
        out[place] = counts[numbers[place]]


def counted(
    rows: cython.float[:, ::1],
    table: cython.const[cython.longlong][:, ::1],
    counts: cython.const[cython.float][:, ::1],
):
    """Fill what is counted in a block: characters, words, links, shares of kinds of characters."""
    row: cython.Py_ssize_t
    chars: cython.float
    words: cython.float
    size: cython.double
    for row in range(len(rows)):
        chars, words = max(counts[row, COUNT_CHARS], 1), max(counts[row, COUNT_WORDS], 1)
        size = table[row, B_END] - table[row, B_START]
        rows[row, OWN_CHARS] = counts[row, COUNT_CHARS]
        rows[row, OWN_WORDS] = counts[row, COUNT_WORDS]
        rows[row, OWN_LINK_SHARE] = min(table[row, B_LINKED] / size, 1.0)
        rows[row, OWN_LINKS] = table[row, B_LINKS]
        rows[row, OWN_WORD_LENGTH] = counts[row, COUNT_LETTERS] / words
        rows[row, OWN_CAPITAL_SHARE] = counts[row, COUNT_CAPITALS] / words
        rows[row, OWN_DIGIT_SHARE] = counts[row, COUNT_DIGITS] / chars
        rows[row, OWN_STOPS] = counts[row, COUNT_STOPS]
        rows[row, OWN_COMMAS] = counts[row, COUNT_COMMAS]
        rows[row, OWN_FENCE_SHARE] = counts[row, COUNT_FENCES] / chars
        rows[row, OWN_OTHER_SHARE] = counts[row, COUNT_OTHERS] / chars
        rows[row, OWN_IS_ENDED] = counts[row, COUNT_IS_ENDED]
        rows[row, OWN_IS_CAPITAL] = counts[row, COUNT_IS_CAPITAL]
        rows[row, OWN_KIND] = table[row, B_KIND]
        rows[row, OWN_BREAKS] = table[row, B_BREAKS]
        rows[row, OWN_INLINES] = table[row, B_INLINES]


def repeats(
    rows: cython.float[:, ::1],
    texts: cython.const[cython.longlong][::1],
    places: cython.const[cython.longlong][::1],
    sums: cython.double[:, ::1],
):
    """Fill how often a block's text, and its place in the template, come again on the page.

    `sums` are empty rows for as many texts or places as there may be: how often a text comes, how
    often a place, its characters, and those in links.
    """
    row: cython.Py_ssize_t
    place: cython.Py_ssize_t
    linked: cython.float
    for row in range(len(rows)):
        place = places[row]
        linked = rows[row, OWN_CHARS] * rows[row, OWN_LINK_SHARE]
        sums[texts[row], 0] += 1
        sums[place, 1] += 1
        sums[place, 2] += rows[row, OWN_CHARS]
        sums[place, 3] += linked
    for row in range(len(rows)):
        place = places[row]
        rows[row, OWN_COPIES] = sums[texts[row], 0]
        rows[row, OWN_ALIKE] = sums[place, 1]
        rows[row, OWN_ALIKE_CHARS] = sums[place, 2] / sums[place, 1]
        rows[row, OWN_ALIKE_LINKS] = sums[place, 3] / max(sums[place, 2], 1.0)


def means(
    rows: cython.const[cython.float][:, ::1],
    chances: cython.const[cython.float][::1],
    columns: cython.const[cython.longlong][::1],
    sums: cython.double[:, ::1],
    kinds: cython.double[::1],
):
    """Add up columns over all text and over the likely main text, and the text of each kind.

    Return how much text there is, how much is likely, and stands in likely blocks.
    """
    row: cython.Py_ssize_t
    place: cython.Py_ssize_t
    chars: cython.double
    share: cython.double
    value: cython.double
    total: cython.double = 0.0
    likely: cython.double = 0.0
    main: cython.double = 0.0
    for row in range(len(rows)):
        chars = rows[row, OWN_CHARS] + 1
        share = chars * chances[row]
        total += chars
        likely += share
        if chances[row] > 0.5:
            main += chars
        kinds[cython.cast(cython.Py_ssize_t, rows[row, OWN_KIND])] += chars
        for place in range(len(columns)):
            value = rows[row, columns[place]]
            sums[0, place] += chars * value
            sums[1, place] += share * value
    return total, likely, main


def likely_blocks(
    chances: cython.const[cython.float][::1],
    table: cython.const[cython.longlong][:, ::1],
    seen: cython.uchar[::1],
):
    """Return how many blocks are likely, into how many runs they fall, and in how many elements.

    `seen` is empty, with room for an element more than there are.
    """
    row: cython.Py_ssize_t
    place: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    runs: cython.Py_ssize_t = 0
    elements: cython.Py_ssize_t = 0
    is_in_run: cython.bint = False
    for row in range(len(chances)):
        if not chances[row] > 0.5:
            is_in_run = False
            continue
        count += 1
        runs += not is_in_run
        is_in_run = True
        place = table[row, B_NODE] + 1
        elements += not seen[place]
        seen[place] = 1
    return count, runs, elements


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
    starts: cython.const[cython.int][::1],
    heads: cython.const[cython.ulonglong][::1],
):
    """Fill what the words of short blocks say: in the title, usual in menus, heading comments."""
    is_after: cython.bint = False
    row: cython.Py_ssize_t
    place: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    titled: cython.Py_ssize_t
    # One bit for the last bits of each word of the title: few other words have to be looked for.
    bits: cython.ulonglong = 0
    one: cython.ulonglong = 1
    total: cython.double
    low: cython.double
    weight: cython.double
    for place in range(len(title)):
        bits |= one << (title[place] & 63)
    for row in range(len(rows)):
        first, last = table[row, B_WORDS], table[row, B_WORDS_END]
        if last > first:
            titled, total, low = 0, 0.0, 0.0
            for place in range(first, last):
                weight = _weight_of(hashes, values, starts, words[place])
                total += weight
                if place == first or weight < low:
                    low = weight
                if bits >> (words[place] & 63) & 1:
                    titled += _place_of(title, words[place]) > 0
                if last - first <= 5 and not is_after and _place_of(heads, words[place]):
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
    starts: cython.const[cython.int][::1],
):
    """Fill what the names of each element speak for."""
    node: cython.Py_ssize_t
    place: cython.Py_ssize_t
    for node in range(len(nodes)):
        for place in range(nodes[node, N_WORDS], nodes[node, N_WORDS_END]):
            out[node] += _weight_of(hashes, values, starts, names[place])


def lean(
    out: cython.float[::1],
    ranges: cython.const[cython.longlong][:, ::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    words: cython.const[cython.ulonglong][::1],
    hashes: cython.const[cython.ulonglong][::1],
    values: cython.const[cython.float][:, ::1],
    starts: cython.const[cython.int][::1],
    seen: cython.uchar[::1],
):
    """Add up what words speak for, each once; columns `begin` and `end` say where they stand.

    `seen` is empty, with room for every known word.
    """
    row: cython.Py_ssize_t
    place: cython.Py_ssize_t
    known: cython.Py_ssize_t
    first: cython.Py_ssize_t
    column: cython.Py_ssize_t
    for row in range(len(ranges)):
        for place in range(ranges[row, begin], ranges[row, end]):
            first = words[place] >> REST_BITS
            for known in range(starts[first], starts[first + 1]):
                if hashes[known] == words[place] and not seen[known]:
                    seen[known] = 1
                    for column in range(len(out)):
                        out[column] += values[known, column]


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
    linked: cython.double
    prose: cython.double

    def __init__(self, own, places, parents, tags, hints, twins, sums):
        """Take the tables of a page."""
        self.own, self.places, self.parents, self.tags = own, places, parents, tags
        self.hints, self.twins, self.sums = hints, twins, sums
        self.blocks = len(own)
        self.total = self.linked = self.prose = 0.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _is_prose(self, row: cython.Py_ssize_t) -> cython.int:
        return (
            self.own[row, OWN_STOPS] >= 1
            and self.own[row, OWN_WORDS] >= 8
            and self.own[row, OWN_LINK_SHARE] < 0.4
        )

    def fill_hints(self):
        """Fill what the names of the elements round each block speak for, and their tags."""
        row: cython.Py_ssize_t
        node: cython.Py_ssize_t
        step: cython.Py_ssize_t
        value: cython.float
        for row in range(self.blocks):
            node, step = self.places[row], 0
            while node >= 0:
                value = self.hints[node]
                if step == 0:
                    self.own[row, OWN_HINT] = value
                    self.own[row, OWN_TAG] = self.tags[node]
                elif step == 1:
                    self.own[row, OWN_PARENT_HINT] = value
                    self.own[row, OWN_PARENT_TAG] = self.tags[node]
                self.own[row, OWN_PATH_HINT] += value
                self.own[row, OWN_PATH_HINT_LOW] = min(self.own[row, OWN_PATH_HINT_LOW], value)
                self.own[row, OWN_PATH_HINT_HIGH] = max(self.own[row, OWN_PATH_HINT_HIGH], value)
                node = self.parents[node]
                step += 1

    def add_up(self, here: cython.float[::1]):
        """Sum characters, links, blocks, prose and words of every element, and its own prose."""
        row: cython.Py_ssize_t
        node: cython.Py_ssize_t
        parent: cython.Py_ssize_t
        column: cython.Py_ssize_t
        chars: cython.float
        for row in range(self.blocks):
            node = self.places[row]
            if node < 0:
                continue
            chars = self.own[row, OWN_CHARS]
            self.sums[node, SUM_CHARS] += chars
            self.sums[node, SUM_LINKED] += chars * self.own[row, OWN_LINK_SHARE]
            self.sums[node, SUM_BLOCKS] += 1
            self.sums[node, SUM_WORDS] += self.own[row, OWN_WORDS]
            if self._is_prose(row):
                self.sums[node, SUM_PROSE] += chars
                # Paragraphs that stand directly here, or one element below, make a text body.
                here[node] += chars * 0.5
                parent = self.parents[node]
                if parent >= 0:
                    here[parent] += chars
                    if self.parents[parent] >= 0:
                        here[self.parents[parent]] += chars * 0.5
        for node in range(len(self.parents) - 1, -1, -1):
            parent = self.parents[node]
            if parent >= 0:
                for column in range(SUM_PROSE_HERE):
                    self.sums[parent, column] += self.sums[node, column]
            self.sums[node, SUM_PROSE_HERE] = here[node]

    def fill_page(
        self,
        rows: cython.float[:, ::1],
        flags: cython.const[cython.longlong][::1],
        flag_columns: cython.Py_ssize_t,
        sorts: cython.Py_ssize_t,
        sort_columns: cython.Py_ssize_t,
    ):
        """Fill a block's own columns, what it lies in, and those of the page; return their end."""
        row: cython.Py_ssize_t
        column: cython.Py_ssize_t
        at: cython.Py_ssize_t = OWN_COLUMNS + flag_columns
        heading: cython.Py_ssize_t = self._add_page()
        read: cython.double = 0.0
        for row in range(self.blocks):
            for column in range(OWN_COLUMNS):
                rows[row, column] = self.own[row, column]
            for column in range(flag_columns):
                rows[row, OWN_COLUMNS + column] = flags[row] >> column & 1
            rows[row, at + PAGE_PLACE] = cython.cast(cython.double, row) / self.blocks
            rows[row, at + PAGE_CHARS_BEFORE] = read / self.total
            rows[row, at + PAGE_PAGE_CHARS] = self.total
            rows[row, at + PAGE_PAGE_BLOCKS] = self.blocks
            rows[row, at + PAGE_PAGE_LINKS] = self.linked / self.total
            rows[row, at + PAGE_PAGE_PROSE] = self.prose / self.total
            rows[row, at + PAGE_AFTER_H1] = row - heading if heading >= 0 else 0
            rows[row, at + PAGE_HAS_H1] = heading >= 0
            for column in range(sort_columns):
                rows[row, rows.shape[1] - sort_columns + column] = sorts >> column & 1
            read += self.own[row, OWN_CHARS]
        return at + PAGE_COLUMNS

    @cython.cfunc
    @cython.exceptval(-2)
    def _add_page(self) -> cython.Py_ssize_t:
        """Count text, links and prose; return the number of the first main heading, or -1."""
        row: cython.Py_ssize_t
        total: cython.float = 0
        linked: cython.float = 0
        heading: cython.Py_ssize_t = -1
        self.prose = 0.0
        for row in range(self.blocks):
            total += self.own[row, OWN_CHARS]
            linked += self.own[row, OWN_CHARS] * self.own[row, OWN_LINK_SHARE]
            if self._is_prose(row):
                self.prose += self.own[row, OWN_CHARS]
            if self.own[row, OWN_HEADING] == 1 and heading < 0:
                heading = row
        self.total, self.linked = max(total, 1.0), linked
        return heading

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
                rows[row, column + NEAR_CHARS] = self.own[other, OWN_CHARS]
                rows[row, column + NEAR_LINK_SHARE] = self.own[other, OWN_LINK_SHARE]
                rows[row, column + NEAR_STOPS] = self.own[other, OWN_STOPS]
                rows[row, column + NEAR_KIND] = self.own[other, OWN_KIND]
                rows[row, column + NEAR_PATH_HINT] = self.own[other, OWN_PATH_HINT]
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
            while self.parents[node] >= 0 and self.sums[node, SUM_BLOCKS] <= 1:
                node = self.parents[node]
            blocks = self.sums[node, SUM_BLOCKS]
            rows[row, step + UP_CHARS] = self.sums[node, SUM_CHARS]
            rows[row, step + UP_SHARE] = self.sums[node, SUM_CHARS] / self.total
            rows[row, step + UP_LINK_SHARE] = _share(
                self.sums[node, SUM_LINKED], self.sums[node, SUM_CHARS]
            )
            rows[row, step + UP_BLOCKS] = blocks
            rows[row, step + UP_PROSE_SHARE] = self.sums[node, SUM_PROSE] / prose
            rows[row, step + UP_MEAN_WORDS] = _share(self.sums[node, SUM_WORDS], blocks)
            rows[row, step + UP_TAG] = self.tags[node]
            rows[row, step + UP_HINT] = self.hints[node]
            rows[row, step + UP_PROSE_HERE] = self.sums[node, SUM_PROSE_HERE] / prose
            rows[row, step + UP_TWINS] = self.twins[node]
            while node >= 0 and self.sums[node, SUM_BLOCKS] <= blocks:
                node = self.parents[node]
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
            chars += self.own[other, OWN_CHARS]
            linked += self.own[other, OWN_CHARS] * self.own[other, OWN_LINK_SHARE]
            if self._is_prose(other):
                sentences += self.own[other, OWN_CHARS]
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
        chars: cython.float = self.sums[branch, SUM_CHARS]
        rows[row, column + EXTRA_BRANCH_SHARE] = chars / self.total
        rows[row, column + EXTRA_BRANCH_PROSE_SHARE] = self.sums[branch, SUM_PROSE] / max(
            self.prose, 1.0
        )
        rows[row, column + EXTRA_BRANCH_LINK_SHARE] = _share(self.sums[branch, SUM_LINKED], chars)
        rows[row, column + EXTRA_BRANCH_MEAN_WORDS] = _share(
            self.sums[branch, SUM_WORDS], self.sums[branch, SUM_BLOCKS]
        )
        rows[row, column + EXTRA_BRANCH_HINT] = self.hints[branch]
        return 0


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _share(part: cython.double, whole: cython.double) -> cython.double:
    return part / max(whole, 1.0)
