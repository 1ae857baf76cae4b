"""Ctrl-C and SIGTERM end every command alike: one sentence, a report, nothing left behind."""

import json
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from izwi.demoweb import DemoWeb
from tests.e2e.conftest import Command, answer, command_line, contents, environment, small_corpus
from tests.waiting import until

SIGNALS = [signal.SIGINT, signal.SIGTERM]


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory, web: DemoWeb) -> Path:
    """A corpus in two shards that is gathered, not built."""
    folder = small_corpus(tmp_path_factory.mktemp("signals") / "c", depth=0, warc_pages=9)
    ended = subprocess.run(
        command_line("gather", folder), env=environment(web.proxy_url), check=True, timeout=120
    )
    assert ended.returncode == 0
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, web: DemoWeb, gathered: Path) -> dict[str, Any]:
    """What is in that corpus once it is built and nothing disturbed it."""
    folder = shutil.copytree(gathered, tmp_path_factory.mktemp("whole") / "c")
    subprocess.run(
        command_line("build", folder, "--workers", 1), env=environment(web.proxy_url), check=True
    )
    return contents(folder)


def start(web: DemoWeb, *arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        command_line(*arguments),
        env=environment(web.proxy_url),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_ctrl_c,
    )


def hear_ctrl_c() -> None:
    """Let Ctrl-C be heard: shells that start tests in the background have it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def last_run(folder: Path) -> Path | None:
    return max(folder.glob("runs/*/progress.json"), default=None, key=lambda path: path.parent.name)


def assert_ended_well(folder: Path, process: "subprocess.Popen[str]", number: int) -> None:
    """Check what a stopped command says and leaves behind."""
    _, said = process.communicate()
    assert process.returncode == 128 + number, said
    sentences = [line for line in said.splitlines() if line.strip() and " done, " not in line]
    assert len(sentences) == 1, said
    assert "Traceback" not in said
    run = last_run(folder)
    assert run is not None
    report = json.loads((run.parent / "report.json").read_text())
    assert (report["was_stopped"], report["stopped_by"]) == (True, number)
    assert (folder / "corpus.lock").read_text() == ""
    assert not list(folder.rglob("*.part"))


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_build_is_broken_off_and_goes_on(
    tmp_path: Path,
    web: DemoWeb,
    izwi_command: Command,
    gathered: Path,
    whole: dict[str, Any],
    number: int,
    workers: int,
) -> None:
    folder = shutil.copytree(gathered, tmp_path / "c")
    runs = set(folder.glob("runs/*"))
    process = start(web, "build", folder, "--workers", workers)
    until(lambda: (run := last_run(folder)) and run.parent not in runs, process)

    process.send_signal(number)

    assert_ended_well(folder, process, number)
    answer(izwi_command("build", folder, "--workers", workers, "--json"))
    assert contents(folder) == whole


@pytest.mark.parametrize("way", [("--workers", 2), ("--workers", 2, "--runner", "dask")], ids=str)
def test_a_build_that_is_ended_says_how_much_of_it_stays(
    tmp_path: Path,
    web: DemoWeb,
    izwi_command: Command,
    gathered: Path,
    whole: dict[str, Any],
    way: tuple[object, ...],
) -> None:
    folder = shutil.copytree(gathered, tmp_path / "c")
    process = start(web, "build", folder, *way)
    until(lambda: next(folder.glob("layers/lang-*/*.parquet"), None), process)

    process.send_signal(signal.SIGTERM)

    _, said = process.communicate()
    report = json.loads(max(folder.glob("runs/*/report.json")).read_text())
    steps = report["shards_built"]
    # A worker may have ended a step that nobody heard of any more.
    assert 2 <= steps <= len(list(folder.glob("layers/*/*.parquet"))) <= steps + 2
    sentence = [line for line in said.splitlines() if line.startswith("izwi: ")]
    assert sentence == [
        f"izwi: interrupted; steps of the build that are done stay: {steps}; the same command "
        "goes on, and does anew what was under way, at most one step a worker."
    ]
    assert process.returncode == 128 + signal.SIGTERM
    assert (folder / "corpus.lock").read_text() == ""
    assert not list(folder.rglob("*.part"))
    answer(izwi_command("build", folder, "--workers", 1, "--json"))
    assert contents(folder) == whole


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("command", ["gather", "watch"])
def test_gathering_ends_with_what_is_under_way(
    tmp_path: Path, web: DemoWeb, number: int, command: str
) -> None:
    folder = small_corpus(tmp_path / "c", depth=4)
    asked = len(web.log)
    process = start(web, command, folder)
    until(lambda: len(web.log) > asked + 3, process)

    process.send_signal(number)

    assert_ended_well(folder, process, number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_server_ends_with_a_sentence(
    tmp_path: Path, web: DemoWeb, gathered: Path, number: int
) -> None:
    process = start(web, "serve", gathered, "--port", 0, "--json")
    assert process.stdout is not None
    process.stdout.readline()

    process.send_signal(number)
    _, said = process.communicate()

    assert process.returncode == 128 + number, said
    assert said == "izwi: the server has stopped; what was committed is safe.\n"
