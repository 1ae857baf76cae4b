"""What readers see of a page's headline, author and date: headings, bylines, dates, short lines."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from selectolax.lexbor import LexborHTMLParser, LexborNode

from izwi.model.document import Claim
from izwi.text.elements import hint_words
from izwi.text.metadata.claims import clean
from izwi.text.metadata.dates import find_date, place_date
from izwi.text.metadata.headlines import as_name

# Elements whose names say that they hold an author or a date, looked up in one go.
_TELLING = (
    'h1, time, address, byline, [rel~="author"], [class*="uthor"], [class*="yline"],'
    ' [class*="ate"], [class*="ublished"], [class*="imestamp"], [class*="osted"], [class*="meta"],'
    ' [class*="username"], [class*="submitted"], [class*="writer"], [class*="autor"],'
    ' [class*="datum"], [class*="fecha"], [class*="dato"], [class*="usuku"],'
    ' a[href*="/author"], a[href*="/autor"], a[href*="/contributor"], a[href*="/writer"]'
)
_AUTHORS = frozenset(
    {"author", "authors", "byline", "bylines", "username", "submitted", "writer", "autor",
     "autoren"}
)  # fmt: skip
_SIGNED = frozenset({"address", "byline"})
_DATES = frozenset(
    {"date", "dateline", "published", "pubdate", "timestamp", "posted", "meta", "byline",
     "datetime", "created", "datum", "fecha", "dato", "usuku"}
)  # fmt: skip
_AUTHOR_LINK = re.compile(r"/(?:authors?|autor(?:en|es)?|contributors?|writers?)/[^/?#]+", re.I)
_MOST_TELLING, _MOST_NAMING = 300, 120
_MOST_HEADINGS = 4
_MOST_LINES, _MOST_AFTER = 300, 8
_MOST_BYLINES = 3
# Longer lines are no bylines; an agency signs a line without a date just below the headline.
_LONGEST_SIGNED, _MOST_BEHIND = 90, 3
# Some pages date a text just above its headline.
_MOST_BEFORE = 20
_LEAST_HEADING = 12
# As last resort only the first lines with a date are kept.
_MOST_DATED_LINES = 5
_LONGEST_BYLINE = 120
# A line of a page that names its author: some words, then two to four capitalised ones.
# Letters of India and of its neighbours have vowels above, below and behind them, as marks.
_MARKED = r"\w\u0900-\u0963\u0966-\u109f\u1780-\u17d3"
_CAPITAL = rf"[^\W\d_a-zà-þ][{_MARKED}.'’-]*"
_PARTICLES = r"(?:de |von |van |der |la )*"
_DOERS = r"(?:[Aa]uthor|AUTHOR|[Aa]utor(?:in)?|[Aa]uteure?|[Vv]erfasser(?:in)?|Skrywer|Umbhali)"
# The names of menus, too, where no colon follows.
_LABELS = r"(?:[Aa]uthor(?:s|\(s\))|[Aa]utor(?:en|:innen)|[Aa]uteurs|[Cc]ontributors?|Text|Words)"
_BEFORE_NAME = (
    r"(?:(?:(?:(?:Blog|blog|Guest|guest) )?(?:[Ww]ritten|[Pp]ost(?:ed)?|[Pp]ublished|[Ss]tory"
    r"|[Aa]rticle|[Ss]tarted|[Ss]ubmitted|[Rr]eview|[Rr]ecipe|[Ww]ords|[Gg]eschrieben"
    r"|[Gg]espeichert|[Bb]eitrag) )?"
    rf"(?:[Bb]y|BY|[Vv]on|VON|[Pp]ar|[Pp]or|[Dd]oor|[Dd]eur)|{_DOERS}:?|{_LABELS}:)"
)
_FULL_NAME = re.compile(rf"{_CAPITAL}(?: {_PARTICLES}{_CAPITAL}){{1,3}}")
_JOINTS = frozenset({",", "and", "&", "und", "et", "y", "e", "en", "og", "och", "/"})
_SIGNING = rf"[^\W\d_][{_MARKED}.'’-]*(?: {_PARTICLES}{_CAPITAL}){{1,3}}"
# What leads from a name to the date.
_TO_THE_DATE = r"(?:,? (?:on|am|op|le|el|il|em|at|den|ngo))?"
# Behind the names may stand a house or a degree.
_BYLINE = re.compile(
    rf"({_BEFORE_NAME} ?:? {_SIGNING}(?:(?:,| and| und| &| et| y) {_FULL_NAME.pattern})*)"
    r"(?:, ?[a-z]{2,10}|(?:, ?[A-Z][A-Z.]{0,5}[a-z]?)+|/[\w-]{2,8})?" + _TO_THE_DATE
)
# An agency signs with its letters, beside a date.
_AGENCY = re.compile(rf"({_BEFORE_NAME} [A-Z]{{2,6}}){_TO_THE_DATE}")
# The name may stand in an element of its own after it.
_BYLINE_START = re.compile(rf"{_BEFORE_NAME}\s", re.I)
_NAME = re.compile(rf"{_CAPITAL}(?: {_PARTICLES}[^\W_a-zà-þ][\w.'’-]*){{0,3}}")
_BESIDE = re.compile(r"\s+[|·•–—/-]+\s+")
_BYLINE_HEAD = re.compile(rf"{_BEFORE_NAME}\s*:?", re.I)
_COMMENTS = frozenset({"comment", "comments", "commentlist", "reply", "replies", "kommentare"})
_MOST_ANCESTORS = 12
_MOST_ABOVE_A_DATE = 8
# Names of authors and sections that a page links beside its date are shorter.
_LEAST_LINKED = 5
_HEADED_LINK = "h2 a, h3 a, h4 a, a h2, a h3, a h4"
# Where the front page of a site stands.
_HOME = re.compile(r"(?:https?:)?(?://[^/?#]+)?/?(?:index\.\w+)?", re.I)
# Lines of scripts, which stand among those of the text.
_CODE, _MOST_CODE = re.compile(r"[{};=]"), 200
# Words beside a date that say what happened on it.
_CHANGED = re.compile(
    r"\b(?:updated?|modified|edited|changed|reviewed|commented|revised|aktualisiert|geändert|änderung"
    r"|stand|bearbeitet|mis à jour|màj|modifié|actualizado|modificado|aggiornato|bijgewerkt"
    r"|opgedateer|atualizado|uppdaterad|oppdatert|opdateret|zaktualizowano|обновлено)\b",
    re.I,
)
_PUBLISHED = re.compile(
    r"\b(?:published|posted|created|started|issued|veröffentlicht|erschienen|publié|publicado"
    r"|publicerad|publisert|pubblicato|gepubliceer|gepubliceerd|opublikowano|опубликовано)\b",
    re.I,
)
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
_CHANGE_NAMES = frozenset({"updated", "modified", "update", "lastmod"})
_LABEL = 60
# What a date in an item of a list of other pages is evidence of.
OF_A_TEASER = "date of a teaser"
_MOST_DATES = 8
# What stands beside a headline: an element round both that holds little else.
_MOST_ROUND, _LONGEST_HEAD = 5, 600


def shown_claims(page: LexborHTMLParser) -> Iterator[Claim]:
    """Yield what the visible page says: headings, bylines, dates."""
    node = page.css_first("title")
    title = _text(node) if node else ""
    # An element that matches in two ways is given twice.
    found = {node.mem_id: node for node in page.css(_TELLING)}
    telling = _from_headline(list(found.values()), title)[:_MOST_TELLING]
    headings = [node for node in found.values() if node.tag == "h1"][:_MOST_HEADINGS]
    yield from _headlines(headings, title)
    yield from _bylines(telling[:_MOST_NAMING])
    yield from _shown_dates(telling)
    heading = next((node for node in telling if node.tag == "h1"), None)
    yield from _running_text(page, _text(heading) if heading else "")


def _headlines(headings: Sequence[LexborNode], title: str) -> Iterator[Claim]:
    for heading in headings:
        if text := _as_titled(heading, title):
            is_site = _leads_home(heading, text)
            yield Claim("publisher", text, "h1") if is_site else Claim("headline", text, "h1")
    if title:
        yield Claim("headline", title, "title element")


def _leads_home(heading: LexborNode, text: str) -> bool:
    """Return whether a heading is nothing but a link to the site's front: then it is its name."""
    link = heading.css_first("a")
    if link is None:
        return False
    # A mere anchor has no address, and an empty one is that of the page itself.
    address = clean(link.attributes.get("href") or "")
    return bool(address and _HOME.fullmatch(address)) and _text(link) == text


