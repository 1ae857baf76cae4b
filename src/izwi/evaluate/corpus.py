"""Is a corpus true: which gold documents can be searched, with which text, and what else got in.

A gold document that is not kept counts 0. "Searchable" is what the index holds: the main text of
kept documents without paragraphs left out as copies. Words are compared as bags, in lower case;
where no spaces are written a letter is a word.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from izwi.model.document import Document, Verdict
from izwi.model.scores import Truth
from izwi.text.metadata.dates import find_date

_UNSPACED = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
# What owners ask for is not the corpus's fault.
WISHES = frozenset({"noindex", "noarchive", "noai", "tdm-reservation"})
_SAME_TITLE = 0.8


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """What is known of an address: whether it is a document, and what a reader should find."""

    url: str
    # False for front pages, listings, tags, forms: what must not be in a corpus.
    document: bool = True
    text: str = ""
    title: str = ""
    # YYYY-MM-DD
    date: str = ""
    type: str = ""
    lang: str = ""


def bag(text: str) -> Counter[str]:
    """Return the words of a text, each with how often it comes."""
    return Counter(_WORD.findall(text.lower()))


def f1(found: Counter[str], gold: Counter[str]) -> float:
    """Return how far two bags of words agree.

    >>> f1(bag("The dam is full"), bag("the dam was full"))
    0.75
    """
    both = found.total() + gold.total()
    return 2 * (found & gold).total() / both if both else 0.0


def score_corpus(
    gold: Sequence[GoldDocument], documents: Iterable[Document], verdicts: Mapping[str, Verdict]
) -> Truth:
    """Return how true a corpus is; `verdicts` say what became of addresses without a document."""
    known = {page.url: page for page in gold}
    found: dict[str, Document] = {}
    kept_times = Counter[str]()
    url_by_id: dict[str, str] = {}
    for document in documents:
        url_by_id[document.id] = document.url
        if document.url in known:
            kept_times[document.url] += document.verdict.is_kept
            if document.url not in found or document.verdict.is_kept:
                found[document.url] = document
    others = {page.url for page in gold if not page.document}
    other_ids = {id for id, url in url_by_id.items() if url in others}
    rows = [_row(page, found.get(page.url), verdicts, other_ids) for page in gold if page.document]
    return _summary(rows, [_other(page, found.get(page.url)) for page in gold if not page.document],
                    sum(times > 1 for times in kept_times.values()), is_whole=True)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Row:
    type: str
    lang: str
    kept: bool
    reason: str
    f1: float | None
    date: bool | None
    title: bool | None
    is_owned: bool


def _row(
    page: GoldDocument, document: Document | None, verdicts: Mapping[str, Verdict], others: set[str]
) -> _Row:
    verdict = document.verdict if document else verdicts.get(page.url)
    kept = document is not None and document.verdict.is_kept
    reason = "" if kept else (verdict.reason or verdict.outcome) if verdict else "never-found"
    searchable = document.text if document is not None and kept else ""
    score = f1(bag(searchable), bag(page.text)) if page.text else None
    is_dated, is_titled = _agree(page, document) if document is not None and kept else (None, None)
    is_owned = document is not None and any(
        each.document in others for each in document.copied if not each.is_furniture
    )
    return _Row(page.type, page.lang, kept, reason, score, is_dated, is_titled, is_owned)


def _agree(page: GoldDocument, document: Document) -> tuple[bool | None, bool | None]:
    """Return whether date and title are right, None where the gold has none or no day."""
    when, title = document.metadata.date, document.metadata.title
    day = find_date(page.date)
    is_dated = bool(when and when.value == day) if day else None
    is_titled = f1(bag(title), bag(page.title)) >= _SAME_TITLE if page.title else None
    return is_dated, is_titled


def _other(page: GoldDocument, document: Document | None) -> tuple[bool, bool]:
    """Return whether a page that is no document was fetched, and whether it is kept."""
    return document is not None, document is not None and document.verdict.is_kept


def _summary(
    rows: Sequence[_Row], others: Sequence[tuple[bool, bool]], twice: int, *, is_whole: bool
) -> Truth:
    kept = [row for row in rows if row.kept]
    return Truth(
        len(rows),
        len(kept),
        sum(row.reason in WISHES for row in rows),
        _mean([row.f1 for row in rows if row.f1 is not None]),
        _mean([row.f1 for row in kept if row.f1 is not None]),
        _mean([float(row.date) for row in kept if row.date is not None]),
        _mean([float(row.title) for row in kept if row.title is not None]),
        sum(is_kept for _, is_kept in others),
        sum(is_fetched for is_fetched, _ in others),
        sum(row.is_owned for row in rows),
        twice,
        dict(Counter(row.reason for row in rows if row.reason).most_common()),
        _parts(rows, "type") if is_whole else {},
        _parts(rows, "lang") if is_whole else {},
    )


def _parts(rows: Sequence[_Row], key: str) -> dict[str, Truth]:
    groups = defaultdict(list)
    for row in rows:
        groups[getattr(row, key)].append(row)
    groups.pop("", None)
    return {
        name: _summary(part, [], 0, is_whole=False)
        for name, part in sorted(groups.items(), key=lambda each: -len(each[1]))
    }


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
