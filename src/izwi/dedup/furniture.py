"""Which paragraphs at the ends of a text are furniture of its site: other pages leave them out.

Below a short article the extractor sometimes takes what stands below all: a notice of rights, an
advertiser's line. On most pages of the site it knows better. So a paragraph of a text gives way if
it stands beside the same neighbour, on the same side of the page, where several other pages of the
host leave it out. Going inwards from an end, the first paragraph of which that is not known is the
page's own: nothing inside a text is touched, nor the first lines of an article that other pages
show beside theirs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol
from urllib.parse import urlsplit

import numpy as np
import xxhash

from izwi.dedup.batch import Hashes
from izwi.dedup.ownership import LAST, NOBODY, Owners
from izwi.model.document import Document, Paragraph
from izwi.model.records import dataclass

# Who owns what asks for the owner that is best by rank, and counts nothing. So pages are of so many
# sorts, by a hash of the address, each with keys of its own; of these so many have to hold one. A
# paragraph that five other pages leave out is known so in 82 of 100 cases, that of ten in 99.
_SORTS, _SEVERAL = 4, 3
# What has fewer letters is a label; of no page is more noted than this.
_LEAST_LETTERS, _MOST_LEFT = 12, 400
# So many paragraphs of a text are looked at from either end.
_DEEPEST = 8
# So many words of a text stay at least, or it stays as it is.
_LEAST_REST = 5
_LINKS, _MOSTLY_LINKED = 2, 0.5
# Sets the keys of one paragraph apart, within 64 bits.
_APART, _MOST = 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF


@dataclass(frozen=True, slots=True)
class Edge:
    """A paragraph of the text near one end of the page, and by what it is known there."""

    place: int
    key: int
    # Whether it goes with the furniture beside it: a list of other pages, or a heading above it.
    is_attached: bool


def keys_at_ends(document: Document) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the keys of what a page leaves out, and those that are asked for the text's ends.

    The second are asked for to hear which other pages hold them among the first.
    """
    if document.is_ready_made:
        return (), ()
    letters = _letters(document)
    edges = (edge.key for edges in _ends(document, letters) for edge in edges)
    asked = tuple(key for each in dict.fromkeys(edges) for key in _keys_of_sorts(each))
    return tuple(dict.fromkeys(islice(_left_out(document, letters), _MOST_LEFT))), asked


class Holdings(Protocol):
    """Who holds what in the whole corpus; documents are numbered by their rank."""

    @property
    def number_by_name(self) -> Mapping[str, int]:
        """The documents of the shard that is judged by their ids."""

    def fill(self, keys: Hashes, owners: Owners) -> None:
        """Fill in the owners of the keys that are known."""

    def rank(self, document: int) -> bytes:
        """Return the rank of a document."""


def furniture_among(documents: Sequence[Document], holdings: Holdings) -> dict[str, dict[int, int]]:
    """Return which paragraphs are furniture, each with a page that leaves it out, by document."""
    known = [each for each in documents if each.id in holdings.number_by_name]
    keys = np.array([key for each in known for key in each.edge_keys], np.uint64)
    owners = np.full(len(keys), NOBODY, np.uint32)
    holdings.fill(keys, owners)
    pages = {page for page in set(owners.tolist()) - {NOBODY} if holdings.rank(page) != LAST}
    holder = dict(zip(keys.tolist(), owners.tolist(), strict=True))
    found = {}
    for document in known:
        others = pages - {holdings.number_by_name[document.id]}
        leaving = {key: holder[key] for key in document.edge_keys if holder[key] in others}
        if leaving:
            found[document.id] = furniture(document, leaving)
    return found


def furniture(document: Document, leaving: Mapping[int, int]) -> dict[int, int]:
    """Return which paragraphs of a text are furniture, each with a page that leaves it out.

    `leaving` says which other documents hold the keys that were asked for.
    """
    letters = _letters(document)
    found: dict[int, int] = {}
    for edges in _ends(document, letters):
        found |= _from_one_end(edges, leaving)
    rest = (
        len(each.text.split())
        for place, each in enumerate(document.paragraphs)
        if each.is_main and place not in found
    )
    return dict(sorted(found.items())) if sum(rest) >= _LEAST_REST else {}


def _from_one_end(edges: Iterable[Edge], leaving: Mapping[int, int]) -> dict[int, int]:
    found: dict[int, int] = {}
    page = -1
    for edge in edges:
        others = [leaving[key] for key in _keys_of_sorts(edge.key) if key in leaving]
        if len(others) >= _SEVERAL:
            page = min(others)
        elif not (edge.is_attached and found):
            break
        found[edge.place] = page
    return found


def _left_out(document: Document, letters: Sequence[str]) -> Iterator[int]:
    host = _host(document.url)
    sort = xxhash.xxh3_64_intdigest(document.url.encode("utf-8", "surrogatepass")) % _SORTS
    for place, paragraph in enumerate(document.paragraphs):
        if not paragraph.is_main and len(letters[place]) >= _LEAST_LETTERS:
            for pair in _pairs(letters, place):
                yield _keys_of_sorts(_key(host, *pair))[sort]


def _ends(document: Document, letters: Sequence[str]) -> tuple[list[Edge], list[Edge]]:
    """Return the paragraphs of a text from its end upwards, and from its beginning downwards."""
    host, title = _host(document.url), _plain(document.metadata.title)

    def edges(order: Sequence[int], side: int) -> Iterator[Edge]:
        for place in order:
            # What stands below its title is the page's own.
            if title and letters[place] == title:
                return
            paragraph = document.paragraphs[place]
            if paragraph.is_main:
                key = _key(host, *_pairs(letters, place)[side])
                is_above = side == 0 and paragraph.kind == "h"
                yield Edge(place, key, is_above or _is_list(paragraph))

    places = range(len(letters))
    upwards, downwards = edges(places[::-1], 0), edges(places, 1)
    return list(islice(upwards, _DEEPEST)), list(islice(downwards, _DEEPEST))


def _letters(document: Document) -> list[str]:
    return [_plain(each.text) for each in document.paragraphs]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _pairs(letters: Sequence[str], place: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a paragraph with the one below it, and with the one above it."""
    below = letters[place + 1] if place + 1 < len(letters) else ""
    above = letters[place - 1] if place else ""
    return ("below", letters[place], below), ("above", letters[place], above)


def _key(host: str, *parts: str) -> int:
    whole = "\0".join(("furniture", host, *parts))
    return xxhash.xxh3_64_intdigest(whole.encode("utf-8", "surrogatepass"))


def _keys_of_sorts(key: int) -> list[int]:
    """Return a key for each sort of pages: odd, as all are that are no n-grams."""
    return [((key + sort * _APART) & _MOST) | 1 for sort in range(_SORTS)]


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _is_list(paragraph: Paragraph) -> bool:
    """Whether a paragraph is made of links."""
    links = [mark for mark in paragraph.marks if mark.name == "a"]
    linked = sum(mark.end - mark.start for mark in links)
    return len(links) >= _LINKS and linked > _MOSTLY_LINKED * len(paragraph.text)
