"""`izwi evaluate` and `izwi train`: prove an extractor on gold pages, and make one from them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from izwi.cli.groups import evaluate_app, train_app
from izwi.model.errors import StoreError

if TYPE_CHECKING:
    from izwi.evaluate.extraction import Scores
    from izwi.evaluate.labels import GoldPage

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def register() -> None:
    """Add the commands of this file to their groups."""
    evaluate_app.command(
        "extract", epilog="Example: izwi evaluate extract gold.jsonl --method izwi --method justext"
    )(evaluate_extract)
    train_app.command(
        "extractor", epilog="Example: izwi train extractor gold.jsonl --output my-extractor.npz"
    )(train_extractor)


def evaluate_extract(
    gold: Annotated[
        Path, typer.Argument(help="JSON Lines: html and text of each page.", metavar="GOLD")
    ],
    method: Annotated[list[str] | None, typer.Option(help="An extractor; repeatable.")] = None,
    limit: Annotated[int, typer.Option(help="Only so many pages; 0 is all.", min=0)] = 0,
    as_json: AsJson = False,
) -> None:
    """Score extractors on gold pages, side by side."""
    from izwi import plugins
    from izwi.cli import render
    from izwi.evaluate.extraction import evaluate

    pages = _pages(gold, limit)
    found = []
    for name in method or ["izwi"]:
        kind = plugins.load("izwi.extractors", name)
        found.append(evaluate(name, kind(kind.Options()), pages))
    render.show_json(found) if as_json else _show(found)


def train_extractor(
    gold: Annotated[
        Path, typer.Argument(help="JSON Lines: html and text of each page.", metavar="GOLD")
    ],
    output: Annotated[Path, typer.Option(help="Where the model is written.")] = Path(
        "extractor.npz"
    ),
    as_json: AsJson = False,
) -> None:
    """Train the default extractor from your own gold pages; show its accuracy at each cut-off."""
    from izwi.cli import render
    from izwi.evaluate.cutoffs import held_out_cutoffs
    from izwi.evaluate.training import TrainingOptions, example, train
    from izwi.text.extract.learnt import write_model

    examples = [one for page in _pages(gold, 0) if (one := example(page))]
    if len({one.host for one in examples}) < 2:
        raise StoreError(
            f"{gold} has pages of fewer than two hosts; training needs some to test on."
        )
    cutoffs = held_out_cutoffs(examples, TrainingOptions())
    output.write_bytes(write_model(train(examples, TrainingOptions())))
    if as_json:
        render.show_json({"output": str(output), "pages": len(examples), "cutoffs": cutoffs})
        return
    for line in cutoffs:
        render.out.print(
            f"cut-off {line.cutoff:.2f}  precision {line.precision:.3f}  "
            f"recall {line.recall:.3f}  F1 {line.f1:.3f}"
        )
    render.out.print(
        f'Wrote {output}. Use it with: [extract] options = {{ model = "{output}" }}', soft_wrap=True
    )


def _pages(path: Path, limit: int) -> "list[GoldPage]":
    from izwi.evaluate.labels import read_gold

    try:
        with path.open(encoding="utf-8") as lines:
            pages = list(read_gold(lines))
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} cannot be read as gold pages: {error}.") from error
    return pages[:limit] if limit else pages


def _show(found: "list[Scores]") -> None:
    from rich.table import Table

    from izwi.cli import render

    table = Table(
        "method", "pages", "P", "R", "F1", "F0.5", "micro F1", "in order", "similar", "ins", "del",
        "runs", "<0.5", "pages/s",
    )  # fmt: skip
    for line in found:
        shares = (
            line.precision, line.recall, line.f1, line.f05, line.micro_f1, line.ordered_f1,
            line.similarity, line.inserted, line.deleted,
        )  # fmt: skip
        table.add_row(
            line.method, str(line.pages), *(f"{share:.3f}" for share in shares),
            f"{line.fragments:.1f}", f"{line.under_half:.3f}", f"{line.pages_per_second:.0f}",
        )  # fmt: skip
    render.out.print(table)
