"""What words speak for, learnt from labelled pages: those in names of elements and in short blocks.

Of a block they say whether it is main text, of a page what type it is that has them anywhere.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.evaluate.gold_pages import UNKNOWN, Example, part_of
from izwi.kernels.columns import (
    B_NODE,
    B_WORDS,
    B_WORDS_END,
    N_PARENT,
    N_WORDS,
    N_WORDS_END,
)
from izwi.model.document import PAGE_TYPES
from izwi.text.blocks import Segmented
from izwi.text.features import Vocabulary, Weights
from izwi.text.page_types import NO_LEANINGS, Leanings

Words = frozenset[int]
# How much large weights cost: of single words of single blocks, of words of whole pages.
_OF_BLOCKS, _OF_PAGES = 2e-5, 1e-2


def vocabulary(examples: Sequence[Example], least_hosts: int) -> Vocabulary:
    """Return the weights of names that so many hosts use, and of words twice as many use."""
    names = [list(_path_names(one.page)) for one in examples]
    words = [_block_words(one.page) for one in examples]
    # Every short block counts alike here: they are many and small.
    flat = [replace(one, costs=np.full(len(one.costs), 0.1)) for one in examples]
    return Vocabulary(
        _weights(examples, names, least_hosts), _weights(flat, words, 2 * least_hosts)
    )


def leanings(examples: Sequence[Example], least_hosts: int) -> Leanings:
    """Return what the same names and words say of the type of a page that has them."""
    names = [_all_names(one.page) for one in examples]
    words = [Words().union(*_block_words(one.page)) for one in examples]
    return Leanings(
        _page_weights(examples, names, least_hosts), _page_weights(examples, words, 2 * least_hosts)
    )


def blind_vocabularies(
    examples: Sequence[Example], parts: int, least_hosts: int
) -> list[Vocabulary]:
    """Return for each part of the hosts a vocabulary that was made without it.

    Trees that learn from pages whose labels made the weights trust these far too much.
    """
    return [vocabulary(others, least_hosts) for others in _without_each(examples, parts)]


def blind_leanings(examples: Sequence[Example], parts: int, least_hosts: int) -> list[Leanings]:
    """Return the same of what words say of the types of pages."""
    return [leanings(others, least_hosts) for others in _without_each(examples, parts)]


def _without_each(examples: Sequence[Example], parts: int) -> Iterator[list[Example]]:
    """Yield for each part of the hosts the examples of all others."""
    for held in range(parts):
        yield [one for one in examples if part_of(one.host, parts) != held]


def _weights(
    examples: Sequence[Example], found: Sequence[Sequence[Words]], least_hosts: int
) -> Weights:
    known = _used_by(examples, [Words().union(*names) for names in found], least_hosts)
    values = _regression(examples, found, {word: number for number, word in enumerate(known)})
    kept = np.abs(values) > 0.03
    return Weights(np.array(known, dtype=np.uint64)[kept], values[kept])


def _regression(
    examples: Sequence[Example], paths: Sequence[Sequence[Words]], known: dict[int, int]
) -> NDArray[np.float32]:
    columns: list[int] = []
    ends, labels, costs = [0], [], []
    for one, found in zip(examples, paths, strict=True):
        for names, label, cost in zip(found, one.labels, one.costs, strict=True):
            if label == UNKNOWN or not names:
                continue
            columns.extend(known[word] for word in names if word in known)
            ends.append(len(columns))
            labels.append(label >= 0.5)
            costs.append(cost)
    if not known or len(set(labels)) < 2:
        return np.zeros(len(known), dtype=np.float32)
    table = _table(columns, ends, len(known))
    signs = np.where(labels, 1.0, -1.0)
    return _logistic(table, signs, np.array(costs) / sum(costs), _OF_BLOCKS)


def _page_weights(examples: Sequence[Example], found: Sequence[Words], least_hosts: int) -> Weights:
    """Return how much each word on a page speaks for each of its types against the rest."""
    typed = [place for place, one in enumerate(examples) if one.kind in PAGE_TYPES]
    known = _used_by([examples[p] for p in typed], [found[p] for p in typed], least_hosts)
    if not known:
        return NO_LEANINGS
    numbers = {word: number for number, word in enumerate(known)}
    columns: list[int] = []
    ends = [0]
    for place in typed:
        columns.extend(sorted(numbers[word] for word in found[place] if word in numbers))
        ends.append(len(columns))
    table = _table(columns, ends, len(known))
    costs = np.full(len(typed), 1 / len(typed))
    values = [
        _logistic(
            table,
            np.where([examples[p].kind == name for p in typed], 1.0, -1.0),
            costs,
            _OF_PAGES,
        )
        for name in PAGE_TYPES
    ]
    return Weights(np.array(known, dtype=np.uint64), np.column_stack(values))


def _used_by(examples: Sequence[Example], found: Sequence[Words], least_hosts: int) -> list[int]:
    """Return the words that pages of so many hosts have."""
    hosts: defaultdict[int, set[str]] = defaultdict(set)
    for one, words in zip(examples, found, strict=True):
        for word in words:
            hosts[word].add(one.host)
    return sorted(word for word, users in hosts.items() if len(users) >= least_hosts)


def _table(columns: Sequence[int], ends: Sequence[int], width: int) -> Any:
    """Return a sparse table of ones: of each row where it ends, and its columns."""
    from scipy.sparse import csr_matrix

    ones = np.ones(len(columns), dtype=np.float32)
    return csr_matrix((ones, columns, ends), shape=(len(ends) - 1, width))


def _logistic(
    table: Any, signs: NDArray[np.float64], costs: NDArray[np.float64], penalty: float
) -> NDArray[np.float32]:
    """Return the weights of a logistic regression; the last one, the bias, is left out."""
    from scipy.optimize import minimize
    from scipy.special import expit

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = signs * (table @ weights[:-1] + weights[-1])
        slopes = -signs * costs * expit(-margins)
        value = costs @ np.logaddexp(0, -margins) + penalty / 2 * weights[:-1] @ weights[:-1]
        return value, np.append(table.T @ slopes + penalty * weights[:-1], slopes.sum())

    start = np.zeros(table.shape[1] + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 60})
    return np.asarray(found.x[:-1], dtype=np.float32)


def _block_words(page: Segmented) -> list[Words]:
    """Return for each short block its words."""
    bounds = page.table[:, [B_WORDS, B_WORDS_END]].tolist()
    return [frozenset(page.words[start:end].tolist()) for start, end in bounds]


def _all_names(page: Segmented) -> Words:
    """Return the words in the names of all elements of a page."""
    bounds = page.elements[:, [N_WORDS, N_WORDS_END]].tolist()
    return Words().union(*(page.names[start:end].tolist() for start, end in bounds if end > start))


def _path_names(page: Segmented) -> Iterator[Words]:
    """Yield for each block the words in the names of all elements round it."""
    below: list[Words] = []
    for parent, start, end in page.elements[:, [N_PARENT, N_WORDS, N_WORDS_END]].tolist():
        above = below[parent] if parent >= 0 else Words()
        below.append(above.union(page.names[start:end].tolist()) if end > start else above)
    for node in page.table[:, B_NODE].tolist():
        yield below[node] if node >= 0 else frozenset()
