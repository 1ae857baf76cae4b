"""What a page is called: its headline, without what is put round it.

Round a headline stand the site's name and what systems add; of the claims that are left one is
believed.
"""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from izwi.model.document import Claim
from izwi.text.metadata.site_names import letters, names_site, site_names, title_parts, without_site

_WORDS = re.compile(r"\w+")
_SHORTEST = 3
# Links that documentation puts behind headings.
_SIGNS = " ¶#§\uf0c1🔗"
# A site's name may stand in a heading, but is a part of its title, and short.
_LONGEST_SITE = 4
# The headline's words must stand in the title for so large a part.
_ALIKE = 0.5
# One word of two, such as the site's, is too little; a sentence shares fewer with its title.
_SHORT, _ALIKE_SHORT = 3, 0.6
_SENTENCE, _ALIKE_SENTENCE = 7, 0.25
# Behind this sign stand the site, its section, or what search engines are told.
_RULE = re.compile(r"\s+\|\s+")
_LEAST_INSIDE = 20
_LEAST_BEGUN = 10
# An address ends in a headline if it has so many of its words; long addresses are cut.
_ADDRESSED, _LONGEST_NAME = 0.7, 300
_LEAST_ADDRESSED = 6
# A heading that is the whole name of the file may be one word.
_LEAST_NAME = 8
# What is offered has a slogan for a heading; what it is called stands in its title.
_OFFER = "service"
# Structured data are cut at 110 letters or more; the same headline is whole elsewhere.
_LEAST_CUT = 90
# Some systems put the day before a headline: "27.01.2022 - Oil in November".
_DAY = re.compile(r"^\d{1,2}\.\s?\d{1,2}\.\s?(?:19|20)\d\d[\s:|–—-]+(?=\w)")
# What parts the name of a weblog from what its post is called.
_PARTED = re.compile(r"(?::|\s+[|»›·•:–—-]+)\s+")
# Forums of phpBB say of every page that it shows a topic, after their own name.
_THREAD = re.compile(
    r"^(?:[^•]{1,80} • )?(?:View topic|Thema anzeigen|Voir le sujet|Afficher le sujet|Ver tema"
    r"|Leggi argomento|Bekijk onderwerp|Zobacz temat|Exibir tópico|Ver tópico|Visa ämne|Vis emne"
    r"|Zobrazit téma|Téma megtekintése|Просмотр темы|Перегляд теми|Vezi subiect|Pogledaj temu) - ",
    re.IGNORECASE,
)


def choose_headline(claims: Sequence[Claim], url: str = "", page_type: str = "") -> str:
    """Return the heading that the title repeats, else what structured data and the title say.

    Of the places measured (docs/explanation/extraction.md) the h1 is right most often, if the
    title or the address speaks of the same thing; if neither does, it is a site's or a section's.
    """
    named = {c.evidence: c.value for c in reversed(claims) if c.property == "headline"}
    if "portal" in named:
        return named["portal"]
    shown = [
        c.value.strip(_SIGNS) for c in claims if c.property == "headline" if c.evidence == "h1"
    ]
    sites = {name for name in site_names(claims) if name}
    # A heading that leads to the front of a weblog is its name, and stands before each title.
    for blog in (c.value for c in claims if c.property == "publisher" and c.evidence == "h1"):
        named = {place: _behind(blog, said) for place, said in named.items()}
    found = _chosen(named, shown, sites, url, page_type == _OFFER)
    return _DAY.sub("", _THREAD.sub("", found))


def _chosen(
    named: Mapping[str, str], shown: Sequence[str], sites: set[str], url: str, is_offer: bool
) -> str:
    title = named.get("meta og:title") or named.get("title element", "")
    headings = [h for h in shown if not _is_site(h, title, sites) and not _is_blog(h, named)]
    said = _uncut(named.get("JSON-LD", ""), title) or named.get("feed") or title
    others = sites | {letters(heading) for heading in shown if heading not in headings}
    whole = without_site(
        title if is_offer and title else said or next(iter(named.values()), ""), others
    )
    said = _RULE.split(whole, maxsplit=1)[0] or whole
    if is_offer and title and said and letters(said) not in sites:
        return said
    for about, least in ((title, 1), (named.get("title element", ""), _SHORT + 1)):
        heads = [h for h in headings if len(h.split()) >= least and not _is_section(h, about, url)]
        if alike := _alike(heads, about):
            best = max(alike, key=lambda heading: _likeness(heading, about))
            own = without_site(best, sites)
            # A heading that ends in the site's name is written as titles are.
            own = _RULE.split(own, maxsplit=1)[0] if own != best else own
            return _inside(own, said if said == whole else "")
    if addressed := [heading for heading in headings if _is_address(heading, url)]:
        return addressed[0]
    is_site_alone = letters(said) in sites or not said
    return headings[0] if is_site_alone and headings else said


