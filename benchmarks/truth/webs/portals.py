"""Large sites as today's systems mark them up: what all their pages have, and what is true of each.

Of each page is known whether it is a document, and then its text, title, day, writer and language.
Round the texts stand menus, notices, teasers of other pages, lists of what is read most, forms,
and lines for machines, as a reader of the web meets them; twins of pages (for phones, to be printed)
and lists are no documents. `portals_press`, `portals_services`,
`portals_reading` and `portals_meeting` beside this file have the kinds.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from html import escape

from webs.sites import Site, link, number, rows, said, slug
from webs.speakers import Speaker


@dataclass(frozen=True)
class Story:
    """A text as it is published."""

    path: str
    title: str
    told: tuple[str, ...]
    author: str
    day: date

    # How its site cuts its beginning where others are to read on.
    cut: int = 0

    @property
    def teaser(self) -> str:
        """Its beginning: cut off with dots or without, or its first sentence whole."""
        words = " ".join(self.told[0].split()[:24])
        if self.cut == 2:
            end = re.search(r"[.!?।؟](?=\s|$)", self.told[0])
            return self.told[0][: end.end()] if end else words
        return words + ("…" if self.cut == 0 else "")


@dataclass
class Portal(Site):
    """A host of one language, and what is true of its pages."""

    voice: Speaker = field(default_factory=lambda: Speaker("portal"))
    # Day, writer and language of documents, by address; addresses of which nothing is asked.
    facts: dict[str, dict[str, str]] = field(default_factory=dict)
    unasked: set[str] = field(default_factory=set)

    def story(self, story: Story, body: str, *texts: str, **facts: str) -> None:
        """Add a page that is a document: what it says, else what its story tells."""
        self.document(story.path, story.title, body, *(texts or story.told))
        own = {"date": f"{story.day:%Y-%m-%d}", "author": story.author, "lang": self.voice.language}
        self.facts[self.url(story.path)] = own | facts

    def aside(self, path: str, body: str) -> None:
        """Add a page of which it may be said that it is a document or that it is none."""
        self.page(path, body)
        self.unasked.add(self.url(path))

    def gold(self, kind: str) -> list[dict[str, object]]:
        """Return what is true of its pages, as `izwi evaluate corpus` reads it, and the writers."""
        found: list[dict[str, object]] = []
        for url in self.bodies:
            if url in self.documents:
                title, text = self.documents[url]
                facts = {"title": title, "text": text} | self.facts.get(url, {})
                found.append({"url": url, "type": kind, **facts})
            elif url not in self.unasked:
                found.append({"url": url, "type": kind, "document": False})
        return found


def told(voice: Speaker, form: str, fewest: int = 4, most: int = 7, length: tuple[int, int] = (1, 4),
         *, at: int = 0) -> Story:  # fmt: skip
    """Return a text that nobody else tells; its address has a number where its title has no name."""
    title, day = voice.title(), voice.day()
    count = voice.chance.randint(fewest, most)
    paragraphs = tuple(voice.paragraph(*length) for _ in range(count))
    name = slug(title)
    name = name if len(name) > 4 else f"{at + 4101}"
    path = form.format(slug=f"{name}-{at}" if at else name, number=at + 4101, day=day)
    return Story(path, title, paragraphs, voice.writer(), day, number(voice.seed, 3))


def stories(voice: Speaker, count: int, form: str, **how: object) -> list[Story]:
    """Return so many texts, the newest first."""
    found = [told(voice, form, at=at + 1, **how) for at in range(count)]  # type: ignore[arg-type]
    return sorted(found, key=lambda each: each.day, reverse=True)


def data_of(story: Story, kind: str = "NewsArticle", **more: object) -> str:
    """Return what machines are told of a story."""
    own = {
        "@context": "https://schema.org", "@type": kind, "headline": story.title,
        "datePublished": f"{story.day:%Y-%m-%d}T06:30:00+02:00",
        "dateModified": f"{story.day:%Y-%m-%d}T09:12:00+02:00",
        "author": [{"@type": "Person", "name": story.author}],
    }  # fmt: skip
    return (
        f'<script type="application/ld+json">{json.dumps(own | more, ensure_ascii=False)}</script>'
    )


def head_of(site: Portal, name: str, story: Story | None = None, more: str = "") -> str:
    """Return what stands in the head of a page of a site with a name."""
    if story is None:
        return f"<title>{escape(name)}</title>{more}"
    url = f"http://{site.host}{story.path}"
    lines = (
        f"<title>{escape(story.title)} | {escape(name)}</title>"
        f'<meta name="description" content="{escape(story.teaser)}"><link rel="canonical" href="{url}">'
        f'<meta property="og:type" content="article"><meta property="og:site_name" content="{escape(name)}">'
        f'<meta property="og:title" content="{escape(story.title)}"><meta property="og:url" content="{url}">'
        f'<meta property="og:description" content="{escape(story.teaser)}">'
        '<meta name="twitter:card" content="summary_large_image"><meta name="viewport" content="width=device-width">'
    )
    return lines + more


def whole(voice: Speaker, head: str, body: str, classes: str = "") -> str:
    """Return a page, with the scripts that all of them have."""
    side = ' dir="rtl"' if voice.code == "ara" else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{voice.language}"{side}><head><meta charset="utf-8">{head}'
        '<link rel="preload" as="font" href="/static/a.woff2"><style>.x{display:none}</style></head>'
        f'<body class="{classes}"><script>window.dataLayer=window.dataLayer||[];dataLayer.push({{"page":1}})</script>'
        f'{body}<script src="/static/app.3f2a.js" defer></script></body></html>'
    )


def consent(voice: Speaker, classes: str = "cookie-banner") -> str:
    """Return a notice about cookies."""
    words = voice.words
    return (
        f'<div class="{classes}" role="dialog" aria-live="polite"><p>{words["cookies"]}</p>'
        f"<button>{words['accept']}</button></div>"
    )


def menu(voice: Speaker, links: Sequence[tuple[str, str]], classes: str = "site-header") -> str:
    """Return the upper edge of all pages."""
    words = voice.words
    return (
        f'<a class="skip-link" href="#content">↓</a><header class="{classes}"><a class="logo" href="/">'
        f'<svg viewBox="0 0 9 9"><path d="M1 1h7"/></svg></a><nav aria-label="Main">{rows([("/", words["home"]), *links])}'
        f'</nav><form action="/search" role="search"><input name="q" placeholder="{words["search"]}">'
        f"<button>{words['search']}</button></form></header>"
    )


def foot(
    voice: Speaker, links: Sequence[tuple[str, str]] = (), classes: str = "site-footer"
) -> str:
    """Return the lower edge of all pages."""
    words = voice.words
    own = [("/contact", words["contact"]), ("/about", words["about"])]
    return (
        f'<footer class="{classes}"><div class="signup"><p>{words["newsletter"]}</p><form><input type="email">'
        f"<button>{words['subscribe']}</button></form></div>{rows([*own, *links])}<p>© 2024 {words['rights']}</p></footer>"
    )


def share(voice: Speaker, classes: str = "share") -> str:
    """Return ways to tell others of a page."""
    ways = "".join(
        f'<li><a href="https://{name}.example/share?u=x" aria-label="{name}">{name.title()}</a></li>'
        for name in ("facebook", "twitter", "whatsapp", "linkedin", "email")
    )
    return f'<div class="{classes}"><span>{voice.words["share"]}</span><ul>{ways}</ul></div>'


def cards(
    voice: Speaker, some: Sequence[Story], classes: str = "card", *, is_dated: bool = True
) -> str:
    """Return teasers of other pages."""
    found = []
    for each in some:
        day = f"<time>{voice.said_on(each.day)}</time>" if is_dated else ""
        found.append(
            f'<div class="{classes}"><a href="{each.path}"><img src="/img/{len(each.title)}.jpg" alt=""></a>'
            f'<h3 class="{classes}__title">{link(each.path, each.title)}</h3>'
            f'<p class="{classes}__text">{escape(each.teaser)}</p>{day}</div>'
        )
    return "".join(found)


def ranked(voice: Speaker, some: Sequence[Story]) -> str:
    """Return what is read most."""
    items = "".join(f"<li>{link(each.path, each.title)}</li>" for each in some)
    return (
        f'<section class="most-read"><h2>{voice.words["most_read"]}</h2><ol>{items}</ol></section>'
    )


def others(some: Sequence[Story], at: int, count: int) -> list[Story]:
    """Return some stories beside one."""
    return [
        some[(at * 7 + step * 3 + 1) % len(some)]
        for step in range(count)
        if (at * 7 + step * 3 + 1) % len(some) != at
    ]


def served(site: Portal, name: str, header: str, footer: str) -> None:
    """Add the pages that serve a site."""
    words = site.voice.words
    for path, title, text in (
        (
            "/contact",
            words["contact"],
            f"<p>{name}, PO Box 2291</p><p>info@{site.host}</p><p>+27 11 555 0142</p>",
        ),
        ("/search", words["search"], "<form><input name=q></form>"),
    ):
        head = head_of(site, f"{title} | {name}")
        site.page(
            path, whole(site.voice, head, f"{header}<main><h1>{title}</h1>{text}</main>{footer}")
        )
    words = (site.voice.paragraph(2, 3), site.voice.paragraph(2, 3))
    head = head_of(site, f"{site.voice.words['about']} | {name}")
    body = f"<main><h1>{site.voice.words['about']}</h1>{said(words)}</main>"
    site.document(
        "/about",
        site.voice.words["about"],
        whole(site.voice, head, f"{header}{body}{footer}"),
        *words,
    )
    site.facts[site.url("/about")] = {"lang": site.voice.language}


def paged(site: Portal, path: str, name: str, some: Sequence[Story], frame: tuple[str, str], *,
          size: int = 12, form: str = "{path}?page={at}", classes: str = "card") -> None:  # fmt: skip
    """Add a list of stories in parts."""
    voice = site.voice
    parts = [some[start : start + size] for start in range(0, len(some), size)] or [[]]
    for at, part in enumerate(parts, 1):
        ways = [
            (path if n == 1 else form.format(path=path, at=n), str(n))
            for n in range(1, len(parts) + 1)
        ]
        if at < len(parts):
            ways.append((form.format(path=path, at=at + 1), voice.words["next"]))
        pages = f'<nav class="pagination">{rows(ways)}</nav>' if len(parts) > 1 else ""
        body = f"{frame[0]}<main><h1>{escape(name)}</h1>{cards(voice, part, classes)}{pages}</main>{frame[1]}"
        here = path if at == 1 else form.format(path=path, at=at)
        site.page(here, whole(voice, head_of(site, name), body))
