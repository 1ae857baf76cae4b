"""Hosts that test a crawler's manners: one without end, one with wishes, one that publishes."""

from collections.abc import Mapping
from html import escape

from izwi.demoweb.server import Reply, whole_reply

CRAWL_DELAY_SECONDS = 1
RETRY_AFTER_SECONDS = 2
_PAGES_OF_STORIES = 3
_COLOURS = ("red", "green", "blue", "white", "black", "brown")
# What the wire publishes between two changes, and how much of it the feed shows.
ITEMS_PER_CHANGE = 3
_FEED_SIZE = 10


def trap_reply(path: str, query: Mapping[str, str]) -> Reply:
    """Return a page of a host on which most ways lead nowhere, for ever."""
    parts = [part for part in path.split("/") if part]
    if path == "/robots.txt":
        return whole_reply(b"User-agent: *\nDisallow:\n", content_type="text/plain")
    if not parts:
        stories = [f"/story/{number}" for number in range(_PAGES_OF_STORIES)]
        return _page("Home", [*stories, "/calendar/2020/1", "/list?sid=a0", "/shop", "/deep/er"])
    if parts[0] == "story":
        return _page(f"Story {parts[-1]}", ["/"], _story(parts[-1]))
    return _endless(parts, query)


def _endless(parts: list[str], query: Mapping[str, str]) -> Reply:
    if parts[0] == "calendar" and len(parts) == 3 and all(part.isdecimal() for part in parts[1:]):
        month = int(parts[1]) * 12 + int(parts[2]) - 1
        ways = [f"/calendar/{n // 12}/{n % 12 + 1}" for n in (month - 1, month + 1)]
        return _page("Events", ways)
    if parts[0] == "list":
        last = query.get("token", "0")
        return _page("Visitors", [f"/list?token={last}{sign}" for sign in "xyz"])
    if parts[0] == "shop":
        chosen = [name for name in _COLOURS if name in query]
        ways = ["&".join(f"{each}=1" for each in (*chosen, name)) for name in _COLOURS]
        return _page("Shop", [f"/shop?{way}" for way in ways])
    return _page("Deeper", ["/" + "/".join([*parts, name]) for name in ("er", f"n{len(parts)}")])


def polite_reply(path: str, earlier: int) -> Reply:
    """Return a page of a host that asks for pauses, and is busy when first asked for /busy."""
    if path == "/robots.txt":
        rules = f"User-agent: *\nCrawl-delay: {CRAWL_DELAY_SECONDS}\nDisallow: /private/\n"
        return whole_reply(rules.encode(), content_type="text/plain")
    if path == "/busy" and not earlier:
        return Reply(429, headers={"Retry-After": str(RETRY_AFTER_SECONDS)}, length=0)
    return _page(f"Page {path}", ["/a", "/busy", "/private/b"], _story(path))


def wire_reply(path: str, earlier: int) -> Reply:
    """Return a feed that has something new at every second reading, or one of its stories."""
    if path == "/robots.txt":
        return whole_reply(b"User-agent: *\nDisallow:\n", content_type="text/plain")
    if path != "/feed.json":
        return _page(f"Wire {path}", [], _story(path))
    newest = (earlier // 2 + 1) * ITEMS_PER_CHANGE
    items = ",".join(
        f'{{"id": "{n}", "url": "http://wire.example/story-{n}", "title": "Story {n}"}}'
        for n in range(max(0, newest - _FEED_SIZE), newest)
    )
    text = f'{{"version": "https://jsonfeed.org/version/1.1", "title": "Wire", "items": [{items}]}}'
    reply = whole_reply(text.encode(), content_type="application/feed+json")
    return Reply(200, reply.content_type, {"ETag": f'"{newest}"'}, reply.pieces, reply.length)


def _story(name: str) -> str:
    return "".join(
        f"<p>This is paragraph {word} of the story that is kept under {escape(name)}.</p>"
        for word in ("alpha", "beta", "gamma", "delta")
    )


def _page(title: str, ways: list[str], text: str = "") -> Reply:
    links = "".join(f'<p><a href="{escape(way)}">{escape(way)}</a></p>' for way in ways)
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    body = f'<!doctype html><html lang="en"><head>{head}</head><body>{text}{links}</body></html>'
    return whole_reply(body.encode())
