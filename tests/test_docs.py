"""Every block of the documentation is run, or says why not; see tests/blocks.py for the rules."""

import contextlib
import io
import re
import shutil
import tomllib
from pathlib import Path

import pytest
import typer.main
from typer.testing import CliRunner

from izwi.cases.corpus import create_corpus
from izwi.cli.main import app
from izwi.config.load import load
from izwi.demoweb import DemoWeb, archive_urls, feed_urls
from izwi.model.errors import ConfigError
from tests.blocks import NEVER_ENDING, RUN, blocks_of, pages

BLOCKS = [block for page in pages() for block in blocks_of(page)]
TO_RUN = sorted({block.page for block in BLOCKS if block.is_run and block.language in RUN})
CALLS = [(block, call) for block in BLOCKS if block.language == "sh" for call in block.calls()]
pytestmark = pytest.mark.slow
SECTIONS = {
    "corpus": '[corpus]\nname = "news"\nlanguages = ["en"]\n',
    "gather": '[gather]\ncontact = "https://example.org/"\n',
}


@pytest.fixture(scope="session")
def web():
    with DemoWeb() as running:
        yield running


@pytest.fixture(scope="session")
def news(tmp_path_factory, web):
    """The corpus that pages speak of: what the small web holds, built."""
    folder = tmp_path_factory.mktemp("docs") / "news"
    corpus = create_corpus(
        folder, contact="https://example.org/", name="news", languages=("en",), delay=0.0
    )
    for key, url in archive_urls().items():
        corpus.add_source(url, type="seeds", name=key, depth=4)
    for key, url in feed_urls().items():
        corpus.add_source(url, type="feed", name=f"{key}-feed")
    # Some pages of each are enough to find something.
    corpus.run(pages=400, proxy=web.proxy_url, workers=1)
    return folder


@pytest.mark.parametrize("page", TO_RUN)
def test_the_blocks_of_a_page_run(page, news, web, tmp_path, monkeypatch):
    shutil.copytree(news, tmp_path / "news")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IZWI_PROXY", web.proxy_url)
    monkeypatch.setenv("IZWI_WORKERS", "1")
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))

    for block in BLOCKS:
        if block.page == page:
            for name, content in block.files:
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_text(content, encoding="utf-8")
            if block.is_run:
                run(block, tmp_path)


def run(block, folder):
    place = f"{block.page}, block {block.number}"
    if block.language == "sh":
        assert not block.others(), f"{place}: only izwi is run: {block.others()}"
        check_printed(block, [run_call(call, place) for call in block.calls()])
    elif block.language in ("py", "python"):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(block.text, place, "exec"), {"__name__": "__main__"})
        check_printed(block, [printed.getvalue()])
    elif block.language == "toml":
        check_settings(block.text, folder)


def run_call(call, place):
    if call.words[0] in NEVER_ENDING:
        return ""
    result = CliRunner().invoke(app, list(call.words), catch_exceptions=True)
    assert result.exit_code == 0, f"{place}: izwi {' '.join(call.words)}: {result.exception!r}"
    if call.output:
        Path(call.output).write_bytes(result.stdout_bytes)
    return result.stdout


def check_printed(block, printed):
    """Whether all that a hidden comment promises is there; with `N times: words`, so often."""
    told = "\n".join(printed)
    for wanted in block.prints:
        times, words = re.fullmatch(r"(?:(\d+) times: )?(.+)", wanted).groups()
        assert told.count(words) >= int(times or 1), f"{block.page}: {wanted!r} in {told}"


def check_settings(text, folder):
    there = tomllib.loads(text)
    missing = "".join(part for name, part in SECTIONS.items() if name not in there)
    path = folder / "settings" / "corpus.toml"
    path.parent.mkdir(exist_ok=True)
    for each in folder.iterdir():
        if each.is_file():
            shutil.copy(each, path.parent)
    path.write_text(f"{missing}\n{text}", encoding="utf-8")
    load(path)


@pytest.mark.parametrize(
    ("block", "call"), CALLS, ids=lambda each: " ".join(getattr(each, "words", ()))[:40]
)
def test_commands_of_the_documentation_exist(block, call):
    command, words = typer.main.get_command(app), list(call.words)
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]
    assert not getattr(command, "commands", {}), f"{block.page}: izwi {' '.join(call.words)}"

    try:
        command.make_context("izwi", words)
    except (typer.BadParameter, ConfigError) as error:
        # Files and corpora of the reader are not here.
        if not re.search(r"does not exist|no corpus\.toml", str(error)):
            raise


def test_every_reason_says_something():
    assert all(len(block.reason.split()) > 2 for block in BLOCKS if block.reason)
