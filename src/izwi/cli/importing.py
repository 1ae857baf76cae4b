"""`izwi import`: corpora that others made."""

from pathlib import Path
from typing import Annotated

import typer

from izwi.cli.groups import import_app

_EXAMPLE = "Example: izwi import vertical news.vert news --attributes word,lemma,tag"


def register() -> None:
    """Add the commands of this file."""
    import_app.command("vertical", epilog=_EXAMPLE)(import_vertical)


def import_vertical(
    file: Annotated[Path, typer.Argument(help="Vertical text, one token a line; may be .gz.")],
    folder: Annotated[Path, typer.Argument(help="The corpus folder.", metavar="FOLDER")],
    attributes: Annotated[str, typer.Option(help="What the columns are, in order.")] = "",
    structures: Annotated[str, typer.Option(help="Which tags are structures.")] = "",
    registry: Annotated[
        Path | None, typer.Option(help="A registry file of CWB or Manatee that names them.")
    ] = None,
    name: Annotated[str, typer.Option(help="Short name of a new corpus.")] = "",
    memory: Annotated[str, typer.Option(help="Working memory.")] = "1 GiB",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Make a searchable corpus from vertical text, or add to one."""
    from izwi.cli import render
    from izwi.service.importing import vertical

    done = vertical(
        file,
        folder,
        attributes=_names(attributes),
        structures=_names(structures),
        registry=registry,
        name=name,
        memory=memory,
    )
    if as_json:
        render.show_json(done)
        return
    render.out.print(
        f"{done.tokens:,} tokens in {done.documents:,} documents are searchable as version "
        f"{done.snapshot}. Next: izwi query {folder} WORD",
        soft_wrap=True,
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
