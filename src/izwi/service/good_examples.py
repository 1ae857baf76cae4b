"""Good examples of whatever somebody searches for."""

from collections.abc import Sequence

from izwi.analyse.attestations import STRONG, first_attestation, known_span, span_of, verdict_of
from izwi.analyse.examples import good_examples
from izwi.analyse.sketch_grammar import grammar_for, languages
from izwi.analyse.word_forms import difference
from izwi.index.reader import Segment
from izwi.model.languages import iso639_3
from izwi.model.lexicography import (
    Attestation,
    Attestations,
    GoodExamples,
    Headword,
    HeadwordReport,
    Variant,
)
from izwi.model.results import Listener, Progress, ignore
from izwi.query.deadline import Deadline
from izwi.query.documents import Filter, chosen_documents
from izwi.query.engine import find
from izwi.query.hits import SegmentHits
from izwi.query.tree import Query, format_query
from izwi.service.querying import Understood, understood


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


_ORDER = ("antedating", "same", "no-known-date", "later", "undated", "absent")


def attestations(
    segments: Sequence[Segment],
    headwords: Sequence[Headword],
    *,
    chosen: Filter,
    snapshot: int,
    deadline: Deadline,
    listener: Listener = ignore,
) -> Attestations:
    """Return the first dated line of each headword, antedatings first, the largest first."""
    lines = []
    for number, each in enumerate(headwords):
        listener(Progress("dating", number, len(headwords), each.word))
        lines.append(_report(segments, each, chosen, deadline))
    lines.sort(key=lambda line: (_ORDER.index(line.verdict), -(line.days or 0), line.headword))
    notes = () if headwords else ("No headwords were given.",)
    return Attestations(snapshot, tuple(lines), notes)


def _report(
    segments: Sequence[Segment], headword: Headword, chosen: Filter, deadline: Deadline
) -> HeadwordReport:
    forms, parts = [], list[SegmentHits]()
    for form in dict.fromkeys((headword.word, *headword.variants)):
        own = _occurrences(segments, form, chosen, deadline)
        forms.append(Variant(form, sum(map(len, own)), _reason(headword.word, form)))
        parts += own
    found = first_attestation(segments, parts, headword.word)
    surer = None
    if found is not None and found.certainty != STRONG:
        surer = first_attestation(segments, parts, headword.word, is_sure=True)
    hits = sum(form.hits for form in forms)
    verdict, days = _verdict(headword, found, hits)
    return HeadwordReport(
        headword.word, verdict, headword.known, days, hits, found, surer, tuple(forms)
    )


def _occurrences(
    segments: Sequence[Segment], form: str, chosen: Filter, deadline: Deadline
) -> list[SegmentHits]:
    asked = understood(form, "word", segments, is_exact_case=False)
    return [part for part in parts_of(segments, asked.query, chosen, deadline) if len(part)]


def _reason(word: str, form: str) -> str:
    return "" if form == word else difference(word, form) or "as given"


def _verdict(headword: Headword, found: Attestation | None, hits: int) -> tuple[str, int | None]:
    if found is None:
        return ("undated" if hits else "absent"), None
    if not headword.known:
        return "no-known-date", None
    return verdict_of(span_of(found.date, found.precision), known_span(headword.known))
