"""Texts of the interface in the reader's language, from gettext catalogues (.po files)."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from izwi.web.session.reader import reader

LOCALE = Path(__file__).parent / "locale"
_ENTRY = re.compile(r'^(msgid|msgid_plural|msgstr(?:\[\d\])?) (".*")$')
# Which of the plural forms a number takes.
_PLURALS: Mapping[str, Callable[[int], int]] = {
    "zu": lambda count: int(count > 1),
}


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The messages of one language: a text, or one for each plural form."""

    language: str
    texts: Mapping[str, tuple[str, ...]]

    def one(self, message: str) -> str:
        """Return a message, in English if it was not translated."""
        return self.texts.get(message, (message,))[0] or message

    def many(self, single: str, plural: str, count: int) -> str:
        """Return a message in the form that a number takes."""
        forms = self.texts.get(single, ())
        place = _PLURALS.get(self.language, _english_plural)(count)
        found = forms[place] if place < len(forms) else ""
        return found or (single if count == 1 else plural)


def gettext(message: str) -> str:
    """Return a message in the reader's language."""
    return catalogue(reader().language).one(message)


def ngettext(single: str, plural: str, count: int) -> str:
    """Return a message in the reader's language, in the form that a number takes."""
    return catalogue(reader().language).many(single, plural, count)


@cache
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language; English needs none."""
    path = LOCALE / f"{language}.po"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return Catalogue(language, {key: forms for key, forms in read_messages(text) if key})


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


def _english_plural(count: int) -> int:
    return int(count != 1)
