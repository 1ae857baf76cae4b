"""Who signs a page as readers see it: elements named for authors, and lines that name one."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from selectolax.lexbor import LexborNode

from izwi.model.document import Claim
from izwi.text.metadata.byline_words import (
    BEFORE_NAME,
    EASTERN,
    FIRST_LETTERS,
    OTHER_LABELS,
    SHORT_WORDS,
)
from izwi.text.metadata.claims import clean
from izwi.text.metadata.dates import find_date, place_date
from izwi.text.metadata.marked_elements import is_among_comments, names_of, pieces_of, text_of
from izwi.text.metadata.person_names import as_name

_AUTHORS = frozenset(
    {"author", "authors", "byline", "bylines", "username", "submitted", "writer", "autor",
     "autoren"}
)  # fmt: skip
_SIGNED = frozenset({"address", "byline"})
_AUTHOR_LINK = re.compile(r"/(?:authors?|autor(?:en|es)?|contributors?|writers?)/[^/?#]+", re.I)
# Where a site tells of somebody, or a forum of a member.
_PERSON_LINK = re.compile(
    r"/(?:users?|members?|profiles?|profil|userprofile|u|people|persons?|staff|team|journalistes?"
    r"|journalists?|columnists?|reporters?|redakteure?|mitglieder|menschen|utilisateurs?|usuarios?)"
    r"(?:[/=-]|\.php\?)[^/?#]*\w|/user-?\d+",
    re.I,
)
# Longer lines are no bylines; an agency signs a line without a date just below the headline.
_LONGEST_SIGNED, _MOST_BEHIND = 90, 3
_MOST_AFTER = 8
_LONGEST_BYLINE = 120
# Signs of joints and initials, as in a picture's stead, stand before a name.
_LONGEST_INITIALS = 3
_INLINE = frozenset({"-text", "a", "span", "i", "b", "em", "strong", "font", "cite", "address"})
_MOST_IN_A_ROW, _MOST_ROUND, _MOST_ELSE = 20, 3, 80
_MOST_LINKS = 100
# A line of a page that names its author: some words, then two to four capitalised ones.
# Letters of India and of its neighbours have vowels above, below and behind them, as marks.
_MARKED = r"\w\u0900-\u0963\u0966-\u109f\u1780-\u17d3"
_CAPITAL = rf"[^\W\d_a-zà-þ][{_MARKED}.'’-]*"
_PARTICLES = r"(?:de |von |van |der |la )*"
# A heading of its own, in which no menu is called so.
_LISTING = frozenset({"author(s)", "autor(en)", "autor:innen", "auteur(s)", "autor(es)"})
_MOST_LISTED, _LONGEST_LABEL = 10, 24
_FULL_NAME = re.compile(rf"{_CAPITAL}(?: {_PARTICLES}{_CAPITAL}){{1,3}}")
_AND = r"(?:,| and| und| &| et| y| og| och| e| dan| i| и)"
_BETWEEN_NAMES = re.compile(rf"{_AND} ")
_JOINTS = frozenset({",", "and", "&", "und", "et", "y", "e", "en", "og", "och", "/"})
_SIGNING = rf"[^\W\d_][{_MARKED}.'’-]*(?: {_PARTICLES}{_CAPITAL}){{1,3}}"
# What leads from a name to the date.
_TO_THE_DATE = r"(?:,? (?:on|am|op|le|el|il|em|at|den|ngo))?"
# Behind the names may stand a house or a degree.
_BYLINE = re.compile(
    rf"({BEFORE_NAME} ?:? {_SIGNING}(?:(?:,| and| und| &| et| y) {_FULL_NAME.pattern})*)"
    r"(?:, ?[a-z]{2,10}|(?:, ?[A-Z][A-Z.]{0,5}[a-z]?)+|/[\w-]{2,8})?" + _TO_THE_DATE
)
# Weblogs tell the hour beside who posted, and what they filed the post under. No search begins
# amid spaces, else a run of them is read again from each.
_HOUR = re.compile(
    r"(?<!\s)(?:\s+(?:at|um|à|en|às|om|alle)\s+\d{1,2}[:.h]\d\d(?:\s?[AaPp]\.?[Mm]\.?)?\s*$"
    r"|(?:\s*,)?\s+[Ff]iled under:?$)"
)
# A member's name, which is one word, counts where it is said who posted something, or when.
_MEMBER = re.compile(rf"[\w.-]{{2,30}}(?={_TO_THE_DATE}$)")
_BEHIND_A_STROKE = re.compile(r"/[\w-]{2,8}$")
# An agency signs with its letters, beside a date.
_AGENCY = re.compile(rf"({BEFORE_NAME} [A-Z]{{2,6}}){_TO_THE_DATE}")
# The name may stand in an element of its own after it.
_BYLINE_START = re.compile(rf"{BEFORE_NAME}\s", re.I)
_NAME = re.compile(rf"{_CAPITAL}(?: {_PARTICLES}[^\W_a-zà-þ][\w.'’-]*){{0,3}}")
_BESIDE = re.compile(r"\s+[|·•–—/-]+\s+")
_BYLINE_HEAD = re.compile(rf"{BEFORE_NAME}\s*:?", re.I)


def byline_claims(telling: Sequence[LexborNode]) -> Iterator[Claim]:
    """Yield the lines that name an author, those after the headline first, none of comments."""
    in_rows: set[int | None] = set()
    for node in telling:
        is_link = _is_author_link(node)
        if not (is_link or node.tag in _SIGNED or not _AUTHORS.isdisjoint(names_of(node))):
            continue
        pieces = pieces_of(node)
        text = " ".join(pieces)
        named = _named(pieces) or _linked(node, text)
        if not (named or 1 < len(text) < _LONGEST_BYLINE) or is_among_comments(node):
            continue
        if node.tag == "address" and not _BYLINE_START.match(text):
            continue
        row = _row_of_links(node) if is_link and node.mem_id not in in_rows else []
        in_rows.update(link.mem_id for link in row)
        if len(row) > 1:
            yield Claim("author", ", ".join(map(text_of, row)), "author link")
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


def _linked(node: LexborNode, text: str) -> str:
    """Return the one name in a byline that leads to a page about its bearer, if more follows it."""
    if len(text) >= _LONGEST_BYLINE:
        return ""
    links = [node] if node.tag == "a" else node.css("a[href]")[:_MOST_LINKS]
    people = [a for a in links if _PERSON_LINK.search(a.attributes.get("href") or "")]
    names = list(dict.fromkeys(name for a in people if (name := text_of(a))))
    if len(names) != 1 or names[0] == text or not names[0][:1].isalnum():
        return ""
    before, _, rest = (part.strip() for part in text.partition(names[0]))
    if not (len(before) <= _LONGEST_INITIALS or _BYLINE_HEAD.fullmatch(before)):
        return ""
    # Behind it another author may be named, who has no page.
    is_alone = rest[:1] not in _JOINTS and rest.split(" ")[0].casefold() not in _JOINTS
    if not is_alone:
        return ""
    return f"{before} {names[0]}" if _BYLINE_HEAD.fullmatch(before) else names[0]


def _row_of_links(link: LexborNode) -> list[LexborNode]:
    """Return the links to authors' pages from one on, as far as no more than joints part them."""
    row, beside, is_joined = [link], _outermost(link).next, False
    while beside is not None and len(row) < _MOST_IN_A_ROW and beside.tag in _INLINE:
        text = clean(beside.text(deep=True)[:_LONGEST_BYLINE])
        inner = beside if beside.tag == "a" else None
        if text.casefold() in _JOINTS:
            is_joined = True
        elif text and is_joined and (inner := inner or _link_in(beside)) and _is_author_link(inner):
            row.append(inner)
            is_joined = False
        elif text:
            break
        beside = beside.next
    if len(row) == 1:
        return row
    # A sentence that speaks of two authors signs nothing.
    parent = row[-1].parent
    names = sum(len(text_of(link)) for link in row)
    beside_them = len(text_of(parent)) - names if parent is not None else 0
    is_byline = beside_them <= _MOST_ELSE
    return row if is_byline else [link]


