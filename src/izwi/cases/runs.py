"""What makes a corpus grow: gathering, building, importing, rewriting files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from izwi.cases.case import Case, Doing, Done, Policy, Says
from izwi.model.records import dataclass

if TYPE_CHECKING:
    from izwi.model.results import RunReport
    from izwi.service.folder import CorpusFolder

TOPIC = "Build it and keep it"


@dataclass(frozen=True, kw_only=True)
class Building:
    """How much of the machine is used."""

    workers: Annotated[int, Says("Processes; 0 is one per core.", least=0)] = 0


@dataclass(frozen=True, kw_only=True)
class BuildingBy(Building):
    """A build may also name who runs its tasks."""

    runner: Annotated[str, Says("serial, processes or dask.")] = ""


@dataclass(frozen=True, kw_only=True)
class Fetching:
    """When to stop, and by which way pages are fetched."""

    seconds: Annotated[float | None, Says("Stop after so many seconds.", name="for")] = None
    pages: Annotated[int | None, Says("Stop after this many pages.", name="limit", least=1)] = None
    proxy: Annotated[str, Says("HTTP proxy for all requests.", metavar="URL")] = ""


@dataclass(frozen=True, kw_only=True)
class Gathering(Fetching):
    """Gathering may also stop at a size."""

    size: Annotated[int | None, Says("Stop after so many bytes.")] = None


@dataclass(frozen=True, kw_only=True)
class Running(Fetching, Building):
    """Gathering, then building."""


@dataclass(frozen=True, kw_only=True)
class Files:
    """Files to be taken in."""

    path: Annotated[str | Path, Says("Where they lie.", is_place=True, is_file=True)]
    name: Annotated[str, Says("Name of the source; made from the file's if absent.")] = ""


@dataclass(frozen=True, kw_only=True)
class Pages(Files):
    """Pages to be taken in, with their place on the web."""

    address: Annotated[str, Says("Where they were on the web.", metavar="URL")] = ""


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
    from izwi.service import compacting, takedown

    if compacting.remove_taken_down(folder._layout, doing.run):
        _build(folder, doing, asked.workers)
        takedown.forget_older(folder._layout)
    if compacting.join_small(folder._layout, folder.config, doing.run):
        _build(folder, doing, asked.workers)
    return None  # type: ignore[return-value]


def import_warc(folder: "CorpusFolder", asked: Files, doing: Doing) -> "RunReport":
    """Take in the pages of WARC, ARC or WACZ files, one file or a folder of them."""
    from izwi.service import importing

    importing.import_web_archive(
        folder._layout, folder.config, doing.run, Path(asked.path), asked.name
    )
    return None  # type: ignore[return-value]


def import_files(folder: "CorpusFolder", asked: Pages, doing: Doing) -> "RunReport":
    """Take in HTML, text and PDF files of a folder, a zip or a tar archive."""
    from izwi.service import importing

    importing.import_files(
        folder._layout, folder.config, doing.run, Path(asked.path), asked.name, asked.address
    )
    return None  # type: ignore[return-value]


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
    from izwi.service import exchange

    exchange.import_documents(
        folder._layout, folder.config, doing.run, Path(asked.path), form=form, name=asked.name
    )
    folder._reload()
    return None  # type: ignore[return-value]


def _gather(
    folder: "CorpusFolder", asked: Fetching, doing: Doing, *, size: int | None = None
) -> None:
    from izwi.service import gathering

    gathering.gather(
        folder._layout, folder._with_proxy(asked.proxy), doing.run,
        seconds=asked.seconds, pages=asked.pages, size=size,
    )  # fmt: skip


def _build(folder: "CorpusFolder", doing: Doing, workers: int, runner: str = "") -> None:
    from izwi.service import building

    building.build(folder._layout, folder.config, doing.run, workers=workers, runner=runner)


def _policy(command: str) -> Policy:
    def record(asked: Any, _: Any) -> Done:
        path = getattr(asked, "path", "")
        return Done("run", command, after={"path": str(path)} if path else None)

    return Policy("curator", "lock", record)


def _case(command: str, request: type, do: Any, example: str, route: str = "") -> Case[Any, Any]:
    return Case(
        command.replace(" ", "_"), command, f"POST /api/v1/c/{{corpus}}/{route or command}",
        request, do, f"izwi {command} {example}", TOPIC, _policy(command),
        context=("by", "listener"), by_hand=("command", "route"),
    )  # fmt: skip


CASES = (
    _case("gather", Gathering, gather, "news --for 2h"),
    _case("build", BuildingBy, build, "news"),
    _case("run", Running, run, "news --limit 300"),
    _case("compact", Building, compact, "news"),
    _case("import warc", Files, import_warc, "news old/crawl.warc.gz", "import/warc"),
    _case("import files", Pages, import_files, "news pages.zip", "import/files"),
    _case("import conllu", Files, import_conllu, "news gold.conllu", "import/conllu"),
    _case("import tei", Files, import_tei, "news texts", "import/tei"),
    _case("import texts", Files, import_texts, "news texts.jsonl", "import/texts"),
)
