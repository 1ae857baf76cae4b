"""Tables of numbers and descriptions of words for a terminal."""

from collections.abc import Iterable, Iterator, Sequence
from functools import singledispatch
from urllib.parse import urlsplit

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from izwi.cases.case import Column
from izwi.cli.render import counted, errors, out, say, show_table
from izwi.model import lexicography
from izwi.model.analyses import (
    Collocations,
    Dispersion,
    Frequencies,
    Keywords,
    TextComparison,
    Trend,
    WordList,
)
from izwi.model.portal import Inventory
from izwi.model.reports import HostBias

Result = Collocations | Dispersion | Frequencies | Keywords | TextComparison | Trend | WordList
_Row = Sequence[object]
# A sentence, or a table: its title, its columns and its rows.
_Part = str | tuple[str, Sequence[str], Sequence[_Row]]
# Shown beside the one that sorts.
# A page of lines; --json has them all.
_MOST_BRANCHES = 60
_FIRST_MEASURES = ("logdice", "mi", "ll")
_COUNTED = ("hits", "documents", "tokens", "per_million", "low", "high")


def show(result: Result) -> None:
    """Print a result as a table with what it was counted on."""
    for part in _parts(result):
        if isinstance(part, str):
            say(part)
        elif part[2]:
            _print(*part)
    say(*(f"note: {note}" for note in result.notes))


def show_columns(columns: Sequence[Column], lines: Sequence[object]) -> None:
    """Print lines by the columns that their use case names."""
    rows = [tuple(column.of(line) for column in columns) for line in lines]
    if rows:
        _print("", [column.head for column in columns], rows)


def _print(title: str, columns: Sequence[str], rows: Sequence[_Row]) -> None:
    if title:
        out.print(f"\n{title}", markup=False)
    table = Table(*columns, box=None, pad_edge=False)
    table.columns[0].no_wrap = True
    for number, value in enumerate(rows[0]):
        table.columns[number].justify = "left" if isinstance(value, str) else "right"
    for row in rows:
        table.add_row(*(escape(_shown(value)) for value in row))
    out.print(table)


def _rows(lines: Sequence[object], names: Sequence[str]) -> list[_Row]:
    return [tuple(getattr(line, name) for name in names) for line in lines]


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.2f}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


@singledispatch
def _parts(result: Result) -> Iterator[_Part]:
    """Yield what is shown of a result: sentences, then its tables."""
    raise TypeError(result)


@_parts.register
def _(result: Frequencies) -> Iterator[_Part]:
    yield (
        f"{counted(result.hits, 'hit')} in {counted(result.documents, 'document')} of "
        f"{result.tokens:,} tokens "
        f"(version {result.snapshot}); {len(result.lines):,} of {result.total:,} lines, by "
        f"{result.sort}; per million with 95 % intervals by document"
    )
    columns = (*result.by, "hits", "documents", "tokens", "per million", "from", "to")
    counts = _rows(result.lines, _COUNTED)
    rows = [(*line.values, *row) for line, row in zip(result.lines, counts, strict=True)]
    yield "", columns, rows


@_parts.register
def _(result: WordList) -> Iterator[_Part]:
    total = (
        "the most frequent"
        if result.total is None
        else f"{len(result.lines):,} of {result.total:,}"
    )
    what = "values" if result.size == 1 else f"sequences of {result.size}"
    pattern = f", matching {result.pattern}" if result.pattern else ""
    yield (
        f"{result.attribute}: {total} {what} in {result.tokens:,} tokens (version "
        f"{result.snapshot}), at least {result.least} times{pattern}"
    )
    more = {"documents": "documents", "sites": "sites", "dp": "DP"} if result.size == 1 else {}
    columns = (result.attribute, "hits", "per million", *more.values())
    yield "", columns, _rows(result.lines, ("value", "hits", "per_million", *more))


