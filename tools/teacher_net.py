"""A teacher of taggers: layers of three words wide over what is known of each word (needs jax).

It is too slow to come along; `teach_tagger` lets it tag plain text, from which the tagger learns.
"""

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

_WIDTH, _LAYERS = 192, 4
# Sizes of the embeddings of the columns behind the first, which is the row of a fixed vector: the
# word, shape, class, kinds, capitals, clusters without and with one, their four beginnings, endings.
_SIZES = (64, 16, 32, 32, 16, 32, 32, 8, 16, 16, 24, *[32] * 8)
_LENGTHS = (6, 12, 20, 28, 40, 64, 120, 400)
_RATE, _KEPT_AVERAGE, _LARGEST_STEP = 2e-3, 0.998, 3.0
# Shares of features, of a layer's input and of the last layer's output that are left out.
_LEFT_OUT, _OF_LAYERS, _OF_OUTPUT = 0.2, 0.25, 0.3

Sentences = tuple[NDArray[np.int32], NDArray[np.int32]]


def learnt(
    words: Sentences,
    gold: NDArray[np.int32],
    vectors: NDArray[np.float32],
    tags: int,
    *,
    values: NDArray[np.int32],
    epochs: int = 10,
    seed: int = 1,
):
    """Return the weights learnt from columns of words, sizes of sentences and numbers of tags.

    `values` is how many values each column may have.
    """
    chance, key = np.random.default_rng(seed), jax.random.PRNGKey(seed)
    weights = _first_weights(chance, values, vectors.shape[1], tags)
    state = (weights, _zeros(weights), _zeros(weights), weights)
    fixed, turn = jnp.asarray(vectors), 0
    steps = epochs * sum(1 for _ in _batches(words[1]))
    for _ in range(epochs):
        batches = list(_batches(words[1], chance=chance))
        for place in chance.permutation(len(batches)):
            turn += 1
            key, own = jax.random.split(key)
            rate = _RATE * min(1, turn / 200) * (1 - turn / steps) + 1e-5
            state = _step(state, fixed, *_padded(words, gold, *batches[place]), own, turn, rate)
    return state[3]


