"""What a page is called and who wrote it: headline and names without what is put round them.

Round a headline stand the site's name and what systems add, round names what bylines have; of the
claims that are left one is believed.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from izwi.model.document import Claim
from izwi.text.metadata.dates import WEEKDAYS, month_numbers

# Claims that are lines for readers, with dates, roles and rules beside the name.
_SHOWN = frozenset({"byline", "author link", "line of text", "microdata"})
_LINK = "author link"
_DID = (
    r"written|authored|posted|published|submitted|started|story|article|post|recipe|guide|review|reviews?"
    r"|words|text|contributed|created|compiled|presented|interview|opinion|column|beitrag"
    r"|geschrieben|gespeichert|eingestellt|verfasst|veröffentlicht|escrito|publicado|écrit|publié"
    r"|geskryf|geschreven|artikel|pressemitteilung|im wortlaut|text und interview"
)
_BY = re.compile(
    rf"^(?:.{{0,24}}\b(?:{_DID})\s+)?(?:by|vo[nm]|par|por|di|door|av|af|deur|ni|autor(?:in|en)?"
    r"|author(?:s|\(s\))?|auteurs?|autore|contributors?|verfasser(?:in)?|skrywer|umbhali"
    r"|text(?: (?:und|and|et|en) [\w]+)?)(?:[:\s]+|$)",
    re.I,
)
# A date or "posted on" may stand before the word that names the author.
_LATE_BY = re.compile(
    r"^(?=[^|]*\d|posted|published|submitted).{0,60}?\b(?:by|von|par|por|autor|author)[:\s]+", re.I
)
_LEADING_DATE = re.compile(
    r"^(?:[^\W\d_]{3,9}\.? \d{1,2},? |\d{1,2}\.? [^\W\d_]{3,9}\.?,? |\d{1,2}[./-]\d{1,2}[./-])"
    r"(?:19|20)\d\d[\s,|·•-]+(?=[^\W\d])"
)
# What follows a name on its line: a date, a time, a rule.
_AFTER_NAME = re.compile(r"\s*[|·•»—–/(✉\u22c5]|\s+\d|^\d|\s-\s|\s*,\s*\d|\s@")
_NEWS = re.compile(
    r"\s+(?:last\s+)?(?:update:?$|updated|published|posted|reviewed|edited|modified|follow(?:\s|$)"
    r"|more (?:posts|from|by|articles|about)|(?:read|view|see) (?:more|all)|says|sagt|is an? "
    r"|min read|veröffentlicht|aktualisiert|publicado|publié).*$",
    re.I,
)
# What separates a name from the house it works for, in structured data.
_HOUSE = re.compile(r"(?<=\w\s)[-–|]\s|\s*\|\s*")
_ADDRESS = re.compile(r"\s*\((?:https?:|www\.|[^()\s]*@)[^()]*\)$")
_LEADING = re.compile(
    r"^(?:read more from|more (?:from|by)|show all articles of|via|posts? by)\s+", re.I
)
_NOT_LAST = frozenset(
    {"am", "on", "el", "le", "den", "updated", "published", "posted", "at", "in", "op", "der"}
    | WEEKDAYS
)
_AND = re.compile(
    r"\s*[,;]\s*(?:and\s+|und\s+)?|\s+(?:and|und|et|y|e|en|og|och)\s+|\s+&\s+(?=\w+\s+\w)"
)
_NO_NAME = re.compile(
    r"https?:|www\.|@|[*{}<>=#]|\b(?:says|sagt|schreibt|écrit|dice|diz|zegt|skryf|read more)\b"
    r"|\b\d{3}|^\W*$|^\w+(?:\.\w+){2,}$"
    r"|^(?:admin|administrator|author|name|no author|written by|by|von|par|por|di|door|av|af|deur"
    r"|unknown|author name|(?:posted|submitted)(?: on| by)?|published|updated|about"
    r"|about the author|share|autor|autorin|authors?|last|follow|\d+ (?:articles|posts)|comments?"
    r"|leave a (?:comment|reply)|reply|view|contact|home|menu|datum"
    r"|(?:full |author )?bio|(?:view )?profile|website|all posts|webmaster|root|default|test|none"
    r"|null|undefined)$|^(?:see|view|show|read|meet|follow|all) (?:all|more|posts|the)\b",
    re.I,
)
# Names that say who answers for a text, but not who wrote it: believed where nothing else is said.
_NOBODY = re.compile(
    r"^(?:the |die )?(?:staff|editors?|redaktion|redaksie|redacción|rédaction|redazione|contributor"
    r"|guest|team|newsroom|anonymous|press release|editorial|staff writer|guest author"
    r"|editorial (?:team|staff))$",
    re.I,
)
_ARTICLE = re.compile(r"^(?:the|der|die|das|el|la|le|il|de)\s+", re.I)
_LONGEST = 120
_MOST_WORDS = 6
_LEAST_HOST = 4


class Named(NamedTuple):
    """A name that a claim holds."""

    name: str
    claim: Claim

    @property
    def is_shown(self) -> bool:
        """Whether readers see it."""
        return self.claim.evidence in _SHOWN


def choose_author(claims: Sequence[Claim]) -> str:
    """Return the first claim that is a person's name, else the first that is one at all."""
    sites = set(site_names(claims))
    found = (claim for claim in claims if claim.property == "author")
    names = [Named(_without_sites(name, sites), c) for c in found if (name := as_name(c))]
    people = [named for named in names if not _is_of_site(named.name, sites)]
    shown = [named for named in people if named.is_shown]
    if not names:
        return ""
    # A name with the host's in it may be the owner's; somebody whom readers see is surer.
    if people and shown and _holds_host(people[0].name, sites):
        people = shown
    best = _signed(people) or (people or names)[0]
    return _without_role(best.name, names) if best.is_shown else best.name


