"""Commands that are no question to one corpus: make it, watch it, serve it, move it, restore it."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from izwi.cli.groups import ALL, Answer, AsJson, Folder, NewFolder, Proxy, Workers, command
from izwi.model.errors import QueryError

if TYPE_CHECKING:
    from izwi.model.results import Listener


@command("init", "news --contact https://example.org/bot --language en")
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
) -> Answer:
    """Make a corpus folder with a commented corpus.toml."""
    from izwi.cases.corpus import new_corpus

    languages, packs = tuple(language or ()), tuple(pack or ())
    corpus = new_corpus(
        folder, contact=contact, name=name, title=title, languages=languages, packs=packs
    )
    told = f"Made {folder / 'corpus.toml'}. Next: izwi sources add {folder} URL"
    return Answer({"name": corpus.name, "path": str(corpus.path)}, [told])


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
    from izwi.cases.case import in_unit
    from izwi.cases.corpus import Corpus
    from izwi.cases.long_runs import Stop
    from izwi.cases.long_runs import watch as rounds
    from izwi.cli import render
    from izwi.model.notation import seconds

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


@command("import vertical", "news.vert news --attributes word,lemma,tag")
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
) -> Answer:
    """Make a searchable corpus from vertical text, or add to one."""
    from izwi.cases.runs import import_vertical as taken_in

    lists = {"attributes": _names(attributes), "structures": _names(structures)}
    done = taken_in(file, folder, **lists, registry=registry, name=name, memory=memory)
    told = (
        f"{done.tokens:,} tokens in {done.documents:,} documents are searchable as version "
        f"{done.snapshot}. Next: izwi query {folder} WORD"
    )
    return Answer(done, [told])


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


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


@command("doctor", "news")
def doctor(
    folder: Annotated[
        Path | None, typer.Argument(help="A corpus folder.", metavar="FOLDER")
    ] = None,
) -> Answer:
    """Look at this machine and a corpus, and say what would mend what is amiss."""
    from izwi.cases.doctor import examine
    from izwi.cli import render

    findings = examine(folder, scrubbed=None)
    is_well = all(finding.is_well for finding in findings if finding.check != "browser")
    return Answer(findings, partial(render.show_findings, findings), is_well)


@command("plugins", "--check")
def plugins(
    check: Annotated[bool, typer.Option("--check", help="Load each and say what fails.")] = False,
) -> Answer:
    """List the installed parts by kind: sources, extractors and so on, and where each is from."""
    from izwi.cli import render
    from izwi.plugins import overview

    parts = overview(is_tried=check)
    is_well = not any(part.problem for part in parts)
    return Answer(parts, partial(render.show_plugins, parts), is_well)


@command("move", "news s3://corpora/news")
def move(
    source: Annotated[Path, typer.Argument(help="A corpus folder, or an address (s3://...).")],
    target: Annotated[Path, typer.Argument(help="An address, or a new folder.")],
    *,
    listener: "Listener",
) -> Answer:
    """Send a corpus folder to an object store (s3://bucket/news), or bring one here as a folder."""
    from izwi.cases.backup import move as move_corpus

    report = move_corpus(source, target, listener=listener)
    gone = f" {report.removed:,} that are no more were removed." if report.removed else ""
    files = f"{report.files:,} files, {report.moved:,} of them new ({report.size_bytes:,} bytes)"
    return Answer(report, [f"{report.target}: {files}.{gone}"])


@command("restore", "/backups/news-2026-01-31T02-00-00.tar news")
def restore(
    file: Annotated[Path, typer.Argument(help="What izwi backup wrote.")],
    folder: Annotated[Path | None, typer.Argument(help="A new folder.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Only compare the sums.")] = False,
    *,
    listener: "Listener",
) -> Answer:
    """Make a corpus folder of a backup; every sum is compared before the folder is there."""
    from izwi.cases.backup import restore as restore_corpus

    if check == (folder is not None):
        raise QueryError("Give a new folder for the corpus, or --check.")
    report = restore_corpus(file, folder, listener=listener)
    done = f"is now in {folder}" if folder else "is whole"
    files = f"{report.files:,} files, {report.size_bytes:,} bytes, all sums right"
    return Answer(report, [f"'{report.corpus}' of {report.made} {done}: {files}."])
