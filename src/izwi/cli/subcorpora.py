"""`izwi subcorpora`: parts of a corpus, saved by name."""

from pathlib import Path
from typing import Annotated

import typer

subcorpora_app = typer.Typer(help="Parts of a corpus, saved by name.", no_args_is_help=True)
_Folder = Annotated[Path, typer.Argument(help="The corpus folder.", metavar="FOLDER")]
_AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.add_typer(subcorpora_app, name="subcorpora")


@subcorpora_app.command("list", epilog="Example: izwi subcorpora list news")
def subcorpora_list(folder: _Folder, as_json: _AsJson = False) -> None:
    """List the saved subcorpora."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    saved = Corpus(folder).subcorpora()
    if as_json:
        render.show_json(saved)
        return
    for each in saved:
        render.out.print(f"{each.name}: {each.where}", soft_wrap=True, markup=False)


@subcorpora_app.command(
    "save", epilog="""Example: izwi subcorpora save news herald 'source="herald.*"'"""
)
def subcorpora_save(
    folder: _Folder,
    name: Annotated[str, typer.Argument(help="What to call it.")],
    where: Annotated[str, typer.Argument(help="A condition on documents.", metavar="CONDITION")],
    as_json: _AsJson = False,
) -> None:
    """Save a condition on documents under a name."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    saved = Corpus(folder).save_subcorpus(name, where)
    if as_json:
        render.show_json(saved)
        return
    render.out.print(f"Saved. Use it: izwi query {folder} WORD --subcorpus {name}", soft_wrap=True)