def _as_titled(heading: LexborNode, title: str) -> str:
    """Return a heading's words, elements apart; not apart where the title writes them together."""
    together = clean(heading.text(deep=True)[:1000])
    if together and together in title:
        return together
    # What is said twice is said once for those who do not see it.
    pieces = _pieces(heading)
    return pieces[0] if len(pieces) > 1 and len(set(pieces)) == 1 else " ".join(pieces)


def _bylines(telling: Sequence[LexborNode]) -> Iterator[Claim]:
    """Yield the lines that name an author, those after the headline first, none of comments."""
    for node in telling:
        is_link = _is_author_link(node)
        if not (is_link or node.tag in _SIGNED or not _AUTHORS.isdisjoint(_names_of(node))):
            continue
        pieces = _pieces(node)
        text = " ".join(pieces)
        named = _named(pieces)
        if not (named or 1 < len(text) < _LONGEST_BYLINE) or _is_among_comments(node):
            continue
        if node.tag == "address" and not _BYLINE_START.match(text):
            continue
        yield Claim("author", named or text, "author link" if is_link else "byline")


def _pieces(node: LexborNode) -> list[str]:
    """Return the texts of the elements in a byline, each by itself."""
    lines = node.text(deep=True, separator="\n")[:1000].split("\n")
    return [text for line in lines if (text := clean(line))]


