"""What reports answer: the card, two corpora compared, coverage, how far few hosts make it up."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from datetime import date
from html import escape
from itertools import accumulate
from typing import Any, Literal

from izwi.model.records import dataclass
from izwi.model.results import FunnelStep
from izwi.model.tabular import Charted


@dataclass(frozen=True, slots=True)
class Share:
    """How many documents and tokens have something in common; an empty name is not known."""

    name: str
    documents: int
    tokens: int


@dataclass(frozen=True, slots=True)
class SourceYear:
    """How many documents a source has of one year; an empty year is not known."""

    source: str
    year: str
    documents: int


@dataclass(frozen=True, slots=True)
class AuditFigure:
    """How many of a random sample have a fault, and between which shares that lies in the whole."""

    fault: str
    version: int
    judged: int
    count: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RightsSignal:
    """What owners of a source's pages say, on how many documents, and how many it kept out."""

    signal: str
    source: str
    # Documents of this version whose page says so, and pages that were not taken because of it.
    documents: int
    refused: int
    # Whether the corpus leaves out pages that say so.
    is_respected: bool


@dataclass(frozen=True, slots=True)
class QualityFigure:
    """One measure of how well something was found, and the gold it is measured by."""

    what: str
    gold: str
    # How many pages or documents the gold has.
    judged: int
    measure: str
    value: float


@dataclass(frozen=True, slots=True)
class CorpusCard(Charted):
    """The card of one version: its size, its time, its places, and what was lost on the way.

    `effective_hosts` says how many hosts of equal size would be as varied as the real ones
    (inverse Simpson index of tokens); far fewer than `hosts_in_all` means that a few hosts rule.
    """

    name: str
    title: str
    snapshot: int
    published: str
    settings: str
    documents: int
    tokens: int
    captures: int
    copies: int
    first: date | None
    last: date | None
    years: tuple[Share, ...]
    languages: tuple[Share, ...]
    # Sites as readers know them; sources are the ways by which they were found.
    publications: tuple[Share, ...]
    sources: tuple[Share, ...]
    # The largest, at most a hundred.
    hosts: tuple[Share, ...]
    hosts_in_all: int
    effective_hosts: float
    # What the dates of publication rest on, and how exact they are.
    date_evidence: tuple[Share, ...]
    date_precision: tuple[Share, ...]
    funnel: tuple[FunnelStep, ...]
    years_by_source: tuple[SourceYear, ...] = ()
    # What people found who looked at a random sample.
    audit: tuple[AuditFigure, ...] = ()
    # What pages say of their licence; "none stated" where they say nothing.
    licences: tuple[Share, ...] = ()
    rights: tuple[RightsSignal, ...] = ()
    # Shards whose raw file could not be read for them.
    rights_unread: int = 0
    # Addresses and hosts that were taken down.
    takedowns: int = 0
    # Measured by the corpus's own gold; empty if it has none.
    quality: tuple[QualityFigure, ...] = ()


@dataclass(frozen=True, slots=True)
class SideBySide:
    """One thing both cards speak of: documents and tokens in the first and in the second."""

    name: str
    first_documents: int
    first_tokens: int
    second_documents: int
    second_tokens: int


@dataclass(frozen=True, slots=True)
class TellingWord:
    """A word that is more frequent on one side: how often in each, and by what factor.

    The factor is Kilgarriff's (2009): frequencies per million, a hundred added to both.
    """

    word: str
    first_hits: int
    second_hits: int
    first_per_million: float
    second_per_million: float
    factor: float


@dataclass(frozen=True, slots=True)
class CorpusComparison:
    """Two cards, what they have in common, and the words that set them apart."""

    first: CorpusCard
    second: CorpusCard
    # Documents with the same address on both sides, and of these with the same text unit (id).
    shared_addresses: int
    shared_documents: int
    languages: tuple[SideBySide, ...]
    years: tuple[SideBySide, ...]
    sources: tuple[SideBySide, ...]
    hosts: tuple[SideBySide, ...]
    date_evidence: tuple[SideBySide, ...]
    first_words: tuple[TellingWord, ...]
    second_words: tuple[TellingWord, ...]


