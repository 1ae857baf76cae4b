"""First attestations of the headwords of a dictionary, and antedatings of their known dates."""

from collections.abc import Sequence

from izwi.analyse.attestations import (
    STRONG,
    first_attestation,
    known_span,
    span_of,
    verdict_of,
)
from izwi.analyse.variants import difference
from izwi.index.reader import Segment
from izwi.model.lexicography import (
    Attestation,
    Attestations,
    Headword,
    HeadwordReport,
    Variant,
)
from izwi.model.results import Listener, Progress, ignore
from izwi.query.deadline import Deadline
from izwi.query.documents import Filter
from izwi.query.hits import SegmentHits
from izwi.service.exemplifying import parts_of
from izwi.service.querying import understood

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
