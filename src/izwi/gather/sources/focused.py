"""A focused crawl: along the links that promise text in the wanted languages, and in one run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, ClassVar

from izwi.config.schema import STRICT, check_name, check_size
from izwi.gather.fetch import STAGE
from izwi.gather.focus import Focus, Policy, Tell
from izwi.gather.links import read_page
from izwi.gather.scope import Scope
from izwi.gather.sources.base import Source
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Lead
from izwi.model.document import Verdict, dropped
from izwi.model.errors import SourceError
from izwi.model.languages import iso639_3
from izwi.store.catalog import Catalog
from izwi.store.leads import Queued


@dataclass(frozen=True, slots=True)
class FocusedSource:
    """Pages in some languages, the most promising first, wherever links lead."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    type: ClassVar[str] = "focused"
    # Its name, used in every ledger line.
    name: str
    # Where to begin.
    seeds: tuple[str, ...]
    # The languages wanted (ISO 639 codes such as zu or zul).
    languages: tuple[str, ...]
    # Domains allowed, each with all hosts below it, or a whole ending (".za"); empty allows all.
    domains: tuple[str, ...] = ()
    # Only URLs like one of these; * stands for any text.
    include: tuple[str, ...] = ()
    # No URL like one of these.
    exclude: tuple[str, ...] = ()
    # How many links away from a good page a page may be.
    depth: int = 2
    # A page is good with so many words of the languages, if its html lang names one of them, ...
    declared_words: int = 20
    # ... and with so many if it names none, or another.
    other_words: int = 50
    # Leads that promise less (the share of good pages to expect, 0 to 1) are not asked.
    least_promise: float = 0.08
    # No more than so many good documents of one host; 0 is no limit.
    quota: int = 0
    # Only answers of these media types, or types that begin so, such as "text/html".
    types: tuple[str, ...] = ()
    # Only answers up to this size, such as "2 MB"; the corpus's own max_size holds in any case.
    max_size: str = ""
    # Another extractor for its pages.
    method: str = ""
    # Whether articles in parts (next pages, frames) are asked for whole and become one document.
    parts: bool = True

    def __post_init__(self) -> None:
        check_name(self.name)
        if not self.seeds or not self.languages:
            raise ValueError("seeds and languages must not be empty")
        for url in self.seeds:
            if canonical(url) is None:
                raise ValueError(
                    f"seeds: '{url}' is not a web address such as https://example.org/"
                )
        if self.max_size:
            check_size("max_size", self.max_size)
        if self.depth < 1:
            raise ValueError(f"depth = {self.depth} is below 1")
        if not 0 <= self.least_promise < 1:
            raise ValueError(f"least_promise = {self.least_promise} is not from 0 to below 1")

    @property
    def policy(self) -> Policy:
        """When a page is good."""
        codes = tuple(map(iso639_3, self.languages))
        return Policy(codes, self.declared_words, self.other_words)

    @property
    def address(self) -> str:
        """The first seed."""
        return self.seeds[0]

    @property
    def interval(self) -> timedelta | None:
        """A crawl goes on until it has seen all."""
        return None

    def first_leads(self) -> Iterable[Lead]:
        """Yield the seeds."""
        return [
            Lead(url, self.name, promise=1.0) for seed in self.seeds if (url := canonical(seed))
        ]

    def refusal(self, url: str, depth: int) -> str:
        """Return why a URL is outside the rules, empty if it is inside."""
        return Scope(self.domains, self.include, self.exclude, self.depth).refusal(url, depth)

    def leads_from(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Yield the links inside the rules; what each promises is learnt while crawling."""
        lead = capture.lead
        scope = Scope(self.domains, self.include, self.exclude)
        return [
            Lead(url, self.name, referrer=lead.url, depth=lead.depth + 1)
            for url in read_page(body, lead.url).links
            if not scope.refusal(url, 0)
        ]


# What is expected of leads of other sources: what somebody named comes first, what was found on a
# page has its turn among the promising ones.
_NAMED, _FOUND = 1.0, 0.5


@dataclass(frozen=True, slots=True)
class Focusing:
    """Every focused source with what was learnt for it."""

    pairs: Mapping[str, tuple[FocusedSource, Focus]] = field(default_factory=dict)

    def promise(self, queued: Queued) -> float:
        """Return what is expected of a lead by now, also of those that other sources propose."""
        pair, lead = self.pairs.get(queued.lead.source), queued.lead
        if pair is not None and lead.depth:
            return pair[1].promise(lead)
        return _FOUND if lead.depth else _NAMED

    def refusal(self, queued: Queued) -> Verdict | None:
        """Return why a lead is left out: it promises too little, or its host gave enough."""
        pair = self.pairs.get(queued.lead.source)
        if pair is None:
            return None
        source, focus = pair
        good = focus.good_pages(queued.host)
        if source.quota and good >= source.quota:
            return dropped(STAGE, "quota", value=good, threshold=source.quota)
        promise, least = focus.promise(queued.lead), source.least_promise
        if promise >= least:
            return None
        return dropped(STAGE, "unpromising", value=round(promise, 4), threshold=least)

    def weighed(self, capture: Capture, body: bytes, leads: list[Lead]) -> list[Lead]:
        """Return a page's links with what they promise, those too far from a good page left out."""
        pair = self.pairs.get(capture.lead.source)
        if pair is None:
            return leads
        source, focus = pair
        found = focus.learn(capture.lead, body, len(capture.body))
        weighed = focus.weigh(capture.lead, body, leads, is_good=found.is_good)
        return [lead for lead in weighed if lead.depth <= source.depth]

    def words(self, source: str) -> str:
        """Return what a focused crawl brought so far, empty for other sources."""
        pair = self.pairs.get(source)
        return str(pair[1].harvest) if pair and pair[1].harvest.pages else ""


def focusing(sources: Mapping[str, Source], tell: Tell | None, catalog: Catalog) -> Focusing:
    """Return the focused crawls among the sources; raise SourceError if none can be judged."""
    focused = [each for each in sources.values() if isinstance(each, FocusedSource)]
    if not focused:
        return Focusing()
    if tell is None:
        raise SourceError(f"Source '{focused[0].name}': nothing tells languages apart here.")
    return Focusing({each.name: (each, Focus(each.policy, tell, catalog)) for each in focused})