By = Literal["url", "slug"]
_EXAMPLES = 20
_ORIGIN = re.compile(r"^https?://(?:www\d?\.)?([^/:?#]+)(?::\d+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Pages in the corpus and in a list, compared by address or by slug."""

    by: By
    ours: int
    theirs: int
    both: int
    # A few of those only one side has.
    only_ours: tuple[str, ...] = ()
    only_theirs: tuple[str, ...] = ()

    @property
    def share(self) -> float | None:
        """The share of the list that the corpus has, None if the list is empty."""
        return round(self.both / self.theirs, 4) if self.theirs else None


def compare(ours: Iterable[str], theirs: Iterable[str], by: By = "url") -> Coverage:
    """Return how two lists of addresses cover each other, as Indig and others (2020, 5.2) do.

    >>> compare(["https://www.a.example:443/x?p=1"], ["http://a.example/x", "http://a.example/y"])
    Coverage(by='url', ours=1, theirs=2, both=1, only_ours=(), only_theirs=('http://a.example/y',))
    """
    key = slug if by == "slug" else plain
    mine, listed = _by_key(ours, key), _by_key(theirs, key)
    return Coverage(
        by,
        len(mine),
        len(listed),
        len(mine.keys() & listed.keys()),
        tuple(sorted(mine[each] for each in mine.keys() - listed.keys())[:_EXAMPLES]),
        tuple(sorted(listed[each] for each in listed.keys() - mine.keys())[:_EXAMPLES]),
    )


def plain(url: str) -> str:
    """Return an address without scheme, www, port, parameters and the slash at its end."""
    bare = _ORIGIN.sub(lambda match: match[1].lower(), url)
    return bare.partition("?")[0].partition("#")[0].rstrip("/")


def slug(url: str) -> str:
    """Return the last part of an address, which often outlives a change of the others.

    >>> slug("http://a.example/2020/07/rain-at-last.html?x=1")
    'rain-at-last.html'
    """
    return plain(url).partition("/")[2].rpartition("/")[2]


def _by_key(urls: Iterable[str], key: Callable[[str], str]) -> dict[str, str]:
    found = ((key(url), url) for url in urls)
    return {name: url for name, url in found if name}


# The curve is told at these numbers of hosts.
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000)
_WIDTH, _HEIGHT, _MARGIN = 520, 320, 48
# Told apart without colour, too.
_LINES = {
    "seeds": ("#7a4b00", "2 4"),
    "captures": ("#0b5cad", "8 4"),
    "corpus": ("#1a1a1a", "none"),
}


@dataclass(frozen=True, slots=True)
class BiasCurve:
    """The share of the documents that the n most frequent hosts contribute."""

    name: str
    documents: int
    hosts: int
    # How many hosts contribute half of the documents.
    half: int
    points: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class HostBias:
    """One curve each for seeds, captures and corpus."""

    curves: tuple[BiasCurve, ...]

    def svg(self) -> str:
        """Return the curves as a picture that explains itself."""
        return _picture([curve for curve in self.curves if curve.points])


def bias_curve(name: str, documents_by_host: Mapping[str, int]) -> BiasCurve:
    """Return the curve of one set of documents.

    >>> bias_curve("corpus", {"a.example": 3, "b.example": 1}).points
    ((1, 0.75), (2, 1.0))
    """
    counts = sorted(documents_by_host.values(), reverse=True)
    total = sum(counts)
    shares = [done / total for done in accumulate(counts)] if total else []
    half = next((number for number, share in enumerate(shares, 1) if share >= 0.5), 0)
    wanted = sorted({*(step for step in _STEPS if step < len(shares)), len(shares)} - {0})
    points = tuple((number, round(shares[number - 1], 4)) for number in wanted)
    return BiasCurve(name, total, len(counts), half, points)


