"""Training of extractors from gold pages: the default (extra `train`) and the perceptron."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.evaluate.gold_pages import (
    UNKNOWN,
    Example,
    aged,
    foreign,
    grafts,
    part_of,
)
from izwi.evaluate.word_weights import blind_leanings, blind_vocabularies, leanings, vocabulary
from izwi.model.errors import MissingExtra, QueryError
from izwi.text.extract.corrections import corrected
from izwi.text.extract.cuts import Cuts, Marks, best_cut, cuts, split_of
from izwi.text.extract.learnt import ExtractorModel, block_chances, write_model
from izwi.text.extract.perceptron import NINE, Network, nine, write_network
from izwi.text.features import PAGE_TYPES, PageTypes, features, page_row
from izwi.text.page_types import TypeTeller, leaning_row
from izwi.text.trees import NO_TREES, Forest

Rows = NDArray[np.float32]
# The cut-off that the usual cut is made with.
_CUTOFF = 0.65


class Answered(NamedTuple):
    """A page, its features, and what models that have not seen its host say of it."""

    one: Example
    rows: Rows
    chances: Rows
    # What its cuts are chosen by, and what is told of its words, too.
    types: Rows
    told: Rows

    def cuts(self) -> Cuts:
        """Return the cuts of the page round the usual cut-off."""
        page = self.one.page
        split = split_of(page, self.chances, _CUTOFF)
        return cuts(page, self.rows, self.chances, split, self.types)


def cuts_learnt_from(
    pages: Iterable[Answered],
) -> tuple[Rows, NDArray[np.float64], NDArray[np.float64]]:
    """Return what is seen of the cuts of pages, what each gains on the usual one, its weight."""
    seen, gains, weights = [], [], []
    for page in pages:
        one = page.one
        if not len(one.labels) or (one.labels == UNKNOWN).any():
            continue
        made = page.cuts()
        if len(made.marks) > 1:
            scores = scores_of(made, one)
            seen.append(made.rows)
            gains.append(scores - scores[0])
            weights.append(np.full(len(scores), (0.5 if one.is_aged else 1.0) / len(scores)))
    if not seen:
        return np.zeros((0, 0), dtype=np.float32), np.zeros(0), np.zeros(0)
    return np.concatenate(seen), np.concatenate(gains), np.concatenate(weights)


def scores_of(made: Cuts, one: Example) -> NDArray[np.float64]:
    """Return the mean of F1 and F0.5 of each cut, by the characters of the blocks."""
    sizes = one.page.sizes.astype(np.float64)
    wanted = max(float(sizes @ one.labels), 1.0)
    found = np.maximum((made.marks * sizes).sum(axis=1), 1.0)
    right = (made.marks * (sizes * one.labels)).sum(axis=1)
    scores: NDArray[np.float64] = right / (found + wanted) + 0.625 * right / (found + 0.25 * wanted)
    return scores


def settings(seed: int) -> dict[str, Any]:
    """Return how the trees are grown: small ones, for there are a few thousand pages."""
    return {
        "objective": "regression", "learning_rate": 0.05, "num_leaves": 7, "min_data_in_leaf": 30,
        "feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 1,
        "seed": seed, "verbose": -1, "deterministic": True, "force_row_wise": True,
        "num_threads": 1, "extra_trees": True,
    }  # fmt: skip


# Of fewer cuts nothing can be learnt: the usual one is taken.
_FEWEST_CUTS = 500


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """How many trees, how large, and into how many parts hosts fall for answers made blind."""

    parts: int = 4
    trees: int = 160
    type_trees: int = 40
    telling_trees: int = 120
    choice_trees: int = 200
    # At most 32: one bit each (text/trees.py).
    leaves: int = 31
    rate: float = 0.08
    # A word of class names counts if so many hosts use it.
    least_hosts: int = 6
    # Every n-th page is seen a second time without names and modern elements, as old pages are.
    aged_every: int = 2
    # Every n-th page is seen again in a script without capitals, and no word of it is known.
    foreign_every: int = 4
    # Every n-th article is seen again beside lists and comments of other pages.
    grafted_every: int = 2
    # How many blocks are drawn to learn from, as a share of all, if all cost the same.
    drawn: float = 0.4
    seed: int = 1
    threads: int = 1


def train(examples: Sequence[Example], options: TrainingOptions) -> ExtractorModel:
    """Return a model made from examples."""
    return train_and_answer(examples, options)[0]


def train_and_answer(
    examples: Sequence[Example], options: TrainingOptions
) -> tuple[ExtractorModel, list[Answered]]:
    """Return a model made from examples, and answers made blind: the examples' come first.

    What sort of page it is and which cut to take is learnt from such: others would be too good.
    """
    examples = _told_apart(examples, options.parts)
    pages = [*examples, *varied(examples, options)]
    rows = _blind_features(pages, examples, options)
    chances = _blind_answers(pages, rows, options)
    seen = [page_row(one.page, *each) for one, *each in zip(pages, rows, chances, strict=True)]
    types, blind_types = _types(pages, seen, options)
    teller, blind_told = _teller(pages, seen, examples, options)
    each_said = zip(pages, rows, chances, blind_types, blind_told, strict=True)
    answered = [Answered(*each) for each in each_said]
    choice = _grow_choice(answered, options)
    known = vocabulary(examples, options.least_hosts)
    return ExtractorModel(known, grow(pages, rows, options), types, choice, teller), answered


def held_out_marks(
    answered: Sequence[Answered], count: int, options: TrainingOptions
) -> list[Marks]:
    """Return the main text of the first pages, by a choice that was learnt from other hosts."""
    part = [part_of(page.one.host, options.parts) for page in answered]
    forests = [
        _grow_choice(
            [page for page, own in zip(answered, part, strict=True) if own != held], options
        )
        for held in range(options.parts)
    ]
    return [
        corrected(page.one.page, page.chances, best_cut(forests[own], page.cuts()), page.types)
        for page, own in zip(answered[:count], part[:count], strict=True)
    ]


def _grow_choice(answered: Sequence[Answered], options: TrainingOptions) -> Forest:
    """Return trees that say how much better than the usual cut of a page another is."""
    seen, gains, weights = cuts_learnt_from(answered)
    if len(seen) < _FEWEST_CUTS:
        return NO_TREES
    lightgbm = _lightgbm()
    table = lightgbm.Dataset(seen, gains, weight=weights)
    grown = lightgbm.train(settings(options.seed), table, options.choice_trees)
    return forest_of(grown.dump_model())


def _told_apart(examples: Sequence[Example], parts: int) -> Sequence[Example]:
    """Return the examples with a host for each page if all would fall into one part: a portal's."""
    if len({part_of(one.host, parts) for one in examples}) > 1:
        return examples
    return [replace(one, host=f"{one.host} {number}") for number, one in enumerate(examples)]


