"""The model of the default extractor: what training gives, its file, and its answers."""

import io
import zipfile
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.model.errors import ConfigError
from izwi.text.blocks import Segmented
from izwi.text.elements import hash_of
from izwi.text.features import NAMES, Vocabulary, Weights, features
from izwi.text.pagetype import PAGE_TYPES, PageTypes, page_row
from izwi.text.surroundings import CONTEXT, context
from izwi.text.trees import Forest, chances_of, read_forest

# Blocks the first pass gives no more than this are not looked at again: half of all blocks, and
# no page is read differently for it.
_HOPELESS = 0.05
# What the first pass says beside the second: it knows less, but errs less on pages unlike those
# learnt from. 0, 0.25 and 0.5 were tried.
_FIRST_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class ExtractorModel:
    """Weights of the words in names and short blocks, two forests, and one for each page type."""

    vocabulary: Vocabulary
    first: Forest
    second: Forest
    types: PageTypes = field(default_factory=PageTypes)

    def answers(self, page: Segmented) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return for each block how likely it is main text, and for each type the page's."""
        rows = features(page, self.vocabulary)
        if not len(rows):
            return np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.float32)
        odds = self.first.sums(rows)
        first = chances_of(odds)
        types = self.types.chances(page_row(page, rows, first)[None, :])[0]
        unsure = np.flatnonzero(first > _HOPELESS)
        around = context(page, rows, first)[unsure]
        wide = np.hstack([rows[unsure], around, np.tile(types, (len(unsure), 1))])
        chances = first.copy()
        chances[unsure] = chances_of(
            _FIRST_SHARE * odds[unsure] + (1 - _FIRST_SHARE) * self.second.sums(wide)
        )
        return chances, types

    def chances(self, page: Segmented) -> NDArray[np.float32]:
        """Return for each block how likely it is main text."""
        return self.answers(page)[0]


def read_model(archive: bytes) -> ExtractorModel:
    """Return the model in a file's bytes."""
    with np.load(io.BytesIO(archive), allow_pickle=False) as arrays:
        if "columns" not in arrays or int(arrays["columns"]) != _columns():
            raise ConfigError("The extractor's model is of another release. Train it again.")
        vocabulary = Vocabulary(*(_weights(arrays, name) for name in Vocabulary._fields))
        has_types = "type0_roots" in arrays
        types = [read_forest(arrays, f"type{n}") for n in range(len(PAGE_TYPES)) if has_types]
        return ExtractorModel(
            vocabulary,
            read_forest(arrays, "first"),
            read_forest(arrays, "second"),
            PageTypes(tuple(types)),
        )


def _columns() -> int:
    """Return a number that changes with what the trees see: others would read wrong columns."""
    return hash_of(" ".join((*NAMES, *CONTEXT)))


def _weights(arrays: Any, name: str) -> Weights:
    return Weights(arrays[f"{name}_hashes"], arrays[f"{name}_values"])


def write_model(model: ExtractorModel) -> bytes:
    """Return the bytes of a model's file."""
    made = io.BytesIO()
    arrays: dict[str, Any] = {**model.first.arrays("first"), **model.second.arrays("second")}
    for name, weights in model.vocabulary._asdict().items():
        arrays |= {f"{name}_hashes": weights.hashes, f"{name}_values": weights.values}
    for number, forest in enumerate(model.types.forests):
        arrays |= forest.arrays(f"type{number}")
    arrays["columns"] = np.uint64(_columns())
    np.savez_compressed(made, **arrays)
    return made.getvalue()


@cache
def model_at(path: str) -> ExtractorModel:
    """Return the model in a file, or the one that comes with the package; read once a process."""
    if path:
        return _own_model(Path(path))
    return read_model((files("izwi.text") / "models" / "extractor.npz").read_bytes())


def _own_model(path: Path) -> ExtractorModel:
    try:
        return read_model(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ConfigError(f"{path} is not a model of the extractor.") from error
