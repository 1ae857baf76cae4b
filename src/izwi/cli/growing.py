"""Commands that keep a corpus growing: watch its sources, look at new ones, lists of feeds."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from izwi.cli.groups import sources_app
from izwi.cli.options import AsJson, Folder, Proxy, Workers, me
from izwi.model.errors import QueryError, SourceError

if TYPE_CHECKING:
    from izwi.service.checking import SourceCheck

Names = Annotated[list[str], typer.Argument(help="Names of sources.", metavar="NAME...")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(epilog="Example: izwi watch news --every 10m")(watch)
    add = sources_app.command
    add("check", epilog="Example: izwi sources check news https://example.org/")(check)
    add("import", epilog="Example: izwi sources import news feeds.opml")(import_opml)
    add("export", epilog="Example: izwi sources export news > feeds.opml")(export_opml)
    add("packs", epilog="Example: izwi sources packs")(show_packs)
    add("pause", epilog="Example: izwi sources pause news egolipost")(pause)
    example = "Example: izwi sources no-trap news crawl example.org/calendar"
    add("no-trap", epilog=example)(no_trap)
    add("resume", epilog="Example: izwi sources resume news egolipost")(resume)


def watch(
    folder: Folder,
    every: Annotated[str, typer.Option(help="The rest between two rounds.")] = "5m",
    duration: Annotated[str, typer.Option("--for", help='End after this long, e.g. "2h".')] = "",
    proxy: Proxy = "",
    workers: Workers = 0,
    as_json: AsJson = False,
) -> None:
    """Gather what is due and build what is new, again and again, until stopped."""
    from izwi.cases.corpus import Corpus
    from izwi.cases.watching import Stop
    from izwi.cases.watching import watch as rounds
    from izwi.cli import render

    stop = Stop()
    with render.progress(is_quiet=as_json) as listener:
        for report in rounds(
            Corpus(folder),
            rest_seconds=_seconds("--every", every),
            seconds=_seconds("--for", duration) if duration else None,
            proxy=proxy,
            workers=workers,
            listener=listener,
            stop=stop,
        ):
            render.show_json(report) if as_json else render.show_report(report)
    if stop.signals:
        raise typer.Exit(128 + stop.signals[0])


def check(
    folder: Folder,
    url: Annotated[
        str, typer.Argument(help="A home page, feed, site map or archive page; or a source's name.")
    ],
    proxy: Proxy = "",
    as_json: AsJson = False,
) -> None:
    """Look at an address before adding it: robots, feeds, dates, pages a day; stores nothing."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    found = Corpus(folder).check_source(url, proxy=proxy)
    render.show_json(found) if as_json else _show(found)
    if not found.is_reached:
        raise typer.Exit(1)


def import_opml(
    folder: Folder,
    path: Annotated[Path, typer.Argument(help="An OPML file.")],
    as_json: AsJson = False,
) -> None:
    """Add every feed of an OPML list that is not there yet."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read: {error}.") from None
    added = Corpus(folder).import_opml(text, by=me())
    if as_json:
        render.show_json({"added": added})
        return
    words = render.counted(len(added), "feed")
    render.out.print(f"Added {words}. Next: izwi run {folder}", soft_wrap=True)


def show_packs(as_json: AsJson = False) -> None:
    """List the packs of sources that come along; nothing is fetched or added."""
    from izwi.cli import render
    from izwi.service.packs import packs

    if as_json:
        render.show_json(packs())
        return
    for pack in packs():
        words = f"{pack.name}  {pack.title} (version {pack.version}, {len(pack.sources)} sources)"
        render.out.print(words, soft_wrap=True, markup=False)
        render.out.print(f"  {pack.note}", soft_wrap=True, markup=False)


def add_pack(folder: Path, pack: str, url: str, *, as_json: bool) -> None:
    """Add the sources of a pack, and say what is known of them."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render
    from izwi.service.packs import pack_named

    if url:
        raise QueryError("Give an address or --pack, not both.")
    added = Corpus(folder).add_pack(pack, by=me())
    if as_json:
        render.show_json({"added": added})
        return
    render.out.print(pack_named(pack).note, soft_wrap=True, markup=False)
    render.out.print(
        f"Added {len(added)} sources of the pack '{pack}'; nothing was fetched. Next: izwi run "
        f"{folder} --limit 50",
        soft_wrap=True,
    )


