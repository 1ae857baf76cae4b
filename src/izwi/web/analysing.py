"""Which documents a page of analyses counts: what all their forms have."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Query
from pydantic import Field

from izwi.web.asking import LONGEST_SECONDS, Version, first_day, last_day


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
