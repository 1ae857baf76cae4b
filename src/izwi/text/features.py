"""What a classifier sees: of each block itself, its neighbours, containers, place; of a whole page.

Of a page it is told what type it is: an article, a forum, a list of teasers, and so on.
"""

import re
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import features as kernel
from izwi.kernels import sections as sections_kernel
from izwi.kernels.columns import (
    B_END,
    B_FIRST,
    B_LAST,
    B_NODE,
    B_START,
    N_PARENT,
    N_TAG,
    NODE_COLUMNS,
)  # fmt: skip
from izwi.kernels.feature_columns import (
    CONTAINER,
    EXTRA,
    LEVELS,
    NEAR,
    OFFSETS,
    OWN,
    PAGE,
    SECTION,
    SUMS,
)  # fmt: skip
from izwi.kernels.scan import hash_words
from izwi.model.document import PAGE_TYPES as PAGE_TYPES
from izwi.model.records import dataclass
from izwi.text.blocks import Segmented, numbered
from izwi.text.characters import class_table, count_in, lower_table
from izwi.text.elements import FLAGS, KINDS
from izwi.text.page_sorts import SORT_NAMES
from izwi.text.trees import Forests

Rows = NDArray[np.float32]
# Words that head what readers wrote below a text.
_COMMENT_HEADS = (
    "comments", "responses", "replies", "kommentare", "kommentarer", "commentaires",
    "comentarios", "commenti", "comentários", "reacties", "komentarze", "komentáře",
    "hozzászólások", "комментарии", "коментарі", "yorumlar", "σχόλια", "评论", "評論", "留言",
    "コメント", "댓글", "opmerkings", "trackbacks", "pingbacks",
)  # fmt: skip
# The same in several words, which stand alone in a line.
_COMMENT_LINES = (
    "reader comments", "readers comments", "readers' comments", "readers’ comments",
    "reader’s comments", "user comments", "article comments", "your comments", "readers wrote",
    "readers say", "readers respond", "comments from readers", "lesers sê", "lesers skryf",
    "lesers se kommentaar", "lezers reageren", "reacties van lezers", "kommentare der leser",
    "vos commentaires", "vos réactions", "réactions des lecteurs", "commentaires des lecteurs",
    "comentarios de los lectores", "comentarios de lectores", "comentários dos leitores",
    "commenti dei lettori", "abafundi bathi", "imibono yabafundi",
)  # fmt: skip
_COMMENT_LINE = re.compile(
    rf"(?:\d+ )?(?:{'|'.join(map(re.escape, _COMMENT_LINES))})(?: \(?\d+\)?)?:?", re.IGNORECASE
)
_LONGEST_LINE = 50
FLAG_NAMES = tuple(FLAGS)
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


# Hashes are told apart by so many values of their first bits, as the loops do.
_FIRSTS, _REST_BITS = 1 << 12, 52


@dataclass(frozen=True)
class Weights:
    """What hashed words speak for, main text above 0: sorted hashes and their weights."""

    hashes: NDArray[np.uint64]
    values: NDArray[np.float32]

    @cached_property
    def table(self) -> tuple[NDArray[np.uint64], NDArray[np.float32], NDArray[np.int32]]:
        """Both, and where the hashes stand that begin with the same twelve bits: one or two."""
        firsts = self.hashes >> np.uint64(_REST_BITS)
        starts = np.searchsorted(firsts, np.arange(_FIRSTS + 1, dtype=np.uint64))
        return self.hashes, self.values, starts.astype(np.int32)


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
    kernel.hints(hints, nodes, page.names, *vocabulary.names.table)
    own = _own_rows(page, vocabulary, nodes)
    sums = np.zeros((len(nodes), len(SUMS)), dtype=np.float32)
    tags = np.ascontiguousarray(nodes[:, N_TAG])
    seen = kernel.Page(own, places, parents, tags, hints, _twins(nodes), sums)
    seen.fill_hints()
    seen.add_up(np.zeros(len(nodes), dtype=np.float32))
    best = int(sums[:, SUMS.index("prose_here")].argmax())
    near = seen.fill_page(rows, page.flags, len(FLAG_NAMES), page.sorts, len(SORT_NAMES))
    span = kernel.span_of(best, places, parents, np.zeros(len(nodes), dtype=np.uint8))
    seen.fill(rows, near, best, *branches_from(best, parents), *span)
    fill_sections(rows, len(NAMES) - len(SORT_NAMES) - len(SECTION), own, page)
    return rows


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
    firsts, lasts = np.ascontiguousarray(table[:, B_FIRST]), np.ascontiguousarray(table[:, B_LAST])
    kernel.counted(rows, table, count_in(page.utf8, firsts, lasts))
    kernel.structure(rows, table, nodes)
    title = _title_words(page.title)
    kernel.wording(rows, table, page.words, title, *vocabulary.words.table, _heads())
    kernel.repeats(rows, page.said, page.alike, np.zeros((len(table), 4)))
    return rows


