"""A corpus moved to an object store and back, and made of a backup again."""

from pathlib import Path
from typing import Annotated

import typer

from izwi.cli.groups import AsJson
from izwi.model.errors import QueryError


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(epilog="Example: izwi move news s3://corpora/news")(move)
    app.command(epilog="Example: izwi restore /backups/news-2026-01-31T02-00-00.tar news")(restore)


def move(
    source: Annotated[Path, typer.Argument(help="A corpus folder, or an address (s3://...).")],
    target: Annotated[Path, typer.Argument(help="An address, or a new folder.")],
    as_json: AsJson = False,
) -> None:
    """Send a corpus folder to an object store (s3://bucket/news), or bring one here as a folder."""
    from izwi.cases.backup import move as move_corpus
    from izwi.cli import render

    with render.progress(is_quiet=as_json) as listener:
        report = move_corpus(source, target, listener=listener)
    if as_json:
        render.show_json(report)
        return
    gone = f" {report.removed:,} that are no more were removed." if report.removed else ""
    render.out.print(
        f"{report.target}: {report.files:,} files, {report.moved:,} of them new "
        f"({report.size_bytes:,} bytes).{gone}"
    )


def restore(
    file: Annotated[Path, typer.Argument(help="What izwi backup wrote.")],
    folder: Annotated[Path | None, typer.Argument(help="A new folder.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only compare the sums.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a corpus folder of a backup; every sum is compared before the folder is there."""
    from izwi.cases.backup import restore as restore_corpus
    from izwi.cli import render

    if check == (folder is not None):
        raise QueryError("Give a new folder for the corpus, or --check.")
    with render.progress(is_quiet=as_json) as listener:
        report = restore_corpus(file, folder, listener=listener)
    if as_json:
        render.show_json(report)
        return
    done = f"is now in {folder}" if folder else "is whole"
    render.out.print(
        f"'{report.corpus}' of {report.made} {done}: {report.files:,} files, "
        f"{report.size_bytes:,} bytes, all sums right."
    )
