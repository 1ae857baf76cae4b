"""Pieces of words learnt from plain text, and the stems they give."""

import json
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.annotate.base import AnnotatorSettings
from izwi.annotate.izwi import Izwi
from izwi.annotate.segments import Segments, count_words, read_segments
from izwi.cases.language_tools import train_segments
from izwi.model.errors import ConfigError, SourceError

PREFIXES = ("", "ama", "aba", "izi", "isi", "uku")
ROOTS = (
    "fundi", "hlobo", "bongo", "khaya", "dingo", "thanda", "phila", "sebenza", "limi", "moya",
    "zwelo", "gugu", "themba", "nqubo", "qhawe", "vuno", "jabula", "culo", "xoxo", "shumi",
)  # fmt: skip


@pytest.fixture(scope="module")
def segments(tmp_path_factory):
    folder = tmp_path_factory.mktemp("segments")
    text = folder / "sample.txt"
    text.write_text("\n".join(a + b for a, b in product(PREFIXES, ROOTS)), encoding="utf-8")
    made = train_segments([text], folder / "own.segments", language="zu")
    assert (made.language, made.words) == ("zul", len(PREFIXES) * len(ROOTS))
    return folder / "own.segments"


def test_prefixes_and_roots_are_found(segments):
    cut = read_segments(segments)

    assert cut.cut("izifundi") == ["izi", "fundi"]
    assert cut.cut("Abadingo") == ["aba", "dingo"]
    # A word that was not in the text, of pieces that were.
    assert cut.stem("ukulimi") == "limi"


def test_stems_of_a_corpus_are_pieces(segments):
    settings = AnnotatorSettings(language="sot", segments=str(segments))
    found = Izwi(settings)(["Izidingo, amakhaya!"])

    assert found.stems[0] == "dingo"
    assert len(found.stems) == len(found.words)


@given(
    st.text(max_size=40),
    st.dictionaries(st.text("abcde", min_size=1, max_size=3), st.integers(1, 9)),
)
def test_pieces_spell_the_word(word, pieces):
    assert "".join(Segments(pieces).cut(word)) == word.lower()


def test_only_letters_are_counted():
    assert count_words(["R10m en die bakkie, Die 7de"], most=2) == ["die", "r"]


def test_a_text_without_words_is_refused(tmp_path):
    (tmp_path / "empty.txt").write_text("12 34\n", encoding="utf-8")
    with pytest.raises(SourceError, match="no word"):
        train_segments([tmp_path / "empty.txt"], tmp_path / "out", language="zu")


@pytest.mark.parametrize("content", ["", "[]", '{"format": 1}', '{"format": 9, "pieces": {}}'])
def test_a_file_of_something_else_is_refused(tmp_path, content):
    path = tmp_path / "other"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match="other"):
        read_segments(path)


def test_the_file_says_its_language(segments):
    assert json.loads(segments.read_text(encoding="utf-8"))["language"] == "zul"
