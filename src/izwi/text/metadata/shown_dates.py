"""When a page was published or changed as readers see it: dates in elements, and what they date."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from selectolax.lexbor import LexborNode

from izwi.model.document import Claim
from izwi.text.metadata.claims import clean
from izwi.text.metadata.dates import find_date, place_date
from izwi.text.metadata.marked_elements import is_among_comments, names_of, text_of

_DATES = frozenset(
    {"date", "dateline", "published", "pubdate", "timestamp", "posted", "meta", "byline",
     "datetime", "created", "datum", "fecha", "dato", "usuku"}
)  # fmt: skip
LEAST_HEADING = 12
_MOST_ABOVE_A_DATE = 8
# Names of authors and sections that a page links beside its date are shorter.
_LEAST_LINKED = 5
_HEADED_LINK = "h2 a, h3 a, h4 a, a h2, a h3, a h4"
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
_CHANGE_NAMES = frozenset({"updated", "modified", "update", "lastmod"})
LABEL = 60
# What a date in an item of a list of other pages is evidence of.
OF_A_TEASER = "date of a teaser"
_MOST_DATES = 8


def date_claims(telling: Sequence[LexborNode]) -> Iterator[Claim]:
    """Yield the dates readers see, those after the headline first, none of comments."""
    dated = [node for node in telling if _is_dated(node)]
    kept = list(islice((node for node in dated if not is_among_comments(node)), _MOST_DATES))
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
        if (text := text_of(node)) and find_date(text):
            yield Claim(_sort_of_date(node), text, shown)


def _is_in_a_teaser(node: LexborNode) -> bool:
    """Return whether an element stands in a link to another page, or in an item of a list of them.

    A link that holds a date alone is a post's own; an item with the headline is the page's text.
    """
    inner: LexborNode | None = node
    for _ in range(_MOST_ABOVE_A_DATE):
        if inner is None or inner.tag in ("body", "main", "html", "header"):
            return False
        if inner.tag == "a" and len(text_of(inner)) > len(text_of(node)) + LEAST_HEADING:
            return True
        if inner.tag in ("li", "article"):
            is_headed = inner.css_first(_HEADED_LINK) is not None
            return inner.css_first("h1") is None and (is_headed or _is_dated_link(inner, node))
        inner = inner.parent
    return False


def _is_dated_link(item: LexborNode, date: LexborNode) -> bool:
    """Return whether an item of a list holds a date and a link of several words, hardly more."""
    links = item.css("a") if item.tag == "li" else []
    linked = text_of(links[0]) if len(links) == 1 else ""
    rest = len(text_of(item)) - len(text_of(date)) - len(linked)
    return len(linked.split()) >= _LEAST_LINKED and rest <= LEAST_HEADING


def _is_dated(node: LexborNode) -> bool:
    return node.tag == "time" or not _DATES.isdisjoint(names_of(node))


def _sort_of_date(node: LexborNode) -> str:
    """Return whether an element dates a page or a change of it, by its name or the words before."""
    names, text = names_of(node), text_of(node)
    label = label_of(text)
    if not label and node.parent is not None:
        label = label_of(text_of(node.parent), text)
    if said := happened(label):
        return said
    is_change = "published" not in names and not _CHANGE_NAMES.isdisjoint(names)
    return "dateModified" if is_change else "datePublished"


def label_of(text: str, shown: str = "") -> str:
    """Return the last words before the date in a text, or before a part of it that is shown."""
    placed = place_date(text)
    at = text.find(shown) if shown else placed[1] if placed else 0
    return text[max(0, at - LABEL) : max(0, at)].strip(" :|·•-–—,/")


def happened(label: str) -> str:
    """Return what the last word of a label that tells it says happened, or nothing."""
    changed = [match.end() for match in _CHANGED.finditer(label)]
    published = [match.end() for match in _PUBLISHED.finditer(label)]
    if not changed and not published:
        return ""
    is_change = max(changed, default=0) > max(published, default=0)
    return "dateModified" if is_change else "datePublished"
