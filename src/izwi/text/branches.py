"""Branches of a page, seen from the element that holds its text body: sidebars, footers, menus."""

import numpy as np
from numba import njit


@njit(cache=True)
def branches_from(best, parents):  # type: ignore[no-untyped-def]
    """Return for each element its branch, seen from the best one, and how deep it lies.

    Elements round the best one are branches of their own.
    """
    is_round = np.zeros(len(parents), dtype=np.bool_)
    node = best if len(parents) else -1
    while node >= 0:
        is_round[node] = True
        node = parents[node]
    branches, depths = np.arange(len(parents)), np.zeros(len(parents), dtype=np.int64)
    for node in range(len(parents)):
        parent = parents[node]
        if parent < 0:
            continue
        depths[node] = depths[parent] + 1
        if not is_round[node] and not is_round[parent]:
            branches[node] = branches[parent]
    return branches, depths


@njit(cache=True)
def span_of(best, places, parents):  # type: ignore[no-untyped-def]
    """Return the numbers of the first and the last block inside an element."""
    is_inside = np.zeros(len(parents), dtype=np.bool_)
    first, last = len(places), -1
    is_inside[best] = True
    for node in range(best + 1, len(parents)):
        is_inside[node] = parents[node] >= 0 and is_inside[parents[node]]
    for row in range(len(places)):
        if places[row] >= 0 and is_inside[places[row]]:
            first, last = min(first, row), row
    return first, last
