"""What else makes a page whole: next pages, one view of all, frames.

A page goes on where it links to its own address with a number behind it (`?page=2`, `/2/`,
`-2.html`) and calls that link so: by its relation, by "next", by the number. "Next" alone says
nothing: it leads to the next story, chapter or list just as often. Before the pages are asked one
by one, what the page calls its print view or its view on one page is tried: it is taken if it
holds the text of the first page and more.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Literal
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from izwi.gather.links import Anchor, page_text, read_anchors, read_page
from izwi.gather.listing import find_articles, says_next, skeleton
from izwi.gather.urls import may_be_text
from izwi.model.errors import SourceError

# What a capture that completes another one is: its next page, all of it, or what stands in a frame.
Role = Literal["next", "whole", "frame"]
# A text in more pages than this is a list, or a trap.
MOST_PARTS = 30
_DEEPEST_FRAMES = 3
_FIRST = frozenset({0, 1})
_KEYS = r"(?:page|pg|p|pagina|seite|sida|strona|part|pageno|pagenum|page_no|paged|pagenumber)"
_KEY = re.compile(_KEYS, re.IGNORECASE)
# Forums count posts instead of pages: the second begins at so many.
_OFFSET = re.compile(r"(?:start|offset|st)", re.IGNORECASE)
# A number at the end of a path, as /2, /page/2, -2.html, _page2.html, ,2.html.
_MARK = re.compile(
    rf"(?:[/_,.-]{_KEYS}[/_,.=-]?|[/_,.-])(\d{{1,3}})(?=/?$|\.[a-z]{{3,5}}$)", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]")
# A link to a page says no more than this.
_MOST_WORDS = 8
# What a link of several words says before the number of a page.
_PAGE_NUMBER = re.compile(
    r"(?i)\b(?:page|seite|pagina|página|bladsy|blad|stron[aęy]|stronie|strany?|side|sida|sivu|oldal"
    r"|strana|страниц[аеу]|halaman|trang|ukurasa|ikhasi|teil|part|deel|del|parte|partie|część)"
    r"\W{0,3}([1-9]\d?)\b"
)
_ENDING = re.compile(r"(?:/index)?\.(?:s?html?|php\d?|aspx?|jsp)$|/$", re.IGNORECASE)
# Addresses of lists: what goes on there is the list.
_LIST = re.compile(
    r"(?i)/(?:category|categories|tags?|topics?|archives?|author|authors|search|section|page)(?:/|$)"
)
_ONE_PAGE = re.compile(
    r"(?i)\b(?:single[- ]?page|one[- ]page|all pages|view all|full (?:article|text|story)|print\w*"
    r"|dru[ck]k?\w*|auf einer seite|ganzer artikel|op een bladsy|op één pagina|volledige artikel"
    r"|afdruk\w*|imprim\w*|stampa|una (?:sola )?página|une (?:seule )?page|skriv ut|wydruk)\b"
)
# An address with a number, or with a name of several words, is that of a story.
_IS_NAMED = re.compile(r"\d[^/]*/?$|[^/-]+(?:-[^/-]+){3,}/?$")
# Lines so long are sentences, not menus.
_LINE = 60
# How much of the first page a view of all must hold, and how much more than that.
_HELD, _MORE = 0.7, 1.2
# A list has so many linked titles, and fewer characters than this for each.
_MANY_TITLES, _LITTLE_EACH = 6, 500
# How much of a title the next page repeats, and where titles stand.
_SAME_TITLE, _HEAD = 0.6, 100_000
_TITLE = re.compile(rb"<title[^>]{0,200}>([^<]{0,1000})", re.IGNORECASE)
_TITLE_WORD = re.compile(r"[^\W\d_]+")
# What the title of a next page adds to that of the first; other words are the title of a chapter.
_PART_WORD = re.compile(
    rf"(?i){_KEYS}|seiten|página|pàgina|pagină|pahina|páxina|bladsy|blad|stron[aęy]|stronie|strany?|strana"
    r"|stranic[aei]|side|síða|sivu|oldal|страниц[аеу]|сторінк[аи]|старонка|sayfa|puslapis|lappuse"
    r"|lehekülg|faqe|orrialdea|tudalen|leathanach|halaman|muka|trang|ukurasa|ikhasi|iphepha|leqephe"
    r"|tsebe|letlakala|tsamba|paĝo|folio|бет|σελίδα|الصفحة|صفحه|صفحة|עמוד|דף|ページ|頁|页|第|共|쪽|페이지"
    r"|teil|deel|del|parte|partie|część|suite|of|von|van|de|di|av|af|z|из|no|nr|sur|από|من"
)
# A page with less text of its own than this may have it in a frame.
_LITTLE_TEXT = 400


@dataclass(slots=True)
class Whole:
    """A page on its way to be whole: what is asked for next, and what came of it."""

    url: str
    body: bytes
    _numbered: dict[int, str] = field(default_factory=dict)
    _views: deque[str] = field(default_factory=deque)
    _frames: deque[tuple[str, int]] = field(default_factory=deque)
    _tried: set[str] = field(default_factory=set)
    _last: int = 1
    _is_over: bool = False

    def __post_init__(self) -> None:
        self._tried.add(self.url)
        self._frames.extend((url, 1) for url in frames_of(self.body, self.url))
        if self._frames:
            return
        self._learn(self.body, self.url)
        if self._next():
            self._views.extend(views_of_all(self.body, self.url))

    def wanted(self) -> tuple[str, Role] | None:
        """Return the next address to ask for, and as what; None if there is no more."""
        if self._is_over or len(self._tried) > MOST_PARTS:
            return None
        queues: Iterator[tuple[str, Role]] = self._waiting()
        found = next((each for each in queues if each[0] not in self._tried), None)
        if found:
            self._tried.add(found[0])
        return found

    def take(self, url: str, body: bytes, role: Role) -> bool:
        """Take what came for an address; return whether it belongs to the page."""
        if role == "frame":
            depth = self._depth + 1
            if depth <= _DEEPEST_FRAMES:
                self._frames.extend((each, depth) for each in frames_of(body, url))
            return True
        if role == "whole":
            self._is_over = holds_more(body, self.body)
            return self._is_over
        if not self._is_part(url, body):
            self._is_over = True
            return False
        self._last += 1
        self._learn(body, url)
        return True

    def _is_part(self, url: str, body: bytes) -> bool:
        parts = urlsplit(url)
        if _is_called_page(parts):
            return True
        if not have_one_title(body, self.body):
            return False
        # A number that nothing calls a page may be a vote, or a size of letters.
        is_counted = _key(parts)[0] is not None or _mark(parts)[0] is not None
        return is_counted or bool({*_long_lines(body)} - {*_long_lines(self.body)})

    def miss(self, role: Role) -> None:
        """Take note that nothing came: after a page that is missing there is no other."""
        self._is_over = role == "next"

    _depth: int = 1

    def _waiting(self) -> Iterator[tuple[str, Role]]:
        while self._frames:
            url, self._depth = self._frames.popleft()
            yield url, "frame"
        while self._views:
            yield self._views.popleft(), "whole"
        if following := self._next():
            yield following, "next"

    def _next(self) -> str:
        return self._numbered.get(self._last + 1, "")

    def _learn(self, body: bytes, url: str) -> None:
        for number, address in numbered_parts(body, url, self.url, page=self._last).items():
            self._numbered.setdefault(number, address)


def numbered_parts(body: bytes, url: str, first: str, *, page: int = 1) -> dict[int, str]:
    """Return the further pages of `first` that one of its pages names, by their places from 2.

    The place is what a link's words say; sites that count from 0 call the second page 1 in its
    address.
    """
    reading = read_page(body, url)
    named = {link: number_of(link, first) for link in (*reading.links, reading.next)}
    numbers = {link: number for link, number in named.items() if number is not None}
    if not numbers or _is_list(body, first):
        return {}
    found: dict[int, str] = {}
    if _is_next(reading.next, numbers.get(reading.next, 0), page):
        found[page + 1] = reading.next
    for anchor in _anchors(body, url):
        place = _place(anchor, numbers[anchor.url], page) if anchor.url in numbers else 0
        if place > 1:
            found.setdefault(place, anchor.url)
    return found


def number_of(url: str, first: str) -> int | None:
    """Return the number that makes an address a page of another one; None if it is none of it.

    >>> number_of("http://a.example/rain?page=2", "http://a.example/rain")
    2
    >>> number_of("http://a.example/rain-3.html", "http://a.example/rain.html")
    3
    >>> number_of("http://a.example/news/2/", "http://a.example/rain/")
    """
    one, other = urlsplit(first), urlsplit(url)
    if not url or one.netloc != other.netloc or _plain(one) in ("", "?"):
        return None
    stems = {_plain(one)}
    # /note/1 and /note/2 are two notes; /note/page/1 and ?page=1 are called pages.
    for number, stem in (_mark(one), _key(one)):
        if number in _FIRST and _is_called_page(one):
            stems.add(stem)
    for number, stem in (_key(other), _mark(other), *_other_keys(other)):
        if number is not None and stem in stems and url != first:
            return number
    return None


def stems_of(url: str) -> tuple[str, list[str]]:
    """Return an address without what does not matter, and those it may be a numbered page of.

    >>> stems_of("http://a.example/rain.html?page=2")
    ('a.example/rain?page=2', ['a.example/rain'])
    """
    parts = urlsplit(url)
    numbered = (stem for number, stem in (_key(parts), _mark(parts)) if number is not None)
    return parts.netloc + _plain(parts), [parts.netloc + stem for stem in numbered]


def _is_called_page(parts: SplitResult) -> bool:
    """Whether an address says in a word that its number is that of a page."""
    found = _MARK.search(parts.path)
    return _key(parts)[0] is not None or (found is not None and bool(_WORD.search(found[0])))


def _plain(parts: SplitResult) -> str:
    """Return path and query without what does not matter."""
    path = _ENDING.sub("", parts.path).rstrip("/")
    return f"{path}?{parts.query}" if parts.query else path


def _key(parts: SplitResult) -> tuple[int | None, str]:
    """Return the number in a query, and the address without it."""
    for name, number, stem in _numbers(parts):
        if _KEY.fullmatch(name) or _OFFSET.fullmatch(name):
            return number, stem
    return None, ""


def _other_keys(parts: SplitResult) -> Iterator[tuple[int, str]]:
    """Yield small numbers under other names in a query, and the address without each."""
    yield from ((n, stem) for _, n, stem in _numbers(parts) if 0 < n <= MOST_PARTS)


def _numbers(parts: SplitResult) -> Iterator[tuple[str, int, str]]:
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    for name, value in pairs:
        if re.fullmatch(r"\d{1,3}", value):
            rest = urlencode([pair for pair in pairs if pair != (name, value)])
            yield name, int(value), _plain(parts._replace(query=rest))


def _mark(parts: SplitResult) -> tuple[int | None, str]:
    """Return the number at the end of a path, and the address without it."""
    found = _MARK.search(parts.path)
    if found is None:
        return None, ""
    stem = parts.path[: found.start()] + parts.path[found.end() :]
    # A year is no story, and its second month no second page.
    if not _WORD.search(_ENDING.sub("", stem).rpartition("/")[2]):
        return None, ""
    return int(found[1]), _plain(parts._replace(path=stem))


def _place(anchor: Anchor, number: int, page: int) -> int:
    """Return which page a link on the `page`th leads to; 0 if nothing calls it a page.

    It is called so by its number, alone or with a word beside it, or as the next one.
    """
    words = re.findall(r"\w+", anchor.text)
    if len(words) <= 3:
        said = [place for place in (number, number + 1) if str(place) in words]
        counted = [int(word) for word in words if re.fullmatch(r"[1-9]\d?", word)]
        said += [place for place in counted if _begins_page(anchor.url, number, place)]
        if said:
            return said[0]
    elif len(words) <= _MOST_WORDS and (called := _PAGE_NUMBER.search(anchor.text)):
        return int(called[1]) if int(called[1]) in (number, number + 1) else 0
    return page + 1 if _is_next(anchor.url, number, page) and says_next(anchor) else 0


def _is_next(url: str, number: int, page: int) -> bool:
    """Whether an address with a number can be that of the page after the `page`th."""
    return bool(number) and (number in (page, page + 1) or _begins_page(url, number, page + 1))


def _begins_page(url: str, number: int, page: int) -> bool:
    """Whether the number in an address counts posts, and those of whole pages before this one.

    >>> _begins_page("http://a.example/viewtopic.php?t=7&start=30", 30, 3)
    True
    """
    is_offset = any(_OFFSET.fullmatch(name) for name, _ in parse_qsl(urlsplit(url).query))
    return is_offset and page > 1 and number > 0 and number % (page - 1) == 0


def _is_list(body: bytes, first: str) -> bool:
    """Whether a page that goes on lists others: by its address, or by many titles for its text."""
    if _LIST.search(urlsplit(first).path):
        return True
    found = find_articles(_anchors(body, first), first).articles
    # Beside a story stand the titles of others, whose addresses are built like its own.
    alike = sum(_build(each.url) == _build(first) for each in found)
    if alike > len(found) / 2 and _IS_NAMED.search(first):
        return False
    # Who wrote a post, and what stands below each (answer, quote, report), is no title.
    titles = len({each.text.casefold() for each in found if len(each.text.split()) > 1})
    letters = sum(map(len, _long_lines(body)))
    return titles >= _MANY_TITLES and letters < titles * _LITTLE_EACH


def _build(url: str) -> tuple[int, str, str]:
    """Return how an address is built, whatever its section is called."""
    path, _, keys = skeleton(url).partition("?")
    return path.count("/"), _ENDING.sub("", path).rstrip("/")[-1:], keys


def _anchors(body: bytes, url: str) -> tuple[Anchor, ...]:
    try:
        return read_anchors(body, url)
    except SourceError:  # too large to be looked at closely
        return ()


def views_of_all(body: bytes, url: str) -> list[str]:
    """Return what a page calls its print view, or all of it on one page."""
    parts = urlsplit(url)
    slug = _ENDING.sub("", parts.path).rstrip("/").rpartition("/")[2]
    names = {slug, *re.findall(r"\d{4,}", url)} - {""}
    found = [
        anchor.url
        for anchor in _anchors(body, url)
        if _ONE_PAGE.search(f"{anchor.text} {anchor.label}") and anchor.url != url
        if urlsplit(anchor.url).netloc == parts.netloc and any(n in anchor.url for n in names)
    ]
    return list(dict.fromkeys(found))[:2]


def holds_more(view: bytes, first: bytes) -> bool:
    """Return whether a view of all holds the text of the first page, and more."""
    lines, known = _long_lines(view), set(_long_lines(first))
    held = sum(len(line) for line in set(lines) & known)
    is_held = held >= _HELD * sum(map(len, known)) > 0
    return is_held and sum(map(len, lines)) >= _MORE * held


def have_one_title(body: bytes, first: bytes) -> bool:
    """Return whether two pages say that they are called the same, but for the page's number.

    The chapters of a book are called as the book is, and then as themselves.
    """
    here, there = (set(_TITLE_WORD.findall(_title(each))) for each in (body, first))
    is_chapter = any(not _PART_WORD.fullmatch(word) for word in here - there)
    return not there or (len(here & there) >= _SAME_TITLE * len(there) and not is_chapter)


def _title(body: bytes) -> str:
    """Return what a page is called; words of other charsets stay words, though wrong ones."""
    found = _TITLE.search(body[:_HEAD])
    if found is None:
        return ""
    try:
        return unescape(found[1].decode("utf-8")).casefold()
    except UnicodeDecodeError:
        return unescape(found[1].decode("latin-1")).casefold()


def _long_lines(body: bytes) -> list[str]:
    lines = (" ".join(line.split()) for line in page_text(body).splitlines())
    return [line for line in lines if len(line) >= _LINE]


def frames_of(body: bytes, url: str) -> list[str]:
    """Return the frames of a page that is made of them, or has its text in one."""
    reading = read_page(body, url)
    host = urlsplit(url).netloc
    own = [each for each in reading.frames if urlsplit(each).netloc == host and may_be_text(each)]
    if not own or reading.has_frameset:
        return own
    text = " ".join(page_text(body).split())
    return own if len(text) < _LITTLE_TEXT else []
