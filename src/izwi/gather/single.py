"""One page fetched by itself, for a look at it."""

import asyncio
from urllib.parse import urljoin

from izwi.gather.fetch import Limits, Redirected, Refused, fetch, new_session
from izwi.model.capture import Lead
from izwi.model.errors import SourceError
from izwi.store.warc import decoded_body

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
                url = urljoin(url, redirect.target)
    raise SourceError(f"{url} redirects more than {_MOST_REDIRECTS} times.")
