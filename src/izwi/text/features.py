"""What a classifier sees of each block: itself, its neighbours, its containers, the page."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from izwi.text.blocks import FLAGS, SORTS, TAGS, Block, Segmented
from izwi.text.characters import count
from izwi.text.hints import hint_words

Rows = NDArray[np.float32]
KINDS = {"p": 0, "li": 1, "h": 2, "td": 3, "quote": 4, "caption": 5, "pre": 6}
LEVELS = 4
# Blocks of at most so many characters are judged by their words too.
_SHORT = 100
_LETTERS = re.compile(r"[^\W\d_]+")
# Words that head what readers wrote below a text.
_COMMENT_HEADS = frozenset(
    [
        "comments",
        "responses",
        "replies",
        "kommentare",
        "kommentarer",
        "commentaires",
        "comentarios",
        "commenti",
        "comentários",
        "reacties",
        "komentarze",
        "komentáře",
        "hozzászólások",
        "комментарии",
        "коментарі",
        "yorumlar",
        "σχόλια",
        "评论",
        "評論",
        "留言",
        "コメント",
        "댓글",
        "opmerkings",
        "trackbacks",
        "pingbacks",
    ]
)
OWN = (
    "chars", "words", "link_share", "links", "word_length", "capital_share", "digit_share",
    "stops", "commas",
    "fence_share", "other_share", "is_ended", "is_capital", "kind", "heading", "depth", "tag",
    "parent_tag",
    "hint", "parent_hint", "path_hint", "path_hint_low", "path_hint_high", "breaks", "inlines",
    "title_share",
    "copies", "alike", "alike_chars", "alike_links", "wording", "wording_low", "after_comments",
)  # fmt: skip
FLAG_NAMES = tuple(FLAGS)
PAGE = (
    "place",
    "chars_before",
    "page_chars",
    "page_blocks",
    "page_links",
    "page_prose",
    "after_h1",
    "has_h1",
)
NEAR = ("chars", "link_share", "stops", "kind", "path_hint", "is_sibling")
OFFSETS = (-3, -2, -1, 1, 2, 3)
CONTAINER = (
    "chars",
    "share",
    "link_share",
    "blocks",
    "prose_share",
    "mean_words",
    "tag",
    "hint",
    "prose_here",
)
SORT_NAMES = tuple(SORTS)
EXTRA = ("in_best", "best_share", "window_links", "window_prose")
NAMES = (
    *OWN,
    *(f"in_{name}" for name in FLAG_NAMES),
    *PAGE,
    *(f"near{offset:+d}_{name}" for offset in OFFSETS for name in NEAR),
    *(f"up{level}_{name}" for level in range(1, LEVELS + 1) for name in CONTAINER),
    *EXTRA,
    *(f"page_is_{name}" for name in SORT_NAMES),
)  # fmt: skip


def features(page: Segmented, weights: Mapping[str, float]) -> Rows:
    """Return one row of NAMES for each block, in the order of the blocks."""
    if not page.blocks:
        return np.zeros((0, len(NAMES)), dtype=np.float32)
    own = _own_rows(page, weights)
    parents = np.array([node.parent for node in page.nodes] or [-1], dtype=np.int32)
    tags = np.array([TAGS.get(node.tag, 0) for node in page.nodes] or [0], dtype=np.float32)
    hints = _hints(page, weights)
    places = np.array([block.node for block in page.blocks], dtype=np.int32)
    flags = np.array([_flags(page, block) for block in page.blocks], dtype=np.int32)
    _fill_hints(own, places, parents, hints, tags)
    rows: Rows = _fill(own, places, parents, tags, hints, flags, len(FLAG_NAMES), len(NAMES))
    for bit in range(len(SORT_NAMES)):
        rows[:, len(NAMES) - len(SORT_NAMES) + bit] = page.sorts >> bit & 1
    return rows


def _hints(page: Segmented, weights: Mapping[str, float]) -> NDArray[np.float32]:
    """Return the hint of each element; templates repeat, so each tag is looked at once."""
    known: dict[str, float] = {"": 0.0}
    for node in page.nodes:
        if node.attributes not in known:
            known[node.attributes] = hint(node.attributes, weights)
    return np.array([known[node.attributes] for node in page.nodes] or [0], dtype=np.float32)


def hint(attributes: str, weights: Mapping[str, float]) -> float:
    """Return what an element's names speak for: main text above 0, the rest below."""
    if not attributes:
        return 0.0
    return sum(weights.get(word, 0.0) for word in hint_words(attributes))


