"""Where a block stands in the run of its page: sections, articles, dates in rhythm, runs of prose.

Several articles on one page, comments without a name and lists of teasers look alike block by
block; they differ in what heads them, how often dates come again, and which run of prose they are.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import B_FIRST, B_KIND, B_LAST, B_NODE, N_PARENT, N_TAG
from izwi.kernels.feature_columns import OWN
from izwi.text.blocks import Segmented
from izwi.text.elements import KINDS, TAGS

SECTION = (
    # The heading before the block: how far, what its words stand for, its size and level.
    "head_gap", "head_wording", "head_low", "head_chars", "head_links", "head_level", "head_prose",
    "head_title", "head_hint", "next_head_gap", "next_head_level",
    # The article element round it: the how manieth, its share of the prose, its rank by it.
    "article_number", "article_share", "article_rank",
    # Short blocks with a date: this one, the last before it, and how often its place comes again.
    "is_dated", "date_gap", "next_date_gap", "date_alike", "date_prose",
    # Prose, and its runs, which five other blocks part.
    "prose_before", "prose_gap", "run_share", "run_rank", "prose_alike", "alike_share",
    "links_since_prose",
)  # fmt: skip
Columns = dict[str, NDArray[Any]]
_HEADING = KINDS.index("h")
_FAR = 999
_LONGEST_DATED = 90
_RUN_GAP = 5
_ARTICLE = TAGS["article"]
_OWN = {name: number for number, name in enumerate(OWN)}


def sections(page: Segmented, own: NDArray[np.float32], alike: NDArray[np.int64]) -> Columns:
    """Return the columns SECTION of each block, from its own columns and its template place."""
    chars, words = own[:, _OWN["chars"]], own[:, _OWN["words"]]
    is_prose = (own[:, _OWN["stops"]] >= 1) & (words >= 8) & (own[:, _OWN["link_share"]] < 0.4)
    prose = np.where(is_prose, chars, 0.0).astype(np.float64)
    read = np.cumsum(prose)
    return {
        **_headings(page, own, prose, read),
        **_articles(page, prose),
        **_dates(page, chars, alike, prose, read),
        **_runs(own, is_prose, prose, read, alike),
    }


def _headings(
    page: Segmented, own: NDArray[np.float32], prose: NDArray[np.float64], read: NDArray[np.float64]
) -> Columns:
    is_head = page.table[:, B_KIND] == _HEADING
    numbers, before, after = np.arange(len(own)), _last(is_head), _next(is_head)
    has, has_next = before >= 0, after < len(own)
    head, coming = own[np.maximum(before, 0)], own[np.minimum(after, len(own) - 1)]
    found = {
        f"head_{name}": np.where(has, head[:, _OWN[column]], nothing)
        for name, column, nothing in (
            ("wording", "wording", 0.0), ("low", "wording_low", 0.0), ("chars", "chars", -9.0),
            ("links", "link_share", 0.0), ("level", "heading", -9.0), ("title", "title_share", 0.0),
            ("hint", "path_hint", 0.0),
        )
    }  # fmt: skip
    return found | {
        "head_gap": np.where(has, numbers - before, _FAR),
        "head_prose": read - prose - np.where(has, read[np.maximum(before, 0)], 0.0),
        "next_head_gap": np.where(has_next, after - numbers, _FAR),
        "next_head_level": np.where(has_next, coming[:, _OWN["heading"]], 0.0),
    }


def _articles(page: Segmented, prose: NDArray[np.float64]) -> Columns:
    """Return the number, share and rank of the article element that each block lies in."""
    outside = {"article_number": 0.0, "article_share": -1.0, "article_rank": -1.0}
    nothing = {name: np.full(len(prose), value) for name, value in outside.items()}
    is_article = page.elements[:, N_TAG] == _ARTICLE
    if not is_article.any():
        return nothing
    numbers = np.arange(len(is_article))
    parents = page.elements[:, N_PARENT]
    above = np.where(is_article | (parents < 0), numbers, parents)
    # Each step looks twice as far up, so a few of them reach the top.
    while not np.array_equal(above, further := above[above]):
        above = further
    places = page.table[:, B_NODE]
    node = above[np.maximum(places, 0)]
    own = np.where((places >= 0) & is_article[node], node, -1)
    known, which = np.unique(own, return_inverse=True)
    share = np.bincount(which, weights=prose) / max(prose.sum(), 1.0)
    is_in = own >= 0
    found = {
        "article_number": np.cumsum(known >= 0)[which],
        "article_share": share[which],
        "article_rank": _ranks(np.where(known >= 0, share, -1.0))[which],
    }
    return {name: np.where(is_in, values, nothing[name]) for name, values in found.items()}


def _dates(
    page: Segmented,
    chars: NDArray[np.float32],
    alike: NDArray[np.int64],
    prose: NDArray[np.float64],
    read: NDArray[np.float64],
) -> Columns:
    is_dated = _has_date(page) & (chars < _LONGEST_DATED)
    numbers, before, after = np.arange(len(chars)), _last(is_dated), _next(is_dated)
    has, last = before >= 0, np.maximum(before, 0)
    again = np.bincount(alike, weights=is_dated)[alike]
    return {
        "is_dated": is_dated.astype(np.float64),
        "date_gap": np.where(has, numbers - before, _FAR),
        "next_date_gap": np.where(after < len(chars), after - numbers, _FAR),
        "date_alike": np.where(has, again[last], 0.0),
        "date_prose": read - prose - np.where(has, read[last], 0.0),
    }


def _has_date(page: Segmented) -> NDArray[np.bool_]:
    """Return which blocks have a year of four digits, or a time such as 9:05."""
    found = np.zeros(len(page), dtype=bool)
    data = page.utf8
    if len(data) < 4:
        return found
    is_digit = (data >= 48) & (data <= 57)
    first, second = data[:-3], data[1:-2]
    two = is_digit[:-3] & is_digit[2:-1] & is_digit[3:]
    is_year = is_digit[1:-2] & (((first == 49) & (second == 57)) | ((first == 50) & (second == 48)))
    places = np.flatnonzero(two & (is_year | (second == 58)))
    blocks = np.searchsorted(page.table[:, B_FIRST], places, side="right") - 1
    inside = (blocks >= 0) & (places < page.table[np.maximum(blocks, 0), B_LAST])
    found[blocks[inside]] = True
    return found


def _runs(
    own: NDArray[np.float32],
    is_prose: NDArray[np.bool_],
    prose: NDArray[np.float64],
    read: NDArray[np.float64],
    alike: NDArray[np.int64],
) -> Columns:
    total = max(float(read[-1]), 1.0)
    numbers, before = np.arange(len(own)), _last(is_prose)
    has = before >= 0
    run = np.cumsum(is_prose & (~has | (numbers - before > _RUN_GAP)))
    sizes = np.bincount(run, weights=prose)
    linked = np.cumsum(own[:, _OWN["chars"]] * own[:, _OWN["link_share"]], dtype=np.float64)
    return {
        "prose_before": (read - prose) / total,
        "prose_gap": np.where(has, numbers - before, _FAR),
        "run_share": sizes[run] / total,
        "run_rank": _ranks(sizes)[run],
        "prose_alike": np.bincount(alike, weights=is_prose)[alike],
        "alike_share": np.bincount(alike, weights=prose)[alike] / total,
        "links_since_prose": linked - np.where(has, linked[np.maximum(before, 0)], 0.0),
    }


def _last(marks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each place the last marked one before it, or -1."""
    reached = np.maximum.accumulate(np.where(marks, np.arange(len(marks)), -1))
    return np.concatenate([[-1], reached[:-1]])


def _next(marks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each place the next marked one after it, or the number of places."""
    reached = np.where(marks, np.arange(len(marks)), len(marks))[::-1]
    return np.concatenate([np.minimum.accumulate(reached)[::-1][1:], [len(marks)]])


def _ranks(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the rank of each value, 0 for the largest."""
    found = np.empty(len(values))
    found[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return found
