"""Who signs a page as readers see it: elements named for authors, and lines that name one."""

import re
from collections.abc import Iterator, Sequence

from selectolax.lexbor import LexborNode

from izwi.model.document import Claim
from izwi.text.metadata.dates import find_date, place_date
from izwi.text.metadata.marked_elements import is_among_comments, names_of, pieces_of
from izwi.text.metadata.person_names import as_name

_AUTHORS = frozenset(
    {"author", "authors", "byline", "bylines", "username", "submitted", "writer", "autor",
     "autoren"}
)  # fmt: skip
_SIGNED = frozenset({"address", "byline"})
_AUTHOR_LINK = re.compile(r"/(?:authors?|autor(?:en|es)?|contributors?|writers?)/[^/?#]+", re.I)
# Longer lines are no bylines; an agency signs a line without a date just below the headline.
_LONGEST_SIGNED, _MOST_BEHIND = 90, 3
_MOST_AFTER = 8
_LONGEST_BYLINE = 120
# A line of a page that names its author: some words, then two to four capitalised ones.
# Letters of India and of its neighbours have vowels above, below and behind them, as marks.
_MARKED = r"\w\u0900-\u0963\u0966-\u109f\u1780-\u17d3"
_CAPITAL = rf"[^\W\d_a-zà-þ][{_MARKED}.'’-]*"
_PARTICLES = r"(?:de |von |van |der |la )*"
_DOERS = r"(?:[Aa]uthor|AUTHOR|[Aa]utor(?:in)?|[Aa]uteure?|[Vv]erfasser(?:in)?|Skrywer|Umbhali)"
# The names of menus, too, where no colon follows.
_LABELS = r"(?:[Aa]uthor(?:s|\(s\))|[Aa]utor(?:en|:innen)|[Aa]uteurs|[Cc]ontributors?|Text|Words)"
_BEFORE_NAME = (
    r"(?:(?:(?:(?:Blog|blog|Guest|guest) )?(?:[Ww]ritten|[Pp]ost(?:ed)?|[Pp]ublished|[Ss]tory"
    r"|[Aa]rticle|[Ss]tarted|[Ss]ubmitted|[Rr]eview|[Rr]ecipe|[Ww]ords|[Gg]eschrieben"
    r"|[Gg]espeichert|[Bb]eitrag) )?"
    rf"(?:[Bb]y|BY|[Vv]on|VON|[Pp]ar|[Pp]or|[Dd]oor|[Dd]eur)|{_DOERS}:?|{_LABELS}:)"
)
_FULL_NAME = re.compile(rf"{_CAPITAL}(?: {_PARTICLES}{_CAPITAL}){{1,3}}")
_JOINTS = frozenset({",", "and", "&", "und", "et", "y", "e", "en", "og", "och", "/"})
_SIGNING = rf"[^\W\d_][{_MARKED}.'’-]*(?: {_PARTICLES}{_CAPITAL}){{1,3}}"
# What leads from a name to the date.
_TO_THE_DATE = r"(?:,? (?:on|am|op|le|el|il|em|at|den|ngo))?"
# Behind the names may stand a house or a degree.
_BYLINE = re.compile(
    rf"({_BEFORE_NAME} ?:? {_SIGNING}(?:(?:,| and| und| &| et| y) {_FULL_NAME.pattern})*)"
    r"(?:, ?[a-z]{2,10}|(?:, ?[A-Z][A-Z.]{0,5}[a-z]?)+|/[\w-]{2,8})?" + _TO_THE_DATE
)
# An agency signs with its letters, beside a date.
_AGENCY = re.compile(rf"({_BEFORE_NAME} [A-Z]{{2,6}}){_TO_THE_DATE}")
# The name may stand in an element of its own after it.
_BYLINE_START = re.compile(rf"{_BEFORE_NAME}\s", re.I)
_NAME = re.compile(rf"{_CAPITAL}(?: {_PARTICLES}[^\W_a-zà-þ][\w.'’-]*){{0,3}}")
_BESIDE = re.compile(r"\s+[|·•–—/-]+\s+")
_BYLINE_HEAD = re.compile(rf"{_BEFORE_NAME}\s*:?", re.I)