def _title_words(title: str) -> NDArray[np.uint64]:
    data = title.encode("utf-8", "replace")
    out = np.empty(len(data) + 1, dtype=np.uint64)
    return np.sort(out[: hash_words(data, out, class_table(), lower_table())])


@cache
def _heads() -> NDArray[np.uint64]:
    return np.sort(np.concatenate([_title_words(word) for word in _COMMENT_HEADS]))


def after_comments_heading(page: Segmented) -> NDArray[np.bool_]:
    """Return which blocks stand below a heading that says no more than "Comments", or "3 comments".

    Or below a line such as "Readers wrote".

    Weblogs of before 2010 put what readers wrote there without an element round it.
    """
    below = np.zeros(len(page), dtype=bool)
    heading = kernel.comments_heading(page.table, page.words, _heads())
    below[min(heading, _comments_line(page)) :] = True
    return below


def _comments_line(page: Segmented) -> int:
    """Return the number of the first block that is such a line; that of all blocks if none is."""
    rows = kernel.beginning_with(page.table, page.words, _line_heads(), _LONGEST_LINE)
    bounds = page.table[rows][:, [B_START, B_END]].tolist() if rows else ()
    lines = (page.text[start:end].strip() for start, end in bounds)
    found = (row for row, line in zip(rows, lines, strict=True) if _is_line(line))
    return next(found, len(page))


@cache
def _line_heads() -> NDArray[np.uint64]:
    """Return the first word of each such line: few blocks of a page begin so."""
    return np.sort([_title_words(line.split()[0])[0] for line in _COMMENT_LINES])


def _is_line(text: str) -> bool:
    return _COMMENT_LINE.fullmatch(text) is not None


