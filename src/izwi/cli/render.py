"""Answers as text for a terminal and as JSON for programs, and the progress of commands."""

import dataclasses
import json
import sys
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from izwi.cases.lines import first_command
from izwi.cli.kwic import kwic_lines, printable
from izwi.cli.layout import table_lines
from izwi.model import results
from izwi.model.commands import typed
from izwi.model.reasons import stage_name, with_settings
from izwi.plugins import Plugin

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

    from izwi.model.reports import CorpusCard


Found = TypeVar("Found")
out = Console(highlight=False)


def show_json(result: object) -> None:
    """Print a result as one JSON document."""
    sys.stdout.write(json.dumps(plain(result), indent=2, ensure_ascii=False) + "\n")


def say(*lines: str) -> None:
    """Print lines as they are, however long."""
    for line in lines:
        out.print(line, soft_wrap=True, markup=False)


def show_table(
    heads: Iterable[str], rows: Iterable[Iterable[str]], *, numbers: Container[str] = ()
) -> None:
    """Print rows of plain text below their headings; columns of numbers are aligned right."""
    for line in table_lines(out, heads, rows, numbers=numbers):
        out.print(line, soft_wrap=True)


def plain(result: object) -> Any:
    """Return a result as JSON's own types."""
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return {f.name: plain(getattr(result, f.name)) for f in dataclasses.fields(result)}
    if isinstance(result, list | tuple):
        return [plain(item) for item in result]
    if isinstance(result, dict):
        return {str(key): plain(value) for key, value in result.items()}
    if isinstance(result, date | datetime):
        return result.isoformat()
    return str(result) if isinstance(result, Path) else result


def show_report(report: results.RunReport, *, folder: Path | None = None) -> None:
    """Print how a run ended: the funnel, then what went wrong."""
    show_funnel(report.funnel)
    built = f"{counted(report.shards_built, 'step')} built" if report.shards_built else ""
    version = f"version {report.snapshot}" if report.snapshot else ""
    words = filter(None, (f"{counted(report.fetched, 'page')} fetched", built, version))
    place = f"runs/{report.run}/report.json"
    out.print(
        f"{report.command}: {', '.join(words)}, {report.seconds:.1f} s. Report: {place}",
        soft_wrap=True,
    )
    if report.was_stopped:
        _say_stopped(report)
    for failure in report.failures:
        errors.print(f"failed: {escape(failure)}", style="red", soft_wrap=True)
    foreign = mostly_foreign(report.funnel)
    if foreign:
        out.print(escape(foreign), soft_wrap=True)
    unbuilt = any(loss.reason == "not-built" for step in report.funnel for loss in step.losses)
    if folder and unbuilt and report.command.startswith("import"):
        say(f"Next: izwi build {typed(folder)}")


def mostly_foreign(steps: Iterable[results.FunnelStep]) -> str:
    """Return a warning if a step dropped more than half as another language, else nothing."""
    for step in steps:
        lost = sum(loss.count for loss in step.losses if loss.reason == "other-language")
        before = step.documents + sum(loss.count for loss in step.losses)
        if 2 * lost > before:
            return (
                f"{lost:,} of {before:,} documents were dropped as another language than "
                "[corpus] languages. Which they are: izwi report languages CORPUS"
            )
    return ""


