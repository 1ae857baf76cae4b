"""Documents as the index knows them: for versions whose layers are gone, and for vertical text.

The index has every token with its attributes, spaces, sentences and paragraphs, and the card of
each document; kinds of paragraphs, keywords and the like are not in it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import Segment
from izwi.model.document import (
    COLUMN_BY_ATTRIBUTE,
    Annotation,
    Document,
    LanguageGuess,
    Metadata,
    Paragraph,
    Precision,
    PublicationDate,
)
from izwi.model.results import DocumentCard

_COLUMNS = {**COLUMN_BY_ATTRIBUTE, "tag": "xpos"}


def indexed_documents(segment: Segment, published: str) -> Iterator[Document]:
    """Yield the documents of a segment but for copies; `published` is that of its version."""
    paragraphs = segment.structure("p").starts if "p" in segment.structures else np.empty(0, int)
    sentences = segment.structure("s").starts if "s" in segment.structures else np.empty(0, int)
    for number in np.flatnonzero(segment.is_original).tolist():
        begin, end = int(segment.document_starts[number]), int(segment.document_ends[number])
        firsts = _within(paragraphs, begin, end)
        texts, tokens = _text(segment, begin, end, firsts)
        card = segment.card(number)
        yield Document(
            id=card.id,
            url=card.url,
            captured=_moment(card.captured or published),
            source=card.source,
            metadata=_metadata(card),
            paragraphs=tuple(map(Paragraph, texts)),
            language=LanguageGuess(card.language, 1.0) if card.language else None,
            annotation=_annotation(segment, begin, end, tokens, _within(sentences, begin, end)),
        )


def _within(starts: NDArray[Any], begin: int, end: int) -> list[int]:
    """Return the starts inside a document, counted from its first token, which is always one."""
    low, high = np.searchsorted(starts, [begin, end])
    found = (starts[low:high].astype(np.int64) - begin).tolist()
    return found if not begin < end or found[:1] == [0] else [0, *found]


def _text(
    segment: Segment, begin: int, end: int, firsts: list[int]
) -> tuple[list[str], tuple[list[str], list[int], list[int]]]:
    """Return the paragraphs of a document, and its words with where each begins."""
    pieces = segment.pieces([(begin, end)])[0] if begin < end else []
    texts: list[str] = []
    words, starts, place = [], [], 0
    for first, last in zip(firsts, [*firsts[1:], end - begin], strict=True):
        text = ""
        for piece in pieces[first:last]:
            word = piece.removesuffix(" ")
            starts.append(place + len(text))
            words.append(word)
            text += piece
        texts.append(text.rstrip(" "))
        place += len(texts[-1]) + 1
    return texts, (words, starts, firsts)


def _annotation(
    segment: Segment,
    begin: int,
    end: int,
    tokens: tuple[list[str], list[int], list[int]],
    sentences: list[int],
) -> Annotation:
    words, starts, firsts = tokens
    columns: dict[str, Any] = {
        _COLUMNS[name]: tuple(_values(segment, name, begin, end))
        for name in segment.attributes
        if name in _COLUMNS
    }
    return Annotation(
        tuple(words),
        tuple(starts),
        tuple(start + len(word) for start, word in zip(starts, words, strict=True)),
        tuple(sorted({*sentences, *firsts})),
        tuple(firsts),
        **columns,
    )


def _values(segment: Segment, name: str, begin: int, end: int) -> list[str]:
    attribute = segment.attribute(name)
    return attribute.values(attribute.column[np.arange(begin, end)])


def _metadata(card: DocumentCard) -> Metadata:
    precision = cast(Precision, card.date_precision or "day")
    when = PublicationDate(card.date, precision, card.date_evidence) if card.date else None
    return Metadata(card.title, card.author, when, card.section, card.site)


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
