"""What the first pass thinks of a block's surroundings: what the second pass sees beside it."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from izwi.text.blocks import Segmented
from izwi.text.branches import branches_from
from izwi.text.features import LEVELS, Rows, places_alike
from izwi.text.scan import B_NODE, N_PARENT

CONTEXT = (
    "self", "back1", "back2", "back3", "next1", "next2", "next3", "window", "alike",
    "page_main", "main_before", "main_after", "gap_before", "gap_after", *(f"up{level}" for level
    in range(1, LEVELS + 1)), "branch_share", "branch_main", "branch_text", "rise",
)  # fmt: skip


def context(page: Segmented, rows: Rows, chances: NDArray[np.float32]) -> Rows:
    """Return one row of CONTEXT for each block."""
    if not len(page):
        return np.zeros((0, len(CONTEXT)), dtype=np.float32)
    parents = np.ascontiguousarray(page.elements[:, N_PARENT])
    places = np.ascontiguousarray(page.table[:, B_NODE])
    around: Rows = _context(
        np.ascontiguousarray(rows[:, 0]), chances, places, parents, places_alike(page)
    )
    return around


@njit(cache=True)
def _context(chars, chances, places, parents, alike):  # type: ignore[no-untyped-def]
    n = len(chars)
    out = np.full((n, 22), -1, dtype=np.float32)
    sums, groups = _sums(chars, chances, places, parents, alike)
    total, main = chars.sum(), (chars * chances).sum()
    best = _densest(chars * chances, places, parents)
    branches, depths = branches_from(best, parents)
    before = 0.0
    for row in range(n):
        out[row, 0] = chances[row]
        for step in range(1, 4):
            if row >= step:
                out[row, step] = chances[row - step]
            if row + step < n:
                out[row, 3 + step] = chances[row + step]
        out[row, 7] = _window(chars, chances, row)
        group = groups[alike[row]]
        rest = group[0] - chars[row]
        if rest > 0:
            out[row, 8] = (group[1] - chars[row] * chances[row]) / rest
        out[row, 9] = main / max(total, 1)
        out[row, 10] = before / max(main, 1)
        before += chars[row] * chances[row]
        out[row, 11] = 1 - before / max(main, 1)
        _climb(out[row], sums, places[row], parents)
        if places[row] >= 0:
            branch = branches[places[row]]
            text, likely = sums[branch, 0], sums[branch, 1]
            out[row, 18], out[row, 19] = likely / max(main, 1), likely / max(text, 1)
            out[row, 20] = text / max(total, 1)
            out[row, 21] = depths[best] - depths[branch]
    _gaps(out, chars, chances)
    return out


@njit(cache=True)
def _sums(chars, chances, places, parents, alike):  # type: ignore[no-untyped-def]
    """Sum text, likely text and blocks below every element and in every place of the template."""
    sums = np.zeros((len(parents), 3), dtype=np.float32)
    groups = np.zeros((alike.max() + 1, 2), dtype=np.float32)
    for row in range(len(chars)):
        weight = chars[row]
        node = places[row]
        if node >= 0:
            sums[node, 0] += weight
            sums[node, 1] += weight * chances[row]
            sums[node, 2] += 1
        groups[alike[row], 0] += weight
        groups[alike[row], 1] += weight * chances[row]
    for node in range(len(parents) - 1, -1, -1):
        if parents[node] >= 0:
            for column in range(3):
                sums[parents[node], column] += sums[node, column]
    return sums, groups


@njit(cache=True)
def _densest(likely, places, parents):  # type: ignore[no-untyped-def]
    """Return the element that most of the likely text stands directly in, or just below."""
    here = np.zeros(max(len(parents), 1))
    for row in range(len(likely)):
        node = places[row]
        for share in (0.5, 1.0, 0.5):
            if node >= 0:
                here[node] += likely[row] * share
                node = parents[node]
    return np.argmax(here)


@njit(cache=True)
def _window(chars, chances, row):  # type: ignore[no-untyped-def]
    weight = mass = 0.0
    for other in range(max(0, row - 5), min(len(chars), row + 6)):
        if other != row:
            near = chars[other] / (1 + abs(other - row))
            weight += near
            mass += near * chances[other]
    return mass / weight if weight > 0 else -1.0


@njit(cache=True)
def _climb(out, sums, node, parents):  # type: ignore[no-untyped-def]
    """Fill the share of likely text in the four containers that each hold more than the last."""
    for level in range(4):
        if node < 0:
            return
        while parents[node] >= 0 and sums[node, 2] <= 1:
            node = parents[node]
        out[14 + level] = sums[node, 1] / max(sums[node, 0], 1)
        here = sums[node, 2]
        while node >= 0 and sums[node, 2] <= here:
            node = parents[node]


@njit(cache=True)
def _gaps(out, chars, chances):  # type: ignore[no-untyped-def]
    """Fill how far it is to the nearest sure text on each side."""
    n, last = len(chars), -1
    for row in range(n):
        out[row, 12] = row - last if last >= 0 else 999
        if chances[row] > 0.7 and chars[row] > 60:
            last = row
    last = -1
    for row in range(n - 1, -1, -1):
        out[row, 13] = last - row if last >= 0 else 999
        if chances[row] > 0.7 and chars[row] > 60:
            last = row
