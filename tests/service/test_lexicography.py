import json

import pytest
from typer.testing import CliRunner

from izwi.cli.main import app

RUN = CliRunner()


@pytest.fixture(scope="module", autouse=True)
def _built(built_folder):
    """Build the tiny corpus once for all commands."""


def out(*arguments):
    done = RUN.invoke(app, [str(each) for each in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("sketch", "traffic", "--least", "1"), "verb with it as object"),
        (("sketch-difference", "traffic", "man", "--least", "1"), "direct"),
        (("thesaurus", "orange", "--least", "1"), "likeness"),
        (("examples", "oranges", "--factors"), "whole sentence"),
        (("attestations", "oranges", "unicorn"), "absent"),
        (("decisions",), ""),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_commands_print_and_speak_json(built_folder, arguments, words):
    name, *others = arguments

    assert words in out(name, built_folder, *others)
    plain = [other for other in others if other != "--factors"]
    assert json.loads(out(name, built_folder, *plain, "--json")) is not None


def test_new_words_are_listed_and_drawn(built_folder, tmp_path):
    chart = tmp_path / "new.svg"
    asked = ("new-words", built_folder, "--from", "2020-03-02", "--sites", "1", "--least", "1")

    assert "no dated text" not in out(*asked)
    out(*asked, "--chart", chart)

    assert chart.read_text(encoding="utf-8").startswith("<svg")


def test_results_are_data_frames(built):
    pytest.importorskip("pandas")
    found = built.word_sketch("traffic", least=1)

    assert len(found.df()) == len(found.rows())


def test_results_are_tables_and_charts(built):
    found = built.word_sketch("traffic", least=1)

    rows = found.rows()
    assert {"relation", "word", "hits", "score", "cql"} == set(rows[0])
    assert found.chart("/c/tiny").svg.startswith("<svg")
    assert built.good_examples("oranges").rows()[0]["length"] >= 0
    assert built.attestations(["oranges"]).rows()[0]["headword"] == "oranges"
    assert built.thesaurus("orange", least=1).rows() == []
    assert built.sketch_difference("traffic", "man", least=1).rows()[0]["difference"] != 0


def test_a_result_without_a_chart_says_so(built):
    from izwi.model.errors import QueryError

    with pytest.raises(QueryError, match="no chart of Attestations"):
        built.attestations(["oranges"]).chart()


def test_decisions_are_kept_with_the_corpus(own_folder):
    out("decide", own_folder, "robot", "known", "--who", "editor", "--note", "since 1920")

    assert "robot: known (editor) - since 1920" in out("decisions", own_folder)
    assert (own_folder / "decisions.jsonl").exists()
