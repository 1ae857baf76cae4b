"""`./run.sh bench` knows every benchmark there is, and the page shows what it wrote."""

import ast
import importlib
import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_spec = importlib.util.spec_from_file_location("bench", ROOT / "tools" / "run_benchmarks.py")
bench = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(bench)


def test_every_script_is_run_by_the_one_command():
    there = {str(path.relative_to(ROOT / "benchmarks")) for path in ROOT.glob("benchmarks/**/*.py")}

    assert {script.path for script in bench.SCRIPTS} | set(bench.PARTS) == there


@pytest.mark.parametrize(
    "path",
    sorted([*ROOT.glob("benchmarks/**/*.py"), *ROOT.glob("tools/*.py")]),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_what_a_script_takes_from_us_is_there(path):
    taken = [
        (node.module, name.name)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").split(".")[0] in ("izwi", "tests")
        for name in node.names
    ]

    missing = [each for each in taken if not _is_there(*each)]

    assert not missing


def _is_there(module, name):
    if hasattr(importlib.import_module(module), name):
        return True
    return importlib.util.find_spec(f"{module}.{name}") is not None


@pytest.mark.parametrize("script", bench.SCRIPTS, ids=[each.path for each in bench.SCRIPTS])
def test_every_script_has_its_place_or_makes_what_it_measures(script, tmp_path):
    (tmp_path / "segments" / "one").mkdir(parents=True)
    (tmp_path / "demo").mkdir()
    places = bench.Places(tmp_path, tmp_path / "data")

    for words in (script.small, script.full):
        assert not [each for each in places.filled(words) if "{" in each]


def test_scripts_that_want_data_are_left_out_without_it():
    assert not [each for each in bench.wanted([], has_data=False) if "{data}" in each.small]
    assert {"web/readers.py", "web/lines.py", "web/soak.py", "web/pages.py"} == {
        each.path for each in bench.wanted(["web"], has_data=False)
    }


def test_the_page_shows_the_figures_that_were_written():
    figures = json.loads(bench.FIGURES.read_text(encoding="utf-8"))
    page = bench.PAGE.read_text(encoding="utf-8")

    assert figures
    assert page == bench.with_figures(page, figures)
