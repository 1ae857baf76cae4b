"""A trained identifier: rows of small integers for n-grams, and the loops that score by them."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import ngrams as loops
from izwi.model.errors import ConfigError, of_damaged_arrays

# Classes of unnamed languages are called und0, und1, ...; together they are `und`.
UND = "und"
# Raised when the meaning of the arrays changes.
FORMAT = 1


@dataclass(frozen=True, slots=True)
class NgramModel:
    """The weights of an identifier and how sums of them become probabilities.

    `rows` holds one int8 row per slot of a hash table, `tags` 8 more bits of the hash of the
    n-gram that owns the slot. A text's score is the sum of its rows times `scale`, divided by the
    number of n-grams to the power `power`, plus `bias`; `temperatures` divide it by length.
    """

    classes: tuple[str, ...]
    tags: NDArray[np.uint8]
    rows: NDArray[np.int8]
    bias: NDArray[np.float32]
    scale: float
    power: float
    # Upper bounds of the number of n-grams, and the temperature of texts up to each.
    lengths: NDArray[np.int64]
    temperatures: NDArray[np.float64]
    # Per slot the mean log-frequency over the classes, times 8: what a new class is compared with.
    background: NDArray[np.int8]

    @property
    def shift(self) -> np.uint64:
        """How far a hash is shifted to give its slot."""
        return np.uint64(64 - (len(self.tags) - 1).bit_length())

    @property
    def codes(self) -> tuple[str, ...]:
        """The languages it names, `und` last."""
        named = sorted({code for code in self.classes if not code.startswith(UND)})
        return (*named, UND)

    def membership(self) -> NDArray[np.float64]:
        """Return the matrix that adds classes up to languages."""
        index = {code: number for number, code in enumerate(self.codes)}
        matrix = np.zeros((len(self.classes), len(index)))
        for number, name in enumerate(self.classes):
            matrix[number, index.get(name, len(index) - 1)] = 1.0
        return matrix


def read_model(file: IO[bytes]) -> NgramModel:
    """Return a model from its file; ValueError if it is not one of this format."""
    with np.load(file, allow_pickle=False) as held:
        version, slots = (int(number) for number in held["format"])
        if version != FORMAT:
            raise ValueError(f"a language model of format {version}, not {FORMAT}")
        owned = np.cumsum(held["slots"].astype(np.int64))
        tags = np.zeros(slots, np.uint8)
        rows = np.zeros((slots, len(held["classes"])), np.int8)
        background = np.full(slots, np.int8(-128))
        tags[owned], rows[owned] = held["tags"], held["rows"].T
        background[owned] = held["background"]
        scale, power = (float(number) for number in held["numbers"])
        return NgramModel(
            tuple(str(name) for name in held["classes"]),
            tags,
            rows,
            held["bias"],
            scale,
            power,
            held["lengths"],
            held["temperatures"],
            background,
        )


def open_model(path: str | Path) -> NgramModel:
    """Return the model in a file; a sentence if it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return read_model(file)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    except of_damaged_arrays() as error:
        raise ConfigError(
            f"{path} is not a language model of this version. Try: izwi train language"
        ) from error


@cache
def shipped_model() -> NgramModel:
    """Return the model that comes with izwi."""
    with (files("izwi") / "models" / "language.npz").open("rb") as file:
        return read_model(file)


Bytes = NDArray[np.uint8]
# Hashes of one word: 60 bytes, four sizes of n-grams, and the word.
_ROOM = 260


def text_sums(model: NgramModel, text: Bytes) -> tuple[NDArray[np.int32], int]:
    """Return the summed rows of a text's n-grams and pairs of words, and how many there were."""
    total = np.zeros(len(model.classes), np.int32)
    room = np.empty(_ROOM, np.uint64)
    shift = int(model.shift)
    return total, loops.text_scores(text, shift, model.tags, model.rows, room, total)


def word_sums(
    model: NgramModel, text: Bytes, words: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the summed rows of each word, and how many n-grams each has."""
    totals = np.zeros((words, len(model.classes)), np.int32)
    counts = np.zeros(words, np.int64)
    room = np.empty(_ROOM, np.uint64)
    loops.word_scores(text, int(model.shift), model.tags, model.rows, room, totals, counts)
    return totals, counts
