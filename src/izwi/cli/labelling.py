"""`izwi labels`: drafts for people to correct, and their labels taken in and given out."""

from pathlib import Path
from typing import Annotated

import typer

from izwi.cli.groups import labels_app
from izwi.cli.options import AsJson, Folder

File = Annotated[Path, typer.Argument(help="A label file (JSON Lines).", metavar="FILE")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `izwi`."""
    labels_app.command("draft", epilog="Example: izwi labels draft news drafts.jsonl")(draft)
    labels_app.command("import", epilog="Example: izwi labels import news done.jsonl")(take_in)
    labels_app.command("export", epilog="Example: izwi labels export news labels.jsonl")(export)


def draft(
    folder: Folder,
    file: File,
    source: Annotated[str, typer.Option(help="Only pages of this source.")] = "",
    pages: Annotated[int, typer.Option(help="At most so many pages.", min=1)] = 20,
    as_json: AsJson = False,
) -> None:
    """Write pages without labels, labelled by the default extractor, to be corrected."""
    from izwi.cases.corpus import open_corpus
    from izwi.service.labelling import write_file

    found = open_corpus(folder).label_drafts(source=source, pages=pages)
    write_file(file, found)
    _say(f"Wrote {len(found)} pages to {file}.", len(found), as_json)


def take_in(folder: Folder, file: File, as_json: AsJson = False) -> None:
    """Take labels into a corpus; a page labelled again replaces its labels."""
    from izwi.cases.corpus import open_corpus
    from izwi.service.labelling import read_file

    pages = tuple(read_file(file))
    number = open_corpus(folder).import_labels(pages)
    drafts = sum(not page.time for page in pages)
    looked = f" {drafts} of them are drafts: nobody has looked at them." if drafts else ""
    _say(f"Took in {number} pages.{looked}", number, as_json)


def export(folder: Folder, file: File, as_json: AsJson = False) -> None:
    """Write the labels of a corpus to a file, for izwi train extractor --gold."""
    from izwi.cases.corpus import open_corpus
    from izwi.service.labelling import write_file

    found = open_corpus(folder).labels()
    write_file(file, found)
    _say(f"Wrote {len(found)} pages to {file}.", len(found), as_json)


def _say(sentence: str, pages: int, as_json: bool) -> None:
    from izwi.cli import render

    if as_json:
        render.show_json({"pages": pages})
    else:
        render.out.print(sentence, markup=False, soft_wrap=True)
