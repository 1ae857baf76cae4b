"""What questions have in common: documents, version, how a query is read, how long to wait."""

import calendar
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

from izwi.cases.case import Doing, Says, lines_of, place
from izwi.model.errors import QueryError

if TYPE_CHECKING:
    from izwi.analyse.selection import Selection
    from izwi.analyse.vocabulary import Choice
    from izwi.service.folder import CorpusFolder
    from izwi.service.querying import Understood


Answer = TypeVar("Answer")
# Larger numbers name no version and would not fit a file name.
LARGEST_VERSION = 999_999_999
SECONDS = 30.0
# What looks at a whole corpus may take longer than a question about one word.
PATIENT_SECONDS = 600.0
LETTERS = r".*\p{L}.*"

MODES = Says("How the query is read: auto, phrase, word (all its forms), lemma or cql.")
QUERY = place("A word, a phrase or CQL.", address="q", metavar="QUERY", example="bakkie")


def first_day(text: str) -> date:
    """Return the day on which a year or a month begins, or the day that is named."""
    return read_date(text, is_end=False)


def last_day(text: str) -> date:
    """Return the day on which a year or a month ends, or the day that is named."""
    return read_date(text, is_end=True)


@dataclass(frozen=True, kw_only=True)
class Versioned:
    """Which version is looked at."""

    version: Annotated[
        int | None,
        Says("A version of the corpus; the newest if absent.", address="v",
             web_most=LARGEST_VERSION),
    ] = None  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Among:
    """Which documents are looked at, whenever they were written."""

    sources: Annotated[
        tuple[str, ...], Says("Only this source; repeatable.", name="source", address="src")
    ] = ()
    publications: Annotated[
        tuple[str, ...], Says("Only this publication; repeatable.", name="publication")
    ] = ()
    where: Annotated[
        str, Says('Only documents for which this holds, e.g. section="news".', metavar="CONDITION")
    ] = ""
    subcorpus: Annotated[str, Says("Only documents of a saved subcorpus.")] = ""
    copies: Annotated[bool, Says("Count folded copies too.")] = False


@dataclass(frozen=True, kw_only=True)
class Timed(Versioned):
    """Of which time documents are looked at."""

    since: Annotated[
        date | None,
        Says("First year, month or day.", name="from", also=("since",), metavar="DATE",
             read=first_day),
    ] = None  # fmt: skip
    until: Annotated[
        date | None,
        Says("Last year, month or day.", name="to", also=("until",), metavar="DATE",
             read=last_day),
    ] = None  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Chosen(Among, Timed):
    """Which documents are looked at, in which version."""


@dataclass(frozen=True, kw_only=True)
class Documents(Chosen):
    """How the text of the documents is read, and how long that may take."""

    case: Annotated[bool, Says("Capitals matter.")] = False
    timeout: Annotated[float | None, Says("Stop after so many seconds.", is_asked=False)] = SECONDS
    # Only what reads a query asks how; here so that all questions may be given it.
    mode: Annotated[str, MODES] = "auto"


@dataclass(frozen=True, kw_only=True)
class Question(Documents):
    """A query, and which documents it is asked of."""

    query: Annotated[str, QUERY]


@dataclass(frozen=True, kw_only=True)
class Listed(Documents):
    """Which values a list has: a group that word lists, n-grams and keywords share."""

    attribute: Annotated[str, Says("word, lc, lemma, pos; words in lower case if absent.")] = ""
    pattern: Annotated[str, Says("Only values this expression matches whole.")] = LETTERS
    stop: Annotated[
        tuple[str, ...],
        Says("Words to leave out; on the command line a file of them, one a line.", file=lines_of),
    ] = ()
    least: Annotated[int, Says("Leave out what is rarer.", least=0)] = 1
    most: Annotated[int, Says("At most so many lines.", least=1, web_most=10_000)] = 100

    @property
    def choice(self) -> "Choice":
        """The same as the analyses take it."""
        from izwi.analyse.vocabulary import Choice

        return Choice(
            self.attribute, self.pattern, self.stop, self.least, self.most, self.case
        )  # fmt: skip


def selection_of(folder: "CorpusFolder", asked: Documents, doing: Doing) -> "Selection":
    """Return where something is to be counted."""
    from izwi.analyse.selection import Selection
    from izwi.index.limits import Deadline
    from izwi.query.engine import Filter, condition_of

    number, segments = folder._snapshot(asked.version)
    if asked.where:
        condition_of(asked.where)
    chosen = Filter(
        asked.since, asked.until, folder._sources_asked(tuple(asked.sources), segments),
        folder._where(asked.where, asked.subcorpus, tuple(asked.publications)), asked.copies,
    )  # fmt: skip
    deadline = Deadline(asked.timeout, doing.cancelled)
    return Selection(segments, chosen, None, number, deadline, doing.listener)


def understood_in(
    folder: "CorpusFolder", selection: "Selection", asked: Documents, query: str
) -> "Understood":
    """Return what a query means in the chosen version."""
    from izwi.service.querying import CorpusLookups, understood

    segments = selection.segments
    lookups = CorpusLookups(folder, segments, selection.deadline)
    return understood(query, asked.mode, segments, is_exact_case=asked.case, lookups=lookups)


def about(
    folder: "CorpusFolder",
    asked: Question,
    doing: Doing,
    wanted: Hashable,
    answer: Callable[..., Answer],
) -> Answer:
    """Return the answer to a question about a query, made or kept."""
    selection = selection_of(folder, asked, doing)
    query = understood_in(folder, selection, asked, asked.query)
    made = partial(answer, selection, query.query, text=query.text)
    return kept(folder, selection, (wanted, query), made)


def kept(
    folder: "CorpusFolder", selection: "Selection", wanted: Hashable, answer: Callable[[], Answer]
) -> Answer:
    """Return the answer kept for the same question to the same version, or a new one."""
    return folder._answers.of((selection.number, selection.chosen, wanted), answer)


def in_words(selection: "Selection", asked: Documents) -> str:
    """Return in words which documents were chosen."""
    chosen = selection.chosen
    parts = [f"subcorpus {asked.subcorpus}"] if asked.subcorpus else []
    parts += [f"from {chosen.since}"] if chosen.since else []
    parts += [f"to {chosen.until}"] if chosen.until else []
    parts += [", ".join(chosen.sources)] if chosen.sources else []
    parts += [", ".join(asked.publications)] if asked.publications else []
    parts += [asked.where] if asked.where and not asked.subcorpus else []
    return "; ".join(parts) or "the whole corpus"


_FORM = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?", re.ASCII)


def read_date(text: str, *, is_end: bool) -> date:
    """Return the first or the last day that a date means.

    >>> read_date("2019", is_end=False), read_date("2019-02", is_end=True)
    (datetime.date(2019, 1, 1), datetime.date(2019, 2, 28))
    """
    match = _FORM.fullmatch(text.strip())
    if match is None:
        raise QueryError(f"'{text}' is not a date; write 2019, 2019-02 or 2019-02-14.")
    year, month, day = (int(part) if part else None for part in match.groups())
    assert year is not None
    try:
        chosen_month = (12 if is_end else 1) if month is None else month
        last = calendar.monthrange(year, chosen_month)[1]
        return date(year, chosen_month, (last if is_end else 1) if day is None else day)
    except (ValueError, calendar.IllegalMonthError):
        raise QueryError(f"'{text}' is not a day of the calendar.") from None
