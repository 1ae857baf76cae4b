"""Taggers as files: weights without their empty rows, lists as JSON, all in one .npz."""

import json
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from izwi.annotate.edits import edit_from_text
from izwi.annotate.tagger import FeatureModel, LemmaModel, Tag, TaggerModel, Vocabulary
from izwi.model.errors import PluginError

FORMAT = 1


def shipped_languages() -> tuple[str, ...]:
    """Return the languages (ISO 639-3) whose taggers come along."""
    folder = files("izwi.annotate") / "models"
    return tuple(sorted(f.name.removesuffix(".npz") for f in folder.iterdir() if ".npz" in f.name))


@lru_cache(maxsize=8)
def shipped_model(language: str) -> TaggerModel | None:
    """Return the model that comes along for a language, None if there is none."""
    path = Path(str(files("izwi.annotate") / "models" / f"{language}.npz"))
    return read_model(path) if path.exists() else None


def write_model(path: Path, model: TaggerModel) -> int:
    """Write a model and return its size in bytes."""
    lists = {
        "format": FORMAT,
        "language": model.language,
        "tags": [[tag.upos, tag.xpos] for tag in model.tags],
        "feats": model.feats,
        "lemma": _lists(model.lemmas),
        "stem": _lists(model.stems),
        "notes": model.notes,
    }
    learnt = model.features
    if learnt is not None:
        lists["values"] = list(learnt.values)
    text = json.dumps(lists, ensure_ascii=False, sort_keys=True).encode()
    np.savez_compressed(
        path,
        lists=np.frombuffer(text, np.uint8),
        known=model.vocabulary.known.astype(np.uint32),
        classes=model.vocabulary.classes.astype(np.uint16),
        **_without_empty_rows("tag", model.weights),
        **_without_empty_rows("lemma", model.lemmas.weights),
        **_without_empty_rows("stem", model.stems.weights),
        **(_without_empty_rows("value", learnt.weights) if learnt is not None else {}),
    )
    return path.stat().st_size


def read_model(path: Path) -> TaggerModel:
    """Return the model in a file."""
    try:
        with np.load(path) as found:
            parts = {name: found[name] for name in found.files}
        lists = json.loads(parts["lists"].tobytes())
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise PluginError(f"{path} is not a tagger that can be read ({error}).") from error
    if lists.get("format") != FORMAT:
        raise PluginError(f"{path} was made by another version of izwi; train it again.")
    return TaggerModel(
        lists["language"],
        tuple(Tag(upos, xpos) for upos, xpos in lists["tags"]),
        _with_empty_rows("tag", parts),
        Vocabulary(parts["known"].astype(np.int64), parts["classes"].astype(np.int64)),
        _forms("lemma", lists, parts),
        lists["feats"],
        _forms("stem", lists, parts),
        lists["notes"],
        FeatureModel(tuple(lists["values"]), _with_empty_rows("value", parts))
        if "values" in lists
        else None,
    )


def _lists(model: LemmaModel) -> dict[str, Any]:
    edits = [edit.as_text() for edit in model.edits]
    return {"edits": edits, "exceptions": model.exceptions}


def _forms(name: str, lists: dict[str, Any], parts: dict[str, Any]) -> LemmaModel:
    edits = tuple(map(edit_from_text, lists[name]["edits"]))
    return LemmaModel(edits, _with_empty_rows(name, parts), lists[name]["exceptions"])


def _without_empty_rows(name: str, weights: NDArray[np.int8]) -> dict[str, Any]:
    used = np.flatnonzero(weights.any(axis=1))
    # Column by column the zeros lie together and pack well.
    return {
        f"{name}_rows": np.diff(used, prepend=0).astype(np.uint32),
        f"{name}_values": np.ascontiguousarray(weights[used].T),
        f"{name}_shape": np.array(weights.shape),
    }


def _with_empty_rows(name: str, parts: dict[str, Any]) -> NDArray[np.int8]:
    weights = np.zeros(parts[f"{name}_shape"], np.int8)
    weights[np.cumsum(parts[f"{name}_rows"].astype(np.int64))] = parts[f"{name}_values"].T
    return weights
