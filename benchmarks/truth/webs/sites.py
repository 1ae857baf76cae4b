"""A made site: its real pages, what it answers beyond them, and what its pages look like."""

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html import escape

from izwi.gather.urls import canonical
from webs.sentences import Voice


@dataclass(frozen=True)
class Answer:
    """What a server says; a place to go to if it sends the reader on."""

    body: str = ""
    location: str = ""
    status: int = 200
    kind: str = "text/html; charset=utf-8"


Body = str | Callable[[], str]
MISSING = Answer("<html><title>Not found</title><body><h1>Not found</h1></body></html>", status=404)


@dataclass
class Site:
    """One host. A page that is neither a document nor a list of it is beyond its real pages."""

    host: str
    # What a document says, and what a page that is none looks like, by address.
    documents: dict[str, tuple[str, str]] = field(default_factory=dict)
    bodies: dict[str, Body] = field(default_factory=dict)
    # What is answered for any other path.
    beyond: Callable[[str], Answer] = lambda path: MISSING

    def document(self, path: str, title: str, body: Body, *texts: str) -> None:
        """Add a page that is a document, with what it says."""
        self.documents[self.url(path)] = (title, "\n".join((title, *texts)))
        self.bodies[self.url(path)] = body

    def page(self, path: str, body: Body) -> None:
        """Add a real page that is none."""
        self.bodies[self.url(path)] = body

    def url(self, path: str) -> str:
        """Return the address of a path."""
        return canonical(f"http://{self.host}{path}") or ""

    def answer(self, url: str) -> Answer:
        """Return what the host answers."""
        body = self.bodies.get(url)
        if body is None:
            return self.beyond(url.partition(self.host)[2])
        return Answer(body if isinstance(body, str) else body())


Kind = Callable[[str, Voice, int], Site]


def number(text: str, below: int = 10**9) -> int:
    """Return a number that looks like chance, the same for the same text."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16) % below


def slug(title: str) -> str:
    """Return a title as it stands in addresses."""
    return "-".join(re.findall(r"[a-z0-9]+", title.lower())[:7])


def link(path: str, words: str) -> str:
    """Return a link."""
    return f'<a href="{escape(path)}">{escape(words)}</a>'


def rows(links: Iterable[tuple[str, str]]) -> str:
    """Return links as a list."""
    return f"<ul>{''.join(f'<li>{link(*each)}</li>' for each in links)}</ul>"


def said(paragraphs: Iterable[str]) -> str:
    """Return paragraphs as markup."""
    return "".join(f"<p>{escape(each)}</p>" for each in paragraphs)


def page(title: str, main: str, menu: Iterable[tuple[str, str]] = (), *, head: str = "") -> str:
    """Return a page with a menu above and a line below."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"{head}</head><body><nav>{rows([('/', 'Home'), *menu])}</nav><main>{main}</main>"
        "<footer><p>All of this was made by its members.</p></footer></body></html>"
    )


def article(title: str, paragraphs: Iterable[str], after: str = "") -> str:
    """Return a page's main part."""
    return f"<article><h1>{escape(title)}</h1>{said(paragraphs)}</article>{after}"


def lots(links: list[tuple[str, str]], size: int) -> list[list[tuple[str, str]]]:
    """Return links in lots of a size."""
    return [links[start : start + size] for start in range(0, len(links), size)]


def stories(
    site: Site, voice: Voice, count: int, form: str = "/story/{slug}", *,
    after: Callable[[str], str] = lambda path: "", menu: Iterable[tuple[str, str]] = (),
) -> list[tuple[str, str]]:  # fmt: skip
    """Add articles to a site and return the links to them."""
    links = []
    for at in range(1, count + 1):
        title, told = voice.title(), voice.paragraphs()
        path = form.format(slug=slug(title), number=at)
        body = page(title, article(title, told, after(path)), menu)
        site.document(path, title, body, *told)
        links.append((path, title))
    return links
