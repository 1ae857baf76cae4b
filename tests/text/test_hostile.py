"""Pages written to break a reader: each must end with a text or a verdict, and Python must live."""

import subprocess
import sys
import time

import pytest

import izwi

PARAGRAPH = "<p>A paragraph with some words in it, and then a few more of them. "

# In a process of its own: what writes beyond its tables ends Python, and no test would report it.
EXTRACT = """
import sys
import time
import izwi
for depth in map(int, sys.argv[3:]):
    text = izwi.extract("<title>t</title>" + sys.argv[1] * depth + sys.argv[2] * 37).text
    assert text.startswith("A paragraph with some words"), (depth, text[:80])
print("alive")
"""


@pytest.mark.parametrize("tag", ["<b>", "<a href=x>", "<em><a>"])
def test_elements_that_are_never_closed_do_not_end_the_process(tag):
    depths = ["300", "399", "400", "401", "402", "587", "900", "5000"]

    done = subprocess.run(
        [sys.executable, "-c", EXTRACT, tag, PARAGRAPH, *depths],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "alive\n", "")


# Each would take minutes if anything in it were read again for every other: the bounds are those
# that users are promised, and what is measured is far below them.
LONG = {
    "choices": "<select>" + "<option>x" * 100_000,
    "groups of choices": "<select>" + "<optgroup><option>x" * 50_000,
    "scripts that never end": "<script>" * 60_000,
    "scripts in comments in scripts": "<script><!--<script>" * 40_000,
    "nothing but <": "<" * 2_000_000,
    "references": "&" * 1_000_000,
    "tables in tables": "<table><tr><td>" * 40_000,
    "formats in paragraphs": "<b><i><u>" * 5 + "<p>x" * 60_000,
    "pictures": "<img>" * 100_000,
    "frames in frames": "<frameset><frame src=a>" * 40_000,
    "drawings in drawings": "<svg><foreignObject><p>x" * 20_000,
    "names of a megabyte": '<p class="' + "x " * 500_000 + '">text',
    "articles in articles": "<article><p>The ferry was late again, said the captain. " * 20_000,
    "dates": "<p>12 May 2020</p>" * 40_000,
    "shadow roots": "<template shadowrootmode=open>" * 40_000,
    "data in data": '<script type="application/ld+json">' + "[" * 100_000 + "</script>",
}


@pytest.mark.parametrize("page", LONG.values(), ids=LONG)
def test_time_is_in_proportion_to_the_page(page):
    begun = time.process_time()

    found = izwi.extract(page.encode())

    assert isinstance(found.text, str)
    assert isinstance(found.metadata.title, str)
    assert time.process_time() - begun < 2 + len(page) / 1e6


def test_choices_of_a_form_are_no_text_however_many():
    choices = "<select>" + "".join(f"<option>Choice {n}" for n in range(5_000)) + "</select>"

    found = izwi.extract(f"<body>{choices}{PARAGRAPH}</body>")

    assert not any("Choice" in block.text for block in found.paragraphs)
