"""`izwi watch` as a service runs it: a process of its own that is asked to end by SIGTERM."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

import izwi
from izwi.demoweb import DemoWeb
from tests.e2e.conftest import command_line, edit, environment, small_corpus
from tests.e2e.test_kills import _is_clean
from tests.waiting import until


def watching(folder: Path, web: DemoWeb, printed: Path) -> "subprocess.Popen[str]":
    with printed.open("w", encoding="utf-8") as file:
        return subprocess.Popen(
            command_line("watch", folder, "--every", "10m", "--json", "--workers", "1"),
            env=environment(web.proxy_url),
            stdout=file,
            stderr=subprocess.PIPE,
            text=True,
        )


def reports(printed: Path) -> list[dict[str, object]]:
    """Return the JSON objects that a watch printed, one a round."""
    text = printed.read_text(encoding="utf-8")
    found, place, decoder = [], 0, json.JSONDecoder()
    while text[place:].strip():
        place += len(text[place:]) - len(text[place:].lstrip())
        report, place = decoder.raw_decode(text, place)
        found.append(report)
    return found


@pytest.mark.slow
def test_a_watch_that_rests_ends_at_once_when_asked(tmp_path: Path, web: DemoWeb) -> None:
    folder = small_corpus(tmp_path / "c", depth=0)
    printed = tmp_path / "printed"
    process = watching(folder, web, printed)
    until(lambda: printed.read_text(encoding="utf-8").count('"command"') == 2, process)

    process.send_signal(signal.SIGTERM)
    said = process.communicate()[1]

    assert process.returncode == 128 + signal.SIGTERM, said
    assert [report["command"] for report in reports(printed)] == ["gather", "build"]
    assert izwi.open(folder).status().is_current


@pytest.mark.slow
def test_a_watch_that_gathers_keeps_what_is_under_way_and_ends(
    tmp_path: Path, web: DemoWeb
) -> None:
    folder = small_corpus(tmp_path / "c", depth=4)
    edit(folder, "delay = 0.0", "delay = 0.2")
    asked = len(web.log)
    printed = tmp_path / "printed"
    process = watching(folder, web, printed)
    until(lambda: len(web.log) > asked + 6, process)

    process.send_signal(signal.SIGTERM)
    said = process.communicate()[1]

    (report,) = reports(printed)
    assert process.returncode == 128 + signal.SIGTERM, said
    assert report["command"] == "gather"
    assert report["was_stopped"]
    assert izwi.open(folder).status().captures == report["fetched"]
    assert izwi.open(folder).status().waiting
    assert _is_clean(folder)
