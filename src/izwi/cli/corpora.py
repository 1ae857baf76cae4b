"""Commands that are no question to one corpus: make it, watch it, serve it, move it, restore it."""

from pathlib import Path
from typing import Annotated

import typer

from izwi.cli.groups import GROUPS, AsJson, Folder, NewFolder, Proxy, Workers
from izwi.model.errors import QueryError

_VERTICAL = "Example: izwi import vertical news.vert news --attributes word,lemma,tag"
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
    from izwi.cases.corpus import new_corpus
    from izwi.cli import render

    corpus = new_corpus(
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


@_app.command(epilog="Example: izwi watch news --every 10m")
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
    from izwi.cases.long_runs import Stop
    from izwi.cases.long_runs import watch as rounds
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


@GROUPS["import"].command("vertical", epilog=_VERTICAL)
def import_vertical(
    file: Annotated[Path, typer.Argument(help="Vertical text, one token a line; may be .gz.")],
    folder: NewFolder,
    attributes: Annotated[str, typer.Option(help="What the columns are, in order.")] = "",
    structures: Annotated[str, typer.Option(help="Which tags are structures.")] = "",
    registry: Annotated[
        Path | None, typer.Option(help="A registry file of CWB or Manatee that names them.")
    ] = None,
    name: Annotated[str, typer.Option(help="Short name of a new corpus.")] = "",
    memory: Annotated[str, typer.Option(help="Working memory.")] = "1 GiB",
    as_json: AsJson = False,
) -> None:
    """Make a searchable corpus from vertical text, or add to one."""
    from izwi.cases.runs import import_vertical as taken_in
    from izwi.cli import render

    done = taken_in(
        file,
        folder,
        attributes=_names(attributes),
        structures=_names(structures),
        registry=registry,
        name=name,
        memory=memory,
    )
    if as_json:
        render.show_json(done)
        return
    render.out.print(
        f"{done.tokens:,} tokens in {done.documents:,} documents are searchable as version "
        f"{done.snapshot}. Next: izwi query {folder} WORD",
        soft_wrap=True,
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


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
        Path | None,
        typer.Option(
            help="Where it is built and kept; used again if it is there. "
            "demo-corpus if absent, with --large large-demo-corpus."
        ),
    ] = None,
    large: Annotated[
        bool,
        typer.Option("--large", help="2,000 generated texts, a million tokens, for sketches."),
    ] = False,
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
    from izwi.cli.serving import run_demo, serve_web

    if web:
        serve_web(port or 0)
        return
    place = folder or Path("large-demo-corpus" if large else "demo-corpus")
    run_demo(place, is_large=large, is_served=serve, is_shown=browser, port=port, as_json=as_json)


@_app.command(epilog="Example: izwi doctor news")
def doctor(
    folder: Annotated[
        Path | None, typer.Argument(help="A corpus folder.", metavar="FOLDER")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Look at this machine and a corpus, and say what would mend what is amiss."""
    from izwi.cases.doctor import examine
    from izwi.cli import render

    findings = examine(folder, scrubbed=None)
    render.show_json(findings) if as_json else render.show_findings(findings)
    if not all(finding.is_well for finding in findings if finding.check != "browser"):
        raise typer.Exit(1)


def _seconds(option: str, text: str) -> float:
    from izwi.model.notation import seconds

    try:
        return seconds(text)
    except ValueError as error:
        raise QueryError(f"{option}: {error}.") from None


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


@_app.command(epilog="Example: izwi move news s3://corpora/news")
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


@_app.command(epilog="Example: izwi restore /backups/news-2026-01-31T02-00-00.tar news")
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