@_parts.register
def _(result: Dispersion) -> Iterator[_Part]:
    yield (
        f"{counted(result.hits, 'hit')} in {result.range:,} of {result.parts:,} parts by "
        f"{result.by} "
        f"({result.tokens:,} tokens, version {result.snapshot})"
    )
    yield (
        f"Juilland's D {_shown(result.juilland_d)}, Gries's DP {_shown(result.dp)} (normalised "
        f"{_shown(result.dp_norm)}), ARF {_shown(result.arf)}"
    )
    names = ("value", "hits", "tokens", "per_million")
    yield "", (result.by, "hits", "tokens", "per million"), _rows(result.lines, names)


@_parts.register
def _(result: Collocations) -> Iterator[_Part]:
    yield (
        f"{counted(result.hits, 'hit')}, {result.window_tokens:,} places {result.left} to the left "
        "and "
        f"{result.right} to the right (version {result.snapshot}); {len(result.lines):,} of "
        f"{result.total:,} collocates by {result.measure}"
    )
    yield f"counted: {result.counting_words}; at least {result.least} times"
    measures = dict.fromkeys((*_FIRST_MEASURES, result.measure))
    shown = [name for name in measures if name not in ("left", "right", "total", "frequency")]
    columns = (result.attribute, "left", "right", "total", "of", *shown)
    names = ("value", "left", "right", "total", "frequency", *shown)
    yield "", columns, _rows(result.lines, names)
    if any(line.periods for line in result.lines):
        periods = [period.period for period in result.lines[0].periods]
        yield (
            "together, by period",
            (result.attribute, *periods),
            [(line.value, *(period.together for period in line.periods)) for line in result.lines],
        )


@_parts.register
def _(result: Keywords) -> Iterator[_Part]:
    yield (
        f"{result.focus} ({result.focus_tokens:,} tokens) beside {result.reference} "
        f"({result.reference_tokens:,} tokens), version {result.snapshot}"
    )
    constant = f" with {result.smoothing:g}" if result.measure == "simple" else ""
    yield (
        f"{len(result.lines):,} of {result.total:,} by {result.measure}{constant}; at least "
        f"{result.least} times, in at least {result.sites} sites"
    )
    yield "", _KEYWORD_COLUMNS, _rows(result.lines, _KEYWORD_NAMES)


_KEYWORD_COLUMNS = (
    *("value", "hits", "/million", "reference", "/million", "simple", "logratio", "LL"),
    *("sites", "DP"),
)


_KEYWORD_NAMES = (
    *("value", "hits", "per_million", "reference_hits", "reference_per_million", "simple"),
    *("logratio", "ll", "sites", "dp"),
)


@_parts.register
def _(result: Trend) -> Iterator[_Part]:
    yield (
        f"{counted(result.hits, 'hit')} by {result.by} in {result.tokens:,} tokens (version "
        f"{result.snapshot}); per million with 95 % intervals by document"
    )
    if result.slope is not None:
        yield (
            f"slope {_shown(result.slope)} per million and year ({_shown(result.slope_low)} to "
            f"{_shown(result.slope_high)}), Kendall's tau {_shown(result.tau)}, p {result.p:.3f}"
        )
    for change in result.changes:
        yield (
            f"another level from {change.period}: {_shown(change.before)} before, "
            f"{_shown(change.after)} after"
        )
    if result.panel:
        yield f"fixed panel: {', '.join(result.panel)}"
    columns = (result.by, "hits", "documents", "tokens", "per million", "from", "to", "")
    rows = _rows(result.points, ("period", *_COUNTED))
    yield (
        "",
        columns,
        [
            (*row, "" if point.is_complete else "incomplete")
            for point, row in zip(result.points, rows, strict=True)
        ],
    )


@_parts.register
def _(result: TextComparison) -> Iterator[_Part]:
    yield f"{result.first} beside {result.second} (version {result.snapshot})"
    for name, found in (
        (result.first, result.first_keywords),
        (result.second, result.second_keywords),
    ):
        yield f"keywords of {name}", _KEYWORD_COLUMNS, _rows(found.lines, _KEYWORD_NAMES)
    sides = _rows(result.sides, ("name", "hits", "tokens", "per_million", "low", "high"))
    columns = ("text", "hits", "tokens", "per million", "from", "to")
    change = f"log ratio {_shown(result.logratio)}, LL {_shown(result.ll)}"
    yield f"{result.query}: {change}", columns, sides
    yield f"collocates of {result.query} by {result.measure}", (
        "collocate", "first", "second", "first score", "second score",
    ), _rows(
        result.lines, ("value", "first_total", "second_total", "first_score", "second_score")
    )  # fmt: skip