def pause(folder: Folder, names: Names, as_json: AsJson = False) -> None:
    """Let sources rest: nothing of them is fetched until they are resumed."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    rest = Corpus(folder).pause_sources(names, by=me())
    words = f"{', '.join(rest)}: paused. Go on with: izwi sources resume {folder} {rest[0]}"
    render.show_json({"paused": rest}) if as_json else render.out.print(words, soft_wrap=True)


def resume(folder: Folder, names: Names, as_json: AsJson = False) -> None:
    """Let sources that rest go on from where they were."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    woken = Corpus(folder).resume_sources(names, by=me())
    words = f"{', '.join(woken)}: resumed. Next: izwi run {folder}"
    render.show_json({"resumed": woken}) if as_json else render.out.print(words, soft_wrap=True)


def no_trap(
    folder: Folder,
    source: Annotated[str, typer.Argument(help="The crawl's name.")],
    pattern: Annotated[
        str, typer.Argument(help="The pattern as `izwi drops --reason trap` has it.")
    ],
    as_json: AsJson = False,
) -> None:
    """Say that a pattern of addresses is no trap: the next run fetches what was left out of it."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    opened = Corpus(folder).open_trap(source, pattern, by=me())
    words = f"{pattern}: no trap. What was left out of it is fetched by: izwi run {folder}"
    render.show_json({"no_traps": opened}) if as_json else render.out.print(words, soft_wrap=True)


def export_opml(folder: Folder, as_json: AsJson = False) -> None:
    """Print the feeds as an OPML list that feed readers take."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    text = Corpus(folder).export_opml()
    render.show_json({"opml": text}) if as_json else sys.stdout.write(text)


def _show(found: "SourceCheck") -> None:
    from rich.markup import escape

    from izwi.cli.render import counted, out

    if not found.is_reached:
        out.print(f"{escape(found.problem)}. Look at the spelling of the address.", soft_wrap=True)
        return
    allowed = "may be fetched" if found.is_allowed else "may not be fetched"
    wait = f", {found.delay_seconds:g} s between requests" if found.delay_seconds else ""
    out.print(f"{escape(found.url)} {allowed} (robots.txt {found.robots}{wait})", soft_wrap=True)
    if found.problem:
        out.print(f"problem: {escape(found.problem)}", soft_wrap=True)
    if found.rights:
        out.print(f"rights: {escape(found.rights)}", soft_wrap=True)
    if found.needs_browser:
        out.print("scripts make its text: write browser = true below the source", soft_wrap=True)
    for each in found.lists:
        dates = f", {each.first} to {each.last}" if each.first else ", no dates"
        pace = f", {_pace(each.per_day)}" if each.per_day is not None else ""
        items = counted(each.items, "item")
        out.print(f"{each.kind} {escape(each.url)}: {items}{dates}{pace}", soft_wrap=True)
    for archive in found.archive:
        out.print(
            f"{escape(archive.url)} lists {archive.articles} articles at "
            f"{escape(archive.place or '?')}, for example:",
            soft_wrap=True,
        )
        for example in archive.examples:
            out.print(f"  {escape(example)}", soft_wrap=True)
        out.print(f"  next page: {escape(archive.next or 'none found')}", soft_wrap=True)
        if archive.problem:
            out.print(f"  problem: {escape(archive.problem)}", soft_wrap=True)
    for page in found.archive_pages:
        out.print(f"archive page {escape(page)}", soft_wrap=True)


def _pace(per_day: float) -> str:
    """Return how often something comes, in the largest unit in which it comes at least once.

    >>> _pace(3.5), _pace(0.2), _pace(0.05), _pace(0.01)
    ('3.5 a day', '1.4 a week', '1.5 a month', '4 a year')
    """
    for unit, days in (("day", 1), ("week", 7), ("month", 30.4)):
        if per_day * days >= 1:
            return f"{per_day * days:.2g} a {unit}"
    return f"{max(1, round(per_day * 365))} a year"


def _seconds(option: str, text: str) -> float:
    from izwi.config.units import seconds

    try:
        return seconds(text)
    except ValueError as error:
        raise QueryError(f"{option}: {error}.") from None
