"""Corpora as tools, asked by the protocol's own client over standard input and output."""

import asyncio
import re
import sys
from contextlib import asynccontextmanager

import mcp
import pytest
from typer.testing import CliRunner

from izwi.cases.corpus import Corpus
from izwi.cli.main import app
from izwi.model.errors import missing_extra
from tests.service import tiny

CODE = "from izwi.cli.main import main; main()"
TOOLS = {"corpora", "search", "concordance", "counts", "documents", "document"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tools") / "tiny"
    corpus = tiny.make(folder)
    tiny.gather(folder)
    corpus.build(workers=1)
    return folder


@asynccontextmanager
async def connected(folder):
    server = mcp.StdioServerParameters(
        command=sys.executable, args=["-c", CODE, "mcp", str(folder)]
    )
    async with mcp.Client(server, read_timeout_seconds=120) as client:
        yield client


def asked(folder, *calls):
    """Return what one server answers to some calls, and the tools that it has."""

    async def talk():
        async with connected(folder) as client:
            tools = (await client.list_tools()).tools
            return tools, [await client.call_tool(name, given) for name, given in calls]

    return asyncio.run(talk())


def test_a_client_finds_tools_that_only_read_and_gets_what_the_corpus_says(folder):
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    corpus = Corpus(folder)
    first = corpus.documents().documents[0]

    tools, answers = asked(
        folder,
        ("corpora", {}),
        ("search", {"query": "oranges"}),
        ("concordance", {"query": '[lemma="orange"]', "size": 1, "context": 3}),
        ("counts", {"query": "oranges", "by": "source"}),
        ("documents", {"size": 1}),
        ("document", {"id": first.id}),
    )

    assert {tool.name for tool in tools} == TOOLS
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert not any(answer.is_error for answer in answers)
    corpora, search, lines, counts, listed, document = (each.structured_content for each in answers)
    assert corpora["corpora"][0]["name"] == "tiny"
    assert search["hits"] == corpus.concordance("oranges").hits > 0
    (line,) = lines["lines"]
    assert line["match"].lower() == "oranges"
    assert line["document"]["url"].startswith(tiny.HOST)
    assert sum(each["hits"] for each in counts["lines"]) == search["hits"]
    assert listed["total"] == corpus.documents().total
    assert "oranges" in document["text"]
    after = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    assert after == before


FAULTS = [
    ("concordance", {"query": "[word=", "corpus": "tiny"}, "CQL|expected|quot|ends"),
    ("concordance", {"query": "x", "size": 5000}, "size is from 1 to 100"),
    ("concordance", {"query": "x", "corpus": "other"}, "no corpus 'other'"),
    ("document", {"id": "nowhere"}, "No document"),
    ("document", {"id": "../../etc/passwd"}, "No document"),
    ("counts", {"query": "x", "by": "nothing"}, "nothing"),
    ("search", {"query": "(" * 20_000}, "."),
]


def test_what_cannot_be_answered_is_an_error_in_a_sentence_without_folders(folder):
    _, answers = asked(folder, *((name, given) for name, given, _ in FAULTS))

    for (_, _, words), answer in zip(FAULTS, answers, strict=True):
        said = answer.content[0].text
        assert answer.is_error
        assert re.search(words, said), said
        assert str(folder.parent) not in said
        assert "Traceback" not in said


def test_a_page_that_was_left_out_is_not_read(folder):
    _, (answer,) = asked(folder, ("document", {"id": f"{tiny.HOST}/short"}))

    assert answer.is_error


def test_without_the_package_the_command_names_the_extra(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    done = CliRunner().invoke(app, ["mcp", str(folder)])

    assert isinstance(done.exception, ImportError)
    assert "izwi[mcp]" in str(missing_extra(ModuleNotFoundError(name="mcp.server")))
