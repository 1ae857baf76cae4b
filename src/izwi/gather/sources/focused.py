"""A focused crawl: along the links that promise text in the wanted languages, and in one run.

What a lead may bring is learnt from what its kin brought. Four things speak for it: whether the
page that links to it was good, what its host gave, what pages with addresses built alike gave, and
the words of the link. Each has a rate of good pages, pulled towards the wider one before it while
little is known (so a host is at first as good as links from such pages are in general, and a
pattern of addresses as good as its host). The html lang attribute is a hint only: it decides how
many words are asked for, never the language.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import islice
from typing import Any, ClassVar

import xxhash

from izwi.config.schema import STRICT, check_name, check_size
from izwi.gather.fetch import STAGE
from izwi.gather.links import page_text, read_anchors, read_page
from izwi.gather.listing import skeleton
from izwi.gather.scope import Scope
from izwi.gather.sources.base import Source
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Lead
from izwi.model.document import Verdict, dropped
from izwi.model.errors import SourceError
from izwi.model.languages import iso639_3
from izwi.store.catalog import Catalog
from izwi.store.leads import Queued, host_of

# Names the language (ISO 639-3) of each text.
Tell = Callable[[Sequence[str]], Sequence[str]]
# How many pages the wider rate counts for.
_PULL = 4.0
# What the words of a link count for beside the rest.
_SHARE_OF_WORDS = 0.3
# Rates of links from good and from other pages before anything is known.
_FIRST_RATES = {True: 0.5, False: 0.1}
# Lines shorter than this say too little about their language.
_LEAST_WORDS = 4
_MOST_LINES = 400
_MOST_REMEMBERED = 100_000
_ORIGINS = ("from a good page", "from another page")
_LANG = re.compile(rb"<html\b[^>]*?\blang\s*=\s*[\"']?([A-Za-z]{2,3})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Policy:
    """When a page is good: Moukangwe's rule (2014, 3.6), with numbers of one's own."""

    languages: tuple[str, ...]
    # Words of the languages that a page needs if it declares one of them, and otherwise.
    declared_words: int = 20
    other_words: int = 50


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a page holds of the wanted languages."""

    is_good: bool
    words: int = 0
    clean_bytes: int = 0


@dataclass(slots=True)
class Rate:
    """Good pages among all."""

    good: float = 0.0
    all: float = 0.0

    def towards(self, wider: float) -> float:
        """Return the rate, pulled to a wider one while little is known."""
        return (self.good + _PULL * wider) / (self.all + _PULL)


@dataclass(slots=True)
class Harvest:
    """What a focused crawl brought in this run."""

    pages: int = 0
    good: int = 0
    fetched_bytes: int = 0
    clean_bytes: int = 0

    @property
    def rate(self) -> float:
        """Good pages per page fetched."""
        return self.good / self.pages if self.pages else 0.0

    @property
    def gain(self) -> float:
        """Clean bytes per byte fetched: the yield."""
        return self.clean_bytes / self.fetched_bytes if self.fetched_bytes else 0.0

    def __str__(self) -> str:
        return (
            f"{self.good} of {self.pages} pages good (harvest rate {self.rate:.2f}), "
            f"{self.gain:.2f} clean bytes per byte"
        )


def judge(body: bytes, policy: Policy, tell: Tell) -> Judgement:
    """Return what a page holds: the words of its longer lines that are in the languages."""
    lines = [" ".join(line.split()) for line in page_text(body).splitlines()]
    telling = [line for line in lines if line.count(" ") >= _LEAST_WORDS - 1][:_MOST_LINES]
    codes = tell(telling)
    wanted = [line for line, code in zip(telling, codes, strict=True) if code in policy.languages]
    words = sum(len(line.split()) for line in wanted)
    needed = policy.declared_words if _declares(body, policy) else policy.other_words
    return Judgement(words >= needed, words, sum(len(line.encode()) for line in wanted))


