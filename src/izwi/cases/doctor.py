"""Is this machine and this corpus well? Each finding has the command that mends it."""

import os
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from izwi.config.load import load
from izwi.config.schema import CorpusConfig
from izwi.model.commands import typed
from izwi.model.errors import IzwiError
from izwi.model.reasons import in_words, stage_name
from izwi.model.results import Finding
from izwi.pipeline.staleness import statuses
from izwi.service.gathering import unkept_languages
from izwi.service.run_counts import Lines, RunKey, counts_by_run
from izwi.service.runs import run_names
from izwi.store import lock, snapshots
from izwi.store.captures import LOST_WITH_CATALOG
from izwi.store.catalog import Catalog
from izwi.store.database import damage_of_database
from izwi.store.files import file_state
from izwi.store.layout import Layout
from izwi.store.snapshots import damaged_lines
from izwi.store.sums import SCRUBBED_BYTES, Amiss, look, read_sums
from izwi.store.warc import unreadable_captures

_LEAST_BYTES = 1 << 30


def examine(path: Path | None, *, scrubbed: int | None = SCRUBBED_BYTES) -> tuple[Finding, ...]:
    """Return what was found on this machine and, if a folder is given, in that corpus.

    Files that were touched are compared with their sums, and so many bytes of the others; None
    compares every file.
    """
    return (*_machine(path or Path()), *(_corpus(Layout(path), scrubbed) if path else ()))


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
        "Free some space, or move the corpus elsewhere.",
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


def _corpus(layout: Layout, scrubbed: int | None) -> Iterator[Finding]:
    root = layout.root
    try:
        config = load(layout.config)
        yield Finding("corpus.toml", True, f"{len(config.sources)} sources", "")
        words = "configured" if config.sources else "no source yet"
        yield Finding("sources", bool(config.sources), words, f"izwi sources add {typed(root)} URL")
        unkept = " ".join(unkept_languages(config))
        if unkept:
            yield Finding("languages", False, unkept, "add them to [corpus] languages")
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
            yield from _databases(layout)
            yield from _files(layout)
            yield from _damage(layout, scrubbed)
            yield from _silent_sources(layout, config, catalog)
            yield from _stages(layout, catalog)
        snapshot = snapshots.current(layout)
        is_built = snapshot.number > 0
        words = (
            f"version {snapshot.number}, {snapshot.documents} documents"
            if is_built
            else "no version yet"
        )
        yield Finding("index", is_built, words, f"izwi build {typed(root)}")
    except IzwiError as error:
        yield Finding("corpus", False, str(error), "")


def _silent_sources(layout: Layout, config: CorpusConfig, catalog: Catalog) -> Iterator[Finding]:
    """Name each source of which no page was ever had though it was asked, and why."""
    for name, reasons in silent(
        counts_by_run(layout, config, catalog, sorted(run_names(layout)))
    ).items():
        if name in {source.name for source in config.sources}:
            reason, number = reasons.most_common(1)[0]
            why = f"{in_words(reason) or reason} ({number} of {reasons.total()})"
            remedy = f"izwi drops {typed(layout.root)} --source {typed(name)}"
            yield Finding("source", False, f"'{name}' has brought no page: {why}", remedy)


def silent(counts: Mapping[RunKey, Lines]) -> dict[str, Counter[str]]:
    """Return why nothing was had, by source, for those of which nothing was."""
    told: dict[str, Counter[str]] = defaultdict(Counter)
    speaking = set[str]()
    for (outcome, stage, reason, source, _, _), lines in counts.items():
        if outcome == "kept" or stage != "fetch":
            speaking.add(source)
        elif reason not in ("", "redirected"):
            told[source][reason] += lines.number
    return {name: reasons for name, reasons in told.items() if name not in speaking}


