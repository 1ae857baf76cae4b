"""Taking pages down, and rewriting files."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from izwi.cli.options import AsJson, Folder, Workers

if TYPE_CHECKING:
    from izwi.service.takedown import TakedownReport

_MOST_TRACES = 10


def register(app: typer.Typer) -> None:
    """Add these commands."""
    example = 'izwi takedown news https://example.org/page --reason "asked by the owner"'
    app.command(epilog=f"Example: {example}")(takedown)
    app.command(epilog="Example: izwi compact news")(compact)


def takedown(
    folder: Folder,
    target: Annotated[str, typer.Argument(help="A URL, or a host with all below it.")],
    reason: Annotated[str, typer.Option(help="Who asked, and why; kept in the record.")],
    as_json: AsJson = False,
) -> None:
    """Take a URL or a host out of serving at once; it is never fetched again."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    with render.progress(is_quiet=as_json) as listener:
        report = Corpus(folder).takedown(target, reason=reason, listener=listener)
    if as_json:
        render.show_json(report)
        return
    for line in _told(report, folder):
        render.out.print(line, soft_wrap=True, markup=False)


def _told(report: "TakedownReport", folder: Path) -> Iterator[str]:
    """Yield what there is to say: what was done, and what else may have to be."""
    from izwi.cli.render import counted

    if not report.captures:
        yield f"No page of this corpus is at {report.target}; it will not be fetched."
        if report.alike:
            yield f"Did you mean: {', '.join(report.alike)}"
        return
    are = "is" if report.captures == 1 else "are"
    yield (
        f"{report.target}: {counted(report.captures, 'page')} {are} out of serving and will not "
        f"be fetched again. To rewrite the files too: izwi compact {folder}"
    )
    if report.traces:
        yield (
            f"{counted(len(report.traces), 'other document')} with its words or a link to it; "
            "take down too, if they tell the same:"
        )
    for trace in report.traces[:_MOST_TRACES]:
        yield f"  {trace.url}  {f'“{trace.quotes}”' if trace.quotes else 'links to it'}"
    if len(report.traces) > _MOST_TRACES:
        yield "  and more; --json lists them all"


def compact(folder: Folder, workers: Workers = 0, as_json: AsJson = False) -> None:
    """Take what was taken down out of the files, join small ones, and build what is new."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    with render.progress(is_quiet=as_json) as listener:
        report = Corpus(folder).compact(workers=workers, listener=listener)
    render.show_json(report) if as_json else render.show_report(report)
