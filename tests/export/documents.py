"""Documents for exports: ordinary ones, and ones no page should hold."""

import re
from datetime import UTC, date, datetime
from itertools import pairwise

from hypothesis import strategies as st

from izwi.export.base import Edition
from izwi.model.document import (
    Annotation,
    Document,
    LanguageGuess,
    Metadata,
    Paragraph,
    PublicationDate,
)

WHEN = datetime(2026, 11, 15, 9, 12, 4, tzinfo=UTC)
EDITION = Edition("news", "The News", 3, languages=("en",), settings="abc123", made="2026-11-16")


def annotated(paragraphs, **columns):
    """Return the tokens of paragraphs: words and single signs; sentences end with a full stop."""
    text = "\n".join(paragraphs)
    matches = list(re.finditer(r"\w+|[^\w\s]", text))
    starts = tuple(match.start() for match in matches)
    firsts = [0] if matches else []
    for place, (one, other) in enumerate(pairwise(matches), 1):
        if one[0] == "." or "\n" in text[one.end() : other.start()]:
            firsts.append(place)
    begins = [p for p in firsts if p == 0 or "\n" in text[matches[p - 1].end() : starts[p]]]
    return Annotation(
        tuple(match[0] for match in matches),
        starts,
        tuple(match.end() for match in matches),
        tuple(firsts),
        tuple(begins),
        **columns,
    )


def document(*texts, id="0a1b2c-20261115", kinds=(), **metadata):
    """Return a document with these paragraphs, annotated."""
    texts = texts or ("It rains. It pours.", "Nobody minds.")
    kinds = kinds or ("p",) * len(texts)
    given = {"title": "Rain", "author": "N. Ncube", "site": "The News"} | metadata
    return Document(
        id,
        f"https://news.example/{id}",
        WHEN,
        "feed",
        metadata=Metadata(**given),
        paragraphs=tuple(Paragraph(text, kind) for text, kind in zip(texts, kinds, strict=True)),
        language=LanguageGuess("eng", 0.98),
        annotation=annotated(texts),
    )


DATED = PublicationDate(date(2014, 3, 1), "month", "JSON-LD")

# Anything at all, and much of what breaks formats: control characters, halves of surrogate pairs,
# markup, right-to-left text, emoji, nothing.
_HARD = (
    "\x00", "\x08", "\t", "\n", "\r", "\x0b", "\x1f", "\x7f", "\x85", "\u2028", "\ud800", "\udfff",
    "\ufffe", "\uffff", "\ufeff", "\u200f", "\u202e", "<", ">", "&", "]]>", "&amp;", '"', "'", "#",
    "-", "_", " ", "  ", "\u00a0", "שלום", "مرحبا", "😀", "👩‍👩‍👧", "e\u0301", "a", "B", ".", "1",
)  # fmt: skip
texts = st.lists(st.sampled_from(_HARD) | st.characters(codec=None), max_size=12).map("".join)


ANY_DAYS = st.dates()


@st.composite
def hard_documents(draw, days=ANY_DAYS):
    """Documents of anything, annotated as they stand."""
    paragraphs = draw(st.lists(texts, max_size=4))
    kinds = [draw(st.sampled_from(["p", "h", "li", "blockquote", "td"])) for _ in paragraphs]
    dates = st.none() | st.builds(
        PublicationDate,
        days,
        st.sampled_from(["day", "month", "year"]),
        texts,
    )
    return Document(
        draw(st.from_regex(r"[0-9a-f]{12}-[0-9]{14}", fullmatch=True)),
        "https://news.example/" + draw(texts),
        WHEN,
        draw(texts),
        metadata=Metadata(draw(texts), draw(texts), draw(dates), draw(texts), draw(texts)),
        paragraphs=tuple(Paragraph(t, k) for t, k in zip(paragraphs, kinds, strict=True)),
        language=draw(st.none() | st.just(LanguageGuess("eng", 0.9))),
        annotation=draw(st.none() | st.just(annotated(paragraphs))),
    )
