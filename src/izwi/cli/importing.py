"""The commands below `izwi import`."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from izwi.cli.groups import import_app
from izwi.cli.options import AsJson, Folder, NewFolder

_VERTICAL = "Example: izwi import vertical news.vert news --attributes word,lemma,tag"
Name = Annotated[str, typer.Option(help="Name of the source; made from the file if absent.")]
Build = Annotated[bool, typer.Option("--build", help="Build afterwards.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `izwi import`."""
    import_app.command("warc", epilog="Example: izwi import warc news old/crawl.warc.gz")(
        import_warc
    )
    import_app.command("files", epilog="Example: izwi import files news pages.zip")(import_files)
    import_app.command("vertical", epilog=_VERTICAL)(import_vertical)
    for form, (about, example) in _COLLECTIONS.items():
        epilog = f"Example: izwi import {form} news {example}"
        import_app.command(form, help=about, epilog=epilog)(_collection(form))


# Documents made elsewhere: what they are, and an example.
_COLLECTIONS = {
    "conllu": ("Take in documents in CoNLL-U, with their words, lemmas and tags.", "gold.conllu"),
    "tei": ("Take in documents in TEI P5: files, folders, a teiCorpus.", "edition.xml"),
    "texts": ("Take in texts with metadata as JSON Lines or Parquet.", "reference.parquet"),
}


def _collection(form: str) -> Callable[..., None]:
    """Return the command that takes in documents of one form."""

    def take_in(
        folder: Folder,
        path: Annotated[Path, typer.Argument(help="A file, or a folder of them.")],
        name: Name = "",
        as_json: AsJson = False,
    ) -> None:
        from izwi.cases.corpus import Corpus
        from izwi.cli import render

        with render.progress(is_quiet=as_json) as listener:
            take = getattr(Corpus(folder), f"import_{form}")
            report = take(path, name=name, listener=listener)
        render.show_json(report) if as_json else render.show_report(report)

    return take_in


def import_warc(
    folder: Folder,
    path: Annotated[Path, typer.Argument(help="A WARC, ARC or WACZ file, or a folder of them.")],
    name: Name = "",
    build: Build = False,
    as_json: AsJson = False,
) -> None:
    """Take in the pages of WARC, ARC or WACZ files, for instance of Common Crawl."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    with render.progress(is_quiet=as_json) as listener:
        corpus = Corpus(folder)
        report = corpus.import_warc(path, name=name, listener=listener)
        if build:
            report = corpus.build(listener=listener)
    render.show_json(report) if as_json else render.show_report(report)


def import_files(
    folder: Folder,
    path: Annotated[Path, typer.Argument(help="A folder, a zip or tar archive, or one page.")],
    name: Name = "",
    address: Annotated[
        str, typer.Option(help="Where the files were on the web, e.g. https://example.org/old.")
    ] = "",
    build: Build = False,
    as_json: AsJson = False,
) -> None:
    """Take in HTML, text, PDF, DOCX, ODT and EPUB files."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    with render.progress(is_quiet=as_json) as listener:
        corpus = Corpus(folder)
        report = corpus.import_files(path, name=name, address=address, listener=listener)
        if build:
            report = corpus.build(listener=listener)
    render.show_json(report) if as_json else render.show_report(report)


def import_vertical(
    file: Annotated[Path, typer.Argument(help="Vertical text, one token a line; may be .gz.")],
    folder: NewFolder,
    attributes: Annotated[str, typer.Option(help="What the columns are, in order.")] = "",
    structures: Annotated[str, typer.Option(help="Which tags are structures.")] = "",
    registry: Annotated[
        Path | None, typer.Option(help="A registry file of CWB or Manatee that names them.")
    ] = None,
    name: Annotated[str, typer.Option(help="Short name of a new corpus.")] = "",
    memory: Annotated[str, typer.Option(help="Working memory.")] = "1 GiB",
    as_json: AsJson = False,
) -> None:
    """Make a searchable corpus from vertical text, or add to one."""
    from izwi.cli import render
    from izwi.service.vertical import vertical

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
