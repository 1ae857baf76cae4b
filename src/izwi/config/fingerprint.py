"""Short stable hashes of what made a file, so that stale files are told from current ones."""

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from izwi.model.records import dataclass

# Raised when the meaning of a fingerprint changes: everything is then made anew.
_VERSION = 1
_LENGTH = 10


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides what a stage's output is."""

    stage: str
    version: int
    settings: Mapping[str, Any]
    depends_on: Mapping[str, str] = field(default_factory=dict)
    upstream: Sequence[str] = ()


def fingerprint(recipe: Recipe) -> str:
    """Return ten hexadecimal digits that change when the recipe does."""
    digest = hashlib.blake2b(canonical(recipe).encode(), digest_size=16)
    return digest.hexdigest()[:_LENGTH]


def canonical(recipe: Recipe) -> str:
    """Return the recipe as JSON in one fixed form; it is also what lies beside a layer's files."""
    return json.dumps(
        {"fingerprint": _VERSION, **dataclasses.asdict(recipe)}, sort_keys=True, ensure_ascii=False
    )


def settings(**sections: object) -> dict[str, Any]:
    """Return the settings that differ from their defaults, under dotted names.

    Defaults are left out, so adding an option does not make every file stale.
    """
    found: dict[str, Any] = {}
    for name, value in sections.items():
        if value is not None and value != ():
            found |= _flat(name, value)
    return found


def changed_settings(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the dotted names whose values differ between two recipes' settings."""
    return sorted(
        key for key in {*before, *after} if before.get(key, _ABSENT) != after.get(key, _ABSENT)
    )


_ABSENT = object()


def _flat(name: str, value: object) -> dict[str, Any]:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        found: dict[str, Any] = {}
        for part in dataclasses.fields(value):
            given = getattr(value, part.name)
            if given != _default(part):
                found |= _flat(f"{name}.{part.name}", given)
        return found
    return {name: list(value) if isinstance(value, tuple) else value}


def _default(part: "dataclasses.Field[Any]") -> object:
    if part.default is not dataclasses.MISSING:
        return part.default
    if part.default_factory is not dataclasses.MISSING:
        return part.default_factory()
    return dataclasses.MISSING
