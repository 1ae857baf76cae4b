"""A source of pages whose addresses are counted: https://example.org/story/1, 2, 3 and so on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

from izwi.config.schema import STRICT, check_name
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Lead


@dataclass(frozen=True, slots=True)
class NumberedSource:
    """The fields are the keys below [[source]] in corpus.toml; their types are checked there."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    type: ClassVar[str] = "numbered"
    name: str
    url: str
    first: int = 1
    last: int = 100
    # Another extractor for its pages.
    method: str = ""

    def __post_init__(self) -> None:
        """Say in a sentence what is wrong with corpus.toml."""
        check_name(self.name)
        if "{number}" not in self.url:
            raise ValueError("url needs {number} where the number stands")

    @property
    def address(self) -> str:
        """The address that people know it by."""
        return self.url.replace("{number}", str(self.first))

    @property
    def interval(self) -> timedelta | None:
        """Numbered pages are asked for once."""
        return None

    def first_leads(self) -> Iterable[Lead]:
        """Yield every address."""
        numbers = range(self.first, self.last + 1)
        urls = (canonical(self.url.replace("{number}", str(number))) for number in numbers)
        return [Lead(url, self.name) for url in urls if url]

    def leads_from(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Follow no links."""
        return ()
