"""Which publication each document belongs to: the site readers know, whatever way it was found.

A site names itself on its pages (og:site_name) or in its feed, on some of them and not on others,
and a corpus has it by a feed, an archive and a crawl. The name is therefore a matter of all
documents of a version; what a curator says of a source stands above it. Where documents come from
is noted when a segment is written: names are found by origins, which are few, not by documents.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa

from izwi.index.columns import (
    Numbers,
    Packed,
    read_packed,
    read_table,
    write_packed,
    write_table,
)
from izwi.model.records import dataclass

_TABLE, _NUMBERS = "origins.arrow", "origins.bin"
# A name that fewer of a host's named pages bear is a slip, not a publication of its own.
_LEAST_SHARE = 0.05
_BESIDE = re.compile(r"^(?:www\d?|m|mobile|amp|wap)\.(?=[^.]+\.)")
_LETTERS = re.compile(r"[\W_]+")
# Labels of host names that unrelated sites share: a blog called "Home" is not every such blog.
_SHARED = frozenset({
    "com", "org", "net", "gov", "edu", "info", "www", "mobile", "amp", "news", "blog", "blogs",
    "web",
    "site", "online", "wordpress", "blogspot", "medium", "substack", "tumblr", "github",
    "livejournal", "example", "localhost",
})  # fmt: skip
# The host of a document, what it calls its site, and the source that brought it.
Origin = tuple[str, str, str]


class HasOrigins(Protocol):
    """A segment, as far as it is known where its documents come from."""

    @property
    def origins(self) -> "Origins":
        """Where its documents come from."""


@dataclass(frozen=True, slots=True)
class Origins:
    """Where the documents of a segment come from, each origin once."""

    # Those that differ, and what documents from elsewhere themselves call their publication.
    rows: tuple[Origin, ...]
    said: tuple[str | None, ...]
    # How many documents have each of them.
    documents: tuple[int, ...]
    # Which of them each document has.
    numbers: "Packed | Numbers"


def origins_of(cards: pa.Table, said: pa.Table) -> Origins:
    """Return the origins of documents by their cards and by what else is said of them."""
    names: Sequence[str | None] = [None] * cards.num_rows
    if "publication" in said.column_names:
        names = said.column("publication").cast(pa.string()).fill_null("").to_pylist()
    found: dict[tuple[Origin, str | None], int] = {}
    pairs = zip(_origins(cards), names, strict=True)
    numbers = np.fromiter(
        (found.setdefault(pair, len(found)) for pair in pairs), np.int64, cards.num_rows
    )
    return _counted(found, numbers)


def joined_origins(parts: Sequence[Origins]) -> Origins:
    """Return the origins of documents that stand one after the other; what none has is left out."""
    found: dict[tuple[Origin, str | None], int] = {}
    numbers = [np.zeros(0, np.int64)]
    for part in parts:
        own = part.numbers[:]
        has_some = np.bincount(own, minlength=len(part.rows)).tolist()
        pairs = zip(part.rows, part.said, has_some, strict=True)
        table = [found.setdefault((row, said), len(found)) if n else 0 for row, said, n in pairs]
        numbers.append(np.array(table, np.int64)[own])
    return _counted(found, np.concatenate(numbers))


def _counted(found: Mapping[tuple[Origin, str | None], int], numbers: Numbers) -> Origins:
    counts = np.bincount(numbers, minlength=len(found)).tolist()
    rows, said = tuple(row for row, _ in found), tuple(said for _, said in found)
    return Origins(rows, said, tuple(counts), numbers)


def write_origins(folder: Path, origins: Origins) -> None:
    """Write where the documents of a segment come from."""
    hosts, sites, sources = zip(*origins.rows, strict=True) if origins.rows else ((), (), ())
    columns = (hosts, sites, sources, origins.said)
    table = {
        name: pa.array(column, pa.string())
        for name, column in zip(("host", "site", "source", "said"), columns, strict=True)
    }
    table["documents"] = pa.array(origins.documents, pa.int64())
    write_table(folder / _TABLE, pa.table(table))
    write_packed(folder / _NUMBERS, origins.numbers[:])


def read_origins(folder: Path) -> Origins | None:
    """Return where the documents of a segment come from; None if that was not kept yet."""
    if not (folder / _TABLE).exists():
        return None
    table = read_table(folder / _TABLE)
    hosts, sites, sources, said, documents = (column.to_pylist() for column in table.columns)
    rows = tuple(zip(hosts, sites, sources, strict=True))
    return Origins(rows, tuple(said), tuple(documents), read_packed(folder / _NUMBERS))


class Publications:
    """The names of the publications of some segments, which are those of one version."""

    def __init__(self, segments: Sequence[HasOrigins], named: Mapping[str, str]) -> None:
        self._segments = segments
        # What curators call the sites of single sources.
        self._named = named

    @cached_property
    def _names(self) -> dict[Origin, str]:
        counts: Counter[Origin] = Counter()
        for segment in self._segments:
            own = segment.origins
            for row, many in zip(own.rows, own.documents, strict=True):
                counts[row] += many
        return names_of(counts, self._named)

    def name(self, url: str, site: str, source: str) -> str:
        """Return the publication of a document; what it calls its site, if it is none of these."""
        return self._names.get((host_of(url), site, source)) or site or source

    def by_origin(self, place: int) -> list[str]:
        """Return the publication of each origin of one segment."""
        own, names = self._segments[place].origins, self._names
        pairs = zip(own.rows, own.said, strict=True)
        return [names[row] if said is None else said for row, said in pairs]

    def of(self, place: int) -> tuple[Numbers, list[str]]:
        """Return the number of each document's publication, and their names, in one segment."""
        return renumbered(self._segments[place].origins, self.by_origin(place))


