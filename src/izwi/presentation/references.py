"""A document as an entry of a bibliography: who signed it, and BibTeX."""

import re
import unicodedata
from dataclasses import dataclass

_NOT_IN_KEYS = re.compile(r"[^a-z0-9]+")
_LONGEST_NAME = 30
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Author:
    """A person with a family name and others, or an institution, which has a family name only."""

    family: str
    given: str = ""

    @property
    def inverted(self) -> str:
        """The name as a list of authors is sorted: family name first.

        >>> Author("Van Wyk", "Lettie").inverted, Author("Sapa").inverted
        ('Van Wyk, Lettie', 'Sapa')
        """
        return f"{self.family}, {self.given}" if self.given else self.family

    @property
    def straight(self) -> str:
        """The name as it is spoken."""
        return f"{self.given} {self.family}" if self.given else self.family

    @property
    def initials(self) -> str:
        """The name with initials in place of the given names.

        >>> Author("Radebe", "Sipho J.").initials, Author("Marais", "Anne-Marie").initials
        ('Radebe, S. J.', 'Marais, A.-M.')
        """
        if not self.given:
            return self.family
        short = (
            "-".join(f"{part[0].upper()}." for part in name.split("-") if part)
            for name in self.given.split()
        )
        return f"{self.family}, {' '.join(short)}"


def bibtex_key(signed: str, site: str, date: str, id: str) -> str:
    """Return a key that begins with a letter: author or site, year, and a part of the id.

    >>> bibtex_key("Zoë Ncubé", "", "2014-03", "0a1b2c3d4e5f-2026"), bibtex_key("", "7de", "", "x")
    ('ncube2014-0a1b2c3d', 'doc7dend-x')
    """
    authors = authors_of(signed)
    name = _plain(authors[0].family if authors else site)[:_LONGEST_NAME]
    named = name if name[:1].isalpha() else f"doc{name}"
    return f"{named}{date[:4] or 'nd'}-{_plain(id)[:8]}"


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    return _NOT_IN_KEYS.sub("", letters)


def bibtex_entry(
    key: str, *, author: str, title: str, site: str, date: str, url: str, captured: str,
    note: str = "", between: str = ", ",
) -> str:  # fmt: skip
    """Return a document as an entry; the date is only as exact as it is known."""
    fields = {
        "author": " and ".join(map(_bibtex_name, authors_of(author))),
        # In braces of their own, no style writes names in it small.
        "title": f"{{{protected(title)}}}" if title else "",
        "journal": protected(site),
        "date": date,
        "year": date[:4],
        "url": url.replace("{", "%7B").replace("}", "%7D"),
        "urldate": captured[:10],
        "note": protected(note),
    }
    inside = between.join(f"{name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@online{{{key}{between}{inside}}}"


def _bibtex_name(author: Author) -> str:
    # Braces keep BibTeX from taking the name of an institution apart.
    return protected(author.inverted) if author.given else f"{{{protected(author.family)}}}"


def protected(text: str) -> str:
    r"""Return a text in which nothing is a command of TeX.

    >>> protected("R&B 50% {so}")
    'R\\&B 50\\% \\{so\\}'
    """
    return "".join(_SPECIAL.get(sign, sign) for sign in text)


# These words belong to the family name that follows them.
_PARTICLES = frozenset((
    "af", "al", "bin", "da", "de", "del", "della", "den", "der", "di", "dos", "du", "el",
    "la", "le", "ten", "ter", "van", "vd", "von", "zu",
))  # fmt: skip
# Whoever signs like this is no person.
_OFFICES = frozenset((
    "admin", "agency", "bureau", "correspondent", "correspondents", "desk", "editor",
    "editorial", "editors", "newsroom", "news", "online", "reporter", "reporters", "sapa",
    "staff", "team", "writer", "writers",
))  # fmt: skip
_APART = re.compile(r"\s*(?:,|;|&|\band\b|\ben\b)\s*", re.IGNORECASE)
_MOST_WORDS = 5


def authors_of(signed: str) -> tuple[Author, ...]:
    """Return the authors that an article is signed by, in their order.

    >>> authors_of("Lettie van Wyk and Sipho Radebe")
    (Author(family='Van Wyk', given='Lettie'), Author(family='Radebe', given='Sipho'))
    """
    if not signed.strip():
        return ()
    if not _is_person(_APART.split(signed)[0]):
        return (Author(" ".join(signed.split())),)
    return tuple(_author(name) for name in _APART.split(signed) if name.strip())


def _author(name: str) -> Author:
    words = name.split()
    # "Van der Merwe" alone is a family.
    if not _is_person(name) or words[0].lower() in _PARTICLES:
        return Author(" ".join(words))
    places = [at for at, word in enumerate(words[1:-1], 1) if word.lower() in _PARTICLES]
    cut = places[0] if places else len(words) - 1
    family = " ".join(words[cut:])
    return Author(family[0].upper() + family[1:], " ".join(words[:cut]))


def _is_person(name: str) -> bool:
    words = name.split()
    return (
        2 <= len(words) <= _MOST_WORDS
        and not _OFFICES.intersection(word.lower().strip(".") for word in words)
        and all(word[0].isalpha() for word in words)
        and words[0].lower() != "the"
    )
