"""Does the command that names languages say when a text is too short?"""

import json
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from izwi.cases.language_tools import _guesses_told
from izwi.cli.main import app


@pytest.mark.parametrize(
    ("text", "score", "is_noted"),
    [("die man", 0.5, True), ("die man", 0.9, False), ("die man " * 10, 0.5, False)],
)
def test_a_short_text_with_a_low_score_is_noted(text, score, is_noted):
    guess = SimpleNamespace(code="afr", score=score, reason="")

    *_, last = _guesses_told(SimpleNamespace(text=text), [guess], None)

    assert last.endswith("too short to be sure") == is_noted


def test_the_list_for_programs_has_scores_only():
    result = CliRunner().invoke(app, ["identify", "man", "--json"])

    assert all(set(each) >= {"code", "score"} for each in json.loads(result.stdout))
