"""Commands that report on a corpus."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from izwi.cli.groups import report_app
from izwi.model.errors import QueryError

if TYPE_CHECKING:
    from izwi.model.card import CorpusCard
    from izwi.model.comparison import CorpusComparison


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    report_app.command("card", epilog="Example: izwi report card news --html card.html")(card)
    report_app.command("compare", epilog="Example: izwi report compare news reference")(compare)


def card(
    folder: Annotated[Path, typer.Argument(help="The corpus folder.", metavar="FOLDER")],
    html: Annotated[
        Path | None, typer.Option(help="Write the card with charts as an HTML page.")
    ] = None,
    version: Annotated[int | None, typer.Option(help="An earlier version.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Say what the corpus is made of, what was lost, who owns it, and how good it is."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render
    from izwi.export.card import card_page
    from izwi.store.files import disk_errors, write_text

    found = Corpus(folder).card(version=version)
    if html is not None:
        with disk_errors():
            write_text(html, card_page(found))
    if as_json:
        render.show_json(found)
        return
    render.show_funnel(found.funnel)
    for name in ("languages", "sources", "hosts", "date_evidence", "licences"):
        shares = getattr(found, name)
        told = ", ".join(f"{each.name or 'not known'} {each.tokens:,}" for each in shares[:8])
        render.out.print(f"{name.replace('_', ' ')} (tokens): {told}", soft_wrap=True)
    render.out.print(
        f"{render.counted(found.hosts_in_all, 'host')}, as varied as {found.effective_hosts:g} of "
        "equal size."
    )
    _show_rights_and_quality(found)


def _show_rights_and_quality(found: "CorpusCard") -> None:
    from izwi.cli import render

    for each in found.rights:
        said = f"{each.documents:,} documents here, {each.refused:,} pages not taken"
        render.out.print(f"{each.signal}, {each.source}: {said}", soft_wrap=True)
    for line in found.quality:
        value = f"{line.measure} {line.value:.3f} by {line.judged:,} {line.gold}"
        render.out.print(f"{line.what}: {value}", soft_wrap=True)
    if not found.quality:
        render.out.print("quality: not known; no page is labelled, no document audited")


def compare(
    folder: Annotated[Path, typer.Argument(help="The corpus folder.", metavar="FOLDER")],
    other: Annotated[Path, typer.Argument(help="Another corpus, or the same.", metavar="OTHER")],
    versions: Annotated[
        str, typer.Option(help="Which version of each, e.g. 1,3; the newest if absent.")
    ] = "",
    html: Annotated[
        Path | None, typer.Option(help="Write the comparison with charts as an HTML page.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Put two corpora, or two versions of one, side by side."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render
    from izwi.export.comparison import comparison_page
    from izwi.store.files import disk_errors, write_text

    first, second = _versions(versions)
    found = Corpus(folder).comparison(other, version=first, other_version=second)
    if html is not None:
        with disk_errors():
            write_text(html, comparison_page(found))
    render.show_json(found) if as_json else _show(found)


def _versions(text: str) -> tuple[int | None, int | None]:
    if not text:
        return None, None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        raise QueryError(f"--versions takes two numbers such as 1,3, not '{text}'.")
    return int(parts[0]), int(parts[1])


def _show(found: "CorpusComparison") -> None:
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
