"""A page that ends the process which reads it is named, and the build goes on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from izwi import plugins
from izwi.pipeline.runners import Processes
from izwi.pipeline.underway import Told, Underway, path_beside, read_told
from izwi.store.layers import read_documents
from tests.pipeline.pages import Corpus, page, settings
from tests.store.samples import write_shard

# An extractor that really reads where nothing is: no exception, the process ends.
EXTRACTOR = """
import ctypes
from dataclasses import dataclass
from izwi.text.extract.learnt import Izwi, IzwiOptions

class Crashing(Izwi):
    Options = IzwiOptions

    def judge(self, html, lean=b""):
        if "crashers" in html:
            ctypes.string_at(0)
        return super().judge(html, lean)
"""
SHARDS = ["2026-11-15-0001", "2026-11-15-0002"]


@pytest.fixture
def crashing_extractor(tmp_path, monkeypatch):
    folder = tmp_path / "installed"
    (folder / "crashing-1.dist-info").mkdir(parents=True)
    (folder / "crashing.py").write_text(EXTRACTOR)
    (folder / "crashing-1.dist-info" / "METADATA").write_text("Name: crashing\nVersion: 1\n")
    (folder / "crashing-1.dist-info" / "entry_points.txt").write_text(
        "[izwi.extractors]\ncrashing = crashing:Crashing\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    # What is installed is looked up once in a process, and other tests were there before.
    plugins._found.cache_clear()
    yield
    plugins._found.cache_clear()


def corpus_at(root):
    corpus = Corpus(root)
    write_shard(
        corpus.layout,
        SHARDS[0],
        [page("owls", "owls"), page("a", "crashers"), page("b", "crashers"), page("bats", "bats")],
    )
    write_shard(corpus.layout, SHARDS[1], [page("rats", "rats", seconds=9)])
    return corpus


@pytest.mark.slow
def test_page_that_ends_its_worker_is_named_and_the_build_goes_on(tmp_path, crashing_extractor):
    corpus = corpus_at(tmp_path / "news")

    result = corpus.build(settings(extract='method = "crashing"'), Processes(2))

    (layer,) = corpus.layout.layers.glob("text-*")
    verdicts = {
        document.url.rpartition("/")[2]: (document.verdict.outcome, document.verdict.reason)
        for shard in SHARDS
        for document in read_documents({"text": layer / f"{shard}.parquet"})
    }
    assert verdicts == {
        "owls": ("kept", ""),
        "a": ("failed", "fatal"),
        "b": ("failed", "fatal"),
        "bats": ("kept", ""),
        "rats": ("kept", ""),
    }
    assert not result.failures
    assert not list(layer.glob(".*.under-way"))


def test_one_death_may_be_chance_and_two_at_a_page_are_its_fault():
    once = Told(at=7).after_death()
    assert (once.suspect, once.fatal) == (7, ())

    elsewhere = Told(at=8, suspect=7, deaths=1).after_death()
    assert (elsewhere.suspect, elsewhere.fatal) == (8, ())

    twice = Told(at=7, suspect=7, deaths=1, fatal=(3,)).after_death()
    assert twice == Told(fatal=(3, 7))


def test_what_a_process_was_at_outlives_it(tmp_path):
    output = tmp_path / "text" / "one.parquet"
    code = (
        "import ctypes; from pathlib import Path; from izwi.pipeline.underway import Underway\n"
        f"with Underway(Path({str(output)!r})) as underway:\n"
        "    underway.begin(4); underway.begin(5); ctypes.string_at(0)"
    )
    for _ in range(2):
        ended = subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL, check=False)
        assert ended.returncode < 0 or os.name == "nt"

    with Underway(output) as underway:
        assert underway.told.fatal == (5,)
        assert [underway.begin(number) for number in (4, 5, 6)] == [True, False, True]

    assert read_told(output) == Told()
    assert not path_beside(output).exists()


@pytest.mark.parametrize("left", [b"", b"short", b"x" * 17], ids=["empty", "short", "odd"])
def test_a_file_that_was_cut_off_says_nothing(tmp_path, left):
    output = Path(tmp_path) / "one.parquet"
    path_beside(output).write_bytes(left)

    assert read_told(output) == Told()
