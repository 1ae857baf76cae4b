"""Counting by hand: documents as plain lists of words, and the slow and certain ways to count."""

from contextlib import contextmanager
from itertools import pairwise

from izwi.analyse.selection import Selection
from izwi.query.engine import Filter
from tests.index.corpora import document, on_disk


@contextmanager
def selected(*documents, parts=None, chosen=None):
    """Give the selection of some documents written into one segment or several."""
    with on_disk(*(parts or [documents])) as segments:
        yield Selection(tuple(segments), chosen or Filter())


def words_of(each):
    """Return the tokens of a document in lower case."""
    return [word.lower() for word in each.annotation.words]


def sentences_of(each):
    """Return the sentences of a document, each as its tokens in lower case."""
    words = words_of(each)
    starts = [*each.annotation.sentences, len(words)]
    return [words[a:b] for a, b in pairwise(starts)]


def windows(words, hits, left, right):
    """Yield the words left and right of each hit (start, end)."""
    for start, end in hits:
        yield words[max(0, start - left) : start], words[end : end + right]


__all__ = ["document", "selected", "sentences_of", "windows", "words_of"]