def _named(pieces: Sequence[str]) -> str:
    """Return the names a byline begins with, where more follows in elements of its own."""
    rest = pieces[1:] if pieces and _BYLINE_HEAD.fullmatch(pieces[0]) else pieces
    names = [name for piece in rest[:1] if _FULL_NAME.fullmatch(name := piece.strip("&, "))]
    for joint, name in zip(rest[1::2], rest[2::2], strict=False):
        if not names or joint.casefold() not in _JOINTS or not _FULL_NAME.fullmatch(name):
            break
        names.append(name)
    after = rest[2 * len(names) - 1] if names and 2 * len(names) - 1 < len(rest) else ""
    goes_on = after.split(" ")[0].casefold() in _JOINTS or after[:1] in _JOINTS
    return "" if goes_on else ", ".join(names)


def _is_author_link(node: LexborNode) -> bool:
    attributes = node.attributes
    is_author = "author" in (attributes.get("rel") or "").split()
    return is_author or bool(node.tag == "a" and _AUTHOR_LINK.search(attributes.get("href") or ""))


def _is_among_comments(node: LexborNode) -> bool:
    """Return whether the names of an element or one round it say that readers wrote it."""
    inner: LexborNode | None = node
    for _ in range(_MOST_ANCESTORS):
        if inner is None or inner.tag in ("body", "main", "html"):
            return False
        if not _COMMENTS.isdisjoint(_names_of(inner)):
            return True
        inner = inner.parent
    return False


def _shown_dates(telling: Sequence[LexborNode]) -> Iterator[Claim]:
    """Yield the dates readers see, those after the headline first, none of comments."""
    dated = [node for node in telling if _is_dated(node)]
    kept = list(islice((node for node in dated if not _is_among_comments(node)), _MOST_DATES))
    # Teasers of other pages come after the page's own dates, wherever they stand.
    own = [node for node in kept if not _is_in_a_teaser(node)]
    others = [node for node in kept if node not in own]
    yield from _dates_in(own, "time element", "shown date")
    yield from _dates_in(others, OF_A_TEASER, OF_A_TEASER)


