"""What a page, its URL and its feed claim about it: every candidate, with its evidence."""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from izwi.model.addresses import link_address
from izwi.model.capture import Hints
from izwi.model.document import Claim
from izwi.model.notation import read_json
from izwi.text.decode import tidy

_ARTICLE = re.compile(r"(Article|Posting|Report|Page|Review|Recipe|Product|Event|HowTo|Question)$")
_SPACE = re.compile(r"\s+")
_LONGEST = 500
_MARKED = frozenset({"headline", "author", "datePublished", "dateModified", "articleSection"})
_MOST_MARKED = 200
# Elements in elements, each round the whole page, are read no longer than this in all.
_MOST_READ = 100_000
_OF_A_WRITER = frozenset({"author", "datePublished"})
_ANSWER = re.compile(r"/(?:UserComments|Comment|Answer|Review)$")
_MOST_ABOVE = 12
# Places that name a thing, most trusted first; the order is the rule by which one is chosen.
_META: dict[str, tuple[str, ...]] = {
    "headline": (
        "og:title", "twitter:title", "dc.title", "dcterms.title", "sailthru.title",
        "parsely-title", "title",
    ),
    "author": (
        "author", "article:author", "dc.creator", "dcterms.creator", "sailthru.author",
        "parsely-author", "byl", "citation_author", "og:article:author", "cxenseparse:author",
        "article.author", "rnews:author", "shareaholic:article_author_name", "og:author",
        "twitter written by",
    ),
    "datePublished": (
        "article:published_time", "og:published_time", "datepublished", "date", "dc.date",
        "dc.date.issued", "dcterms.date", "dcterms.created", "dcterms.issued", "pubdate",
        "publishdate", "publish-date", "publish_date", "parsely-pub-date", "sailthru.date",
        "citation_publication_date", "citation_date", "article.published", "rnews:datepublished",
        "cxenseparse:recs:publishtime", "originalpublicationdate", "article_date_original",
        "ms.date", "published", "article:published", "release_date", "displaydate",
        "dc.date.created",
    ),
    "dateModified": (
        "article:modified_time", "og:updated_time", "last-modified", "dcterms.modified",
        "lastmod", "dateupdate", "article:modified", "date.updated",
    ),
    "articleSection": ("article:section", "parsely-section", "og:section", "section"),
    "keywords": ("keywords", "news_keywords", "article:tag"),
    "inLanguage": ("og:locale", "language", "dc.language"),
    "publisher": ("og:site_name", "application-name", "dc.publisher"),
    "license": ("dcterms.license", "dc.rights", "dcterms.rights", "copyright"),
    "image": ("og:image", "twitter:image"),
    "url": ("og:url",),
}  # fmt: skip
# Other names under which pages date themselves.
_DAY_OF_PUBLICATION = re.compile(
    r"publi(?:sh|shed|cation)[-_.:]?(?:date|time|on)|date[-_.:]?(?:publi|created|issued)|pubdate"
)
_QUOTE = r'(?:"|&quot;|\\")'
_DAY_OF_DATA = (
    "datePublished|publish(?:ed)?_?(?:at|on|date|time)|publication_?date|date_?published"
    "|created_?at|date"
)
_DATA_DATE = re.compile(
    rf"{_QUOTE}(?:{_DAY_OF_DATA}){_QUOTE}\s{{0,3}}:\s{{0,3}}{_QUOTE}"
    r"((?:19|20)\d\d-\d\d-\d\d[T\d:.+Z -]{0,25})"
    r'|\s(?:created-timestamp|data-(?:date|published|timestamp)|ts)="'
    r'((?:19|20)\d\d-\d\d-\d\d[^"]{0,25})"',
    re.IGNORECASE,
)
# The days of data are looked for first, each by what it begins with: a page has few, and letters
# and signs that may stand before one everywhere.
_DAYS = tuple(re.compile(rf"{century}\d\d-\d\d-\d\d") for century in (19, 20))
_ROUND_A_DAY = 64
# Elements that come once for each author.
_REPEATED = frozenset({"citation_author", "dc.creator", "dcterms.creator", "author"})
_WRITTEN_BY = re.compile(
    r"(?:written|interview|text|words|story) by|verfasst von|geschrieben von|écrit par|rédigé par"
    r"|escrito por|scritto da"
    r"|geskryf deur|geschreven door|skrevet av|skriven av|napisane przez|автор|yazan|作者",
    re.I,
)
_SELECTED: dict[str, tuple[tuple[str, str, str], ...]] = {
    # property: (selector, attribute or "" for the text, evidence)
    "license": (('a[rel~="license"]', "href", "licence link"),
                ('link[rel~="license"]', "href", "licence link"),
                ('a[href*="creativecommons.org/licenses"]', "href", "licence link")),
    "url": (('link[rel="canonical"]', "href", "canonical link"),),
    "inLanguage": (("html[lang]", "lang", "html lang"),),
}  # fmt: skip


