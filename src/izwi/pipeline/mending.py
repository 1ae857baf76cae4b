"""Files that are not what was written: made again, or named with what is lost."""

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from izwi.model.errors import CorruptShard, IzwiError, StoreError
from izwi.pipeline.stages import Planned
from izwi.store import snapshots
from izwi.store.catalog import Catalog
from izwi.store.curation import reading
from izwi.store.files import disk_errors
from izwi.store.layers import check_rows
from izwi.store.layout import Layout, write_recipe
from izwi.store.ownership.shard_runs import read_run_digest
from izwi.store.sums import Amiss
from izwi.store.takedowns import Takedown, Takedowns, readable_takedowns, write_takedowns
from izwi.store.warc import read_entries, unreadable_captures, write_entries

_AGAIN = "was damaged; it is made again."
_TAKEN_DOWN = "SELECT target, after, time FROM changes WHERE kind = 'takedown' AND NOT undone"
_COPY = "Put back a copy of the file if you have one."


@dataclass
class Mending:
    """Removes damaged files that a build makes again; says of the others what is lost."""

    layout: Layout
    stages: Sequence[Planned]
    catalog: Catalog
    notices: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    # Files that cannot be made again, left as they are.
    lost: set[Path] = field(default_factory=set)

    def mend(self, wrong: Sequence[Amiss]) -> None:
        """Do what can be done about each file."""
        with disk_errors():
            # Lists of captures first: they tell what lies in the files beside them.
            for each in sorted(wrong, key=lambda each: each.path):
                self._mend_one(each)
            self.notices += snapshots.restore(self.layout)
            for stage in self.stages[:-1]:
                if self.layout.layer(stage.spec.writes, stage.fingerprint).is_dir():
                    write_recipe(self.layout, stage.spec.writes, stage.fingerprint, stage.recipe)
        self.notices = list(dict.fromkeys(self.notices))

    def _mend_one(self, each: Amiss) -> None:
        match each.path.relative_to(self.layout.root).parts:
            case ("warc", _):
                self._raw(each)
            case ("models", *_):
                self._model(each)
            case ("layers", _, name) if name.endswith(".parquet"):
                self._layer_file(each)
            case ("layers", folder, name, *_) if name.endswith(".ngrams"):
                self._shard_run(self.layout.layers / folder / name, each.path)
            case ("layers", folder, "merged", name, *_):
                shutil.rmtree(self.layout.layers / folder / "merged" / name, ignore_errors=True)
                self._is_made_again(each.path)
            case ("layers", *_):
                self._note_of_layer(each)
            case ("index", "segments", name, *_):
                self._segment(name, each)
            case ("takedowns.jsonl",):
                self._taken_down(each)
            case (_,):
                words = "is missing or shorter than it was: what people decided lies in it alone"
                self.failures.append(f"{each.path.name} {words}. {_COPY}")

    def _raw(self, each: Amiss) -> None:
        path, shard = each.path, each.path.name.partition(".")[0]
        if path.name.endswith(".captures.jsonl"):
            self._listing(each, shard)
            return
        if each.is_missing:
            self.lost.add(path)  # `recover` says so
            return
        unread, total = unreadable_captures(path, self.layout.captures(shard))
        if each.is_replaced and not unread:
            return
        words = f"{unread} of its {total} captures cannot be read"
        self._is_lost(path, f"{words}; what was made of them stays as long as it is whole")

    def _listing(self, each: Amiss, shard: str) -> None:
        """Write a list of captures again from the catalog, which has the same one."""
        if not any(known.name == shard for known in self.catalog.shards()):
            if not each.is_missing:
                self._is_lost(each.path, "the places of its captures are not known elsewhere")
            return
        wanted = list(self.catalog.captures(shard))
        with suppress(CorruptShard):
            if each.is_replaced and list(read_entries(each.path)) == wanted:
                return
        write_entries(each.path, wanted)
        self._is_made_again(each.path)

    def _model(self, each: Amiss) -> None:
        if not each.is_missing and not each.is_replaced:
            self._is_lost(each.path, "train it again (izwi train extractor)")

    def _layer_file(self, each: Amiss) -> None:
        path = each.path
        if each.is_missing or (each.is_replaced and _can_be_read(path)):
            return
        warc = self.layout.warc(path.stem)
        if path.parent.name.startswith("text-") and not warc.exists():
            self._is_lost(path, f"{warc.name}, from which it was made, is missing")
            return
        path.unlink(missing_ok=True)
        self._is_made_again(path)

    def _shard_run(self, folder: Path, damaged: Path) -> None:
        shard, _, digest = folder.name.removesuffix(".ngrams").rpartition("-")
        listed = folder.parent / f"{shard}.parquet"
        try:
            is_used = listed.exists() and read_run_digest(listed) == digest
        except CorruptShard:
            is_used = True
        shutil.rmtree(folder, ignore_errors=True)
        if is_used:
            listed.unlink(missing_ok=True)
            self._is_made_again(damaged)

    def _note_of_layer(self, each: Amiss) -> None:
        """Remove a recipe or a list of groups; the first is written again, the second found out."""
        if each.is_replaced and each.path.name == "groups.json" and _is_json(each.path):
            return
        each.path.unlink(missing_ok=True)
        self._is_made_again(each.path)

    @cached_property
    def _entries(self) -> dict[str, snapshots.SegmentEntry]:
        """The segments of the current version; all that were withdrawn since have files amiss."""
        # The manifest may be damaged, too; what a segment is stands in the record beside it.
        snapshots.restore(self.layout)
        with suppress(IzwiError):
            return {entry.id: entry for entry in snapshots.current(self.layout).segments}
        return {}

    def _segment(self, name: str, each: Amiss) -> None:
        entries = self._entries
        if name in entries and entries[name].is_imported:
            documents = entries[name].documents
            self._is_lost(each.path, f"{documents} imported documents are in this segment")
            return
        shutil.rmtree(self.layout.segments / name, ignore_errors=True)
        if name in entries:
            self._is_made_again(each.path)
        elif not each.is_missing:
            words = "was damaged; the earlier versions it was part of cannot be read any more."
            self.notices.append(f"{each.path.relative_to(self.layout.root)} {words}")

    def _taken_down(self, each: Amiss) -> None:
        """Write the list again: what can be read of it, and what is on the record of changes."""
        layout = self.layout
        if not layout.curation.exists():
            raise StoreError(
                f"{each.path} is missing or damaged, and so is the record of changes; what it "
                "lists must not be fetched or served. Put back a copy; if there is none, remove "
                f"its line from {layout.sums.name}."
            )
        entries = {entry.target: entry for entry in readable_takedowns(layout)}
        with reading(layout) as desk:
            for target, after, when in desk.rows(_TAKEN_DOWN):
                found = Takedown(target, str(json.loads(after).get("reason", "")), when)
                entries.setdefault(target, replace(found, shards=tuple(_holding(layout, found))))
        write_takedowns(layout, Takedowns(tuple(entries.values())))
        self._is_made_again(each.path)

    def _is_made_again(self, path: Path) -> None:
        self.notices.append(f"{path.relative_to(self.layout.root)} {_AGAIN}")

    def _is_lost(self, path: Path, what: str) -> None:
        self.lost.add(path)
        name = path.relative_to(self.layout.root)
        self.failures.append(f"{name} is damaged: {what}. {_COPY}")


def _holding(layout: Layout, found: Takedown) -> Iterator[str]:
    for shard in layout.sealed_shards():
        near = read_entries(layout.captures(shard), holding=found.target)
        if any(found.covers(entry.url) for entry in near):
            yield shard


def _can_be_read(path: Path) -> bool:
    try:
        check_rows(path)
    except CorruptShard:
        return False
    return True


def _is_json(path: Path) -> bool:
    try:
        json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return True
