import json

import pytest
from typer.testing import CliRunner

from izwi.cli.main import app


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command with accounts of its own and return what it printed as JSON."""
    monkeypatch.setenv("IZWI_WORKSPACE", str(tmp_path / "workspace"))

    def command(*arguments, given=""):
        found = CliRunner().invoke(app, [*arguments, "--json"], input=given, catch_exceptions=False)
        return json.loads(found.stdout)

    return command


@pytest.fixture
def folder(tmp_path):
    from izwi.cases.corpus import create_corpus

    create_corpus(tmp_path / "news", contact="https://example.org/bot")
    return str(tmp_path / "news")


def test_accounts_are_made_listed_given_tokens_and_removed(run):
    added = run(
        "users", "add", "thandi", "--role", "curator", "--password-stdin", given="a long password\n"
    )
    assert (added["name"], added["role"]) == ("thandi", "curator")

    token = run("users", "token", "thandi", "--label", "backup")["token"]
    assert token.startswith("izwi_")
    assert [user["name"] for user in run("users", "list")] == ["thandi"]

    assert run("users", "password", "thandi", "--password-stdin", given="another password\n") == {
        "changed": "thandi"
    }
    assert run("users", "remove", "thandi") == {"removed": "thandi"}
    assert run("users", "list") == []


def test_settings_are_changed_and_taken_back(run, folder):
    run("settings", "change", folder, "--set", "language.minimum=0.3", "--comment", "why not")

    (change,) = run("curate", "changes", folder)
    assert change["after"] == {"language.minimum": 0.3}
    assert change["comment"] == "why not"
    run("curate", "undo", folder, "1")
    assert run("curate", "changes", folder)[0]["undoes"] == 1


@pytest.mark.parametrize(
    "command",
    [
        ("runs",), ("takedowns",), ("curate", "decisions"), ("audit", "report"),
        ("labels", "models"), ("sources", "health"), ("labels", "queue"),
    ],
)  # fmt: skip
def test_a_corpus_without_anything_has_nothing_to_tell(run, folder, command):
    assert run(*command, folder) == []
