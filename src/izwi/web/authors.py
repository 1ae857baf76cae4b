"""Names of authors as bibliographies want them: family name first, initials, institutions whole."""

import re
from dataclasses import dataclass

# These words belong to the family name that follows them.
_PARTICLES = frozenset(
    [
        "af",
        "al",
        "bin",
        "da",
        "de",
        "del",
        "della",
        "den",
        "der",
        "di",
        "dos",
        "du",
        "el",
        "la",
        "le",
        "ten",
        "ter",
        "van",
        "vd",
        "von",
        "zu",
    ]
)
# Whoever signs like this is no person.
_OFFICES = frozenset(
    [
        "admin",
        "agency",
        "bureau",
        "correspondent",
        "correspondents",
        "desk",
        "editor",
        "editorial",
        "editors",
        "newsroom",
        "news",
        "online",
        "reporter",
        "reporters",
        "sapa",
        "staff",
        "team",
        "writer",
        "writers",
    ]
)
_APART = re.compile(r"\s*(?:,|;|&|\band\b|\ben\b)\s*", re.IGNORECASE)
_MOST_WORDS = 5


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
    if not _is_person(name):
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
