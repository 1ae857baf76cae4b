"""What a curator wants to know in the morning: what came, what gave less, what waits."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from izwi.service.run_log import RunState, each_run
from izwi.store.layout import Layout

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


def growth(folder: Path, now: datetime) -> Growth:
    """Return how a corpus grew in the last day, from the reports of its runs."""
    runs = each_run(Layout(folder))
    told = (run for run in runs if run.report and run.report.get("funnel"))
    recent: list[RunState] = []
    before = None
    # However many runs a day has: no further back than to the first that is older.
    for run in told:
        if _moment(run) < now - _DAY:
            before = run
            break
        recent.append(run)
    newest = recent[0] if recent else before
    documents, tokens = _size(newest) if newest else (0, 0)
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
