"""`izwi hit`: one line by its permanent id."""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command(epilog="Example: izwi hit news 0123456789ab-20261115.57.89abcdef")(hit)


def hit(
    folder: Annotated[Path, typer.Argument(help="The corpus folder.", metavar="FOLDER")],
    id: Annotated[str, typer.Argument(help="The id of a line, as --json gives it.", metavar="ID")],
    context: Annotated[int, typer.Option(help="Tokens on each side.")] = 12,
    unit: Annotated[
        str, typer.Option(help="What context is: tokens, characters, sentence, paragraph.")
    ] = "tokens",
    version: Annotated[int | None, typer.Option(help="An earlier version of the corpus.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Print the line of one hit by its permanent id."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    line = Corpus(folder).hit(id, context=context, unit=unit, version=version)
    render.show_json(line) if as_json else render.show_line(line)
