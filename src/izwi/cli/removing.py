"""Taking pages down, and rewriting files."""

from typing import Annotated

import typer

from izwi.cli.options import AsJson, Folder, Workers


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(epilog="Example: izwi takedown news https://example.org/page")(takedown)
    app.command(epilog="Example: izwi compact news")(compact)


def takedown(
    folder: Folder,
    target: Annotated[str, typer.Argument(help="A URL, or a host with all below it.")],
    reason: Annotated[str, typer.Option(help="Who asked, and why; kept in the record.")] = "",
    as_json: AsJson = False,
) -> None:
    """Take a URL or a host out of serving at once; it is never fetched again."""
    from izwi.cli import render
    from izwi.service.corpus import Corpus

    with render.progress(is_quiet=as_json) as listener:
        report = Corpus(folder).takedown(target, reason=reason, listener=listener)
    if as_json:
        render.show_json(report)
        return
    render.out.print(
        f"{report.target}: {report.captures} captures are out of serving and will not be fetched "
        f"again. To rewrite the files too: izwi compact {folder}",
        soft_wrap=True,
    )


def compact(folder: Folder, workers: Workers = 0, as_json: AsJson = False) -> None:
    """Take what was taken down out of the files, join small ones, and build what is new."""
    from izwi.cli import render
    from izwi.service.corpus import Corpus

    with render.progress(is_quiet=as_json) as listener:
        report = Corpus(folder).compact(workers=workers, listener=listener)
    render.show_json(report) if as_json else render.show_report(report)