def _picture(curves: Iterable[BiasCurve]) -> str:
    drawn = list(curves)
    most = max((curve.hosts for curve in drawn), default=1)
    title = "Share of the documents by the n most frequent hosts"
    told = "; ".join(f"{c.name}: half of {c.documents} from {c.half} of {c.hosts}" for c in drawn)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="12"><title>{title}</title>'
        f"<desc>{escape(told)}</desc>",
        *_axes(most),
        *(_curve(curve, most, place) for place, curve in enumerate(drawn)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _axes(most: int) -> list[str]:
    left, bottom, right = _MARGIN, _HEIGHT - _MARGIN, _WIDTH - _MARGIN
    lines = [
        f'<path d="M{left} {_MARGIN / 2} V{bottom} H{right}" fill="none" stroke="#666"/>',
        f'<text x="{right}" y="{bottom + 32}" text-anchor="end">hosts</text>',
    ]
    for share in (0.0, 0.5, 1.0):
        y = _y(share)
        lines.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{share:.0%}</text>')
    numbers = (
        f'<text x="{_x(number, most)}" y="{bottom + 16}">{number}</text>' for number in (1, most)
    )
    return [*lines, *numbers]


def _curve(curve: BiasCurve, most: int, place: int) -> str:
    colour, dashes = _LINES.get(curve.name, ("#444", "none"))
    path = " L".join(f"{_x(n, most)} {_y(share)}" for n, share in ((0, 0.0), *curve.points))
    label = f"{escape(curve.name)} ({curve.documents} documents)"
    top = _HEIGHT - _MARGIN - 16 * (3 - place)
    return (
        f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2" '
        f'stroke-dasharray="{dashes}"/>'
        f'<path d="M{_WIDTH / 2} {top - 4} h24" stroke="{colour}" stroke-width="2" '
        f'stroke-dasharray="{dashes}"/><text x="{_WIDTH / 2 + 30}" y="{top}">{label}</text>'
    )


def _x(number: int, most: int) -> float:
    return round(_MARGIN + (_WIDTH - 2 * _MARGIN) * number / max(most, 1), 1)


def _y(share: float) -> float:
    return round(_HEIGHT - _MARGIN - (_HEIGHT - 1.5 * _MARGIN) * share, 1)


@dataclass(frozen=True, slots=True)
class RunState:
    """A run: starting, running, done, failed, stopped or died; and what it says of itself."""

    run: str
    command: str
    state: str
    started: str
    who: str = ""
    pid: int = 0
    # The step under way, how much of it is done, and of how much; 0 if nobody knows.
    step: str = ""
    done: int = 0
    total: int = 0
    detail: str = ""
    # What each stage has done so far: documents that came, and what became of them.
    stages: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    report: Any = None
    # The last lines of its log, and what it printed.
    log: tuple[str, ...] = ()
    output: str = ""

    @property
    def is_under_way(self) -> bool:
        """Whether it has not ended yet."""
        return self.state in ("starting", "running")


@dataclass(frozen=True, slots=True)
class RunYield:
    """What one run gave of one source: pages judged, pages kept, and what became of the others."""

    run: str
    pages: int
    kept: int
    losses: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        """The share that was kept."""
        return self.kept / self.pages if self.pages else 0.0


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Why a source gives less: a reason that is more frequent than it was."""

    reason: str
    share: float
    usual: float


@dataclass(frozen=True, slots=True)
class SourceHealth:
    """A source: its state in one word, its yield now and usually, and what to look at."""

    name: str
    type: str
    address: str
    every: str
    method: str
    state: str
    pages: int
    kept: int
    share: float
    usual: float
    last: str
    refused: int
    runs: tuple[RunYield, ...]
    suspicion: Suspicion | None = None


@dataclass(frozen=True, slots=True)
class Growth:
    """How large a corpus is and how much larger than before; `since` is empty at the first."""

    documents: int
    tokens: int
    new_documents: int
    new_tokens: int
    fetched: int
    since: str
    # Pages that somebody has labelled so far.
    labelled: int = 0


@dataclass(frozen=True, slots=True)
class ListCheck:
    """A feed or site map: how much it lists, from when to when, how much a day."""

    url: str
    kind: str
    items: int
    first: str = ""
    last: str = ""
    per_day: float | None = None


@dataclass(frozen=True, slots=True)
class ArchiveCheck:
    """A page that lists articles: which it lists, where they stand, which page is next."""

    url: str
    articles: int
    # The selector of the links, as it was given or found.
    place: str = ""
    examples: tuple[str, ...] = ()
    next: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """What a crawler would meet at an address."""

    url: str
    is_allowed: bool
    robots: str
    delay_seconds: float
    problem: str = ""
    rights: str = ""
    links: int = 0
    archive_pages: tuple[str, ...] = ()
    lists: tuple[ListCheck, ...] = ()
    # The page as part of an archive, and the page it leads to; a portal's as a run would read it.
    archive: tuple[ArchiveCheck, ...] = ()
    # Whether the host answers at all.
    is_reached: bool = True
    # Whether scripts make its text, so that a source needs `browser = true`.
    needs_browser: bool = False

    @property
    def per_day(self) -> float | None:
        """The pages per day that the busiest list promises."""
        return max((each.per_day for each in self.lists if each.per_day), default=None)
