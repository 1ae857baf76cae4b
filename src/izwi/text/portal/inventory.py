"""Which elements a portal's pages are made of: a dictionary of tags and the merged tree of pages.

After Indig and others 2020, 4.4: tags are simplified (numbers in names left out, so that the ids of
single articles fall together) and counted over all pages.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from izwi.model.portal import Inventory, TagLine, TreeLine

_UNREAD = ["script", "style", "noscript", "template", "svg", "head", "iframe"]
_DIGITS = re.compile(r"\d+")
_NAME = re.compile(r"[A-Za-z_-][\w-]*")
_MOST_SAMPLES = 3
# Deeper elements are inline ones or the work of a machine; a portal's layout lies above.
_DEEPEST = 40


@dataclass
class _Tally:
    count: int = 0
    text: int = 0
    own_text: int = 0
    descendants: int = 0
    pages: int = 0
    samples: list[str] = field(default_factory=list)


@dataclass
class _Place:
    count: int = 0
    own_text: int = 0
    children: dict[str, "_Place"] = field(default_factory=dict)


def simplified(node: LexborNode) -> str:
    """Return an element as a CSS selector without numbers: `div.story#body`."""
    attributes = node.attributes
    classes = _names(attributes.get("class"))
    ids = _names(attributes.get("id"))[:1]
    return (
        str(node.tag)
        + "".join(f".{name}" for name in classes[:3])
        + "".join(f"#{name}" for name in ids)
    )


def _names(value: str | None) -> list[str]:
    """Return the names that are the same on other pages: those without a number."""
    found = (value or "").split()
    return sorted({name for name in found if not _DIGITS.search(name) and _NAME.fullmatch(name)})


def inventory(pages: Iterable[tuple[str, str]], body: str = "", least_pages: int = 1) -> Inventory:
    """Return the tags and the merged tree of pages given as (address, markup).

    With a selector only what lies in the elements it chooses is counted.
    """
    tallies: dict[str, _Tally] = {}
    root, number = _Place(), 0
    for url, html in pages:
        number += 1
        seen: set[str] = set()
        for top in _tops(html, body):
            _count(top, url, tallies, seen)
            _merge(top, root, 0)
        for tag in seen:
            tallies[tag].pages += 1
    lines = sorted(_lines(tallies, least_pages), key=lambda line: (-line.count, line.tag))
    return Inventory(number, tuple(lines), tuple(_walk(root, 0, least_pages)))


def _tops(html: str, body: str) -> Sequence[LexborNode]:
    page = LexborHTMLParser(html)
    page.strip_tags(_UNREAD)
    if body:
        return page.css(body)
    return [page.body] if page.body else []


def _count(top: LexborNode, url: str, tallies: dict[str, _Tally], seen: set[str]) -> None:
    for node in top.css("*"):
        tag = simplified(node)
        tally = tallies.setdefault(tag, _Tally())
        tally.count += 1
        tally.text += len(node.text(deep=True))
        tally.own_text += _own_text(node)
        tally.descendants += len(node.css("*")) - 1
        if tag not in seen and len(tally.samples) < _MOST_SAMPLES:
            tally.samples.append(url)
        seen.add(tag)


def _own_text(node: LexborNode) -> int:
    return len(" ".join(node.text(deep=False).split()))


def _merge(node: LexborNode, place: _Place, depth: int) -> None:
    below = place.children.setdefault(simplified(node), _Place())
    below.count += 1
    below.own_text += _own_text(node)
    if depth < _DEEPEST:
        for child in node.iter():
            _merge(child, below, depth + 1)


def _lines(tallies: dict[str, _Tally], least_pages: int) -> Iterator[TagLine]:
    for tag, tally in tallies.items():
        if tally.pages >= least_pages:
            yield TagLine(
                tag,
                tally.count,
                tally.pages,
                round(tally.text / tally.count, 1),
                round(tally.own_text / tally.count, 1),
                round(tally.descendants / tally.count, 1),
                tuple(tally.samples),
            )


def _walk(place: _Place, depth: int, least: int) -> Iterator[TreeLine]:
    for tag, below in sorted(place.children.items(), key=lambda pair: -pair[1].count):
        if below.count >= least:
            yield TreeLine(depth, tag, below.count, below.own_text, not below.children)
            yield from _walk(below, depth + 1, least)


def repeated_texts(pages: Sequence[Sequence[str]], share: float) -> frozenset[str]:
    """Return the texts that stand on at least this share of the pages: they are template."""
    counts = Counter(text for page in pages for text in set(page))
    return frozenset(text for text, times in counts.items() if times >= max(2, share * len(pages)))
