"""How much is a page the place of its text: a whole one, a view of one, a list of others?

Seen is the page alone: its address, what it links, what stands beside its days.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import urlsplit

from izwi.model.addresses import PERSON, link_address
from izwi.model.document import Document, Paragraph

_BREAKS_OFF = re.compile(r"(?:\.\.\.|…|\[…\]|\[\.\.\.\]|(?i:read more|continue reading))\W{0,3}$")
# What blogs link below a post instead of its title: a day, perhaps with the hour, or the word.
_PERMANENT = re.compile(
    r"(?i)perma(?:nent )?link|(?:\w+,? )?(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
    r"|\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일]|\d{4}\. [^\W\d]{3,12} \d{1,2}\."
    r"|\d{1,2}\.? [^\W\d]{3,12}\.?,? \d{4}|[^\W\d]{3,12}\.? \d{1,2},? \d{4})"
    r"(?:,? (?:at )?\d\d?:\d\d.{0,5})?"
)
# A sign or a word below a note, where what is linked has no date.
_LASTING = re.compile(r"(?i)[#*§¶∞⚓⚭🔗]{1,2}\ufe0f?|(?:\w+ )?link")
# Two may be the posts before and after.
_MOST_NEIGHBOURS = 2
# From so many days on, with so much of the text beside them, a page shows dated notes.
_SEVERAL_DAYS, _MOST_TEXT = 4, 0.6
# A heading that is linked so far is the title of another page; of so many a page is made of them.
_MOSTLY_LINKED, _SEVERAL = 0.7, 2
# Who wrote a post has a name of at most so many words.
_NAME_WORDS = 3
# The last part of an address that counts pages, days or posts.
_COUNTED = re.compile(r"(?:page[-_]?)?\d*", re.IGNORECASE)
# Views of a page that stands elsewhere, by their addresses: to be printed, for phones, as it was
# once, with a form to answer.
_VIEW = re.compile(
    r"(?i)(?:^|[/._-])print(?:er|able|view|version|page|article)?(?:[_-]?friendly)?(?=$|[/.])"
    r"|(?:^|[/.])amp(?=$|[/.])"
    # A thread by the number of one of its posts.
    r"|/viewtopic\.php\?p=\d+$"
    r"|[?&;](?:amp(?:=1)?(?=[&;]|$)|(?:print\w*|oldid|replytocom|share)(?=[=&;]|$)"
    r"|(?:view|format|mode|action|layout|output\w*|tmpl|style|do|type)=(?:print\w*|amp|component)(?=[&;]|$))"
)
# Lists of a site by their addresses: of a day, a month or a year, of what has one label, of what
# was searched for, a further page of a list. One that shows a single post whole is a list, too.
_LIST = re.compile(
    r"(?i)^/(?:19|20)\d\d/?$|/(?:19|20)\d\d(?:/\d\d?){1,2}/?$|/page/\d+/?$"
    r"|/(?:category|categories|tags?|tagged|labels?|sections?|authors?|taxonomy/term)/[^/?]+/?$"
    r"|/search(?:/|$)"
    r"|/(?:index\.\w+)?\?(?:s|q|search|paged|start|offset|cat|tag|tag_id|author|label)=[^&/]*$"
)
# What names a page where addresses have no folders: "?p=12", "?q=node/7".
_NUMBERED_PAGE = re.compile(r"(?:^|&)(?!page=|paged=|start=|offset=)\w+=(?:\d+|[^&]*/[^&]*)(?=&|$)")


def is_listing(document: Document) -> bool:
    """Whether a document looks like a home or section page: undated and near the site's root."""
    parts = urlsplit(document.url)
    name = parts.path.strip("/")
    is_section = parts.path.endswith("/") and not any(mark in name for mark in "/.-")
    is_near = (not name or is_section) and not _NUMBERED_PAGE.search(parts.query)
    return document.metadata.date is None and is_near


def holds_others(document: Document) -> bool:
    """Whether a page is made of other pages of its site: their linked titles, with text below.

    A blog shows its last posts so, whole or not; each has a page of its own that owns its text.
    What an article proposes to read next stands after its own text. Some blogs link the day below
    each post instead of its title.
    """
    titles, days = set[str](), set[str]()
    own, others = 0, 0
    for paragraph in document.paragraphs:
        if title := _title_of(paragraph, document.url):
            titles.add(title)
        elif paragraph.is_main and titles:
            others += len(paragraph.text)
        elif paragraph.is_main:
            own += len(paragraph.text)
        days |= set(_permanent_links(paragraph, document.url))
    is_made_of_titles = len(titles) >= _SEVERAL and others > own
    if is_made_of_titles or _shows_one(document):
        return True
    return len(days) > _MOST_NEIGHBOURS or _has_dated_notes(document) or _has_linked_notes(document)


def _shows_one(document: Document) -> bool:
    """Whether a page begins with the linked title of another one, and goes on with text.

    So do a month's page with its only post, the last page of a list, and one post out of a thread:
    pages whose address ends in a number, or is empty. What stands linked above a headline of its
    own, or leads up, is the name of a section.
    """
    path = urlsplit(document.url).path
    if not _COUNTED.fullmatch(path.rstrip("/").rpartition("/")[2]):
        return False
    main = (each for each in document.paragraphs if each.is_main or each.kind == "h")
    first, second = next(main, None), next(main, None)
    if first is None or second is None or second.kind == "h":
        return False
    there = _title_of(first, document.url).partition("?")[0].rstrip("/")
    return bool(there) and not path.startswith(f"{there}/")


