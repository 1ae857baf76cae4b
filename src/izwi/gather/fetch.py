"""One HTTP exchange, bounded in time, size and address; one page fetched by itself."""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import urljoin, urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import DefaultResolver
from yarl import URL

from izwi.gather.urls import is_private_address
from izwi.model.capture import OFFICE_BY_ENDING, VAGUE, Capture, Headers, Lead
from izwi.model.document import Verdict, dropped, failed
from izwi.model.errors import SourceError
from izwi.store.warc import decoded_body, media_type

STAGE = "fetch"
_CHUNK = 1 << 16
_LONGEST_WAIT = 86400.0
NOTHING: Mapping[str, str] = MappingProxyType({})
# What may hold text or links; a missing type is given the benefit of the doubt.
WANTED = (
    *OFFICE_BY_ENDING.values(),
    "text/",
    "application/xhtml+xml",
    "application/xml",
    "application/rss",
    "application/atom",
    "application/feed+json",
    "application/json",
    # Lists of web archives.
    "application/link-format",
    "application/x-ndjson",
    "application/cdx",
    "application/gzip",
    "application/x-gzip",
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one exchange may cost."""

    timeout: float
    max_bytes: int
    allow_private: bool = False
    proxy: str = ""
    has_cookies: bool = False
    # Media types, or their beginnings, that are kept.
    types: tuple[str, ...] = WANTED


Reader = Callable[[aiohttp.ClientResponse, Limits], Awaitable[bytes]]


class Refused(Exception):
    """No capture came of an exchange; `is_passing` says whether to try again."""

    def __init__(
        self, verdict: Verdict, *, is_passing: bool = False, retry_after: float = 0.0
    ) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict
        self.is_passing = is_passing
        self.retry_after = retry_after


class Redirected(Exception):
    """The server points elsewhere."""

    def __init__(self, target: str, status: int) -> None:
        super().__init__(target)
        self.target = target
        self.status = status


class NotModified(Exception):
    """The server says that what was captured last is still what it has."""

    def __init__(self, headers: Headers) -> None:
        super().__init__()
        self.headers = headers


class PublicResolver(AbstractResolver):
    """Looks names up, and refuses those that lead into private networks."""

    def __init__(self) -> None:
        self._resolver = DefaultResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a public host."""
        found = await self._resolver.resolve(host, port, family)
        if any(is_private_address(entry["host"]) for entry in found):
            raise Refused(dropped(STAGE, "private-address", detail=host))
        return found

    async def close(self) -> None:
        """Let go of the resolver."""
        await self._resolver.close()


def new_session(user_agent: str, limits: Limits) -> aiohttp.ClientSession:
    """Return a session that keeps bodies as sent and never follows a redirect by itself."""
    is_direct = not (limits.allow_private or limits.proxy)
    connector = aiohttp.TCPConnector(
        limit=0, ttl_dns_cache=300, resolver=PublicResolver() if is_direct else None
    )
    return aiohttp.ClientSession(
        connector=connector,
        auto_decompress=False,
        cookie_jar=aiohttp.CookieJar() if limits.has_cookies else aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=limits.timeout, connect=min(15.0, limits.timeout)),
        headers={
            "User-Agent": user_agent,
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5",
            "Accept-Encoding": "gzip, deflate, br",
        },
    )


async def fetch(
    session: aiohttp.ClientSession, lead: Lead, limits: Limits, known: Mapping[str, str] = NOTHING
) -> Capture:
    """Return the capture of a lead; raise Redirected, NotModified, or Refused with the reason.

    `known` are the headers that let a server say that nothing changed.
    """
    return await _fetch(session, lead, limits, _read_text, known)


async def fetch_beginning(session: aiohttp.ClientSession, lead: Lead, limits: Limits) -> Capture:
    """Return the beginning of an answer, up to `max_bytes`, whatever its type."""
    return await _fetch(session, lead, limits, _read_beginning, NOTHING)


async def _fetch(
    session: aiohttp.ClientSession,
    lead: Lead,
    limits: Limits,
    read: Reader,
    known: Mapping[str, str],
) -> Capture:
    try:
        host = urlsplit(lead.url).hostname or ""
    except ValueError as error:  # half an address of IPv6
        raise Refused(failed(STAGE, "bad-address", detail=_words(error))) from error
    if not limits.allow_private and is_private_address(host):
        raise Refused(dropped(STAGE, "private-address", detail=host))
    try:
        return await _exchange(session, lead, limits, read, known)
    except TimeoutError:
        raise Refused(
            Verdict("failed", STAGE, "timeout", limits.timeout, limits.timeout), is_passing=True
        ) from None
    except (aiohttp.ClientSSLError, ssl.SSLError) as error:
        raise Refused(failed(STAGE, "bad-certificate", detail=_words(error))) from error
    except aiohttp.ClientHttpProxyError as error:
        words = f"the proxy opens no way to https ({error.status} {error.message})"
        raise Refused(failed(STAGE, "unreachable", detail=words[:300]), is_passing=True) from error
    except aiohttp.ClientConnectorError as error:
        raise Refused(
            failed(STAGE, "unreachable", detail=_words(error)), is_passing=True
        ) from error
    except (aiohttp.ClientError, OSError, asyncio.IncompleteReadError) as error:
        raise Refused(
            failed(STAGE, "broken-response", detail=_words(error)), is_passing=True
        ) from error
    except ValueError as error:  # what aiohttp raises for a URL or header it cannot make sense of
        raise Refused(failed(STAGE, "bad-address", detail=_words(error))) from error