def varied(examples: Sequence[Example], options: TrainingOptions) -> list[Example]:
    """Return pages as they are not among the examples, but elsewhere: old, foreign, crowded."""
    old = [aged(one) for one in examples[:: options.aged_every]] if options.aged_every else []
    other = examples[1 :: options.foreign_every] if options.foreign_every else []
    return [*old, *map(foreign, other), *grafts(examples, options.grafted_every, options.seed)]


def _blind_features(
    pages: Sequence[Example], examples: Sequence[Example], options: TrainingOptions
) -> list[Rows]:
    """Return the features of pages, with weights of words that their hosts had no part in."""
    known = blind_vocabularies(examples, options.parts, options.least_hosts)
    return [features(one.page, known[part_of(one.host, options.parts)]) for one in pages]


class _TypeTrees(NamedTuple):
    """How many trees tell each type, and how they are grown."""

    number: int
    seed: int
    are_limits_random: bool = False


def _types(
    pages: Sequence[Example], seen: Sequence[Rows], options: TrainingOptions
) -> tuple[PageTypes, Rows]:
    """Return trees that guess the type of a page, and for each page answers made blind."""
    trees = _TypeTrees(options.type_trees, options.seed)
    return _grown_types(pages, np.array(seen, dtype=np.float32), trees, options.parts)


