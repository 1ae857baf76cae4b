"""Subcorpora: conditions on documents, saved under a name with the user's things."""

import json
import os
import threading
from pathlib import Path

from izwi.model.errors import QueryError, StoreError
from izwi.model.records import dataclass
from izwi.query.engine import condition_of
from izwi.store.files import disk_errors, write_text

# One file holds the subcorpora of all corpora.
_ALONE = threading.Lock()


@dataclass(frozen=True, slots=True)
class Subcorpus:
    """A saved condition on documents."""

    name: str
    where: str
    # How many documents it holds now, as far as they were counted.
    documents: int | None = None


def workspace() -> Path:
    """Return the folder of what belongs to the user and not to a corpus."""
    given = os.environ.get("IZWI_WORKSPACE")
    return Path(given) if given else Path.home() / ".local" / "share" / "izwi"


def list_subcorpora(corpus: str) -> tuple[Subcorpus, ...]:
    """Return the saved subcorpora of a corpus by name."""
    return tuple(Subcorpus(name, where) for name, where in sorted(_read().get(corpus, {}).items()))


def save_subcorpus(corpus: str, name: str, where: str) -> Subcorpus:
    """Save a condition under a name, in place of another of that name."""
    from izwi.config.schema import check_name

    try:
        check_name(name)
    except ValueError as error:
        raise QueryError(f"{error}.") from None
    condition_of(where)
    with _ALONE:
        saved = _read()
        saved.setdefault(corpus, {})[name] = where
        _write(saved)
    return Subcorpus(name, where)


def forget_subcorpus(corpus: str, name: str) -> None:
    """Forget a condition that was saved."""
    with _ALONE:
        saved = _read()
        saved.get(corpus, {}).pop(name, None)
        _write(saved)


def condition_named(corpus: str, name: str) -> str:
    """Return the condition saved under a name."""
    saved = _read().get(corpus, {})
    if name not in saved:
        known = ", ".join(sorted(saved)) or "none"
        raise QueryError(f"There is no subcorpus '{name}'. Saved subcorpora: {known}.")
    return saved[name]


def _write(saved: dict[str, dict[str, str]]) -> None:
    with disk_errors():
        write_text(_path(), json.dumps(saved, ensure_ascii=False, indent=1))


def _path() -> Path:
    return workspace() / "subcorpora.json"


def _read() -> dict[str, dict[str, str]]:
    path = _path()
    if not path.exists():
        return {}
    try:
        found: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} is damaged ({error}); mend it or delete it.") from error
    return found
