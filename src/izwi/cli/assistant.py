"""`izwi mcp`: corpora as tools for programs that read (Model Context Protocol), read only."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from izwi.cli.groups import ALL, AsJson
from izwi.model.errors import IzwiError, NotFound, QueryError

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from izwi.cases.corpus import Corpus
    from izwi.model.results import KwicLine

_MOST_LINES = 100
_MOST_CONTEXT = 50
_MOST_CHARACTERS = 20_000
_SECONDS = 30.0
_INSTRUCTIONS = (
    "Corpora of texts from the web, to be searched and counted; nothing can be changed. A query is "
    "a word, a phrase, or CQL such as [lemma='braai' & pos='V.*'] [] [word='fire'] with double "
    "quotes. Quote lines with the address and date of their document."
)


@ALL.command("mcp", epilog="Example: izwi mcp news")
def serve_tools(
    folders: Annotated[
        list[Path], typer.Argument(help="One or more corpus folders.", metavar="FOLDER...")
    ],
    as_json: AsJson = False,
) -> None:
    """Offer corpora to a program that reads (MCP over standard input and output), read only."""
    from izwi.cases.corpus import Corpus
    from izwi.cli import render

    corpora = [Corpus(folder) for folder in folders]
    server = tool_server({corpus.name: corpus for corpus in corpora})
    if as_json:
        # What a client would be told, for those who write its settings.
        render.show_json({"tools": list(TOOLS), "corpora": [corpus.name for corpus in corpora]})
        return
    server.run("stdio")


def tool_server(corpora: Mapping[str, "Corpus"]) -> "MCPServer":
    """Return the server that has the tools of some corpora."""
    from importlib.metadata import version

    from mcp.server import MCPServer
    from mcp.types import ToolAnnotations

    server = MCPServer(
        "izwi", instructions=_INSTRUCTIONS, version=version("izwi"), log_level="WARNING"
    )
    tools = Tools(corpora)
    read_only = ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    for name in TOOLS:
        server.add_tool(_in_a_sentence(getattr(tools, name), corpora), name, annotations=read_only)
    return server


def _in_a_sentence(
    tool: Callable[..., dict[str, Any]], corpora: Mapping[str, "Corpus"]
) -> Callable[..., dict[str, Any]]:
    """Return a tool whose errors are one sentence, without folders of this machine."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    def asked(*given: Any, **named: Any) -> dict[str, Any]:
        try:
            return tool(*given, **named)
        except IzwiError as error:
            words = str(error)
            for name, corpus in corpora.items():
                words = words.replace(str(corpus.path), name)
            raise ToolError(words) from None
        except Exception as error:  # the command grade: whoever asks can mend nothing
            raise ToolError(f"This is a fault of izwi ({type(error).__name__}).") from error

    return asked


TOOLS = ("corpora", "search", "concordance", "counts", "documents", "document")


