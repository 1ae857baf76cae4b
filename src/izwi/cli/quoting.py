"""`izwi quote`: hits as quotations for other programs."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from izwi.cli.options import AsJson, Folder
from izwi.model.errors import QueryError, StoreError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: izwi quote news --query bakkie --format bibtex > bakkie.bib")(
        quote
    )


def quote(
    folder: Folder,
    hits: Annotated[
        list[str] | None, typer.Argument(help="Ids of lines, as --json gives them.")
    ] = None,
    list_file: Annotated[
        Path | None, typer.Option("--list", help="A file with an id on each line.")
    ] = None,
    query: Annotated[str, typer.Option(help="Quote the hits of this query.")] = "",
    most: Annotated[int, typer.Option(help="So many of them at most.")] = 100,
    format: Annotated[
        str,
        typer.Option(
            help="tsv, csv, xlsx, tei, bibtex, csl, ris, ontolex, dmlex, lexonomy or jsonl."
        ),
    ] = "tsv",
    output: Annotated[Path | None, typer.Option(help="A file; standard output if absent.")] = None,
    context: Annotated[int, typer.Option(help="Tokens on each side.")] = 12,
    version: Annotated[int | None, typer.Option(help="An earlier version of the corpus.")] = None,
    address: Annotated[
        str, typer.Option(help="The site that serves the corpus, for links.", metavar="URL")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Write hits as quotations: a table, a spreadsheet, TEI, BibTeX, a dictionary's entries."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render
    from izwi.export.quotations import quotations_file

    named = [*(hits or ()), *(_ids(list_file) if list_file else ())]
    if not named and not query:
        raise QueryError("Name hits by their ids, or give --list or --query.")
    found = Corpus(folder).quotations(
        named, query=query, most=most, context=context, version=version
    )
    if as_json:
        render.show_json(found)
        return
    content = quotations_file(format, found, address=address)
    if output is None:
        sys.stdout.buffer.write(content)
        return
    _write(output, content)
    render.out.print(f"{len(found):,} quotations written as {format}: {output}", soft_wrap=True)


def _ids(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"--list: {path} cannot be read ({error}).") from None


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}.") from error
