"""Where text comes from: leads somebody proposes, and captures of what a server answered."""

from dataclasses import field
from datetime import datetime
from typing import Literal

from izwi.model.document import KEPT, Verdict
from izwi.model.records import dataclass

# A list is read for the addresses it holds; comments are a thread that becomes many documents.
LeadKind = Literal["page", "feed", "sitemap", "list", "comments"]


@dataclass(frozen=True, slots=True)
class Hints:
    """What the place that proposed a URL says about the page; evidence, not truth."""

    title: str = ""
    author: str = ""
    date: str = ""
    # What the feed calls the site, if the page is of the feed's own host.
    site: str = ""
    # When the page last changed, as a site map says.
    modified: str = ""
    # Where a web archive keeps the capture: its address holds the archive and the time.
    archive: str = ""
    # The page that comments belong to.
    parent: str = ""
    # What a list's page must know of the pages before it, as its source writes it.
    trail: str = ""
    # The page that this one completes, and as what: next, whole or frame.
    part_of: str = ""
    part_as: str = ""


@dataclass(frozen=True, slots=True)
class Lead:
    """A URL someone proposes to fetch, with where it came from."""

    url: str
    source: str
    kind: LeadKind = "page"
    referrer: str = ""
    depth: int = 0
    redirects: int = 0
    hints: Hints = field(default_factory=Hints)
    # What a focused crawl expects of it, from 0 to 1; the most promising leads are asked first.
    promise: float = 0.0


Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Capture:
    """One HTTP exchange at one moment; `body` is as sent, still content-encoded."""

    lead: Lead
    time: datetime
    status: int
    reason: str
    headers: Headers
    body: bytes
    request_headers: Headers = ()
    # What the page's owner says may be done with it.
    rights: str = ""

    def header(self, name: str) -> str:
        """Return the first header of that name, or an empty string."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")


@dataclass(frozen=True, slots=True)
class CaptureEntry:
    """One line of a shard's index: which capture lies where."""

    url: str
    time: datetime
    status: int
    media_type: str
    digest: str
    kind: LeadKind
    source: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Page:
    """A capture ready to be read: its body unpacked, or the verdict that says why not."""

    entry: CaptureEntry
    body: bytes = b""
    content_type: str = ""
    hints: Hints = field(default_factory=Hints)
    verdict: Verdict = KEPT


PDF, TEXT, EPUB = "application/pdf", "text/plain", "application/epub+zip"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ODT = "application/vnd.oasis.opendocument.text"
OFFICE_BY_ENDING = {".pdf": PDF, ".docx": DOCX, ".odt": ODT, ".epub": EPUB}
# Servers that do not know what they send say one of these.
VAGUE = ("application/octet-stream", "binary/octet-stream", "application/zip")
