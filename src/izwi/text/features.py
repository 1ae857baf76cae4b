"""What a classifier sees of each block: itself, its neighbours, its containers, the page."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from izwi.text.blocks import SORTS, Segmented
from izwi.text.branches import branches_from, span_of
from izwi.text.characters import class_table, count_in, lower_table
from izwi.text.elements import FLAGS, KINDS
from izwi.text.scan import (
    B_BREAKS,
    B_END,
    B_FIRST,
    B_HASH,
    B_INLINES,
    B_KIND,
    B_LAST,
    B_LINKED,
    B_LINKS,
    B_NODE,
    B_START,
    B_WORDS,
    B_WORDS_END,
    N_DEPTH,
    N_HASH,
    N_PARENT,
    N_TAG,
    N_WORDS,
    N_WORDS_END,
    hash_words,
)

Rows = NDArray[np.float32]
LEVELS = 4
# An odd number with bits all over (Knuth's), which spreads keys over the slots of a table.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
# Words that head what readers wrote below a text.
_COMMENT_HEADS = (
    "comments", "responses", "replies", "kommentare", "kommentarer", "commentaires",
    "comentarios", "commenti", "comentários", "reacties", "komentarze", "komentáře",
    "hozzászólások", "комментарии", "коментарі", "yorumlar", "σχόλια", "评论", "評論", "留言",
    "コメント", "댓글", "opmerkings", "trackbacks", "pingbacks",
)  # fmt: skip
OWN = (
    "chars", "words", "link_share", "links", "word_length", "capital_share", "digit_share",
    "stops", "commas", "fence_share", "other_share", "is_ended", "is_capital", "kind", "heading",
    "depth", "tag", "parent_tag", "hint", "parent_hint", "path_hint", "path_hint_low",
    "path_hint_high", "breaks", "inlines", "title_share", "copies", "alike", "alike_chars",
    "alike_links", "wording", "wording_low", "after_comments",
)  # fmt: skip
FLAG_NAMES = tuple(FLAGS)
PAGE = (
    "place", "chars_before", "page_chars", "page_blocks", "page_links", "page_prose", "after_h1",
    "has_h1",
)  # fmt: skip
NEAR = ("chars", "link_share", "stops", "kind", "path_hint", "is_sibling")
OFFSETS = (-3, -2, -1, 1, 2, 3)
CONTAINER = (
    "chars", "share", "link_share", "blocks", "prose_share", "mean_words", "tag", "hint",
    "prose_here", "twins",
)  # fmt: skip
SORT_NAMES = tuple(SORTS)
# The branch of a block is the largest element round it that does not hold the page's text body:
# a sidebar or a footer, seen from the body.
BRANCH = ("share", "prose_share", "link_share", "mean_words", "hint", "height", "rise", "side")
EXTRA = (
    "in_best", "best_share", "window_links", "window_prose", "page_longest", "page_paragraphs",
    *(f"branch_{name}" for name in BRANCH),
)  # fmt: skip
NAMES = (
    *OWN,
    *(f"in_{name}" for name in FLAG_NAMES),
    *PAGE,
    *(f"near{offset:+d}_{name}" for offset in OFFSETS for name in NEAR),
    *(f"up{level}_{name}" for level in range(1, LEVELS + 1) for name in CONTAINER),
    *EXTRA,
    *(f"page_is_{name}" for name in SORT_NAMES),
)  # fmt: skip


class Weights(NamedTuple):
    """What hashed words speak for, main text above 0: sorted hashes and their weights."""

    hashes: NDArray[np.uint64]
    values: NDArray[np.float32]


NO_WEIGHTS = Weights(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.float32))


class Vocabulary(NamedTuple):
    """Weights of the words in the names of elements, and of the words of short blocks."""

    names: Weights = NO_WEIGHTS
    words: Weights = NO_WEIGHTS


class Seen(NamedTuple):
    """A page as compiled code reads it."""

    places: NDArray[np.int64]
    parents: NDArray[np.int64]
    tags: NDArray[np.int64]
    hints: NDArray[np.float32]
    twins: NDArray[np.float32]
    flags: NDArray[np.int64]


def features(page: Segmented, vocabulary: Vocabulary) -> Rows:
    """Return one row of NAMES for each block, in the order of the blocks."""
    if not len(page):
        return np.zeros((0, len(NAMES)), dtype=np.float32)
    nodes = page.elements if len(page.elements) else np.full((1, 11), -1, dtype=np.int64)
    parents = np.ascontiguousarray(nodes[:, N_PARENT])
    seen = Seen(
        np.ascontiguousarray(page.table[:, B_NODE]),
        parents,
        np.ascontiguousarray(nodes[:, N_TAG]),
        _hints(nodes, page.names, *vocabulary.names),
        _twins(nodes),
        np.ascontiguousarray(page.flags_of_blocks()),
    )
    own = _own_rows(page, vocabulary, nodes)
    _fill_hints(own, seen)
    rows: Rows = _fill(own, seen, len(FLAG_NAMES), len(NAMES))
    for bit in range(len(SORT_NAMES)):
        rows[:, len(NAMES) - len(SORT_NAMES) + bit] = page.sorts >> bit & 1
    return rows


def _own_rows(page: Segmented, vocabulary: Vocabulary, nodes: NDArray[np.int64]) -> Rows:
    """Return the columns OWN, those of hints still empty."""
    table = page.table
    counts = count_in(
        page.utf8,
        np.ascontiguousarray(table[:, B_FIRST]),
        np.ascontiguousarray(table[:, B_LAST]),
    )
    rows = np.zeros((len(table), len(OWN)), dtype=np.float32)
    _counted(rows, counts, table)
    _structure(rows, table, nodes)
    _wording(rows, table, page.words, _title_words(page.title), *vocabulary.words, _heads())
    _repeats(rows, numbered(np.ascontiguousarray(table[:, B_HASH])), places_alike(page))
    return rows


def _title_words(title: str) -> NDArray[np.uint64]:
    data = np.frombuffer(title.encode("utf-8", "replace"), dtype=np.uint8)
    out = np.empty(len(data) + 1, dtype=np.uint64)
    used = hash_words(data, 0, len(data), out, 0, class_table(), lower_table())
    return np.sort(out[:used])


@cache
def _heads() -> NDArray[np.uint64]:
    return np.concatenate([_title_words(word) for word in _COMMENT_HEADS])


def after_comments_heading(page: Segmented) -> NDArray[np.bool_]:
    """Return which blocks stand below a heading that says no more than "Comments", or "3 comments".

    Weblogs of before 2010 put what readers wrote there without an element round it.
    """
    below = np.zeros(len(page), dtype=bool)
    below[_comments_heading(page.table, page.words, _heads(), KINDS.index("h")) :] = True
    return below


@njit(cache=True)
def _comments_heading(table, words, heads, heading):  # type: ignore[no-untyped-def]
    """Return the number of the first heading of a single word that heads comments."""
    for row in range(len(table)):
        first = table[row, B_WORDS]
        is_single = table[row, B_KIND] == heading and table[row, B_WORDS_END] - first == 1
        if is_single and _is_among(words[first], heads):
            return row
    return len(table)


@njit(cache=True)
def _counted(rows, counts, table):  # type: ignore[no-untyped-def]
    """Fill what is counted in a block: characters, words, links, shares of kinds of characters."""
    for row in range(len(rows)):
        out, count = rows[row], counts[row]
        chars, words = max(count[0], np.float32(1)), max(count[1], np.float32(1))
        out[0], out[1] = count[0], count[1]
        size = table[row, B_END] - table[row, B_START]
        out[2] = min(table[row, B_LINKED] / size, 1.0)
        out[3] = table[row, B_LINKS]
        out[4], out[5] = count[2] / words, count[3] / words
        out[6] = count[4] / chars
        out[7], out[8] = count[5], count[6]
        out[9], out[10] = count[7] / chars, count[8] / chars
        out[11], out[12] = count[9], count[10]
        out[13] = table[row, B_KIND]
        out[23], out[24] = table[row, B_BREAKS], table[row, B_INLINES]


@njit(cache=True)
def numbered(keys):  # type: ignore[no-untyped-def]
    """Return for each key a number, the same for equal keys, counted from 0 as they come."""
    size = 16
    while size < 2 * len(keys):
        size *= 2
    slots = np.full(size, -1, dtype=np.int64)
    known = np.empty(len(keys), dtype=np.int64)
    numbers = np.empty(len(keys), dtype=np.int64)
    count = 0
    for place in range(len(keys)):
        at = (np.uint64(keys[place]) * _SPREAD >> np.uint64(32)) & np.uint64(size - 1)
        while slots[at] >= 0 and known[slots[at]] != keys[place]:
            at = (at + np.uint64(1)) & np.uint64(size - 1)
        if slots[at] < 0:
            slots[at] = count
            known[count] = keys[place]
            count += 1
        numbers[place] = slots[at]
    return numbers


@njit(cache=True)
def _structure(rows, table, nodes):  # type: ignore[no-untyped-def]
    """Fill the level of headings and the depth."""
    for row in range(len(rows)):
        node = table[row, B_NODE]
        if node < 0:
            continue
        rows[row, 15] = nodes[node, N_DEPTH]
        while table[row, B_KIND] == 2 and node >= 0:
            if 5 <= nodes[node, N_TAG] <= 10:
                rows[row, 14] = nodes[node, N_TAG] - 4
                break
            node = nodes[node, N_PARENT]


@njit(cache=True, forceinline=True)
def _place_of(hashes, wanted):  # type: ignore[no-untyped-def]
    """Return where sorted hashes hold the wanted one, or -1."""
    low, size = 0, len(hashes)
    # Halved without asking which half it is: a wrong guess would cost more than the step.
    while size > 1:
        half = size // 2
        low += half * int(hashes[low + half] <= wanted)
        size -= half
    return low if len(hashes) and hashes[low] == wanted else -1


@njit(cache=True, forceinline=True)
def _weight(hashes, values, wanted):  # type: ignore[no-untyped-def]
    place = _place_of(hashes, wanted)
    return values[place] if place >= 0 else np.float32(0)


@njit(cache=True, forceinline=True)
def _is_among(wanted, hashes):  # type: ignore[no-untyped-def]
    for place in range(len(hashes)):  # noqa: SIM110
        if hashes[place] == wanted:
            return True
    return False


@njit(cache=True)
def _wording(rows, table, words, title, hashes, values, heads):  # type: ignore[no-untyped-def]
    """Fill what the words of short blocks say: in the title, usual in menus, heading comments."""
    is_after = 0
    for row in range(len(rows)):
        first, last = table[row, B_WORDS], table[row, B_WORDS_END]
        if last > first:
            titled, total, low = 0, 0.0, 0.0
            for place in range(first, last):
                found = _weight(hashes, values, words[place])
                total += found
                low = found if place == first else min(low, found)
                titled += _place_of(title, words[place]) >= 0
                if last - first <= 5 and _is_among(words[place], heads):
                    is_after = 1
            rows[row, 25] = titled / (last - first)
            rows[row, 30] = total / (last - first)
            rows[row, 31] = low
        rows[row, 32] = is_after


def places_alike(page: Segmented) -> NDArray[np.int64]:
    """Return for each block the number of its place in the template: its element and the parent."""
    nodes = page.table[:, B_NODE]
    if not len(page.elements):
        return np.zeros(len(nodes), dtype=np.int64)
    own = page.elements[:, N_HASH]
    above = np.where(page.elements[:, N_PARENT] >= 0, own[page.elements[:, N_PARENT]], 7)
    keys = np.where(nodes >= 0, (own * 1_000_003 ^ above)[nodes], 0)
    numbers: NDArray[np.int64] = numbered(keys)
    return numbers


@njit(cache=True)
def _repeats(rows, texts, places):  # type: ignore[no-untyped-def]
    """Fill how often a block's text, and its place in the template, come again on the page."""
    copies, sizes = np.zeros(len(rows)), np.zeros(len(rows))
    chars, links = np.zeros(len(rows)), np.zeros(len(rows))
    for row in range(len(rows)):
        copies[texts[row]] += 1
        sizes[places[row]] += 1
        chars[places[row]] += rows[row, 0]
        links[places[row]] += rows[row, 0] * rows[row, 2]
    for row in range(len(rows)):
        place = places[row]
        rows[row, 26] = copies[texts[row]]
        rows[row, 27] = sizes[place]
        rows[row, 28] = chars[place] / sizes[place]
        rows[row, 29] = links[place] / max(chars[place], 1.0)


