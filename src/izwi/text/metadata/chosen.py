"""Title, author, dates and the rest: all claims kept, one chosen by a stated rule.

The rule: of the claims for a property the first counts, in the order JSON-LD, meta elements,
microdata, feed, page. Headlines have rules of their own in text/metadata/headlines.py, authors in
text/metadata/authors.py, dates in text/metadata/published.py.
"""

from collections.abc import Sequence
from datetime import date

from selectolax.lexbor import LexborHTMLParser

from izwi.model.capture import Hints
from izwi.model.document import Claim, Metadata
from izwi.text.metadata.authors import choose_author
from izwi.text.metadata.claims import (
    data_claims,
    feed_claims,
    host_claims,
    json_ld_claims,
    link_claims,
    meta_claims,
    microdata_claims,
)
from izwi.text.metadata.headlines import choose_headline
from izwi.text.metadata.published import conflict, modified, published
from izwi.text.metadata.visible import shown_claims

_MOST_KEYWORDS = 50


def read_metadata(
    html: str, url: str, hints: Hints, *, captured: date, page_type: str = ""
) -> Metadata:
    """Return what a page, its URL and its feed say; a date is never later than the capture."""
    return choose(read_claims(html, url, hints), url, captured, page_type)


def read_claims(
    html: str, url: str, hints: Hints, page: LexborHTMLParser | None = None
) -> tuple[Claim, ...]:
    """Return every claim about a page, those more trusted first; who has it parsed may give it."""
    page = page or LexborHTMLParser(html)
    found = (
        *json_ld_claims(page), *meta_claims(page), *microdata_claims(page), *feed_claims(hints),
        *shown_claims(page), *link_claims(page, url), *host_claims(url),
    )  # fmt: skip
    is_dated = any(claim.property in ("datePublished", "dateModified") for claim in found)
    return found if is_dated else (*found, *data_claims(html))


def choose(claims: Sequence[Claim], url: str, captured: date, page_type: str = "") -> Metadata:
    """Return for each property the claim the rule prefers on a page of this type."""
    return Metadata(
        page_type=page_type,
        title=choose_headline(claims, url, page_type),
        author=choose_author(claims),
        date=published(claims, url, captured),
        section=first(claims, "articleSection"),
        site=_site(claims),
        modified=modified(claims, captured),
        keywords=_keywords(claims),
        language=first(claims, "inLanguage"),
        licence=first(claims, "license"),
        url_canonical=first(claims, "url"),
        image=first(claims, "image"),
        claims=(*claims, *_explained(conflict(claims, url, captured))),
    )


def _explained(words: str) -> tuple[Claim, ...]:
    """Return why one of several dates was chosen, as a claim of its own."""
    return (Claim("dateConflict", words, "rule"),) if words else ()


def first(claims: Sequence[Claim], name: str) -> str:
    """Return the value of the most trusted claim for a property."""
    return next((claim.value for claim in claims if claim.property == name), "")


def _keywords(claims: Sequence[Claim]) -> tuple[str, ...]:
    """Return the words the page files itself under, each once."""
    listed = (word.strip() for word in first(claims, "keywords").split(","))
    return tuple(dict.fromkeys(word for word in listed if word))[:_MOST_KEYWORDS]


def _site(claims: Sequence[Claim]) -> str:
    """Return the name the site goes by: for sharing, in its feed, else its host."""
    for evidence in ("meta og:site_name", "feed", "URL"):
        for claim in claims:
            if claim.property == "publisher" and claim.evidence == evidence:
                return claim.value
    return first(claims, "publisher")
