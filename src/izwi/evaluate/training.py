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
from izwi.text.blocks import FLAGS, Segmented, segment
from izwi.text.extract.learnt import ExtractorModel
from izwi.text.features import context, features, short_words
from izwi.text.hints import hint_words
from izwi.text.trees import Forest

Rows = NDArray[np.float32]
# Elements and flags that pages of before HTML 5 do not have.
_MODERN = frozenset(
    [
        "nav",
        "header",
        "footer",
        "aside",
        "article",
        "main",
        "section",
        "figure",
        "figcaption",
    ]
)
_OLD_FLAGS = ~sum(FLAGS[name] for name in _MODERN if name in FLAGS)


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """How many trees, how large, and how many parts the pages are split into for the first pass."""

    parts: int = 3
    first_trees: int = 160
    second_trees: int = 120
    leaves: int = 31
    rate: float = 0.08
    # A word of class names counts if so many hosts use it.
    least_hosts: int = 6
    # Every n-th page is seen a second time without names and modern elements, as old pages are.
    aged_every: int = 2
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Example:
    """A page ready for training: its blocks, their labels and what a mistake in each costs."""

    page: Segmented
    labels: NDArray[np.float64]
    costs: NDArray[np.float64]
    host: str
    is_aged: bool = False


def example(gold: GoldPage) -> Example | None:
    """Return a gold page as an example, or None if it has no text."""
    page = segment(gold.html)
    if not page.blocks:
        return None
    labels = block_labels(page, gold)
    return Example(page, labels, _costs(page, labels, gold), gold.host or gold.id)


def _costs(page: Segmented, labels: NDArray[np.float64], gold: GoldPage) -> NDArray[np.float64]:
    """Return what each block weighs: its part of the page's text, so that pages count alike."""
    if not gold.text:
        return np.where(labels == UNKNOWN, 0.0, 0.06)
    sizes = np.array([len(block.text) for block in page.blocks], dtype=float)
    share = np.minimum(sizes, 2500) / max(len(gold.text), 150, sizes.sum() * 0.1)
    costs: NDArray[np.float64] = share / max(1.0, share.sum() / 3) + 0.002
    return costs


def aged(given: Example) -> Example:
    """Return an example as an old page would show it: no names, no modern elements."""
    nodes = tuple(
        node._replace(
            attributes="",
            tag="div" if node.tag in _MODERN else node.tag,
            flags=node.flags & _OLD_FLAGS,
        )
        for node in given.page.nodes
    )
    return replace(
        given, page=replace(given.page, nodes=nodes), costs=given.costs / 2, is_aged=True
    )


def train(examples: Sequence[Example], options: TrainingOptions) -> ExtractorModel:
    """Return a model made from examples; the second pass learns from first answers made blind."""
    old = [aged(one) for one in examples[:: options.aged_every]] if options.aged_every else []
    pages = [*examples, *old]
    weights = hint_weights(examples, options.least_hosts)
    weights |= word_weights(examples, 2 * options.least_hosts)
    rows = [features(one.page, weights) for one in pages]
    blind = _blind_answers(pages, rows, options)
    first = grow(pages, rows, options.first_trees, options)
    wide = [
        np.hstack([own, context(one.page, own, chances)])
        for one, own, chances in zip(pages, rows, blind, strict=True)
    ]
    second = grow(pages, wide, options.second_trees, options)
    return ExtractorModel(weights, first, second)


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
        "force_row_wise": True, "num_threads": 1,
    }  # fmt: skip
    return forest_of(lightgbm.train(settings, table, num_boost_round=trees).dump_model())


def forest_of(dump: Mapping[str, Any]) -> Forest:
    """Return LightGBM's trees as plain arrays."""
    columns: list[int] = []
    limits: list[float] = []
    lows: list[int] = []
    highs: list[int] = []
    values: list[float] = []
    roots = [
        _flatten(tree["tree_structure"], columns, limits, lows, highs, values)
        for tree in dump["tree_info"]
    ]
    return Forest(
        np.array(columns, dtype=np.int16), np.array(limits), np.array(lows, dtype=np.int32),
        np.array(highs, dtype=np.int32), np.array(values, dtype=np.float32),
        np.array(roots, dtype=np.int32),
    )  # fmt: skip


def _flatten(
    node: Mapping[str, Any],
    columns: list[int],
    limits: list[float],
    lows: list[int],
    highs: list[int],
    values: list[float],
) -> int:
    if "leaf_value" in node:
        values.append(node["leaf_value"])
        return ~(len(values) - 1)
    number = len(columns)
    columns.append(node["split_feature"])
    limits.append(node["threshold"])
    lows.append(0)
    highs.append(0)
    lows[number] = _flatten(node["left_child"], columns, limits, lows, highs, values)
    highs[number] = _flatten(node["right_child"], columns, limits, lows, highs, values)
    return number


def hint_weights(examples: Sequence[Example], least_hosts: int) -> dict[str, float]:
    """Return how much each word of class and id names speaks for main text (regression)."""
    return _weights(examples, [list(_path_words(one.page)) for one in examples], least_hosts)


def word_weights(examples: Sequence[Example], least_hosts: int) -> dict[str, float]:
    """Return the same for the words of short blocks, each with "=" before it."""
    found = [
        [frozenset("=" + word for word in short_words(block.text)) for block in one.page.blocks]
        for one in examples
    ]
    # Every short block counts alike here: they are many and small.
    flat = [replace(one, costs=np.full(len(one.costs), 0.1)) for one in examples]
    return _weights(flat, found, least_hosts)


def _weights(
    examples: Sequence[Example], found: Sequence[Sequence[frozenset[str]]], least_hosts: int
) -> dict[str, float]:
    hosts: defaultdict[str, set[str]] = defaultdict(set)
    for one, names in zip(examples, found, strict=True):
        for word in set[str]().union(*names):
            hosts[word].add(one.host)
    known = sorted(word for word, users in hosts.items() if len(users) >= least_hosts)
    if not known:
        return {}
    return _regression(examples, found, {word: number for number, word in enumerate(known)})


def _regression(
    examples: Sequence[Example], paths: Sequence[Sequence[frozenset[str]]], known: dict[str, int]
) -> dict[str, float]:
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import SGDClassifier

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
    table = csr_matrix(
        (np.ones(len(columns), dtype=np.float32), columns, ends), shape=(len(labels), len(known))
    )
    scaled = np.array(costs) * len(costs) / sum(costs)
    fitted = SGDClassifier(loss="log_loss", alpha=2e-5, max_iter=12, tol=None, random_state=0)
    fitted.fit(table, labels, sample_weight=scaled)
    return {
        word: round(float(weight), 3)
        for word, weight in zip(known, fitted.coef_[0], strict=True)
        if abs(weight) > 0.03
    }


def _path_words(page: Segmented) -> Iterator[frozenset[str]]:
    """Yield for each block the words in the names of all elements round it."""
    below: list[frozenset[str]] = []
    for node in page.nodes:
        above = below[node.parent] if node.parent >= 0 else frozenset[str]()
        own = hint_words(node.attributes)
        below.append(above.union(own) if own else above)
    for block in page.blocks:
        yield below[block.node] if block.node >= 0 else frozenset()


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError:
        raise MissingExtra("Training needs LightGBM. Try: pip install izwi[train]") from None
    return lightgbm