def show_bias(found: HostBias) -> None:
    """Print the curves side by side: a row for each number of hosts."""
    names = {"documents": "documents", "hosts": "hosts", "half": "hosts that give half"}
    rows = [
        (words, *(f"{getattr(curve, key):,}" for curve in found.curves))
        for key, words in names.items()
    ]
    shares = [dict(curve.points) for curve in found.curves]
    for number in sorted({number for points in shares for number in points}):
        cells = (f"{points[number]:.1%}" if number in points else "" for points in shares)
        rows.append((f"share of the first {number:,}", *cells))
    show_table(("", *(curve.name for curve in found.curves)), rows)


def _path(address: str) -> str:
    """Return an address without its host, which is the same in every line."""
    parts = urlsplit(address)
    return f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"


def show_inventory(found: Inventory) -> None:
    """Print the tags of pages, and the tree they make together."""
    table = Table("tag", "count", "pages", "text", "own text", "below", box=None, pad_edge=False)
    table.add_column("for example", overflow="fold")
    for line in found.tags[:_MOST_BRANCHES]:
        table.add_row(
            line.tag, str(line.count), str(line.pages), f"{line.text_length:.0f}",
            f"{line.own_text_length:.0f}", f"{line.descendants:.0f}", *map(_path, line.samples[:1]),
        )  # fmt: skip
    out.print(table)
    out.print(f"Merged tree of {found.pages} pages (times, characters of its own):")
    for branch in found.tree[:_MOST_BRANCHES]:
        mark = " ." if branch.is_leaf else ""
        out.print(
            f"{'  ' * branch.depth}{branch.tag} {branch.count} {branch.own_text_length}{mark}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )


def show_notes(notes: Iterable[str]) -> None:
    """Print what has to be known beside the numbers."""
    for note in notes:
        errors.print(f"note: {escape(note)}", soft_wrap=True)


def show_sketch(found: lexicography.Sketch) -> None:
    """Print a word's relations, the most frequent first."""
    out.print(f"[bold]{escape(found.word)}[/bold] {found.hits:,} hits ({found.language})")
    for relation in found.relations:
        told = ", ".join(f"{each.word} {each.hits} ({each.score})" for each in relation.collocates)
        line = Text(f"{relation.name} ", style="bold")
        line.append(f"{relation.hits:,}: {told}", style="not bold")
        out.print(line, soft_wrap=True)
    show_notes(found.notes)


def show_difference(found: lexicography.SketchDifference) -> None:
    """Print what two words share and what only one has."""
    out.print(
        f"{found.first} ({found.first_hits:,} hits) and {found.second} ({found.second_hits:,})",
        markup=False,
    )
    for relation in found.relations:
        rows = [
            (
                each.word,
                f"{each.first_hits} ({each.first_score})",
                f"{each.second_hits} ({each.second_score})",
                f"{each.difference:+.2f}",
            )
            for each in relation.collocates
        ]
        show_table((relation.name, found.first, found.second, "difference"), rows)
    show_notes(found.notes)


def show_thesaurus(found: lexicography.Thesaurus) -> None:
    """Print the words most like one, with what they share."""
    rows = [
        (each.word, f"{each.score:.3f}", f"{each.hits:,}", ", ".join(each.shared))
        for each in found.lines
    ]
    show_table(("word", "likeness", "relations", "shared"), rows)
    show_notes(found.notes)


def show_examples(found: lexicography.GoodExamples, *, asked: object, factors: bool) -> None:
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


def show_new_words(found: lexicography.NewWords) -> None:
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


def show_attestations(found: lexicography.Attestations) -> None:
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
