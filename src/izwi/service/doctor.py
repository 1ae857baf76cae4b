"""Is this machine and this corpus well? Each finding has the command that mends it."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from izwi.config.load import load
from izwi.model.errors import IzwiError
from izwi.model.results import Finding
from izwi.pipeline.build import statuses
from izwi.store import lock, snapshots
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout

_LEAST_BYTES = 1 << 30


def examine(path: Path | None) -> tuple[Finding, ...]:
    """Return what was found on this machine and, if a folder is given, in that corpus."""
    return (*_machine(path or Path()), *(_corpus(Layout(path)) if path else ()))


def _machine(path: Path) -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding(
        "Python", sys.version_info >= (3, 11), f"Python {version}", "Install Python 3.11 or newer."
    )
    encoding = sys.getfilesystemencoding()
    yield Finding(
        "encoding", encoding.lower() == "utf-8", f"file names in {encoding}", "Set PYTHONUTF8=1."
    )
    place = next(
        (folder for folder in (path, *path.absolute().parents) if folder.exists()), Path("/")
    )
    free = shutil.disk_usage(place).free
    yield Finding(
        "disk", free >= _LEAST_BYTES, f"{free / 2**30:.1f} GiB free at {place.absolute()}",
        "Make room, or put the corpus elsewhere.",
    )  # fmt: skip
    browser = next(
        (
            found
            for name in ("chromium", "google-chrome", "chrome")
            if (found := shutil.which(name))
        ),
        "",
    )
    yield Finding(
        "browser", bool(browser), browser or "no Chromium (only the browser tests need one)",
        "On Debian: apt-get install chromium",
    )  # fmt: skip


def _corpus(layout: Layout) -> Iterator[Finding]:
    root = layout.root
    try:
        config = load(layout.config)
        yield Finding("corpus.toml", True, f"{len(config.sources)} sources", "")
        words = "configured" if config.sources else "no source yet"
        yield Finding("sources", bool(config.sources), words, f"izwi sources add {root} URL")
        is_writable = os.access(root, os.W_OK)
        yield Finding(
            "folder",
            is_writable,
            "writable" if is_writable else "read-only: searching works, building not",
            f"chmod u+w {root}",
        )
        holder = lock.holder(layout.lock)
        yield Finding("lock", True, f"held by {holder}" if holder else "free", "")
        with Catalog.read(layout.catalog) as catalog:
            captures, waiting = catalog.counts()
            yield Finding("catalog", True, f"{captures} captures, {waiting} leads waiting", "")
            yield from _files(layout)
            yield from _stages(layout, catalog)
        snapshot = snapshots.current(layout)
        is_built = snapshot.number > 0
        words = (
            f"version {snapshot.number}, {snapshot.documents} documents"
            if is_built
            else "no version yet"
        )
        yield Finding("index", is_built, words, f"izwi build {root}")
    except IzwiError as error:
        yield Finding("corpus", False, str(error), "")


def _files(layout: Layout) -> Iterator[Finding]:
    shards = layout.sealed_shards()
    bare = [shard for shard in shards if not layout.captures(shard).exists()]
    words = f"{len(shards)} sealed" + (f", without a list: {', '.join(bare)}" if bare else "")
    yield Finding("shards", not bare, words, f"izwi gather {layout.root}")


def _stages(layout: Layout, catalog: Catalog) -> Iterator[Finding]:
    for status in statuses(layout, load(layout.config), catalog):
        behind = status.stale + status.missing
        words = f"{status.current} current, {behind} to do, {status.failed} failed"
        yield Finding(
            f"stage {status.stage}",
            not (behind or status.failed),
            words,
            f"izwi build {layout.root}",
        )
