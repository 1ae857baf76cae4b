"""What a reader asks of a concordance: the parameters of the page, its twin and its links."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import lru_cache
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, Query
from pydantic import BeforeValidator, Field

from izwi.cases.corpus import Corpus
from izwi.cases.questions import read_date
from izwi.model.errors import QueryError
from izwi.model.results import Concordance
from izwi.service.querying import SERVICE, own_lists

# Larger numbers name no version and would not fit a file name.
_LARGEST_VERSION = 999_999_999
_LARGEST_SEED = 2**63 - 1
# A reader may ask for less; more would hold up the others.
LONGEST_SECONDS = 30.0
# A table of all lines is made of pages of this size, and has at most so many lines.
_MOST_A_PAGE = 1000
MOST_LINES_SENT = 100_000
# The names in addresses, where they differ from ours.
_NAMES = {"since": "from", "until": "to"}


def if_blank(default: object) -> BeforeValidator:
    """Return a validator that reads an empty field of a form as its default."""
    choose: Callable[[Any], Any] = lambda value: default if value == "" else value  # noqa: E731
    return BeforeValidator(choose)


Version = Annotated[
    Annotated[int, Field(le=_LARGEST_VERSION)] | None,
    if_blank(None),
    Query(description="A version of the corpus; the newest if absent."),
]


@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters as they were sent; dates are read later, so that a form can show bad ones."""

    q: Annotated[str, Query(description="A word, a phrase or CQL.", examples=["bakkie"])] = ""
    since: Annotated[
        str,
        Query(alias="from", description="First year, month or day: 2014, 2014-03 or 2014-03-09."),
    ] = ""
    until: Annotated[str, Query(alias="to", description="Last year, month or day.")] = ""
    src: Annotated[
        tuple[str, ...], Query(description="Only this source; may be given several times.")
    ] = ()
    sort: Annotated[
        str,
        if_blank("date"),
        Query(
            description="Order of the lines: date, newest, left, node, right, publication, source, "
            "random, example, or tokens such as matchend[1].lemma; several with commas.",
            examples=["left"],
        ),
    ] = "date"
    ctx: Annotated[int, if_blank(12), Query(description="Tokens of context on each side.")] = 12
    size: Annotated[int, if_blank(50), Query(description="Lines a page.")] = 50
    case: Annotated[
        bool, if_blank(False), Query(description="Whether capitals must be as typed.")
    ] = False
    page: Annotated[int, if_blank(1), Query(description="Which page of lines.")] = 1
    seed: Annotated[
        int,
        Field(ge=0, le=_LARGEST_SEED),
        if_blank(1),
        Query(description="Which of the random orders."),
    ] = 1
    v: Version = None
    mode: Annotated[
        str,
        if_blank("auto"),
        Query(
            description="How q is read: auto, phrase, word (all its forms), lemma or cql.",
            examples=["word"],
        ),
    ] = "auto"
    where: Annotated[str, Query(description='A condition on documents, e.g. section="news".')] = ""
    subcorpus: Annotated[str, Query(description="Only documents of a saved subcorpus.")] = ""
    unit: Annotated[
        str,
        if_blank("tokens"),
        Query(description="What is shown: ctx tokens or characters, the sentence or paragraph."),
    ] = "tokens"
    near: Annotated[str, Query(description="Only lines with this (CQL) nearby.")] = ""
    window: Annotated[int, if_blank(5), Query(description="How many tokens away near looks.")] = 5
    first: Annotated[
        bool, if_blank(False), Query(description="Only the first line of each document.")
    ] = False
    sample: Annotated[
        int, if_blank(0), Query(description="At most so many lines, by chance (seed).")
    ] = 0
    copies: Annotated[
        bool, if_blank(False), Query(description="Whether folded copies count too.")
    ] = False
    translate: Annotated[
        str,
        Query(description="Search for translations: a word list of the corpus, or service."),
    ] = ""
    timeout: Annotated[
        float,
        Field(gt=0, le=LONGEST_SECONDS),
        if_blank(LONGEST_SECONDS),
        Query(description="Stop after so many seconds."),
    ] = LONGEST_SECONDS
    publication: Annotated[
        tuple[str, ...], Query(description="Only this publication; may be given several times.")
    ] = ()

    def parameters(self) -> list[tuple[str, str]]:
        """Return what differs from the defaults, as names and values of an address."""
        own = ((name, getattr(self, field), default) for field, default, name in _FIELDS)
        return [pair for name, value, default in own if value != default
                for pair in _pairs(name, value)]  # fmt: skip

    def link(self, **changes: object) -> str:
        """Return the query part of an address that asks the same but for some changes.

        >>> Asked("ag shame", sort="left", page=3).link(since="2014")
        '?q=ag+shame&from=2014&sort=left'
        """
        changes = {"page": 1} | changes
        own = (
            (name, changes[field] if field in changes else getattr(self, field), default)
            for field, default, name in _FIELDS
        )
        return "?" + "&".join(_encoded(*each[:2]) for each in own if each[1] != each[2])


