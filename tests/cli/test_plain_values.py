"""Values that are plainly right are taken as typer would take them; others are typer's to judge."""

from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from izwi.cli.groups import Command

KINDS = {
    "word": Annotated[str, typer.Option()],
    "number": Annotated[int, typer.Option(min=0, max=20)],
    "share": Annotated[float, typer.Option(min=0)],
    "file": Annotated[Path, typer.Option()],
    "there": Annotated[Path, typer.Option(exists=True)],
    "words": Annotated[list[str], typer.Option()],
    "files": Annotated[list[Path], typer.Option()],
}
GIVEN = {
    "word": ["", "a", "ë", "None"],
    "number": ["0", "20", "21", "-1", "+3", " 3", "3.0", "1_0", "٣", "x", "", "9" * 18],
    "share": ["0", "1", "1.5", "-1", "nan", "1e3", "x"],
    "file": ["", "-", "missing", ".", "a\udcff"],
    "there": ["missing", "."],
    "words": ["", "a"],
    "files": ["a", "."],
}


def _answer(kind, value, cls):
    app = typer.Typer(rich_markup_mode=None)

    def show(given):
        typer.echo(repr(given))

    show.__annotations__ = {"given": KINDS[kind]}
    show.__defaults__ = (None,)
    app.command(cls=cls)(show)
    result = CliRunner().invoke(app, [] if value is None else ["--given", value])
    return result.exit_code, result.output


@pytest.mark.parametrize("kind", GIVEN)
def test_what_is_given_is_taken_or_refused_as_typer_does_it(kind):
    for value in (None, *GIVEN[kind]):
        own = _answer(kind, value, Command)
        assert own == _answer(kind, value, None), (kind, value)
