"""Addresses: of this page with changes, and of the lines that a number counts."""

from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import Request

from izwi.model.analyses import Opening


@dataclass(frozen=True, slots=True)
class Here:
    """The address of a page: its path, and its parameters as they were sent."""

    path: str
    parameters: tuple[tuple[str, str], ...] = ()

    def link(self, **changes: object) -> str:
        """Return this address with some parameters changed; those changed to None are left out.

        >>> Here("/c/demo/freq", (("q", "a b"), ("by", "year"))).link(by="source", most=None)
        '/c/demo/freq?q=a+b&by=source'
        """
        kept = [(name, value) for name, value in self.parameters if name not in changes]
        new = [(name, str(value)) for name, value in changes.items() if value is not None]
        joined = urlencode([*kept, *new])
        return f"{self.path}?{joined}" if joined else self.path

    @property
    def query(self) -> str:
        """The parameters with their question mark; empty if there are none."""
        return f"?{urlencode(self.parameters)}" if self.parameters else ""

    def first(self, name: str, default: str = "") -> str:
        """Return the first value of a parameter."""
        return next((value for key, value in self.parameters if key == name), default)

    def all(self, name: str) -> list[str]:
        """Return all values of a parameter."""
        return [value for key, value in self.parameters if key == name]


def here(request: Request) -> Here:
    """Return the address a request asked for, without parameters that were left empty."""
    given = request.query_params.multi_items()
    return Here(request.url.path, tuple((name, value) for name, value in given if value))


def lines_address(corpus: str, opens: Opening | None, version: int | None) -> str:
    """Return the address of the lines that a number counts; empty if nothing opens them."""
    if opens is None or not opens.query:
        return ""
    pairs = [("q", opens.query), ("mode", "cql")]
    pairs += [("where", opens.where)] if opens.where else []
    pairs += [("from", opens.since.isoformat())] if opens.since else []
    pairs += [("to", opens.until.isoformat())] if opens.until else []
    pairs += [("src", source) for source in opens.sources]
    pairs += [("copies", "1")] if opens.copies else []
    pairs += [("near", opens.near), ("window", str(opens.window))] if opens.near else []
    pairs += [("v", str(version))] if version else []
    return f"/c/{corpus}/conc?{urlencode(pairs)}"
