"""The commands of a corpus's life: make it, gather, build, look at it, search it, serve it."""

from pathlib import Path
from typing import Annotated, Any

import typer

from izwi.cli.choosing import ASKED, choosing
from izwi.cli.groups import sources_app
from izwi.cli.options import AsJson, Chart, Folder, Proxy, Workers, me
from izwi.model.errors import QueryError
from izwi.model.results import RunReport

NewFolder = Annotated[Path, typer.Argument(help="The corpus folder.", metavar="FOLDER")]
Duration = Annotated[str, typer.Option("--for", help='Stop after this long, e.g. "2h".')]
Limit = Annotated[int | None, typer.Option("--limit", help="Stop after this many pages.", min=1)]
_app = typer.Typer()


def register(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.registered_commands += _app.registered_commands


@_app.command(epilog="Example: izwi init news --contact https://example.org/bot --language en")
def init(
    folder: NewFolder,
    contact: Annotated[
        str,
        typer.Option(help="Where site owners reach you; goes into the User-Agent.", prompt=True),
    ],
    name: Annotated[str, typer.Option(help="Short name; made from the folder if not given.")] = "",
    title: Annotated[str, typer.Option(help="The name people read.")] = "",
    language: Annotated[
        list[str] | None, typer.Option(help="A language wanted; repeatable.")
    ] = None,
    pack: Annotated[
        list[str] | None,
        typer.Option(help="A language pack: a folder, or the name of an installed one."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a corpus folder with a commented corpus.toml."""
    from izwi.cases.corpus import create_corpus
    from izwi.cli import render
    from izwi.service.setup import check_contact

    check_contact(contact)
    corpus = create_corpus(
        folder,
        contact=contact,
        name=name,
        title=title,
        languages=tuple(language or ()),
        packs=pack or (),
    )
    if as_json:
        render.show_json({"name": corpus.name, "path": str(corpus.path)})
        return
    render.out.print(
        f"Made {folder / 'corpus.toml'}. Next: izwi sources add {folder} URL", soft_wrap=True
    )


@sources_app.command("add", epilog="Example: izwi sources add news https://example.org/feed.xml")
def sources_add(
    folder: Folder,
    url: Annotated[str, typer.Argument(help="A feed, or a page to begin from.")] = "",
    type: Annotated[
        str, typer.Option(help="feed, seeds, crawl, sitemap, portal, archive or focused.")
    ] = "",
    name: Annotated[str, typer.Option(help="Its name; made from the address if absent.")] = "",
    depth: Annotated[int, typer.Option(help="seeds: how many links to follow.", min=0)] = 0,
    every: Annotated[str, typer.Option(help='feed: how often it is read, e.g. "1h".')] = "",
    since: Annotated[str, typer.Option(help="portal, archive: first date, 2010-01-31.")] = "",
    pack: Annotated[
        str, typer.Option(help="Add the sources of this pack (see izwi sources packs).")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Add a source, or those of a pack, to corpus.toml; your other lines stay as they are."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    if pack:
        from izwi.cli import growing

        growing.add_pack(folder, pack, url, as_json=as_json)
        return
    if not url:
        raise QueryError("Give the address of a feed or a page, or --pack NAME.")
    added = Corpus(folder).add_source(
        url, type=type, name=name, depth=depth, every=every, since=since, by=me()
    )
    if as_json:
        render.show_json({"added": added})
        return
    render.out.print(f"Added source '{added}'. Next: izwi run {folder}", soft_wrap=True)


@sources_app.command("list", epilog="Example: izwi sources list news")
def sources_list(folder: Folder, as_json: AsJson = False) -> None:
    """List the sources with what has come of each."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    sources = Corpus(folder).sources()
    render.show_json(sources) if as_json else render.show_sources(sources)


@_app.command(epilog="Example: izwi gather news --for 2h")
def gather(
    folder: Folder,
    duration: Duration = "",
    limit: Limit = None,
    size: Annotated[str, typer.Option(help='Stop after so many bytes, e.g. "2 GB".')] = "",
    proxy: Proxy = "",
    as_json: AsJson = False,
) -> None:
    """Fetch what the sources offer, politely; run again to go on."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    with render.progress(is_quiet=as_json) as listener:
        report = Corpus(folder).gather(
            seconds=_seconds(duration),
            pages=limit,
            size=_bytes(size),
            proxy=proxy,
            listener=listener,
        )
    _end(report, as_json)


@_app.command(epilog="Example: izwi build news")
def build(
    folder: Folder,
    workers: Workers = 0,
    runner: Annotated[str, typer.Option(help="serial, processes or dask.")] = "",
    as_json: AsJson = False,
) -> None:
    """Do exactly what is stale: text, language, copies, tokens, index."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    with render.progress(is_quiet=as_json) as listener:
        report = Corpus(folder).build(workers=workers, runner=runner, listener=listener)
    _end(report, as_json)


@_app.command(epilog="Example: izwi run news --limit 300")
def run(
    folder: Folder,
    duration: Duration = "",
    limit: Limit = None,
    proxy: Proxy = "",
    workers: Workers = 0,
    as_json: AsJson = False,
) -> None:
    """Gather, then build."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    with render.progress(is_quiet=as_json) as listener:
        report = Corpus(folder).run(
            seconds=_seconds(duration), pages=limit, proxy=proxy, workers=workers, listener=listener
        )
    _end(report, as_json)


@_app.command(epilog="Example: izwi status news")
def status(folder: Folder, as_json: AsJson = False) -> None:
    """Say per stage what is current, stale (and which key changed), missing, failed."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    result = Corpus(folder).status()
    render.show_json(result) if as_json else render.show_status(result)


@_app.command(epilog="Example: izwi drops news --reason other-language --lines")
def drops(
    folder: Folder,
    outcome: Annotated[
        str, typer.Option(help="kept, waiting, dropped, failed or redirected.")
    ] = "",
    stage: Annotated[str, typer.Option(help="The stage that decided.")] = "",
    reason: Annotated[str, typer.Option(help="The reason given.")] = "",
    source: Annotated[str, typer.Option(help="One source.")] = "",
    url: Annotated[str, typer.Option(help="Part of the URL.")] = "",
    lines: Annotated[
        bool, typer.Option("--lines", help="List the URLs, not only the counts.")
    ] = False,
    first: Annotated[int, typer.Option(help="Leave out so many lines.", min=0)] = 0,
    most: Annotated[int, typer.Option(help="List at most so many lines.", min=0)] = 100,
    as_json: AsJson = False,
) -> None:
    """List and count what became of every URL, and why."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    found = Corpus(folder).drops(
        outcome=outcome, stage=stage, reason=reason, source=source, url=url, first=first, most=most
    )
    render.show_json(found) if as_json else render.show_ledger(found, has_lines=lines or bool(url))


@_app.command(epilog="Example: izwi query news 'load-shedding' --sort left")
@choosing(*ASKED)
def query(
    folder: Folder,
    text: Annotated[str, typer.Argument(help="A word, a phrase or CQL.", metavar="QUERY")],
    sort: Annotated[
        str,
        typer.Option(
            help="date, newest, left, node, right, source, random, example, or tokens such as "
            "matchend[1].lemma; or several with commas."
        ),
    ] = "date",
    page: Annotated[int, typer.Option(help="Which page of lines.")] = 1,
    size: Annotated[int, typer.Option(help="Lines per page.")] = 20,
    context: Annotated[int, typer.Option(help="Tokens on each side.")] = 12,
    seed: Annotated[int, typer.Option(help="For --sort random.")] = 1,
    unit: Annotated[
        str, typer.Option(help="Context in tokens or characters, or the sentence or paragraph.")
    ] = "tokens",
    near: Annotated[
        str, typer.Option(help="Only lines with this (CQL) nearby.", metavar="CQL")
    ] = "",
    window: Annotated[int, typer.Option(help="How many tokens away --near looks.")] = 5,
    first: Annotated[
        bool, typer.Option("--first", help="Only the first line of each document.")
    ] = False,
    sample: Annotated[int, typer.Option(help="At most so many lines, by chance (--seed).")] = 0,
    translate: Annotated[
        str,
        typer.Option(
            help="Search for translations: a list (word, tab, translation), or the address of a "
            "LibreTranslate-like service."
        ),
    ] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the lines as CSV.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say how it is answered and what it costs; no lines.")
    ] = False,
    chart: Chart = None,
    as_json: AsJson = False,
    **chosen: Any,
) -> None:
    """Find a word, a phrase or a CQL query and print its lines in context."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render
    from izwi.cli.drawing import draw

    if explain:
        names = ("mode", "case", "version")
        how = Corpus(folder).explain(text, **{name: chosen[name] for name in names})
        render.show_json(how) if as_json else render.show_lines(how.sentences())
        return
    found = Corpus(folder).concordance(
        text,
        sort=sort,
        page=page,
        size=size,
        context=context,
        seed=seed,
        unit=unit,
        near=near,
        window=window,
        first=first,
        sample=sample,
        translate=translate,
        **chosen,
    )
    draw(found, chart)
    if as_csv:
        render.show_csv(found)
        return
    render.show_json(found) if as_json else render.show_concordance(found)


@_app.command(epilog="Example: izwi info news")
def info(
    folder: Folder,
    version: Annotated[int | None, typer.Option(help="An earlier version.")] = None,
    chart: Chart = None,
    as_json: AsJson = False,
) -> None:
    """Say what the corpus holds."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render
    from izwi.cli.drawing import draw

    summary = Corpus(folder).summary(version=version)
    draw(summary, chart)
    render.show_json(summary) if as_json else render.show_summary(summary)


@_app.command(epilog="Example: izwi serve news --port 8000")
def serve(
    folders: Annotated[
        list[Path], typer.Argument(help="One or more corpus folders.", metavar="FOLDER...")
    ],
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=0, max=65535)] = 8000,
    schedule: Annotated[
        bool, typer.Option("--schedule", help="Start the runs of the section schedule, too.")
    ] = False,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A name under which a web server of yours passes requests on."),
    ] = None,
    log: Annotated[
        str,
        typer.Option(
            help="A file for a log of JSON lines with the numbers of requests; - is this terminal.",
            envvar="IZWI_LOG",
            metavar="FILE",
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Serve the web pages; curators sign in (see izwi users), others read."""
    import os

    from izwi.cli.serving import serve_folders

    os.environ["IZWI_LOG"] = log
    serve_folders(
        folders, host=host, port=port, has_schedule=schedule, names=name or (), as_json=as_json
    )


@_app.command(epilog="Example: izwi demo --folder demo --no-serve")
def demo(
    folder: Annotated[
        Path, typer.Option(help="Where it is built and kept; used again if it is there.")
    ] = Path("demo-corpus"),
    serve: Annotated[bool, typer.Option(help="Serve the pages afterwards.")] = True,
    browser: Annotated[bool, typer.Option(help="Open a browser window.")] = True,
    port: Annotated[
        int | None,
        typer.Option(help="Port to listen on; from 8000 the first free.", min=0, max=65535),
    ] = None,
    web: Annotated[
        bool, typer.Option("--web", help="Only serve the small web itself, for the tutorial.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Build a corpus from a small web that comes along, and show it. Works offline."""
    from izwi.cli.demo import run_demo, serve_web

    if web:
        serve_web(port or 0)
        return
    run_demo(folder, is_served=serve, is_shown=browser, port=port, as_json=as_json)


@_app.command(epilog="Example: izwi doctor news")
def doctor(
    folder: Annotated[
        Path | None, typer.Argument(help="A corpus folder.", metavar="FOLDER")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Look at this machine and a corpus, and say what would mend what is amiss."""
    from izwi.cli import render
    from izwi.service.doctor import examine

    findings = examine(folder, scrubbed=None)
    render.show_json(findings) if as_json else render.show_findings(findings)
    if not all(finding.is_well for finding in findings if finding.check != "browser"):
        raise typer.Exit(1)


def _end(report: RunReport, as_json: bool) -> None:
    """Show how a run ended; failures of single shards are exit status 1."""
    from izwi.cli import render

    render.show_json(report) if as_json else render.show_report(report)
    if report.was_stopped:
        raise typer.Exit(128 + (report.stopped_by or 2))
    if report.failures:
        raise typer.Exit(1)


def _seconds(text: str) -> float | None:
    from izwi.config.units import seconds

    try:
        return seconds(text) if text else None
    except ValueError as error:
        raise QueryError(f"--for: {error}.") from None


def _bytes(text: str) -> int | None:
    from izwi.config.units import size_bytes

    try:
        return size_bytes(text) if text else None
    except ValueError as error:
        raise QueryError(f"--size: {error}.") from None


@_app.command(epilog="Example: izwi plugins --check")
def plugins(
    check: Annotated[bool, typer.Option("--check", help="Load each and say what fails.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the installed parts by kind: sources, extractors and so on, and where each is from."""
    from izwi.cli import render
    from izwi.plugins import overview

    parts = overview(is_tried=check)
    if as_json:
        render.show_json(parts)
        return
    render.show_plugins(parts)
    if any(part.problem for part in parts):
        raise typer.Exit(1)
