"""What readers see of a page's headline, author and date: headings, bylines, dates, short lines."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from selectolax.lexbor import LexborHTMLParser, LexborNode

from izwi.model.document import Claim
from izwi.text.metadata.bylines import (
    byline_claims,
    is_dated_line,
    names_beside_a_date,
    signed_lines,
)
from izwi.text.metadata.claims import clean
from izwi.text.metadata.marked_elements import text_of
from izwi.text.metadata.shown_dates import LABEL, LEAST_HEADING, date_claims, happened, label_of
from izwi.text.metadata.shown_headings import heading_claims

# Elements whose names say that they hold an author or a date, looked up in one go.
_TELLING = (
    'h1, time, address, byline, [rel~="author"], [class*="uthor"], [class*="yline"],'
    ' [class*="ate"], [class*="ublished"], [class*="imestamp"], [class*="osted"], [class*="meta"],'
    ' [class*="username"], [class*="submitted"], [class*="writer"], [class*="autor"],'
    ' [class*="datum"], [class*="fecha"], [class*="dato"], [class*="usuku"],'
    ' a[href*="/author"], a[href*="/autor"], a[href*="/contributor"], a[href*="/writer"]'
)
_MOST_TELLING, _MOST_NAMING = 300, 120
_MOST_HEADINGS, _MOST_TITLED = 4, 50
_MOST_LINES = 300
_MOST_BYLINES = 3
# Some pages date a text just above its headline.
_MOST_BEFORE = 20
# As last resort only the first lines with a date are kept.
_MOST_DATED_LINES = 5
# Lines of scripts, which stand among those of the text.
_CODE, _MOST_CODE = re.compile(r"[{};=]"), 200
# Forums tell beside every post since when its writer has been a member.
_OF_A_MEMBER = re.compile(
    r"\b(?:joined|registered|founded|member since|join date|registriert|mitglied seit|dabei seit"
    r"|beigetreten|inscrit|membre depuis|inscription|registrado|miembro desde|geregistreerd"
    r"|lid sinds|iscritto|dołączył|регистрация|liittynyt)\b",
    re.I,
)
# Forums tell who began a thread, and when.
_STARTED = re.compile(
    r"(?:started|begun|erstellt|begonnen|démarré|iniciado) (?:by|von|par|por)\b", re.I
)
OF_A_THREAD = "start of a thread"
# What stands beside a headline: an element round both that holds little else.
_MOST_ROUND, _LONGEST_HEAD = 5, 600


def shown_claims(page: LexborHTMLParser, url: str = "") -> Iterator[Claim]:
    """Yield what the visible page at an address says: headings, bylines, dates."""
    node = page.css_first("title")
    title = text_of(node) if node else ""
    # An element that matches in two ways is given twice.
    found = {node.mem_id: node for node in page.css(_TELLING)}
    telling = _from_headline(list(found.values()), title)[:_MOST_TELLING]
    headings = [node for node in found.values() if node.tag == "h1"][:_MOST_HEADINGS]
    yield from heading_claims(headings, title, url)
    yield from byline_claims(telling[:_MOST_NAMING])
    yield from date_claims(telling)
    heading = next((node for node in telling if node.tag == "h1"), None)
    yield from _running_text(page, text_of(heading) if heading else "")


def _from_headline(telling: Sequence[LexborNode], title: str) -> list[LexborNode]:
    """Return elements from the headline on: those beside it first, those before it at the end."""
    headings = [at for at, node in enumerate(telling) if node.tag == "h1"]
    if not headings:
        return list(telling)
    titled = [at for at in headings[:_MOST_TITLED] if _is_titled(telling[at], title)]
    place = max(titled, key=lambda at: len(text_of(telling[at])), default=headings[0])
    head = _round(telling[place])
    beside = {node.mem_id for node in head.css("*")} if head else set()
    beside |= {node.mem_id for node in _just_above(telling[place])}
    first = [telling[place], *(node for node in telling if node.mem_id in beside)]
    ordered = [*first, *telling[place:], *telling[:place]]
    return list({node.mem_id: node for node in ordered}.values())


def _is_titled(heading: LexborNode, title: str) -> bool:
    """Return whether the title repeats a heading, which is then no name of a site or section."""
    text = text_of(heading)
    return len(text) >= LEAST_HEADING and text.casefold() in title.casefold()


def _just_above(heading: LexborNode) -> Iterator[LexborNode]:
    """Yield a line with a date right above a headline, and what is in it."""
    above = heading.prev
    while above is not None and not text_of(above):
        above = above.prev
    if above is not None and above.tag != "h1" and is_dated_line(text_of(above)):
        yield from above.css("*")


def _round(heading: LexborNode) -> LexborNode | None:
    """Return the largest element round a headline that holds hardly more than it."""
    best, node = None, heading.parent
    for _ in range(_MOST_ROUND):
        if node is None or node.tag in ("body", "html"):
            break
        if len(node.text(deep=True)) > _LONGEST_HEAD:
            break
        best, node = node, node.parent
    return best


def _running_text(page: LexborHTMLParser, heading: str) -> Iterator[Claim]:
    """Yield what the short lines after the headline say, as a last resort."""
    body = page.body
    text = body.text(deep=True, separator="\n", strip=True) if body else ""
    lines = [line for line in text.split("\n") if line and not _CODE.search(line, 0, _MOST_CODE)]
    # Amid a line stand the spaces of the source, as many as it has.
    seen = [" ".join(line.split()) for line in _after(lines, heading)[:_MOST_LINES]]
    dated = ((line, before) for before, line in pairwise(["", *seen]) if is_dated_line(line))
    labelled = ((line, label_of(line) or before[-LABEL:]) for line, before in dated)
    own = ((line, label) for line, label in labelled if not _OF_A_MEMBER.search(label))
    for line, label in islice(own, _MOST_DATED_LINES):
        evidence = OF_A_THREAD if _STARTED.match(line) else "line of text"
        yield Claim(happened(label) or "datePublished", clean(line), evidence)
    for line in islice(signed_lines(seen, _language(page)), _MOST_BYLINES):
        yield Claim("author", clean(line), "line of text")
    yield from (Claim("author", clean(name), "line of text") for name in names_beside_a_date(seen))


def _after(lines: Sequence[str], heading: str) -> Sequence[str]:
    """Return the lines from the headline on, and a few before it at the end."""
    least = min(len(heading), LEAST_HEADING)
    places = (at for at, line in enumerate(lines) if least <= len(line) <= len(heading))
    place = next((at for at in places if heading.startswith(lines[at])), 0) if heading else 0
    return [*lines[place:], *lines[max(0, place - _MOST_BEFORE) : place]]


def _language(page: LexborHTMLParser) -> str:
    """Return the language that the page's root says it is in, without its country."""
    said = page.root.attributes.get("lang") if page.root else ""
    return (said or "").partition("-")[0].casefold()
