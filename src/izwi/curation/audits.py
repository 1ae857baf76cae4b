"""Audits: a random sample of documents judged by people, and what that says of the whole."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from izwi.index.reader import Segment
from izwi.model.curation import FAULTS, Change, Judgement
from izwi.model.errors import LaterChange, QueryError
from izwi.model.reports import AuditFigure
from izwi.store.curation import Desk, changing, moment, reading
from izwi.store.layout import Layout

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
        row = (moment(), who, version, seed, len(documents))
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
        raise QueryError(f"'{unknown[0]}' is no fault; there are: {', '.join(FAULTS)}.")
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
        (written, desk.who, moment(), audit, document),
    )


def _faults(written: str | None) -> tuple[str, ...] | None:
    return None if written is None else tuple(json.loads(written))