def _say_stopped(report: results.RunReport) -> None:
    losses = [loss for step in report.funnel for loss in step.losses]
    # Pages that were fetched and wait to be built are no addresses to be asked.
    waiting = sum(
        loss.count for loss in losses if loss.outcome == "waiting" and loss.stage == "fetch"
    )
    out.print(
        f"Stopped. {counted(report.fetched, 'page')} fetched now, all safe; "
        f"{counted(waiting, 'address', 'addresses')} wait. The same command goes on.",
        soft_wrap=True,
    )


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "page"), counted(1200, "page"), counted(2, "copy", "copies")
    ('1 page', '1,200 pages', '2 copies')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def show_funnel(steps: Iterable[results.FunnelStep]) -> None:
    """Print what was left after each step and why the rest went."""
    rows = [
        (
            step.name,
            f"{step.documents:,}",
            "" if step.tokens is None else f"{step.tokens:,}",
            _losses(loss for loss in step.losses if loss.outcome != "waiting"),
            _losses(loss for loss in step.losses if loss.outcome == "waiting"),
        )
        for step in steps
    ]
    numbers = ("documents", "tokens")
    heads = ("step", *numbers, "lost here", "still to come")
    # What waits is not lost; most often nothing does.
    shown = len(heads) if any(row[-1] for row in rows) else len(heads) - 1
    show_table(heads[:shown], [row[:shown] for row in rows], numbers=numbers)


def _losses(losses: Iterable[results.ReasonCount]) -> str:
    return ", ".join(f"{loss.count:,} {loss.reason or loss.outcome}" for loss in losses)


def show_concordance(
    found: results.Concordance,
    *,
    asked: object = None,
    csv: bool = False,
    folder: Path | None = None,
) -> None:
    """Print the lines, the keyword in the middle, or as CSV."""
    if csv:
        show_csv(found)
        return
    if not found.hits and not found.snapshot:
        first = first_command(folder) if folder else "izwi build CORPUS"
        say(f"Nothing is indexed yet, so nothing can be found. First: {first}")
        return
    if not found.hits:
        version = f"(version {found.snapshot})"
        if found.unfiltered:
            there = f"without them there {'is' if found.unfiltered == 1 else 'are'} "
            there += counted(found.unfiltered, "line")
            words = f"Within these limits no line holds “{found.query}”; {there} {version}."
            out.print(words, soft_wrap=True, markup=False)
            return
        out.print(f"No line holds “{escape(found.query)}” {version}.")
        if found.instead:
            words = f"As the words were cut, write: {found.instead}"
            out.print(words, soft_wrap=True, markup=False)
        if found.tokens and set(found.query) & set('[]()"'):
            out.print(
                f"It was searched as a phrase: {found.cql}; for CQL add --mode cql.",
                soft_wrap=True,
                markup=False,
            )
        return
    out.print(
        f"{counted(found.hits, 'hit')}, {found.per_million:,.1f} per million, in "
        f"{counted(found.documents, 'document')} of {counted(found.publications, 'publication')} "
        f"(version {found.snapshot}; page {found.page} of {found.pages}, by {found.sort})",
        soft_wrap=True,
    )
    # Who reads a file, or asked for a context, gets it whole.
    is_whole = not out.is_terminal or _asks_context(asked)
    for text in kwic_lines(found.lines, None if is_whole else out.width):
        out.print(text, soft_wrap=True)


def _asks_context(asked: Any) -> bool:
    """Whether another context was requested than lines have of themselves."""
    return asked is not None and any(
        getattr(asked, name) != type(asked).__dataclass_fields__[name].default
        for name in ("context", "unit")
        if hasattr(asked, name)
    )


def show_line(line: results.KwicLine) -> None:
    """Print one line whole, and the document it is from."""
    text = Text(printable(line.left))
    text.append(printable(line.match), style="bold")
    text.append(printable(line.right))
    out.print(text, soft_wrap=True)
    card = line.document
    facts = (str(card.date or ""), card.publication, card.title, card.url)
    out.print(Text(printable(" | ".join(filter(None, facts))), style="dim"), soft_wrap=True)


def show_csv(found: results.Concordance) -> None:
    """Print the lines as comma-separated values with a header."""
    import csv
    import sys

    from izwi.model.tabular import harmless

    rows = found.rows()
    writer = csv.DictWriter(sys.stdout, list(rows[0]) if rows else ["id"], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: harmless(cell) for name, cell in row.items()} for row in rows)