def _dates_in(nodes: Sequence[LexborNode], marked: str, shown: str) -> Iterator[Claim]:
    """Yield the dates in elements, first those marked as such."""
    for node in nodes:
        if value := clean(node.attributes.get("datetime") or ""):
            yield Claim(_sort_of_date(node), value, marked)
    for node in nodes:
        if (text := _text(node)) and find_date(text):
            yield Claim(_sort_of_date(node), text, shown)


def _is_in_a_teaser(node: LexborNode) -> bool:
    """Return whether an element stands in a link to another page, or in an item of a list of them.

    A link that holds a date alone is a post's own; an item with the headline is the page's text.
    """
    inner: LexborNode | None = node
    for _ in range(_MOST_ABOVE_A_DATE):
        if inner is None or inner.tag in ("body", "main", "html", "header"):
            return False
        if inner.tag == "a" and len(_text(inner)) > len(_text(node)) + _LEAST_HEADING:
            return True
        if inner.tag in ("li", "article"):
            is_headed = inner.css_first(_HEADED_LINK) is not None
            return inner.css_first("h1") is None and (is_headed or _is_dated_link(inner, node))
        inner = inner.parent
    return False


def _is_dated_link(item: LexborNode, date: LexborNode) -> bool:
    """Return whether an item of a list holds a date and a link of several words, hardly more."""
    links = item.css("a") if item.tag == "li" else []
    linked = _text(links[0]) if len(links) == 1 else ""
    rest = len(_text(item)) - len(_text(date)) - len(linked)
    return len(linked.split()) >= _LEAST_LINKED and rest <= _LEAST_HEADING


def _is_dated(node: LexborNode) -> bool:
    return node.tag == "time" or not _DATES.isdisjoint(_names_of(node))


def _sort_of_date(node: LexborNode) -> str:
    """Return whether an element dates a page or a change of it, by its name or the words before."""
    names, text = _names_of(node), _text(node)
    label = _label(text)
    if not label and node.parent is not None:
        label = _label(_text(node.parent), text)
    if happened := _happened(label):
        return happened
    is_change = "published" not in names and not _CHANGE_NAMES.isdisjoint(names)
    return "dateModified" if is_change else "datePublished"


def _label(text: str, shown: str = "") -> str:
    """Return the last words before the date in a text, or before a part of it that is shown."""
    placed = place_date(text)
    at = text.find(shown) if shown else placed[1] if placed else 0
    return text[max(0, at - _LABEL) : max(0, at)].strip(" :|·•-–—,/")


def _happened(label: str) -> str:
    """Return what the last word of a label that tells it says happened, or nothing."""
    changed = [match.end() for match in _CHANGED.finditer(label)]
    published = [match.end() for match in _PUBLISHED.finditer(label)]
    if not changed and not published:
        return ""
    is_change = max(changed, default=0) > max(published, default=0)
    return "dateModified" if is_change else "datePublished"


def _from_headline(telling: Sequence[LexborNode], title: str) -> list[LexborNode]:
    """Return elements from the headline on: those beside it first, those before it at the end."""
    headings = [at for at, node in enumerate(telling) if node.tag == "h1"]
    if not headings:
        return list(telling)
    titled = [at for at in headings if _is_titled(telling[at], title)]
    place = max(titled, key=lambda at: len(_text(telling[at])), default=headings[0])
    head = _round(telling[place])
    beside = {node.mem_id for node in head.css("*")} if head else set()
    beside |= {node.mem_id for node in _just_above(telling[place])}
    first = [telling[place], *(node for node in telling if node.mem_id in beside)]
    ordered = [*first, *telling[place:], *telling[:place]]
    return list({node.mem_id: node for node in ordered}.values())


def _is_titled(heading: LexborNode, title: str) -> bool:
    """Return whether the title repeats a heading, which is then no name of a site or section."""
    text = _text(heading)
    return len(text) >= _LEAST_HEADING and text.casefold() in title.casefold()


