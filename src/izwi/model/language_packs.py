"""What is known of a language, and what making a language pack gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class KnownLanguage:
    """What can be done with a language, with what comes along or with packs."""

    code: str
    # Whether it is told from others, and running text from lists.
    identified: bool
    connected: bool
    # Whether its abbreviations are known, so that sentences end where they should.
    sentences: bool
    # Where tags and lemmas come from: a tagger, word lists, or nothing.
    tags: str
    lemmas: str
    # Who brings it: izwi, or the folder or name of a pack.
    origin: str = "izwi"
    # Shares from 0 to 1, measured on text held out.
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MadePack:
    """A language pack that was written, and how good its parts are on text held out.

    `confused` says what pieces of the language are taken for, `losers` which languages lose texts
    to it (each with how often), `rivals` what its text was taken for before.
    """

    code: str
    path: str
    size_bytes: int
    parts: tuple[str, ...]
    figures: Mapping[str, float]
    confused: tuple[tuple[str, int], ...] = ()
    losers: tuple[tuple[str, int], ...] = ()
    rivals: tuple[tuple[str, int], ...] = ()
