"""A command loads what it needs and no more: what is left out here is most of its start."""

import subprocess
import sys

import pytest

from tests.service import tiny

NEVER = ("pandas", "pydantic", "pyarrow.compute", "pyarrow.dataset", "lxml", "numpy.random")
SCRIPT = """
import sys
from izwi.cli.main import main
never, sys.argv = sys.argv[1].split(","), ["izwi", *sys.argv[2:]]
try: main()
finally: sys.stderr.write("|".join(name for name in never if name in sys.modules) + "|end")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("starting") / "tiny"
    corpus = tiny.make(path)
    tiny.gather(path)
    corpus.build(workers=1)
    return path


def loaded(never, *words):
    command = [sys.executable, "-c", SCRIPT, ",".join(never), *map(str, words)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    return ended.stderr.rsplit("\n", 1)[-1].removesuffix("|end"), ended.stdout


def test_help_needs_no_terminal_library():
    found, told = loaded((*NEVER, "numpy", "rich", "izwi.model.results"), "--help")

    assert found == ""
    # Summaries are whole, not cut where a line ends.
    assert (
        "Find a word, a phrase or a CQL query and return one page of its lines in context."
        in " ".join(told.split())
    )


def test_a_query_needs_no_validator(folder):
    never = (*NEVER, "pyarrow.parquet", "rich.progress", "urllib.request", "numpy.ma")
    never += ("izwi.config.schema", "izwi.model.lexicography")
    found, told = loaded(never, "query", folder, "the")

    assert found == ""
    assert "per million" in told


def test_a_build_with_nothing_to_do_reads_no_feed_and_asks_no_dataset(folder):
    never = ("feedparser", "fastfeedparser", "multiprocessing", "izwi.text.extract.base", *NEVER)
    never += ("izwi.annotate.izwi", "izwi.text.language.ngrams", "izwi.pipeline.shard")
    found, told = loaded(never, "build", folder)

    assert found == ""
    assert "0 pages fetched" in told