def _outermost(link: LexborNode) -> LexborNode:
    """Return the element round a link that holds nothing else."""
    outer = link
    for _ in range(_MOST_ROUND):
        beside = [outer.prev, outer.next]
        if outer.parent is None or any(each is not None and not _is_space(each) for each in beside):
            break
        outer = outer.parent
    return outer


def _is_space(node: LexborNode) -> bool:
    return node.tag == "-text" and not node.text().strip()


def _link_in(element: LexborNode) -> LexborNode | None:
    return element.css_first("a") if element.tag != "-text" else None


def _is_author_link(node: LexborNode) -> bool:
    attributes = node.attributes
    is_author = "author" in (attributes.get("rel") or "").split()
    return is_author or bool(node.tag == "a" and _AUTHOR_LINK.search(attributes.get("href") or ""))


def signed_lines(lines: Sequence[str], language: str = "") -> Iterator[str]:
    """Yield lines that name an author, the name in the line or in the next."""
    short = frozenset(word for word, languages in SHORT_WORDS.items() if language in languages)
    for place, line in enumerate(map(str.strip, lines)):
        # Few lines begin so, and looking for names and dates takes long.
        name = ""
        if line[:2].casefold() in FIRST_LETTERS and _BYLINE_HEAD.match(line):
            name = _signed(line, lines, place)
        elif short and line.partition(" ")[0].casefold() in short:
            name = _name_after_a_short_word(line, _near(lines, place))
        if not name and (not line.isascii() or line[-1:] == ")" or ":" in line[:_LONGEST_LABEL]):
            name = _labelled(line, lines, place)
        if name:
            yield name


