"""The six publications: their names, their addresses and what they say about themselves."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

FeedKind = Literal["rss", "atom"]


@dataclass(frozen=True, slots=True)
class Publication:
    """One web site; its design is the template folder of the same key.

    Paths are patterns for `str.format`: articles know slug, date, section, language and number,
    archives know date or n.
    """

    key: str
    name: str
    tagline: str
    place: str
    language: str
    article_path: str
    section_path: str
    archive_path: str
    feed_path: str
    feed_kind: FeedKind
    about: tuple[str, ...]
    contact: tuple[str, ...]
    feed_encoding: str = "utf-8"
    page_path: str | None = None
    page_size: int = 12
    month_path: str | None = None
    day_path: str | None = None
    private_path: str | None = None
    has_wrong_charsets: bool = False

    @property
    def host(self) -> str:
        """The host name under which the publication is served."""
        return f"{self.key}.example"

    @property
    def home(self) -> str:
        """The address of the home page."""
        return f"http://{self.host}/"

    def url(self, path: str) -> str:
        """Return the address of a path of this publication."""
        return self.home + path.removeprefix("/")


def _publications() -> Iterator[Publication]:
    table = (files("izwi.demoweb") / "publications.toml").read_text(encoding="utf-8")
    for row in tomllib.loads(table)["publication"]:
        yield Publication(**row | {name: tuple(row[name]) for name in ("about", "contact")})


PUBLICATIONS: Mapping[str, Publication] = MappingProxyType(
    {each.key: each for each in _publications()}
)
