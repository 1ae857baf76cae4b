"""Descriptions of words as text for a terminal."""

from collections.abc import Iterable

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from izwi.cli.render import errors, out
from izwi.model.lexicography import (
    Attestations,
    GoodExamples,
    NewWords,
    Sketch,
    SketchDifference,
    Thesaurus,
)


def show_notes(notes: Iterable[str]) -> None:
    """Print what has to be known beside the numbers."""
    for note in notes:
        errors.print(f"note: {escape(note)}", soft_wrap=True)


def show_sketch(found: Sketch) -> None:
    """Print a word's relations, the most frequent first."""
    out.print(f"[bold]{escape(found.word)}[/bold] {found.hits:,} hits ({found.language})")
    for relation in found.relations:
        told = ", ".join(f"{each.word} {each.hits} ({each.score})" for each in relation.collocates)
        line = Text(f"{relation.name} ", style="bold")
        line.append(f"{relation.hits:,}: {told}", style="not bold")
        out.print(line, soft_wrap=True)
    show_notes(found.notes)


def show_difference(found: SketchDifference) -> None:
    """Print what two words share and what only one has."""
    out.print(
        f"{found.first} ({found.first_hits:,} hits) and {found.second} ({found.second_hits:,})",
        markup=False,
    )
    for relation in found.relations:
        table = Table(escape(relation.name), found.first, found.second, "difference", box=None)
        for each in relation.collocates:
            one = f"{each.first_hits} ({each.first_score})"
            two = f"{each.second_hits} ({each.second_score})"
            table.add_row(escape(each.word), one, two, f"{each.difference:+.2f}")
        out.print(table)
    show_notes(found.notes)


def show_thesaurus(found: Thesaurus) -> None:
    """Print the words most like one, with what they share."""
    table = Table("word", "likeness", "relations", "shared", box=None, pad_edge=False)
    for line in found.lines:
        shared = escape(", ".join(line.shared))
        table.add_row(escape(line.word), f"{line.score:.3f}", f"{line.hits:,}", shared)
    out.print(table)
    show_notes(found.notes)


def show_examples(found: GoodExamples, *, asked: object, factors: bool) -> None:
    """Print the best sentences, and what their scores are made of if that is asked for."""
    for example in found.lines:
        line = Text(f"{example.score:.2f}  ")
        line.append(example.line.left)
        line.append(example.line.match, style="bold")
        line.append(f"{example.line.right}  {example.line.document.date or ''}")
        out.print(line, soft_wrap=True)
        if factors:
            for factor in example.factors:
                words = f"      {factor.name}: {factor.value:.2f} x {factor.weight:g} "
                out.print(f"{words}({factor.reason})", markup=False, soft_wrap=True)
    show_notes(found.notes)


def show_new_words(found: NewWords) -> None:
    """Print new words with their scores and the reasons; likely names and slips below them."""
    heads = {"name": "Likely names:", "slip": "Likely typing errors:"}
    for line in found.lines:
        if line.kind in heads:
            out.print(heads.pop(line.kind))
        head = Text(f"{line.score:.2f}  ")
        head.append(line.word, style="bold")
        others = ", ".join(f"{each.word} {each.hits}" for each in line.variants)
        decided = f" [{line.decision}]" if line.decision else ""
        also = f" (also {others})" if others else ""
        head.append(f"{also}{decided}: {'; '.join(factor.reason for factor in line.factors)}")
        out.print(head, soft_wrap=True)
    if len(found.lines) < found.total:
        out.print(f"{len(found.lines):,} of {found.total:,} words; --most shows more.")
    show_notes(found.notes)


def show_attestations(found: Attestations) -> None:
    """Print headwords with their first dated line."""
    for each in found.lines:
        head = Text(each.headword, style="bold")
        by = f" by {each.days:,} days" if each.days and each.verdict == "antedating" else ""
        known = f" (known: {each.known})" if each.known else ""
        head.append(f" {each.verdict}{by}{known}, {each.hits:,} hits", style="not bold")
        out.print(head, soft_wrap=True)
        for first in (each.found, each.surer):
            if first is not None:
                context = f"{first.line.left}{first.line.match}{first.line.right}"
                told = f"  {first.date} ({first.certainty}: {first.evidence}) {context}"
                out.print(f"{told}  {first.line.document.url}", markup=False, soft_wrap=True)
    show_notes(found.notes)