def _flags(page: Segmented, block: Block) -> int:
    return page.nodes[block.node].flags if block.node >= 0 else 0


def _own_rows(page: Segmented, weights: Mapping[str, float]) -> Rows:
    """Return the columns OWN, those of hints still empty."""
    blocks = page.blocks
    counts = count([block.text for block in blocks])
    rows = np.zeros((len(blocks), len(OWN)), dtype=np.float32)
    chars, words = np.maximum(counts[:, 0], 1), np.maximum(counts[:, 1], 1)
    rows[:, 0], rows[:, 1] = counts[:, 0], counts[:, 1]
    linked = np.array([sum(k.end - k.start for k in b.links) for b in blocks], dtype=np.float32)
    length = np.array([len(b.text) for b in blocks], dtype=np.float32)
    rows[:, 2] = np.minimum(linked / length, 1)
    rows[:, 3] = [len(b.links) for b in blocks]
    rows[:, 4] = counts[:, 2] / words
    rows[:, 5] = counts[:, 3] / words
    rows[:, 6] = counts[:, 4] / chars
    rows[:, 7], rows[:, 8] = counts[:, 5], counts[:, 6]
    rows[:, 9], rows[:, 10] = counts[:, 7] / chars, counts[:, 8] / chars
    rows[:, 11], rows[:, 12] = counts[:, 9], counts[:, 10]
    rows[:, 13] = [KINDS[b.kind] for b in blocks]
    _structure(rows, page)
    _wording(rows, page, weights)
    _repeats(rows, page)
    return rows


def _structure(rows: Rows, page: Segmented) -> None:
    nodes = page.nodes
    for row, block in enumerate(page.blocks):
        if block.node >= 0:
            node = nodes[block.node]
            rows[row, 14] = _heading_level(page, block)
            rows[row, 15] = node.depth
        rows[row, 23] = block.breaks
        rows[row, 24] = block.inlines


def _heading_level(page: Segmented, block: Block) -> int:
    if block.kind != "h":
        return 0
    number = block.node
    while number >= 0:
        tag = page.nodes[number].tag
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            return int(tag[1])
        number = page.nodes[number].parent
    return 0


def short_words(text: str) -> list[str]:
    """Return the words of a short block in lower case; of a longer one, none."""
    return [] if len(text) > _SHORT else _LETTERS.findall(text.lower())


def _wording(rows: Rows, page: Segmented, weights: Mapping[str, float]) -> None:
    """Fill what the words of short blocks say: in the title, usual in menus, heading comments."""
    title = set(_LETTERS.findall(page.title.lower()))
    is_after = 0.0
    for row, block in enumerate(page.blocks):
        words = short_words(block.text)
        if words:
            found = [weights.get("=" + word, 0.0) for word in words]
            rows[row, 25] = sum(word in title for word in words) / len(words)
            rows[row, 30] = sum(found) / len(found)
            rows[row, 31] = min(found)
            if len(words) <= 5 and not _COMMENT_HEADS.isdisjoint(words):
                is_after = 1.0
        rows[row, 32] = is_after


def _repeats(rows: Rows, page: Segmented) -> None:
    """Fill how often a block's text, and its place in the template, come again on the page."""
    texts = _numbered([block.text for block in page.blocks])
    places = _numbered([_signature(page, block) for block in page.blocks])
    rows[:, 26] = np.bincount(texts)[texts]
    sizes = np.bincount(places)
    chars = np.bincount(places, weights=rows[:, 0])
    links = np.bincount(places, weights=rows[:, 0] * rows[:, 2])
    rows[:, 27] = sizes[places]
    rows[:, 28] = chars[places] / sizes[places]
    rows[:, 29] = links[places] / np.maximum(chars[places], 1)


def _signature(page: Segmented, block: Block) -> tuple[object, ...]:
    if block.node < 0:
        return ()
    node = page.nodes[block.node]
    above = page.nodes[node.parent] if node.parent >= 0 else node
    return (node.tag, hint_words(node.attributes), above.tag, hint_words(above.attributes))


def _numbered(keys: Sequence[object]) -> NDArray[np.int64]:
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


