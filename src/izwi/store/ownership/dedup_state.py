"""The folder in which `izwi dedup` remembers what it has seen: a manifest names all that counts.

Files grow and runs are added while it works; only the manifest, replaced in one step at the end,
makes them part of the state. What a killed process left is cut off or removed by the next.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.model.errors import StoreError
from izwi.store.files import make_durable, write_text
from izwi.store.ownership.hash_runs import Runs

FORMAT = 1
_MANIFEST = "state.json"


class GrowingFile:
    """A file of numbers or bytes that is only ever added to; `size` of them are part of it."""

    def __init__(self, path: Path, kind: "np.dtype[Any]", size: int) -> None:
        self.path, self.kind, self.count = path, kind, size
        path.touch()
        # What is beyond was left by a process that was killed.
        with path.open("r+b") as file:
            file.truncate(size * kind.itemsize)
        self._reader = self.path.open("rb", buffering=0)

    def append(self, values: NDArray[Any]) -> None:
        """Add values at the end."""
        with self.path.open("ab") as file:
            values.astype(self.kind, copy=False).tofile(file)
        self.count += len(values)

    def read(self, first: int, last: int) -> NDArray[Any]:
        """Return some of the values."""
        self._reader.seek(first * self.kind.itemsize)
        return np.frombuffer(self._reader.read((last - first) * self.kind.itemsize), self.kind)

    def close(self) -> None:
        """Let go of the file."""
        self._reader.close()


class DedupState:
    """What was seen: runs of hashes, short n-grams and names of the documents."""

    def __init__(self, folder: Path, settings: Mapping[str, object], *, memory_bytes: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._settings = dict(settings)
        self.memory_bytes = memory_bytes
        manifest = self._manifest()
        self.documents = int(manifest.get("documents", 0))
        runs = folder / "runs"
        runs.mkdir(exist_ok=True)
        # Half is for the table of what is new.
        self.runs = Runs(runs, manifest.get("runs", ()), memory_bytes=memory_bytes // 2)
        self.runs.remove_unused()
        sizes = manifest.get("sizes", {})
        self._grams = self._file("grams", np.uint32, sizes)
        self._gram_ends = self._file("gram_ends", np.uint64, sizes)
        self._names = self._file("names", np.uint8, sizes)
        self._name_ends = self._file("name_ends", np.uint64, sizes)
        self.name = lru_cache(maxsize=4096)(self._name)

    def sketch(self, document: int) -> NDArray[np.uint32]:
        """Return the short n-grams of a document."""
        grams: NDArray[np.uint32] = self._grams.read(*_span(self._gram_ends, document))
        return grams

    def add_documents(
        self,
        names: Sequence[str],
        grams: NDArray[np.uint32],
        ends: NDArray[np.uint64],
    ) -> None:
        """Remember the names and the short n-grams of new documents."""
        self._gram_ends.append(ends + np.uint64(self._grams.count))
        self._grams.append(grams)
        encoded = [name.encode("utf-8", "surrogatepass") for name in names]
        ends_of_names = np.cumsum([len(name) for name in encoded], dtype=np.uint64)
        self._name_ends.append(ends_of_names + np.uint64(self._names.count))
        self._names.append(np.frombuffer(b"".join(encoded), np.uint8))
        self.documents += len(names)

    def commit(self) -> None:
        """Make all that was added part of the state, in one step."""
        self.runs.make_durable()
        files = (self._grams, self._gram_ends, self._names, self._name_ends)
        for file in files:
            make_durable(file.path)
        manifest = {
            "format": FORMAT,
            "settings": self._settings,
            "documents": self.documents,
            "hashes": self.runs.count,
            "runs": self.runs.names,
            "sizes": {file.path.name: file.count for file in files},
        }
        write_text(self._folder / _MANIFEST, json.dumps(manifest, indent=1))
        self.runs.remove_unused()

    def close(self) -> None:
        """Let go of the files."""
        for file in (self._grams, self._gram_ends, self._names, self._name_ends):
            file.close()

    def _name(self, document: int) -> str:
        first, last = _span(self._name_ends, document)
        return self._names.read(first, last).tobytes().decode("utf-8", "surrogatepass")

    def _file(self, name: str, kind: type[Any], sizes: Mapping[str, int]) -> GrowingFile:
        return GrowingFile(self._folder / name, np.dtype(kind), int(sizes.get(name, 0)))

    def _manifest(self) -> dict[str, Any]:
        path = self._folder / _MANIFEST
        if not path.exists():
            return {}
        try:
            manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise StoreError(f"{path} is damaged ({error}); remove {self._folder}.") from error
        if manifest.get("format") != FORMAT:
            raise StoreError(f"{path} was written by another version of izwi.")
        if manifest["settings"] != self._settings:
            raise StoreError(
                f"{self._folder} was made with other settings ({manifest['settings']}); "
                "give the same ones or another --state folder."
            )
        return manifest


def _span(ends: GrowingFile, entry: int) -> tuple[int, int]:
    first = max(entry - 1, 0)
    found = ends.read(first, entry + 1).tolist()
    return (found[0], found[1]) if entry else (0, found[0])
