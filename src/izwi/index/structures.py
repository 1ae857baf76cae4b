"""Documents, paragraphs and sentences of a segment: stretches of tokens, cards, publications.

Which publication each document belongs to: the site readers know, whatever way it was found. A site
names itself on its pages (og:site_name) or in its feed, on some of them and not on others, and a
corpus has it by a feed, an archive and a crawl. The name is therefore a matter of all documents of
a version; what a curator says of a source stands above it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.index.columns import read_array, read_table, smallest_type, write_array, write_table
from izwi.kernels.matching_rows import GUIDE_BITS
from izwi.model.document import Document
from izwi.model.errors import QueryError
from izwi.model.records import dataclass

Bounds = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Regions:
    """Stretches that do not overlap, in order, with attributes given as columns of strings."""

    starts: Bounds
    ends: Bounds
    attributes: pa.Table


def _signed(positions: NDArray[np.uint32]) -> NDArray[np.int32]:
    """Return positions in the type compiled code reads: the mapped file itself where that fits."""
    return positions.view(np.int32) if positions.itemsize == 4 else positions.astype(np.int32)


class Structure:
    """A structure of a segment, mapped from its files."""

    def __init__(self, folder: Path, name: str, tokens: int) -> None:
        self._folder, self.name, self._tokens = folder, name, tokens

    @cached_property
    def starts(self) -> NDArray[np.uint32]:
        """The first position of each stretch."""
        return read_array(self._folder / f"{self.name}.starts.arrow")

    @cached_property
    def edges(self) -> NDArray[np.int32]:
        """The first positions in the type compiled code reads."""
        return _signed(self.starts)

    @cached_property
    def ends(self) -> Bounds:
        """The position after the last of each stretch."""
        path = self._folder / f"{self.name}.ends.arrow"
        if path.exists():
            return read_array(path).astype(np.int64)
        return np.append(self.starts[1:], self._tokens)[: len(self.starts)].astype(np.int64)

    @cached_property
    def bounds(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Where the stretches begin and end, those without tokens left out."""
        path = self._folder / f"{self.name}.ends.arrow"
        starts = self.edges
        if path.exists():
            ends = _signed(read_array(path))
        else:
            ends = np.append(starts[1:], np.int32(self._tokens))[: len(starts)]
        kept = ends > starts
        return (starts, ends) if kept.all() else (starts[kept], ends[kept])

    @cached_property
    def guide(self) -> NDArray[np.int32]:
        """How many stretches with tokens begin up to every 64th position."""
        places = np.arange(0, self._tokens + 1, 1 << GUIDE_BITS)
        return np.searchsorted(self.bounds[0], places, side="right").astype(np.int32)

    @cached_property
    def is_complete(self) -> bool:
        """Whether every token is in some stretch."""
        starts, ends = self.bounds
        if not len(starts):
            return self._tokens == 0
        is_chain = np.array_equal(starts[1:], ends[:-1])
        return is_chain and int(starts[0]) == 0 and int(ends[-1]) == self._tokens

    @cached_property
    def attributes(self) -> pa.Table:
        """What is said of each stretch."""
        path = self._folder / f"{self.name}.attributes.arrow"
        return read_table(path) if path.exists() else pa.table({})

    def values(
        self, attribute: str, others: Iterable[str] = ()
    ) -> tuple[list[str], NDArray[np.int64]]:
        """Return the distinct values of an attribute and which of them each stretch has.

        Who asks for one that it has not is told what it has, with `others` known elsewhere.
        """
        if attribute not in self.attributes.column_names:
            known = ", ".join(dict.fromkeys((*self.attributes.column_names, *others))) or "none"
            raise QueryError(
                f"The structure <{self.name}> has no attribute '{attribute}'. "
                f"Known attributes: {known}."
            )
        column = self.attributes.column(attribute).combine_chunks()
        if not isinstance(column.type, pa.DictionaryType):
            column = column.cast(pa.string()).fill_null("").dictionary_encode()
        values: list[str] = column.dictionary.to_pylist()
        return values, np.asarray(column.indices.to_numpy()).astype(np.int64)


def write_structure(folder: Path, name: str, regions: Regions, tokens: int) -> None:
    """Write a structure; ends are kept only where there are gaps."""
    kind = smallest_type(tokens)
    write_array(folder / f"{name}.starts.arrow", regions.starts.astype(kind))
    following = np.append(regions.starts[1:], tokens)[: len(regions.starts)]
    if not np.array_equal(following, regions.ends):
        write_array(folder / f"{name}.ends.arrow", regions.ends.astype(kind))
    if regions.attributes.num_columns:
        write_table(folder / f"{name}.attributes.arrow", regions.attributes)


def paired(starts: Bounds, ends: Bounds, tokens: int) -> tuple[Bounds, Bounds, NDArray[np.bool_]]:
    """Return stretches that begin and end in order, and which of the given starts they keep.

    A stretch without an end lasts to the next one; one without tokens is left out.
    """
    places = np.searchsorted(ends, starts, side="right")
    own = np.append(ends, tokens)[np.minimum(places, len(ends))]
    following = np.append(starts[1:], tokens)[: len(starts)]
    closed = np.minimum(own, following)
    kept = closed > starts
    return starts[kept], closed[kept], kept