def _behind(blog: str, title: str) -> str:
    """Return what a title says behind the name of a weblog, or all of it."""
    begun = title[: len(blog)].casefold() == blog.casefold()
    parted = _PARTED.match(title, len(blog)) if begun else None
    return title[parted.end() :] if parted else title


def _is_blog(heading: str, named: Mapping[str, str]) -> bool:
    """Return whether a heading is a blog's name: its title has that before the post's."""
    post = named.get("meta og:title")
    return bool(post) and named.get("title element") == f"{heading}: {post}"


def _uncut(headline: str, title: str) -> str:
    """Return a headline, or the title if that begins with it and goes on."""
    is_cut = len(headline) >= _LEAST_CUT and title.startswith(headline)
    return title if is_cut else headline


def _alike(headings: Sequence[str], title: str) -> Sequence[str]:
    """Return the headings that speak of the same thing as the title."""
    found = [heading for heading in headings if _overlap(heading, title) >= _least(heading, title)]
    if found or len(headings) != 1:
        return found
    # A sentence that stands alone at the top is the headline though the title says it otherwise.
    is_sentence = len(headings[0].split()) >= _SENTENCE
    return headings if is_sentence and _overlap(headings[0], title) >= _ALIKE_SENTENCE else ()


def _is_section(heading: str, title: str, url: str) -> bool:
    """Return whether a heading is one word among many of the title, and not the page's address."""
    own = letters(heading)
    if len(heading.split()) > 1 or len(title.split()) < _SENTENCE or own == _file_name(url):
        return False
    parts = [letters(part) for part in title_parts(title)[::2]]
    return own not in parts and not parts[0].startswith(own)


def _file_name(url: str) -> str:
    """Return the letters of the last name in an address, without its ending and its number."""
    last = unquote(url.rstrip("/").rpartition("/")[2])[:_LONGEST_NAME]
    return letters(last.partition("?")[0].partition(".")[0]).strip("0123456789")


def _likeness(heading: str, title: str) -> tuple[bool, float]:
    """Return how well a heading fits a title: best is one that is a whole part of it."""
    parts = map(letters, title_parts(title)[::2])
    return letters(heading) in parts, _overlap(title, heading)


def _is_address(heading: str, url: str) -> bool:
    """Return whether the last words of an address are those of a heading."""
    last = unquote(url.rstrip("/").rpartition("/")[2])[:_LONGEST_NAME].lower()
    words, told = _WORDS.findall(heading.lower()), _WORDS.findall(last.replace("_", " "))
    whole = sum(word in letters(last) for word in words) >= _ADDRESSED * len(words)
    # A long headline is cut in its address.
    begun = len(told) >= _LEAST_ADDRESSED and set(told) <= set(words)
    own = letters(heading)
    is_name = len(own) >= _LEAST_NAME and own == _file_name(url)
    return is_name or (len(words) >= _SHORT and (whole or begun))


def _least(heading: str, title: str) -> float:
    """Return which part of a heading's words must stand in the title."""
    is_short = len(heading.split()) <= _SHORT < len(title.split())
    return _ALIKE_SHORT if is_short else _ALIKE


def _is_site(heading: str, title: str, sites: set[str]) -> bool:
    """Return whether a heading is the site's name rather than the page's: the title ends in it."""
    if letters(heading) in sites:
        return True
    parts = title_parts(title)[::2]
    # A title begins with what the page is called, be it two ideographs or "FAQ".
    if len(heading) <= _SHORTEST and letters(heading) != letters(parts[0]):
        return True
    is_last = len(parts) > 1 and letters(heading) == letters(parts[-1])
    if is_last and len(parts[0].split()) <= _LONGEST_SITE and names_site(parts[0], sites):
        return False
    return is_last and len(heading.split()) <= _LONGEST_SITE


def _overlap(heading: str, title: str) -> float:
    # Some systems write what follows right behind it: "Wash 31Your guide to firms".
    if len(heading) >= _LEAST_BEGUN and title.startswith(heading):
        return 1.0
    words = set(_WORDS.findall(heading.lower()))
    return len(words & set(_WORDS.findall(title.lower()))) / len(words) if words else 0.0


def _inside(heading: str, said: str) -> str:
    """Return the title alone if the heading is that with a kicker above or a line below it."""
    inner, outer = said.casefold(), heading.casefold()
    is_inside = len(inner) >= _LEAST_INSIDE and len(inner) < len(outer)
    if is_inside and outer.startswith(f"{inner} "):
        return heading[: len(said)]
    if is_inside and outer.endswith(f" {inner}"):
        return heading[-len(said) :]
    return heading