def _signed(line: str, lines: Sequence[str], place: int) -> str:
    """Return the names a line is signed with, or a label and those after it, with all joined."""
    undated = _undated(line)
    name = _name_in(undated, _near(lines, place)) or _member(undated, is_dated=undated != line)
    if name:
        return ", ".join([name, *_joined(lines[place + 1 : place + 1 + _MOST_LISTED])])
    after, then = (*map(str.strip, lines[place + 1 : place + 3]), "", "")[:2]
    name = _name_after(line, after) or _member_after(line, after, then)
    return ", ".join([name, *_joined(lines[place + 2 : place + 2 + _MOST_LISTED])]) if name else ""


def _member(line: str, *, is_dated: bool) -> str:
    """Return the line of a weblog or a forum that names a member: "Posted by sealion"."""
    head = _BYLINE_HEAD.match(line)
    if not head or not (is_dated or " " in head[0].strip()):
        return ""
    name = _MEMBER.match(line[head.end() :].strip())
    return f"{head[0].strip()} {name[0]}" if name else ""


def _member_after(label: str, line: str, then: str) -> str:
    """Return a label and a member's name, where these and a date stand in elements of their own."""
    if len(label) > _LONGEST_LABEL or not _BYLINE_HEAD.fullmatch(label):
        return ""
    is_told = " " in label or then.startswith("on ") or is_dated_line(then)
    return f"{label} {line}" if is_told and _MEMBER.fullmatch(line) else ""


def _joined(after: Sequence[str]) -> Iterator[str]:
    """Yield the names that joints lead to in the lines after one."""
    is_joined = False
    for line in map(str.strip, after):
        joint, _, name = line.partition(" ")
        if line.casefold() in _JOINTS:
            is_joined = True
            continue
        name = line if is_joined else name if joint.casefold() in _JOINTS else ""
        if not _FULL_NAME.fullmatch(name):
            return
        yield name
        is_joined = False


