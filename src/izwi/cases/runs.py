"""What makes a corpus grow: gathering, building, importing, rewriting files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from izwi.cases.case import Case, Doing, Done, Policy, Says, case_of, place
from izwi.model.notation import in_unit
from izwi.model.records import dataclass
from izwi.model.reports import RunState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from izwi.model.results import RunReport
    from izwi.service.building import Rewritten
    from izwi.service.folder import CorpusFolder
    from izwi.service.runs import Run

TOPIC = "Build it and keep it"


@dataclass(frozen=True, kw_only=True)
class Building:
    """How much of the machine is used."""

    workers: Annotated[
        int, Says("Processes; 0 is one per core.", least=0, env="IZWI_WORKERS", is_local=True)
    ] = 0


@dataclass(frozen=True, kw_only=True)
class BuildingBy(Building):
    """A build may also name who runs its tasks."""

    runner: Annotated[str, Says("serial, processes or dask.")] = ""


@dataclass(frozen=True, kw_only=True)
class Proxied:
    """By which way pages are fetched."""

    proxy: Annotated[
        str, Says("HTTP proxy for all requests.", metavar="URL", env="IZWI_PROXY", is_local=True)
    ] = ""


def _seconds(text: str) -> float:
    from izwi.model.notation import seconds

    return seconds(text)


def _bytes(text: str) -> int:
    from izwi.model.notation import size_bytes

    return size_bytes(text)


@dataclass(frozen=True, kw_only=True)
class Fetching(Proxied):
    """When to stop, and by which way pages are fetched."""

    seconds: Annotated[
        float | None,
        Says('Stop after this long, e.g. "2h".', name="for", read=in_unit("--for", _seconds)),
    ] = None
    pages: Annotated[int | None, Says("Stop after this many pages.", name="limit", least=1)] = None


@dataclass(frozen=True, kw_only=True)
class Gathering(Fetching):
    """Gathering may also stop at a size."""

    size: Annotated[
        int | None, Says('Stop after so many bytes, e.g. "2 GB".', read=in_unit("--size", _bytes))
    ] = None


@dataclass(frozen=True, kw_only=True)
class Running(Fetching, Building):
    """Gathering, then building."""


@dataclass(frozen=True, kw_only=True)
class Files:
    """Files to be taken in."""

    path: Annotated[
        str | Path,
        place("A file, an archive, or a folder of them; of a server in a folder of IZWI_IMPORTS.",
              names="file"),
    ]  # fmt: skip
    name: Annotated[str, Says("Name of the source; made from the file's if absent.")] = ""
    build: Annotated[bool, Says("Build afterwards.")] = False


@dataclass(frozen=True, kw_only=True)
class Pages(Files):
    """Pages to be taken in, with their place on the web."""

    address: Annotated[str, Says("Where they were on the web.", metavar="URL")] = ""


@dataclass(frozen=True, kw_only=True)
class Latest:
    """How many runs."""

    most: Annotated[int, Says("At most so many.", least=1, most=2**31)] = 50
    run: Annotated[str, Says("Only this run, with the end of its log.")] = ""


def gather(folder: "CorpusFolder", asked: Gathering, doing: Doing) -> "RunReport":
    """Fetch what the sources offer, until nothing is due or a bound is met."""
    _gather(folder, asked, doing, size=asked.size)
    return None  # type: ignore[return-value]  # the report is whole when the run has ended


def build(folder: "CorpusFolder", asked: BuildingBy, doing: Doing) -> "RunReport":
    """Do what is stale or missing: text, language, copies, tokens, index; publish a version."""
    _build(folder, doing, asked.workers, asked.runner)
    return None  # type: ignore[return-value]


def run(folder: "CorpusFolder", asked: Running, doing: Doing) -> "RunReport":
    """Gather, then build."""
    _gather(folder, asked, doing)
    if not doing.run.report.was_stopped:
        _build(folder, doing, asked.workers)
    return None  # type: ignore[return-value]


def compact(folder: "CorpusFolder", asked: Building, doing: Doing) -> "RunReport":
    """Take what was taken down out of the files, join small ones, and build what is new."""
    from izwi.curation import takedown

    rewritten = takedown.remove_taken_down(folder._layout, folder.config, doing.run)
    if rewritten or takedown.is_left(folder._layout, doing.run):
        _build(folder, doing, asked.workers, rewritten=rewritten)
        takedown.forget_older(folder._layout)
    takedown.rewrite_imported(folder._layout)
    if takedown.join_small(folder._layout, folder.config, doing.run):
        _build(folder, doing, asked.workers)
    return None  # type: ignore[return-value]


def import_warc(folder: "CorpusFolder", asked: Files, doing: Doing) -> "RunReport":
    """Take in the pages of WARC, ARC or WACZ files, one file or a folder of them."""
    from izwi.service import importing

    importing.import_web_archive(
        folder._layout, folder.config, doing.run, Path(asked.path), asked.name
    )
    return _taken_in(folder, asked, doing)


def import_files(folder: "CorpusFolder", asked: Pages, doing: Doing) -> "RunReport":
    """Take in HTML, text, PDF, DOCX, ODT and EPUB files of a folder, a zip or a tar archive."""
    from izwi.service import importing

    importing.import_files(
        folder._layout, folder.config, doing.run, Path(asked.path), asked.name, asked.address
    )
    return _taken_in(folder, asked, doing)


def import_conllu(folder: "CorpusFolder", asked: Files, doing: Doing) -> "RunReport":
    """Take in the documents of CoNLL-U files with their words, lemmas and tags."""
    return _import("conllu", folder, asked, doing)


def import_tei(folder: "CorpusFolder", asked: Files, doing: Doing) -> "RunReport":
    """Take in the documents of TEI files, one or a folder of them, or of a teiCorpus."""
    return _import("tei", folder, asked, doing)


def import_texts(folder: "CorpusFolder", asked: Files, doing: Doing) -> "RunReport":
    """Take in texts with their metadata as JSON Lines or Parquet."""
    return _import("texts", folder, asked, doing)


def _import(form: str, folder: "CorpusFolder", asked: Files, doing: Doing) -> "RunReport":
    from izwi.service import importing

    importing.import_documents(
        folder._layout, folder.config, doing.run, Path(asked.path), form=form, name=asked.name
    )
    folder._reload()
    return _taken_in(folder, asked, doing)


def _taken_in(folder: "CorpusFolder", asked: Files, doing: Doing) -> "RunReport":
    if asked.build:
        _build(folder, doing, 0)
    return None  # type: ignore[return-value]


def runs(folder: "CorpusFolder", asked: Latest, doing: Doing) -> tuple[RunState, ...]:
    """List the runs and how each stands, the newest first."""
    from izwi.service import runs as run_folders

    if asked.run:
        return (run_folders.run_state(folder._layout, asked.run),)
    return run_folders.runs(folder._layout, most=asked.most)


def _gather(
    folder: "CorpusFolder", asked: Fetching, doing: Doing, *, size: int | None = None
) -> None:
    from izwi.service import gathering

    gathering.gather(
        folder._layout, folder._with_proxy(asked.proxy), doing.run,
        seconds=asked.seconds, pages=asked.pages, size=size,
    )  # fmt: skip


def _build(
    folder: "CorpusFolder",
    doing: Doing,
    workers: int,
    runner: str = "",
    rewritten: "Rewritten | None" = None,
) -> None:
    from izwi.service import building

    building.build(
        folder._layout, folder.config, doing.run,
        workers=workers, runner=runner, rewritten=rewritten or {},
    )  # fmt: skip
    if folder._layout.headwords.exists():
        _watch_headwords(folder, doing.run)


def _watch_headwords(folder: "CorpusFolder", run: "Run") -> None:
    """Look what the new version says earlier of headwords; a list that is broken stops no build."""
    from izwi.cases.words import look
    from izwi.model.errors import IzwiError
    from izwi.model.results import Notice

    try:
        look(folder, lambda words: run.hear(Notice(words)))
    except IzwiError as error:
        run.hear(Notice(f"The headwords could not be looked at: {error}"))


def _record(asked: Any, command: str) -> Done:
    path = getattr(asked, "path", "")
    return Done("run", command, after={"path": str(path)} if path else None)


def _exit(report: "RunReport") -> int:
    """Return the status of a command: failures of single shards are 1, signals as shells say."""
    if report.was_stopped:
        return 128 + (report.stopped_by or 2)
    return int(bool(report.failures))


def _run(
    command: str, request: type, do: Any, example: str, holds: Any = "process"
) -> Case[Any, Any]:
    policy = Policy("curator", holds, lambda asked, _: _record(asked, command))
    return case_of(
        TOPIC, command.replace(" ", "_"), command, command.replace(" ", "/"), request, do, example,
        policy, context=("by", "listener"), exit=_exit, status=202 if holds == "process" else 200,
    )  # fmt: skip


def _runs_told(asked: Latest, found: "tuple[RunState, ...]", folder: Path) -> "Iterator[str]":
    for each in found:
        yield f"{each.run}  {each.command}  {each.state}  {each.who}".rstrip()
        yield from each.log


CASES = (
    _run("gather", Gathering, gather, "--for 2h"),
    _run("build", BuildingBy, build, ""),
    _run("run", Running, run, "--limit 300"),
    _run("compact", Building, compact, ""),
    _run("import warc", Files, import_warc, "old/crawl.warc.gz", "lock"),
    _run("import files", Pages, import_files, "pages.zip", "lock"),
    _run("import conllu", Files, import_conllu, "gold.conllu", "lock"),
    _run("import tei", Files, import_tei, "texts", "lock"),
    _run("import texts", Files, import_texts, "texts.jsonl", "lock"),
    case_of(TOPIC, "runs", "runs", "runs", Latest, runs,
            tells=_runs_told),
)  # fmt: skip