def renumbered(origins: Origins, names: Sequence[str]) -> tuple[Numbers, list[str]]:
    """Return the number of each document's name, and the names, given those of the origins."""
    numbers: dict[str, int] = {}
    table = [numbers.setdefault(name, len(numbers)) for name in names]
    return np.array(table, np.int64)[origins.numbers[:]], list(numbers)


def names_of(counts: Mapping[Origin, int], named: Mapping[str, str]) -> dict[Origin, str]:
    """Return the publication of each origin, by how many documents have it.

    >>> counts = {("a.example", "The Herald", "feed"): 9, ("www.a.example", "", "crawl"): 1,
    ...           ("b.example", "b.example", "seeds"): 1}
    >>> list(names_of(counts, {"seeds": "Die Bode"}).values())
    ['The Herald', 'The Herald', 'Die Bode']
    """
    by_host: dict[str, Counter[str]] = defaultdict(Counter)
    for (host, site, _), many in counts.items():
        if _is_name(site, host):
            by_host[_plain_host(host)][site] += many
    spelling = _spellings(by_host.values())
    main = {host: _most(folded) for host, own in by_host.items() if (folded := _folded(own))}
    small = {
        (host, key)
        for host, own in by_host.items()
        for key, many in _folded(own).items()
        if many < _LEAST_SHARE * own.total()
    }
    found: dict[Origin, tuple[str, str]] = {}
    for origin in counts:
        host, key = _plain_host(origin[0]), _key(origin[1])
        if not _is_name(origin[1], origin[0]) or (host, key) in small:
            key = main.get(host, "")
        found[origin] = (key, host or origin[2])
    told = _told_apart({pair for pair in found.values() if pair[0]}, spelling)
    return {
        origin: named.get(origin[2]) or told.get(pair) or pair[1] for origin, pair in found.items()
    }


def _told_apart(
    pairs: Iterable[tuple[str, str]], spelling: Mapping[str, str]
) -> dict[tuple[str, str], str]:
    """Return what a name on a host is called: with the host where unrelated hosts share it."""
    hosts: dict[str, list[str]] = defaultdict(list)
    for key, host in sorted(pairs):
        hosts[key].append(host)
    return {
        (key, host): spelling[key] if _are_related(host, own[0]) else f"{spelling[key]} ({host})"
        for key, own in hosts.items()
        for host in own
    }


def _are_related(host: str, other: str) -> bool:
    """Whether two hosts may belong to one publication: they share a label that says something."""
    return host == other or not _labels(host).isdisjoint(_labels(other))


def _labels(host: str) -> set[str]:
    return {label for label in host.split(".") if len(label) > 2} - _SHARED


def _folded(names: Mapping[str, int]) -> Counter[str]:
    """Return how many bear each name, however it is spelt."""
    folded: Counter[str] = Counter()
    for name, many in names.items():
        folded[_key(name)] += many
    return folded


def _spellings(parts: Iterable[Mapping[str, int]]) -> dict[str, str]:
    """Return the most frequent spelling of each name."""
    every: dict[str, Counter[str]] = defaultdict(Counter)
    for part in parts:
        for name, many in part.items():
            every[_key(name)][name] += many
    return {key: _most(own) for key, own in every.items()}


def _most(counted: Mapping[str, int]) -> str:
    return min(counted, key=lambda name: (-counted[name], name))


def _key(name: str) -> str:
    return _LETTERS.sub("", name).casefold() or name


def _is_name(site: str, host: str) -> bool:
    """Whether a page names its site; its bare host is no name."""
    return bool(site) and _plain_host(site.casefold()) != _plain_host(host)


def _plain_host(host: str) -> str:
    """Return a host without what stands before it for telephones.

    >>> _plain_host("www.herald.example"), _plain_host("m.co")
    ('herald.example', 'm.co')
    """
    return _BESIDE.sub("", host)


def _origins(cards: "pa.Table") -> list[Origin]:
    urls, sites, sources = (cards.column(name).to_pylist() for name in ("url", "site", "source"))
    hosts: dict[str, str] = {}
    origins = []
    for url, site, source in zip(urls, sites, sources, strict=True):
        start = "/".join((url or "").split("/", 3)[:3])
        host = hosts.get(start)
        if host is None:
            host = hosts[start] = host_of(start)
        origins.append((host, site or "", source or ""))
    return origins


def host_of(url: str) -> str:
    """Return the host of an address; nothing where there is none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
