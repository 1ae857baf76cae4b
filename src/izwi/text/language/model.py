"""A trained identifier: rows of small integers for n-grams, and the loops that score by them."""

import io
import zipfile
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


def write_model(model: NgramModel, file: IO[bytes]) -> None:
    """Write a model; only slots that are owned are stored."""
    owned = np.flatnonzero(model.rows.any(axis=1)).astype(np.uint32)
    buffer = io.BytesIO()
    np.savez(
        buffer,
        format=np.array([FORMAT, len(model.tags)]),
        classes=np.array(model.classes),
        slots=np.diff(owned, prepend=0).astype(np.uint16),
        tags=model.tags[owned],
        # Column by column: one language's weights resemble each other, so they pack better.
        rows=np.ascontiguousarray(model.rows[owned].T),
        bias=model.bias,
        numbers=np.array([model.scale, model.power]),
        lengths=model.lengths,
        temperatures=model.temperatures,
        background=model.background[owned],
    )
    repack(buffer, file)


def repack(plain: io.BytesIO, file: IO[bytes]) -> None:
    """Copy an .npz with the strongest compression and fixed times: same model, same bytes."""
    with (
        zipfile.ZipFile(plain) as before,
        zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as after,
    ):
        for name in before.namelist():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_LZMA
            after.writestr(entry, before.read(name))


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


Hashes = NDArray[np.uint64]
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


def text_hashes(text: Bytes) -> Hashes:
    """Return the hashes of all n-grams, words and pairs of words of a text."""
    out = np.empty(len(text) * 6 + 8, np.uint64)
    return out[: loops.text_hashes(text, out)]


def known_slots(
    found: Hashes, shift: np.uint64, tags: Bytes, is_owned: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """Return the slots of those hashes that own one."""
    out = np.empty(len(found), np.int32)
    return out[: loops.known_slots(found, int(shift), tags, is_owned.view(np.uint8), out)].copy()


def learn(
    snippets: tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    order: NDArray[np.int64],
    weights: NDArray[np.float32],
    bias: NDArray[np.float32],
    settings: tuple[float, float, float],
    seed: int,
) -> float:
    """Go through the snippets once and return their mean loss.

    Snippets are slots, bounds, sizes and classes; the settings are the rate, the power of a
    snippet's size its score is divided by, and the share of n-grams left out.
    """
    longest = int(np.diff(snippets[1]).max(initial=0)) + 1
    kept, score = np.empty(longest, np.int32), np.zeros(weights.shape[1], np.float32)
    return loops.learn(*snippets, order, weights, bias, kept, score, *settings, seed)
