"""Commands whose answer is a file, and those that need no corpus: made from their use cases."""

import json

import pytest
from typer.testing import CliRunner

from izwi.cli.main import app
from izwi.model.errors import QueryError


def run(*words):
    return CliRunner().invoke(app, [*map(str, words)])


def test_quotations_go_to_standard_output_or_into_a_file(built, tmp_path):
    shown = run("quote", built.path, "--query", "oranges", "--format", "bibtex")
    kept = run(
        "quote", built.path, "--query", "oranges", "--format", "bibtex",
        "--output", tmp_path / "oranges.bib",
    )  # fmt: skip

    assert shown.output.startswith("@")
    assert (tmp_path / "oranges.bib").read_text("utf-8") == shown.output
    assert "quotations written as bibtex" in kept.output


def test_quotations_for_programs_are_no_file(built):
    rows = json.loads(run("quote", built.path, "--query", "oranges", "--json").output)

    assert {"hit", "match", "url"} <= rows[0].keys()


def test_quotations_of_nothing_are_refused(built):
    refused = run("quote", built.path).exception

    assert isinstance(refused, QueryError)
    assert "give a query" in str(refused)


@pytest.mark.parametrize("words", [("draft",), ("export",)], ids=" ".join)
def test_labels_are_written_into_the_file_that_is_named(built, tmp_path, words):
    done = run("labels", *words, built.path, tmp_path / "labels.jsonl", "--json")

    assert done.exception is None, done.output
    lines = (tmp_path / "labels.jsonl").read_text("utf-8").splitlines()
    assert json.loads(done.output) == {"pages": len(lines)}


def test_packs_of_sources_are_listed_without_a_corpus():
    assert "sources)" in run("sources", "packs").output
