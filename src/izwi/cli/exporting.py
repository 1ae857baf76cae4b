"""The command that writes a corpus for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from izwi.model.errors import QueryError
from izwi.model.exporting import ExportReport


def register(app: typer.Typer) -> None:
    """Add the command to `izwi`."""
    app.command(epilog="Example: izwi export news vertical news-vertical --from 2010 --to 2014")(
        export
    )


def export(
    folder: Annotated[Path, typer.Argument(help="The corpus folder.", metavar="FOLDER")],
    format: Annotated[
        str,
        typer.Argument(
            help="text, jsonl, parquet, csv, vertical, conllu, tei, tei-corpus, jsonld, sentences "
            "or wacz.",
            metavar="FORMAT",
        ),
    ],
    target: Annotated[
        Path, typer.Argument(help="A folder of its own for the export.", metavar="TARGET")
    ],
    source: Annotated[list[str] | None, typer.Option(help="Only this source; repeatable.")] = None,
    publication: Annotated[
        list[str] | None, typer.Option(help="Only this publication; repeatable.")
    ] = None,
    language: Annotated[
        list[str] | None, typer.Option(help="Only this language; repeatable.")
    ] = None,
    since: Annotated[int | None, typer.Option("--from", help="First year.", metavar="YEAR")] = None,
    until: Annotated[int | None, typer.Option("--to", help="Last year.", metavar="YEAR")] = None,
    documents: Annotated[
        Path | None, typer.Option(help="Only the documents of this list of ids, one a line.")
    ] = None,
    query: Annotated[str, typer.Option(help="Only documents with hits of this query.")] = "",
    where: Annotated[
        str, typer.Option(help="Only documents of this condition, as in izwi query.")
    ] = "",
    subcorpus: Annotated[str, typer.Option(help="Only documents of this subcorpus.")] = "",
    version: Annotated[int | None, typer.Option(help="An earlier version of the corpus.")] = None,
    mask: Annotated[
        bool, typer.Option("--mask", help="Mask e-mail addresses, phone numbers, user names.")
    ] = False,
    tokens: Annotated[
        bool, typer.Option("--tokens", help="TEI: write words with lemma and tag.")
    ] = False,
    comments: Annotated[
        bool, typer.Option("--comments", help="TEI: add readers' comments, where they are known.")
    ] = False,
    licence: Annotated[str, typer.Option(help="What may be done with the texts.")] = "",
    seed: Annotated[int, typer.Option(help="For the order of sentences.")] = 1,
    restart: Annotated[
        bool, typer.Option("--restart", help="Begin anew where an unfinished run would go on.")
    ] = False,
    copies: Annotated[
        bool, typer.Option("--copies", help="Also copies that were folded into their originals.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Write the corpus, or some of its documents, for other programs."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    with render.progress(is_quiet=as_json) as listener:
        report = Corpus(folder).export(
            format,
            target,
            sources=tuple(source or ()),
            publications=tuple(publication or ()),
            languages=tuple(language or ()),
            since=since,
            until=until,
            documents=_ids(documents) if documents else (),
            mask=mask,
            tokens=tokens,
            comments=comments,
            licence=licence,
            seed=seed,
            query=query,
            where=where,
            subcorpus=subcorpus,
            version=version,
            restart=restart,
            copies=copies,
            listener=listener,
        )
    render.show_json(report) if as_json else _show(report)


def _ids(path: Path) -> list[str]:
    try:
        found = path.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"--documents: {path} cannot be read ({error}).") from None
    if not found:
        raise QueryError(f"--documents: {path} names no document.")
    return found


def _show(report: ExportReport) -> None:
    from izwi.cli import render

    render.out.print(
        f"{report.documents:,} documents, {report.tokens:,} tokens of version {report.version} "
        f"written as {report.format}:",
        soft_wrap=True,
    )
    shown = report.files[:_MOST_FILES]
    for file in shown:
        render.out.print(f"  {report.path}/{file.name}  {file.size_bytes:,} bytes", soft_wrap=True)
    if len(report.files) > len(shown):
        render.out.print(f"  and {len(report.files) - len(shown):,} more; see manifest.json")
    if report.replaced:
        render.out.print(f"{report.replaced:,} characters no format can hold are now U+FFFD.")
    if report.masked:
        counts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(report.masked.items()))
        render.out.print(f"Masked: {counts}.")


_MOST_FILES = 5
