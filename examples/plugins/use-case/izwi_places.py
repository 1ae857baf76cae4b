"""Where in its documents a query stands: the analysis of the how-to "add an analysis"."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from izwi.cases.case import Case, Column, Doing, Says
from izwi.cases.questions import Question, about
from izwi.service.folder import CorpusFolder


@dataclass(frozen=True, kw_only=True)
class InParts(Question):
    """Into how many parts a document is cut."""

    parts: Annotated[int, Says("Into how many parts a document is cut.", least=1, most=100)] = 4


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the documents, counted from 1, and the hits in it."""

    part: int
    hits: int


@dataclass(frozen=True, slots=True)
class Places:
    """Hits by the part of the document they stand in."""

    query: str
    snapshot: int
    lines: tuple[Place, ...]


def places(folder: CorpusFolder, asked: InParts, doing: Doing) -> Places:
    """Count in which part of their documents the hits of a query stand."""

    def counted(selection, query, text):
        counts = np.zeros(asked.parts, np.int64)
        for found in selection.hits(query):
            starts, ends = found.segment.document_starts, found.segment.document_ends
            owners = np.searchsorted(starts, found.starts, "right") - 1
            lengths = ends[owners] - starts[owners]
            parts = (found.starts - starts[owners]) * asked.parts // lengths
            counts += np.bincount(parts, minlength=asked.parts)
        lines = (Place(number, int(hits)) for number, hits in enumerate(counts, 1))
        return Places(text, selection.number, tuple(lines))

    return about(folder, asked, doing, ("places", asked.parts), counted)


CASES = (
    Case(
        "places", "places", "GET /api/v1/c/{corpus}/places", InParts, places,
        "izwi places news bakkie --parts 10", "Counts", page="places",
        columns=(Column("part", "Part", "number"), Column("hits", "Hits", "number")),
    ),
)  # fmt: skip
