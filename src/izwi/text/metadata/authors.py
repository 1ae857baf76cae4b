"""Who wrote a page: names without what bylines put round them, and the claim that is believed."""

import re
from collections.abc import Iterator, Sequence

from izwi.model.document import Claim
from izwi.text.metadata.dates import MONTHS, WEEKDAYS

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
    r"|authors?|auteurs?|autore|text(?: (?:und|and|et|en) [\w]+)?|skrywer|umbhali)(?:[:\s]+|$)",
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
_RULE = re.compile(r"(?<=\w\s)[-–|]\s|\s*\|\s*")
_ADDRESS = re.compile(r"\s*\((?:https?:|www\.|[^()\s]*@)[^()]*\)$")
_LEADING = re.compile(
    r"^(?:read more from|more (?:from|by)|show all articles of|via|posts? by)\s+", re.I
)
_NOT_LAST = frozenset(
    {"am", "on", "el", "le", "den", "updated", "published", "posted", "at", "in", "op", "der"}
    | set(MONTHS)
    | WEEKDAYS
)
_AND = re.compile(
    r"\s*[,;]\s*(?:and\s+|und\s+)?|\s+(?:and|und|et|y|e|en|og|och)\s+|\s+&\s+(?=\w+\s+\w)"
)
_NO_NAME = re.compile(
    r"https?:|www\.|@|[*{}<>=#]|\b(?:says|sagt|schreibt|écrit|dice|diz|zegt|skryf|read more)\b"
    r"|\b\d{3}|^\W*$|^\w+(?:\.\w+){2,}$"
    r"|^(?:admin|administrator|author|name|no author|written by|by|von|par|por|di|door|av|af|deur"
    r"|unknown|author name|posted(?: on| by)?|published|updated|about|about the author|share"
    r"|autor|autorin|authors?|last|follow|\d+ (?:articles|posts)|comments?"
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


def choose_author(claims: Sequence[Claim]) -> str:
    """Return the first claim that is a person's name, else the first that is one at all."""
    sites = set(site_names(claims))
    found = (claim for claim in claims if claim.property == "author")
    names = [
        (_without_sites(name, sites), claim.evidence) for claim in found if (name := as_name(claim))
    ]
    people = [pair for pair in names if not _is_of_site(pair[0], sites)]
    shown = [pair for pair in people if pair[1] in _SHOWN]
    if not names:
        return ""
    # A name with the host's in it may be the owner's; somebody whom readers see is surer.
    if people and shown and _holds_host(people[0][0], sites):
        people = shown
    name, evidence = (people or names)[0]
    return _without_role(name, names) if evidence in _SHOWN else name


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
        name = _ADDRESS.sub("", _BY.sub("", _RULE.split(name, maxsplit=1)[0]))
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
    name, *rest = _AFTER_NAME.split(line, maxsplit=1)
    words = name.split()
    # Without a number after it a month may be a name: Tom May.
    while rest and words and words[-1].strip(".,").casefold() in _NOT_LAST:
        words.pop()
    is_name = len(words) <= _MOST_WORDS or "," in name or " and " in name
    return " ".join(words) if is_name else ""


def _without_role(name: str, others: Sequence[tuple[str, str]]) -> str:
    """Return a name without the role after it, where the page names the person alone, too."""
    shorter = [
        other
        for other, evidence in others
        if name.startswith((f"{other} ", f"{other},")) and (" " in other or evidence == _LINK)
    ]
    alone = min(shorter, key=len, default=name)
    # What follows may be no role, but another author, who has a page of their own as well.
    rest = name[len(alone) :].strip(" ,").split(", ")
    named = [other for other, evidence in others if evidence == _LINK and other in rest]
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
