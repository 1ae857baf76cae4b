"""`izwi evaluate extract` and `izwi train extractor`: prove an extractor, and make one."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from izwi.cli.groups import evaluate_app, train_app

if TYPE_CHECKING:
    from izwi.evaluate.cutoffs import Cutoff
    from izwi.evaluate.extraction import Scores

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Plot = Annotated[Path | None, typer.Option(help="Write a chart (SVG) there.", metavar="FILE")]
_BAR = 30


def register() -> None:
    """Add the commands of this file to their groups."""
    evaluate_app.command(
        "extract", epilog="Example: izwi evaluate extract gold.jsonl --method izwi --method justext"
    )(evaluate_extract)
    train_app.command(
        "extractor", epilog="Example: izwi train extractor --gold gold.jsonl --output mine.npz"
    )(train_extractor)


def evaluate_extract(
    gold: Annotated[
        Path, typer.Argument(help="JSON Lines: gold pages or labelled pages.", metavar="GOLD")
    ],
    method: Annotated[
        list[str] | None,
        typer.Option(help="An extractor, with options: boilerpipe:variant=article. Repeatable."),
    ] = None,
    limit: Annotated[int, typer.Option(help="Only so many pages; 0 is all.", min=0)] = 0,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Score extractors on gold pages, side by side."""
    from izwi.cli import render
    from izwi.service.extractors import evaluate_extractors

    found = evaluate_extractors(gold, method or ["izwi"], limit=limit)
    if plot:
        from izwi.evaluate.plots import bars

        rows = [(one.method, {"F1": one.f1, "F0.5": one.f05}) for one in found]
        plot.write_text(bars(rows), encoding="utf-8")
    render.show_json(found) if as_json else _show(found)


# Of fewer pages what is held back to measure by is a handful.
_FEWEST_PAGES = 30


def train_extractor(
    gold: Annotated[
        list[Path], typer.Option(help="JSON Lines of gold or labelled pages; repeatable.")
    ],
    method: Annotated[str, typer.Option(help="izwi or perceptron.")] = "izwi",
    output: Annotated[Path, typer.Option(help="Where the model is written.")] = Path(
        "extractor.npz"
    ),
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Train an extractor from your own labels; show its accuracy at each cut-off."""
    from izwi.cli import render
    from izwi.evaluate.cutoffs import best_cutoff
    from izwi.service.extractors import train_from

    pages, cutoffs = train_from(gold, method, output)
    if plot:
        from izwi.evaluate.plots import curves

        names = ("accuracy", "precision", "recall", "f1")
        points = [(one.cutoff, {name: getattr(one, name) for name in names}) for one in cutoffs]
        plot.write_text(curves(points), encoding="utf-8")
    if as_json:
        render.show_json({"output": str(output), "pages": pages, "cutoffs": cutoffs})
        return
    _show_cutoffs(cutoffs)
    if pages < _FEWEST_PAGES:
        render.errors.print(
            f"note: the figures mean little with {render.counted(pages, 'page')}; label at least "
            f"{_FEWEST_PAGES}, of several sites.",
            soft_wrap=True,
        )
    render.out.print(
        f"{pages} pages; best at {best_cutoff(cutoffs).cutoff:.2f}. Wrote {output}. Use it with: "
        f'[extract] method = "{method}", options = {{ model = "{output}" }}',
        markup=False,
        soft_wrap=True,
    )


def _show_cutoffs(cutoffs: "Sequence[Cutoff]") -> None:
    from izwi.cli import render

    for line in cutoffs:
        render.out.print(
            f"cut-off {line.cutoff:.2f}  accuracy {line.accuracy:.3f}  precision "
            f"{line.precision:.3f}  recall {line.recall:.3f}  F1 {line.f1:.3f}  "
            f"{'#' * round(_BAR * line.f1)}",
            highlight=False,
            soft_wrap=True,
        )


def _show(found: "Sequence[Scores]") -> None:
    from rich.table import Table

    from izwi.cli import render

    table = Table(
        "method", "pages", "P", "R", "F1", "F0.5", "micro F1", "micro F0.5", "in order", "similar",
        "ins", "del", "runs", "<0.5", "pages/s", "",
    )  # fmt: skip
    for line in found:
        shares = (
            line.precision, line.recall, line.f1, line.f05, line.micro_f1, line.micro_f05,
            line.ordered_f1, line.similarity, line.inserted, line.deleted,
        )  # fmt: skip
        table.add_row(
            line.method, str(line.pages), *(f"{share:.3f}" for share in shares),
            f"{line.fragments:.1f}", f"{line.under_half:.3f}", f"{line.pages_per_second:.0f}",
            "#" * round(10 * line.f1),
        )  # fmt: skip
    render.out.print(table)
