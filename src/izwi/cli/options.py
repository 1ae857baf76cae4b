"""Arguments that several commands share."""

import getpass
from pathlib import Path
from typing import Annotated

import typer

from izwi.model.errors import no_corpus


def _there(context: typer.Context, folder: Path) -> Path:
    """Say at once that a folder is no corpus, before anything heavy is imported."""
    is_address = ":/" in str(folder)  # an object store's; what is wrong with it is said there
    if not context.resilient_parsing and not is_address and not (folder / "corpus.toml").exists():
        raise no_corpus(folder)
    return folder


Folder = Annotated[
    Path, typer.Argument(help="The corpus folder.", metavar="FOLDER", callback=_there)
]
NewFolder = Annotated[
    Path, typer.Argument(help="The corpus folder; made if it is not there.", metavar="FOLDER")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Proxy = Annotated[
    str, typer.Option(help="HTTP proxy for all requests.", envvar="IZWI_PROXY", metavar="URL")
]
Workers = Annotated[
    int, typer.Option(help="Processes; 0 is one per core.", envvar="IZWI_WORKERS", min=0)
]
Chart = Annotated[
    Path | None, typer.Option("--chart", help="Draw it into an SVG file.", metavar="FILE")
]


def me() -> str:
    """Return who works at this machine, as the record of changes names them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