def _just_above(heading: LexborNode) -> Iterator[LexborNode]:
    """Yield a line with a date right above a headline, and what is in it."""
    above = heading.prev
    while above is not None and not _text(above):
        above = above.prev
    if above is not None and above.tag != "h1" and _is_dated_line(_text(above)):
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
    seen = _after(lines, heading)[:_MOST_LINES]
    dated = ((line, before) for before, line in pairwise(["", *seen]) if _is_dated_line(line))
    labelled = ((line, _label(line) or before[-_LABEL:]) for line, before in dated)
    own = ((line, label) for line, label in labelled if not _OF_A_MEMBER.search(label))
    for line, label in islice(own, _MOST_DATED_LINES):
        evidence = OF_A_THREAD if _STARTED.match(line) else "line of text"
        yield Claim(_happened(label) or "datePublished", clean(line), evidence)
    for line in islice(_signed(seen), _MOST_BYLINES):
        yield Claim("author", clean(line), "line of text")
    yield from (Claim("author", clean(name), "line of text") for name in _beside_a_date(seen))


def _beside_a_date(lines: Sequence[str]) -> Iterator[str]:
    """Yield the names that stand in one line with a date, just after the headline."""
    for line in filter(_is_dated_line, lines[:_MOST_AFTER]):
        yield from (part for part in _BESIDE.split(line) if _FULL_NAME.fullmatch(part))


def _is_dated_line(line: str) -> bool:
    return 6 <= len(line) <= _LONGEST_BYLINE and find_date(line) is not None


def _after(lines: Sequence[str], heading: str) -> Sequence[str]:
    """Return the lines from the headline on, and a few before it at the end."""
    least = min(len(heading), _LEAST_HEADING)
    places = (at for at, line in enumerate(lines) if least <= len(line) <= len(heading))
    place = next((at for at in places if heading.startswith(lines[at])), 0) if heading else 0
    return [*lines[place:], *lines[max(0, place - _MOST_BEFORE) : place]]


def _signed(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines that name an author, the name in the line or in the next."""
    for place, line in enumerate(lines):
        # Few lines begin so, and looking for names and dates takes long.
        if not _BYLINE_HEAD.match(line.lstrip()):
            continue
        after = lines[place + 1] if place + 1 < len(lines) else ""
        near = (lines[place - 1], line, after) if place >= _MOST_BEHIND else ()
        if name := _name_in(_undated(line), near):
            yield name
        elif len(line) <= 24 and _BYLINE_HEAD.fullmatch(line.strip()) and _NAME.fullmatch(after):
            yield f"{line} {after}"


def is_byline(line: str, author: str) -> bool:
    """Return whether a line says who wrote a page and nothing else, but perhaps when.

    >>> is_byline("By Anna Nel, 2 March 2020", "Anna Nel"), is_byline("By noon", "Anna Nel")
    (True, False)
    """
    signed = _name_in(_undated(line), ()) if author and len(line) <= _LONGEST_SIGNED else ""
    return bool(signed) and as_name(Claim("author", signed, "line of text")) == author


def _name_in(line: str, near: Sequence[str]) -> str:
    """Return the name a line is signed with; an agency's stands near a date or the headline."""
    if len(line) <= _LONGEST_SIGNED and (match := _BYLINE.fullmatch(line)):
        return match[1]
    agency = _AGENCY.fullmatch(line)
    return agency[1] if agency and (not near or any(map(_is_dated_line, near))) else ""


def _undated(line: str) -> str:
    """Return a line without the date it ends in."""
    placed = place_date(line)
    return line[: placed[1]].rstrip(" ,|·•–—-") if placed and placed[1] else line


def _names_of(node: LexborNode) -> tuple[str, ...]:
    return hint_words(f'class="{node.attributes.get("class") or ""}"')


def _text(node: LexborNode) -> str:
    return clean(node.text(deep=True, separator=" ")[:1000])