@njit(cache=True)
def _fill_hints(own, places, parents, hints, tags):  # type: ignore[no-untyped-def]
    for row in range(len(own)):
        node = places[row]
        step = 0
        while node >= 0:
            value = hints[node]
            if step == 0:
                own[row, 18] = value
                own[row, 16] = tags[node]
            elif step == 1:
                own[row, 19] = value
                own[row, 17] = tags[node]
            own[row, 20] += value
            own[row, 21] = min(own[row, 21], value)
            own[row, 22] = max(own[row, 22], value)
            node = parents[node]
            step += 1


@njit(cache=True)
def _is_prose(own, row):  # type: ignore[no-untyped-def]
    return own[row, 7] >= 1 and own[row, 1] >= 8 and own[row, 2] < 0.4


@njit(cache=True)
def _container_sums(own, places, parents):  # type: ignore[no-untyped-def]
    """Sum characters, linked characters, blocks, prose and words below every element."""
    sums = np.zeros((len(parents), 6), dtype=np.float32)
    for row in range(len(own)):
        node = places[row]
        if node < 0:
            continue
        sums[node, 0] += own[row, 0]
        sums[node, 1] += own[row, 0] * own[row, 2]
        sums[node, 2] += 1
        if _is_prose(own, row):
            sums[node, 3] += own[row, 0]
        sums[node, 4] += own[row, 1]
    # Prose whose paragraphs stand directly here, or one element below: what a text body looks like.
    for node in range(len(parents) - 1, -1, -1):
        sums[node, 5] += sums[node, 3] if sums[node, 5] == 0 else 0
    here = np.zeros(len(parents), dtype=np.float32)
    for row in range(len(own)):
        node = places[row]
        if node >= 0 and _is_prose(own, row):
            parent = parents[node]
            here[node] += own[row, 0] * 0.5
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
def _fill(  # type: ignore[no-untyped-def]
    own, places, parents, tags, hints, flags, flag_count, width
):
    n = len(own)
    rows = np.zeros((n, width), dtype=np.float32)
    sums = _container_sums(own, places, parents)
    total = max(own[:, 0].sum(), 1)
    linked = (own[:, 0] * own[:, 2]).sum()
    prose = 0.0
    first_heading = -1
    for row in range(n):
        if _is_prose(own, row):
            prose += own[row, 0]
        if own[row, 14] == 1 and first_heading < 0:
            first_heading = row
    best = 0
    for node in range(len(parents)):
        if sums[node, 5] > sums[best, 5]:
            best = node
    before = 0.0
    for row in range(n):
        column = own.shape[1]
        rows[row, :column] = own[row]
        for bit in range(flag_count):
            rows[row, column + bit] = (flags[row] >> bit) & 1
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
        column += 8
        column = _fill_near(rows, own, places, parents, row, column)
        column = _fill_containers(
            rows, own, places, parents, tags, hints, sums, total, prose, row, column
        )
        _fill_extra(rows, own, places, parents, sums, best, prose, row, column)
    return rows


@njit(cache=True)
def _fill_near(rows, own, places, parents, row, column):  # type: ignore[no-untyped-def]
    node = places[row]
    above = parents[node] if node >= 0 else -1
    for offset in (-3, -2, -1, 1, 2, 3):
        other = row + offset
        if 0 <= other < len(own):
            rows[row, column] = own[other, 0]
            rows[row, column + 1] = own[other, 2]
            rows[row, column + 2] = own[other, 7]
            rows[row, column + 3] = own[other, 13]
            rows[row, column + 4] = own[other, 20]
            there = places[other]
            is_same = there == node or (there >= 0 and parents[there] == above)
            rows[row, column + 5] = 1 if is_same else 0
        else:
            rows[row, column] = -1
            rows[row, column + 3] = -1
        column += 6
    return column