def _has_dated_notes(document: Document) -> bool:
    """Whether most of a text stands beside lines that are days, one note and its day each.

    The days are links, but what is no main text has no marks. Comments have such lines, too; they
    are not most of the main text.
    """
    days, beside, total = set[str](), 0, 0
    before = False
    for paragraph, after in pairwise((*document.paragraphs, Paragraph(""))):
        is_day = bool(_PERMANENT.fullmatch(paragraph.text.strip()))
        days |= {paragraph.text} if is_day else set()
        if paragraph.is_main and not is_day:
            total += len(paragraph.text)
            is_beside = before or bool(_PERMANENT.fullmatch(after.text.strip()))
            beside += len(paragraph.text) if is_beside else 0
        before = is_day
    return len(days) >= _SEVERAL_DAYS and beside > _MOST_TEXT * total


def _has_linked_notes(document: Document) -> bool:
    """Whether most of a text are notes, each with a sign or a word linked to its own page."""
    pages = set[str]()
    linked, total, before = 0, 0, 0
    for paragraph in document.paragraphs:
        if not paragraph.is_main:
            continue
        size = len(paragraph.text)
        page = _lasting_page(paragraph, document.url)
        if page:
            pages.add(page)
            # The link may stand on a line of its own.
            linked += size + (before if _LASTING.fullmatch(paragraph.text.strip()) else 0)
        total, before = total + size, 0 if page else size
    return len(pages) > _MOST_NEIGHBOURS and linked > _MOST_TEXT * total


def _lasting_page(paragraph: Paragraph, url: str) -> str:
    """Return the other page of the same site that the end of a note leads to, or nothing."""
    links = [mark for mark in paragraph.marks if mark.name == "a" and mark.target]
    if not links or links[-1].end < len(paragraph.text.rstrip()):
        return ""
    said = paragraph.text[links[-1].start : links[-1].end].strip()
    return _other_page(links[-1].target, url) if _LASTING.fullmatch(said) else ""


def _title_of(paragraph: Paragraph, url: str) -> str:
    """Return which other page of the same site a heading is the linked title of, or nothing.

    Who wrote a post may stand above it, linked.
    """
    links = (mark for mark in paragraph.marks if mark.name == "a" and mark.target)
    link = next(links, None) if paragraph.kind == "h" else None
    if link is None or link.end - link.start < _MOSTLY_LINKED * len(paragraph.text):
        return ""
    is_person = len(paragraph.text.split()) <= _NAME_WORDS and PERSON.search(link.target)
    return "" if is_person else _other_page(link.target, url)


def _permanent_links(paragraph: Paragraph, url: str) -> Iterator[str]:
    """Yield the other pages of the same site that days, or the word for such a link, lead to.

    Below the address of an article stand its comments.
    """
    links = [mark for mark in paragraph.marks if mark.name == "a" and mark.target]
    below = url.rstrip("/") + "/" if links and urlsplit(url).path.strip("/") else ""
    for mark in links:
        if _PERMANENT.fullmatch(paragraph.text[mark.start : mark.end].strip()):
            page = _other_page(mark.target, url)
            if page and not (below and link_address(url, mark.target).startswith(below)):
                yield page


def _other_page(target: str, url: str) -> str:
    """Return where a link leads, if that is another page of the same site."""
    there, here = urlsplit(link_address(url, target)), urlsplit(url)
    is_other = (there.path.rstrip("/"), there.query) != (here.path.rstrip("/"), here.query)
    is_near = there.netloc.removeprefix("www.") == here.netloc.removeprefix("www.")
    return f"{there.path}?{there.query}" if is_other and is_near else ""


def is_excerpt(document: Document) -> bool:
    """Whether a text breaks off, as teasers do: it ends in dots or in words that lead on."""
    last = next((each.text for each in reversed(document.paragraphs) if each.is_main), "")
    return bool(_BREAKS_OFF.search(last.rstrip()))


def wholeness(document: Document) -> int:
    """Return how much a page is the place of its text.

    0 for a whole text, 1 for another view of one, 2 for one that breaks off, 3 for a page that
    lists others.
    """
    if is_listing(document) or _LIST.search(_address(document.url)) or holds_others(document):
        return 3
    return 2 if is_excerpt(document) else int(is_view(document))


def is_view(document: Document) -> bool:
    """Whether a page shows another one again: it says so itself, or its address does."""
    if _VIEW.search(_address(document.url)):
        return True
    there = document.metadata.url_canonical
    # Some sites name their front page on every page, which is no view of it for that.
    return bool(
        there and (_other_page(there, document.url).strip("/?") or _elsewhere(there, document.url))
    )


def _address(url: str) -> str:
    """Return the path of an address with what is asked of it."""
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _elsewhere(target: str, url: str) -> str:
    """Return the path of a page on another host, such as the one that phones are not sent to."""
    there, here = urlsplit(link_address(url, target)), urlsplit(url)
    is_near = there.netloc.removeprefix("www.") == here.netloc.removeprefix("www.")
    return "" if is_near or not there.netloc else _address(target).strip("/?")
