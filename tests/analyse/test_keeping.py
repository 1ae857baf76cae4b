"""What was counted over a whole version is read again, is the same, and holds no words."""

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from izwi.analyse import ngrams, vocabulary, wordlists
from izwi.analyse.ngrams import NgramsAsked, ngram_list
from izwi.analyse.selection import Selection
from izwi.analyse.vocabulary import Choice
from izwi.analyse.wordlists import word_list
from izwi.index.reader import Segment
from izwi.index.writer import write_segment
from izwi.query.engine import Filter
from tests.index.corpora import document

DOCUMENTS = (
    document("a", "The bakkie stood here. The bakkie left."),
    document("b", "The bakkie stood there, and the dog slept."),
    document("c", "A dog slept here. The bakkie stood here."),
)


@contextmanager
def selected(*parts, gone=()):
    """Give the documents of some segments in a folder like that of a corpus."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "index", "segments")
        made = [
            write_segment(place, part, shards=[str(number)], fingerprint="f")
            for number, part in enumerate(parts)
        ]
        yield Selection(tuple(Segment(place / each.id, gone) for each in made), Filter())


@pytest.fixture(autouse=True)
def _kept_at_any_size(monkeypatch):
    monkeypatch.setattr("izwi.analyse.selection.LEAST_TOKENS", 1)


def asked(selection):
    choice = Choice(most=50)
    return (
        ngram_list(selection, NgramsAsked(3, "s", choice)),
        word_list(selection, choice, sort="hits"),
        word_list(selection, choice, sort="documents"),
    )


def files(selection):
    return sorted(selection.segments[0].folder.parent.parent.glob("kept/*.npz"))


def counting_refused(monkeypatch):
    """Let every way of counting fail, so that an answer can only be one that was kept."""

    def refused(*_, **__):
        raise AssertionError("counted again")

    for module, name in (
        (ngrams, "count_plainly"),
        (ngrams, "sketch_ngrams"),
        (wordlists, "_range_and_dp"),
        (wordlists, "_in_one"),
        (wordlists, "_in_several"),
        (vocabulary, "count_stretches"),
    ):
        monkeypatch.setattr(module, name, refused)


@pytest.mark.parametrize("parts", [[DOCUMENTS], [DOCUMENTS[:2], DOCUMENTS[1:]]])
def test_what_was_counted_once_is_not_counted_again(monkeypatch, parts):
    with selected(*parts, gone=[(1, 2)]) as selection:
        first = asked(selection)
        kept = [path.read_bytes() for path in files(selection)]
        counting_refused(monkeypatch)
        assert asked(fresh(selection)) == first
        with pytest.raises(AssertionError, match="counted again"):
            asked(fresh(selection, Filter(sources=("herald",))))
    assert kept
    assert not any(word in each for each in kept for word in (b"bakkie", b"slept", b"stood"))


def fresh(selection, chosen=None):
    """Return the same documents as another process would open them."""
    opened = tuple(type(each)(each.folder, each.gone) for each in selection.segments)
    return type(selection)(opened, chosen or selection.chosen)


def test_what_is_damaged_is_counted_again():
    with selected(DOCUMENTS) as selection:
        first = asked(selection)
        for path in files(selection):
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        assert asked(fresh(selection)) == first


def test_documents_that_are_gone_are_another_question():
    with selected(DOCUMENTS) as selection:
        before = asked(selection)
        (segment,) = selection.segments
        without = type(selection)((type(segment)(segment.folder, [(2, 3)]),), Filter())
        after = asked(without)
    assert before[1].tokens > after[1].tokens
    assert "a dog slept" not in {line.value for line in after[0].lines}


def test_those_asked_for_longest_ago_make_room(monkeypatch):
    with selected(DOCUMENTS) as selection:
        asked(selection)
        old = files(selection)
        for path in old:
            os.utime(path, (1, 1))
        monkeypatch.setattr("izwi.analyse.selection.MOST_BYTES", 1)
        ngram_list(selection, NgramsAsked(2))
        assert len(files(selection)) == 1
        assert not set(files(selection)) & set(old)


def test_a_folder_that_can_only_be_read_is_searched_all_the_same(monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    with selected(DOCUMENTS) as selection:
        monkeypatch.setattr("izwi.analyse.selection.replacing", refuse)
        assert asked(selection)[0].lines
        assert not files(selection)
