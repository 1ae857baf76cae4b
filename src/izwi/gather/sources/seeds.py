"""Pages given by address, and what they link to on their own hosts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

from izwi.config.schema import STRICT, check_name
from izwi.gather.links import page_links
from izwi.gather.urls import canonical, same_host
from izwi.model.capture import Capture, Lead


@dataclass(frozen=True, slots=True)
class SeedsSource:
    """A list of pages; with `depth`, the pages they link to on the same host, so many steps far."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    type: ClassVar[str] = "seeds"
    # Its name, used in every ledger line.
    name: str
    # Where to begin.
    urls: tuple[str, ...]
    # How many links away from a seed a page may be; 0 takes the seeds alone.
    depth: int = 0
    # Another extractor for its pages.
    method: str = ""
    # Whether articles in parts (next pages, frames) are asked for whole and become one document.
    parts: bool = True
    # Whether its pages are opened in a real browser (needs the extra [browser]).
    browser: bool = False

    def __post_init__(self) -> None:
        check_name(self.name)
        if not self.urls:
            raise ValueError("urls is empty; give at least one address")
        for url in self.urls:
            if canonical(url) is None:
                raise ValueError(
                    f"urls: '{url}' is not a web address; write for example https://example.org/"
                )
        if self.depth < 0:
            raise ValueError(f"depth = {self.depth} is below 0")

    @property
    def address(self) -> str:
        """The first seed."""
        return self.urls[0]

    @property
    def interval(self) -> timedelta | None:
        """Seeds are asked once."""
        return None

    def first_leads(self) -> Iterable[Lead]:
        """Yield the seeds."""
        return [Lead(url, self.name) for seed in self.urls if (url := canonical(seed))]

    def leads_from(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Yield the links to the same host, while they are near enough."""
        lead = capture.lead
        # A page that redirected to another host is kept, but leads no further into that host.
        is_at_home = not (lead.depth and lead.referrer) or same_host(lead.url, lead.referrer)
        if lead.depth >= self.depth or not is_at_home:
            return []
        links = page_links(body, lead.url)
        return [
            Lead(url, self.name, referrer=lead.url, depth=lead.depth + 1)
            for url in links
            if same_host(url, lead.url)
        ]