def _signed(people: Sequence[Named]) -> Named | None:
    """Return who signs a page as its author, where machines are told somebody readers do not see.

    Systems tell machines the account with which a text was put in.
    """
    if not people or people[0].is_shown:
        return None
    told, shown = people[0].name, [named for named in people if named.is_shown]
    if any(letters(told) in letters(named.claim.value) for named in shown):
        return None
    signed = (n for n in shown if _BY.match(n.claim.value) and " " in n.name)
    others = (n for n in signed if not _share_words(n.name, told))
    # In small letters, and once, stands who designed the site.
    often = Counter(named.name for named in shown)
    return next((n for n in others if n.claim.value[0].isupper() or often[n.name] > 1), None)


def _share_words(name: str, other: str) -> bool:
    return not set(_WORDS.findall(name.casefold())).isdisjoint(_WORDS.findall(other.casefold()))


def _is_of_site(name: str, sites: set[str]) -> bool:
    return letters(_ARTICLE.sub("", name)) in sites or bool(_NOBODY.match(name))


def _holds_host(name: str, sites: set[str]) -> bool:
    own = letters(name)
    return any(len(site) >= _LEAST_HOST and site in own for site in sites)


def _without_sites(names: str, sites: set[str]) -> str:
    """Return names without that of the site behind them, each once."""
    parts = dict.fromkeys(names.split(", "))
    people = [part for part in parts if letters(part) not in sites]
    return ", ".join(people or parts)


def as_name(claim: Claim) -> str:
    """Return the name in a claim without what bylines put round it, or nothing.

    >>> as_name(Claim("author", "By Luke Kim December 17, 2025", "byline"))
    'Luke Kim'
    >>> as_name(Claim("author", "Posted on 3 May 2020 by sea_lion94", "byline"))
    'sea_lion94'
    """
    name = claim.value
    if claim.evidence in _SHOWN:
        name = _name_in_line(name)
    elif claim.evidence == "meta citation_author":
        name = ", ".join(map(_turned, name.split("; ")))
    else:
        name = _ADDRESS.sub("", _BY.sub("", _HOUSE.split(name, maxsplit=1)[0]))
    name = _AND.sub(", ", name).strip(' ,;|·-:*/"“”&')
    is_none = not name or _NO_NAME.search(name) or len(name) > _LONGEST
    return "" if is_none else name


def _name_in_line(line: str) -> str:
    """Return the name in a line for readers: after "by", before a date, a rule or an invitation."""
    if "://" in line:
        return ""
    line = _LEADING_DATE.sub("", line)
    line = _LATE_BY.sub("", line) if _LATE_BY.match(line) else _BY.sub("", line)
    line = _NEWS.sub("", _LEADING.sub("", line))
    end = _AFTER_NAME.search(line)
    name = line[: end.start()] if end else line
    words = name.split()
    # Without a number after it a month may be a name: Tom May.
    months = month_numbers() if end and end[0][-1].isdigit() else {}
    while (
        end
        and words
        and ((last := words[-1].strip(".,").casefold()) in _NOT_LAST or last in months)
    ):
        words.pop()
    is_name = len(words) <= _MOST_WORDS or "," in name or " and " in name
    return " ".join(words) if is_name else ""