def _teller(
    pages: Sequence[Example],
    seen: Sequence[Rows],
    examples: Sequence[Example],
    options: TrainingOptions,
) -> tuple[TypeTeller, Rows]:
    """Return what tells types by the words of pages, too, and for each page answers made blind."""
    blind = blind_leanings(examples, options.parts, options.least_hosts)
    lean = [leaning_row(one.page, blind[part_of(one.host, options.parts)]) for one in pages]
    table = np.hstack([np.array(seen), np.array(lean)]).astype(np.float32)
    # Limits drawn at random, in more trees: half of what is gained on the types guessed.
    trees = _TypeTrees(options.telling_trees, options.seed, are_limits_random=True)
    types, answers = _grown_types(pages, table, trees, options.parts)
    return TypeTeller(leanings(examples, options.least_hosts), types), answers


def _grown_types(
    pages: Sequence[Example], table: Rows, trees: _TypeTrees, parts: int
) -> tuple[PageTypes, Rows]:
    """Return trees for the types of pages, and answers of trees that have not seen their hosts."""
    known = np.array([one.kind in PAGE_TYPES for one in pages])
    labels = np.array(
        [PAGE_TYPES.index(one.kind) if one.kind in PAGE_TYPES else 0 for one in pages]
    )
    part = np.array([part_of(one.host, parts) for one in pages])
    answers = np.zeros((len(pages), len(PAGE_TYPES)), dtype=np.float32)
    if len(set(labels[known])) < 2:
        return PageTypes(()), answers
    for held in range(parts):
        seen = known & (part != held)
        if seen.any():
            answers[part == held] = _grow_types(table[seen], labels[seen], trees).chances(
                table[part == held]
            )
    return _grow_types(table[known], labels[known], trees), answers


def _grow_types(table: Rows, labels: NDArray[np.int64], trees: _TypeTrees) -> PageTypes:
    """Return one forest for each type against the rest."""
    settings = {
        "objective": "binary", "learning_rate": 0.1, "num_leaves": 7, "min_data_in_leaf": 8,
        "feature_fraction": 0.6, "lambda_l2": 5, "seed": trees.seed, "verbose": -1,
        "deterministic": True, "force_row_wise": True, "num_threads": 1,
        "extra_trees": trees.are_limits_random,
    }  # fmt: skip
    lightgbm = _lightgbm()
    return PageTypes(
        tuple(
            forest_of(
                lightgbm.train(
                    settings, lightgbm.Dataset(table, labels == number), trees.number
                ).dump_model()
            )
            for number in range(len(PAGE_TYPES))
        )
    )


def _blind_answers(
    pages: Sequence[Example], rows: Sequence[Rows], options: TrainingOptions
) -> list[Rows]:
    """Return for each page the answers of trees that have not seen its host."""
    answers: list[Rows] = [np.zeros(0, dtype=np.float32)] * len(pages)
    part = [part_of(one.host, options.parts) for one in pages]
    for held in range(options.parts):
        # Of a page or two there may be nothing else to learn from.
        seen = [place for place in range(len(pages)) if part[place] != held] or range(len(pages))
        forest = grow([pages[p] for p in seen], [rows[p] for p in seen], options)
        for place in range(len(pages)):
            if part[place] == held:
                answers[place] = block_chances(forest, pages[place].page, rows[place])
    return answers


def grow(pages: Sequence[Example], rows: Sequence[Rows], options: TrainingOptions) -> Forest:
    """Return trees grown by gradient boosting on the blocks whose label is known."""
    lightgbm = _lightgbm()
    labels = np.concatenate([one.labels for one in pages])
    costs = np.concatenate([one.costs for one in pages])
    # Half-right blocks teach little; they count less.
    costs = costs * np.maximum(np.abs(labels - 0.5) * 2, 0.1)
    drawn, weights = _drawn(costs * (labels != UNKNOWN), options)
    table = lightgbm.Dataset(
        np.concatenate(rows)[drawn], (labels >= 0.5)[drawn], weight=weights * 100
    )
    settings = {
        "objective": "binary", "learning_rate": options.rate, "num_leaves": options.leaves,
        "min_data_in_leaf": 40, "feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1,
        "max_bin": 127, "lambda_l2": 5, "seed": options.seed, "verbose": -1, "deterministic": True,
        "force_row_wise": True, "num_threads": options.threads,
        # Limits drawn at random: trees that differ more, and lean less on single columns.
        "extra_trees": True,
    }  # fmt: skip
    return forest_of(lightgbm.train(settings, table, num_boost_round=options.trees).dump_model())


