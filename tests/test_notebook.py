"""The notebook of examples/ runs from its first cell to its last, and shows what it promises."""

from pathlib import Path

import nbclient
import nbformat
import pytest

from tests.web.conftest import corpus_folder  # noqa: F401 -- a fixture

NOTEBOOK = Path(__file__).parent.parent / "examples" / "corpus.ipynb"


@pytest.fixture(scope="module")
def run(corpus_folder, tmp_path_factory):  # noqa: F811
    place = tmp_path_factory.mktemp("notebook")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("IZWI_CORPUS", str(corpus_folder))
        for name in ("JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTER_CONFIG_DIR"):
            patched.setenv(name, str(place / name))
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        client = nbclient.NotebookClient(
            notebook, timeout=250, resources={"metadata": {"path": place}}
        )
        client.execute()
    return notebook


def outputs(notebook, source):
    """Return what the cell with these words shows, by media type."""
    (cell,) = [
        cell for cell in notebook.cells if source in cell.source and cell.cell_type == "code"
    ]
    shown = {}
    for output in cell.outputs:
        shown |= output.get("data", {}) or {"text": output.get("text", "")}
    return shown


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_cell_runs_and_shows_what_a_reader_expects(run):
    assert "documents" in outputs(run, "izwi.open")["text/html"]
    lines = outputs(run, "size=20")["text/html"]
    assert "<table" in lines
    assert 'href="http' in lines
    assert "bakkie" in outputs(run, "first.match")["text"].lower()
    assert "dataframe" in outputs(run, "lines.df()")["text/html"]
    assert "<table" in outputs(run, 'by="source"')["text/html"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("source", ["by_source.chart()", "corpus.trend"])
def test_charts_are_drawn_by_jupyter(run, source):
    shown = outputs(run, source)

    assert any(kind.startswith("application/vnd.vegalite") or kind == "text/html" for kind in shown)
    assert "vega" in str(shown)


def test_it_is_kept_without_outputs():
    cells = nbformat.read(NOTEBOOK, as_version=4).cells

    assert all(not cell.get("outputs") and not cell.get("execution_count") for cell in cells)
