"""How each source does, and what a curator wants to know in the morning."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

from izwi.config.schema import CorpusConfig
from izwi.model.records import dataclass
from izwi.model.reports import Growth, RunState, RunYield, SourceHealth, Suspicion
from izwi.service.ledger import verdict_layers
from izwi.service.run_counts import Lines, RunKey
from izwi.service.runs import each_run
from izwi.store import snapshots
from izwi.store.files import FileState, file_state
from izwi.store.layout import Layout

# Fewer pages of a run say nothing about a source.
LEAST_PAGES = 5
# A source gives less than usual if its share of kept pages falls below this part of its median.
_MUCH_LESS = 0.6
_REFUSALS = ("robots", "noindex", "noarchive", "noai", "tdm-reservation")


def source_health(config: CorpusConfig, counts: Mapping[RunKey, Lines]) -> tuple[SourceHealth, ...]:
    """Return how each source does, by what came to what in each run."""
    by_source: dict[str, list[_Told]] = defaultdict(list)
    for (outcome, stage, reason, source, kind, run), lines in counts.items():
        if kind == "page" and outcome not in ("redirected", "waiting"):
            by_source[source].append(_Told(outcome, stage, reason, run, lines.number, lines.last))
    found = (_health(source, by_source[source.name]) for source in config.sources)
    return tuple(
        replace(each, state="paused", suspicion=None) if each.name in config.paused else each
        for each in found
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """Pages of a source that came to the same in one run."""

    outcome: str
    stage: str
    reason: str
    run: str
    pages: int
    last: str


def ledger_state(layout: Layout, config: CorpusConfig) -> tuple[FileState | None, ...]:
    """Return the states of the files and folders whose contents make up the ledger."""
    text, select = verdict_layers(layout, config)
    journal = file_state(layout.catalog_file.with_name(f"{layout.catalog_file.name}-wal"))
    folders = (layout.warcs, layout.layer("text", text), layout.layer("select", select))
    # A catalog elsewhere changes by runs, and each has a folder.
    files = (layout.catalog_file, layout.runs, layout.takedowns, *folders)
    # Whoever reads leaves an empty journal for a while: it says nothing.
    return *map(file_state, files), journal if journal and journal[0] else None


def _health(source: object, told: Sequence[_Told]) -> SourceHealth:
    fetched = [each for each in told if each.stage != "fetch"]
    yields = _yields(fetched)
    latest = yields[-1] if yields else None
    earlier = [each.share for each in yields[:-1] if each.pages >= LEAST_PAGES]
    usual = median(earlier) if earlier else (latest.share if latest else 0.0)
    state = _state(latest, usual, has_lines=bool(told), has_past=bool(earlier))
    return SourceHealth(
        name=str(getattr(source, "name", "")),
        type=str(getattr(source, "type", "")),
        address=str(getattr(source, "address", "")),
        every=str(getattr(source, "every", "") or getattr(source, "usual", "")),
        method=str(getattr(source, "method", "")),
        state=state,
        pages=sum(each.pages for each in fetched),
        kept=sum(each.pages for each in fetched if each.outcome == "kept"),
        share=latest.share if latest else 0.0,
        usual=usual,
        last=max((each.last for each in told), default=""),
        refused=sum(each.pages for each in told if each.reason in _REFUSALS),
        runs=tuple(yields),
        suspicion=_suspicion(yields) if state == "less" else None,
    )


def _yields(told: Sequence[_Told]) -> list[RunYield]:
    by_run: dict[str, list[_Told]] = defaultdict(list)
    for each in told:
        by_run[each.run].append(each)
    return [_yield(run, by_run[run]) for run in sorted(by_run)]


def _yield(run: str, told: Sequence[_Told]) -> RunYield:
    losses: Counter[str] = Counter()
    for each in told:
        if each.outcome != "kept":
            losses[each.reason] += each.pages
    pages = sum(each.pages for each in told)
    order = sorted(losses.items(), key=lambda item: (-item[1], item[0]))
    return RunYield(run, pages, pages - losses.total(), tuple(order))


def _state(latest: RunYield | None, usual: float, *, has_lines: bool, has_past: bool) -> str:
    if not has_lines:
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
