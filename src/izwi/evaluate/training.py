"""Training of the default extractor from gold pages (needs the extra `train`)."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.evaluate.labels import UNKNOWN, GoldPage, block_labels
from izwi.model.errors import MissingExtra
from izwi.text.blocks import Segmented, segment
from izwi.text.elements import FLAGS, TAGS
from izwi.text.extract.model import ExtractorModel
from izwi.text.features import Vocabulary, Weights, features
from izwi.text.pagetype import PAGE_TYPES, PageTypes, page_row
from izwi.text.scan import (
    B_NODE,
    B_WORDS,
    B_WORDS_END,
    N_FLAGS,
    N_HASH,
    N_PARENT,
    N_TAG,
    N_WORDS,
    N_WORDS_END,
)
from izwi.text.surroundings import context
from izwi.text.trees import Forest

Rows = NDArray[np.float32]
# Elements and flags that pages of before HTML 5 do not have.
_MODERN = ("nav", "header", "footer", "aside", "article", "main", "section", "figure", "figcaption")
_OLD_FLAGS = ~sum(FLAGS[name] for name in _MODERN if name in FLAGS)


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """How many trees, how large, and how many parts the pages are split into for the first pass."""

    parts: int = 3
    first_trees: int = 160
    second_trees: int = 120
    type_trees: int = 40
    leaves: int = 31
    rate: float = 0.08
    # A word of class names counts if so many hosts use it.
    least_hosts: int = 6
    # Every n-th page is seen a second time without names and modern elements, as old pages are.
    aged_every: int = 2
    seed: int = 1
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Example:
    """A page ready for training: its blocks, their labels and what a mistake in each costs."""

    page: Segmented
    labels: NDArray[np.float64]
    costs: NDArray[np.float64]
    host: str
    kind: str = ""
    is_aged: bool = False


def example(gold: GoldPage) -> Example | None:
    """Return a gold page as an example, or None if it has no text."""
    page = segment(gold.html)
    if not len(page):
        return None
    labels = block_labels(page, gold)
    return Example(page, labels, _costs(page, labels, gold), gold.host or gold.id, gold.kind)


def _costs(page: Segmented, labels: NDArray[np.float64], gold: GoldPage) -> NDArray[np.float64]:
    """Return what each block weighs: its part of the page's text, so that pages count alike."""
    if not gold.text:
        return np.where(labels == UNKNOWN, 0.0, 0.06)
    sizes = page.sizes.astype(float)
    share = np.minimum(sizes, 2500) / max(len(gold.text), 150, sizes.sum() * 0.1)
    costs: NDArray[np.float64] = share / max(1.0, share.sum() / 3) + 0.002
    return costs


def aged(given: Example) -> Example:
    """Return an example as an old page would show it: no names, no modern elements."""
    nodes = given.page.elements.copy()
    nodes[:, N_WORDS_END] = nodes[:, N_WORDS]
    nodes[:, N_FLAGS] &= _OLD_FLAGS
    nodes[np.isin(nodes[:, N_TAG], [TAGS[name] for name in _MODERN]), N_TAG] = TAGS["div"]
    nodes[:, N_HASH] = nodes[:, N_TAG]
    page = replace(given.page, elements=nodes, sorts=0)
    return replace(given, page=page, costs=given.costs / 2, is_aged=True)


def train(examples: Sequence[Example], options: TrainingOptions) -> ExtractorModel:
    """Return a model made from examples; the second pass learns from first answers made blind."""
    old = [aged(one) for one in examples[:: options.aged_every]] if options.aged_every else []
    pages = [*examples, *old]
    vocabulary = Vocabulary(
        name_weights(examples, options.least_hosts), word_weights(examples, 2 * options.least_hosts)
    )
    rows = [features(one.page, vocabulary) for one in pages]
    blind = _blind_answers(pages, rows, options)
    first = grow(pages, rows, options.first_trees, options)
    types, blind_types = _types(pages, rows, blind, options)
    wide = [
        np.hstack([own, context(one.page, own, chances), np.tile(kinds, (len(own), 1))])
        for one, own, chances, kinds in zip(pages, rows, blind, blind_types, strict=True)
    ]
    second = grow(pages, wide, options.second_trees, options)
    return ExtractorModel(vocabulary, first, second, types)


