"""A name as a claim holds it, without what bylines and machines put round it."""

import re

from izwi.model.document import Claim
from izwi.text.metadata.byline_words import BY, LATE_BY, without_label
from izwi.text.metadata.dates import WEEKDAYS, month_numbers

# Claims that are lines for readers, with dates, roles and rules beside the name.
SHOWN = frozenset({"byline", "author link", "line of text", "microdata"})
_LEADING_DATE = re.compile(
    r"^(?:[^\W\d_]{3,9}\.? \d{1,2},? |\d{1,2}\.? [^\W\d_]{3,9}\.?,? |\d{1,2}[./-]\d{1,2}[./-])"
    r"(?:19|20)\d\d[\s,|·•-]+(?=[^\W\d])"
)
# What follows a name on its line: a date, a time, a rule.
_AFTER_NAME = re.compile(
    r"\s*[|·•»—–/✉\u22c5]|\s*\((?![\w.]{1,12}\)\s[^\W\d_a-z])|\s+\d|^\d|\s-\s|\s*,\s*\d|\s@"
)
_NEWS = re.compile(
    r"(?<!\s)\s+(?:last\s+update|(?:last\s+)?(?:update:?$|updated|published|posted|reviewed|edited|modified|follow(?:\s|$)"
    r"|more (?:posts|from|by|articles|about)|(?:read|view|see) (?:more|all)|says|sagt|is an? "
    r"|min read|veröffentlicht|aktualisiert|publicado|publié)).*$",
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
    r"\s+(?:im Gespräch mit|in conversation with)\s+"
    r"|\s*[,;]\s*(?:and\s+|und\s+)?|\s+(?:and|und|et|y|e|en|og|och)\s+|\s+&\s+(?=\w+\s+\w)"
)
_NO_NAME = re.compile(
    r"https?:|www\.|@|[*{}<>=#]|\b(?:says|sagt|schreibt|écrit|dice|diz|zegt|skryf|read more)\b"
    r"|\b\d{3}|^\W*$|^\w+(?:\.\w+){2,}$"
    r"|^(?:admin|administrator|author|name|no author|written by|by|von|par|por|di|door|av|af|deur"
    r"|unknown|author name|(?:posted|submitted)(?: on| by)?|published|updated|about"
    r"|about the author|share|autor|autorin|authors?|last|follow|\d+ (?:articles|posts)"
    r"|(?:view |add |post |leave |no |\d+ )?comments?"
    r"|leave a (?:comment|reply)|reply|view|contact|home|menu|datum"
    r"|(?:full |author )?bio|(?:view )?profile|website|all posts|webmaster|root|default|test|none"
    r"|null|undefined|view my complete profile|mein profil vollständig anzeigen|ver todo mi perfil"
    r"|afficher mon profil complet|visualizza il mio profilo completo|ver meu perfil completo"
    r"|mijn volledige profiel tonen)$"
    r"|^(?:see|view|show|read|meet|follow|all) (?:all|more|posts|the)\b",
    re.I,
)
# What somebody is, behind the name.
_ROLE = re.compile(
    r",\s+(?:(?:senior|deputy|managing|contributing|executive|associate|assistant|staff|chief|vice)\s+)*"
    r"(?:head|director|editor|manager|president|reporter|correspondent|professor|founder|co-founder"
    r"|officer|writer|journalist|redakteur(?:in)?|geschäftsführer(?:in)?)\b.*$",
    re.I,
)
_LONGEST = 120
_MOST_WORDS = 6


def as_name(claim: Claim) -> str:
    """Return the name in a claim without what bylines put round it, or nothing.

    >>> as_name(Claim("author", "By Luke Kim December 17, 2025", "byline"))
    'Luke Kim'
    >>> as_name(Claim("author", "Posted on 3 May 2020 by sea_lion94", "byline"))
    'sea_lion94'
    """
    name = claim.value
    if claim.evidence in SHOWN:
        name = _name_in_line(name)
    elif claim.evidence == "meta citation_author":
        name = ", ".join(map(_turned, name.split("; ")))
    else:
        name = _ADDRESS.sub("", BY.sub("", _HOUSE.split(name, maxsplit=1)[0]))
    name = _AND.sub(", ", name).strip(' ,;|·-:*/"“”&')
    is_none = not name or _NO_NAME.search(name) or len(name) > _LONGEST
    return "" if is_none else name


def _name_in_line(line: str) -> str:
    """Return the name in a line for readers: after "by", before a date, a rule or an invitation."""
    if "://" in line:
        return ""
    line = without_label(_LEADING_DATE.sub("", line))
    line = LATE_BY.sub("", line) if LATE_BY.match(line) else BY.sub("", line)
    line = _NEWS.sub("", _LEADING.sub("", line))
    end = _AFTER_NAME.search(line)
    name = _ROLE.sub("", line[: end.start()] if end else line)
    words = name.split()
    # Without a number after it a month may be a name: Tom May.
    months = month_numbers() if end and end[0][-1].isdigit() else {}
    while (
        end
        and words
        and ((last := words[-1].strip(".,").casefold()) in _NOT_LAST or last in months)
    ):
        words.pop()
    is_name = len(words) <= _MOST_WORDS or bool(_AND.search(name))
    return " ".join(words) if is_name else ""


def _turned(name: str) -> str:
    """Return "Roy, Aniruddha", as libraries write names, as people do."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and "," not in given else name
