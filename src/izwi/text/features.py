"""What a classifier sees of each block: itself, its neighbours, its containers, the page."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import features as kernel
from izwi.kernels.columns import (
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
    N_HASH,
    N_PARENT,
    N_TAG,
    NODE_COLUMNS,
)  # fmt: skip
from izwi.kernels.feature_columns import (
    CONTAINER,
    COUNTS,
    EXTRA,
    LEVELS,
    NEAR,
    OFFSETS,
    OWN,
    PAGE,
    SUMS,
)  # fmt: skip
from izwi.kernels.scan import hash_words
from izwi.text.blocks import SORTS, Segmented, numbered
from izwi.text.characters import class_table, count_in, lower_table
from izwi.text.elements import FLAGS
from izwi.text.sections import SECTION, sections

Rows = NDArray[np.float32]
# Words that head what readers wrote below a text.
_COMMENT_HEADS = (
    "comments", "responses", "replies", "kommentare", "kommentarer", "commentaires",
    "comentarios", "commenti", "comentários", "reacties", "komentarze", "komentáře",
    "hozzászólások", "комментарии", "коментарі", "yorumlar", "σχόλια", "评论", "評論", "留言",
    "コメント", "댓글", "opmerkings", "trackbacks", "pingbacks",
)  # fmt: skip
FLAG_NAMES = tuple(FLAGS)
SORT_NAMES = tuple(SORTS)
NAMES = (
    *OWN,
    *(f"in_{name}" for name in FLAG_NAMES),
    *PAGE,
    *(f"near{offset:+d}_{name}" for offset in OFFSETS for name in NEAR),
    *(f"up{level}_{name}" for level in range(1, LEVELS + 1) for name in CONTAINER),
    *EXTRA,
    *SECTION,
    *(f"page_is_{name}" for name in SORT_NAMES),
)  # fmt: skip
_OWN = {name: number for number, name in enumerate(OWN)}
_COUNT = {name: number for number, name in enumerate(COUNTS)}


class Weights(NamedTuple):
    """What hashed words speak for, main text above 0: sorted hashes and their weights."""

    hashes: NDArray[np.uint64]
    values: NDArray[np.float32]


NO_WEIGHTS = Weights(np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.float32))


class Vocabulary(NamedTuple):
    """Weights of the words in the names of elements, and of the words of short blocks."""

    names: Weights = NO_WEIGHTS
    words: Weights = NO_WEIGHTS


def features(page: Segmented, vocabulary: Vocabulary) -> Rows:
    """Return one row of NAMES for each block, in the order of the blocks."""
    rows = np.zeros((len(page), len(NAMES)), dtype=np.float32)
    if not len(page):
        return rows
    nodes = page.elements
    if not len(nodes):
        nodes = np.full((1, NODE_COLUMNS), -1, dtype=np.int64)
    places = np.ascontiguousarray(page.table[:, B_NODE])
    parents = np.ascontiguousarray(nodes[:, N_PARENT])
    hints = np.zeros(len(nodes), dtype=np.float32)
    kernel.hints(hints, nodes, page.names, *vocabulary.names)
    own = _own_rows(page, vocabulary, nodes)
    sums = np.zeros((len(nodes), len(SUMS)), dtype=np.float32)
    tags = np.ascontiguousarray(nodes[:, N_TAG])
    seen = kernel.Page(own, places, parents, tags, hints, _twins(nodes), sums)
    seen.fill_hints()
    seen.add_up(np.zeros(len(nodes), dtype=np.float32))
    best = int(sums[:, SUMS.index("prose_here")].argmax())
    near = _fill_page(rows, own, page, seen)
    span = kernel.span_of(best, places, parents, np.zeros(len(nodes), dtype=np.uint8))
    seen.fill(rows, near, best, *branches_from(best, parents), *span)
    found = sections(page, own, page.alike)
    first = len(NAMES) - len(SORT_NAMES) - len(SECTION)
    for column, name in enumerate(SECTION, first):
        rows[:, column] = found[name]
    return rows


def _fill_page(rows: Rows, own: Rows, page: Segmented, seen: kernel.Page) -> int:
    """Fill a block's own columns, what it lies in, and those of the page; return where they end."""
    total, linked, prose, heading = seen.totals()
    blocks, flags = len(rows), page.flags_of_blocks()
    rows[:, : len(OWN)] = own
    rows[:, len(OWN) : len(OWN) + len(FLAG_NAMES)] = flags[:, None] >> np.arange(len(FLAGS)) & 1
    numbers = np.arange(blocks)
    read = np.cumsum(own[:, _OWN["chars"]], dtype=np.float64)
    values: dict[str, Any] = {
        "place": numbers / blocks,
        "chars_before": np.concatenate([[0.0], read[:-1]]) / total,
        "page_chars": total,
        "page_blocks": blocks,
        "page_links": linked / total,
        "page_prose": prose / total,
        "after_h1": numbers - heading if heading >= 0 else 0,
        "has_h1": heading >= 0,
    }
    first = len(OWN) + len(FLAG_NAMES)
    for column, name in enumerate(PAGE, first):
        rows[:, column] = values[name]
    rows[:, len(NAMES) - len(SORT_NAMES) :] = page.sorts >> np.arange(len(SORT_NAMES)) & 1
    return first + len(PAGE)