def scores(weights, words: Sentences, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the logarithms of the chances of each tag, word by word."""
    columns, sizes = words
    begins, fixed = np.cumsum([0, *sizes]), jnp.asarray(vectors)
    found = np.zeros((len(columns), weights["last"].shape[1]), np.float32)
    for batch in _batches(sizes, words=4000):
        given, _, mask = _padded(words, np.zeros(len(columns), np.int32), *batch)
        rows = np.asarray(_chances(weights, fixed, given, mask))
        for row, number in enumerate(batch[2]):
            found[begins[number] : begins[number + 1]] = rows[row, : sizes[number]]
    return found


def _first_weights(chance, values, width: int, tags: int):
    def matrix(rows: int, columns: int, scale: float):
        drawn = chance.normal(0, (2 / rows) ** 0.5 * scale, (rows, columns))
        return jnp.asarray(drawn, jnp.float32)

    embedded = [
        jnp.asarray(chance.normal(0, 0.1, (int(count), size)), jnp.float32)
        for count, size in zip(values[1:], _SIZES, strict=True)
    ]
    first = matrix(width + sum(_SIZES), _WIDTH, 0.7)
    layers = [
        {
            "matrix": matrix(3 * _WIDTH, 2 * _WIDTH, 0.7),
            "shift": jnp.zeros(2 * _WIDTH),
            "scale": jnp.ones(_WIDTH),
            "centre": jnp.zeros(_WIDTH),
        }
        for _ in range(_LAYERS)
    ]
    return {
        "embedded": embedded,
        "first": first,
        "first_shift": jnp.zeros(_WIDTH),
        "layers": layers,
        "last": matrix(_WIDTH, tags, 0.7 * 0.3),
        "last_shift": jnp.zeros(tags),
    }


def _zeros(weights):
    return jax.tree.map(jnp.zeros_like, weights)


def _batches(sizes, *, words: int = 1500, chance=None):
    """Yield length, number and numbers of sentences that are about as long as each other."""
    for shortest, longest in zip((0, *_LENGTHS), _LENGTHS, strict=False):
        numbers = np.flatnonzero((sizes > shortest) & (sizes <= longest))
        if chance is not None:
            chance.shuffle(numbers)
        count = max(1, words // longest)
        for begin in range(0, len(numbers), count):
            yield longest, count, numbers[begin : begin + count]


def _padded(words: Sentences, gold, longest: int, count: int, numbers):
    columns, sizes = words
    begins = np.cumsum([0, *sizes])
    given = np.zeros((count, longest, columns.shape[1]), np.int32)
    right, mask = np.zeros((count, longest), np.int32), np.zeros((count, longest, 1), np.float32)
    for row, number in enumerate(numbers):
        part, size = slice(begins[number], begins[number + 1]), sizes[number]
        given[row, :size], right[row, :size], mask[row, :size] = columns[part], gold[part], 1
    return given, right, mask


def _normal(values, layer):
    middle = values.mean(-1, keepdims=True)
    spread = ((values - middle) ** 2).mean(-1, keepdims=True)
    return (values - middle) * jax.lax.rsqrt(spread + 1e-5) * layer["scale"] + layer["centre"]


def _dropped(values, key, share: float, shape=None):
    return values * (jax.random.bernoulli(key, 1 - share, shape or values.shape) / (1 - share))


def _net(weights, fixed, given, mask, key=None):
    parts = [fixed[given[..., 0]]]
    parts += [table[given[..., place]] for place, table in enumerate(weights["embedded"], 1)]
    keys = None if key is None else jax.random.split(key, len(parts) + _LAYERS + 1)
    if keys is not None:
        some = keys[: len(parts)]
        whole = (*given.shape[:2], 1)
        parts = [_dropped(p, k, _LEFT_OUT, whole) for p, k in zip(parts, some, strict=True)]
    values = (jnp.concatenate(parts, -1) @ weights["first"] + weights["first_shift"]) * mask
    for place, layer in enumerate(weights["layers"]):
        here = _normal(values, layer) * mask
        if keys is not None:
            here = _dropped(here, keys[len(parts) + place], _OF_LAYERS)
        before = jnp.pad(here[:, :-1], ((0, 0), (1, 0), (0, 0)))
        behind = jnp.pad(here[:, 1:], ((0, 0), (0, 1), (0, 0)))
        both = jnp.concatenate([before, here, behind], -1) @ layer["matrix"] + layer["shift"]
        values = (values + jnp.maximum(both[..., :_WIDTH], both[..., _WIDTH:])) * mask
    if keys is not None:
        values = _dropped(values, keys[-1], _OF_OUTPUT)
    return values @ weights["last"] + weights["last_shift"]


def _loss(weights, fixed, given, right, mask, key):
    chances = jax.nn.log_softmax(_net(weights, fixed, given, mask, key))
    of_right = jnp.take_along_axis(chances, right[..., None], -1)[..., 0]
    return -(of_right * mask[..., 0]).sum() / mask.sum()


@jax.jit
def _chances(weights, fixed, given, mask):
    return jax.nn.log_softmax(_net(weights, fixed, given, mask))


@jax.jit
def _step(state, fixed, given, right, mask, key, turn, rate):
    """One step of Adam, its size limited; the last part is a running average of the weights."""
    weights, means, squares, average = state
    slopes = jax.grad(_loss)(weights, fixed, given, right, mask, key)
    size = jnp.sqrt(sum((each**2).sum() for each in jax.tree.leaves(slopes)))
    slopes = jax.tree.map(lambda s: s * jnp.minimum(1.0, _LARGEST_STEP / size), slopes)
    means = jax.tree.map(lambda m, s: 0.9 * m + 0.1 * s, means, slopes)
    squares = jax.tree.map(lambda q, s: 0.99 * q + 0.01 * s * s, squares, slopes)
    first, second = 1 - 0.9**turn, 1 - 0.99**turn

    def moved(weight, mean, square):
        return weight - rate * (mean / first) / (jnp.sqrt(square / second) + 1e-6)

    weights = jax.tree.map(moved, weights, means, squares)
    kept = _KEPT_AVERAGE
    average = jax.tree.map(lambda a, w: kept * a + (1 - kept) * w, average, weights)
    return weights, means, squares, average
