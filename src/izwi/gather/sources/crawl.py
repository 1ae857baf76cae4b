"""A crawl: from seeds along links, inside rules of domain, pattern, depth, type and size."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any, ClassVar
from urllib.parse import urlsplit

from izwi.config.schema import STRICT, check_name, check_size
from izwi.gather.links import read_anchors, read_page
from izwi.gather.listing import says_next, skeleton
from izwi.gather.scope import Scope
from izwi.gather.sources.base import check_rest
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Lead
from izwi.model.errors import SourceError
from izwi.model.notation import seconds

_SHORTEST_REST = 60.0
# A list may have hundreds of pages that lead to nothing but the next: the depth that keeps a crawl
# from endless ways is not meant for these, of which traps take note.
_LONG_LIST = 10
# Longer ones are dates with times, or names of things.
_NUMBER = re.compile(r"\d{1,9}")


@dataclass(frozen=True, slots=True)
class CrawlSource:
    """Pages reached by links from seeds, breadth first, inside the rules."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    type: ClassVar[str] = "crawl"
    # After so long a later run asks again for seeds that are folders, and finds what they lead to.
    front_rest: ClassVar[timedelta] = timedelta(days=1)
    # Its name, used in every ledger line.
    name: str
    # Where to begin.
    seeds: tuple[str, ...]
    # Domains allowed, each with all hosts below it ("example.org"), or a whole ending (".za");
    # empty takes the hosts of the seeds.
    domains: tuple[str, ...] = ()
    # Only URLs like one of these; * stands for any text.
    include: tuple[str, ...] = ()
    # No URL like one of these.
    exclude: tuple[str, ...] = ()
    # How many links away from a seed a page may be. From the tenth on the pages of a list that
    # follow each other ("older posts") count as one, if traps are minded.
    depth: int = 20
    # Only answers of these media types, or types that begin so, such as "text/html".
    types: tuple[str, ...] = ()
    # Only answers up to this size, such as "2 MB"; the corpus's own max_size holds in any case.
    max_size: str = ""
    # Ask every page again after so long, such as "30d", and take what changed; empty asks once, but
    # for seeds that end in a slash: these are asked again after a day, for what is new on them.
    revisit: str = ""
    # Another extractor for its pages.
    method: str = ""
    # Whether articles in parts (next pages, frames) are asked for whole and become one document.
    parts: bool = True
    # Whether addresses are refused that bring the same again (calendars, facets, session ids).
    traps: bool = True
    # Patterns of addresses that are no traps though they were taken for such, as the ledger writes
    # them: "example.org/calendar".
    no_traps: tuple[str, ...] = ()
    # Whether its pages are opened in a real browser (needs the extra [browser]).
    browser: bool = False

    def __post_init__(self) -> None:
        check_name(self.name)
        if not self.seeds:
            raise ValueError("seeds is empty; give at least one address")
        for url in self.seeds:
            if canonical(url) is None:
                raise ValueError(
                    f"seeds: '{url}' is not a web address; write for example https://example.org/"
                )
        if self.max_size:
            check_size("max_size", self.max_size)
        if self.revisit:
            check_rest("revisit", self.revisit, shortest=_SHORTEST_REST)
        if self.depth < 0:
            raise ValueError(f"depth = {self.depth} is below 0")

    @property
    def revisit_seconds(self) -> float:
        """How long a page rests before it is asked again; 0 if it is asked once."""
        return seconds(self.revisit) if self.revisit else 0.0

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
        return [Lead(url, self.name) for seed in self.seeds if (url := canonical(seed))]

    def refusal(self, url: str, depth: int) -> str:
        """Return why a URL is outside the rules, empty if it is inside."""
        return scope_of(self).refusal(url, depth)

    def leads_from(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Yield the links that are inside the rules."""
        lead, scope = capture.lead, scope_of(self)
        if lead.depth >= self.depth:
            return []
        onward = _next_pages(lead.url, body) if self.traps and lead.depth >= _LONG_LIST else ()
        depths = dict.fromkeys(onward, lead.depth)
        return [
            Lead(url, self.name, referrer=lead.url, depth=depth)
            for url in read_page(body, lead.url).links
            if not scope.refusal(url, depth := depths.get(url, lead.depth + 1))
        ]


def _next_pages(url: str, body: bytes) -> set[str]:
    """Return the addresses built like a page's own that it calls its next, or that count on."""
    try:
        anchors = read_anchors(body, url)
    except SourceError:
        return set()
    like = skeleton(url)
    alike = (each for each in anchors if skeleton(each.url) == like)
    return {each.url for each in alike if says_next(each) or _counts_on(url, each.url)}


def _counts_on(url: str, other: str) -> bool:
    """Whether one number of another address is the next one, and all others are the same.

    >>> _counts_on("http://a.example/2/page/9", "http://a.example/2/page/10")
    True
    """
    both = zip(_NUMBER.findall(url), _NUMBER.findall(other), strict=False)
    steps = [int(later) - int(number) for number, later in both if number != later]
    return steps == [1]


@lru_cache(maxsize=1000)
def scope_of(source: CrawlSource) -> Scope:
    """Return the rules of a crawl."""
    hosts = tuple((urlsplit(url).hostname or "").removeprefix("www.") for url in source.seeds)
    return Scope(source.domains or hosts, source.include, source.exclude, source.depth)
