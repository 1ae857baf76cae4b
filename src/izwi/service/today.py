"""What a curator wants to know in the morning: what came, what gave less, what waits."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from izwi.service.run_log import RunState

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Growth:
    """How large a corpus is and how much larger than before; `since` is empty at the first."""

    documents: int
    tokens: int
    new_documents: int
    new_tokens: int
    fetched: int
    since: str


def growth(runs: Sequence[RunState], now: datetime) -> Growth:
    """Return how a corpus grew in the last day, from the reports of its runs, the newest first."""
    told = [run for run in runs if run.report and run.report.get("funnel")]
    recent = [run for run in told if _moment(run) >= now - _DAY]
    before = next((run for run in told if _moment(run) < now - _DAY), None)
    documents, tokens = _size(told[0]) if told else (0, 0)
    old_documents, old_tokens = _size(before) if before else (0, 0)
    return Growth(
        documents,
        tokens,
        documents - old_documents,
        tokens - old_tokens,
        sum(int(run.report.get("fetched") or 0) for run in recent),
        before.started if before else "",
    )


def _size(run: RunState) -> tuple[int, int]:
    last: dict[str, Any] = run.report["funnel"][-1]
    return int(last["documents"]), int(last["tokens"] or 0)


def _moment(run: RunState) -> datetime:
    return datetime.fromisoformat(run.started)
