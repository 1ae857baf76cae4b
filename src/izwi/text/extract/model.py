"""The model of the default extractor: what training gives, its file, and its answers."""

import io
import zipfile
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.model.errors import ConfigError
from izwi.text.blocks import Segmented
from izwi.text.elements import hash_of
from izwi.text.extract.cuts import CUT_NAMES
from izwi.text.features import NAMES, Rows, Vocabulary, Weights, features
from izwi.text.pagetype import PAGE_TYPES, PageTypes, page_row
from izwi.text.trees import NO_TREES, Forest, read_forest


class Answers(NamedTuple):
    """How likely each block is main text, the page of each type, and the features of the blocks."""

    chances: NDArray[np.float32]
    types: NDArray[np.float32]
    rows: Rows


@dataclass(frozen=True, slots=True)
class ExtractorModel:
    """Weights of words, and trees: for blocks, for each page type, and to choose a cut."""

    vocabulary: Vocabulary
    blocks: Forest
    types: PageTypes = field(default_factory=PageTypes)
    choice: Forest = NO_TREES

    def answers(self, page: Segmented) -> Answers:
        """Return for each block how likely it is main text, and for each type the page's."""
        rows = features(page, self.vocabulary)
        if not len(rows):
            return Answers(np.zeros(0, dtype=np.float32), np.zeros(0, dtype=np.float32), rows)
        chances = self.blocks.chances(rows)
        types = self.types.chances(page_row(page, rows, chances)[None, :])[0]
        return Answers(chances, types, rows)

    def chances(self, page: Segmented) -> NDArray[np.float32]:
        """Return for each block how likely it is main text."""
        return self.answers(page).chances


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
            read_forest(arrays, "blocks"),
            PageTypes(tuple(types)),
            read_forest(arrays, "choice"),
        )


def _columns() -> int:
    """Return a number that changes with what the trees see: others would read wrong columns."""
    return hash_of(" ".join((*NAMES, *CUT_NAMES)))


def _weights(arrays: Any, name: str) -> Weights:
    return Weights(arrays[f"{name}_hashes"], arrays[f"{name}_values"])


def write_model(model: ExtractorModel) -> bytes:
    """Return the bytes of a model's file."""
    made = io.BytesIO()
    arrays: dict[str, Any] = {**model.blocks.arrays("blocks"), **model.choice.arrays("choice")}
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