@njit(cache=True)
def _hints(nodes, names, hashes, values):  # type: ignore[no-untyped-def]
    """Return what the names of each element speak for."""
    hints = np.zeros(len(nodes), dtype=np.float32)
    for node in range(len(nodes)):
        for place in range(nodes[node, N_WORDS], nodes[node, N_WORDS_END]):
            hints[node] += _weight(hashes, values, names[place])
    return hints


def _twins(nodes: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return for each element how many of its parent's children look the same."""
    keys = nodes[:, N_PARENT] * 1_000_003 ^ nodes[:, N_HASH]
    numbers: NDArray[np.int64] = numbered(keys)
    return np.bincount(numbers)[numbers].astype(np.float32)


@njit(cache=True)
def _fill_hints(own, seen):  # type: ignore[no-untyped-def]
    for row in range(len(own)):
        node = seen.places[row]
        step = 0
        while node >= 0:
            value = seen.hints[node]
            if step == 0:
                own[row, 18] = value
                own[row, 16] = seen.tags[node]
            elif step == 1:
                own[row, 19] = value
                own[row, 17] = seen.tags[node]
            own[row, 20] += value
            own[row, 21] = min(own[row, 21], value)
            own[row, 22] = max(own[row, 22], value)
            node = seen.parents[node]
            step += 1


@njit(cache=True)
def _is_prose(own, row):  # type: ignore[no-untyped-def]
    return own[row, 7] >= 1 and own[row, 1] >= 8 and own[row, 2] < 0.4


@njit(cache=True)
def _container_sums(own, seen):  # type: ignore[no-untyped-def]
    """Sum characters, linked characters, blocks, prose, words and near prose of every element."""
    places, parents = seen.places, seen.parents
    sums = np.zeros((len(parents), 6), dtype=np.float32)
    here = np.zeros(len(parents), dtype=np.float32)
    for row in range(len(own)):
        node = places[row]
        if node < 0:
            continue
        sums[node, 0] += own[row, 0]
        sums[node, 1] += own[row, 0] * own[row, 2]
        sums[node, 2] += 1
        sums[node, 4] += own[row, 1]
        if _is_prose(own, row):
            sums[node, 3] += own[row, 0]
            # Paragraphs that stand directly here, or one element below, make a text body.
            here[node] += own[row, 0] * 0.5
            parent = parents[node]
            if parent >= 0:
                here[parent] += own[row, 0]
                if parents[parent] >= 0:
                    here[parents[parent]] += own[row, 0] * 0.5
    for node in range(len(parents) - 1, -1, -1):
        parent = parents[node]
        if parent >= 0:
            for column in range(5):
                sums[parent, column] += sums[node, column]
        sums[node, 5] = here[node]
    return sums


@njit(cache=True)
def _fill(own, seen, flag_count, width):  # type: ignore[no-untyped-def]
    n = len(own)
    rows = np.zeros((n, width), dtype=np.float32)
    sums = _container_sums(own, seen)
    total = max(own[:, 0].sum(), 1)
    linked = (own[:, 0] * own[:, 2]).sum()
    prose = 0.0
    first_heading = -1
    for row in range(n):
        if _is_prose(own, row):
            prose += own[row, 0]
        if own[row, 14] == 1 and first_heading < 0:
            first_heading = row
    best = np.argmax(sums[:, 5])
    before = 0.0
    for row in range(n):
        column = own.shape[1]
        rows[row, :column] = own[row]
        for bit in range(flag_count):
            rows[row, column + bit] = (seen.flags[row] >> bit) & 1
        column += flag_count
        rows[row, column] = row / n
        rows[row, column + 1] = before / total
        rows[row, column + 2] = total
        rows[row, column + 3] = n
        rows[row, column + 4] = linked / total
        rows[row, column + 5] = prose / total
        rows[row, column + 6] = row - first_heading if first_heading >= 0 else 0
        rows[row, column + 7] = 1 if first_heading >= 0 else 0
        before += own[row, 0]
        column = _fill_near(rows, own, seen, row, column + 8)
        column = _fill_containers(rows, seen, sums, total, prose, row, column)
        _fill_extra(rows, own, seen, sums, best, prose, row, column)
    _fill_branches(rows[:, column + 4 :], own, seen, sums, best, total, prose)
    return rows


@njit(cache=True)
def _fill_branches(rows, own, seen, sums, best, total, prose):  # type: ignore[no-untyped-def]
    """Fill the longest prose and how many paragraphs there are, and the columns of BRANCH."""
    branches, depths = branches_from(best, seen.parents)
    first, last = span_of(best, seen.places, seen.parents)
    longest, paragraphs = _prose_blocks(own)
    for row in range(len(rows)):
        rows[row, 0], rows[row, 1] = longest, paragraphs
        node = seen.places[row]
        if node >= 0:
            branch = branches[node]
            _fill_branch(rows[row, 2:], seen, sums, branch, total, prose)
            rows[row, 7], rows[row, 8] = (
                depths[node] - depths[branch],
                depths[best] - depths[branch],
            )
            rows[row, 9] = -1 if row < first else int(row > last)


@njit(cache=True)
def _prose_blocks(own):  # type: ignore[no-untyped-def]
    """Return the length of the longest block of prose and how many there are."""
    longest, count = np.float32(0), 0
    for row in range(len(own)):
        if _is_prose(own, row):
            longest = max(longest, own[row, 0])
            count += 1
    return longest, count


@njit(cache=True)
def _fill_branch(out, seen, sums, branch, total, prose):  # type: ignore[no-untyped-def]
    out[0] = sums[branch, 0] / total
    out[1] = sums[branch, 3] / max(prose, 1)
    out[2] = sums[branch, 1] / max(sums[branch, 0], 1)
    out[3] = sums[branch, 4] / max(sums[branch, 2], 1)
    out[4] = seen.hints[branch]


@njit(cache=True)
def _fill_near(rows, own, seen, row, column):  # type: ignore[no-untyped-def]
    node = seen.places[row]
    above = seen.parents[node] if node >= 0 else -1
    for offset in (-3, -2, -1, 1, 2, 3):
        other = row + offset
        if 0 <= other < len(own):
            rows[row, column] = own[other, 0]
            rows[row, column + 1] = own[other, 2]
            rows[row, column + 2] = own[other, 7]
            rows[row, column + 3] = own[other, 13]
            rows[row, column + 4] = own[other, 20]
            there = seen.places[other]
            is_same = there == node or (there >= 0 and seen.parents[there] == above)
            rows[row, column + 5] = 1 if is_same else 0
        else:
            rows[row, column] = -1
            rows[row, column + 3] = -1
        column += 6
    return column


@njit(cache=True)
def _fill_containers(rows, seen, sums, total, prose, row, column):  # type: ignore[no-untyped-def]
    """Fill the numbers of the nearest elements round a block that each hold more than the last."""
    node = seen.places[row]
    for _ in range(4):
        if node >= 0:
            while seen.parents[node] >= 0 and sums[node, 2] <= 1:
                node = seen.parents[node]
            blocks = sums[node, 2]
            rows[row, column] = sums[node, 0]
            rows[row, column + 1] = sums[node, 0] / total
            rows[row, column + 2] = sums[node, 1] / max(sums[node, 0], 1)
            rows[row, column + 3] = blocks
            rows[row, column + 4] = sums[node, 3] / max(prose, 1)
            rows[row, column + 5] = sums[node, 4] / max(blocks, 1)
            rows[row, column + 6] = seen.tags[node]
            rows[row, column + 7] = seen.hints[node]
            rows[row, column + 8] = sums[node, 5] / max(prose, 1)
            rows[row, column + 9] = seen.twins[node]
            while node >= 0 and sums[node, 2] <= blocks:
                node = seen.parents[node]
        else:
            for step in range(10):
                rows[row, column + step] = -1
        column += 10
    return column


@njit(cache=True)
def _fill_extra(rows, own, seen, sums, best, prose, row, column):  # type: ignore[no-untyped-def]
    node = seen.places[row]
    while node >= 0 and node != best:
        node = seen.parents[node]
    rows[row, column] = 1 if node == best and node >= 0 else 0
    rows[row, column + 1] = sums[best, 3] / max(prose, 1)
    chars = linked = sentences = 0.0
    for other in range(max(0, row - 5), min(len(own), row + 6)):
        chars += own[other, 0]
        linked += own[other, 0] * own[other, 2]
        if _is_prose(own, other):
            sentences += own[other, 0]
    rows[row, column + 2] = linked / max(chars, 1)
    rows[row, column + 3] = sentences / max(chars, 1)
