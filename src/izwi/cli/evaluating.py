"""How good the parts are, and the extractor itself tried on one page or trained on gold pages."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from izwi.cli.groups import Answer, command
from izwi.model.errors import StoreError

if TYPE_CHECKING:
    from izwi.model.scores import Cutoff, Scores, Truth


Plot = Annotated[Path | None, typer.Option(help="Write a chart (SVG) there.", metavar="FILE")]
_BAR = 30
# So many columns of scores beside two names fit into 80 characters.
_MEASURES_A_TABLE, _WIDEST_NAME = 5, 16
_MOST_WORSE = 20


@command("evaluate extract", "gold.jsonl --method izwi --method justext")
def evaluate_extract(
    gold: Annotated[
        Path,
        typer.Argument(
            help="JSON Lines of gold or labelled pages, or a folder of such sets.", metavar="GOLD"
        ),
    ],
    method: Annotated[
        list[str] | None,
        typer.Option(help="An extractor, with options: boilerpipe:variant=article. Repeatable."),
    ] = None,
    peers: Annotated[
        bool, typer.Option("--peers", help="Beside the other people's extractors installed here.")
    ] = False,
    before: Annotated[
        Path | None,
        typer.Option(help="What --json wrote for an earlier model: name pages that got worse."),
    ] = None,
    limit: Annotated[int, typer.Option(help="Only so many pages a set; 0 is all.", min=0)] = 0,
    plot: Plot = None,
) -> Answer:
    """Score extractors on gold pages, side by side, by set and by type of page."""
    from izwi.cases.extractors import earlier_scores, evaluate_extractors, installed_peers

    earlier = earlier_scores(before) if before else {}
    methods = [*(method or ["izwi"]), *(installed_peers() if peers else ())]
    found = evaluate_extractors(gold, methods, limit=limit)
    if plot:
        from izwi.cases.case import write_answer
        from izwi.presentation.charts import Measured, bar_chart

        scores = ((one, {"F1": one.f1, "F0.5": one.f05}) for one in found)
        shown = [
            Measured(f"{one.set} {one.method} {name}".strip(), value)
            for one, measured in scores
            for name, value in measured.items()
        ]
        drawn = bar_chart(shown, title="Extractors on gold pages", unit="score")
        write_answer(plot, drawn.svg)
    return Answer(found, partial(_show_scores, found, earlier))


@command("evaluate corpus", "news gold.jsonl")
def evaluate_corpus(
    folder: Annotated[Path, typer.Argument(help="The corpus.", metavar="FOLDER")],
    gold: Annotated[
        Path,
        typer.Argument(
            help="JSON Lines: url, document (false for listings), text, title, date, type, lang.",
            metavar="GOLD",
        ),
    ],
) -> Answer:
    """Say which gold documents can be searched, with which text, and what else got in."""
    from izwi.cases import evaluating

    found = evaluating.evaluate_corpus(folder, gold)
    return Answer(found, partial(_show_truth, found))


def _show_truth(found: "Truth") -> None:
    from rich.table import Table

    from izwi.cli import render

    table = Table("", "gold", "kept %", "F1", "F1 kept", "dates", "titles", "lost to")
    groups = {"all": found, **found.by_type, **found.by_language}
    for name, part in groups.items():
        shares = (part.f1, part.f1_kept, part.dates, part.titles)
        lost = ", ".join(f"{count} {reason}" for reason, count in list(part.reasons.items())[:3])
        cells = ("" if share is None else f"{share:.3f}" for share in shares)
        table.add_row(name, str(part.gold), f"{100 * part.kept_share:.1f}", *cells, lost)
    render.out.print(table)
    render.say(
        f"No documents, and kept: {found.others_kept} of {found.others}. Documents that lost words "
        f"to them: {found.owned_by_others}. Addresses kept twice: {found.twice}."
    )


def _show_kinds(found: "Sequence[Scores]") -> None:
    """Print the F1 of each type of page, if the pages have types."""
    kinds = sorted({kind for scores in found for kind in scores.f1_by_kind})
    if not kinds:
        return
    shown = [
        (
            line,
            [f"{line.f1_by_kind[kind]:.3f}" if kind in line.f1_by_kind else "" for kind in kinds],
        )
        for line in found
        if line.f1_by_kind
    ]
    _show_measures(kinds, shown, "F1 by type of page")


def _show_worse(
    found: "Sequence[Scores]", earlier: "Mapping[tuple[str, str], Mapping[str, float]]"
) -> None:
    """Print the pages that the same method read better before."""
    from izwi.cli import render
    from izwi.model.scores import got_worse

    for scores in found:
        known = earlier.get((scores.set, scores.method))
        if known is None:
            continue
        worse = got_worse(scores, known)
        name = f"{scores.set} {scores.method}".strip()
        render.say(f"{name}: {render.counted(len(worse), 'page')} got worse")
        render.say(*(f"  {was:.3f} -> {now:.3f}  {page}" for page, was, now in worse[:_MOST_WORSE]))


# Of fewer pages what is held back to measure by is a handful.
_FEWEST_PAGES = 30


@command("train extractor", "--gold gold.jsonl --output mine.npz")
def train_extractor(
    gold: Annotated[
        list[Path], typer.Option(help="JSON Lines of gold or labelled pages; repeatable.")
    ],
    method: Annotated[str, typer.Option(help="izwi or perceptron.")] = "izwi",
    output: Annotated[Path, typer.Option(help="Where the model is written.")] = Path(
        "extractor.npz"
    ),
    plot: Plot = None,
) -> Answer:
    """Train an extractor from your own labels; show its accuracy at each cut-off."""
    from izwi.cases.extractors import train_from
    from izwi.cli import render
    from izwi.model.scores import best_cutoff

    pages, cutoffs = train_from(gold, method, output)
    if plot:
        from izwi.cases.case import write_answer
        from izwi.presentation.charts import curves_chart

        names = ("accuracy", "precision", "recall", "f1")
        series = [(name, [getattr(one, name) for one in cutoffs]) for name in names]
        places = [f"{one.cutoff:.2f}" for one in cutoffs]
        write_answer(plot, curves_chart(series, places, title="Figures at each cut-off").svg)
    few = (
        f"note: the figures mean little with {render.counted(pages, 'page')}; label at least "
        f"{_FEWEST_PAGES}, of several sites."
    )
    told = (
        *map(_cutoff_told, cutoffs),
        *([few] if pages < _FEWEST_PAGES else ()),
        f"{pages} pages; best at {best_cutoff(cutoffs).cutoff:.2f}. Wrote {output}. Use it with: "
        f'[extract] method = "{method}", options = {{ model = "{output}" }}',
    )
    return Answer({"output": str(output), "pages": pages, "cutoffs": cutoffs}, told)


def _cutoff_told(line: "Cutoff") -> str:
    return (
        f"cut-off {line.cutoff:.2f}  accuracy {line.accuracy:.3f}  precision {line.precision:.3f}  "
        f"recall {line.recall:.3f}  F1 {line.f1:.3f}  {'#' * round(_BAR * line.f1)}"
    )


def _show_scores(
    found: "Sequence[Scores]", earlier: "Mapping[tuple[str, str], Mapping[str, float]]"
) -> None:
    names = (
        "pages", "P", "R", "F1", "F0.5", "micro F1", "micro F0.5", "in order", "similar", "ins",
        "del", "runs", "<0.5", "pages/s",
    )  # fmt: skip
    _show_measures(names, [(line, _measures(line)) for line in found])
    _show_kinds(found)
    _show_worse(found, earlier)


def _measures(line: "Scores") -> list[str]:
    shares = (
        line.precision, line.recall, line.f1, line.f05, line.micro_f1, line.micro_f05,
        line.ordered_f1, line.similarity, line.inserted, line.deleted,
    )  # fmt: skip
    return [
        str(line.pages), *(f"{share:.3f}" for share in shares), f"{line.fragments:.1f}",
        f"{line.under_half:.3f}", f"{line.pages_per_second:.0f}",
    ]  # fmt: skip


def _show_measures(
    names: "Sequence[str]", rows: "Sequence[tuple[Scores, list[str]]]", title: str = ""
) -> None:
    """Print measures in tables narrow enough for a terminal, none of them cut."""
    from rich.table import Table

    from izwi.cli import render

    for start in range(0, len(names), _MEASURES_A_TABLE):
        table = Table(title=title or None)
        for name in ("set", "method"):
            table.add_column(name, overflow="fold", max_width=_WIDEST_NAME)
        for name in names[start : start + _MEASURES_A_TABLE]:
            table.add_column(name, no_wrap=True, justify="right", overflow="fold")
        for line, cells in rows:
            table.add_row(line.set, line.method, *cells[start : start + _MEASURES_A_TABLE])
        render.out.print(table)


@command("extract", "page.html --blocks")
def extract(
    page: Annotated[
        str, typer.Argument(help="A file, an address, or - for standard input.", metavar="FILE|URL")
    ],
    method: Annotated[str, typer.Option(help="Which extractor.")] = "izwi",
    url: Annotated[str, typer.Option(help="The address a file was saved from.")] = "",
    blocks: Annotated[
        bool, typer.Option("--blocks", help="Show every block with its class and reason.")
    ] = False,
) -> Answer:
    """Print the main text of one page and what the page says of itself."""
    from izwi import extract as extract_page

    address = page if page.startswith(("http://", "https://")) else None
    found = extract_page(_page_bytes(page), url or address, method)
    names = (
        "text", "comments", "metadata", "page_type", "type_chances", "notes", "method",
        "charset", "charset_evidence", "paragraphs",
    )  # fmt: skip
    plain = {name: getattr(found, name) for name in names}
    return Answer(plain, _page_told(found, has_blocks=blocks))


def _page_told(found: Any, *, has_blocks: bool) -> Iterator[str]:
    for each in found.paragraphs:
        if has_blocks:
            yield f"{each.reason:<18} {each.kind:<8} {each.text}"
        elif each.is_main:
            yield each.text
    for note in found.notes:
        typer.echo(f"Note: {note}.", err=True)


def _page_bytes(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    if name.startswith(("http://", "https://")):
        from izwi.cases.sources import page_at

        return page_at(name)
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise StoreError(f"{name} cannot be read: {error.strerror or error}.") from error
