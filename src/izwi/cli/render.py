"""Results as text for a terminal and as JSON for programs; nothing below this package prints."""

import dataclasses
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.table import Table
from rich.text import Text

from izwi.model.results import (
    Concordance,
    CorpusStatus,
    CorpusSummary,
    Event,
    Finding,
    FunnelStep,
    KwicLine,
    Ledger,
    Listener,
    Notice,
    Progress,
    RunReport,
    SourceSummary,
    ignore,
)

out = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


def show_json(result: object) -> None:
    """Print a result as one JSON document."""
    sys.stdout.write(json.dumps(plain(result), indent=2, ensure_ascii=False) + "\n")


def plain(result: object) -> Any:
    """Return a result as JSON's own types."""
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return {f.name: plain(getattr(result, f.name)) for f in dataclasses.fields(result)}
    if isinstance(result, list | tuple):
        return [plain(item) for item in result]
    if isinstance(result, dict):
        return {str(key): plain(value) for key, value in result.items()}
    return result.isoformat() if isinstance(result, date | datetime) else result


@contextmanager
def progress(*, is_quiet: bool) -> Iterator[Listener]:
    """Give a listener that draws bars on a terminal, and says only what matters elsewhere."""
    if is_quiet:
        yield ignore
        return
    if not errors.is_terminal:
        yield _say_notices
        return
    columns = (
        TextColumn("{task.description:>10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bars(
        *columns, TextColumn("{task.fields[detail]}"), console=errors, transient=True
    ) as bars:
        yield _drawing(bars)


def _say_notices(event: Event) -> None:
    if isinstance(event, Notice):
        errors.print(f"note: {escape(event.message)}", soft_wrap=True)


def _drawing(bars: Bars) -> Listener:
    tasks: dict[str, Any] = {}

    def hear(event: Event) -> None:
        if isinstance(event, Progress):
            if event.step not in tasks:
                tasks[event.step] = bars.add_task(event.step, total=event.total, detail="")
            bars.update(
                tasks[event.step],
                completed=event.done,
                total=event.total,
                detail=escape(event.detail),
            )
        _say_notices(event)

    return hear


def show_report(report: RunReport) -> None:
    """Print how a run ended: the funnel, then what went wrong."""
    show_funnel(report.funnel)
    words = f"{report.command}: {report.fetched} fetched, {report.shards_built} shard stages built"
    version = f", version {report.snapshot}" if report.snapshot else ""
    place = f"runs/{report.run}/report.json"
    out.print(f"{words}{version}, {report.seconds:.1f} s. Report: {place}", soft_wrap=True)
    for failure in report.failures:
        errors.print(f"failed: {escape(failure)}", style="red", soft_wrap=True)


def show_funnel(steps: Iterable[FunnelStep]) -> None:
    """Print what was left after each step and why the rest went."""
    table = Table("step", "documents", "tokens", "lost here", box=None, pad_edge=False)
    table.columns[1].justify = table.columns[2].justify = "right"
    for step in steps:
        losses = ", ".join(f"{loss.count:,} {loss.reason}" for loss in step.losses)
        tokens = "" if step.tokens is None else f"{step.tokens:,}"
        table.add_row(step.name, f"{step.documents:,}", tokens, escape(losses))
    out.print(table)


def show_concordance(found: Concordance) -> None:
    """Print the lines, the keyword in the middle."""
    if not found.hits:
        out.print(f"No line holds “{escape(found.query)}” (version {found.snapshot}).")
        return
    out.print(
        f"{found.hits:,} hits, {found.per_million:,.1f} per million, in {found.documents:,} "
        f"documents of {found.sources} sources (version {found.snapshot}; page {found.page} "
        f"of {found.pages}, by {found.sort})",
        soft_wrap=True,
    )
    widest = max(len(line.match) for line in found.lines)
    side = max(10, (out.width - 12 - 17 - min(widest, 30) - 3) // 2)
    for line in found.lines:
        card = line.document
        when = str(card.date or "")[: {"year": 4, "month": 7}.get(card.date_precision, 10)]
        text = Text(f"{when:<11}{card.source[:16]:<17}", style="dim", no_wrap=True)
        text.append(_printable(line.left)[-side:].rjust(side), style="not dim")
        text.append(_printable(line.match), style="bold not dim")
        text.append(_printable(line.right)[:side], style="not dim")
        if card.copies:
            text.append(f"  +{card.copies} copies")
        out.print(text, soft_wrap=True)


def show_line(line: KwicLine) -> None:
    """Print one line whole, and the document it is from."""
    text = Text(_printable(line.left))
    text.append(_printable(line.match), style="bold")
    text.append(_printable(line.right))
    out.print(text, soft_wrap=True)
    card = line.document
    facts = (str(card.date or ""), card.source, card.title, card.url)
    out.print(Text(_printable(" | ".join(filter(None, facts))), style="dim"), soft_wrap=True)


def show_csv(found: Concordance) -> None:
    """Print the lines as comma-separated values with a header."""
    import csv
    import sys

    rows = found.rows()
    writer = csv.DictWriter(sys.stdout, list(rows[0]) if rows else ["id"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _printable(text: str) -> str:
    """Return text that cannot move the cursor or colour the terminal."""
    return "".join(character if character.isprintable() else " " for character in text)


def show_status(status: CorpusStatus) -> None:
    """Print where each stage stands."""
    out.print(
        f"{status.name}: {status.captures:,} captures in {status.shards} sealed shards, "
        f"{status.waiting:,} leads waiting, version {status.snapshot or 'none'}"
    )
    if status.holder:
        out.print(f"being written by {escape(status.holder)}")
    table = Table(
        "stage", "current", "stale", "missing", "failed", "changed", box=None, pad_edge=False
    )
    for stage in status.stages:
        counts = (str(n or "-") for n in (stage.current, stage.stale, stage.missing, stage.failed))
        table.add_row(stage.stage, *counts, escape(", ".join(stage.changed)))
    out.print(table)
    for stage in status.stages:
        for error in stage.errors:
            errors.print(f"{stage.stage} {escape(error)}", style="red", soft_wrap=True)
    if status.is_current:
        out.print("Everything is current.")


def show_ledger(ledger: Ledger, *, has_lines: bool) -> None:
    """Print the counted reasons and, if asked for, the lines."""
    table = Table("outcome", "stage", "reason", "count", box=None, pad_edge=False)
    table.columns[3].justify = "right"
    for count in ledger.counts:
        table.add_row(count.outcome, count.stage, escape(count.reason), f"{count.count:,}")
    out.print(table)
    if not has_lines:
        return
    for line in ledger.lines:
        measured = "" if line.value is None else f" {line.value:g}"
        bound = "" if line.threshold is None else f" (threshold {line.threshold:g})"
        words = f"{line.outcome:<9}{line.stage}: {line.reason}{measured}{bound} {line.detail}"
        out.print(Text(_printable(f"{words.strip()}  {line.url}")), soft_wrap=True)
    if len(ledger.lines) < ledger.total:
        out.print(
            f"{len(ledger.lines):,} of {ledger.total:,} lines; --first and --most show others."
        )


def show_sources(sources: Iterable[SourceSummary]) -> None:
    """Print the sources with what came of each."""
    table = Table(
        "name",
        "type",
        "address",
        "leads",
        "fetched",
        "documents",
        "from",
        "to",
        box=None,
        pad_edge=False,
    )
    for source in sources:
        counts = (f"{n:,}" for n in (source.leads, source.fetched, source.documents))
        table.add_row(
            source.name,
            source.type,
            escape(source.url),
            *counts,
            str(source.first or ""),
            str(source.last or ""),
        )
    out.print(table)


def show_summary(summary: CorpusSummary) -> None:
    """Print what a corpus holds."""
    version = summary.snapshot or "none"
    out.print(f"[bold]{escape(summary.title)}[/bold] ({summary.name}), version {version}")
    out.print(
        f"{summary.documents:,} documents, {summary.tokens:,} tokens, "
        f"{summary.copies:,} copies left out; {summary.first or '?'} to {summary.last or '?'}"
    )
    show_sources(summary.sources)
    show_funnel(summary.funnel)


def show_findings(findings: Iterable[Finding]) -> None:
    """Print what the doctor found, with what mends it."""
    for finding in findings:
        mark = "[green]ok  [/green]" if finding.is_well else "[red]look[/red]"
        remedy = f"  -> {escape(finding.remedy)}" if not finding.is_well and finding.remedy else ""
        out.print(f"{mark} {finding.check}: {escape(finding.message)}{remedy}", soft_wrap=True)
