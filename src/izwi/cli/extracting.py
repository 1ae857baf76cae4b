"""`izwi extract`: the main text of one page, from a file, an address or standard input."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from izwi.model.errors import StoreError


def register(app: typer.Typer) -> None:
    """Add the commands of this page to `izwi`."""
    app.command("extract", epilog="Example: izwi extract page.html --blocks")(extract)


def extract(
    page: Annotated[
        str, typer.Argument(help="A file, an address, or - for standard input.", metavar="FILE|URL")
    ],
    method: Annotated[str, typer.Option(help="Which extractor.")] = "izwi",
    url: Annotated[str, typer.Option(help="The address a file was saved from.")] = "",
    blocks: Annotated[
        bool, typer.Option("--blocks", help="Show every block with its class and reason.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Print the main text of one page and what the page says of itself."""
    from izwi import extract as extract_page
    from izwi.cli import render

    is_address = page.startswith(("http://", "https://"))
    body = _fetched(page) if is_address else _read(page)
    found = extract_page(body, url or (page if is_address else None), method)
    if as_json:
        names = (
            "text", "comments", "metadata", "page_type", "type_chances", "notes", "method",
            "charset", "charset_evidence", "paragraphs",
        )  # fmt: skip
        render.show_json({name: getattr(found, name) for name in names})
        return
    for block in found.paragraphs:
        if blocks:
            render.out.print(
                f"{block.reason:<18} {block.kind:<8} {block.text}", markup=False, soft_wrap=True
            )
        elif block.is_main:
            render.out.print(block.text, markup=False, soft_wrap=True)
    for note in found.notes:
        typer.echo(f"Note: {note}.", err=True)


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise StoreError(f"{name} cannot be read: {error.strerror or error}.") from error


def _fetched(url: str) -> bytes:
    """Return the body of an address, as the gatherer would fetch it."""
    from izwi.cases.sources import page_at

    return page_at(url)
