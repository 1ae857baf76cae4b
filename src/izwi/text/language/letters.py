"""What of a text an identifier can read, and why it can read nothing."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# No search begins inside what spaces part: of a long run of signs each would be read to its end.
_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+|(?<!\S)\S[^\s@]*+@\S+\.\w+|\b\w+\.(?:com|org|net|co\.za|html)\b\S*"
)
_ENDINGS = (".com", ".org", ".net", ".co.za", ".html")
# A text with this share of control characters is no text.
_BINARY = 0.1
# Neither script of a text makes up less than this: it may not be in one language.
_MIXED = 0.3
MIXED_SCRIPT = "mixed-script"
# Signs before a word, and the letters of words in lower case that tell more than names do.
_OPENING, _FEWEST_LOW = "\"'“”„«»‘’(¿¡[-–—", 5
_LATIN = "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
_LATIN_PART, _OTHER_PART = re.compile(f"[{_LATIN}]+"), re.compile(f"[^\\W\\d_{_LATIN}]+")
# Latin letters that stand inside Cyrillic words for those that look the same.
_LOOKALIKES = str.maketrans("aceopxyjisæABCEHIJKMOPSTXÆ", "асеорхујіѕӕАВСЕНІЈКМОРЅТХӔ")
_BOTH = re.compile("(?<!\\w)\\w*(?:[A-Za-zÆæ][\u0400-\u052f]|[\u0400-\u052f][A-Za-zÆæ])\\w*")


@dataclass(frozen=True, slots=True)
class Reading:
    """The letters of a text between single spaces, or the reason why there are none."""

    text: NDArray[np.uint8]
    words: int
    reason: str = ""


def read(text: str) -> Reading:
    """Return the letters of a text as bytes, without addresses, digits and signs."""
    from izwi.kernels.ngrams import letters

    without = _ADDRESS.sub(" ", text) if _may_hold_address(text) else text
    raw = without.lower().encode("utf-8", "replace")
    found, counts = np.empty(len(raw) + 2, np.uint8), np.zeros(4, np.int64)
    end = letters(raw, found, counts)
    words, latin, other, control = counts.tolist()
    return Reading(found[:end], words, reason_of(text, latin, other, control))


def words(text: str) -> list[str]:
    """Return the words as the identifier reads them."""
    return bytes(read(text).text).decode("utf-8", "replace").split()


def _may_hold_address(text: str) -> bool:
    if "." not in text:
        return False
    if "www." in text or "://" in text or "@" in text:
        return True
    return len(text) < 300 and any(ending in text for ending in _ENDINGS)


def reason_of(text: str, latin: int, other: int, control: int) -> str:
    """Return why a text's language cannot be told; nothing if it may be."""
    if not text or text.isspace():
        return "empty"
    if control > _BINARY * len(text):
        return "binary"
    if latin + other == 0:
        return "address-only" if _ADDRESS.search(text) else "no-letters"
    if latin + other < 2:
        return "one-letter"
    if other and min(latin, other) >= _MIXED * (latin + other):
        return MIXED_SCRIPT
    return ""


def without_names(text: str) -> str:
    """Return a short text without its words in capitals after the first; all if little is left.

    They are mostly names, which say little about the language around them.
    """
    words = text.split()
    is_name = [n > 0 and word.lstrip(_OPENING)[:1].isupper() for n, word in enumerate(words)]
    running = [word for word, is_one in zip(words, is_name, strict=True) if not is_one]
    low = sum(len(word) for word in running if word[:1].isalpha() and not word[:1].isupper())
    return " ".join(running) if low >= _FEWEST_LOW else text


def by_script(text: str) -> tuple[str, str]:
    """Return the Latin part of a text in two scripts, and the other.

    Names and abbreviations of other countries stay in Latin letters in many scripts: where little
    but they are Latin, there is no such part.
    """
    plain = _BOTH.sub(lambda word: word[0].translate(_LOOKALIKES), text)
    latin, other = _OTHER_PART.sub(" ", plain), _LATIN_PART.sub(" ", plain)
    running = sum(len(word) for word in _LATIN_PART.findall(latin) if word.islower())
    return (latin if running >= _MIXED * sum(map(str.isalpha, plain)) else ""), other