async def _exchange(
    session: aiohttp.ClientSession,
    lead: Lead,
    limits: Limits,
    read: Reader,
    known: Mapping[str, str],
) -> Capture:
    # Canonical URLs are quoted already; quoting again would change some of them.
    url = URL(lead.url, encoded=True)
    async with session.get(
        url, allow_redirects=False, proxy=limits.proxy or None, headers=known or None
    ) as response:
        _check_status(response)
        body = await read(response, limits)
        return Capture(
            lead,
            datetime.now(UTC),
            response.status,
            response.reason or "",
            _pairs(response.raw_headers),
            body,
            _sent(response),
        )


def _check_status(response: aiohttp.ClientResponse) -> None:
    if response.status == 200:
        return
    if response.status == 304:
        raise NotModified(_pairs(response.raw_headers))
    if response.status in (301, 302, 303, 307, 308) and "Location" in response.headers:
        raise Redirected(response.headers["Location"], response.status)
    verdict = Verdict("failed", STAGE, f"http-{response.status}", response.status, 200)
    if response.status in (429, 500, 502, 503, 504):
        raise Refused(
            verdict, is_passing=True, retry_after=_seconds(response.headers.get("Retry-After", ""))
        )
    raise Refused(Verdict("dropped", STAGE, f"http-{response.status}", response.status, 200))


def _check_type(response: aiohttp.ClientResponse, wanted: tuple[str, ...]) -> None:
    kind = media_type(response.headers.get("Content-Type", ""))
    is_vague = kind in VAGUE and _file_name(response).lower().endswith(tuple(OFFICE_BY_ENDING))
    if kind and not kind.startswith(wanted) and not (is_vague and wanted == WANTED):
        raise Refused(dropped(STAGE, "media-type", detail=kind))


def _file_name(response: aiohttp.ClientResponse) -> str:
    """Return what an answer calls its file, or else the path of its address."""
    said = response.content_disposition
    return (said.filename if said else "") or response.url.path


async def _read_text(response: aiohttp.ClientResponse, limits: Limits) -> bytes:
    _check_type(response, limits.types)
    declared, limit = response.content_length, limits.max_bytes
    if declared is not None and declared > limit:
        raise Refused(dropped(STAGE, "too-large", value=declared, threshold=limit))
    body = bytearray()
    async for chunk in response.content.iter_chunked(_CHUNK):
        body += chunk
        if len(body) > limit:
            raise Refused(dropped(STAGE, "too-large", value=len(body), threshold=limit))
    return bytes(body)


async def _read_beginning(response: aiohttp.ClientResponse, limits: Limits) -> bytes:
    body, limit = bytearray(), limits.max_bytes
    async for chunk in response.content.iter_chunked(_CHUNK):
        body += chunk
        if len(body) >= limit:
            break
    return bytes(body[:limit])


def _seconds(header: str) -> float:
    """Return the wait a Retry-After header asks for: seconds, or a date.

    >>> _seconds("120"), _seconds("Sun, 06 Nov 1994 08:49:37 GMT"), _seconds("soon")
    (120.0, 0.0, 0.0)
    """
    text = header.strip()
    if text.isdecimal():
        return min(float(text), _LONGEST_WAIT)
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return 0.0
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    wait = (aware - datetime.now(UTC)).total_seconds()
    return min(max(wait, 0.0), _LONGEST_WAIT)


def _pairs(raw: Any) -> Headers:
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw)


def _sent(response: aiohttp.ClientResponse) -> Headers:
    headers: Mapping[str, str] = response.request_info.headers
    return tuple((str(name), str(value)) for name, value in headers.items())


def _words(error: Exception) -> str:
    return (str(error) or type(error).__name__)[:300]


_AGENT = "izwi (one page, asked for by a person)"
_LIMITS = Limits(timeout=30.0, max_bytes=10 << 20)
_MOST_REDIRECTS = 5


def fetch_page(url: str, limits: Limits = _LIMITS) -> bytes:
    """Return the body of a page, its redirects followed; raise SourceError with the reason."""
    try:
        return asyncio.run(_fetched(url, limits))
    except Refused as refusal:
        detail = f": {refusal.verdict.detail}" if refusal.verdict.detail else ""
        raise SourceError(f"{url} was not fetched ({refusal.verdict.reason}{detail}).") from refusal


async def _fetched(url: str, limits: Limits) -> bytes:
    async with new_session(_AGENT, limits) as session:
        for _ in range(_MOST_REDIRECTS + 1):
            try:
                return decoded_body(
                    await fetch(session, Lead(url, ""), limits), limits.max_bytes * 5
                )
            except Redirected as redirect:
                url = _target(url, redirect.target)
    raise SourceError(f"{url} redirects more than {_MOST_REDIRECTS} times.")


def _target(url: str, target: str) -> str:
    """Return where a redirect leads; the next exchange says what is wrong with it."""
    try:
        return urljoin(url, target)
    except ValueError:
        return target
