"""Site maps: plain, news and index, gzipped or not; a later lastmod asks for a page again."""

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from io import BytesIO
from typing import Any, ClassVar

from lxml import etree

from izwi.config.schema import STRICT, check_name
from izwi.gather.sources.base import check_address, check_rest, longest_rest
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Hints, Lead
from izwi.model.errors import SourceError
from izwi.model.notation import seconds

# What the protocol allows one file to hold (sitemaps.org), unpacked.
_MOST_BYTES = 50 * 2**20
_MOST_URLS = 50_000
# Elements and attributes of one file: 50,000 addresses in forty languages. Each takes more memory
# than it has letters, and a packed file may hold very many.
_MOST_MARKUP = 6_000_000


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """One address of a site map, and what it says of it."""

    url: str
    modified: str = ""
    title: str = ""
    published: str = ""
    is_map: bool = False


@dataclass(frozen=True, slots=True)
class SitemapSource:
    """The pages a site lists for robots; give the map, or robots.txt to take all it names."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    type: ClassVar[str] = "sitemap"
    # How long it rests where `every` is left out.
    usual: ClassVar[str] = "1d"
    # Its name, used in every ledger line.
    name: str
    # Address of the site map, or of a robots.txt.
    url: str
    # How long it rests before it is asked again; left out, a day, then longer without news.
    every: str = ""
    # Another extractor for its pages.
    method: str = ""
    # Whether articles in parts (next pages, frames) are asked for whole and become one document.
    parts: bool = True

    def __post_init__(self) -> None:
        check_name(self.name)
        check_rest("every", self.every or self.usual)
        check_address(self.url, example="https://example.org/sitemap.xml")

    @property
    def address(self) -> str:
        """The map's address."""
        return self.url

    @property
    def interval(self) -> timedelta | None:
        """The rest between two readings."""
        return timedelta(seconds=seconds(self.every or self.usual))

    @property
    def longest_rest(self) -> timedelta:
        """How long the map rests at most, however little it brings."""
        return longest_rest(self.every)

    def first_leads(self) -> Iterable[Lead]:
        """Yield the map itself."""
        return [Lead(canonical(self.url) or self.url, self.name, kind="sitemap")]

    def leads_from(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Yield the maps and pages a map lists; a page of it leads nowhere."""
        if capture.lead.kind != "sitemap":
            return []
        if capture.lead.url.endswith("/robots.txt"):
            return list(self._maps_of_robots(body, capture.lead))
        try:
            entries = list(sitemap_entries(body))
        except ValueError as error:
            raise SourceError(
                f"Source '{self.name}': {capture.lead.url} is no site map ({error})."
            ) from None
        return [lead for entry in entries if (lead := self._lead(entry, capture.lead))]

    def _maps_of_robots(self, body: bytes, lead: Lead) -> Iterator[Lead]:
        for line in body.decode("utf-8", "replace").splitlines():
            key, _, value = line.partition(":")
            url = canonical(value.strip(), lead.url) if key.strip().lower() == "sitemap" else None
            if url:
                yield Lead(url, self.name, kind="sitemap", referrer=lead.url, depth=lead.depth + 1)

    def _lead(self, entry: SitemapEntry, found: Lead) -> Lead | None:
        url = canonical(entry.url, found.url)
        if url is None or (entry.is_map and found.depth > 3):
            return None
        hints = Hints(title=entry.title[:500], date=entry.published[:10], modified=entry.modified)
        return Lead(
            url,
            self.name,
            kind="sitemap" if entry.is_map else "page",
            referrer=found.url,
            depth=found.depth + 1 if entry.is_map else 0,
            hints=Hints() if entry.is_map else hints,
        )


def sitemap_entries(body: bytes) -> Iterator[SitemapEntry]:
    """Yield what a site map lists; raise ValueError if it is none. Broken ones are read as far
    as they go; a list of plain addresses is one too."""
    body = _unpacked(body)
    head = body[:1000].lstrip().lower()
    if head.startswith((b"http://", b"https://")):
        lines = body.decode("utf-8", "replace").split(None, _MOST_URLS)
        yield from (SitemapEntry(line) for line in lines[:_MOST_URLS])
        return
    if body.count(b"<") + body.count(b"=") > _MOST_MARKUP:
        raise ValueError(f"it has more than {_MOST_MARKUP:,} elements")
    try:
        root = etree.fromstring(body, _parser())
    except etree.XMLSyntaxError as error:  # nothing at all, which even a patient parser refuses
        raise ValueError(str(error)) from None
    if root is None or _name(root) not in ("urlset", "sitemapindex"):
        raise ValueError("it begins with neither urlset nor sitemapindex")
    for number, node in enumerate(root):
        if number >= _MOST_URLS:
            return
        facts = {_name(child): (child.text or "").strip() for child in node.iter()}
        if facts.get("loc"):
            yield SitemapEntry(
                facts["loc"],
                facts.get("lastmod", ""),
                facts.get("title", ""),
                facts.get("publication_date", ""),
                is_map=_name(node) == "sitemap",
            )


def _parser() -> Any:
    """Return a parser that reads broken files and fetches or expands nothing."""
    return etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)


def _name(node: Any) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def _unpacked(body: bytes) -> bytes:
    if not body.startswith(b"\x1f\x8b"):
        return body
    try:
        with gzip.GzipFile(fileobj=BytesIO(body)) as file:
            return file.read(_MOST_BYTES)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"it does not unpack: {error}") from None