def _near(lines: Sequence[str], place: int) -> Sequence[str]:
    """Return a line with those beside it, or none if it is just below the headline."""
    return lines[place - 1 : place + 2] if place >= _MOST_BEHIND else ()


def _name_after_a_short_word(line: str, near: Sequence[str]) -> str:
    """Return the names behind a word such as "di", just below the headline or beside a date."""
    names = _undated(line).partition(" ")[2].strip()
    is_placed = not near or any(map(is_dated_line, near))
    return names if is_placed and _are_names(names) else ""


def _are_names(line: str) -> bool:
    """Return whether a line is one full name, or some with joints between.

    Part by part: letters of other scripts may be capitals or not, so that in one expression a
    joint such as "и" was also a part of a name, and a line of them was read in millions of ways.
    """
    if len(line) > _LONGEST_BYLINE:
        return False
    parts = _BETWEEN_NAMES.split(line)
    return bool(_FULL_NAME.fullmatch(line)) or all(map(_FULL_NAME.fullmatch, parts))


def _name_after(label: str, line: str) -> str:
    """Return a label and the name in the line after it."""
    if len(label) > _LONGEST_LABEL or not _BYLINE_HEAD.fullmatch(label):
        return ""
    name = _BEHIND_A_STROKE.sub("", line)
    return f"{label} {name}" if _NAME.fullmatch(name) else ""


def _labelled(line: str, lines: Sequence[str] = (), place: int = 0) -> str:
    """Return the names behind a label of another language than those of "by", or below it."""
    if not line.isascii() and (eastern := EASTERN.match(line)):
        return eastern[1] or eastern[2]
    at = line.find(":", 0, _LONGEST_LABEL)
    if not (at > 0 and line[:at].rstrip().casefold() in OTHER_LABELS):
        at = len(line)
        if at > _LONGEST_LABEL or line.casefold() not in _LISTING:
            return ""
    names = line[at + 1 :]
    if not names:
        after = (name.strip(" ,;&") for name in lines[place + 1 : place + 1 + _MOST_LISTED])
        return ", ".join(takewhile(_FULL_NAME.fullmatch, after))
    return line if _are_names(_undated(names.strip())) else ""


def is_byline(line: str, author: str) -> bool:
    """Return whether a line says who wrote a page and nothing else, but perhaps when.

    >>> is_byline("By Anna Nel, 2 March 2020", "Anna Nel"), is_byline("By noon", "Anna Nel")
    (True, False)
    """
    if not author or len(line) > _LONGEST_SIGNED:
        return False
    signed = _name_in(_undated(line), ()) or _labelled(line)
    return bool(signed) and as_name(Claim("author", signed, "line of text")) == author


def _name_in(line: str, near: Sequence[str]) -> str:
    """Return the name a line is signed with; an agency's stands near a date or the headline."""
    if len(line) <= _LONGEST_SIGNED and (match := _BYLINE.fullmatch(line)):
        return match[1]
    agency = _AGENCY.fullmatch(line)
    return agency[1] if agency and (not near or any(map(is_dated_line, near))) else ""


def _undated(line: str) -> str:
    """Return a line without the date it ends in."""
    line = _HOUR.sub("", line)
    placed = place_date(line)
    return line[: placed[1]].rstrip(" ,|·•–—-") if placed and placed[1] else line


def names_beside_a_date(lines: Sequence[str]) -> Iterator[str]:
    """Yield the names that stand in one line with a date, just after the headline."""
    for line in filter(is_dated_line, lines[:_MOST_AFTER]):
        yield from (part for part in _BESIDE.split(line) if _FULL_NAME.fullmatch(part))


def is_dated_line(line: str) -> bool:
    """Return whether a line is short and names a day."""
    return 6 <= len(line) <= _LONGEST_BYLINE and find_date(line) is not None
