"""Commands that go on until they are stopped: watch, serve, demo. Their answer never ends."""

from pathlib import Path
from typing import Annotated

import typer

from izwi.cli.groups import ALL, AsJson, Folder, Proxy, Workers


@ALL.command(epilog="Example: izwi watch news --every 10m")
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
    from izwi.model.notation import in_unit, seconds

    stop = Stop()
    with render.progress(is_quiet=as_json) as listener:
        for report in rounds(
            Corpus(folder),
            rest_seconds=in_unit("--every", seconds)(every),
            seconds=in_unit("--for", seconds)(duration) if duration else None,
            proxy=proxy,
            workers=workers,
            listener=listener,
            stop=stop,
        ):
            render.show_json(report) if as_json else render.show_report(report)
    if stop.signals:
        raise typer.Exit(128 + stop.signals[0])


@ALL.command(epilog="Example: izwi serve news --port 8000")
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


@ALL.command(epilog="Example: izwi demo --folder demo --no-serve")
def demo(
    folder: Annotated[
        Path | None,
        typer.Option(
            help="Where it is built and kept; used again if it is there. "
            "demo-corpus if absent, with --large large-demo-corpus."
        ),
    ] = None,
    large: Annotated[
        bool, typer.Option("--large", help="2,000 generated texts, a million tokens, for sketches.")
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