def _pairs(name: str, value: object) -> list[tuple[str, str]]:
    """Return a parameter as names and values of an address."""
    values = value if isinstance(value, tuple) else (value,)
    return [(name, "1" if each is True else str(each)) for each in values]


# A page has a hundred links that differ in one parameter.
@lru_cache(maxsize=1024)
def _encoded(name: str, value: object) -> str:
    return urlencode(_pairs(name, value))


_FIELDS = tuple(
    (field.name, field.default, _NAMES.get(field.name, field.name)) for field in fields(Asked)
)


def find_lines(corpus: Corpus, asked: Asked) -> Concordance:
    """Return the page of lines asked for."""
    return corpus.concordance(
        asked.q,
        sort=asked.sort,
        page=asked.page,
        size=asked.size,
        context=asked.ctx,
        since=first_day(asked.since),
        until=last_day(asked.until),
        sources=tuple(source for source in asked.src if source),
        publications=tuple(filter(None, asked.publication)),
        case=asked.case,
        seed=asked.seed,
        version=asked.v,
        mode=asked.mode,
        where=asked.where,
        subcorpus=asked.subcorpus,
        unit=asked.unit,
        near=asked.near,
        window=asked.window,
        first=asked.first,
        sample=asked.sample,
        copies=asked.copies,
        translate=translator_here(corpus, asked.translate),
        timeout=asked.timeout,
    )


def every_line(corpus: Corpus, asked: Asked) -> Iterator[dict[str, object]]:
    """Yield all the lines asked for as rows; raise QueryError if they are too many to send."""
    page = find_lines(corpus, replace(asked, page=1, size=_MOST_A_PAGE))
    if page.hits > MOST_LINES_SENT:
        raise QueryError(
            f"{page.hits:,} lines are more than are sent at once ({MOST_LINES_SENT:,}). Narrow the "
            "search by date or source, take a sample, or use: izwi query --json"
        )
    yield from page.rows()
    for number in range(2, page.pages + 1):
        version = page.snapshot or None
        more = replace(asked, page=number, size=_MOST_A_PAGE, v=version)
        yield from find_lines(corpus, more).rows()


def translator_here(corpus: Corpus, name: str) -> str:
    """Return a translator that readers may use: no other files or addresses of the server's."""
    known = (SERVICE, *own_lists(corpus.path))
    if name and name not in known:
        raise QueryError(f"There is no word list '{name}' here; known are {', '.join(known)}.")
    return name


def first_day(text: str) -> date | None:
    """Return the day on which a year, a month or a day begins; None for an empty text."""
    return read_date(text, is_end=False) if text.strip() else None


def last_day(text: str) -> date | None:
    """Return the day on which a year, a month or a day ends; None for an empty text."""
    return read_date(text, is_end=True) if text.strip() else None


@dataclass(frozen=True, slots=True)
class Counted:
    """Which documents are counted, and how long that may take."""

    since: Annotated[str, Query(alias="from", description="First year, month or day.")] = ""
    until: Annotated[str, Query(alias="to", description="Last year, month or day.")] = ""
    src: Annotated[tuple[str, ...], Query(description="Only this source; repeatable.")] = ()
    where: Annotated[str, Query(description='A condition on documents, e.g. section="news".')] = ""
    subcorpus: Annotated[str, Query(description="Only documents of a saved subcorpus.")] = ""
    copies: Annotated[bool, Query(description="Whether folded copies count too.")] = False
    case: Annotated[bool, Query(description="Whether capitals matter.")] = False
    mode: Annotated[str, Query(description="How q is read: auto, phrase, word, lemma, cql.")] = (
        "auto"
    )
    v: Version = None
    timeout: Annotated[
        float,
        Field(gt=0, le=LONGEST_SECONDS),
        Query(description="Stop after so many seconds."),
    ] = LONGEST_SECONDS

    def chosen(self) -> dict[str, Any]:
        """Return the keywords that all analyses take."""
        return {
            "since": first_day(self.since),
            "until": last_day(self.until),
            "sources": tuple(source for source in self.src if source),
            "where": self.where,
            "subcorpus": self.subcorpus,
            "copies": self.copies,
            "case": self.case,
            "mode": self.mode,
            "version": self.v,
            "timeout": self.timeout,
        }


Chosen = Annotated[Counted, Depends()]