def json_ld_claims(page: LexborHTMLParser) -> Iterator[Claim]:
    """Yield what the first schema.org object that describes the page says."""
    article = _json_ld(page)
    for name in (
        "headline",
        "datePublished",
        "dateModified",
        "articleSection",
        "keywords",
        "inLanguage",
        "license",
    ):
        yield from _claims(name, [_joined(article.get(name))], "JSON-LD")
    yield from _claims(
        "author", [_names(article.get("author") or article.get("creator"))], "JSON-LD"
    )
    yield from _claims("publisher", [_names(article.get("publisher"))], "JSON-LD")
    yield from _claims("image", [_address(article.get("image"))], "JSON-LD")


def meta_claims(page: LexborHTMLParser) -> Iterator[Claim]:
    """Yield what the meta elements say, in the order of trust."""
    found = _meta_values(page)
    for name, places in _META.items():
        for place in places:
            yield from _claims(name, [found.get(place, "")], f"meta {place}")
    for place, value in found.items():
        if _DAY_OF_PUBLICATION.search(place) and place not in _META["datePublished"]:
            yield from _claims("datePublished", [value], f"meta {place}")


def _meta_values(page: LexborHTMLParser) -> dict[str, str]:
    """Return the first value of each meta element by its name, in lower case; of authors all."""
    found: dict[str, str] = {}
    for node in page.css("meta[content], [property][content]"):
        attributes = node.attributes
        value = attributes.get("content") or ""
        name = attributes.get("property") or attributes.get("name") or attributes.get("http-equiv")
        name = (name or "").strip().lower()
        if name in _REPEATED and name in found and len(found[name]) < _LONGEST:
            found[name] += f"; {value}"
        elif name and value:
            found.setdefault(name, value)
    # Systems that describe a page for previews name its author under a label of their own.
    if _WRITTEN_BY.match(found.get("twitter:label1", "")):
        found["twitter written by"] = found.get("twitter:data1", "")
    return found


def microdata_claims(page: LexborHTMLParser) -> Iterator[Claim]:
    """Yield what elements marked with itemprop say."""
    read = 0
    for node in page.css("[itemprop]")[:_MOST_MARKED]:
        for name in dict.fromkeys((node.attributes.get("itemprop") or "").split()):
            if name not in _MARKED or read > _MOST_READ:
                continue
            if name in _OF_A_WRITER and _is_of_a_comment(node):
                continue
            inner = node.css_first('[itemprop="name"]') if name == "author" else None
            value = _value(inner or node)
            read += len(value)
            yield from _claims(name, [value], "microdata")


def _is_of_a_comment(node: LexborNode) -> bool:
    """Return whether the thing that an element describes is a comment or an answer."""
    above = node.parent
    for _ in range(_MOST_ABOVE):
        if above is None:
            return False
        if "itemscope" in above.attributes:
            return bool(_ANSWER.search(above.attributes.get("itemtype") or ""))
        above = above.parent
    return False


def data_claims(html: str) -> Iterator[Claim]:
    """Yield the first day of publication that the data of a page's scripts and elements name."""
    yield from _claims("datePublished", [_first_dated(html)], "page's data")


def _first_dated(html: str) -> str:
    for at in sorted(match.start() for day in _DAYS for match in day.finditer(html)):
        match = _DATA_DATE.search(html, max(0, at - _ROUND_A_DAY), at + _ROUND_A_DAY)
        # What stands round it may be cut: that has its turn.
        if match and at in (match.start(1), match.start(2)):
            return match[1] or match[2]
    return ""


def link_claims(page: LexborHTMLParser, url: str) -> Iterator[Claim]:
    """Yield what links and the root element say: licence, canonical address, language."""
    for name, places in _SELECTED.items():
        for selector, attribute, evidence in places:
            node = page.css_first(selector)
            value = (node.attributes.get(attribute) or "") if node else ""
            if value and attribute == "href":
                value = link_address(url, value)
            yield from _claims(name, [value], evidence)


