"""A portal of every kind: its archive paged in five ways, with dates or without, in any order."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from html import escape

from izwi.demoweb.server import whole_reply

HOST = "portal.example"
SIZE = 4
_WORDS = "rain council bakkie river school braai taxi mayor"


@dataclass
class PortalSite:
    """One archive; `grow` articles are published while it is read, one at each list page."""

    pages: str
    dated: bool = False
    oldest_first: bool = False
    count: int = 22
    grow: int = 0
    # What lies behind the last page: an empty page, nothing (404), or the last page again.
    beyond: str = "empty"
    has_featured: bool = True
    template: str = "cards"
    published: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self):
        days = (
            [str(date(2020, 2, 27) + timedelta(days=n)) for n in range(5)] if self.dated else [""]
        )
        for number in range(self.count):
            # The third day has no article at all.
            day = days[(0, 1, 3, 4)[number % 4]] if self.dated else ""
            self.published.setdefault(day, []).append(_path(number, day))
        self.days = days

    @property
    def articles(self):
        return {f"http://{HOST}{path}" for paths in self.published.values() for path in paths}

    def answer(self, visit):
        if visit.path == "/robots.txt":
            return whole_reply(b"", status=404)
        if visit.path.startswith("/archive"):
            return self._list(visit)
        return _html(
            f"<h1>{visit.path}</h1>" + "<p>A long story about it, told at leisure.</p>" * 4
        )

    def _list(self, visit):
        if self.grow:
            self.grow -= 1
            day = self.days[-1]
            self.published.setdefault(day, []).append(_path(self.count, day))
            self.count += 1
        day, number = visit.query.get("day", ""), int(visit.query.get("page", "1"))
        if self.dated and not self.published.get(day):
            return whole_reply(b"nothing on that day", status=404)
        listed = list(self.published.get(day, []))
        if not self.oldest_first:
            listed.reverse()
        if self.pages == "none":
            return self._page(listed, day, 1, 1)
        last = -(-len(listed) // SIZE)
        if number > last and self.beyond == "404":
            return whole_reply(b"no such page", status=404)
        if number > last and self.beyond == "last":
            number = last
        return self._page(listed[(number - 1) * SIZE : number * SIZE], day, number, last)

    def _page(self, paths, day, number, last):
        items = "".join(_ITEMS[self.template](path) for path in paths[1:])
        if paths and self.has_featured:
            items = (
                f'<div class="big"><h1><a href="{paths[0]}">{_title(paths[0])}</a></h1></div>'
                + items
            )
        elif paths:
            items = _ITEMS[self.template](paths[0]) + items
        pager = self._pager(day, number, last) if self.pages in ("next", "growing") else ""
        return _html(_HEAD + f"<main><h1>Archive</h1>{items}</main>{pager}" + _FOOT)

    def _pager(self, day, number, last):
        query = f"day={day}&amp;" if day else ""
        links = f'<a href="/archive?{query}page={number - 1}">« Vorige</a> ' if number > 1 else ""
        links += " ".join(
            f'<a href="/archive?{query}page={n}">{n}</a>' for n in range(1, last + 1) if n != number
        )
        if number < last:
            links += f' <a class="fwd" href="/archive?{query}page={number + 1}">Volgende »</a>'
        return f'<div class="pager">{links}</div>'


def _path(number, day):
    words = _WORDS.split()
    slug = "-".join((words[number % 8], words[number // 8 % 8], "story", str(number)))
    return f"/nuus/{day.replace('-', '/') + '/' if day else ''}{slug}"


def _title(path):
    return escape(path.rpartition("/")[2].replace("-", " ").capitalize() + " told again")


def _card(path):
    return (
        f'<article class="card n{len(path)}"><a href="{path}"><img src="/i.jpg"></a>'
        f'<header><h2><a href="{path}">{_title(path)}</a></h2></header><p>Short words on it.</p>'
        f'<a href="{path}">Lees meer</a> <a href="/skrywer/{len(path)}">By A. Writer</a></article>'
    )


def _row(path):
    return f'<li class="row"><a href="{path}">{_title(path)}</a> <span>12:00</span></li>'


_ITEMS = {"cards": _card, "rows": _row}
_HEAD = (
    '<header><nav><a href="/">Home</a> <a href="/sport">Sport</a> <a href="/weer">Weather and '
    'tides of the coast</a></nav></header><aside class="sidebar"><h3>Most read</h3>'
    '<a href="/nuus/the-story-everybody-reads-99">The story that everybody reads again</a></aside>'
)
_FOOT = (
    '<footer><a href="/about-us-and-our-paper">About us and the people of our paper</a></footer>'
)


def _html(body):
    head = '<meta charset="utf-8"><title>Portal</title>'
    return whole_reply(
        f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode()
    )
