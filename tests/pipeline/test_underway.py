"""A page that ends the process which reads it is named, and the build goes on."""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from izwi import plugins
from izwi.model.document import Verdict, failed
from izwi.pipeline.runners import (
    Processes,
    Told,
    Underway,
    fatal_documents,
    path_beside,
    read_told,
    settled,
    watched,
)
from izwi.service.ledger import ledger_lines
from izwi.store.catalog import Catalog
from izwi.store.layers import read_documents
from tests.index.corpora import document
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
# An identifier and an annotator that do so, too: the text of the page is there already.
IDENTIFIER = """
import ctypes
from izwi.text.language.ngrams import Izwi

class Crashing(Izwi):
    def __call__(self, text):
        if "crashers" in text:
            ctypes.string_at(0)
        return super().__call__(text)
"""
ANNOTATOR = """
import ctypes
from izwi.annotate.tokens import Tokeniser

class Crashing(Tokeniser):
    def __call__(self, texts):
        if any("crashers" in text for text in texts):
            ctypes.string_at(0)
        return super().__call__(texts)
"""
# And one that fails with an error at some pages, or at all of them.
FAULTY = """
from izwi.annotate.tokens import Tokeniser

class Crashing(Tokeniser):
    def __call__(self, texts):
        if any({word!r} in text for text in texts):
            raise ValueError("no lemma")
        return super().__call__(texts)
"""
SHARDS = ["2026-11-15-0001", "2026-11-15-0002"]


@pytest.fixture
def install(tmp_path, monkeypatch):
    def install(group, source):
        folder = tmp_path / "installed"
        (folder / "crashing-1.dist-info").mkdir(parents=True)
        (folder / "crashing.py").write_text(source)
        (folder / "crashing-1.dist-info" / "METADATA").write_text("Name: crashing\nVersion: 1\n")
        (folder / "crashing-1.dist-info" / "entry_points.txt").write_text(
            f"[izwi.{group}]\ncrashing = crashing:Crashing\n"
        )
        monkeypatch.syspath_prepend(str(folder))
        # What is installed is looked up once in a process, and other tests were there before.
        sys.modules.pop("crashing", None)
        plugins._found.cache_clear()

    yield install
    sys.modules.pop("crashing", None)
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
def test_page_that_ends_its_worker_is_named_and_the_build_goes_on(tmp_path, install):
    install("extractors", EXTRACTOR)
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stage", "group", "source", "section"),
    [
        pytest.param("language", "languages", IDENTIFIER, "language", id="language"),
        pytest.param("annotate", "annotators", ANNOTATOR, "annotate", id="annotate"),
    ],
)
def test_page_that_ends_a_later_stage_is_in_the_ledger(
    tmp_path, install, stage, group, source, section
):
    install(group, source)
    corpus = corpus_at(tmp_path / "news")
    config = settings(**{section: 'method = "crashing"'})

    result = corpus.build(config, Processes(2))

    with Catalog.write(corpus.layout.catalog) as catalog:
        lines = list(ledger_lines(corpus.layout, config, catalog))
    found = {line.url.rpartition("/")[2]: (line.outcome, line.stage, line.reason) for line in lines}
    fatal, kept = ("failed", stage, "fatal"), ("kept", "", "")
    assert found == {"owls": kept, "a": fatal, "b": fatal, "bats": kept, "rats": kept}
    assert not result.failures
    assert result.snapshot.documents == 3
    assert not list(corpus.layout.layers.rglob(".*.under-way"))

    # What is known is not tried again, nor is anything else made anew.
    assert corpus.build(config, Processes(2)).shards_built == 0


def outcomes(corpus, config):
    with Catalog.write(corpus.layout.catalog) as catalog:
        lines = list(ledger_lines(corpus.layout, config, catalog))
    return {line.url.rpartition("/")[2]: (line.outcome, line.stage, line.reason) for line in lines}


def test_page_at_which_a_stage_fails_takes_no_other_along(tmp_path, install, monkeypatch):
    install("annotators", FAULTY.format(word="crashers"))
    corpus = corpus_at(tmp_path / "news")
    config = settings(annotate='method = "crashing"')

    result = corpus.build(config)

    fault, kept = ("failed", "annotate", "stage-error"), ("kept", "", "")
    assert outcomes(corpus, config) == {
        "owls": kept,
        "a": fault,
        "b": fault,
        "bats": kept,
        "rats": kept,
    }
    assert not result.failures
    assert result.snapshot.documents == 3
    assert corpus.build(config).shards_built == 0

    # Another version tries again what it makes anew; until then the ledger keeps to the truth.
    install_again(tmp_path, "nothing-like-this")
    monkeypatch.setattr(plugins, "version", lambda name: "99.0")
    assert outcomes(corpus, config)["a"] == fault
    (layer,) = corpus.layout.layers.glob("tokens-*")
    shutil.rmtree(layer)
    corpus.build(config)
    found = outcomes(corpus, config)
    assert (found["a"], found["b"]) == (kept, ("dropped", "dedup", "exact-copy"))


def install_again(tmp_path, word):
    (tmp_path / "installed" / "crashing.py").write_text(FAULTY.format(word=word))
    sys.modules.pop("crashing", None)
    plugins._found.cache_clear()


def test_stage_that_fails_at_every_page_is_at_fault_itself(tmp_path, install):
    install("annotators", FAULTY.format(word=""))
    corpus = Corpus(tmp_path / "news")
    pages = [page(f"p{number}", f"owls{number}", seconds=number) for number in range(14)]
    write_shard(corpus.layout, SHARDS[0], pages)

    result = corpus.build(settings(annotate='method = "crashing"'))

    (failure,) = result.failures
    assert "ValueError: no lemma" in failure
    (layer,) = corpus.layout.layers.glob("text-*")
    assert fatal_documents(layer / f"{SHARDS[0]}.parquet") == {}


def test_documents_known_as_fatal_have_failed_in_every_later_stage(tmp_path):
    text, output = tmp_path / "text" / "one.parquet", tmp_path / "lang" / "one.parquet"
    text.parent.mkdir()
    output.parent.mkdir()
    documents = [document("a", "A."), document("b", "B.")]
    path_beside(output).write_bytes(struct.pack("<qqq", 1, 1, 1))

    given = list(watched(documents, text, "language", output))
    later = list(settled(documents, text))

    assert [each.verdict for each in given] == [Verdict(), failed("language", "fatal")]
    assert later == given
    assert fatal_documents(text) == {documents[1].id: failed("language", "fatal")}


def test_what_ends_a_process_after_the_last_page_is_no_pages_fault(tmp_path):
    output = tmp_path / "one.parquet"
    given = watched([document("a", "A.")], tmp_path / "text.parquet", "sign", output)

    next(given)
    assert read_told(output).at == 0
    with Underway(output) as underway:
        underway.begin(5)
        underway.end()
        assert read_told(output).after_death() == read_told(output)


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
        "import ctypes; from pathlib import Path; from izwi.pipeline.runners import Underway\n"
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
