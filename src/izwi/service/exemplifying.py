"""Good examples of whatever somebody searches for."""

from collections.abc import Sequence

from izwi.analyse.examples import good_examples
from izwi.analyse.sketch_grammar import grammar_for, languages
from izwi.index.reader import Segment
from izwi.model.languages import iso639_3
from izwi.model.lexicography import GoodExamples
from izwi.query.deadline import Deadline
from izwi.query.documents import Filter, chosen_documents
from izwi.query.engine import find
from izwi.query.hits import SegmentHits
from izwi.query.tree import Query, format_query
from izwi.service.querying import Understood


def examples(
    segments: Sequence[Segment],
    asked: Understood,
    *,
    chosen: Filter,
    snapshot: int,
    most: int,
    avoid: tuple[str, ...],
    language: str,
    deadline: Deadline,
) -> GoodExamples:
    """Return the best examples of a query, with what could not be judged."""
    parts = parts_of(segments, asked.query, chosen, deadline)
    has_grammar = iso639_3(language) in languages()
    anaphora = grammar_for(language).anaphora if has_grammar else frozenset[str]()
    lines, judged = good_examples(
        segments, parts, most=most, anaphora=anaphora, avoid=avoid, deadline=deadline
    )
    hits = sum(map(len, parts))
    notes = []
    if judged < hits:
        notes.append(f"{judged:,} of {hits:,} lines were judged, spread over the corpus.")
    if not anaphora:
        notes.append("Whether a sentence stands alone is not judged in this language.")
    if not hits:
        notes.append(f"'{asked.text}' does not occur in the text chosen.")
    return GoodExamples(
        asked.text, format_query(asked.query), snapshot, hits, judged, lines, tuple(notes)
    )


def parts_of(
    segments: Sequence[Segment], query: Query, chosen: Filter, deadline: Deadline
) -> list[SegmentHits]:
    """Return the hits of a query in the documents that count."""
    parts = []
    for part in find(segments, query, deadline):
        mask = chosen_documents(part.segment, chosen).mask
        parts.append(part if mask is None else part.kept(mask[part.documents]))
    return parts
