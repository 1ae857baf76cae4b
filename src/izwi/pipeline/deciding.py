"""Curators' decisions on their way into the verdicts: of which shards, and what is stale."""

from collections.abc import Iterator, Mapping, Sequence

from izwi.model.curation import CURATOR, Decision
from izwi.pipeline.rejudging import descendants, forget
from izwi.pipeline.stages import Planned
from izwi.store.curation import read_decisions
from izwi.store.files import disk_errors
from izwi.store.layers import read_columns
from izwi.store.layout import Layout

Decided = dict[str, dict[str, str]]
_LAST = ("select", "tokens")
_OUTCOMES = {"keep": "kept", "drop": "dropped"}


def decided_in(layout: Layout, stages: Sequence[Planned]) -> Decided:
    """Return what was decided about documents, by shard; an empty verdict was taken back."""
    decisions = read_decisions(layout)
    if not decisions:
        return {}
    sealed = set(layout.sealed_shards())
    found: Decided = {}
    lost: dict[str, Decision] = {}
    for decision in decisions:
        if decision.shard in sealed:
            found.setdefault(decision.shard, {})[decision.document] = decision.verdict
        else:
            lost[decision.document] = decision
    # Small files are joined now and then: their documents lie elsewhere since.
    for shard, document in _places(layout, stages, lost):
        found.setdefault(shard, {})[document] = lost[document].verdict
    return found


def forget_overruled(layout: Layout, stages: Sequence[Planned]) -> None:
    """Remove the verdicts of shards about whose documents curators have decided otherwise since."""
    by_layer = {planned.spec.writes: planned for planned in stages}
    text, sift, own = (by_layer[name].fingerprint for name in ("text", "sift", "own"))
    # Copies were told before; only whether the owners are others is asked again.
    judged = [each for each in descendants(layout, stages, by_layer["sift"]) if each.name in _LAST]
    built = layout.built_shards("sift", sift)
    for shard, decided in decided_in(layout, stages).items():
        if shard not in built:
            continue
        ids = read_columns(layout.shard("text", text, shard), ["id"])
        verdicts = read_columns(layout.shard("sift", sift, shard), ["verdict"])
        rows = zip(
            ids.column("id").to_pylist(), verdicts.column("verdict").to_pylist(), strict=True
        )
        overruled = [
            (decided[id], verdict["outcome"])
            for id, verdict in rows
            if id in decided and not _is_obeyed(decided[id], verdict)
        ]
        if not overruled:
            continue
        with disk_errors():
            # The last layer first: whatever a kill leaves is made again.
            forget(layout, judged, shard, has_same_texts=True)
            if any(_OUTCOMES.get(asked) != outcome for asked, outcome in overruled):
                layout.shard("own", own, shard).unlink(missing_ok=True)
            layout.shard("sift", sift, shard).unlink()


def _is_obeyed(decided: str, verdict: Mapping[str, str]) -> bool:
    """Whether a verdict is what was decided; of what has no text nobody can decide."""
    if verdict["stage"] == "extract":
        return True
    is_ours = verdict["stage"] == CURATOR
    wanted = _OUTCOMES.get(decided)
    return is_ours and verdict["outcome"] == wanted if wanted else not is_ours


def _places(
    layout: Layout, stages: Sequence[Planned], lost: Mapping[str, Decision]
) -> Iterator[tuple[str, str]]:
    if not lost:
        return
    text = stages[0].fingerprint
    for shard in sorted(layout.built_shards("text", text)):
        ids = read_columns(layout.shard("text", text, shard), ["id"]).column("id").to_pylist()
        yield from ((shard, id) for id in ids if id in lost)
