"""The local web, and the `izwi` command as a user runs it: in a process of its own."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import izwi
from izwi.demoweb import DemoWeb, archive_urls, feed_urls
from tests.demoweb.faults import FaultyWeb

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def web() -> Iterator[DemoWeb]:
    with FaultyWeb() as running:
        yield running


@pytest.fixture
def izwi_command(web: DemoWeb) -> Command:
    """Return a function that runs `izwi` and gives back what it printed."""

    def run(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command_line(*arguments),
            env=environment(web.proxy_url) | options.pop("env", {}),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            **options,
        )

    return run


@pytest.fixture(scope="session")
def run_once(tmp_path_factory: pytest.TempPathFactory, web: DemoWeb) -> Path:
    """A small corpus that `izwi run` has gathered and built; to be read only."""
    return run_quietly(small_corpus(tmp_path_factory.mktemp("run") / "c", depth=0), web)


@pytest.fixture
def ran(run_once: Path, tmp_path: Path) -> Path:
    """The same for one test alone, to be spoilt."""
    return shutil.copytree(run_once, tmp_path / "c")


def run_quietly(folder: Path, web: DemoWeb, *words: str) -> Path:
    """Gather and build a corpus in a process of its own, and return its folder."""
    subprocess.run(
        command_line("run", folder, "--json", *words),
        env=environment(web.proxy_url),
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return folder


def command_line(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "izwi", *map(str, arguments)]


def environment(proxy: str) -> dict[str, str]:
    return os.environ | {"IZWI_PROXY": proxy, "COLUMNS": "100"}


def answer(process: subprocess.CompletedProcess[str]) -> Any:
    """Return the JSON a command printed, after checking that it went well."""
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def small_corpus(
    folder: Path,
    *,
    publications: tuple[str, ...] = ("karoocourant",),
    depth: int = 4,
    **gather: object,
) -> Path:
    """Write a corpus of one or two publications of the local web, with [gather] settings."""
    corpus = izwi.create(
        folder, contact="https://izwi.example/tests", name="small", languages=("en",), delay=0.0
    )
    for key in publications:
        corpus.add_source(archive_urls()[key], type="seeds", name=key, depth=depth)
        corpus.add_source(feed_urls()[key], type="feed", name=f"{key}-feed")
    settings = "".join(f"{key} = {json.dumps(value)}\n" for key, value in gather.items())
    edit(folder, "[gather]\n", f"[gather]\n{settings}")
    return folder


def edit(folder: Path, before: str, after: str) -> None:
    """Change corpus.toml as a user does, in a text editor."""
    path = folder / "corpus.toml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")


def contents(folder: Path) -> dict[str, Any]:
    """Return all a corpus holds, by URL and without capture times, so that two can be compared."""
    with izwi.open(folder) as corpus:
        lines = corpus.drops(most=100_000).lines
        url_by_document = {line.document: line.url for line in lines if line.document}
        ledger = {
            line.url: (line.outcome, line.stage, line.reason, line.value, line.threshold,
                       url_by_document.get(line.detail, line.detail), line.source)
            for line in lines
        }  # fmt: skip
        _, segments = corpus._snapshot(None)
        index = {}
        for segment in segments:
            cards = segment.cards.to_pylist()
            bounds = zip(
                segment.document_starts.tolist(), segment.document_ends.tolist(), strict=True
            )
            rows = zip(cards, bounds, segment.is_gone.tolist(), strict=True)
            for card, (begin, end) in ((card, at) for card, at, is_gone in rows if not is_gone):
                facts = (
                    card["title"],
                    card["author"],
                    card["date"],
                    card["date_evidence"],
                    card["source"],
                )
                assert card["url"] not in index, "a document is in the index twice"
                index[card["url"]] = (facts, segment.text(begin, end))
        copies = sorted(
            (url_by_document[row["owner"]], row["url"])
            for segment in segments
            for row in segment.copies.to_pylist()
        )
    return {"ledger": ledger, "index": index, "copies": copies}
