"""Pages as captures give them, for the tests of extraction."""

from datetime import UTC, datetime

from izwi.model.capture import CaptureEntry, Page

WHEN = datetime(2020, 6, 15, 12, 30, 45, tzinfo=UTC)
LONG = (
    "The bakkie stood in the sun all morning with its bonnet open, and every man who walked past "
    "on his way to the shop stopped, looked at the engine for a while and shook his head, as if "
    "that had ever helped an engine in its life. "
)


def page(
    body=b"",
    *,
    url="https://courant.example/story",
    status=200,
    media_type="text/html",
    kind="page",
    source="seeds",
    **rest,
):
    """Return a page whose body is given as text or bytes."""
    entry = CaptureEntry(url, WHEN, status, media_type, "", kind, source, 0, 0)
    return Page(entry, body.encode() if isinstance(body, str) else body, **rest)
