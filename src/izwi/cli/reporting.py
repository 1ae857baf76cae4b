"""Commands that report on a corpus."""

from pathlib import Path
from typing import Annotated

import typer

from izwi.cli.groups import report_app


def register() -> None:
    """Add the commands of this file."""
    report_app.command("card", epilog="Example: izwi report card news --html card.html")(card)


def card(
    folder: Annotated[Path, typer.Argument(help="The corpus folder.", metavar="FOLDER")],
    html: Annotated[
        Path | None, typer.Option(help="Write the card with charts as an HTML page.")
    ] = None,
    version: Annotated[int | None, typer.Option(help="An earlier version.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Say what the corpus is made of: years, languages, sources, hosts, dates, losses."""
    from izwi.cli import render
    from izwi.export.card import card_page
    from izwi.service.corpus import Corpus
    from izwi.store.files import disk_errors, write_text

    found = Corpus(folder).card(version=version)
    if html is not None:
        with disk_errors():
            write_text(html, card_page(found))
    if as_json:
        render.show_json(found)
        return
    render.show_funnel(found.funnel)
    for name in ("languages", "sources", "hosts", "date_evidence"):
        shares = getattr(found, name)
        told = ", ".join(f"{each.name or 'not known'} {each.tokens:,}" for each in shares[:8])
        render.out.print(f"{name.replace('_', ' ')} (tokens): {told}", soft_wrap=True)
    render.out.print(
        f"{found.hosts_in_all} hosts, as varied as {found.effective_hosts} of equal size."
    )
