"""Whether the fast parts were compiled on this machine before; the first time takes a minute."""

import os
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

# Loops that every build uses, and that take longest.
_MODULE = "scan"


def is_compiled() -> bool:
    """Return whether numba has kept what it compiled; True too where nobody can tell."""
    source = Path(str(resources.files("izwi.text"))) / f"{_MODULE}.py"
    if not source.exists():
        return True
    made = source.stat().st_mtime
    return any(path.stat().st_mtime >= made for path in _kept(source)) or not _can_keep(source)


def _kept(source: Path) -> Iterator[Path]:
    """Yield the lists of what was compiled of a module."""
    folder = os.environ.get("NUMBA_CACHE_DIR")
    if folder:
        yield from Path(folder).glob(f"**/{_MODULE}.*.nbi")
    else:
        yield from (source.parent / "__pycache__").glob(f"{_MODULE}.*.nbi")


def _can_keep(source: Path) -> bool:
    """Whether numba keeps what it compiles where this module looks for it."""
    return bool(os.environ.get("NUMBA_CACHE_DIR")) or os.access(source.parent, os.W_OK)
