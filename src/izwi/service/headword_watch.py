"""Which headwords are watched, and what each version of the corpus says earlier of them.

The list is `headwords.tsv` in the corpus folder; what was found is added to `antedatings.jsonl` by
the build that found it, and told by a feed and by mail.
"""

import json
import smtplib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from email.message import EmailMessage

from izwi.config.schema import AlertsSection
from izwi.index.reader import Segment
from izwi.model.errors import LaterChange, QueryError, StoreError
from izwi.model.lexicography import Headword, HeadwordReport
from izwi.query.deadline import Deadline
from izwi.query.documents import Filter
from izwi.service.good_examples import attestations
from izwi.service.wordlists import headword_of
from izwi.shown.catalogues import catalogue
from izwi.store.files import disk_errors, write_text
from izwi.store.layout import Layout

MOST_HEADWORDS = 100_000
_MAIL_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Antedating:
    """An earlier line of a headword: before the known date, or the first of one without a date."""

    headword: str
    known: str
    date: str
    precision: str
    evidence: str
    certainty: str
    # How many days earlier than known; none where nothing was known.
    days: int | None
    line: str
    text: str
    publication: str
    url: str
    # The version that brought it, and when that was noticed.
    version: int
    noticed: str


def watched(layout: Layout) -> tuple[Headword, ...]:
    """Return the headwords of the list, in its order."""
    return tuple(map(headword_of, _rows(layout).values()))


def watch(layout: Layout, lines: Iterable[str]) -> dict[str, str]:
    """Add headwords to the list, or give those on it another date; return their lines."""
    new = {headword_of(line).word: _row(headword_of(line)) for line in lines if line.strip()}
    if not new:
        raise QueryError("Name headwords, or a list of them.")
    rows = {**_rows(layout), **new}
    if len(rows) > MOST_HEADWORDS:
        raise QueryError(f"At most {MOST_HEADWORDS:,} headwords can be watched.")
    _write(layout, rows)
    return new


def forget(layout: Layout, words: Iterable[str]) -> tuple[str, ...]:
    """Take headwords off the list; return those that were on it."""
    rows = _rows(layout)
    gone = tuple(word for word in dict.fromkeys(words) if word in rows)
    if not gone:
        raise QueryError("None of these is watched. See: izwi headwords list")
    _write(layout, {word: row for word, row in rows.items() if word not in gone})
    return gone


def rows_of(layout: Layout, words: Iterable[str]) -> dict[str, str | None]:
    """Return the lines of some headwords as the list has them, none for those not on it."""
    rows = _rows(layout)
    return {word: rows.get(word) for word in words}


def put_back(
    layout: Layout, after: Mapping[str, str | None], before: Mapping[str, str | None]
) -> None:
    """Give headwords the lines they had, unless somebody changed them since."""
    rows = _rows(layout)
    if any(rows.get(word) != row for word, row in after.items()):
        raise LaterChange("One of these headwords was changed again since.")
    kept = {word: row for word, row in rows.items() if word not in before}
    _write(layout, kept | {word: row for word, row in before.items() if row is not None})


def found_so_far(layout: Layout) -> tuple[Antedating, ...]:
    """Return what was found, the newest first."""
    try:
        lines = layout.antedatings.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return ()
    try:
        return tuple(Antedating(**json.loads(line)) for line in reversed(lines) if line.strip())
    except (ValueError, TypeError) as error:
        raise StoreError(f"{layout.antedatings} is damaged: {error}. Delete that line.") from error


def look(layout: Layout, segments: Sequence[Segment], version: int) -> tuple[Antedating, ...]:
    """Return the lines that are earlier than all that was known or told, and write them down."""
    report = attestations(
        segments, watched(layout), chosen=Filter(), snapshot=version, deadline=Deadline(None)
    )  # fmt: skip
    now = datetime.now(UTC).isoformat(timespec="seconds")
    told = {each.headword: each.date for each in reversed(found_so_far(layout))}
    new = tuple(
        _antedating(line, version, now)
        for line in report.lines
        if line.found is not None
        and line.verdict in ("antedating", "no-known-date")
        and (line.headword not in told or line.found.date < date.fromisoformat(told[line.headword]))
    )
    if new:
        with disk_errors(), layout.antedatings.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(each), ensure_ascii=False) + "\n" for each in new)
    return new


def tell(
    layout: Layout,
    alerts: AlertsSection,
    title: str,
    new: Sequence[Antedating],
    hear: Callable[[str], None],
) -> None:
    """Say what is new, by mail too if somebody wants it; a mail that fails loses nothing."""
    if not new:
        return
    names = ", ".join(each.headword for each in new[:5]) + (" ..." if len(new) > 5 else "")
    hear(
        f"Earlier lines of {len(new)} headwords: {names}. See: izwi headwords alerts {layout.root}"
    )
    if not alerts.mail:
        return
    host, _, port = alerts.smtp.partition(":")
    try:
        with smtplib.SMTP(host, int(port or 25), timeout=_MAIL_SECONDS) as server:
            server.send_message(letter(alerts, title, new))
    except (OSError, smtplib.SMTPException) as error:
        hear(f"The alert could not be sent by {alerts.smtp}: {error}.")


def letter(alerts: AlertsSection, title: str, new: Sequence[Antedating]) -> EmailMessage:
    """Return the mail about new lines, in the language of whoever gets it."""

    def say(message: str, **filled: object) -> str:
        return catalogue(alerts.language).one(message) % filled

    mail = EmailMessage()
    mail["Subject"] = say("%(title)s: earlier lines of %(n)s headwords", title=title, n=len(new))
    mail["From"], mail["To"] = alerts.sender or alerts.mail[0], ", ".join(alerts.mail)
    mail.set_content("\n".join(_told(each, say) for each in new))
    return mail


def _told(each: Antedating, say: Callable[..., str]) -> str:
    if each.days is None:
        head = say("%(word)s: first line %(date)s", word=each.headword, date=each.date)
    else:
        head = say(
            "%(word)s: %(date)s, %(days)s days before %(known)s",
            word=each.headword, date=each.date, days=each.days, known=each.known,
        )  # fmt: skip
    place = f"{each.publication} {each.url}"
    return f"{head} ({each.evidence}: {each.certainty})\n  {each.text}\n  {place}\n"


def _antedating(line: HeadwordReport, version: int, now: str) -> Antedating:
    assert line.found is not None
    found, document = line.found, line.found.line.document
    return Antedating(
        line.headword, line.known, f"{found.date}", found.precision, found.evidence,
        found.certainty, line.days, found.line.id,
        " ".join(f"{found.line.left}{found.line.match}{found.line.right}".split()),
        document.site or document.source, document.url, version, now,
    )  # fmt: skip


def _rows(layout: Layout) -> dict[str, str]:
    try:
        lines = layout.headwords.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{layout.headwords} cannot be read: {error}.") from error
    return {headword_of(line).word: line for line in lines if line.strip()}


def _row(headword: Headword) -> str:
    row = (headword.word, headword.known, "; ".join(headword.variants))
    return "\t".join(row).rstrip("\t")


def _write(layout: Layout, rows: Mapping[str, str]) -> None:
    with disk_errors():
        write_text(layout.headwords, "".join(f"{row}\n" for row in rows.values()))
