"""The published versions of a corpus."""

import typer

from izwi.cli.options import AsJson, Folder


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: izwi versions news")(versions)


def versions(folder: Folder, as_json: AsJson = False) -> None:
    """List the published versions; a query may ask any of them."""
    from rich.table import Table

    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    found = Corpus(folder).versions()
    if as_json:
        render.show_json(found)
        return
    if not found:
        render.out.print(f"No version yet. Make one: izwi build {folder}", soft_wrap=True)
        return
    table = Table("version", "published", "documents", "tokens", "", box=None, pad_edge=False)
    table.columns[2].justify = table.columns[3].justify = "right"
    for each in found:
        mark = "current" if each.is_current else ""
        table.add_row(
            str(each.number), each.published, f"{each.documents:,}", f"{each.tokens:,}", mark
        )
    render.out.print(table)
