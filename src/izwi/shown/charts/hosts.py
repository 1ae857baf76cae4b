"""A host-bias curve: how much of the hits, and of the text, the largest sites have."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol

from izwi.shown.charts.chart import Chart, make_chart, printable
from izwi.shown.charts.specification import field, marks, whole
from izwi.shown.charts.style import SERIES

WIDTH, HEIGHT = 520, 280


class HostCount(Protocol):
    """What the curve draws of each site."""

    @property
    def host(self) -> str:
        """The site."""

    @property
    def hits(self) -> int:
        """The hits on it."""

    @property
    def tokens(self) -> int:
        """The tokens of it."""


@dataclass(frozen=True, slots=True)
class HostShare:
    """A site with its hits and its tokens."""

    host: str
    hits: int
    tokens: int


def host_chart(hosts: Sequence[HostCount], *, title: str) -> Chart:
    """Return the shares of hits and of tokens that the first n sites have together."""
    by_hits = sorted(hosts, key=lambda host: (-host.hits, host.host))
    rows = [
        *_curve("hits", [host.hits for host in by_hits]),
        *_curve("tokens", sorted((host.tokens for host in hosts), reverse=True)),
    ]
    shares = {"scale": {"domain": [0, 1]}, "axis": {"format": "%"}}
    lines = {
        "x": field("sites:Q", title="sites, the largest first", axis={"tickMinStep": 1}),
        "y": field("share:Q", title="share they have together", **shares),
        "color": field("of:N", title=None, scale={"range": list(SERIES[:2])}),
        "strokeDash": field("of:N", title=None),
    }
    drawing = marks("line", lines, rows=rows, point=len(hosts) <= 60)
    return make_chart(
        whole(drawing, width=WIDTH, height=HEIGHT),
        title=title,
        description=_words(by_hits),
        columns=("host", "hits", "tokens"),
        rows=[(host.host, host.hits, host.tokens) for host in by_hits],
    )


def gini(counts: Sequence[int]) -> float:
    """Return how unequal counts are: 0 if all are the same, near 1 if one has nearly all.

    >>> gini([1, 1, 1, 1]), gini([0, 0, 0, 1])
    (0.0, 0.75)
    """
    total, size = sum(counts), len(counts)
    if not total:
        return 0.0
    weighted = sum(place * count for place, count in enumerate(sorted(counts), 1))
    return 2 * weighted / (size * total) - (size + 1) / size


def _curve(name: str, counts: Sequence[int]) -> list[dict[str, object]]:
    total = sum(counts)
    return [
        {"of": name, "sites": sites, "share": so_far / total if total else 0.0}
        for sites, so_far in enumerate(accumulate(counts, initial=0))
    ]


def _words(hosts: Sequence[HostCount]) -> str:
    hits = sum(host.hits for host in hosts)
    if not hits:
        return "There are no hits."
    first = hosts[0]
    return printable(
        f"{hits:,} hits on {sum(host.hits > 0 for host in hosts):,} of {len(hosts):,} sites. "
        f"{first.host} alone has {first.hits / hits:.0%}. Gini coefficient of hits "
        f"{gini([host.hits for host in hosts]):.2f}, of tokens "
        f"{gini([host.tokens for host in hosts]):.2f}."
    )
