"""Texts in people's languages, from gettext catalogues (.po files).

Pages name their messages. What parts below them say (errors, notes, words of charts) arrives as a
finished English sentence; it is known again by its pattern, in which {1} and {2} were filled in.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from gettext import c2py
from pathlib import Path

LOCALE = Path(__file__).parent.parent / "web" / "locale"
_ENTRY = re.compile(r'^(msgid|msgid_plural|msgstr(?:\[\d\])?) (".*")$')
_NAME = re.compile(r"^# izwi's pages in (.+)\.$", re.MULTILINE)
_PLURAL = re.compile(r"plural=(.+?);")
_PLACE = re.compile(r"\{(\d)\}")
_NEXT_SENTENCE = re.compile(r"(?<=[.:]) (?=[A-Z'])")
# Sentences that are put together of others, one inside the other, at most so deep.
_DEEPEST = 4
# So many letters of its own a pattern needs to be found at the beginning of a longer text.
_LEAST_OWN = 8


@dataclass(frozen=True, slots=True)
class Pattern:
    """A sentence with places that are filled in: how it is known, and how it is said."""

    found: re.Pattern[str]
    said: str
    own: int

    def filled(self, match: re.Match[str], said: Callable[[str], str]) -> str:
        """Return the translation with what was filled in, itself translated where it can be."""
        return _PLACE.sub(lambda place: said(match[f"p{place[1]}"]), self.said)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The messages of one language: a text, or one for each plural form."""

    language: str
    texts: Mapping[str, tuple[str, ...]]
    # Which of the plural forms a number takes.
    plural: Callable[[int], int] = field(default=lambda count: int(count != 1))

    def one(self, message: str) -> str:
        """Return a message, in English if it was not translated."""
        return self.texts.get(message, (message,))[0] or message

    def many(self, single: str, plural: str, count: int) -> str:
        """Return a message in the form that a number takes."""
        forms = self.texts.get(single, ())
        place = int(self.plural(count))
        found = forms[place] if place < len(forms) else ""
        return found or (single if count == 1 else plural)

    def sentence(self, text: str) -> str:
        """Return a finished English sentence, or several, in this language.

        >>> known = Catalogue("af", {"no {1} here": ("geen {1} hier nie",), "hits": ("treffers",)})
        >>> known.sentence("no hits here")
        'geen treffers hier nie'
        """
        return _sentence(self.language, text, _DEEPEST) if self.texts and text else text


@lru_cache(maxsize=4096)
def _sentence(language: str, text: str, deep: int) -> str:
    known = catalogue(language)
    plain = known.one(text)
    if plain != text or not deep:
        return plain

    def inner(part: str) -> str:
        return _sentence(language, part, deep - 1)

    parts = _NEXT_SENTENCE.split(text)
    told = [_spaced(inner, part) for part in parts] if len(parts) > 1 else []
    # Each known by itself: what is filled in at the end of one would swallow those that follow.
    if told and all(one != part for one, part in zip(told, parts, strict=True)):
        return " ".join(told)
    for pattern in patterns(language):
        if match := pattern.found.fullmatch(text):
            return pattern.filled(match, inner)
    return " ".join(told) if told else _beginning(language, text, inner)


def _spaced(said: Callable[[str], str], part: str) -> str:
    """Return a sentence; those that follow others are known with the space before them."""
    whole = said(part)
    return whole if whole != part else said(f" {part}").removeprefix(" ")


def _beginning(language: str, text: str, said: Callable[[str], str]) -> str:
    """Return a text whose beginning and whose rest are known each by itself."""
    for pattern in patterns(language):
        match = pattern.found.match(text) if pattern.own >= _LEAST_OWN else None
        rest = text[match.end() :] if match else ""
        if match and rest and said(rest) != rest:
            return pattern.filled(match, said) + said(rest)
    return text


@cache
def patterns(language: str) -> Sequence[Pattern]:
    """Return the patterns of a language, those with most words of their own first."""
    texts = catalogue(language).texts.items()
    made = (_pattern(key, forms[0]) for key, forms in texts if forms and forms[0])
    return tuple(sorted(filter(None, made), key=lambda pattern: -pattern.own))


def _pattern(key: str, said: str) -> Pattern | None:
    if "%(" in key:
        return None
    places = [int(number) for number in _PLACE.findall(key)]
    # A text with braces of its own is no pattern: its places are not numbered one after another.
    if places != list(range(1, len(places) + 1)):
        return None
    parts = _PLACE.split(key)
    written = "".join(
        f"(?P<p{part}>.*?)" if number % 2 else re.escape(part) for number, part in enumerate(parts)
    )
    return Pattern(re.compile(written, re.DOTALL), said, sum(map(len, parts[::2])))


@cache
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language; English needs none."""
    path = LOCALE / f"{language}.po"
    if not path.is_file():
        return Catalogue(language, {})
    entries = dict(read_messages(path.read_text(encoding="utf-8")))
    head = entries.pop("", ("",))[0]
    plural = _PLURAL.search(head)
    return Catalogue(language, entries, c2py(plural[1] if plural else "n != 1"))


@cache
def languages() -> Mapping[str, str]:
    """Return the languages that pages can be read in, by code; English first."""
    found = {"en": "English"}
    for path in sorted(LOCALE.glob("*.po")):
        name = _NAME.search(path.read_text(encoding="utf-8"))
        found[path.stem] = name[1] if name else path.stem
    return found


def read_messages(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    r"""Yield the entries of a .po file: a message and its forms.

    >>> list(read_messages('msgid "hit"\nmsgid_plural "hits"\nmsgstr[0] "a"\nmsgstr[1] "b"'))
    [('hit', ('a', 'b'))]
    """
    for block in re.split(r"\n\s*\n", text):
        fields: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            found = _ENTRY.match(line)
            if found:
                name = found[1]
            if name and (found or line.startswith('"')):
                fields[name] = fields.get(name, "") + ast.literal_eval(found[2] if found else line)
        if "msgid" in fields:
            forms = tuple(fields[key] for key in sorted(fields) if key.startswith("msgstr"))
            yield fields["msgid"], forms
