"""What the words in names of elements and in short blocks speak for, learnt from gold pages."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.evaluate.gold_pages import UNKNOWN, Example, part_of
from izwi.kernels.columns import B_NODE, B_WORDS, B_WORDS_END, N_PARENT, N_WORDS, N_WORDS_END
from izwi.text.blocks import Segmented
from izwi.text.features import Vocabulary, Weights


def vocabulary(examples: Sequence[Example], least_hosts: int) -> Vocabulary:
    """Return the weights of names that so many hosts use, and of words twice as many use."""
    return Vocabulary(name_weights(examples, least_hosts), word_weights(examples, 2 * least_hosts))


def blind_vocabularies(
    examples: Sequence[Example], parts: int, least_hosts: int
) -> list[Vocabulary]:
    """Return for each part of the hosts a vocabulary that was made without it.

    Trees that learn from pages whose labels made the weights trust these far too much.
    """
    return [
        vocabulary([one for one in examples if part_of(one.host, parts) != held], least_hosts)
        for held in range(parts)
    ]


def name_weights(examples: Sequence[Example], least_hosts: int) -> Weights:
    """Return how much each word of class and id names speaks for main text (regression)."""
    return _weights(examples, [list(_path_names(one.page)) for one in examples], least_hosts)


def word_weights(examples: Sequence[Example], least_hosts: int) -> Weights:
    """Return the same for the words of short blocks."""
    found = [
        [
            frozenset(one.page.words[start:end].tolist())
            for start, end in one.page.table[:, [B_WORDS, B_WORDS_END]].tolist()
        ]
        for one in examples
    ]
    # Every short block counts alike here: they are many and small.
    flat = [replace(one, costs=np.full(len(one.costs), 0.1)) for one in examples]
    return _weights(flat, found, least_hosts)


def _weights(
    examples: Sequence[Example], found: Sequence[Sequence[frozenset[int]]], least_hosts: int
) -> Weights:
    hosts: defaultdict[int, set[str]] = defaultdict(set)
    for one, names in zip(examples, found, strict=True):
        for word in set[int]().union(*names):
            hosts[word].add(one.host)
    known = sorted(word for word, users in hosts.items() if len(users) >= least_hosts)
    values = _regression(examples, found, {word: number for number, word in enumerate(known)})
    kept = np.abs(values) > 0.03
    return Weights(np.array(known, dtype=np.uint64)[kept], values[kept])


def _regression(
    examples: Sequence[Example], paths: Sequence[Sequence[frozenset[int]]], known: dict[int, int]
) -> NDArray[np.float32]:
    from scipy.sparse import csr_matrix

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
    table = csr_matrix(
        (np.ones(len(columns), dtype=np.float32), columns, ends), shape=(len(labels), len(known))
    )
    signs = np.where(labels, 1.0, -1.0)
    return _logistic(table, signs, np.array(costs) / sum(costs))


def _logistic(
    table: Any, signs: NDArray[np.float64], costs: NDArray[np.float64], penalty: float = 2e-5
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


def _path_names(page: Segmented) -> Iterator[frozenset[int]]:
    """Yield for each block the words in the names of all elements round it."""
    below: list[frozenset[int]] = []
    for parent, start, end in page.elements[:, [N_PARENT, N_WORDS, N_WORDS_END]].tolist():
        above = below[parent] if parent >= 0 else frozenset[int]()
        below.append(above.union(page.names[start:end].tolist()) if end > start else above)
    for node in page.table[:, B_NODE].tolist():
        yield below[node] if node >= 0 else frozenset()
