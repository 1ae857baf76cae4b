"""An analysis of one query in one short file is there on every surface."""

import ast
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import izwi
from izwi import cases, plugins
from izwi.cli import main
from izwi.web.api import derived
from izwi.web.app import create_app

from ..service import tiny
from ..web.serving import asking

ROOT = Path(__file__).parents[2]
HERE = ROOT / "examples" / "plugins" / "use-case"
WORD = "robots"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("analysis") / "tiny"
    tiny.make(folder)
    tiny.gather(folder)
    izwi.open(folder).build(workers=1)
    return folder


@pytest.fixture(autouse=True)
def places(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    monkeypatch.setattr(cases, "plugged_in", lambda: ("izwi_places",))
    # The command line asks for the modules of plug-ins only if any package is installed.
    monkeypatch.setattr(plugins, "installed", lambda group: {"places": "izwi_places"})
    made = (derived.endpoint, derived.routers, derived.chart_router)
    caches = (cases.all_cases, cases.plugged_cases, *made)
    for each in caches:
        each.cache_clear()
    yield
    for each in caches:
        each.cache_clear()


def test_it_is_one_file_of_less_than_sixty_lines():
    lines = (HERE / "izwi_places.py").read_text().splitlines()

    assert len([line for line in lines if line.strip()]) < 60


def test_the_how_to_has_it_word_for_word():
    page = (ROOT / "docs" / "how-to" / "add-an-analysis.md").read_text()

    assert ast.unparse(ast.parse((HERE / "izwi_places.py").read_text())) in {
        ast.unparse(ast.parse(block.partition("```")[0])) for block in page.split("```python\n")[1:]
    }


def test_every_surface_gives_the_same(folder):
    python = izwi.open(folder).places(WORD, parts=2)
    command = CliRunner().invoke(main.app, ["places", str(folder), WORD, "--parts", "2", "--json"])
    with asking(create_app([folder])) as client:
        http = client.get(f"/api/v1/c/tiny/places?query={WORD}&parts=2").json()
        twin = client.get(f"/c/tiny/places.csv?q={WORD}&parts=2").text
        page = client.get(f"/c/tiny/places?q={WORD}&parts=2")
        form = client.get("/c/tiny/places")

    assert sum(line.hits for line in python.lines) > 0
    assert json.loads(command.stdout) == http
    assert http["lines"] == [{"part": each.part, "hits": each.hits} for each in python.lines]
    assert twin.splitlines()[0].endswith("part,hits")
    assert (page.status_code, form.status_code) == (200, 200)
    assert f"izwi places tiny {WORD} --parts 2" in page.text
    assert f"places(&#39;{WORD}&#39;" in page.text or f"places(&#34;{WORD}&#34;" in page.text


def test_the_command_prints_its_columns_and_is_in_the_help(folder):
    shown = CliRunner().invoke(main.app, ["places", str(folder), WORD])
    listed = CliRunner().invoke(main.app, ["--help"])

    assert shown.stdout.split()[:2] == ["Part", "Hits"]
    assert "places" in listed.stdout


def test_what_is_out_of_bounds_is_a_sentence(folder):
    with pytest.raises(izwi.IzwiError, match="parts is at most 100, not 101"):
        izwi.open(folder).places(WORD, parts=101)
    with asking(create_app([folder])) as client:
        assert client.get(f"/api/v1/c/tiny/places?q={WORD}&parts=101").status_code == 400


def test_a_package_that_cannot_be_loaded_is_left_out_with_a_warning(caplog):
    assert cases._is_loaded("izwi_places")
    assert not cases._is_loaded("izwi_nowhere")
    assert "izwi_nowhere" in caplog.text


def test_no_other_method_is_made_up(folder):
    with pytest.raises(AttributeError):
        izwi.open(folder).nowhere()