def _files(layout: Layout) -> Iterator[Finding]:
    shards = layout.sealed_shards()
    bare = [shard for shard in shards if not layout.captures(shard).exists()]
    words = f"{len(shards)} sealed" + (f", without a list: {', '.join(bare)}" if bare else "")
    yield Finding("shards", not bare, words, f"izwi gather {typed(layout.root)}")


def _databases(layout: Layout) -> Iterator[Finding]:
    """Say which files of decisions and queues have pages that cannot be read."""
    for path, lost in (
        (
            layout.catalog_file,
            "The captures are safe in warc/; without it, it is made again from them.",
        ),
        (layout.curation, "Curators' decisions are stored only here; restore a backup."),
    ):
        words = damage_of_database(path) if path.exists() else ""
        if words:
            yield Finding(path.name, False, f"damaged: {words}", lost)
    is_here = layout.catalog == layout.catalog_file
    if is_here and layout.sealed_shards() and not file_state(layout.catalog_file):
        yield Finding(
            layout.catalog_file.name, False, f"missing: {LOST_WITH_CATALOG}",
            "Restore a backup of the file.",
        )  # fmt: skip


def _damage(layout: Layout, scrubbed: int | None) -> Iterator[Finding]:
    if lock.holder(layout.lock):
        yield Finding("files", True, "not compared while somebody writes", "")
        return
    known = len(read_sums(layout))
    yield from _sums(layout, known)
    wrong = look(layout, scrubbed=scrubbed).amiss
    lines = damaged_lines(layout)
    if lines:
        words = f"damaged lines: {lines}; these versions are not on record any more"
        yield Finding(layout.versions.name, False, words, "Restore a backup of the file.")
    words = f"{known} known by their sums, {len(wrong)} not as written"
    yield Finding("files", not wrong, words, _again(layout))
    for each in wrong:
        name = each.path.relative_to(layout.root).as_posix()
        yield Finding(f"file {name}", False, *_what_is_lost(layout, each))


def _sums(layout: Layout, known: int) -> Iterator[Finding]:
    """Say whether the sums themselves are not whole: what they do not tell cannot be found."""
    lines = len(layout.sums.read_bytes().splitlines()) if file_state(layout.sums) else 0
    is_whole = known == lines and known > 0
    if not is_whole and snapshots.current_number(layout):
        words = f"damaged or missing: {known} sums can be read"
        yield Finding(layout.sums.name, False, words, _again(layout))


def _again(layout: Layout) -> str:
    return f"izwi build {typed(layout.root)}"


def _what_is_lost(layout: Layout, each: Amiss) -> tuple[str, str]:
    """Return what is wrong with a file, and what mends it."""
    state = "missing" if each.is_missing else "damaged"
    if each.path.parent == layout.models:
        return f"{state}: a trained model", "Restore a backup, or train it again."
    if each.path.parent == layout.root and each.path != layout.takedowns:
        return f"{state}: what people decided lies in it alone", "Restore a backup of the file."
    if not each.path.name.endswith(".warc.gz"):
        return f"{state}: it can be made again", _mending_line(layout, each)
    shard = each.path.name.removesuffix(".warc.gz")
    unread, total = unreadable_captures(each.path, layout.captures(shard))
    words = f"{state}: {unread} of its {total} captures cannot be read"
    return words, "Restore a backup of the file."


def _mending_line(layout: Layout, each: Amiss) -> str:
    """Return what makes a file again; a build looks at those that were touched first."""
    known = read_sums(layout)[each.path.relative_to(layout.root).as_posix()]
    is_untouched = not each.is_missing and known.is_state_of(each.path)
    return f"touch {each.path} && {_again(layout)}" if is_untouched else _again(layout)


def _stages(layout: Layout, catalog: Catalog) -> Iterator[Finding]:
    for status in statuses(layout, load(layout.config), catalog):
        behind = status.stale + status.missing
        words = f"{status.current} current, {behind} to do, {status.failed} failed"
        yield Finding(
            f"stage {stage_name(status.stage)}",
            not (behind or status.failed),
            words,
            f"izwi build {typed(layout.root)}",
        )
