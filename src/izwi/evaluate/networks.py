"""Training of the perceptron from gold pages; needs nothing but NumPy."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.evaluate.examples import Example
from izwi.evaluate.labels import UNKNOWN
from izwi.text.extract.perceptron import NINE, Network, nine

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
