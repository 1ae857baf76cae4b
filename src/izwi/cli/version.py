"""Which izwi this is."""

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the option to `izwi`."""
    app.callback()(izwi)


def _show(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        typer.echo(f"izwi {version('izwi')}")
        raise typer.Exit


def izwi(
    version: Annotated[
        bool, typer.Option("--version", callback=_show, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take what stands before the command; its help is that of the application."""