@njit(cache=True)
def _fill_containers(  # type: ignore[no-untyped-def]
    rows, own, places, parents, tags, hints, sums, total, prose, row, column
):
    """Fill the numbers of the nearest elements round a block that each hold more than the last."""
    node = places[row]
    for _ in range(4):
        if node >= 0:
            blocks = sums[node, 2]
            while parents[node] >= 0 and blocks <= 1:
                node = parents[node]
                blocks = sums[node, 2]
            rows[row, column] = sums[node, 0]
            rows[row, column + 1] = sums[node, 0] / total
            rows[row, column + 2] = sums[node, 1] / max(sums[node, 0], 1)
            rows[row, column + 3] = blocks
            rows[row, column + 4] = sums[node, 3] / max(prose, 1)
            rows[row, column + 5] = sums[node, 4] / max(blocks, 1)
            rows[row, column + 6] = tags[node]
            rows[row, column + 7] = hints[node]
            rows[row, column + 8] = sums[node, 5] / max(prose, 1)
            here = blocks
            while node >= 0 and sums[node, 2] <= here:
                node = parents[node]
        else:
            for step in range(9):
                rows[row, column + step] = -1
        column += 9
    return column


@njit(cache=True)
def _fill_extra(  # type: ignore[no-untyped-def]
    rows, own, places, parents, sums, best, prose, row, column
):
    node = places[row]
    while node >= 0 and node != best:
        node = parents[node]
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


# Columns of the first pass's probabilities in the second.
CONTEXT = (
    "self", "back1", "back2", "back3", "next1", "next2", "next3", "window", "alike",
    "page_main", "main_before", "main_after", "gap_before", "gap_after", *(f"up{level}" for level
    in range(1, LEVELS + 1)),
)  # fmt: skip


def context(page: Segmented, rows: Rows, chances: NDArray[np.float32]) -> Rows:
    """Return what the first pass thinks of a block's surroundings, one row of CONTEXT each."""
    if not page.blocks:
        return np.zeros((0, len(CONTEXT)), dtype=np.float32)
    parents = np.array([node.parent for node in page.nodes] or [-1], dtype=np.int32)
    places = np.array([block.node for block in page.blocks], dtype=np.int32)
    alike = _numbered([_signature(page, block) for block in page.blocks])
    around: Rows = _context(rows[:, 0].copy(), chances, places, parents, alike)
    return around


@njit(cache=True)
def _context(chars, chances, places, parents, alike):  # type: ignore[no-untyped-def]
    n = len(chars)
    out = np.zeros((n, 18), dtype=np.float32)
    sums = np.zeros((len(parents), 3), dtype=np.float32)
    groups = np.zeros((alike.max() + 1, 2), dtype=np.float32)
    total = main = 0.0
    for row in range(n):
        weight = chars[row]
        node = places[row]
        if node >= 0:
            sums[node, 0] += weight
            sums[node, 1] += weight * chances[row]
            sums[node, 2] += 1
        groups[alike[row], 0] += weight
        groups[alike[row], 1] += weight * chances[row]
        total += weight
        main += weight * chances[row]
    for node in range(len(parents) - 1, -1, -1):
        if parents[node] >= 0:
            for column in range(3):
                sums[parents[node], column] += sums[node, column]
    before = 0.0
    last = -1
    for row in range(n):
        out[row, 0] = chances[row]
        for step in range(1, 4):
            out[row, step] = chances[row - step] if row >= step else -1
            out[row, 3 + step] = chances[row + step] if row + step < n else -1
        weight = mass = 0.0
        for other in range(max(0, row - 5), min(n, row + 6)):
            if other != row:
                near = chars[other] / (1 + abs(other - row))
                weight += near
                mass += near * chances[other]
        out[row, 7] = mass / weight if weight > 0 else -1
        group = groups[alike[row]]
        rest = group[0] - chars[row]
        out[row, 8] = (group[1] - chars[row] * chances[row]) / rest if rest > 0 else -1
        out[row, 9] = main / max(total, 1)
        out[row, 10] = before / max(main, 1)
        before += chars[row] * chances[row]
        out[row, 11] = 1 - before / max(main, 1)
        out[row, 12] = row - last if last >= 0 else 999
        if chances[row] > 0.7 and chars[row] > 60:
            last = row
        node = places[row]
        for level in range(4):
            if node >= 0:
                while parents[node] >= 0 and sums[node, 2] <= 1:
                    node = parents[node]
                out[row, 14 + level] = sums[node, 1] / max(sums[node, 0], 1)
                here = sums[node, 2]
                while node >= 0 and sums[node, 2] <= here:
                    node = parents[node]
            else:
                out[row, 14 + level] = -1
    last = -1
    for row in range(n - 1, -1, -1):
        out[row, 13] = last - row if last >= 0 else 999
        if chances[row] > 0.7 and chars[row] > 60:
            last = row
    return out
