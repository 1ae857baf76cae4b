"""The examples for systemd, cron and containers call commands and options that there are."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
import yaml

from izwi.cli.main import app
from izwi.model.errors import ConfigError

EXAMPLES = Path(__file__).parent.parent / "examples"
COMPOSE = yaml.safe_load((EXAMPLES / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
UNITS = sorted(EXAMPLES.rglob("*.service"))
CALLS = [
    (path.name, line.split("bin/izwi ", 1)[1].split(" >>")[0].split())
    for path in sorted(EXAMPLES.rglob("*"))
    if path.is_file() and "__pycache__" not in path.parts
    for line in path.read_text(encoding="utf-8").splitlines()
    if "bin/izwi " in line and not line.startswith("#")
]


@pytest.mark.parametrize(("name", "words"), CALLS, ids=lambda value: str(value)[:30])
def test_commands_of_the_examples_exist(name, words):
    command = typer.main.get_command(app).commands[words[0]]

    try:
        folders = command.make_context(words[0], words[1:]).params["folders"]
    except ConfigError as error:
        folders = [str(error)]
    assert "/srv/corpora/news" in str(folders[0])


def test_there_are_examples_of_each():
    assert {name for name, _ in CALLS} == {"izwi-serve.service", "izwi-watch.service", "izwi.cron"}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_finds_nothing_wrong_with_a_unit(unit, tmp_path):
    text = unit.read_text(encoding="utf-8").replace("/opt/izwi/bin/izwi", sys.executable)
    (tmp_path / unit.name).write_text(text, encoding="utf-8")

    found = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / unit.name],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (found.returncode, unit.name in found.stderr) == (0, False), found.stderr


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_containers_run_commands_that_there_are_as_nobody_in_particular(name):
    service = COMPOSE["services"][name]
    command = typer.main.get_command(app).commands[service["command"][0]]

    try:
        said = str(command.make_context("x", service["command"][1:]).params)
    except ConfigError as error:
        said = str(error)
    assert "/corpora/news" in said
    assert service["user"] == "1000:1000"
    assert (EXAMPLES / "deploy" / service["build"]["context"] / "pyproject.toml").exists()
    used = {volume.split(":")[0] for volume in service["volumes"]}
    assert {each for each in used if not each.startswith(".")} <= set(COMPOSE["volumes"])


def test_the_container_is_built_and_run_without_rights():
    lines = (EXAMPLES / "deploy" / "Containerfile").read_text(encoding="utf-8").splitlines()
    last = [line for line in lines if line.startswith(("USER", "RUN"))][-1]
    assert last == "USER izwi"