def _without_role(name: str, others: Sequence[Named]) -> str:
    """Return a name without the role after it, where the page names the person alone, too."""
    shorter = [
        other
        for other, claim in others
        if name.startswith((f"{other} ", f"{other},")) and (" " in other or claim.evidence == _LINK)
    ]
    alone = min(shorter, key=len, default=name)
    # What follows may be no role, but another author, who has a page of their own as well.
    rest = name[len(alone) :].strip(" ,").split(", ")
    named = [other for other, claim in others if claim.evidence == _LINK and other in rest]
    return ", ".join([alone, *dict.fromkeys(named)]) if named else alone


def _turned(name: str) -> str:
    """Return "Roy, Aniruddha", as libraries write names, as people do."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and "," not in given else name


def site_names(claims: Sequence[Claim]) -> Iterator[str]:
    """Yield what the site is called, letters only: a page by "GlossGenius" has no author."""
    for claim in claims:
        if claim.property == "publisher":
            yield letters(_ARTICLE.sub("", claim.value))
            yield from (letters(part) for part in claim.value.split(".") if len(part) > 2)


def letters(value: str) -> str:
    """Return the letters and digits of a name alone, in one case."""
    return "".join(filter(str.isalnum, value.casefold()))


_WORDS = re.compile(r"\w+")
_SHORTEST = 3
_SEPARATORS = re.compile(r"(\s+[|»«·•:—–/-]+\s+(?:[|»«·•:—–/-]+\s+)?|\s*[|•]\s*|\s+[-–—]{2}\s*)")
# Where words are not spaced, the site's name stands behind a bare hyphen.
_EAST = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_EASTERN_SITE = re.compile(rf"(?<=[{_EAST}！？。」』”》]{{5}})(?:[-_|][{_EAST}]{{2,10}}){{1,3}}$")
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
_LEAST_SITE = 4
_LEAST_INSIDE = 20
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
        named = {place: said.removeprefix(f"{blog}: ") for place, said in named.items()}
    found = _chosen(named, shown, sites, url, page_type == _OFFER)
    return _DAY.sub("", found)


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
            return _inside(without_site(best, sites), said if said == whole else "")
    if addressed := [heading for heading in headings if _is_address(heading, url)]:
        return addressed[0]
    is_site_alone = letters(said) in sites or not said
    return headings[0] if is_site_alone and headings else said


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
    parts = [letters(part) for part in _SEPARATORS.split(title)[::2]]
    return own not in parts and not parts[0].startswith(own)


def _file_name(url: str) -> str:
    """Return the letters of the last name in an address, without its ending and its number."""
    last = unquote(url.rstrip("/").rpartition("/")[2])[:_LONGEST_NAME]
    return letters(last.partition("?")[0].partition(".")[0]).strip("0123456789")


def _likeness(heading: str, title: str) -> tuple[bool, float]:
    """Return how well a heading fits a title: best is one that is a whole part of it."""
    parts = map(letters, _SEPARATORS.split(title)[::2])
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


def without_site(title: str, sites: set[str]) -> str:
    """Return a title without the site's name at its end or beginning.

    >>> without_site("Robots are out | Karoo Courant", {"karoocourant"})
    'Robots are out'
    """
    parts = _SEPARATORS.split(_EASTERN_SITE.sub("", title))
    if len(parts) > 2 and letters(parts[0]) in sites and letters(parts[-1]) not in sites:
        # Named at its place, the site may be spoken of in the headline.
        return "".join(parts[2:]).strip()
    while len(parts) > 2 and _names_site(parts[-1], sites):
        parts = parts[:-2]
    if len(parts) > 2 and letters(parts[0]) in sites:
        parts = parts[2:]
    return "".join(parts).strip()


def _names_site(part: str, sites: set[str]) -> bool:
    own = letters(part)
    return own in sites or any(
        len(site) >= _LEAST_SITE and (site in own or (len(own) >= _LEAST_SITE and own in site))
        for site in sites
    )


def _is_site(heading: str, title: str, sites: set[str]) -> bool:
    """Return whether a heading is the site's name rather than the page's: the title ends in it."""
    if letters(heading) in sites:
        return True
    parts = _SEPARATORS.split(title)[::2]
    # A title begins with what the page is called, be it two ideographs or "FAQ".
    if len(heading) <= _SHORTEST and letters(heading) != letters(parts[0]):
        return True
    is_last = len(parts) > 1 and letters(heading) == letters(parts[-1])
    if is_last and len(parts[0].split()) <= _LONGEST_SITE and _names_site(parts[0], sites):
        return False
    return is_last and len(heading.split()) <= _LONGEST_SITE


def _overlap(heading: str, title: str) -> float:
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
