"""`izwi portal`: what a portal's pages are made of, and rules for them."""

from typing import Annotated
from urllib.parse import urlsplit

import typer

from izwi.cli.options import AsJson, Folder
from izwi.model.portal import Inventory, Suggestion, as_toml

Source = Annotated[str, typer.Argument(help="The source's name in corpus.toml.", metavar="SOURCE")]
Pages = Annotated[int, typer.Option(help="Look at so many pages.", min=1)]
portal_app = typer.Typer(help="Rules for the pages of one source.", no_args_is_help=True)
# A page of lines; --json has them all.
_MOST_LINES = 60


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `izwi`."""
    portal_app.command("tags", epilog="Example: izwi portal tags news herald")(tags)
    portal_app.command("suggest", epilog="Example: izwi portal suggest news herald")(suggest)
    app.add_typer(portal_app, name="portal")


def tags(
    folder: Folder,
    source: Source,
    body: Annotated[str, typer.Option(help="Only inside this CSS selector.")] = "",
    pages: Pages = 200,
    least: Annotated[int, typer.Option(help="Leave out what is rarer than this.", min=1)] = 2,
    as_json: AsJson = False,
) -> None:
    """List the tags of a source's pages with what they hold, and the merged tree of the pages."""
    from izwi.cases.corpus import open_corpus
    from izwi.cli import render

    found = open_corpus(folder).portal_tags(source, body=body, pages=pages, least=least)
    render.show_json(found) if as_json else _show(found)


def suggest(folder: Folder, source: Source, pages: Pages = 50, as_json: AsJson = False) -> None:
    """Propose rules from the pages of a source, to be put below it in corpus.toml."""
    from izwi.cases.corpus import open_corpus
    from izwi.cli import render

    found = open_corpus(folder).portal_suggestion(source, pages=pages)
    if as_json:
        render.show_json(found)
        return
    render.out.print(as_toml(found.portal), markup=False, soft_wrap=True, end="")
    render.out.print(f"# {_grounds(found)}", markup=False, soft_wrap=True)


def _grounds(found: Suggestion) -> str:
    if not found.portal.body:
        return (
            f"On {found.pages} pages no element with a name of its own holds nearly all main text; "
            "the extractor decides. Look at: izwi portal tags"
        )
    return (
        f"From {found.pages} pages: this body holds {found.covered:.0%} of the main text, and "
        f"{found.clean:.0%} of it is main text. {len(found.template)} long texts repeat."
    )


def _path(address: str) -> str:
    """Return an address without its host, which is the same in every line."""
    parts = urlsplit(address)
    return f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"


def _show(found: Inventory) -> None:
    from rich.table import Table

    from izwi.cli import render

    table = Table("tag", "count", "pages", "text", "own text", "below", box=None, pad_edge=False)
    table.add_column("for example", overflow="fold")
    for line in found.tags[:_MOST_LINES]:
        table.add_row(
            line.tag, str(line.count), str(line.pages), f"{line.text_length:.0f}",
            f"{line.own_text_length:.0f}", f"{line.descendants:.0f}", *map(_path, line.samples[:1]),
        )  # fmt: skip
    render.out.print(table)
    render.out.print(f"Merged tree of {found.pages} pages (times, characters of its own):")
    for branch in found.tree[:_MOST_LINES]:
        mark = " ." if branch.is_leaf else ""
        render.out.print(
            f"{'  ' * branch.depth}{branch.tag} {branch.count} {branch.own_text_length}{mark}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
