"""A hit by its permanent name: the document, the place in it, and enough tokens for its text."""

from collections.abc import Sequence

import numpy as np

from izwi.index.reader import Segment
from izwi.model.errors import NotFound, QueryError
from izwi.model.results import KwicLine
from izwi.query.concordance import MOST_CONTEXT, View, hit_id, lines_of
from izwi.query.hits import Hits, SegmentHits

# Longer matches than this are not looked for under a name.
_LONGEST = 1000


def find_hit(
    segments: Sequence[Segment], name: str, *, context: int, unit: str = "tokens"
) -> KwicLine:
    """Return the line of the hit with a name, or raise an error that says why there is none."""
    document, offset = _parts(name)
    if not 0 <= context <= MOST_CONTEXT:
        raise QueryError(f"The context has 0 to {MOST_CONTEXT} tokens, not {context}.")
    for segment in segments:
        for number in segment.numbers_of(document):
            found = _hit_in(segment, number, offset, name)
            if found is not None:
                hits = SegmentHits(segment, found)
                return lines_of(segments, [(hits, 0)], View(context=context, unit=unit))[0]
    raise NotFound(
        f"The hit {name} is not in this version of the corpus: its document was left out or its "
        "text is another now."
    )


def _parts(name: str) -> tuple[str, int]:
    document, _, rest = name.rpartition(".")[0].rpartition(".")
    if not document or not rest.isdecimal():
        raise QueryError(f"'{name}' is not the name of a hit, such as 0123456789ab-0.57.89abcdef.")
    return document, int(rest)


def _hit_in(segment: Segment, number: int, offset: int, name: str) -> Hits | None:
    """Return the hit at an offset of a document whose text has the name."""
    first, last = int(segment.document_starts[number]), int(segment.document_ends[number])
    offsets = np.array([segment.offset(number, place) for place in range(first, last)])
    start = first + int(np.searchsorted(offsets, offset))
    if start >= last or offsets[start - first] != offset:
        return None
    text, pieces = "", segment.pieces([(start, min(last, start + _LONGEST))])[0]
    for end, piece in enumerate(pieces, start + 1):
        text += piece
        if hit_id(segment.document_id(number), offset, text.rstrip()) == name:
            return Hits(np.array([start], np.int32), width=end - start)
    return None
