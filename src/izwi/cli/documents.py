"""`izwi document` and `izwi archived`: one document, and the page it came from."""

from typing import Annotated, Any

import typer

from izwi.cli.choosing import choosing
from izwi.cli.options import AsJson, Folder

_Id = Annotated[str, typer.Argument(help="The document's id or URL.", metavar="ID")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command(epilog="Example: izwi document news http://example.org/a.html")(document)
    app.command(epilog="Example: izwi documents news --from 2014-03 --to 2014")(documents)
    app.command(epilog="Example: izwi archived news http://example.org/a.html")(archived)


def document(
    folder: Folder,
    id: _Id,
    version: Annotated[int | None, typer.Option(help="An earlier version of the corpus.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print a document: what is known of it, and its text."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    found = Corpus(folder).document(id, version=version)
    if as_json:
        render.show_json(found)
        return
    facts = (found.title, found.author, found.date, found.url, found.id)
    for line in (*(str(fact) for fact in facts if fact), ""):
        render.out.print(line, markup=False, soft_wrap=True)
    for paragraph in found.paragraphs:
        if paragraph.is_main:
            render.out.print(f"{paragraph.text}\n", markup=False, soft_wrap=True)


@choosing("since", "until", "source", "publication", "where", "copies", "version")
def documents(
    folder: Folder,
    sort: Annotated[str, typer.Option(help="date or newest.")] = "date",
    page: Annotated[int, typer.Option(help="Which page.")] = 1,
    size: Annotated[int, typer.Option(help="Documents a page.")] = 100,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """List the documents by date."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    found = Corpus(folder).documents(sort=sort, page=page, size=size, **chosen)
    if as_json:
        render.show_json(found)
        return
    for card in found.documents:
        line = f"{card.date or 'undated':10}  {card.publication}  {card.title or card.url}"
        render.out.print(line, markup=False, soft_wrap=True)
    render.out.print(f"Page {found.page} of {found.pages}, {found.total:,} documents.")


def archived(folder: Folder, id: _Id, as_json: AsJson = False) -> None:
    """Print the page a document came from, as it was captured."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    found = Corpus(folder).archived(id)
    if as_json:
        render.show_json(found)
        return
    typer.echo(found.text)
