"""What a command is given reaches its use case under the names and types of the request."""

import json
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from izwi.cases.case import Case, Says, ids_of
from izwi.cases.questions import Question, Versioned
from izwi.cases.reports import Fates
from izwi.cli import derived
from izwi.cli.main import app
from izwi.cli.render import show_ledger
from izwi.model.errors import QueryError
from izwi.model.results import Ledger, LedgerLine, ReasonCount


@dataclass(frozen=True, kw_only=True)
class Counted(Question):
    ids: Annotated[
        tuple[str, ...], Says("Ids.", name="id", file=ids_of, file_option="list")
    ] = ()  # fmt: skip
    size: Annotated[int, Says("A size.", env="SOME_SIZE", also=("length",))] = 3


@dataclass(frozen=True, kw_only=True)
class Told(Versioned):
    about: Annotated[str, Says("What it is about.", is_first=True)]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "corpus.toml").write_text('[corpus]\nname = "small"\n')
    return str(tmp_path)


@pytest.fixture
def ask(folder):
    """Ask a program of two commands; what the use case was asked is returned with its output."""
    asked = []

    def note(folder, request, doing):
        """Note it."""
        asked.append(request)
        return {"size": getattr(request, "size", 0)}

    program = typer.Typer()
    derived._add(
        program,
        Case("count", "count", "GET /x", Counted, note, "izwi count news x"),
        Case("tell", "count", "GET /y", Told, note, "izwi count news --about x", switch="about"),
    )
    program.command("other")(lambda: None)

    def run(*words, **more):
        done = CliRunner().invoke(program, ["count", "--json", folder, *words], **more)
        return done, asked[-1] if asked else None

    return run


def test_what_is_given_arrives_as_the_request_has_it(ask):
    options = ["--from", "2019", "--to", "2019-02", "--source", "a", "--source", "b", "--case"]

    done, request = ask("bakkie", *options, catch_exceptions=False)

    assert done.exit_code == 0
    assert json.loads(done.stdout) == {"size": 3}
    assert (request.since, request.until) == (date(2019, 1, 1), date(2019, 2, 28))
    assert request.sources == ("a", "b")
    assert (request.query, request.case, request.mode) == ("bakkie", True, "auto")


def test_older_names_still_work_and_are_not_in_the_help(ask):
    _, request = ask("x", "--since", "2020-05-01", "--until=2020-05-02", "--length", "8")

    assert (request.since, request.until) == (date(2020, 5, 1), date(2020, 5, 2))
    assert request.size == 8
    assert "--since" not in ask("--help")[0].stdout


def test_words_after_two_dashes_are_no_options(ask):
    _, request = ask("--length", "9", "--", "--since")

    assert (request.query, request.size) == ("--since", 9)


def test_a_variable_stands_for_an_option(ask):
    assert ask("x", env={"SOME_SIZE": "7"})[1].size == 7


def test_values_come_from_options_and_from_a_file(ask, tmp_path):
    (tmp_path / "ids").write_text("b c\n")

    _, request = ask("x", "--id", "a", "--list", str(tmp_path / "ids"))

    assert request.ids == ("a", "b", "c")


def test_of_two_cases_the_option_chooses(ask):
    _, request = ask("--about", "love", "--version", "2")

    assert request == Told(about="love", version=2)


@pytest.mark.parametrize(
    ("words", "part"),
    [((), "Give QUERY, or --about."), (("x", "--about", "y"), "not both")],
)
def test_what_is_missing_or_too_much_is_said(ask, words, part):
    done, request = ask(*words)

    assert isinstance(done.exception, QueryError)
    assert part in str(done.exception)
    assert request is None


def test_what_nobody_knows_is_refused(ask):
    assert ask("x", "--copying")[0].exit_code == 2


@pytest.mark.parametrize("place", sorted(set(derived._SHOWN.values())))
def test_what_shows_an_answer_is_where_it_is_said_to_be(place):
    module, _, function = place.partition(":")

    assert callable(getattr(import_module(f"izwi.cli.{module}"), function))


def test_a_text_may_be_a_file_and_that_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note").write_text("Die kinders speel buite in die son en hulle lag.", "utf-8")

    read = CliRunner().invoke(app, ["identify", "note", "--json"])
    # Longer than any name of a file may be.
    told = (
        "UMengameli uthe uhulumeni uzokwakha izikole ezintsha kulo nyaka ukuze izingane zifunde "
        "kahle. Abazali babonge kakhulu ngoba bebelinde isikhathi eside. Uthishanhloko uthe "
        "uyajabula ngokuthi izingane zizothola amagumbi amasha okufundela nezincwadi zokufunda "
        "ekhaya."
    )
    typed = CliRunner().invoke(app, ["identify", told, "--json"])

    assert json.loads(read.stdout)[0]["code"] == "afr"
    assert "note is a file; its text is read" in read.stderr
    assert json.loads(typed.stdout)[0]["code"] == "zul"
    assert typed.stderr == ""


def test_who_says_how_many_lines_of_the_ledger_gets_them(capsys):
    lines = tuple(
        LedgerLine(f"https://a.example/{n}", "dropped", "select", "too-short") for n in range(2)
    )
    ledger = Ledger((ReasonCount("dropped", "select", "too-short", 2),), lines, 2)

    show_ledger(ledger, asked=Fates(most=2), lines=False)
    with_lines = capsys.readouterr().out
    show_ledger(ledger, asked=Fates(), lines=False)

    assert "https://a.example/1" in with_lines
    assert "https://a.example/1" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["identify", "Amanzi", "--only", "zul"], "--only works only with --runs."),
        (["identify", "Amanzi", "--runs", "--expect", "zul"], "--expect works only without --runs"),
    ],
)
def test_an_option_of_another_use_case_is_not_passed_over(words, says):
    result = CliRunner().invoke(app, words)

    assert isinstance(result.exception, QueryError)
    assert says in str(result.exception)
