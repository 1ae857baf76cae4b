"""Curators' decisions on their way into the verdicts: of which shards, and what is stale."""

from collections.abc import Iterator, Mapping, Sequence

from izwi.model.curation import CURATOR, Decision
from izwi.pipeline.rejudging import forget_from
from izwi.pipeline.stages import Planned
from izwi.store.curation import read_decisions
from izwi.store.files import disk_errors
from izwi.store.layers import read_columns
from izwi.store.layout import Layout

Decided = dict[str, dict[str, str]]


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
    place = next(n for n, planned in enumerate(stages) if planned.spec.name == "select")
    select, text = stages[place], stages[0]
    built = layout.built_shards("select", select.fingerprint)
    for shard, decided in decided_in(layout, stages).items():
        if shard not in built:
            continue
        ids = read_columns(layout.shard("text", text.fingerprint, shard), ["id"])
        verdicts = read_columns(layout.shard("select", select.fingerprint, shard), ["verdict"])
        rows = zip(
            ids.column("id").to_pylist(), verdicts.column("verdict").to_pylist(), strict=True
        )
        if not all(_is_obeyed(decided[id], verdict) for id, verdict in rows if id in decided):
            with disk_errors():
                forget_from(layout, stages, place, shard, has_same_texts=True)


def _is_obeyed(decided: str, verdict: Mapping[str, str]) -> bool:
    """Whether a verdict is what was decided; of what has no text nobody can decide."""
    if verdict["stage"] == "extract":
        return True
    is_ours = verdict["stage"] == CURATOR
    wanted = {"keep": "kept", "drop": "dropped"}.get(decided)
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