def _types(
    pages: Sequence[Example], rows: Sequence[Rows], blind: Sequence[Rows], options: TrainingOptions
) -> tuple[PageTypes, Rows]:
    """Return trees that tell the type of a page, and for each page answers made blind."""
    table = np.array(
        [
            page_row(one.page, own, chances)
            for one, own, chances in zip(pages, rows, blind, strict=True)
        ],
        dtype=np.float32,
    )
    known = np.array([one.kind in PAGE_TYPES for one in pages])
    labels = np.array(
        [PAGE_TYPES.index(one.kind) if one.kind in PAGE_TYPES else 0 for one in pages]
    )
    part = np.array([part_of(one.host, options.parts) for one in pages])
    answers = np.zeros((len(pages), len(PAGE_TYPES)), dtype=np.float32)
    if len(set(labels[known])) < 2:
        return PageTypes(()), answers
    for held in range(options.parts):
        seen = known & (part != held)
        if seen.any():
            answers[part == held] = _grow_types(table[seen], labels[seen], options).chances(
                table[part == held]
            )
    return _grow_types(table[known], labels[known], options), answers


def _grow_types(table: Rows, labels: NDArray[np.int64], options: TrainingOptions) -> PageTypes:
    """Return one forest for each type against the rest."""
    settings = {
        "objective": "binary", "learning_rate": 0.1, "num_leaves": 7, "min_data_in_leaf": 8,
        "feature_fraction": 0.6, "lambda_l2": 5, "seed": options.seed, "verbose": -1,
        "deterministic": True, "force_row_wise": True, "num_threads": 1,
    }  # fmt: skip
    lightgbm = _lightgbm()
    return PageTypes(
        tuple(
            forest_of(
                lightgbm.train(
                    settings, lightgbm.Dataset(table, labels == number), options.type_trees
                ).dump_model()
            )
            for number in range(len(PAGE_TYPES))
        )
    )


def part_of(host: str, parts: int) -> int:
    """Return the part a host's pages belong to; always the same for the same name."""
    return int(hashlib.md5(host.encode(), usedforsecurity=False).hexdigest(), 16) % parts


def _blind_answers(
    pages: Sequence[Example], rows: Sequence[Rows], options: TrainingOptions
) -> list[NDArray[np.float32]]:
    """Return for each page the answers of trees that have not seen its host."""
    answers: list[NDArray[np.float32]] = [np.zeros(0, dtype=np.float32)] * len(pages)
    part = [part_of(one.host, options.parts) for one in pages]
    for held in range(options.parts):
        seen = [place for place in range(len(pages)) if part[place] != held]
        forest = grow(
            [pages[p] for p in seen], [rows[p] for p in seen], options.first_trees, options
        )
        for place in range(len(pages)):
            if part[place] == held:
                answers[place] = forest.chances(rows[place])
    return answers


def grow(
    pages: Sequence[Example], rows: Sequence[Rows], trees: int, options: TrainingOptions
) -> Forest:
    """Return trees grown by gradient boosting on the blocks whose label is known."""
    lightgbm = _lightgbm()
    labels = np.concatenate([one.labels for one in pages])
    costs = np.concatenate([one.costs for one in pages])
    # Half-right blocks teach little; they count less.
    costs = costs * np.maximum(np.abs(labels - 0.5) * 2, 0.1)
    known = costs * (labels != UNKNOWN) > 0
    table = lightgbm.Dataset(
        np.concatenate(rows)[known], (labels >= 0.5)[known], weight=costs[known] * 100
    )
    settings = {
        "objective": "binary", "learning_rate": options.rate, "num_leaves": options.leaves,
        "min_data_in_leaf": 40, "feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1,
        "max_bin": 127, "lambda_l2": 5, "seed": options.seed, "verbose": -1, "deterministic": True,
        "force_row_wise": True, "num_threads": options.threads,
    }  # fmt: skip
    return forest_of(lightgbm.train(settings, table, num_boost_round=trees).dump_model())


def forest_of(dump: Mapping[str, Any]) -> Forest:
    """Return LightGBM's trees as plain arrays."""
    nodes: list[list[float]] = []
    values: list[float] = []
    roots = [_flatten(tree["tree_structure"], nodes, values) for tree in dump["tree_info"]]
    return Forest(
        np.array(nodes, dtype=np.float32).reshape(-1, 4),
        np.array(values, dtype=np.float32),
        np.array(roots, dtype=np.int32),
    )


def _flatten(node: Mapping[str, Any], nodes: list[list[float]], values: list[float]) -> int:
    if "leaf_value" in node:
        values.append(node["leaf_value"])
        return ~(len(values) - 1)
    number = len(nodes)
    row = [float(node["split_feature"]), node["threshold"], 0.0, 0.0]
    nodes.append(row)
    row[2] = _flatten(node["left_child"], nodes, values)
    row[3] = _flatten(node["right_child"], nodes, values)
    return number


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


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError:
        raise MissingExtra("Training needs LightGBM. Try: pip install izwi[train]") from None
    return lightgbm
