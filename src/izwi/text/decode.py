"""Bytes to text: which charset, what says so; wrong readings mended. Never an exception."""

import codecs
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import field
from itertools import islice

from izwi.model.records import dataclass
from izwi.text.charsets import codec_of, is_multibyte, read_bytes, shifted_codec
from izwi.text.unscripted import with_frames_read, with_shadow_roots

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.IGNORECASE
)
_LANGUAGE = re.compile(
    rb"""<html\s(?:[^>]{0,300}\s)?lang\s*=\s*["']?([A-Za-z]{2})(?:[-_]([A-Za-z]{2}))?\b""",
    re.IGNORECASE,
)
_TOP_LEVEL = re.compile(r"[A-Za-z+]+://[^/?#]*?\.([A-Za-z]{2})\.?(?::\d*)?(?:[/?#]|$)")
# A country whose pages are written in a language; charsets are guessed by countries. What templates
# say of pages in any language tells nothing (English), nor does what two charsets are used for.
_COUNTRIES = {
    b"af": b"za", b"ar": b"sa", b"be": b"by", b"bg": b"bg", b"bs": b"ba", b"cs": b"cz",
    b"da": b"dk", b"de": b"de", b"el": b"gr", b"es": b"es", b"et": b"ee",
    b"fa": b"ir", b"fi": b"fi", b"fr": b"fr", b"ga": b"ie", b"he": b"il", b"hr": b"hr",
    b"hu": b"hu", b"is": b"is", b"it": b"it", b"ja": b"jp", b"ko": b"kr", b"lt": b"lt",
    b"lv": b"lv", b"mk": b"mk", b"nl": b"nl", b"no": b"no", b"pl": b"pl", b"pt": b"pt",
    b"ro": b"ro", b"ru": b"ru", b"sk": b"sk", b"sl": b"si", b"sq": b"al", b"sr": b"rs",
    b"st": b"za", b"sv": b"se", b"sw": b"ke", b"th": b"th", b"tn": b"za", b"tr": b"tr",
    b"uk": b"ua", b"ur": b"pk", b"vi": b"vn", b"xh": b"za", b"zu": b"za",
}  # fmt: skip
# Countries whose names are sold to everybody.
_NAMES_FOR_ALL = frozenset(b"ai cc cf co eu fm ga gg gq io la ly me ml nu sh tk to tv ws".split())
_HEADER = re.compile(r"""charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.IGNORECASE)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
_BREAKS = re.compile("[\x0b\x0c]+")
# What a text without controls and without anything that composes has none of, in UTF-8: controls,
# and the first bytes of the characters that are C1 controls or lie beyond U+0300.
_SUSPECTS = bytes([*range(9), 11, 12, *range(14, 32), 127, 0xC2, *range(0xCC, 0x100)])
# Short texts are looked at so; compiled code looks at long ones.
_SHORT = 2_000
# A page that says UTF-8 may hold this share of broken characters before it is taken for another.
_TOLERATED = 0.002
# One that says Big5 or the like may have this share of them among its characters beyond ASCII.
_TOLERATED_OF_OTHERS, _TOLERATED_AT_LAST = 0.02, 0.1
# How much of a page shows that it is UTF-16: tags and line ends are half empty in it.
_WIDE, _LEAST_WIDE, _MOSTLY = 1024, 16, 0.4
# Western text has fewer letters beyond ASCII among its letters than this, in any language.
_MOST_ACCENTED = 0.4
_LEAST_LETTERS = 200
# A charset is guessed from so many bytes.
_GUESSED_FROM = 1 << 18
_ASCII = bytes(range(128))
# So much of a page is read. Parsers keep some 400 bytes of memory for an element and some 20 for a
# character of text; books on one page and the longest standards of the web have a fifth of it.
MOST_TAGS, MOST_CHARACTERS = 500_000, 16_000_000
# How a note on what was not read begins.
CUT = "cut: only the first"


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text in NFC, the charset it was read in, and the evidence for it."""

    text: str
    charset: str
    evidence: str
    # The page without what its blocks are not made of (text/stripped_html.py), in UTF-8.
    lean: bytes = field(default=b"", compare=False, repr=False)
    # How much of the page was read, in words, if it was not all of it.
    cut: str = ""


def decode(body: bytes, content_type: str = "", url: str = "") -> Decoded:
    """Return a page's text, read by its mark, as UTF-8, as declared, or as guessed.

    The country in its address helps to guess: *s\xea* is *sê* below `.za` and *sę* below `.pl`.
    """
    found = _read(body, content_type, url)
    text = found.text.removeprefix("\ufeff")
    mended = mend_mojibake(text)
    evidence = found.evidence if mended == text else f"{found.evidence}, read twice"
    return as_page(mended, found.charset, evidence)


def as_page(text: str, charset: str = "", evidence: str = "text") -> Decoded:
    """Return a text tidied, and without what makes parsers slow."""
    text, cut = _bounded(text)
    tidied, utf8 = _tidied(with_frames_read(with_shadow_roots(text)))
    from izwi.text.stripped_html import lean, without_hostility

    markup, is_hostile = lean(utf8)
    if is_hostile:
        utf8 = without_hostility(utf8)
        tidied, markup = utf8.decode("utf-8"), lean(utf8).markup
    return Decoded(tidied, charset, evidence, markup, cut)


def _bounded(text: str) -> tuple[str, str]:
    """Return as much of a page as is read, and where it was cut, in words."""
    cut = ""
    if len(text) > MOST_CHARACTERS:
        text, cut = (
            text[:MOST_CHARACTERS],
            f"cut: only the first {MOST_CHARACTERS:,} characters were read",
        )
    if len(text) > MOST_TAGS and text.count("<") > MOST_TAGS:
        # The first place before which there are so many: counting is quick, and 24 times enough.
        place = bisect_left(range(len(text)), MOST_TAGS, key=lambda end: text.count("<", 0, end))
        text, cut = text[:place], f"cut: only the first {MOST_TAGS:,} tags were read"
    return text, cut


def tidy(text: str) -> str:
    """Return a text in NFC, without control characters and unpaired surrogates.

    >>> tidy("cafe\\u0301\\x00 \\ud800")
    'café '
    """
    return _tidied(text)[0]


def _tidied(text: str) -> tuple[str, bytes]:
    """Return a text tidied, and the same in UTF-8."""
    # Looking for what is to be tidied takes a tenth of the time, and few pages have any.
    raw = _utf8(text)
    if not _is_suspect(raw):
        return text, raw
    tidied = unicodedata.normalize("NFC", _CONTROLS.sub("", _BREAKS.sub(" ", text)))
    return tidied, raw if tidied == text else tidied.encode("utf-8")


def _utf8(text: str) -> bytes:
    """Return a text in UTF-8; compiled code, which few commands need, is loaded for long ones."""
    if len(text) < _SHORT:
        return text.encode("utf-8", "surrogatepass")
    from izwi.kernels.letters import encoded

    return encoded(text, "surrogatepass")


def _is_suspect(raw: bytes) -> bool:
    """Return whether a text may have control characters, or characters that compose."""
    if len(raw) < _SHORT:
        return len(raw.translate(None, _SUSPECTS)) < len(raw)
    from izwi.text.stripped_html import suspects

    return suspects(raw) > 0


def _read(body: bytes, content_type: str, url: str) -> Decoded:
    for mark, charset in _BOMS:
        if body.startswith(mark):
            return _as(body, charset, "byte-order mark")
    declared = _declared(body, content_type)
    if wide := _wide_charset(body):
        return _as(body, wide, _evidence_for(wide, declared))
    if shifted := shifted_codec(body, tuple(charset for charset, _ in declared)):
        return _as(body, shifted, _evidence_for(shifted, declared))
    try:
        return Decoded(body.decode("utf-8"), "utf-8", "valid UTF-8")
    except UnicodeDecodeError:
        return _read_other(body, declared, url)


def _read_other(body: bytes, declared: list[tuple[str, str]], url: str) -> Decoded:
    """Return a text that is not UTF-8 as the first of those who say what it is and can be right."""
    tried = []
    for charset, evidence in _claimed(body, declared, url):
        found = _as(body, charset, evidence)
        if _is_plausible(found, body):
            return found
        tried.append(found)
    # Nobody is right: what loses least, unless it would lose too much.
    least = min(tried, key=_faults)
    is_lost = least.charset in ("utf-8", "cp1252") or _share_lost(least) > _TOLERATED_AT_LAST
    return _as(body, "cp1252", "content") if is_lost else least


def _claimed(body: bytes, declared: list[tuple[str, str]], url: str) -> Iterator[tuple[str, str]]:
    """Yield what a page's charset is said to be, and by whom; guessing is last: it takes long."""
    yield from _several_bytes_first(declared)
    yield _guessed(body, url), "content"


def _guessed(body: bytes, url: str) -> str:
    """Return the codec that the bytes look like at this address, as a browser guesses it.

    Where all beyond ASCII is signs in Windows-1252 (a pound, a copyright mark) and no letter, there
    is nothing to guess by: whatever is read so is Western.
    """
    if _is_nearly_utf8(body):
        return "utf-8"
    # Few pages need it, so that it is loaded when the first one does.
    from chardetng_py import detect

    seen = body[:_GUESSED_FROM]
    found = codec_of(detect(seen, tld=_country(body, url)))
    beyond = bytes(set(seen.translate(None, _ASCII))).decode("cp1252", "ignore")
    has_letters = any(map(str.isalpha, beyond))
    return found if has_letters or is_multibyte(found) else "cp1252"


def _country(body: bytes, url: str) -> bytes | None:
    """Return where a page is from by the language it says it is in, else by its address.

    >>> _country(b'<html class="a" lang="cs">', "https://example.com/")
    b'cz'
    >>> _country(b'<html lang="en">', "https://Nuus.example.ZA:8080/a.html")
    b'za'
    """
    if said := _LANGUAGE.search(body[:4096]):
        language, region = said[1].lower(), (said[2] or b"").lower()
        # As templates come, whatever is written into them.
        is_default = language == b"en" and region in (b"us", b"gb")
        if country := region if region and not is_default else _COUNTRIES.get(language):
            return country
    address = _TOP_LEVEL.match(url)
    country = address[1].lower().encode("ascii") if address else b""
    return country if country and country not in _NAMES_FOR_ALL else None


def _several_bytes_first(declared: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return what is declared, in order; a charset of single bytes can read anything, so it waits.

    Servers say Latin-1 of every page they have; a page that says Shift_JIS of itself means it.
    """
    return sorted(declared, key=lambda claim: not is_multibyte(claim[0]))


def _is_plausible(found: Decoded, body: bytes) -> bool:
    """Return whether a text can have been written in the charset it was read in."""
    if found.charset == "utf-8":
        return _is_nearly_utf8(body)
    if found.charset == "cp1252":
        return _is_western(body)
    if not is_multibyte(found.charset):
        return True
    return _faults(found) <= 1 or _share_lost(found) <= _TOLERATED_OF_OTHERS


def _faults(found: Decoded) -> int:
    return found.text.count("\ufffd")


def _share_lost(found: Decoded) -> float:
    """Return the share of what could not be read among the characters beyond ASCII."""
    return _faults(found) / max(1, sum(character > "\x7f" for character in found.text))


def _as(body: bytes, charset: str, evidence: str) -> Decoded:
    return Decoded(read_bytes(body, charset), charset, evidence)


def _declared(body: bytes, content_type: str) -> list[tuple[str, str]]:
    header, meta = _HEADER.search(content_type), _META.search(body[:4096])
    found = [
        (codec_of(header[1]) if header else "", "HTTP header"),
        (codec_of(meta[1].decode("ascii")) if meta else "", "meta element"),
    ]
    return [
        (charset, evidence)
        for charset, evidence in found
        # What can be read byte by byte is not in UTF-16, whatever it says.
        if charset and not charset.startswith(("utf-16", "utf-32"))
    ]


def _evidence_for(charset: str, declared: list[tuple[str, str]]) -> str:
    return next((evidence for said, evidence in declared if said == charset), "content")


def _wide_charset(body: bytes) -> str:
    """Return UTF-16 if every second byte of the page's beginning is empty, as in its tags."""
    beginning = body[:_WIDE]
    if b"\x00" not in beginning or len(beginning) < _LEAST_WIDE:
        return ""
    first, second = beginning[0::2], beginning[1::2]
    if second.count(0) > _MOSTLY * len(second) and not first.count(0):
        return "utf-16-le"
    if first.count(0) > _MOSTLY * len(first) and not second.count(0):
        return "utf-16-be"
    return ""


def _is_western(body: bytes) -> bool:
    """Return whether bytes said to be Latin-1 can be: most of their letters are plain ones."""
    from izwi.text.stripped_html import letters_outside_tags

    plain, others = letters_outside_tags(body[: 1 << 17])
    return plain + others < _LEAST_LETTERS or others <= _MOST_ACCENTED * (plain + others)


def _is_nearly_utf8(body: bytes) -> bool:
    """Return whether a text is UTF-8 but for a few characters that were cut or pasted."""
    plain = body.decode("utf-8", "replace")
    broken = plain.count("\ufffd")
    beyond = sum(character > "\x7f" for character in plain)
    # Bytes that are never part of a whole character are another charset's.
    return broken <= _TOLERATED * len(body) and 2 * broken <= beyond


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
    if text.isascii() or not _is_often(_LIKELY.finditer(_utf8(text))):
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