def show_status(status: results.CorpusStatus) -> None:
    """Print where each stage stands."""
    out.print(
        f"{status.name}: {counted(status.captures, 'capture')} in "
        f"{counted(status.shards, 'sealed shard')}, {counted(status.waiting, 'lead')} waiting, "
        f"version {status.snapshot or 'none'}"
    )
    if status.holder:
        out.print(f"being written by {escape(status.holder)}")
    counts = ("current", "stale", "missing", "failed")
    rows = [
        (
            stage_name(each.stage),
            *(str(getattr(each, name) or "-") for name in counts),
            ", ".join(each.changed),
        )
        for each in status.stages
    ]
    show_table(("stage", *counts, "changed"), rows)
    for stage in status.stages:
        for error in stage.errors:
            errors.print(f"{stage_name(stage.stage)} {escape(error)}", style="red", soft_wrap=True)
    if status.is_current:
        out.print("Everything is current.")


def show_ledger(
    ledger: results.Ledger, *, asked: Any, lines: bool, folder: Path | None = None
) -> None:
    """Print the counts by reason and, if requested or if a URL is looked up, the lines.

    Who says how many lines there are to be requests them.
    """
    rows = [(each.outcome, each.stage, each.reason, f"{each.count:,}") for each in ledger.counts]
    if not rows:
        out.print("No address is of that kind.")
        if folder and asked.reason:
            from izwi.cases.corpus import open_corpus

            known = {each.reason for each in open_corpus(folder).drops().counts} - {""}
            say(f"Reasons in this corpus: {', '.join(sorted(known)) or 'none'}.")
        return
    show_table(("outcome", "stage", "reason", "count"), rows, numbers=("count",))
    is_wanted = lines or asked.url or asked.first or asked.most != type(asked)().most
    if not is_wanted:
        _explain(count.reason for count in ledger.counts)
        return
    for line in ledger.lines:
        measured = "" if line.value is None else f" {line.value:g}"
        bound = "" if line.threshold is None else f" (threshold {line.threshold:g})"
        why = f"{line.stage}: {line.reason}" if line.reason else line.stage
        original = f" (copy of {line.original})" if line.original else ""
        words = f"{line.outcome:<9}{why}{measured}{bound} {line.detail}{original}"
        out.print(Text(printable(f"{words.strip()}  {line.url}")), soft_wrap=True)
    if len(ledger.lines) < ledger.total:
        out.print(
            f"{len(ledger.lines):,} of {ledger.total:,} lines; --first and --most show others."
        )


def _explain(reasons: Iterable[str]) -> None:
    """Say in words what each reason means."""
    for reason in dict.fromkeys(reasons):
        if words := with_settings(reason):
            out.print(Text(f"{reason}: {words}", style="dim"), soft_wrap=True)


def show_sources(sources: Iterable[results.SourceSummary]) -> None:
    """Print the sources with what came of each."""
    counts = ("leads", "fetched", "documents")
    rows = [
        (
            *(each.name, each.type, each.url),
            *(f"{getattr(each, name):,}" for name in counts),
            *(str(day or "") for day in (each.first, each.last)),
        )
        for each in sources
    ]
    show_table(("name", "type", "address", *counts, "from", "to"), rows)


def show_summary(summary: results.CorpusSummary) -> None:
    """Print what a corpus holds."""
    version = summary.snapshot or "none"
    out.print(f"[bold]{escape(summary.title)}[/bold] ({summary.name}), version {version}")
    out.print(
        f"{counted(summary.documents, 'document')}, {counted(summary.tokens, 'token')}, "
        f"{counted(summary.copies, 'copy', 'copies')} left out; "
        f"{summary.first or '?'} to {summary.last or '?'}"
    )
    show_sources(summary.sources)
    show_funnel(summary.funnel)


def show_findings(findings: Iterable[results.Finding]) -> None:
    """Print what the doctor found, with what mends it."""
    for finding in findings:
        mark = "[green]ok  [/green]" if finding.is_well else "[red]look[/red]"
        remedy = f"  -> {escape(finding.remedy)}" if not finding.is_well and finding.remedy else ""
        out.print(f"{mark} {finding.check}: {escape(finding.message)}{remedy}", soft_wrap=True)


