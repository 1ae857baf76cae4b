"""What of a text an identifier can read, and why it can read nothing."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_ADDRESS = re.compile(
    r"(?:https?://|www\.)\S+|\S+@\S+\.\w+|\b\w+\.(?:com|org|net|co\.za|html)\b\S*"
)
# A text with this share of control characters is no text.
_BINARY = 0.1
# Neither script of a text makes up less than this: it is not in one language.
_MIXED = 0.3


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
    return "." in text and ("www." in text or "://" in text or "@" in text or len(text) < 300)


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
        return "mixed-script"
    return ""
