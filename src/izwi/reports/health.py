"""How each source does, and what a curator wants to know in the morning."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

from izwi.config.schema import CorpusConfig
from izwi.model.reports import Growth, RunState, RunYield, SourceHealth, Suspicion
from izwi.model.results import LedgerLine
from izwi.service.ledger import run_of, verdict_layers
from izwi.service.runs import each_run
from izwi.store import snapshots
from izwi.store.files import FileState, file_state
from izwi.store.layout import Layout

# Fewer pages of a run say nothing about a source.
LEAST_PAGES = 5
# A source gives less than usual if its share of kept pages falls below this part of its median.
_MUCH_LESS = 0.6
_REFUSALS = ("robots", "noindex", "noarchive", "noai", "tdm-reservation")


def source_health(
    config: CorpusConfig, lines: Iterable[LedgerLine], runs: Sequence[str]
) -> tuple[SourceHealth, ...]:
    """Return how each source does, from the ledger and the names of the runs."""
    by_source: dict[str, list[LedgerLine]] = defaultdict(list)
    for line in lines:
        if line.kind == "page" and line.outcome not in ("redirected", "waiting"):
            by_source[line.source].append(line)
    starts = sorted(runs)
    found = (_health(source, by_source[source.name], starts) for source in config.sources)
    return tuple(
        replace(each, state="paused", suspicion=None) if each.name in config.paused else each
        for each in found
    )


def ledger_state(layout: Layout, config: CorpusConfig) -> tuple[FileState | None, ...]:
    """Return the states of the files and folders whose contents make up the ledger."""
    text, select = verdict_layers(layout, config)
    journal = file_state(layout.catalog_file.with_name(f"{layout.catalog_file.name}-wal"))
    folders = (layout.warcs, layout.layer("text", text), layout.layer("select", select))
    # A catalog elsewhere changes by runs, and each has a folder.
    files = (layout.catalog_file, layout.runs, layout.takedowns, *folders)
    # Whoever reads leaves an empty journal for a while: it says nothing.
    return *map(file_state, files), journal if journal and journal[0] else None


def _health(source: object, lines: Sequence[LedgerLine], starts: Sequence[str]) -> SourceHealth:
    fetched = [line for line in lines if line.stage != "fetch"]
    yields = _yields(fetched, starts)
    latest = yields[-1] if yields else None
    earlier = [each.share for each in yields[:-1] if each.pages >= LEAST_PAGES]
    usual = median(earlier) if earlier else (latest.share if latest else 0.0)
    state = _state(lines, latest, usual, has_past=bool(earlier))
    return SourceHealth(
        name=str(getattr(source, "name", "")),
        type=str(getattr(source, "type", "")),
        address=str(getattr(source, "address", "")),
        every=str(getattr(source, "every", "") or getattr(source, "usual", "")),
        method=str(getattr(source, "method", "")),
        state=state,
        pages=len(fetched),
        kept=sum(line.outcome == "kept" for line in fetched),
        share=latest.share if latest else 0.0,
        usual=usual,
        last=max((line.time for line in lines), default=""),
        refused=sum(line.reason in _REFUSALS for line in lines),
        runs=tuple(yields),
        suspicion=_suspicion(yields) if state == "less" else None,
    )


def _yields(lines: Sequence[LedgerLine], starts: Sequence[str]) -> list[RunYield]:
    by_run: dict[str, list[LedgerLine]] = defaultdict(list)
    for line in lines:
        by_run[run_of(line.time, starts)].append(line)
    return [_yield(run, by_run[run]) for run in sorted(by_run)]


def _yield(run: str, lines: Sequence[LedgerLine]) -> RunYield:
    losses = Counter(line.reason for line in lines if line.outcome != "kept")
    kept = sum(line.outcome == "kept" for line in lines)
    return RunYield(run, len(lines), kept, tuple(losses.most_common()))


def _state(
    lines: Sequence[LedgerLine], latest: RunYield | None, usual: float, *, has_past: bool
) -> str:
    if not lines:
        return "nothing yet"
    if latest is None or (latest.pages >= LEAST_PAGES and not latest.kept and usual):
        return "broken"
    is_less = has_past and latest.pages >= LEAST_PAGES and latest.share < _MUCH_LESS * usual
    return "less" if is_less else "ok"


def _suspicion(yields: Sequence[RunYield]) -> Suspicion | None:
    """Return the reason whose share of the pages has grown most."""
    latest = yields[-1]
    before = Counter[str]()
    for each in yields[:-1]:
        before.update(dict(each.losses))
    pages = sum(each.pages for each in yields[:-1]) or 1
    grown = [
        Suspicion(reason, count / latest.pages, before[reason] / pages)
        for reason, count in latest.losses
    ]
    return max(grown, key=lambda each: each.share - each.usual, default=None)


_DAY = timedelta(days=1)


def growth(folder: Path, now: datetime) -> Growth:
    """Return how a corpus grew in the last day, from the reports of its runs."""
    layout = Layout(folder)
    runs = each_run(layout)
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
    # No run tells of text that was imported straight into the index.
    held = snapshots.current(layout)
    if newest is None:
        documents, tokens = held.documents, held.tokens
    return Growth(
        held.documents if held.number else documents,
        held.tokens if held.number else tokens,
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
