"""How pages become one document: the next pages of an article, its view on one page, its frames."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from izwi.model.document import KEPT, Claim, Document, Paragraph, dropped
from izwi.text.listings import is_mostly_linked

STAGE = "extract"
# The property of schema.org under which a document names the pages it was joined from.
PART_CLAIM = "hasPart"


def joined(first: Document, others: Sequence[tuple[Document, str]]) -> list[Document]:
    """Return a page and those that complete it, each with what it is, all text with the first.

    What brings no text, or could not be read, stays as it is.
    """
    useful = [(each, role) for each, role in others if each.verdict.is_kept and each.text]
    is_framed = any(role == "frame" for _, role in useful)
    if is_framed:
        useful = [(each, role) for each, role in useful if not is_mostly_linked(each)]
    if not useful:
        return [first, *(each for each, _ in others)]
    wholes = [each for each, role in useful if role == "whole"]
    sources = wholes[:1] or [*([] if is_framed else [first]), *(each for each, _ in useful)]
    # What a page of frames says to readers without frames is not its text.
    rest = [replace(block, is_main=False) if is_framed or wholes else block
            for block in first.paragraphs if is_framed or wholes or not block.is_main]  # fmt: skip
    claims = tuple(Claim(PART_CLAIM, each.url, role) for each, role in useful)
    described = _described(first, useful[0][0]) if is_framed else first
    whole = replace(
        described,
        verdict=KEPT,
        paragraphs=(*_each_once(sources), *rest),
        metadata=replace(described.metadata, claims=(*described.metadata.claims, *claims)),
    )
    taken = {each.id for each, _ in useful}
    parts = (_taken(each, first.url) if each.id in taken else each for each, _ in others)
    return [whole, *parts]


def _described(first: Document, frame: Document) -> Document:
    """Return a page of frames with what only its frame tells: frames have titles, pages dates."""
    told, own = frame.metadata, first.metadata
    return replace(
        first,
        metadata=replace(
            told,
            title=own.title or told.title,
            date=own.date or told.date,
            author=own.author or told.author,
            url_canonical=own.url_canonical,
            claims=(*own.claims, *told.claims),
        ),
    )


def _each_once(documents: Iterable[Document]) -> Iterator[Paragraph]:
    """Yield the main text of pages; headings and leads that the next page repeats stand once."""
    seen: set[str] = set()
    for number, document in enumerate(documents):
        fresh = []
        for block in document.paragraphs:
            key = " ".join(block.text.casefold().split())
            if block.is_main and not (number and key in seen):
                fresh.append(key)
                yield block
        seen.update(fresh)


def _taken(part: Document, first: str) -> Document:
    return replace(part, verdict=dropped(STAGE, "part-of", detail=first))
