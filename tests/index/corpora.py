"""Small corpora, given or drawn by chance, as documents and as segments on disk."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path

from hypothesis import strategies as st

from izwi.annotate.tokens import Tokeniser
from izwi.index.reader import Segment
from izwi.index.writer import write_segment
from izwi.model.document import (
    CopyOf,
    Document,
    LanguageGuess,
    Metadata,
    Paragraph,
    PublicationDate,
    dropped,
)

WHEN = datetime(2020, 6, 15, 12, 30, 45, tzinfo=UTC)

# In memory where there is such a place: a segment is made durable file by file.
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


def document(name: str, text: str, *, when: date | None = None, source: str = "herald") -> Document:
    """Return a kept document with its tokens; each line of the text is a paragraph."""
    lines = text.split("\n")
    published = PublicationDate(when, "day", "feed") if when else None
    return Document(
        id=name,
        url=f"https://{source}.example/{name}",
        captured=WHEN,
        source=source,
        metadata=Metadata(f"Title of {name}", "T. Mokoena", published, "news", "Herald"),
        paragraphs=tuple(map(Paragraph, lines)),
        language=LanguageGuess("eng", 0.9),
        annotation=Tokeniser()(lines),
    )


def copy(name: str, *, owner: str) -> Document:
    """Return a document that was dropped as a copy of another."""
    return Document(
        id=name,
        url=f"https://copies.example/{name}",
        captured=WHEN,
        source="copies",
        verdict=dropped("dedup", "exact-copy", value=1.0, threshold=1.0, detail=owner),
        copy_of=CopyOf(owner, "exact", 1.0),
    )


@contextmanager
def on_disk(*parts: Sequence[Document]) -> Iterator[list[Segment]]:
    """Write a segment for each part and give them to read from."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        entries = [
            write_segment(Path(folder), part, shards=[str(number)], fingerprint="f")
            for number, part in enumerate(parts)
        ]
        yield [Segment(Path(folder) / entry.id) for entry in entries]


# Few words, so that phrases occur; some differ in case only, some only in folded case.
WORDS = ("a", "A", "b", "B", "ba", "ß", "ss", "é", "É", ",", "'n")
DATES = (None, date(1969, 12, 31), date(2014, 1, 1), date(2014, 12, 31), date(2020, 2, 29))
SOURCES = ("courant", "Herald", "zebra", "ödland")

TEXTS = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", " ", " ", "  ", "\n"])), max_size=9
).map(lambda pairs: "".join(word + gap for word, gap in pairs))


@st.composite
def corpora(draw: st.DrawFn, *, most: int = 6) -> list[Document]:
    """Draw the documents of a corpus; some are empty."""
    texts = draw(st.lists(TEXTS, max_size=most))
    return [
        document(
            f"d{number}",
            text,
            when=draw(st.sampled_from(DATES)),
            source=draw(st.sampled_from(SOURCES)),
        )
        for number, text in enumerate(texts)
    ]


@st.composite
def partitions(draw: st.DrawFn, documents: Sequence[Document]) -> list[Sequence[Document]]:
    """Draw a way to put documents into one to three segments, in order."""
    cuts = sorted(draw(st.lists(st.integers(0, len(documents)), max_size=2)))
    bounds = [0, *cuts, len(documents)]
    return [documents[a:b] for a, b in pairwise(bounds)]
