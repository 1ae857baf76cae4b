"""Commands that report on where a corpus comes from: coverage and host bias."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from izwi.cli.groups import report_app
from izwi.cli.options import AsJson, Folder, Proxy

if TYPE_CHECKING:
    from rich.table import Table

    from izwi.model.hostbias import HostBias


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    report_app.command(
        "coverage", epilog="Example: izwi report coverage news list.cdx --source egolipost"
    )(coverage)
    report_app.command("hosts", epilog="Example: izwi report hosts news --svg hosts.svg")(hosts)


def coverage(
    folder: Folder,
    cdx: Annotated[str, typer.Argument(help="A CDX list: a file or an address.")],
    source: Annotated[str, typer.Option(help="Only the pages of one source.")] = "",
    by: Annotated[str, typer.Option(help="Compare by url or by slug.")] = "url",
    proxy: Proxy = "",
    as_json: AsJson = False,
) -> None:
    """Compare the captured pages with what a web archive has of the same site."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    found = Corpus(folder).coverage(cdx, source=source, by=by, proxy=proxy)  # type: ignore[arg-type]
    if as_json:
        render.show_json(found)
        return
    share = f"{found.share:.1%}" if found.share is not None else "nothing"
    render.out.print(
        f"The list has {found.theirs} pages, the corpus {found.ours}; both have {found.both}: "
        f"{share} of the list (compared by {found.by}).",
        soft_wrap=True,
    )
    for words, urls in (("the list", found.only_theirs), ("the corpus", found.only_ours)):
        for url in urls[:5]:
            render.out.print(f"only in {words}: {url}", soft_wrap=True, markup=False)


def hosts(
    folder: Folder,
    svg: Annotated[Path | None, typer.Option(help="Write the curves as an SVG picture.")] = None,
    version: Annotated[int | None, typer.Option(help="An earlier version.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say which share of seeds, captures and documents the most frequent hosts contribute."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render
    from izwi.store.files import disk_errors, write_text

    found = Corpus(folder).host_bias(version=version)
    if svg is not None:
        with disk_errors():
            write_text(svg, found.svg())
    if as_json:
        render.show_json(found)
        return
    render.out.print(_bias_table(found))


def _bias_table(found: "HostBias") -> "Table":
    """Return the curves side by side: a row for each number of hosts."""
    from rich.table import Table

    table = Table("", *(curve.name for curve in found.curves), box=None, pad_edge=False)
    for words, key in (
        ("documents", "documents"),
        ("hosts", "hosts"),
        ("hosts that give half", "half"),
    ):
        table.add_row(words, *(f"{getattr(curve, key):,}" for curve in found.curves))
    shares = [dict(curve.points) for curve in found.curves]
    for number in sorted({number for points in shares for number in points}):
        cells = (f"{points[number]:.1%}" if number in points else "" for points in shares)
        table.add_row(f"share of the first {number:,}", *cells)
    return table
