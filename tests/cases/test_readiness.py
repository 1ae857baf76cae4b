"""What a server loads before somebody asks, and what readers see meanwhile."""

import subprocess
import sys
import threading

import pytest

from izwi.cases.corpus import create_corpus
from izwi.web import app as application
from izwi.web.middleware import PATIENCE

from ..waiting import until
from ..web.serving import asking

# In a process of its own: this one has long loaded everything.
LOADED = """
import pkgutil, sys
import izwi, izwi.analyse
from izwi.cases.corpus import load_ahead

load_ahead([izwi.open(sys.argv[1])])
for module in pkgutil.iter_modules(izwi.analyse.__path__):
    if f"izwi.analyse.{module.name}" not in sys.modules:
        print(module.name)
before = set(sys.modules)
from izwi.annotate.izwi import is_listed
print(is_listed("house", "en"), *(set(sys.modules) - before))
"""


@pytest.fixture
def folder(tmp_path):
    create_corpus(tmp_path / "small", contact="https://example.org/", languages=("en",))
    return tmp_path / "small"


@pytest.fixture
def environment(folder, tmp_path, monkeypatch):
    """What `izwi serve` leaves for the application; a page that takes longer says so at once."""
    monkeypatch.setenv("IZWI_CORPORA", str(folder))
    monkeypatch.setenv("IZWI_WORKSPACE", str(tmp_path / "workspace"))
    monkeypatch.setenv(PATIENCE, "0.05")


def test_the_code_of_analyses_and_the_word_list_are_loaded(folder):
    done = subprocess.run(
        [sys.executable, "-c", LOADED, str(folder)], capture_output=True, text=True, check=True
    )

    assert done.stdout == "True\n"


def test_pages_come_while_the_rest_is_loaded(environment, monkeypatch):
    let_go, loading = threading.Event(), threading.Event()

    def load(corpora):
        loading.set()
        let_go.wait(60)

    monkeypatch.setattr(application, "load_ahead", load)
    with asking(application.from_environment()) as client:
        assert loading.wait(60)
        answer = client.get("/c/small", headers={"Accept": "text/html"})
        let_go.set()

    assert answer.status_code == 200
    assert "No version has been published yet." in answer.text


def test_what_cannot_be_loaded_ahead_keeps_nobody_out(environment, monkeypatch, caplog):
    def fail(corpora):
        raise OSError("the disk is gone")

    monkeypatch.setattr(application, "load_ahead", fail)
    with asking(application.from_environment()) as client:
        until(lambda: "could not be loaded ahead" in caplog.text)
        answer = client.get("/c/small")

    assert answer.status_code == 200