class Tools:
    """What can be asked; each answer is plain data. `corpus` may be left out if there is one."""

    def __init__(self, corpora: Mapping[str, "Corpus"]) -> None:
        self._corpora = corpora

    def corpora(self) -> dict[str, Any]:
        """List the corpora with their sizes and what can be asked of their words."""
        return {"corpora": [_described(each) for each in self._corpora.values()]}

    def search(self, query: str, corpus: str = "") -> dict[str, Any]:
        """Say how often a query occurs, in how many documents, and show ten lines of it."""
        found = self._named(corpus).concordance(query, sort="random", size=10, timeout=_SECONDS)
        return {
            "hits": found.hits, "documents": found.documents, "per_million": found.per_million,
            "corpus_tokens": found.corpus_tokens, "version": found.snapshot, "cql": found.cql,
            "lines": [_line(each) for each in found.lines],
        }  # fmt: skip

    def concordance(
        self,
        query: str,
        corpus: str = "",
        page: int = 1,
        size: int = 25,
        context: int = 12,
        sort: str = "date",
        since: date | None = None,
        until: date | None = None,
        sources: Sequence[str] = (),
        where: str = "",
    ) -> dict[str, Any]:
        """Show a page of lines of a query in context.

        sort is date, source, left, right, match or random; where is a condition on documents such
        as section="news"; size is at most 100, context at most 50 words.
        """
        _at_most("size", size, _MOST_LINES)
        _at_most("context", context, _MOST_CONTEXT)
        found = self._named(corpus).concordance(
            query, page=page, size=size, context=context, sort=sort, since=since, until=until,
            sources=tuple(sources), where=where, timeout=_SECONDS,
        )  # fmt: skip
        lines = [_line(each) for each in found.lines]
        return {"hits": found.hits, "page": found.page, "pages": found.pages,
                "version": found.snapshot, "lines": lines}  # fmt: skip

    def counts(
        self, query: str, corpus: str = "", by: str = "year", most: int = 50, where: str = ""
    ) -> dict[str, Any]:
        """Count a query by year, month, source, host, section, word, lemma or a neighbour."""
        _at_most("most", most, _MOST_LINES)
        found = self._named(corpus).frequencies(
            query, by=by, most=most, where=where, timeout=_SECONDS
        )
        lines = [_plain(each) for each in found.lines]
        return {"hits": found.hits, "tokens": found.tokens, "lines_in_all": found.total,
                "version": found.snapshot, "lines": lines}  # fmt: skip

    def documents(
        self,
        corpus: str = "",
        page: int = 1,
        size: int = 25,
        since: date | None = None,
        until: date | None = None,
        sources: Sequence[str] = (),
        where: str = "",
    ) -> dict[str, Any]:
        """List documents by date: their ids, titles, dates and addresses."""
        _at_most("size", size, _MOST_LINES)
        found = self._named(corpus).documents(
            page=page, size=size, since=since, until=until, sources=tuple(sources), where=where
        )
        return {"total": found.total, "page": found.page, "pages": found.pages,
                "documents": [_card(each) for each in found.documents]}  # fmt: skip

    def document(self, id: str, corpus: str = "", offset: int = 0) -> dict[str, Any]:
        """Read a document by its id or address: what is known of it, and its text in parts."""
        found = self._named(corpus).document(id)
        if found.outcome != "kept" or offset < 0:
            raise NotFound(f"There is no document '{id}' in the corpus.")
        text = "\n\n".join(each.text for each in found.paragraphs if each.is_main)
        after = offset + _MOST_CHARACTERS
        return {
            **_card(found), "language": found.language, "section": found.section,
            "characters": len(text), "text": text[offset:after],
            "next_offset": after if after < len(text) else None,
        }  # fmt: skip

    def _named(self, name: str) -> "Corpus":
        if not name and len(self._corpora) == 1:
            return next(iter(self._corpora.values()))
        if name not in self._corpora:
            raise QueryError(f"There is no corpus '{name}'. There are: {', '.join(self._corpora)}.")
        return self._corpora[name]


def _described(corpus: "Corpus") -> dict[str, Any]:
    newest = next(iter(corpus.versions()), None)
    return {
        "name": corpus.name, "version": newest.number if newest else 0,
        "documents": newest.documents if newest else 0, "tokens": newest.tokens if newest else 0,
        "attributes": list(corpus.attributes),
    }  # fmt: skip


def _line(line: "KwicLine") -> dict[str, Any]:
    return {"id": line.id, "left": line.left, "match": line.match, "right": line.right,
            "document": _card(line.document)}  # fmt: skip


def _card(card: Any) -> dict[str, Any]:
    """Return what one needs to cite a document."""
    day = card.date.isoformat()[: _KNOWN.get(card.date_precision, 10)] if card.date else None
    return {"id": card.id, "url": card.url, "title": card.title, "author": card.author,
            "date": day, "source": card.source}  # fmt: skip


_KNOWN = {"year": 4, "month": 7}


def _plain(line: Any) -> dict[str, Any]:
    from izwi.cli.render import plain

    found: dict[str, Any] = plain(line)
    return found


def _at_most(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise QueryError(f"{name} is from 1 to {most}, not {value}.")