CARD = pa.schema(
    [
        ("id", pa.string()),
        ("url", pa.string()),
        ("title", pa.string()),
        ("author", pa.string()),
        ("date", pa.date32()),
        ("date_precision", pa.string()),
        ("date_evidence", pa.string()),
        ("source", pa.string()),
        ("site", pa.string()),
        ("section", pa.string()),
        ("language", pa.string()),
        ("captured", pa.string()),
        # The id of the document it is a copy of; such documents count only if one asks for them.
        ("copy_of", pa.string()),
        # How much speaks for the variety of the corpus, 0.0 to 1.0; nothing without lists for one.
        ("variety", pa.string()),
    ]
)


def card_of(document: Document) -> dict[str, Any]:
    """Return the card of a document."""
    metadata, when = document.metadata, document.metadata.date
    return {
        "id": document.id,
        "url": document.url,
        "title": metadata.title,
        "author": metadata.author,
        "date": when and when.value,
        "date_precision": when.precision if when else "",
        "date_evidence": when.evidence if when else "",
        "source": document.source,
        "site": metadata.site,
        "section": metadata.section,
        "language": document.language.code if document.language else "",
        "captured": document.captured.isoformat(timespec="seconds"),
        "copy_of": document.verdict.detail if document.is_folded else "",
        "variety": f"{document.variety.score:.1f}" if document.variety else "",
    }


def completed(cards: pa.Table) -> pa.Table:
    """Return cards with every column; those of an older index lack what came later."""
    for field in CARD:
        if field.name not in cards.column_names:
            cards = cards.append_column(field, pa.array([""] * cards.num_rows, field.type))
    return cards


def cards_from_attributes(given: pa.Table, count: int) -> pa.Table:
    """Return the cards of documents described by the attributes of their structure."""
    said = {name: given.column(name).to_pylist() for name in given.column_names}
    columns = {field.name: said.get(field.name, [""] * count) for field in CARD}
    # The same day stands in many documents, and is read once.
    day_by_text = {text: _day(text) for text in set(columns["date"])}
    days = [day_by_text[text] for text in columns["date"]]
    columns |= {
        "id": [name or f"doc-{number}" for number, name in enumerate(columns["id"], 1)],
        "date": [day for day, _ in days],
        "date_precision": [precision for _, precision in days],
        "date_evidence": ["attribute" if day else "" for day, _ in days],
    }
    return pa.table(columns, schema=CARD)


def _day(text: str) -> tuple[date | None, str]:
    """Return the day a text names and how exact it is; None if it names none."""
    parts = text.strip()[:10].split("-")
    try:
        numbers = [int(part) for part in parts]
        day = date(*[*numbers, 1, 1][:3])
    except (ValueError, TypeError):
        return None, ""
    return day, ("year", "month", "day")[min(len(numbers), 3) - 1]


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


class HasCards(Protocol):
    """A segment, as far as its documents are looked at."""

    @property
    def cards(self) -> "pa.Table":
        """What is known of each document."""


class Publications:
    """The names of the publications of some segments, which are those of one version."""

    def __init__(self, segments: Sequence[HasCards], named: Mapping[str, str]) -> None:
        self._segments = segments
        # What curators call the sites of single sources.
        self._named = named

    @cached_property
    def _origins(self) -> list[list[Origin]]:
        return [_origins(segment.cards) for segment in self._segments]

    @cached_property
    def _names(self) -> dict[Origin, str]:
        counts = Counter(origin for part in self._origins for origin in part)
        return names_of(counts, self._named)

    def name(self, url: str, site: str, source: str) -> str:
        """Return the publication of a document; what it calls its site, if it is none of these."""
        return self._names.get((host_of(url), site, source)) or site or source

    def of(self, place: int) -> tuple[NDArray[np.int64], list[str]]:
        """Return the number of each document's publication, and their names, in one segment."""
        numbers: dict[str, int] = {}
        names = self._names
        number_of = {
            origin: numbers.setdefault(names[origin], len(numbers))
            for origin in dict.fromkeys(self._origins[place])
        }
        rows = (number_of[origin] for origin in self._origins[place])
        return np.fromiter(rows, np.int64, len(self._origins[place])), list(numbers)


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


# What corpora call sentences, paragraphs and documents.
_SAME_STRUCTURES = (
    ("s", "sent", "sentence"), ("p", "par", "para", "paragraph"),
    ("doc", "text", "document", "article", "bncdoc", "file"),
)  # fmt: skip


def unknown_structure(name: str, known: Sequence[str]) -> str:
    """Return the sentence for a structure that is not there, with the one that is meant if any.

    >>> unknown_structure("text_id", ["doc", "s"])
    'There is no structure <text_id>; here it is <doc>. Known structures: <doc>, <s>.'
    """
    meant = structure_meant(name, known)
    here = f"; here it is <{meant}>" if meant else ""
    listed = ", ".join(f"<{each}>" for each in known) or "none"
    return f"There is no structure <{name}>{here}. Known structures: {listed}."


def structure_meant(name: str, known: Sequence[str]) -> str:
    """Return the structure that another system's name, with an attribute or not, stands for."""
    plain = name.lower().partition("_")[0]
    same = next((row for row in _SAME_STRUCTURES if plain in row), (plain,))
    return next((each for each in same if each in known), "")