def feed_claims(hints: Hints) -> Iterator[Claim]:
    """Yield what the feed said that proposed the page."""
    yield from _claims("headline", [hints.title], "feed")
    yield from _claims("author", [hints.author], "feed")
    yield from _claims("datePublished", [hints.date], "feed")
    yield from _claims("publisher", [hints.site], "feed")
    yield from _claims("archivedAt", [hints.archive], "web archive")


def host_claims(url: str) -> Iterator[Claim]:
    """Yield the site's name as its address gives it."""
    try:
        yield from _claims("publisher", [urlsplit(url).hostname or ""], "URL")
    except ValueError:
        return


def clean(value: str) -> str:
    """Return a value in NFC on one line, cut where no value is so long."""
    # Some systems escape what is already escaped.
    text = unescape(value) if "&" in value else value
    text = text.replace("\u00ad", "").replace("\u200b", "")
    return _SPACE.sub(" ", tidy(text)).strip()[:_LONGEST]


def _claims(name: str, values: Iterable[str], evidence: str) -> Iterator[Claim]:
    for value in values:
        if text := clean(value):
            yield Claim(name, text, evidence)


def _value(node: LexborNode) -> str:
    attributes = node.attributes
    return (
        attributes.get("content")
        or attributes.get("datetime")
        or node.text(deep=True, separator=" ")
    )


def _json_ld(page: LexborHTMLParser) -> dict[str, Any]:
    """Return what the schema.org objects say of an article, or else of a page, in one."""
    articles: list[dict[str, Any]] = []
    pages: list[dict[str, Any]] = []
    named: dict[str, dict[str, Any]] = {}
    for script in page.css('script[type="application/ld+json"]')[:20]:
        for item in _objects(_parsed(script.text())):
            kinds = _kinds(item)
            if isinstance(number := item.get("@id"), str) and "name" in item:
                named[number] = item
            if any(kind.endswith(("Article", "Posting", "Report", "Question")) for kind in kinds):
                articles.append(item)
            elif any(_ARTICLE.search(kind) for kind in kinds):
                pages.append(item)
    best, *others = articles or pages or [{}]
    # The same page may be told of twice, and its author once.
    for other in others[:_MOST_MARKED]:
        is_other = best.get("headline") and other.get("headline") not in (None, best["headline"])
        if not is_other and len({_place(best), _place(other)} - {""}) < 2:
            best = other | best
    return best | {key: _resolved(best[key], named) for key in ("author", "creator") if key in best}


def _place(item: dict[str, Any]) -> str:
    """Return the address of what is described, if it is said."""
    said = item.get("url") or item.get("mainEntityOfPage")
    said = said.get("@id") if isinstance(said, dict) else said
    return said.partition("#")[0].rstrip("/") if isinstance(said, str) else ""


# Pages that are XML, too, keep data from its reader.
_WRAPPED = re.compile(
    r"^(?:/[/*]\s*)?(?:<!--|<!\[CDATA\[)(?:\s*\*/)?|(?:/[/*]\s*)?(?:-->|\]\]>)(?:\s*\*/)?$"
)


def _parsed(text: str) -> object:
    """Return the value in a script, or nothing if it is broken."""
    try:
        return read_json(_WRAPPED.sub("", text.strip()).rstrip(";"), strict=False)
    except ValueError:
        return None


def _resolved(people: object, named: dict[str, dict[str, Any]]) -> object:
    """Return people with those that are named elsewhere in the page's data put in."""
    if isinstance(people, list):
        return [_resolved(person, named) for person in people[:_MOST_MARKED]]
    if isinstance(people, dict) and "name" not in people:
        return named.get(str(people.get("@id")), people)
    return people


def _kinds(item: dict[str, Any]) -> list[str]:
    kind = item.get("@type")
    return [str(name) for name in (kind if isinstance(kind, list) else [kind])]


def _objects(data: object) -> Iterator[dict[str, Any]]:
    for item in data if isinstance(data, list) else [data]:
        if isinstance(item, dict):
            yield item
            for place in ("@graph", "mainEntity"):
                inner = item.get(place)
                listed = inner if isinstance(inner, list) else [inner]
                yield from (one for one in listed if isinstance(one, dict))


def _names(people: object) -> str:
    listed = people if isinstance(people, list) else [people]
    names = (person.get("name") if isinstance(person, dict) else person for person in listed)
    return ", ".join(name for name in names if isinstance(name, str))


def _joined(value: object) -> str:
    values = value if isinstance(value, list) else [value]
    return ", ".join(one for one in values if isinstance(one, str))


def _address(value: object) -> str:
    one = value[0] if isinstance(value, list) and value else value
    found = one.get("url") if isinstance(one, dict) else one
    return found if isinstance(found, str) else ""