def byline_claims(telling: Sequence[LexborNode]) -> Iterator[Claim]:
    """Yield the lines that name an author, those after the headline first, none of comments."""
    for node in telling:
        is_link = _is_author_link(node)
        if not (is_link or node.tag in _SIGNED or not _AUTHORS.isdisjoint(names_of(node))):
            continue
        pieces = pieces_of(node)
        text = " ".join(pieces)
        named = _named(pieces)
        if not (named or 1 < len(text) < _LONGEST_BYLINE) or is_among_comments(node):
            continue
        if node.tag == "address" and not _BYLINE_START.match(text):
            continue
        yield Claim("author", named or text, "author link" if is_link else "byline")


def _named(pieces: Sequence[str]) -> str:
    """Return the names a byline begins with, where more follows in elements of its own."""
    rest = pieces[1:] if pieces and _BYLINE_HEAD.fullmatch(pieces[0]) else pieces
    names = [name for piece in rest[:1] if _FULL_NAME.fullmatch(name := piece.strip("&, "))]
    for joint, name in zip(rest[1::2], rest[2::2], strict=False):
        if not names or joint.casefold() not in _JOINTS or not _FULL_NAME.fullmatch(name):
            break
        names.append(name)
    after = rest[2 * len(names) - 1] if names and 2 * len(names) - 1 < len(rest) else ""
    goes_on = after.split(" ")[0].casefold() in _JOINTS or after[:1] in _JOINTS
    return "" if goes_on else ", ".join(names)


def _is_author_link(node: LexborNode) -> bool:
    attributes = node.attributes
    is_author = "author" in (attributes.get("rel") or "").split()
    return is_author or bool(node.tag == "a" and _AUTHOR_LINK.search(attributes.get("href") or ""))


def signed_lines(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines that name an author, the name in the line or in the next."""
    for place, line in enumerate(lines):
        # Few lines begin so, and looking for names and dates takes long.
        if not _BYLINE_HEAD.match(line.lstrip()):
            continue
        after = lines[place + 1] if place + 1 < len(lines) else ""
        near = (lines[place - 1], line, after) if place >= _MOST_BEHIND else ()
        if name := _name_in(_undated(line), near):
            yield name
        elif len(line) <= 24 and _BYLINE_HEAD.fullmatch(line.strip()) and _NAME.fullmatch(after):
            yield f"{line} {after}"


def is_byline(line: str, author: str) -> bool:
    """Return whether a line says who wrote a page and nothing else, but perhaps when.

    >>> is_byline("By Anna Nel, 2 March 2020", "Anna Nel"), is_byline("By noon", "Anna Nel")
    (True, False)
    """
    signed = _name_in(_undated(line), ()) if author and len(line) <= _LONGEST_SIGNED else ""
    return bool(signed) and as_name(Claim("author", signed, "line of text")) == author


def _name_in(line: str, near: Sequence[str]) -> str:
    """Return the name a line is signed with; an agency's stands near a date or the headline."""
    if len(line) <= _LONGEST_SIGNED and (match := _BYLINE.fullmatch(line)):
        return match[1]
    agency = _AGENCY.fullmatch(line)
    return agency[1] if agency and (not near or any(map(is_dated_line, near))) else ""


def _undated(line: str) -> str:
    """Return a line without the date it ends in."""
    placed = place_date(line)
    return line[: placed[1]].rstrip(" ,|·•–—-") if placed and placed[1] else line


def names_beside_a_date(lines: Sequence[str]) -> Iterator[str]:
    """Yield the names that stand in one line with a date, just after the headline."""
    for line in filter(is_dated_line, lines[:_MOST_AFTER]):
        yield from (part for part in _BESIDE.split(line) if _FULL_NAME.fullmatch(part))


def is_dated_line(line: str) -> bool:
    """Return whether a line is short and names a day."""
    return 6 <= len(line) <= _LONGEST_BYLINE and find_date(line) is not None