def _twins(nodes: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return for each element how many of its parent's children look the same."""
    keys, found = np.empty(len(nodes), np.uint64), np.empty(len(nodes), np.float32)
    kernel.sibling_keys(nodes, keys)
    kernel.times(numbered(keys), np.zeros(len(nodes), np.float32), found)
    return found


def fill_sections(
    rows: NDArray[np.float32], column: int, own: NDArray[np.float32], page: Segmented
) -> None:
    """Fill the columns SECTION, which begin at `column`, from the own columns of each block."""
    count, places = len(own), int(page.alike.max()) + 1
    read, sizes = np.empty(count), np.zeros(count + 1)
    seen = sections_kernel.Sections(
        rows, column, own, page.table, page.alike,
        read, np.empty(count), np.empty(count, dtype=np.int64), sizes,
        np.zeros(places, dtype=np.int64), np.zeros(places, dtype=np.int64), np.zeros(places),
    )  # fmt: skip
    runs = seen.add_up(page.utf8)
    seen.fill(_ranks(sizes[:runs]))
    around = np.empty(count, dtype=np.int64)
    nearest = np.empty(len(page.elements), dtype=np.int64)
    if sections_kernel.articles(page.table, page.elements, nearest, around):
        prose = read.copy()
        # As numpy's own difference does it, in a fifth of its time.
        prose[1:] -= read[:-1]
        _fill_articles(seen, around, prose, len(nearest))


def _fill_articles(
    seen: sections_kernel.Sections,
    around: NDArray[np.int64],
    prose: NDArray[np.float64],
    elements: int,
) -> None:
    """Fill the number, share and rank of the article element that each block lies in."""
    is_in = around >= 0
    known = np.bincount(around[is_in], minlength=elements) > 0
    shares = np.bincount(around[is_in], prose[is_in], elements) / max(prose.sum(), 1.0)
    ranks = np.zeros(elements, dtype=np.int64)
    ranks[known] = _ranks(shares[known])
    seen.fill_articles(around, np.cumsum(known), shares, ranks)


def _ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the rank of each value, 0 for the largest."""
    found = np.empty(len(values), dtype=np.int64)
    found[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return found


LIKELY = 0.5
_COLUMN = {name: number for number, name in enumerate(NAMES)}
_MEANS = (
    "chars", "words", "link_share", "capital_share", "digit_share", "stops", "commas",
    "fence_share", "is_ended", "inlines", "copies", "alike", "path_hint", "title_share",
    *(f"in_{name}" for name in FLAG_NAMES), *(f"up{level}_twins" for level in range(1, LEVELS + 1)),
)  # fmt: skip
_FIRST = ("page_chars", "page_blocks", "page_links", "page_prose", "has_h1", "best_share")
_MEAN_COLUMNS = np.array([_COLUMN[name] for name in _MEANS])
_FIRST_COLUMNS = np.array([_COLUMN[name] for name in _FIRST])


class PageTypes(Forests):
    """One forest for each of PAGE_TYPES, or none at all."""

    def chances(self, rows: Rows) -> Rows:
        """Return for each page how likely it is of each type."""
        if not self.forests:
            return np.zeros((len(rows), len(PAGE_TYPES)), dtype=np.float32)
        return super().chances(rows)


def page_row(page: Segmented, rows: Rows, chances: NDArray[np.float32]) -> Rows:
    """Return what is seen of a whole page: means over its text, all of it and the likely main."""
    out = np.zeros(row_width(), dtype=np.float32)
    if not len(rows):
        return out
    seen = bytearray(len(page.elements) + 1)
    likely, runs, elements = kernel.likely_blocks(chances, page.table, seen)
    first, means = len(_FIRST), len(_MEANS)
    out[:first] = rows[0, _FIRST_COLUMNS]
    _fill_means(rows, chances, out[first:])
    rest = out[first + 2 * means + len(KINDS) :]
    rest[2], rest[3], rest[5], rest[6] = likely, likely / len(rows), runs, elements
    rest[-len(SORT_NAMES) :] = rows[0, -len(SORT_NAMES) :]
    return out


def _fill_means(rows: Rows, chances: NDArray[np.float32], out: Rows) -> None:
    """Fill means over all text and over the likely, shares of kinds, and what is summed of both."""
    width, shape = len(_MEANS), 2 * len(_MEANS) + len(KINDS)
    sums, kinds = np.zeros((2, width)), np.zeros(len(KINDS))
    total, likely, main = kernel.means(rows, chances, _MEAN_COLUMNS, sums, kinds)
    out[:width] = sums[0] / total
    out[width : 2 * width] = sums[1] / max(likely, 1.0)
    out[2 * width : shape] = kinds / total
    out[shape], out[shape + 1], out[shape + 4] = likely, likely / total, main
    out[shape + 7] = np.add.reduce(np.abs(chances - LIKELY)) / len(chances)


def row_width() -> int:
    """Return the number of columns of `page_row`."""
    return len(_FIRST) + 2 * len(_MEANS) + len(KINDS) + 8 + len(SORT_NAMES)


def named(chances: NDArray[np.float32]) -> str:
    """Return the likeliest type, or nothing if none is likely."""
    best = int(chances.argmax())
    return PAGE_TYPES[best] if chances[best] >= LIKELY else ""


def is_surely(chances: NDArray[np.float32], wanted: str, least: float) -> bool:
    """Return whether a type is the likeliest and at least so likely."""
    place = PAGE_TYPES.index(wanted)
    return bool(len(chances) and chances.argmax() == place and chances[place] >= least)
