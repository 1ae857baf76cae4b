"""Text in UTF-8 that somebody read as Windows-1252 and wrote out again: "cafÃ©" for "café"."""

import re
from collections.abc import Iterator
from itertools import islice

# What each byte of a longer UTF-8 character looks like when read as Windows-1252; bytes that have
# no character there are kept as controls by some programs, so both ways are known.
_BYTE_OF: dict[str, int] = {}
for _byte in range(0x80, 0x100):
    _BYTE_OF[chr(_byte)] = _byte
    _BYTE_OF[bytes([_byte]).decode("cp1252", "ignore") or chr(_byte)] = _byte


def _class(first: int, last: int) -> str:
    return "[" + "".join(re.escape(c) for c, b in _BYTE_OF.items() if first <= b <= last) + "]"


_NEXT = _class(0x80, 0xBF)
_DOUBLE = re.compile(
    f"{_class(0xC2, 0xDF)}{_NEXT}|{_class(0xE0, 0xEF)}{_NEXT}{{2}}|{_class(0xF0, 0xF4)}{_NEXT}{{3}}"
)
# The same as UTF-8 has it, roughly: looking for it in bytes takes a tenth of the time.
_LIKELY = re.compile(rb"\xc3[\x82-\xb4][\xc2\xc5\xc6\xcb\xe2]")
# One such pair may be meant; three are a mistake.
_LEAST = 3


def mend_mojibake(text: str) -> str:
    """Return the text with characters that were read in the wrong charset put right.

    >>> mend_mojibake("cafÃ© â€œlekkerâ€\\x9d Ã©Ã©n")
    'café “lekker” één'
    """
    if text.isascii() or not _is_often(_LIKELY.finditer(text.encode("utf-8", "surrogatepass"))):
        return text
    return _DOUBLE.sub(_mended, text) if _is_often(_DOUBLE.finditer(text)) else text


def _is_often(found: Iterator[object]) -> bool:
    return len(list(islice(found, _LEAST))) == _LEAST


def _mended(match: re.Match[str]) -> str:
    raw = bytes(_BYTE_OF[character] for character in match[0])
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return match[0]
