"""Commands that report on where a corpus comes from: coverage and host bias."""

from pathlib import Path
from typing import Annotated

import typer

from izwi.cli.groups import report_app
from izwi.cli.options import AsJson, Folder, Proxy


def register() -> None:
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
    from izwi.cli import render
    from izwi.service.corpus import Corpus

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
    from izwi.cli import render
    from izwi.service.corpus import Corpus
    from izwi.store.files import disk_errors, write_text

    found = Corpus(folder).host_bias(version=version)
    if svg is not None:
        with disk_errors():
            write_text(svg, found.svg())
    if as_json:
        render.show_json(found)
        return
    for curve in found.curves:
        told = ", ".join(f"{number}: {share:.0%}" for number, share in curve.points)
        render.out.print(
            f"{curve.name}: {curve.documents} documents of {curve.hosts} hosts, half of them of "
            f"{curve.half} (share by the most frequent hosts: {told or 'none'})",
            soft_wrap=True,
        )
