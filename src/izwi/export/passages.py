"""Which tokens belong to which paragraph and sentence of a document."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from izwi.model.document import Annotation, Document, Mark, Paragraph


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph of the main text, and its sentences as ranges of token numbers."""

    kind: str
    text: str
    # Where it begins in the document's text.
    start: int
    sentences: tuple[range, ...] = ()
    marks: tuple[Mark, ...] = ()


def passages(document: Document) -> Iterator[Passage]:
    """Yield the paragraphs of the main text; those that hold nothing but space are left out."""
    found, start = document.annotation, 0
    for paragraph in document.paragraphs:
        if not paragraph.is_main:
            continue
        end = start + len(paragraph.text)
        if paragraph.text.strip():
            sentences = _sentences(found, start, end) if found else ()
            yield Passage(paragraph.kind, paragraph.text, start, sentences, paragraph.marks)
        start = end + 1


def is_comment(paragraph: Paragraph) -> bool:
    """Whether an extractor found that a paragraph is what a reader wrote below the text."""
    return not paragraph.is_main and paragraph.reason.startswith("comment")


def glue(found: Annotation, tokens: range) -> list[bool]:
    """Return for each token of a sentence whether it follows the one before without a space."""
    starts, ends = found.starts, found.ends
    return [place > tokens.start and starts[place] == ends[place - 1] for place in tokens]


def _sentences(found: Annotation, start: int, end: int) -> tuple[range, ...]:
    first, last = bisect_left(found.starts, start), bisect_left(found.starts, end)
    if first == last:
        return ()
    inner = found.sentences[
        bisect_left(found.sentences, first + 1) : bisect_left(found.sentences, last)
    ]
    edges = (first, *inner, last)
    return tuple(range(a, b) for a, b in pairwise(edges))
