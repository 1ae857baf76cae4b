"""What a build does about copies when owners changed: forget what was judged by the old ones."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from izwi.dedup.ownership import Exclusion
from izwi.pipeline.settling import settle, wrongly_held
from izwi.pipeline.stages import Planned
from izwi.store.files import disk_errors
from izwi.store.groups import remove_unused
from izwi.store.layout import Layout
from izwi.store.library import write_groups

# Layers lie here while they are made again, and texts that did not change are taken from them.
_REPLACED = "replaced"


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
        for shard in settled.affected:
            _forget_judgement(layout, stages, shard, has_same_texts=shard not in settled.renewed)
        # Killed before this line, the next build finds the same shards affected.
        write_groups(layer, settled.groups)
        remove_unused(layer, settled.groups)


def replaced(path: Path) -> Path:
    """Return where a layer is kept while it is made again."""
    return path.parent / _REPLACED / path.name


def remove_replaced(layout: Layout) -> None:
    """Delete what was kept while layers were made again."""
    for folder in layout.layers.glob(f"*/{_REPLACED}"):
        shutil.rmtree(folder, ignore_errors=True)


def _forget_judgement(
    layout: Layout, stages: Sequence[Planned], shard: str, *, has_same_texts: bool
) -> None:
    """Remove what was made of a shard from its owners on, the last layer first.

    What other settings made of the same owners is as stale as what these made.
    """
    place = next(n for n, planned in enumerate(stages) if "own" in planned.spec.reads)
    forget_from(layout, stages, place, shard, has_same_texts=has_same_texts)


def forget_from(
    layout: Layout, stages: Sequence[Planned], place: int, shard: str, *, has_same_texts: bool
) -> None:
    """Remove what was made of a shard from a stage on, kept aside where its texts are the same."""
    for planned in reversed(stages[place:-1]):
        for fingerprint in layout.fingerprints(planned.spec.writes):
            path = layout.shard(planned.spec.writes, fingerprint, shard)
            if has_same_texts and fingerprint == planned.fingerprint and path.exists():
                replaced(path).parent.mkdir(exist_ok=True)
                path.replace(replaced(path))
            path.unlink(missing_ok=True)
