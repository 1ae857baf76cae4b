"""A portal's rules applied to a page: its markup rewritten, its body marked, its claims read."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode

from izwi.model.document import Claim, Paragraph
from izwi.model.portal import Portal, Rewritten, Rule
from izwi.text.blocks import Segmented, segment
from izwi.text.metadata.claims import clean

# Set on the elements of a portal's body, so that the blocks inside them can be told.
_MARK = "data-izwi-body"
_PROPERTIES = {"title": "headline", "author": "author", "date": "datePublished"}
PORTAL = "portal"


def rewrite(page: LexborHTMLParser, portal: Portal) -> Rewritten:
    """Return a page as a portal's rules want it; it is another afterwards."""
    # Claims first: a rule may drop the line of the author from the text.
    claims = tuple(_claims(page, portal))
    for rule in portal.rules:
        _apply(page, rule)
    bodies = page.css(portal.body) if portal.body else []
    for node in bodies:
        node.attrs[_MARK] = "1"
    return Rewritten(page.html or "", bool(bodies), claims)


def body_paragraphs(html: str) -> tuple[Paragraph, ...]:
    """Return the blocks of a rewritten page: main text inside the portal's body."""
    page = segment(html)
    inside = _inside(page)
    marks = page.marks(np.array(inside, dtype=bool))
    rows = zip(page.texts, page.kinds, inside, strict=True)
    return tuple(
        Paragraph(text, kind, is_main, _REASONS[is_main], marks.get(place, ()))
        for place, (text, kind, is_main) in enumerate(rows)
    )


_REASONS = {True: "portal body", False: "outside the body"}


def _inside(page: Segmented) -> Sequence[bool]:
    marked: list[bool] = []
    for node in page.nodes:
        above = node.parent >= 0 and marked[node.parent]
        marked.append(above or _MARK in node.attributes)
    return [block.node >= 0 and marked[block.node] for block in page.blocks]


def _claims(page: LexborHTMLParser, portal: Portal) -> Iterator[Claim]:
    for key, name in _PROPERTIES.items():
        selector = getattr(portal, key)
        node = page.css_first(selector) if selector else None
        if node is None:
            continue
        attributes = node.attributes
        stated = attributes.get("datetime") or attributes.get("content") or ""
        value = clean(stated or node.text(deep=True, separator=" ")[:1000])
        if value:
            yield Claim(name, value, PORTAL)


def _apply(page: LexborHTMLParser, rule: Rule) -> None:
    for node in _chosen(page, rule):
        # What an earlier step of this rule took away with its parent is gone.
        if node.parent is not None:
            _OPERATIONS[rule.do](page, node, rule.to.split())


def _chosen(page: LexborHTMLParser, rule: Rule) -> list[LexborNode]:
    """Return the elements a rule is done to, the inner ones first."""
    if not rule.within:
        return list(page.css(rule.at))[::-1]
    found: dict[int, LexborNode] = {}
    for root in page.css(rule.within):
        found |= {node.mem_id: node for node in root.css(rule.at) if node.mem_id != root.mem_id}
    return list(found.values())[::-1]


def _drop(page: LexborHTMLParser, node: LexborNode, names: Sequence[str]) -> None:
    node.decompose()


def _unwrap(page: LexborHTMLParser, node: LexborNode, names: Sequence[str]) -> None:
    node.unwrap()


def _unwrap_below(page: LexborHTMLParser, node: LexborNode, names: Sequence[str]) -> None:
    inner = [child for child in node.css("*") if child.mem_id != node.mem_id]
    for child in inner[::-1]:
        child.unwrap()


def _rename(page: LexborHTMLParser, node: LexborNode, names: Sequence[str]) -> None:
    """Put what is inside into new elements, the first outermost, where the old one was."""
    if node.parent is None:
        return
    made = [page.create_node(name) for name in names]
    for key, value in node.attributes.items():
        made[0].attrs[key] = value or ""
    for child in node.iter(include_text=True):
        made[-1].insert_child(child)
    for outer, inner in zip(made[-2::-1], made[:0:-1], strict=True):
        outer.insert_child(inner)
    node.insert_before(made[0])
    node.decompose()


_OPERATIONS: Mapping[str, Callable[[LexborHTMLParser, LexborNode, Sequence[str]], None]] = {
    "drop": _drop,
    "unwrap": _unwrap,
    "unwrap-below": _unwrap_below,
    "rename": _rename,
    "split": _rename,
}
