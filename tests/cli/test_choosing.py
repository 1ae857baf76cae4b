"""What questions share on the command line reaches the service under the service's names."""

from datetime import date

import typer
from typer.testing import CliRunner

from izwi.cli.choosing import ASKED, choosing


def app_of(*names, seconds=30.0):
    """Return a program of one command with the shared options, and where it puts what it got."""
    got = {}
    app = typer.Typer()

    @app.command()
    @choosing(*names, seconds=seconds)
    def ask(word: str, as_json: bool = False, **chosen) -> None:
        got.update(word=word, as_json=as_json, **chosen)

    return app, got


def test_what_is_chosen_arrives_as_the_service_takes_it():
    app, got = app_of(*ASKED)
    options = ["--from", "2019", "--to", "2019-02", "--source", "a", "--source", "b", "--case"]

    answer = CliRunner().invoke(app, ["bakkie", *options], catch_exceptions=False)

    assert answer.exit_code == 0
    assert (got["since"], got["until"]) == (date(2019, 1, 1), date(2019, 2, 28))
    assert got["sources"] == ("a", "b")
    assert (got["word"], got["case"], got["mode"], got["timeout"]) == ("bakkie", True, "auto", 30.0)


def test_older_names_of_the_dates_still_work():
    app, got = app_of("since", "until")

    CliRunner().invoke(app, ["x", "--since", "2020-05-01", "--until", "2020-05-02"])

    assert (got["since"], got["until"]) == (date(2020, 5, 1), date(2020, 5, 2))


def test_a_command_has_only_what_it_names_and_its_own_patience():
    app, got = app_of("where", "timeout", seconds=600.0)

    answer = CliRunner().invoke(app, ["x", "--copies"])
    assert answer.exit_code == 2
    CliRunner().invoke(app, ["x"], catch_exceptions=False)
    assert got == {"word": "x", "as_json": False, "where": "", "timeout": 600.0}
