"""Pages made to exhaust a reader: the beginning is read, and the verdict says so."""

import json
import subprocess
import sys

import pytest

import izwi
from izwi.text.decode import MOST_CHARACTERS, MOST_TAGS, as_page
from izwi.text.extract.base import Extract, ExtractConfig
from izwi.text.verdicts import Sift, SiftConfig
from tests.text.pages import LONG, page

# Reads one page in a process of its own: what it needs of memory and CPU is the process's.
READ = """
import json, resource, sys, time
from izwi.text.extract.base import Extract, ExtractConfig
from tests.text.pages import page
unit, size = sys.argv[1], int(sys.argv[2])
captured = page(unit * (size // len(unit)))
(found,) = Extract(ExtractConfig())(iter([captured]))
used = resource.getrusage(resource.RUSAGE_SELF)
seconds = used.ru_utime + used.ru_stime
# Not ru_maxrss: a process inherits that of the one that started it.
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
memory = int(status["VmHWM"].split()[0]) // 1024
print(json.dumps([found.verdict.reason, found.verdict.detail, memory, seconds]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in other units elsewhere")
@pytest.mark.parametrize(
    ("unit", "megabytes", "reason", "cut"),
    [
        pytest.param("<", 50, "cut-short", "500,000 tags", id="signs"),
        pytest.param("<p>x", 22, "cut-short", "20,000 blocks", id="paragraphs"),
        pytest.param("<!---->", 50, "no-main-text", "500,000 tags", id="comments"),
        pytest.param(">", 50, "cut-short", "16,000,000 characters", id="text"),
    ],
)
def test_a_page_of_many_megabytes_takes_bounded_time_and_memory(unit, megabytes, reason, cut):
    command = [sys.executable, "-c", READ, unit, str(megabytes * 10**6)]

    told = subprocess.run(command, capture_output=True, text=True, check=True)

    why, detail, memory, seconds = json.loads(told.stdout)
    assert (why, detail) == (reason, f"cut: only the first {cut} were read")
    # The page itself three times, the interpreter, and what was read of it.
    assert memory < 3 * megabytes + 700
    # Two seconds and one a megabyte, and so much for the process and its imports.
    assert seconds < 2 + megabytes + 5


def test_what_was_cut_is_said_and_its_beginning_kept():
    text = f"<p>{LONG}</p>" + "<i></i>" * MOST_TAGS

    (found,) = Extract(ExtractConfig())(iter([page(text)]))
    (sifted,) = Sift(SiftConfig())(iter([found]))

    assert LONG.strip() in found.text
    for verdict in (found.verdict, sifted.verdict):
        assert (verdict.outcome, verdict.reason) == ("kept", "cut-short")
    assert "cut: only the first 500,000 tags were read" in izwi.extract(text).notes


@pytest.mark.parametrize("tags", [0, 1, MOST_TAGS])
def test_pages_within_the_bounds_are_read_whole(tags):
    text = "a<" * tags + "z"

    assert as_page(text).cut == ""
    assert as_page(text).text.endswith("z")


def test_a_page_is_cut_right_before_the_tag_that_is_too_many():
    cut = as_page("a<" * (MOST_TAGS + 1) + "z").text

    assert (cut.count("<"), cut[-1]) == (MOST_TAGS, "<")
    assert len(as_page("é" * (MOST_CHARACTERS + 5)).text) == MOST_CHARACTERS
