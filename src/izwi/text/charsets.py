"""How browsers read a charset's name, and the bytes below it: the WHATWG Encoding standard.

A label such as gb2312 stands for the wider charset that pages with it are written in. Where
Python's codec of that charset knows fewer characters than the standard's, the rest is read by a
second one, and only what no page means becomes U+FFFD.
"""

import codecs
import re
from collections.abc import Callable, Mapping
from functools import cache

from webencodings import LABELS

Mender = Callable[[UnicodeDecodeError], tuple[str, int]]

# Python's codecs for the standard's names, where looking the name up gives a narrower one.
_CODECS: Mapping[str, str] = {
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "ibm866": "cp866",
    "iso-2022-jp": "iso2022_jp",
    "iso-8859-8-i": "iso8859-8",
    "macintosh": "mac-roman",
    "shift_jis": "cp932",
    "utf-16be": "utf-16-be",
    "utf-16le": "utf-16-le",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
    # A meta element that says so is read as Windows-1252 (HTML standard, 13.2.3.2).
    "x-user-defined": "cp1252",
}
# The standard refuses these, as scripts could hide in them; no script is run here.
_REFUSED = {"hz-gb-2312": "hz", "iso-2022-kr": "iso2022_kr", "csiso2022kr": "iso2022_kr"}
# Labels of text that no browser knows but Python does.
_NEVER_ON_PAGES = frozenset(
    {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"}
)
# Charsets whose characters may take two bytes or more: few texts in others can be read as them.
_MULTIBYTE = frozenset(
    {"big5hkscs", "cp932", "cp949", "euc_jp", "gb18030", "hz", "iso2022_jp", "iso2022_kr", "utf-8"}
)
# Those that write everything with the bytes of ASCII, and how each shows.
_SEVEN_BIT = {
    "iso2022_jp": re.compile(rb"\x1b(?:\$[@B]|\([IJ])"),
    "iso2022_kr": re.compile(rb"\x1b\$\)C"),
    "hz": re.compile(rb"~\{(?:[!-~]{2})+~\}"),
}
# Characters that the standard gives other code points than Python: letters of Belarusian where
# KOI8-U has lines of boxes, and wide signs of Japanese as Windows has them.
_OTHERWISE = {
    "koi8-u": str.maketrans("\u255d\u256c", "\u045e\u040e"),
    "euc_jp": str.maketrans("\u301c\u2016\u2212¢£¬", "\uff5e\u2225\uff0d\uffe0\uffe1\uffe2"),
}
# Three bytes read as Latin-1 once, of which the first alone was written as a reference.
_HALF_ESCAPED = re.compile(rb"&acirc;\x80(?=[\x80-\xbf])")
# The charset of Windows for the languages of an ISO one.
_WINDOWS_OF = {"iso8859-2": "cp1250", "iso8859-13": "cp1257", "iso8859-7": "cp1253"}
_SHIFTS = re.compile(rb"(\x1b\$[@B]|\x1b\([BJI])")
_JAPANESE_ROWS = range(0xA1, 0xFF)


def codec_of(label: str) -> str:
    """Return Python's codec for a charset's label as browsers read it, or an empty string.

    >>> codec_of(" GB2312 "), codec_of("latin1"), codec_of("x-sjis"), codec_of("no-such-thing")
    ('gb18030', 'cp1252', 'cp932', '')
    """
    plain = label.strip("\t\n\f\r ").lower()
    if refused := _REFUSED.get(plain):
        return refused
    name = LABELS.get(plain)
    if name == "replacement":
        return ""
    return codecs.lookup(_CODECS.get(name, name)).name if name else _of_python(plain)


def is_multibyte(codec: str) -> bool:
    """Return whether characters of a charset may take several bytes."""
    return codec in _MULTIBYTE


def shifted_codec(body: bytes, codecs_declared: tuple[str, ...]) -> str:
    """Return the charset of a text that shifts between ASCII and another by escapes, or nothing.

    Bytes in HZ may be anything else in ASCII as well, so a page must say that it is.
    """
    possible = ("iso2022_jp", *codecs_declared)
    found = (codec for codec in _SEVEN_BIT if codec in possible and _SEVEN_BIT[codec].search(body))
    return next(found, "")


def read_bytes(body: bytes, codec: str) -> str:
    """Return bytes as text; what the charset does not know is read as browsers do, or U+FFFD.

    >>> read_bytes(bytes([0x80, 0xD5, 0xE6]), "gb18030")
    '€真'
    """
    if codec == "iso2022_jp":
        return _read_shifts(body)
    if codec == "utf-8":
        body = _HALF_ESCAPED.sub(b"\xe2\x80", body)
    text = body.decode(codec, _mender(codec))
    if codec.startswith("iso8859"):
        return _with_windows_marks(text, codec)
    return text.translate(_OTHERWISE[codec]) if codec in _OTHERWISE else text


def _with_windows_marks(text: str, codec: str) -> str:
    """Return a text of an ISO charset with the marks that Windows alone has, instead of controls.

    Pages say ISO-8859-2 and have the quotation marks of Windows-1250, as others do.
    """
    return text.translate(_windows_marks(_WINDOWS_OF.get(codec, "cp1252")))


@cache
def _windows_marks(codec: str) -> dict[int, str]:
    marks = {byte: bytes([byte]).decode(codec, "ignore") for byte in range(0x80, 0xA0)}
    has_letters = codec == "cp1250"
    return {byte: mark for byte, mark in marks.items() if has_letters or not mark.isalpha()}


def _of_python(label: str) -> str:
    """Return the codec of a text charset that Python alone knows, or an empty string."""
    try:
        found = codecs.lookup(label)
    except (LookupError, ValueError):
        return ""
    if not found._is_text_encoding or found.name in _NEVER_ON_PAGES:
        return ""
    return found.name


@cache
def _mender(codec: str) -> str:
    """Return the name of what reads the bytes that a codec cannot."""
    name = f"izwi-{codec}"
    codecs.register_error(name, _as_error_handler(_MENDERS.get(codec, _as_control)))
    return name


def _as_error_handler(mend: Mender) -> Callable[[UnicodeError], tuple[str, int]]:
    def handler(error: UnicodeError) -> tuple[str, int]:
        if isinstance(error, UnicodeDecodeError):
            return mend(error)
        raise error

    return handler


def _as_control(error: UnicodeDecodeError) -> tuple[str, int]:
    """Windows charsets give a byte without a character the control of the same number."""
    byte = error.object[error.start]
    is_control = 0x80 <= byte < 0xA0 and error.encoding.startswith(("cp", "charmap"))
    return (chr(byte) if is_control else "\ufffd"), error.start + 1


def _with_euro(error: UnicodeDecodeError) -> tuple[str, int]:
    """GBK has one character of one byte beyond ASCII."""
    return _unknown(error, {0x80: "€"})


def _by_taiwanese_windows(error: UnicodeDecodeError) -> tuple[str, int]:
    return _by_pair(error, lambda pair: pair.decode("cp950"))


def _by_japanese_windows(error: UnicodeDecodeError) -> tuple[str, int]:
    """EUC-JP of the web has the rows that NEC and IBM added to Shift_JIS."""
    return _by_pair(error, lambda pair: shifted_jis(pair).decode("cp932"))


def _by_pair(error: UnicodeDecodeError, read: Callable[[bytes], str]) -> tuple[str, int]:
    try:
        return read(error.object[error.start : error.start + 2]), error.start + 2
    except (UnicodeDecodeError, ValueError):
        return _unknown(error, {})


def _unknown(error: UnicodeDecodeError, known: Mapping[int, str]) -> tuple[str, int]:
    """Return U+FFFD for one byte: what follows it may be a tag, which must not be eaten."""
    return known.get(error.object[error.start], "\ufffd"), error.start + 1


def shifted_jis(pair: bytes) -> bytes:
    """Return a character of EUC-JP as Shift_JIS writes it.

    >>> shifted_jis("①".encode("euc_jis_2004")).decode("cp932")
    '①'
    """
    if len(pair) < 2 or pair[0] not in _JAPANESE_ROWS or pair[1] not in _JAPANESE_ROWS:
        raise ValueError("not two bytes of EUC-JP")
    row, cell = pair[0] - 0xA1, pair[1] - 0xA1
    first = row // 2 + (0x81 if row < 62 else 0xC1)
    second = cell + 0x9F if row % 2 else cell + 0x40 + (cell >= 63)
    return bytes([first, second])


def _broken_utf8(error: UnicodeDecodeError) -> tuple[str, int]:
    """A single odd byte among UTF-8 was pasted from Windows-1252; half a character is U+FFFD."""
    body, start, end = error.object, error.start, error.end
    if body[start] == 0xA0:
        return "\xa0", start + 1
    before, after = body[start - 1 : start], body[end : end + 1]
    is_single = end - start == 1 and before.isascii() and after.isascii() and after
    if is_single and body[start] < 0xFE:
        return _as_windows(body[start:end]), end
    return "\ufffd", end


def _as_windows(byte: bytes) -> str:
    return byte.decode("cp1252", "replace")


def _read_shifts(body: bytes) -> str:
    """Return ISO-2022-JP: what stands between two escapes is ASCII, katakana or JIS X 0208."""
    texts, mode = [], b"\x1b(B"
    for piece in _SHIFTS.split(body):
        if _SHIFTS.fullmatch(piece):
            mode = piece
        elif mode.startswith(b"\x1b$"):
            texts.append(_read_rows(piece))
        else:
            high = mode == b"\x1b(I"
            texts.append(_high(piece).decode("cp932", "replace") if high else _plain(piece))
    return "".join(texts)


def _read_rows(piece: bytes) -> str:
    """Return pairs of bytes as JIS X 0208; line ends between them stay."""
    lines = re.split(rb"([\x00-\x20]+)", piece)
    return "".join(
        line.decode("ascii") if part % 2 else read_bytes(_high(line), "euc_jp")
        for part, line in enumerate(lines)
    )


def _high(piece: bytes) -> bytes:
    return bytes(byte | 0x80 for byte in piece)


def _plain(piece: bytes) -> str:
    return piece.decode("ascii", "replace")


_MENDERS: Mapping[str, Mender] = {
    "big5hkscs": _by_taiwanese_windows,
    "cp932": lambda error: _unknown(error, {}),
    "cp949": lambda error: _unknown(error, {}),
    "euc_jp": _by_japanese_windows,
    "gb18030": _with_euro,
    "utf-8": _broken_utf8,
}
