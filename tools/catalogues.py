"""Messages of programs in many languages, from catalogues as they lie in unpacked packages.

Understood are gettext (.mo, .po), Fluent and Java properties (also inside .xpi and .jar), Chromium's
.pak, and JSON. A catalogue's language is read from the nearest folder or file that is named as
a locale is; what stands there in English because nobody translated it is left out.
"""

import gettext
import io
import json
import re
import struct
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path, PurePosixPath

from izwi.model.languages import iso639_3

Message = tuple[str, str]
Reader = Callable[[bytes], Iterator[str]]

_LOCALE = re.compile(r"^(?:langpack-)?([a-z]{2,3})(?:[-_@][A-Za-z0-9_.@-]*)?$")
# Folders that look like locales and are none.
_NOT_LOCALES = {"usr", "lib", "src", "res", "app", "doc", "bin", "msg", "qqq", "ext", "und", "ep"}
# Other files are named after parts of a program, which have short names, too.
_NAMED_AFTER_LANGUAGES = {".json", ".pak", ".po", ".xpi", ".jar"}
_TAG = re.compile(r"<[^>]+>")
_PLACE = re.compile(
    r"\$\([^()]*\)|\$?\{[^{}]*\}|%[A-Z_a-z0-9%$.]*|\$\w+|\[[A-Z_]+\]|https?://\S+|&\w+;|\\[nrt]"
)
# A mark before the letter that chooses an entry of a menu: ~Open, _Open, &Open.
_ACCELERATOR = re.compile(r"[~_&](?=\w)")
_FLUENT = re.compile(r"^(?:[\w-]+|\s+\.?[\w-]+) *= *(.+)$|^\s+([^\s.#*\[{}].*)$", re.MULTILINE)
_PROPERTY = re.compile(r"^[^#!\s][^=:]*[=:] *(.+)$", re.MULTILINE)
_ACCESS_KEY = re.compile(r"^\S{1,2}$")
_BLANK_LINE = re.compile(r"\n\s*\n")
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)
_PO_FIELD = re.compile(r'^(msgid|msgid_plural|msgstr(?:\[\d\])?) ((?:".*"\s*)+)', re.MULTILINE)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
# Fewer words are a label; several labels together make a line.
_FEWEST_WORDS = 3
_LINE = 8


def messages(folder: Path) -> Iterator[Message]:
    """Yield (language, message) of all catalogues below a folder, without untranslated ones."""
    found = list(_all(folder))
    english = {text.lower() for code, text in found if code == "eng"}
    translated = (one for one in found if one[0] == "eng" or one[1].lower() not in english)
    yield from _joined(translated)


def _joined(found: Iterator[Message]) -> Iterator[Message]:
    """Yield messages, labels of a word or two put together until they make a line."""
    labels: dict[str, list[str]] = defaultdict(list)
    for code, text in found:
        if len(text.split()) >= _FEWEST_WORDS:
            yield code, text
        elif text not in labels[code]:
            labels[code].append(text)
            if len(labels[code]) == _LINE:
                yield code, ", ".join(labels.pop(code))
    yield from ((code, ", ".join(rest)) for code, rest in labels.items() if rest)


def plain(text: str) -> str:
    """Return a message without tags, places for values and marks of menus."""
    text = _ACCELERATOR.sub("", _PLACE.sub(" ", _TAG.sub(" ", text)))
    return " ".join(text.split())


def locale_code(path: PurePosixPath) -> str:
    """Return the language of a file by the nearest name that is a locale's; nothing if none is."""
    own = (path.stem,) if path.suffix in _NAMED_AFTER_LANGUAGES else ()
    for name in (*own, *reversed(path.parts[:-1])):
        found = _LOCALE.match(name)
        if found and name not in _NOT_LOCALES:
            return iso639_3(found[1])
    return ""


def _all(folder: Path) -> Iterator[Message]:
    for path in sorted(folder.rglob("*")):
        inside = PurePosixPath(path.relative_to(folder).as_posix())
        if path.suffix in (".xpi", ".jar"):
            yield from _archive(path, locale_code(inside))
        elif path.suffix in _READERS and (code := locale_code(inside)):
            yield from _of(path.read_bytes(), path.suffix, code)


def _archive(path: Path, code: str) -> Iterator[Message]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            suffix = PurePosixPath(name).suffix
            if code and suffix in (".ftl", ".properties"):
                yield from _of(archive.read(name), suffix, code)


def _of(raw: bytes, suffix: str, code: str) -> Iterator[Message]:
    yield from ((code, text) for text in map(plain, _READERS[suffix](raw)) if text)


def _gettext(raw: bytes) -> Iterator[str]:
    """Yield the translations that differ from the English they translate."""
    try:
        catalogue = gettext.GNUTranslations(io.BytesIO(raw))
    except (IndexError, OSError, ValueError):
        # Two of several thousand have a damaged header or say another encoding than theirs.
        return
    # The class offers no way to walk over its messages.
    for key, text in vars(catalogue)["_catalog"].items():
        english = key[0] if isinstance(key, tuple) else key
        if english and english.rpartition("\x04")[2] != text:
            yield text


def _lines(pattern: re.Pattern[str]) -> Reader:
    def read(raw: bytes) -> Iterator[str]:
        for found in pattern.finditer(raw.decode("utf-8", "replace")):
            text = next(filter(None, found.groups()), "")
            if not _ACCESS_KEY.match(text):
                yield text

    return read


def _chromium(raw: bytes) -> Iterator[str]:
    """Yield the texts of a .pak of version 5: a table of (id, place), then the texts."""
    version, encoding, entries, _ = struct.unpack_from("<IB3xHH", raw)
    if (version, encoding) != (5, 1):
        return
    places = [struct.unpack_from("<HI", raw, 12 + 6 * n)[1] for n in range(entries + 1)]
    for start, end in pairwise(places):
        yield raw[start:end].decode("utf-8", "replace")


def _json(raw: bytes) -> Iterator[str]:
    try:
        held = json.loads(raw)
    except ValueError:
        # Settings of compilers have comments, and test data faults on purpose.
        return
    yield from _strings(held)


def _po(raw: bytes) -> Iterator[str]:
    """Yield the translations of a catalogue as translators write it, without doubtful ones."""
    for entry in _BLANK_LINE.split(raw.decode("utf-8", "replace")):
        found = [
            ("".join(map(_unquoted, _QUOTED.findall(rest))), key)
            for key, rest in _PO_FIELD.findall(entry)
        ]
        english = {text for text, key in found if not key.startswith("msgstr")}
        if "" not in english and not _FUZZY.search(entry):
            texts = (text for text, key in found if key.startswith("msgstr"))
            yield from (text for text in texts if text not in english)


def _unquoted(text: str) -> str:
    return text.replace("\\n", " ").replace('\\"', '"').replace("\\t", " ")


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        value = [inner for key, inner in value.items() if not key.startswith(("@", "_"))]
    if isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
    elif isinstance(value, str):
        yield value


_READERS: dict[str, Reader] = {
    ".mo": _gettext,
    ".po": _po,
    ".ftl": _lines(_FLUENT),
    ".properties": _lines(_PROPERTY),
    ".pak": _chromium,
    ".json": _json,
}
