"""The examples for systemd and cron call commands and options that there are."""

from pathlib import Path

import pytest
import typer.main

from izwi.cli.main import app
from izwi.model.errors import ConfigError

EXAMPLES = Path(__file__).parent.parent / "examples"
CALLS = [
    (path.name, line.split("bin/izwi ", 1)[1].split(" >>")[0].split())
    for path in sorted(EXAMPLES.rglob("*"))
    if path.is_file()
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
