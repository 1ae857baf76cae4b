"""Commands whose answer is a file: quotations, labels, a page that compares two corpora."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from izwi.cases.case import write_answer
from izwi.cli.groups import GROUPS
from izwi.cli.options import AsJson, Folder, NewFolder
from izwi.model.errors import QueryError, StoreError

if TYPE_CHECKING:
    from izwi.model.reports import CorpusComparison

File = Annotated[Path, typer.Argument(help="A label file (JSON Lines).", metavar="FILE")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    example = "izwi quote news --query bakkie --format bibtex > bakkie.bib"
    app.command(epilog=f"Example: {example}")(quote)
    labels, report = GROUPS["labels"].command, GROUPS["report"].command
    labels("draft", epilog="Example: izwi labels draft news drafts.jsonl")(draft)
    labels("export", epilog="Example: izwi labels export news labels.jsonl")(export)
    report("compare", epilog="Example: izwi report compare news reference")(compare)


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
    from izwi.cases.case import ids_of
    from izwi.cases.corpus import Corpus
    from izwi.cli import render
    from izwi.export.quotations import quotations_file

    named = [*(hits or ()), *(ids_of(list_file) if list_file else ())]
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


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}.") from error


def draft(
    folder: Folder,
    file: File,
    source: Annotated[str, typer.Option(help="Only pages of this source.")] = "",
    pages: Annotated[int, typer.Option(help="At most so many pages.", min=1)] = 20,
    as_json: AsJson = False,
) -> None:
    """Write pages without labels, labelled by the default extractor, to be corrected."""
    from izwi.cases.corpus import open_corpus
    from izwi.curation.labelling import write_file

    found = open_corpus(folder).label_drafts(source=source, pages=pages)
    write_file(file, found)
    _say(f"Wrote {len(found)} pages to {file}.", len(found), as_json)


def export(folder: Folder, file: File, as_json: AsJson = False) -> None:
    """Write the labels of a corpus to a file, for izwi train extractor --gold."""
    from izwi.cases.corpus import open_corpus
    from izwi.curation.labelling import write_file

    found = open_corpus(folder).labels()
    write_file(file, found)
    _say(f"Wrote {len(found)} pages to {file}.", len(found), as_json)


def _say(sentence: str, pages: int, as_json: bool) -> None:
    from izwi.cli import render

    if as_json:
        render.show_json({"pages": pages})
    else:
        render.out.print(sentence, markup=False, soft_wrap=True)


def compare(
    folder: NewFolder,
    other: Annotated[Path, typer.Argument(help="Another corpus, or the same.", metavar="OTHER")],
    versions: Annotated[
        str, typer.Option(help="Which version of each, e.g. 1,3; the newest if absent.")
    ] = "",
    html: Annotated[
        Path | None, typer.Option(help="Write the comparison with charts as an HTML page.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Put two corpora, or two versions of one, side by side."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render
    from izwi.export.comparison import comparison_page

    first, second = _versions(versions)
    found = Corpus(folder).comparison(other, version=first, other_version=second)
    if html is not None:
        write_answer(html, comparison_page(found))
    render.show_json(found) if as_json else _show_comparison(found)


def _versions(text: str) -> tuple[int | None, int | None]:
    if not text:
        return None, None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        raise QueryError(f"--versions takes two numbers such as 1,3, not '{text}'.")
    return int(parts[0]), int(parts[1])


def _show_comparison(found: "CorpusComparison") -> None:
    from izwi.cli import render

    for card in (found.first, found.second):
        render.out.print(
            f"{card.name}, version {card.snapshot}: {card.documents:,} documents, {card.tokens:,} "
            f"tokens, {card.hosts_in_all:,} hosts, {card.first or '?'} to {card.last or '?'}",
            soft_wrap=True,
        )
    render.out.print(
        f"{found.shared_addresses:,} addresses in both, {found.shared_documents:,} captures."
    )
    for card, words in ((found.first, found.first_words), (found.second, found.second_words)):
        told = ", ".join(f"{each.word} ({each.factor:.2f})" for each in words[:10]) or "none"
        name = f"{card.name}, version {card.snapshot}"
        render.out.print(f"more frequent in {name}: {told}", soft_wrap=True)
