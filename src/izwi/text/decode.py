"""Bytes to text: which charset, and what says so. Never an exception."""

import codecs
import re
import unicodedata
from dataclasses import dataclass, field

from resiliparse.parse.encoding import detect_encoding

from izwi.text.mojibake import mend_mojibake

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.IGNORECASE
)
_HEADER = re.compile(r"""charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.IGNORECASE)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
_BREAKS = re.compile("[\x0b\x0c]+")
# What a text without controls and without anything that composes has none of, in UTF-8: controls,
# and the first bytes of the characters that are C1 controls or lie beyond U+0300.
_SUSPECTS = bytes([*range(9), 11, 12, *range(14, 32), 127, 0xC2, *range(0xCC, 0x100)])
# Short texts are looked at so; compiled code looks at long ones.
_SHORT = 2_000
# Codecs of Python that no page is written in; some of them raise whatever the error handler.
_NOT_OF_THE_WEB = frozenset(
    {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"}
)
# What browsers read when a page says Latin-1 or ASCII.
_WIDER = {"iso8859-1": "cp1252", "ascii": "cp1252"}
# A page that says UTF-8 may hold this share of broken characters before it is taken for another.
_TOLERATED = 0.002
# Western text has fewer letters beyond ASCII among its letters than this, in any language.
_MOST_ACCENTED = 0.4
_LEAST_LETTERS = 200


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text in NFC, the charset it was read in, and the evidence for it."""

    text: str
    charset: str
    evidence: str
    # The page without what its blocks are not made of (text/lean.py), in UTF-8.
    lean: bytes = field(default=b"", compare=False, repr=False)


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Return a page's text, read by its mark, as UTF-8, as declared, or as guessed."""
    charset, evidence = _charset(body, content_type)
    text = body.decode(charset, "replace").removeprefix("\ufeff")
    mended = mend_mojibake(text)
    evidence = evidence if mended == text else f"{evidence}, read twice"
    return as_page(mended, charset, evidence)


def as_page(text: str, charset: str = "", evidence: str = "text") -> Decoded:
    """Return a text tidied, and without what makes parsers slow."""
    tidied, utf8 = _tidied(text)
    from izwi.text.lean import lean, without_hostility

    markup, is_hostile = lean(utf8)
    if is_hostile:
        utf8 = without_hostility(utf8)
        tidied, markup = utf8.decode("utf-8"), lean(utf8).markup
    return Decoded(tidied, charset, evidence, markup)


def tidy(text: str) -> str:
    """Return a text in NFC, without control characters and unpaired surrogates.

    >>> tidy("cafe\\u0301\\x00 \\ud800")
    'café '
    """
    return _tidied(text)[0]


def _tidied(text: str) -> tuple[str, bytes]:
    """Return a text tidied, and the same in UTF-8."""
    # Looking for what is to be tidied takes a tenth of the time, and few pages have any.
    raw = text.encode("utf-8", "surrogatepass")
    if not _is_suspect(raw):
        return text, raw
    tidied = unicodedata.normalize("NFC", _CONTROLS.sub("", _BREAKS.sub(" ", text)))
    return tidied, raw if tidied == text else tidied.encode("utf-8")


def _is_suspect(raw: bytes) -> bool:
    """Return whether a text may have control characters, or characters that compose."""
    if len(raw) < _SHORT:
        return len(raw.translate(None, _SUSPECTS)) < len(raw)
    from izwi.text.tidiness import suspects

    return suspects(raw) > 0


def _charset(body: bytes, content_type: str) -> tuple[str, str]:
    for mark, charset in _BOMS:
        if body.startswith(mark):
            return charset, "byte-order mark"
    if _is_utf8(body):
        return "utf-8", "valid UTF-8"
    for charset, evidence in _declared(body, content_type):
        if charset == "cp1252" and not _is_western(body):
            continue
        if charset != "utf-8" or _is_nearly_utf8(body):
            return charset, evidence
    guess = _known(detect_encoding(body[: 1 << 18]))
    # The detector says UTF-8 when it has no idea, too.
    is_useless = not guess or (guess == "utf-8" and not _is_nearly_utf8(body))
    return "cp1252" if is_useless else guess, "content"


def _declared(body: bytes, content_type: str) -> list[tuple[str, str]]:
    header, meta = _HEADER.search(content_type), _META.search(body[:4096])
    found = [
        (_known(header[1]) if header else "", "HTTP header"),
        (_known(meta[1].decode("ascii")) if meta else "", "meta element"),
    ]
    return [
        (charset, evidence)
        for charset, evidence in found
        # A meta element that can be read byte by byte is not in UTF-16, whatever it says.
        if charset and not (evidence == "meta element" and charset.startswith(("utf-16", "utf-32")))
    ]


def _known(name: str | None) -> str:
    """Return Python's name for a text charset, or an empty string."""
    try:
        found = codecs.lookup(name or "")
    except (LookupError, ValueError):
        return ""
    if not found._is_text_encoding or found.name in _NOT_OF_THE_WEB:
        return ""
    return _WIDER.get(found.name, found.name)


def _is_western(body: bytes) -> bool:
    """Return whether bytes said to be Latin-1 can be: most of their letters are plain ones."""
    from izwi.text.tidiness import letters_outside_tags

    plain, others = letters_outside_tags(body[: 1 << 17])
    return plain + others < _LEAST_LETTERS or others <= _MOST_ACCENTED * (plain + others)


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_nearly_utf8(body: bytes) -> bool:
    broken = body.decode("utf-8", "replace").count("\ufffd")
    return broken <= _TOLERATED * len(body)