@dataclass(slots=True)
class Focus:
    """What was learnt so far about where good pages are."""

    policy: Policy
    tell: Tell
    catalog: Catalog
    harvest: Harvest = field(default_factory=Harvest)
    _hosts: dict[str, Rate] = field(default_factory=dict)
    _others: dict[str, Rate] = field(default_factory=dict)
    # Words of the links to leads that wait.
    _words: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def learn(self, lead: Lead, body: bytes, size: int) -> Judgement:
        """Judge a page and remember what it says about its kin."""
        found = judge(body, self.policy, self.tell)
        counts = self.harvest
        counts.pages += 1
        counts.good += found.is_good
        counts.fetched_bytes += size
        counts.clean_bytes += found.clean_bytes
        kin = [self._host(host_of(lead.url)), *(self._learnt(key) for key in self._keys(lead))]
        for rate in kin:
            rate.all += 1
            rate.good += found.is_good
        self._words.pop(lead.url, None)
        self._keep_host(host_of(lead.url))
        return found

    def weigh(self, lead: Lead, body: bytes, leads: Sequence[Lead], *, is_good: bool) -> list[Lead]:
        """Return the links of a page with what is expected of each."""
        texts = _texts(body, lead.url)
        _forget_oldest(self._words)
        weighed = []
        for each in leads:
            self._words.setdefault(each.url, texts.get(each.url, ()))
            # How far from a good page, and no further: what leads there is the page, not the seed.
            depth = 1 if is_good else lead.depth + 1
            found = replace(each, depth=depth)
            weighed.append(replace(found, promise=self.promise(found)))
        return weighed

    def promise(self, lead: Lead) -> float:
        """Return the share of good pages to expect of leads like this one."""
        came_from = self._other(_origin(lead)).towards(_FIRST_RATES[lead.depth <= 1])
        host = self._host(host_of(lead.url)).towards(came_from)
        pattern = self._other(f"pattern {skeleton(lead.url)}").towards(host)
        words = self._words.get(lead.url, ())
        if not words:
            return pattern
        said = sum(self._other(f"word {word}").towards(pattern) for word in words) / len(words)
        return (1 - _SHARE_OF_WORDS) * pattern + _SHARE_OF_WORDS * said

    def good_pages(self, host: str) -> int:
        """Return how many good pages a host gave, in all runs."""
        return int(self._host(host).good)

    def _keys(self, lead: Lead) -> list[str]:
        words = self._words.get(lead.url, ())
        return [_origin(lead), f"pattern {skeleton(lead.url)}", *(f"word {word}" for word in words)]

    def _other(self, key: str) -> Rate:
        """Return what is known of a key; to be asked about is no reason to be remembered."""
        return self._others.get(key) or Rate()

    def _learnt(self, key: str) -> Rate:
        """Return the rate of a key, to be added to."""
        _forget_oldest(self._others)
        return self._others.setdefault(key, Rate())

    def _host(self, host: str) -> Rate:
        if host not in self._hosts:
            _forget_oldest(self._hosts)  # the catalog has them
            good, asked = (
                self.catalog.credit(_number(host, what)) or 0 for what in ("good", "all")
            )
            self._hosts[host] = Rate(good, asked)
        return self._hosts[host]

    def _keep_host(self, host: str) -> None:
        rate = self._hosts[host]
        self.catalog.put_credit(_number(host, "good"), int(rate.good))
        self.catalog.put_credit(_number(host, "all"), int(rate.all))


def _origin(lead: Lead) -> str:
    return _ORIGINS[lead.depth > 1]


def _forget_oldest(table: dict[str, Any]) -> None:
    """Forget the older half of what grew too large, but not the rates that all others rest on."""
    if len(table) <= _MOST_REMEMBERED:
        return
    for key in list(islice(table, len(table) // 2)):
        if key not in _ORIGINS:
            del table[key]


def _number(host: str, what: str) -> int:
    """Return the number under which the catalog keeps a count of a host."""
    return xxhash.xxh3_64_intdigest(f"focus {what} {host}".encode()) >> 1


def _declares(body: bytes, policy: Policy) -> bool:
    from izwi.model.languages import iso639_3

    declared = _LANG.search(body[:5000])
    return declared is not None and iso639_3(declared[1].decode().lower()) in policy.languages


def _texts(body: bytes, url: str) -> dict[str, tuple[str, ...]]:
    """Return the words of the links of a page, by address."""
    try:
        anchors = read_anchors(body, url)
    except SourceError:
        return {}
    found: dict[str, set[str]] = {}
    for anchor in anchors:
        found.setdefault(anchor.url, set()).update(anchor.text.lower().split()[:12])
    return {address: tuple(sorted(words)) for address, words in found.items()}


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