def branches_from(
    best: int, parents: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each element its branch, seen from the best one, and how deep it lies."""
    branches, depths = np.empty(len(parents), np.int64), np.empty(len(parents), np.int64)
    is_round = np.zeros(len(parents), dtype=np.uint8)
    kernel.branches_from(best, parents, is_round, branches, depths)
    return branches, depths


def _own_rows(page: Segmented, vocabulary: Vocabulary, nodes: NDArray[np.int64]) -> Rows:
    """Return the columns OWN, those of hints still empty."""
    table = page.table
    rows = np.zeros((len(table), len(OWN)), dtype=np.float32)
    _fill_counts(rows, page)
    kernel.structure(rows, table, nodes)
    title = _title_words(page.title)
    kernel.wording(rows, table, page.words, title, *vocabulary.words, _heads())
    _fill_repeats(rows, numbered(table[:, B_HASH]), page.alike)
    return rows


def _fill_counts(rows: Rows, page: Segmented) -> None:
    """Fill what is counted in a block: characters, words, links, shares of kinds of characters."""
    table = page.table
    firsts, lasts = np.ascontiguousarray(table[:, B_FIRST]), np.ascontiguousarray(table[:, B_LAST])
    counts = count_in(page.utf8, firsts, lasts).T
    counted = {name: counts[number] for name, number in _COUNT.items()}
    chars, words = np.maximum(counted["chars"], 1), np.maximum(counted["words"], 1)
    values: dict[str, Any] = {
        "chars": counted["chars"],
        "words": counted["words"],
        "link_share": np.minimum(table[:, B_LINKED] / (table[:, B_END] - table[:, B_START]), 1.0),
        "links": table[:, B_LINKS],
        "word_length": counted["letters"] / words,
        "capital_share": counted["capitals"] / words,
        "digit_share": counted["digits"] / chars,
        "stops": counted["stops"],
        "commas": counted["commas"],
        "fence_share": counted["fences"] / chars,
        "other_share": counted["others"] / chars,
        "is_ended": counted["is_ended"],
        "is_capital": counted["is_capital"],
        "kind": table[:, B_KIND],
        "breaks": table[:, B_BREAKS],
        "inlines": table[:, B_INLINES],
    }
    for name, column in values.items():
        rows[:, _OWN[name]] = column


def _title_words(title: str) -> NDArray[np.uint64]:
    data = title.encode("utf-8", "replace")
    out = np.empty(len(data) + 1, dtype=np.uint64)
    return np.sort(out[: hash_words(data, out, class_table(), lower_table())])


@cache
def _heads() -> NDArray[np.uint64]:
    return np.concatenate([_title_words(word) for word in _COMMENT_HEADS])


def after_comments_heading(page: Segmented) -> NDArray[np.bool_]:
    """Return which blocks stand below a heading that says no more than "Comments", or "3 comments".

    Weblogs of before 2010 put what readers wrote there without an element round it.
    """
    below = np.zeros(len(page), dtype=bool)
    below[kernel.comments_heading(page.table, page.words, _heads()) :] = True
    return below


def _fill_repeats(rows: Rows, texts: NDArray[np.int64], places: NDArray[np.int64]) -> None:
    """Fill how often a block's text, and its place in the template, come again on the page."""
    chars = rows[:, _OWN["chars"]]
    sizes = np.bincount(places)
    all_chars = np.bincount(places, chars)
    links = np.bincount(places, chars * rows[:, _OWN["link_share"]])
    rows[:, _OWN["copies"]] = np.bincount(texts)[texts]
    rows[:, _OWN["alike"]] = sizes[places]
    rows[:, _OWN["alike_chars"]] = (all_chars / sizes)[places]
    rows[:, _OWN["alike_links"]] = (links / np.maximum(all_chars, 1.0))[places]


def _twins(nodes: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return for each element how many of its parent's children look the same."""
    numbers = numbered(nodes[:, N_PARENT] * 1_000_003 ^ nodes[:, N_HASH])
    return np.bincount(numbers)[numbers].astype(np.float32)