def _drawn(
    costs: NDArray[np.float64], options: TrainingOptions
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return which blocks are learnt from, and their weights: the more one costs the likelier.

    Most blocks are lines of menus and cost next to nothing; the few drawn stand for the others.
    """
    chances = np.minimum(1.0, costs * options.drawn / max(costs.mean(), 1e-9))
    places = np.flatnonzero(np.random.default_rng(options.seed).random(len(costs)) < chances)
    return places, costs[places] / chances[places]


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


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError:
        raise MissingExtra("Training needs LightGBM. Try: pip install izwi[train]") from None
    return lightgbm


def trained(examples: Sequence[Example], method: str) -> tuple[Any, bytes]:
    """Return a model made from examples, and the bytes of its file."""
    if method == "perceptron":
        network = train_network(examples, NetworkOptions())
        return network, write_network(network)
    if method == "izwi":
        trees = train(examples, TrainingOptions())
        return trees, write_model(trees)
    raise QueryError(f"method = '{method}' cannot be trained; write izwi or perceptron.")


Table = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NetworkOptions:
    """How large the hidden layer is, and how long and how fast the network learns."""

    neurons: int = 8
    steps: int = 1500
    batch: int = 4096
    rate: float = 0.01
    seed: int = 1


def train_network(examples: Sequence[Example], options: NetworkOptions) -> Network:
    """Return a network that gives 1 for text and 0 for boilerplate, by gradient descent (Adam)."""
    rows = np.concatenate([nine(one.page) for one in examples])
    labels = np.concatenate([one.labels for one in examples])
    rows, labels = rows[labels != UNKNOWN], labels[labels != UNKNOWN]
    network = _fresh(rows, options)
    # Text and boilerplate are drawn alike often: boilerplate paragraphs are many and small.
    chosen = np.random.default_rng(options.seed)
    groups = [np.flatnonzero(labels >= 0.5), np.flatnonzero(labels < 0.5)]
    groups = [group for group in groups if len(group)]
    memory = [(np.zeros_like(part), np.zeros_like(part)) for part in _parts(network)]
    for step in range(1, options.steps + 1):
        picked = np.concatenate(
            [chosen.choice(group, options.batch // len(groups)) for group in groups]
        )
        slopes = _slopes(network, rows[picked], (labels[picked] >= 0.5).astype(float))
        _adam(network, slopes, memory, step, options.rate)
    return network


def _fresh(rows: Table, options: NetworkOptions) -> Network:
    start = np.random.default_rng(options.seed)
    size = options.neurons
    return Network(
        rows.mean(axis=0),
        rows.std(axis=0) + 1e-6,
        start.normal(0, 0.5, (len(NINE), size)),
        np.zeros(size),
        start.normal(0, 0.5, size),
        np.ones(1),
    )


def _parts(network: Network) -> Iterator[Table]:
    yield from (network.hidden, network.hidden_bias, network.output, network.output_bias)


def _slopes(network: Network, rows: Table, wanted: Table) -> list[Table]:
    """Return how the squared error changes with each weight (backpropagation)."""
    inputs = (rows - network.means) / network.scales
    inner = np.tanh(inputs @ network.hidden + network.hidden_bias)
    sums = inner @ network.output + network.output_bias
    values = np.exp(-np.square(sums))
    back = 2 * (values - wanted) * values * -2 * sums / len(rows)
    inside = np.outer(back, network.output) * (1 - np.square(inner))
    return [inputs.T @ inside, inside.sum(axis=0), inner.T @ back, np.array([back.sum()])]


def _adam(
    network: Network,
    slopes: Sequence[Table],
    memory: Sequence[tuple[Table, Table]],
    step: int,
    rate: float,
) -> None:
    """Move the weights, in place, by the mean of the slopes seen over their spread."""
    for part, slope, (mean, spread) in zip(_parts(network), slopes, memory, strict=True):
        mean += 0.1 * (slope - mean)
        spread += 0.001 * (np.square(slope) - spread)
        steady = mean / (1 - 0.9**step)
        part -= rate * steady / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
