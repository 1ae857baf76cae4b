"""What curators decide: about documents, in audits of a sample; the record, and taking back."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import sqrt
from typing import Any, get_args

from izwi import plugins
from izwi.config.load import checked_options
from izwi.config.schema import CorpusConfig
from izwi.curation import labelling
from izwi.index.reader import Segment
from izwi.model.curation import (
    FAULTS,
    MOST_DECIDED,
    Change,
    DecidedAs,
    Decision,
    Inspection,
    JudgedParagraph,
    Judgement,
    labelled_page,
)
from izwi.model.document import FURNITURE_WORDS, BlockCopy, Claim, Document, Paragraph
from izwi.model.errors import LaterChange, NotFound, QueryError
from izwi.model.notation import now_text
from izwi.model.reports import AuditFigure
from izwi.model.results import LedgerLine
from izwi.service.documents import Place, archived_page, capture_of, find_document
from izwi.service.settings import put_settings_back
from izwi.service.subcorpora import forget_subcorpus, list_subcorpora, save_subcorpus
from izwi.store import lock
from izwi.store.curation import Desk, changing, reading
from izwi.store.files import disk_errors
from izwi.store.layout import Layout
from izwi.store.takedowns import Takedown, Takedowns, read_takedowns, write_takedowns
from izwi.text.extract.judging import judged


def inspect(
    layout: Layout,
    config: CorpusConfig,
    document: str,
    *,
    method: str = "",
    cutoff: float | None = None,
) -> Inspection:
    """Return what is known of a document, given by id or URL; with a method, how that judges."""
    place, found = _found(layout, config, document)
    try:
        entry = capture_of(layout, place, found)
        where = (entry.status, entry.offset, entry.length, entry.digest)
    except NotFound:
        where = (0, 0, 0, "")
    tried = _tried(layout, config, document, method, cutoff) if method else ()
    judged = judged_paragraphs(found)
    return Inspection(found, place.shard, *where, judged, tuple(_dates(found)), tried)


def _found(layout: Layout, config: CorpusConfig, document: str) -> tuple[Place, Document]:
    try:
        return find_document(layout, config, document)
    except NotFound:
        raise QueryError(f"No document of this corpus has the id or URL '{document}'.") from None


def judged_paragraphs(document: Document) -> tuple[JudgedParagraph, ...]:
    """Return the paragraphs with their classes."""
    copied = {block.paragraph: block for block in document.copied}
    left_out = set(document.left_out)
    return tuple(
        _paragraph(number, each, copied.get(number), number in left_out)
        for number, each in enumerate(document.paragraphs)
    )


def _paragraph(
    number: int, each: Paragraph, copied: BlockCopy | None, is_left_out: bool
) -> JudgedParagraph:
    if not each.is_main:
        letter = "C" if each.reason.startswith("comment") else "B"
        return JudgedParagraph(number, each.text, each.kind, letter, each.reason)
    if copied:
        words = FURNITURE_WORDS if copied.is_furniture else f"copy of {copied.document}"
        return JudgedParagraph(number, each.text, each.kind, "D", f"{words}; {each.reason}")
    return JudgedParagraph(number, each.text, each.kind, "D" if is_left_out else "K", each.reason)


def _tried(
    layout: Layout, config: CorpusConfig, document: str, method: str, cutoff: float | None
) -> tuple[JudgedParagraph, ...]:
    """Return the paragraphs of a document as another extractor, or another cut-off, judges them."""
    html = archived_page(layout, config, document).text
    options = {} if cutoff is None else {"cutoff": cutoff}
    made = checked_options(method, options, "the extractor's options", "inspector")
    paragraphs, _ = judged(plugins.load("izwi.extractors", method)(made), html)
    return tuple(_paragraph(number, each, None, False) for number, each in enumerate(paragraphs))


def _dates(document: Document) -> Iterator[Claim]:
    chosen = document.metadata.date
    if chosen is not None:
        exact = {"year": 4, "month": 7}.get(chosen.precision, 10)
        yield Claim("chosen", chosen.value.isoformat()[:exact], chosen.evidence)
    for claim in document.metadata.claims:
        if "date" in claim.property.lower():
            yield claim
    yield Claim("not later than", document.captured.date().isoformat(), "the time of capture")


# Of so many changes it is looked which reasons were reviewed.
MOST_CHANGES = 10_000


def decide_all(
    layout: Layout,
    config: CorpusConfig,
    documents: Sequence[str],
    verdict: str,
    *,
    who: str,
    comment: str = "",
) -> tuple[Decision, ...]:
    """Overrule the rules for several documents: for all of them, or for none."""
    if verdict not in get_args(DecidedAs):
        raise QueryError(f"'{verdict}' is not a decision; write keep, drop, or nothing.")
    if len(documents) > MOST_DECIDED:
        raise QueryError(f"At most {MOST_DECIDED} documents at once, not {len(documents)}.")
    wanted = [_wanted(layout, config, document, _as_decided(verdict)) for document in documents]
    with changing(layout, who) as desk:
        for made in wanted:
            before = _decided(desk, made.document)
            desk.put_decision(made)
            after = {"verdict": made.verdict, "url": made.url, "shard": made.shard}
            desk.record("decision", made.document, before, after, comment=comment)
    return tuple(replace(made, who=who) for made in wanted)


def review(
    layout: Layout,
    config: CorpusConfig,
    lines: Sequence[LedgerLine],
    key: tuple[str, str],
    *,
    is_right: bool,
    who: str,
) -> int:
    """Agree that what was dropped for a reason is rightly so, or restore all of it."""
    if not lines:
        raise QueryError(f"Nothing is dropped as '{' '.join(key)}'.")
    if not is_right:
        documents = [line.document for line in lines[:MOST_DECIDED]]
        return len(decide_all(layout, config, documents, "keep", who=who, comment=" ".join(key)))
    with changing(layout, who) as desk:
        desk.record("review", " ".join(key), None, {"count": len(lines)})
    return len(lines)


def reviews(layout: Layout) -> dict[str, Change]:
    """Return by stage and reason when a curator last agreed with what was dropped."""
    with reading(layout) as desk:
        found = reversed(desk.changes(first=0, most=MOST_CHANGES))
    is_open = (each for each in found if each.kind == "review" and not each.undone)
    return {each.target: each for each in is_open if not each.undoes}


def _wanted(layout: Layout, config: CorpusConfig, document: str, verdict: DecidedAs) -> Decision:
    place, found = _found(layout, config, document)
    if verdict == "keep" and not found.text:
        raise QueryError(
            f"{found.url} has no main text that could be restored. Label its paragraphs instead, "
            "or try another extractor."
        )
    return Decision(found.id, found.url, verdict, place.shard)


def changes(layout: Layout, *, first: int = 0, most: int = 100) -> tuple[Change, ...]:
    """Return what curators changed, the newest first."""
    with reading(layout) as desk:
        return desk.changes(first=first, most=most)


def undo(layout: Layout, number: int, *, who: str) -> Change:
    """Take a change back, unless the same thing was changed again since."""
    with changing(layout, who) as desk:
        change = desk.change(number)
        if not change.can_be_undone:
            raise QueryError(f"Change {number} cannot be taken back, or was taken back already.")
        made = desk.record(
            change.kind, change.target, change.after, change.before,
            comment=f"takes back change {number}", undoes=number,
        )  # fmt: skip
        _UNDO[change.kind](layout, desk, change)
        return desk.change(made)


def record_labels(layout: Layout, pages: tuple[Any, ...], *, who: str) -> int:
    """Take in labels of pages and write down what they were before."""
    with changing(layout, who) as desk:
        known = {(page.url, page.labeller): page for page in labelling.stored(layout)}
        for page in pages:
            before = known.get((page.url, page.labeller))
            desk.record("labels", page.url, before and asdict(before), asdict(page))
        labelling.take_in(layout, pages)
    return len(pages)


def _decided(desk: Desk, document: str) -> dict[str, str]:
    found = next((each for each in desk.decisions() if each.document == document), None)
    if found is None:
        return {"verdict": ""}
    return {"verdict": found.verdict, "url": found.url, "shard": found.shard}


def _as_decided(verdict: str) -> DecidedAs:
    return "keep" if verdict == "keep" else "drop" if verdict == "drop" else ""


def _undo_decision(layout: Layout, desk: Desk, change: Change) -> None:
    now = _decided(desk, change.target)
    if now["verdict"] != change.after["verdict"]:
        raise LaterChange(f"Somebody decided about {change.after['url']} again since.")
    url, shard = change.after["url"], change.after["shard"]
    verdict = _as_decided(change.before["verdict"])
    desk.put_decision(Decision(change.target, url, verdict, shard))


def _undo_labels(layout: Layout, desk: Desk, change: Change) -> None:
    after = labelled_page(change.after)
    key = (after.url, after.labeller)
    pages = {(page.url, page.labeller): page for page in labelling.stored(layout)}
    if pages.get(key) != after:
        raise LaterChange(f"{after.url} was labelled again since.")
    del pages[key]
    if change.before:
        pages[key] = labelled_page(change.before)
    labelling.replace_all(layout, pages.values())


def _undo_settings(layout: Layout, desk: Desk, change: Change) -> None:
    put_settings_back(layout, change)


def _undo_judgement(layout: Layout, desk: Desk, change: Change) -> None:

    put_back(desk, change)


def _undo_takedown(layout: Layout, desk: Desk, change: Change) -> None:
    """Serve and fetch a page again; what compacting removed stays removed."""
    with lock.writing(layout.lock, f"undo of change {change.id}"):
        _lift(layout, change)


def _lift(layout: Layout, change: Change) -> None:
    known = read_takedowns(layout).entries
    entry = next((each for each in known if each.target == change.target), None)
    if entry is None:
        raise LaterChange(f"{change.target} is not taken down now.")
    if entry.compacted:
        raise LaterChange(f"{change.target} was removed from the files already; gather it again.")
    rest: tuple[Takedown, ...] = tuple(each for each in known if each is not entry)
    with disk_errors():
        write_takedowns(layout, Takedowns(rest))


def _undo_subcorpus(layout: Layout, desk: Desk, change: Change) -> None:
    corpus, now = change.after["corpus"], change.after["where"]
    known = {each.name: each.where for each in list_subcorpora(corpus)}
    if known.get(change.target) != now:
        raise LaterChange(f"The subcorpus {change.target} was saved again since.")
    if change.before is None:
        forget_subcorpus(corpus, change.target)
    else:
        save_subcorpus(corpus, change.target, change.before)


def _undo_headwords(layout: Layout, desk: Desk, change: Change) -> None:
    from izwi.service.lexicography import put_back

    put_back(layout, change.after, change.before)


_UNDO: dict[str, Callable[[Layout, Desk, Change], None]] = {
    "decision": _undo_decision,
    "labels": _undo_labels,
    "settings": _undo_settings,
    "judgement": _undo_judgement,
    "takedown": _undo_takedown,
    "subcorpus": _undo_subcorpus,
    "headwords": _undo_headwords,
    # Nothing but the record says so.
    "review": lambda layout, desk, change: None,
}


# 95 %, both sides.
_Z = 1.959964


@dataclass(frozen=True, slots=True)
class Audit:
    """A sample of one version: how many documents, and how many were looked at."""

    id: int
    time: str
    who: str
    version: int
    seed: int
    population: int
    size: int
    judged: int
    figures: tuple[AuditFigure, ...]


def start(
    layout: Layout, segments: Sequence[Segment], version: int, *, size: int, seed: int, who: str
) -> int:
    """Draw a sample of a version's documents and return the audit's number."""
    documents = sorted(_documents(segments))
    if not documents:
        raise QueryError("There is no document to be judged yet. Build the corpus first.")
    drawn = random.Random(seed).sample(documents, min(size, len(documents)))
    with changing(layout, who) as desk:
        row = (now_text(), who, version, seed, len(documents))
        number = desk.file.execute(
            "INSERT INTO audits (time, who, version, seed, population) VALUES (?, ?, ?, ?, ?)", row
        ).lastrowid
        assert number is not None
        desk.file.executemany(
            "INSERT INTO judgements (audit, place, document) VALUES (?, ?, ?)",
            [(number, place, document) for place, document in enumerate(drawn, 1)],
        )
        desk.record("audit", str(number), None, {"size": len(drawn), "version": version})
    return number


def judge(layout: Layout, audit: int, document: str, faults: Sequence[str], *, who: str) -> None:
    """Write down what is wrong with a document of a sample; nothing, if it is well."""
    unknown = sorted(set(faults) - set(FAULTS))
    if unknown:
        raise QueryError(f"'{unknown[0]}' is not a fault; there are: {', '.join(FAULTS)}.")
    with changing(layout, who) as desk:
        before = _judgement(desk, audit, document)
        _put(desk, audit, document, sorted(set(faults)))
        desk.record(
            "judgement", f"{audit} {document}",
            before.faults and list(before.faults), sorted(set(faults)),
        )  # fmt: skip


def put_back(desk: Desk, change: Change) -> None:
    """Give a document of a sample the judgement it had before a change."""
    number, document = change.target.split(" ", 1)
    now = _judgement(desk, int(number), document).faults
    if now is None or list(now) != change.after:
        raise LaterChange(f"{document} was judged again since.")
    _put(desk, int(number), document, change.before)


def judgements(layout: Layout, audit: int) -> tuple[Judgement, ...]:
    """Return the documents of a sample in the order they were drawn."""
    with reading(layout) as desk:
        rows = desk.rows(
            "SELECT place, document, faults, who, time FROM judgements WHERE audit = ?"
            " ORDER BY place",
            (audit,),
        )
    if not rows:
        raise QueryError(f"There is no audit number {audit}.")
    return tuple(Judgement(place, document, _faults(faults), who, time)
                 for place, document, faults, who, time in rows)  # fmt: skip


def audits(layout: Layout) -> tuple[Audit, ...]:
    """Return the audits of a corpus, the newest first."""
    with reading(layout) as desk:
        rows = desk.rows(
            "SELECT id, time, who, version, seed, population FROM audits ORDER BY id DESC"
        )
        return tuple(_audit(desk, row) for row in rows)


def figures(layout: Layout) -> tuple[AuditFigure, ...]:
    """Return what the newest audit in which somebody has looked says of the corpus."""
    if not layout.curation.exists():
        return ()
    return next((each.figures for each in audits(layout) if each.judged), ())


def wilson(count: int, of: int) -> tuple[float, float]:
    """Return between which shares the true one lies, with 95 % certainty (Wilson 1927).

    >>> [round(share, 3) for share in wilson(0, 100)], [round(s, 3) for s in wilson(5, 50)]
    ([0.0, 0.037], [0.043, 0.214])
    """
    if not of:
        return 0.0, 1.0
    share, z2 = count / of, _Z * _Z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    reach = _Z * sqrt(share * (1 - share) / of + z2 / (4 * of * of)) / (1 + z2 / of)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _audit(desk: Desk, row: tuple[int, str, str, int, int, int]) -> Audit:
    number, time, who, version, seed, population = row
    found = desk.rows("SELECT faults FROM judgements WHERE audit = ?", (number,))
    looked = [json.loads(faults) for (faults,) in found if faults is not None]
    shares = tuple(_figure(name, looked, version) for name in FAULTS)
    return Audit(number, time, who, version, seed, population, len(found), len(looked), shares)


def _figure(name: str, looked: Sequence[Sequence[str]], version: int) -> AuditFigure:
    count = sum(name in faults for faults in looked)
    return AuditFigure(FAULTS[name], version, len(looked), count, *wilson(count, len(looked)))


def _documents(segments: Sequence[Segment]) -> Iterator[str]:
    for segment in segments:
        ids = segment.cards.column("id").to_pylist()
        yield from (id for id, counts in zip(ids, segment.is_original, strict=True) if counts)


def _judgement(desk: Desk, audit: int, document: str) -> Judgement:
    rows = desk.rows(
        "SELECT place, document, faults, who, time FROM judgements"
        " WHERE audit = ? AND document = ?",
        (audit, document),
    )
    if not rows:
        raise QueryError(f"Audit {audit} has no document '{document}'.")
    place, _, faults, who, time = rows[0]
    return Judgement(place, document, _faults(faults), who, time)


def _put(desk: Desk, audit: int, document: str, faults: Sequence[str] | None) -> None:
    written = None if faults is None else json.dumps(list(faults))
    desk.file.execute(
        "UPDATE judgements SET faults = ?, who = ?, time = ? WHERE audit = ? AND document = ?",
        (written, desk.who, now_text(), audit, document),
    )


def _faults(written: str | None) -> tuple[str, ...] | None:
    return None if written is None else tuple(json.loads(written))
