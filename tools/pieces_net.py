"""A teacher of taggers that reads words by their pieces, in several languages at once (NumPy).

It is too slow to come along; `teach_nguni` lets it tag plain text. Layers of three words wide stand
over the sum of the pieces of each word. Beside the tag it learns what the morphemes of a word are.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

_WIDTH, _LAYERS = 160, 3
_RATE, _LARGEST_STEP, _SMALLEST_RATE, _RISING = 2e-3, 3.0, 1e-5, 100
# Shares of pieces, and of a layer's input, that are left out; what the morphemes count beside the
# tag; how far a tag's chance may stay from one.
_LEFT_OUT, _OF_LAYERS, _OF_MORPHEMES, _DOUBT = 0.2, 0.25, 0.3, 0.1
_FIRST, _SECOND, _AVERAGED = 0.9, 0.99, 0.995

Numbers = NDArray[np.int64]
Scores = NDArray[np.float32]


class Batch:
    """Words as rows of their pieces, with an empty row between two sentences.

    `languages` has the number of each row's language, `is_word` 1 where a word stands.
    """

    def __init__(self, pieces: csr_matrix, is_word: Scores, languages: Numbers) -> None:
        self.pieces, self.is_word, self.languages = pieces, is_word, languages


class PiecesNet:
    """The weights, and how they are moved by Adam; scores are made by their running average."""

    def __init__(self, pieces: int, tags: int, morphemes: int, languages: int, seed: int) -> None:
        self._chance = np.random.default_rng(seed)
        self._pieces = self._drawn(pieces, _WIDTH, 0.1)
        weights = {"scale": np.ones(_WIDTH), "centre": np.zeros(_WIDTH)}
        for layer in range(_LAYERS):
            weights[f"matrix{layer}"] = self._drawn(3 * _WIDTH, 2 * _WIDTH, 0.7 * _root(3 * _WIDTH))
            weights[f"shift{layer}"] = np.zeros(2 * _WIDTH)
            weights[f"scale{layer}"] = np.ones(_WIDTH)
            weights[f"centre{layer}"] = np.zeros(_WIDTH)
        weights["tags"] = self._drawn(_WIDTH, tags, 0.3 * _root(_WIDTH))
        weights["tags_of_language"] = np.zeros((languages, tags))
        weights["morphemes"] = self._drawn(_WIDTH, morphemes, 0.3 * _root(_WIDTH))
        weights["morphemes_shift"] = np.full(morphemes, -3.0)
        self._weights = {name: each.astype(np.float32) for name, each in weights.items()}
        self._average = {name: each.copy() for name, each in self._weights.items()}
        self._moments = {
            name: np.zeros((2, *w.shape), np.float32) for name, w in self._weights.items()
        }
        self._piece_moments = np.zeros((2, pieces, _WIDTH), np.float32)
        self._turn = 0

    def _drawn(self, rows: int, columns: int, spread: float) -> Scores:
        return self._chance.normal(0, spread, (rows, columns)).astype(np.float32)

    def scores(self, batch: Batch) -> Scores:
        """Return the logarithms of the chances of each tag, row by row."""
        found = self._forward(self._average, batch, {}, 0.0)[0]
        return found - np.logaddexp.reduce(found, axis=1, keepdims=True)

    def learn(self, batch: Batch, gold: Numbers, morphemes: Scores, share: float) -> float:
        """Move the weights by one step, `share` of all being done; return the loss."""
        pieces = batch.pieces.copy()
        kept = self._chance.random(len(pieces.data), np.float32) > _LEFT_OUT
        pieces.data = pieces.data * kept / np.float32(1 - _LEFT_OUT)
        batch = Batch(pieces, batch.is_word, batch.languages)
        known: dict[str, Scores] = {}
        tags, marks = self._forward(self._weights, batch, known, _OF_LAYERS)
        counted = batch.is_word[:, 0] / batch.is_word.sum()
        loss, of_tags = _tag_slopes(tags, gold, counted)
        of_marks = (1 / (1 + np.exp(-marks)) - morphemes) * (_OF_MORPHEMES * counted)[:, None]
        slopes, of_input = self._backward(batch, known, of_tags, of_marks)
        self._move(slopes, batch.pieces, of_input, share)
        return loss

    def _forward(
        self, weights: dict[str, Scores], batch: Batch, known: dict[str, Scores], left_out: float
    ) -> tuple[Scores, Scores]:
        mask = batch.is_word
        source = self._pieces
        normal, known["inverse"] = _normal(batch.pieces @ source)
        known["normal"] = normal
        values = (normal * weights["scale"] + weights["centre"]) * mask
        for layer in range(_LAYERS):
            normal, known[f"inverse{layer}"] = _normal(values)
            known[f"normal{layer}"] = normal
            here = (normal * weights[f"scale{layer}"] + weights[f"centre{layer}"]) * mask
            here = self._dropped(here, f"kept{layer}", known, left_out)
            wide = _three_wide(here)
            both = wide @ weights[f"matrix{layer}"] + weights[f"shift{layer}"]
            is_first = both[:, :_WIDTH] > both[:, _WIDTH:]
            known[f"wide{layer}"], known[f"is_first{layer}"] = wide, is_first
            values = (values + np.where(is_first, both[:, :_WIDTH], both[:, _WIDTH:])) * mask
        values = self._dropped(values, "kept", known, left_out)
        known["values"] = values
        tags = values @ weights["tags"] + weights["tags_of_language"][batch.languages]
        return tags, values @ weights["morphemes"] + weights["morphemes_shift"]

    def _dropped(
        self, values: Scores, name: str, known: dict[str, Scores], left_out: float
    ) -> Scores:
        if not left_out:
            return values
        kept = self._chance.random(values.shape, np.float32) > left_out
        known[name] = kept.astype(np.float32) / np.float32(1 - left_out)
        return values * known[name]

    def _backward(
        self, batch: Batch, known: dict[str, Scores], of_tags: Scores, of_marks: Scores
    ) -> tuple[dict[str, Scores], Scores]:
        """Return the slopes of the weights, and of the sums of pieces."""
        weights, mask, values = self._weights, batch.is_word, known["values"]
        languages = range(len(weights["tags_of_language"]))
        slopes = {
            "tags": values.T @ of_tags,
            "tags_of_language": np.stack(
                [of_tags[batch.languages == each].sum(0) for each in languages]
            ),
            "morphemes": values.T @ of_marks,
            "morphemes_shift": of_marks.sum(0),
        }
        back = (of_tags @ weights["tags"].T + of_marks @ weights["morphemes"].T) * known["kept"]
        for layer in reversed(range(_LAYERS)):
            back = back * mask
            is_first = known[f"is_first{layer}"]
            both = np.concatenate((back * is_first, back * ~is_first), 1)
            slopes[f"matrix{layer}"] = known[f"wide{layer}"].T @ both
            slopes[f"shift{layer}"] = both.sum(0)
            here = _narrow(both @ weights[f"matrix{layer}"].T) * known[f"kept{layer}"] * mask
            normal = known[f"normal{layer}"]
            slopes[f"scale{layer}"] = (here * normal).sum(0)
            slopes[f"centre{layer}"] = here.sum(0)
            of_normal = here * weights[f"scale{layer}"]
            back = back + _of_normal(of_normal, normal, known[f"inverse{layer}"])
        back = back * mask
        slopes["scale"], slopes["centre"] = (back * known["normal"]).sum(0), back.sum(0)
        of_input = _of_normal(back * weights["scale"], known["normal"], known["inverse"])
        return slopes, of_input

    def _move(
        self, slopes: dict[str, Scores], pieces: csr_matrix, of_input: Scores, share: float
    ) -> None:
        used, columns = np.unique(pieces.indices, return_inverse=True)
        rows = csr_matrix((pieces.data, columns, pieces.indptr), (pieces.shape[0], len(used)))
        of_pieces = rows.T @ of_input
        size = sum(float((each**2).sum()) for each in slopes.values()) + float((of_pieces**2).sum())
        shorter = np.float32(min(1.0, _LARGEST_STEP / size**0.5))
        self._turn += 1
        rate = _RATE * min(1, self._turn / _RISING) * (1 - share) + _SMALLEST_RATE
        kept = min(_AVERAGED, (1 + self._turn) / (10 + self._turn))
        for name, slope in slopes.items():
            weight, moments = self._weights[name], self._moments[name]
            _update(moments, slope * shorter)
            weight -= np.float32(rate) * self._step(moments)
            self._average[name] += np.float32(1 - kept) * (weight - self._average[name])
        # Adam for the pieces that the batch has.
        moments = self._piece_moments[:, used]
        _update(moments, of_pieces * shorter)
        self._piece_moments[:, used] = moments
        self._pieces[used] -= np.float32(rate) * self._step(moments)

    def _step(self, moments: Scores) -> Scores:
        first, second = 1 - _FIRST**self._turn, 1 - _SECOND**self._turn
        root = np.sqrt(moments[1])
        root += np.float32(1e-6)
        np.divide(moments[0], root, out=root)
        root *= np.float32(second**0.5 / first)
        return root


def _root(rows: int) -> float:
    return float((2 / rows) ** 0.5)


def _normal(values: Scores) -> tuple[Scores, Scores]:
    """Return values with mean 0 and spread 1 row by row, and one over their spread."""
    centred = values - values.mean(1, keepdims=True)
    inverse = 1 / np.sqrt((centred**2).mean(1, keepdims=True) + np.float32(1e-5))
    return centred * inverse, inverse


def _of_normal(slopes: Scores, normal: Scores, inverse: Scores) -> Scores:
    mean, along = slopes.mean(1, keepdims=True), (slopes * normal).mean(1, keepdims=True)
    return inverse * (slopes - mean - normal * along)


def _three_wide(here: Scores) -> Scores:
    """Return each row between the one before and the one behind it."""
    wide = np.zeros((len(here), 3 * _WIDTH), np.float32)
    wide[1:, :_WIDTH], wide[:, _WIDTH : 2 * _WIDTH] = here[:-1], here
    wide[:-1, 2 * _WIDTH :] = here[1:]
    return wide


def _narrow(wide: Scores) -> Scores:
    """Return the sum of what `_three_wide` made of each row."""
    here = wide[:, _WIDTH : 2 * _WIDTH].copy()
    here[:-1] += wide[1:, :_WIDTH]
    here[1:] += wide[:-1, 2 * _WIDTH :]
    return here


def _tag_slopes(tags: Scores, gold: Numbers, counted: Scores) -> tuple[float, Scores]:
    chances = np.exp(tags - tags.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    rows = np.arange(len(gold))
    loss = -float((np.log(chances[rows, gold] + 1e-9) * counted).sum())
    slopes = chances - np.float32(_DOUBT / tags.shape[1])
    slopes[rows, gold] -= np.float32(1 - _DOUBT)
    return loss, slopes * counted[:, None]


def _update(moments: Scores, slope: Scores) -> None:
    """Move the running means of slopes and of their squares, in place: the tables are large."""
    moments[0] *= np.float32(_FIRST)
    moments[0] += np.float32(1 - _FIRST) * slope
    square = slope * slope
    square *= np.float32(1 - _SECOND)
    moments[1] *= np.float32(_SECOND)
    moments[1] += square
