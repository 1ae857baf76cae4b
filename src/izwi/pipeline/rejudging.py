"""What a build does about copies when owners changed: forget what was judged by the old ones."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from izwi.dedup.ownership import Exclusion
from izwi.pipeline.settling import settle, wrongly_held
from izwi.pipeline.stages import Planned
from izwi.store.files import disk_errors
from izwi.store.groups import remove_unused
from izwi.store.layout import Layout
from izwi.store.library import write_groups, write_order
from izwi.store.recipes import read_recipe

# Layers lie here while they are made again, and texts that did not change are taken from them.
_REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer that may have to go, and whether it is what the present settings make."""

    name: str
    fingerprint: str
    is_current: bool


def forget_wrong_holders(layout: Layout, own: Planned, excluded: Exclusion) -> None:
    """Have shards held anew from which a page was taken out, or put back."""
    for shard in layout.built_shards("own", own.fingerprint):
        path = layout.shard("own", own.fingerprint, shard)
        if wrongly_held(path, excluded):
            path.unlink()


def settle_owners(layout: Layout, stages: Sequence[Planned]) -> None:
    """Bring the owners up to date, and remove what was judged by other owners."""
    own = next(planned for planned in stages if planned.spec.writes == "own")
    layer = layout.layer("own", own.fingerprint)
    held = layout.built_shards("own", own.fingerprint)
    if not held:
        return
    with disk_errors():
        settled = settle(layer, [shard for shard in layout.sealed_shards() if shard in held])
        if settled is None:
            return
        stale = descendants(layout, stages, own)
        for shard in settled.affected:
            forget(layout, stale, shard, has_same_texts=shard not in settled.renewed)
        # Killed before this line, the next build finds the same shards affected.
        write_groups(layer, settled.groups)
        remove_unused(layer, settled.groups)
        write_order(layer, settled.groups)


def replaced(path: Path) -> Path:
    """Return where a layer is kept while it is made again."""
    return path.parent / _REPLACED / path.name


def remove_replaced(layout: Layout) -> None:
    """Delete what was kept while layers were made again."""
    for folder in layout.layers.glob(f"*/{_REPLACED}"):
        shutil.rmtree(folder, ignore_errors=True)


def descendants(layout: Layout, stages: Sequence[Planned], of: Planned) -> list[Layer]:
    """Return the layers made of one layer, by whatever settings, the last first."""
    stale, found = {of.fingerprint}, list[Layer]()
    for planned in stages[stages.index(of) + 1 : -1]:
        for fingerprint in layout.fingerprints(planned.spec.writes):
            recipe = read_recipe(layout, planned.spec.writes, fingerprint)
            # What nobody can say of what it was made is made again.
            if not stale.isdisjoint(recipe.get("upstream") or stale):
                stale.add(fingerprint)
                is_current = fingerprint == planned.fingerprint
                found.append(Layer(planned.spec.writes, fingerprint, is_current))
    return found[::-1]


def forget(layout: Layout, layers: Sequence[Layer], shard: str, *, has_same_texts: bool) -> None:
    """Remove a shard of layers, in this order; kept aside where its texts are the same."""
    for layer in layers:
        path = layout.shard(layer.name, layer.fingerprint, shard)
        if has_same_texts and layer.is_current and path.exists():
            replaced(path).parent.mkdir(exist_ok=True)
            path.replace(replaced(path))
        path.unlink(missing_ok=True)