def show_plugins(parts: Sequence[Plugin]) -> None:
    """Print the installed parts, with what keeps one from being loaded."""
    rows = [
        (
            *(part.group.removeprefix("izwi."), part.name),
            *(f"{part.distribution} {part.version}", part.target, str(part.place)),
        )
        for part in parts
    ]
    show_table(("kind", "name", "package", "loads", "from"), rows)
    for part in parts:
        if part.problem:
            out.print(f"{part.name} cannot be loaded: {escape(part.problem)}", soft_wrap=True)


def show_card(found: "CorpusCard") -> None:
    """Print what a corpus is made of, what was lost, who owns it, and how good it is."""
    show_funnel(found.funnel)
    for name in ("languages", "publications", "sources", "hosts", "date_evidence", "licences"):
        shares = getattr(found, name)
        told = ", ".join(f"{each.name or 'not known'} {each.tokens:,}" for each in shares[:8])
        out.print(f"{name.replace('_', ' ')} (tokens): {told}", soft_wrap=True)
    hosts = counted(found.hosts_in_all, "host")
    out.print(f"{hosts}, as varied as {found.effective_hosts:g} of equal size.")
    for each in found.rights:
        said = f"{each.documents:,} documents here, {each.refused:,} pages not taken"
        out.print(f"{each.signal}, {each.source}: {said}", soft_wrap=True)
    for line in found.quality:
        value = f"{line.measure} {line.value:.3f} by {line.judged:,} {line.gold}"
        out.print(f"{line.what}: {value}", soft_wrap=True)
    if not found.quality:
        out.print("quality: not known; no page is labelled, no document audited")


errors = Console(stderr=True, highlight=False)


@contextmanager
def progress(*, is_quiet: bool) -> Iterator[results.Listener]:
    """Provide a listener that shows a command's progress on the error stream."""
    if is_quiet:
        yield results.ignore
        return
    if not errors.is_terminal:
        lines = _Lines()
        yield lines.hear
        lines.end_step()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description:>17}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bars(
        *columns, TextColumn("{task.fields[detail]}"), console=errors, transient=True
    ) as bars:
        yield _Drawing(bars).hear


@dataclass
class _Lines:
    """Prints a line for each step when the next begins, so that logs show progress."""

    step: str = ""
    done: int = 0
    begun: float = 0.0

    def hear(self, event: results.Event) -> None:
        """Note the progress, and print what is finished."""
        _say_notices(event)
        if not isinstance(event, results.Progress):
            return
        # Steps of one name are one step for whoever reads it.
        if (words := stage_name(event.step)) != self.step:
            self.end_step()
            self.step, self.begun = words, time.monotonic()
        self.done = event.done

    def end_step(self) -> None:
        """Say what the step that is over has done."""
        if self.step:
            seconds = time.monotonic() - self.begun
            errors.print(
                f"{escape(self.step)}: {self.done:,} done, {seconds:.1f} s", soft_wrap=True
            )
        self.step = ""


@dataclass
class _Drawing:
    """A bar for each step."""

    bars: "Bars"
    tasks: dict[str, Any] = field(default_factory=dict)

    def hear(self, event: results.Event) -> None:
        """Draw the progress."""
        _say_notices(event)
        if not isinstance(event, results.Progress):
            return
        words = stage_name(event.step)
        if words not in self.tasks:
            self.tasks[words] = self.bars.add_task(words, total=event.total, detail="")
        self.bars.update(
            self.tasks[words],
            completed=event.done,
            total=event.total,
            detail=escape(event.detail),
        )


def _say_notices(event: results.Event) -> None:
    if isinstance(event, results.Notice):
        errors.print(f"note: {escape(event.message)}", soft_wrap=True)
