"""A portal's rules: applied to a page, and proposed from pages.

Applied, they rewrite a page's markup, mark its body and read its claims. For proposals, what
repeats on every page is template (C 2.3). The main text of each page is what the default extractor
takes for it and what does not come again on other pages. The body is the element that holds it most
tightly on most pages. Rules are tried on the pages before they are offered: only what betters the
text or fills a gap is.

Which elements a portal's pages are made of: a dictionary of tags and the merged tree of pages.
After Indig and others 2020, 4.4: tags are simplified (numbers in names left out, so that the ids of
single articles fall together) and counted over all pages.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode

from izwi.model.capture import Hints
from izwi.model.document import Claim, Paragraph
from izwi.model.portal import Inventory, Portal, Rewritten, Rule, Suggestion, TagLine, TreeLine
from izwi.text.blocks import Segmented, segment
from izwi.text.extract.learnt import Izwi, IzwiOptions
from izwi.text.metadata.chosen import read_metadata
from izwi.text.metadata.claims import clean
from izwi.text.metadata.dates import find_date

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


# A text on so many of the pages is template.
TEMPLATE_SHARE = 0.3
# The body holds so much of the main text, on so many of the pages that have it.
_LEAST_TEXT = 0.8
_LEAST_PAGES = 0.6
# Inside the body an element is dropped if so little of its text is main text.
_MOST_MAIN = 0.1
_MOST_RULES = 12
# Rules are offered if the text gains so much F1, a field if so many more of the pages have it.
_LEAST_GAIN = 0.01
_LEAST_FILLED = 0.2
# Rules that fit the labels of fewer pages need not fit the next.
_FEWEST_LABELLED = 3
_UNREAD = ["script", "style", "noscript", "template", "svg", "head", "iframe", "rt", "rp", "rtc"]
_TITLES = "h1, h2"
_AUTHORS = '[rel="author"], [itemprop="author"], [class*="author"], [class*="byline"]'
_DATES = (
    'time, [itemprop="datePublished"], [class*="date"], [class*="posted"], [class*="published"]'
)


@dataclass
class _Element:
    """A simplified tag over all pages."""

    pages: int = 0
    text: int = 0
    main: int = 0
    covered: list[float] = field(default_factory=list)
    # F1 of its text against the main text, page by page.
    fits: list[float] = field(default_factory=list)


Lines = Sequence[tuple[str, bool]]


def suggest(pages: Sequence[str], labelled: Mapping[int, Lines] | None = None) -> Suggestion:
    """Return rules for pages of one portal, given as markup; only such as better their text.

    What is better is told by the lines of main text that people labelled (by the place of their
    page), else by those that are main text and the page's own; each with whether it is a heading.
    """
    extractor = Izwi(IzwiOptions())
    judged = [extractor(html) for html in pages]
    template = repeated_texts([[b.text for b in blocks] for blocks in judged], TEMPLATE_SHARE)
    if len(pages) < 2:
        template = frozenset()
    parsed = [_parsed(html) for html in pages]
    if labelled and len(labelled) < _FEWEST_LABELLED:
        labelled = None
    wanted = labelled or {at: _own(blocks, template) for at, blocks in enumerate(judged)}
    looked_at = [parsed[at] for at in wanted]
    mains = [{line for line, _ in lines} for lines in wanted.values()]
    # Headlines often stand above the element with the text, and are the title anyway.
    running = [{line for line, is_head in lines if not is_head} for lines in wanted.values()]
    counted = _counted(looked_at, running)
    body = _best_body(counted, len(wanted))
    drops = tuple(_drops(looked_at, mains, body))
    texts = {at: Counter(" ".join(line for line, _ in wanted[at]).split()) for at in wanted}
    without = _likeness((judged[at] for at in texts), texts)
    best, with_rules = Portal(), without
    for tried in (Portal(body, rules=drops), Portal(body), Portal(rules=drops)) if body else ():
        made = (_ruled(pages[at], tried, extractor) for at in texts)
        if (likeness := _likeness(made, texts)) > max(with_rules, without + _LEAST_GAIN):
            best, with_rules = tried, likeness
    found = counted.get(body, _Element())
    shown = sorted(template, key=lambda text: (-len(text), text))[:20]
    return Suggestion(
        _with_fields(best, pages, parsed),
        len(pages),
        sum(found.covered) / len(found.covered) if found.covered else 0.0,
        min(1.0, found.main / found.text) if found.text else 0.0,
        tuple(shown),
        without=without,
        with_rules=with_rules,
        labelled=len(labelled or ()),
    )


def _ruled(html: str, portal: Portal, extractor: Izwi) -> Iterable[Paragraph]:
    """Return the blocks of a page as a build with these rules would judge them."""
    page = rewrite(LexborHTMLParser(html), portal)
    return body_paragraphs(page.html) if page.has_body else extractor(page.html)


def _own(blocks: Iterable[Paragraph], template: Set[str]) -> Lines:
    found = (block for block in blocks if block.is_main and block.text not in template)
    return [(block.text, block.kind.startswith("h")) for block in found]


def _words(blocks: Iterable[Paragraph]) -> str:
    return "\n".join(block.text for block in blocks if block.is_main)


def _likeness(made: Iterable[Iterable[Paragraph]], wanted: Mapping[int, Counter[str]]) -> float:
    """Return the mean F1 of the words of pages against those wanted, in the same order."""
    scores = []
    for blocks, words in zip(made, wanted.values(), strict=True):
        found = Counter(_words(blocks).split())
        both = found.total() + words.total()
        scores.append(2 * (found & words).total() / both if both else 1.0)
    return sum(scores) / len(scores) if scores else 0.0


def _with_fields(
    portal: Portal, pages: Sequence[str], parsed: Sequence[LexborHTMLParser]
) -> Portal:
    """Return rules with the elements of title, author and date, each where many pages lack it."""
    known = [read_metadata(html, "", Hints(), captured=date.max) for html in pages]
    titles = Counter(one.title for one in known if one.title)
    have = {
        "title": sum(times == 1 for times in titles.values()),
        "author": sum(bool(one.author) for one in known),
        "date": sum(one.date is not None for one in known),
    }
    wanted: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
        ("title", _TITLES, lambda text: len(text) > 10),
        ("author", _AUTHORS, lambda text: 2 < len(text) < 80),
        ("date", _DATES, lambda text: bool(find_date(text))),
    )
    found = {name: _field(parsed, places, fits, len(pages)) for name, places, fits in wanted}
    least = max(1, _LEAST_FILLED * len(pages))
    lacked = {name: tag for name, (tag, times) in found.items() if times - have[name] >= least}
    title, author, date_ = (lacked.get(name, "") for name in found)
    return replace(portal, title=title, author=author, date=date_)


def _parsed(html: str) -> LexborHTMLParser:
    page = LexborHTMLParser(html)
    page.strip_tags(_UNREAD)
    return page


def _counted(parsed: Sequence[LexborHTMLParser], mains: Sequence[set[str]]) -> dict[str, _Element]:
    """Return for each tag how much main text it holds, on the pages where it comes once."""
    found: defaultdict[str, _Element] = defaultdict(_Element)
    for page, main in zip(parsed, mains, strict=True):
        total = sum(map(len, main))
        if not total or not page.body:
            continue
        once: dict[str, tuple[int, int]] = {}
        twice: set[str] = set()
        for node in page.body.css("*"):
            tag = simplified(node)
            if tag in once:
                twice.add(tag)
            elif "." in tag or "#" in tag or tag in ("article", "main"):
                once[tag] = _measured(node, main)
        for tag, (text, held) in once.items():
            if tag not in twice:
                element = found[tag]
                element.pages += 1
                element.text += text
                element.main += held
                element.covered.append(min(1.0, held / total))
                element.fits.append(2 * min(held, total) / (text + total))
    return found


def _measured(node: LexborNode, main: set[str]) -> tuple[int, int]:
    """Return how much text an element holds and how much of it is main text."""
    text = " ".join(node.text(deep=True, separator=" ").split())
    return len(text), sum(len(one) for one in main if one in text)


def _best_body(counted: dict[str, _Element], pages: int) -> str:
    """Return the selector whose text is most like the main text where it comes."""
    fit = {
        tag: sum(element.fits) / len(element.fits)
        for tag, element in counted.items()
        if element.pages >= max(1, _LEAST_PAGES * pages)
        and sum(element.covered) / len(element.covered) >= _LEAST_TEXT
    }
    return max(fit, key=lambda tag: (fit[tag], tag), default="")


def _drops(
    parsed: Sequence[LexborHTMLParser], mains: Sequence[set[str]], body: str
) -> Iterator[Rule]:
    """Yield rules that drop the elements inside the body that hold no main text."""
    found: defaultdict[str, _Element] = defaultdict(_Element)
    for page, main in zip(parsed, mains, strict=True):
        for root in page.css(body) if body else ():
            for node in root.css("*"):
                tag = simplified(node)
                if node.mem_id != root.mem_id and ("." in tag or "#" in tag):
                    text, held = _measured(node, main)
                    found[tag].pages += 1
                    found[tag].text += text
                    found[tag].main += held
    bad = {
        t: e for t, e in found.items() if e.text > 20 * e.pages and e.main <= _MOST_MAIN * e.text
    }
    for tag in sorted(bad, key=lambda tag: -bad[tag].text)[:_MOST_RULES]:
        yield Rule("drop", f"{body} {tag}")


def _field(
    parsed: Sequence[LexborHTMLParser], selector: str, fits: Callable[[str], bool], pages: int
) -> tuple[str, int]:
    """Return the tag with a fitting value on most pages, not one for all, and on how many."""
    values: defaultdict[str, set[str]] = defaultdict(set)
    counts: defaultdict[str, int] = defaultdict(int)
    for page in parsed:
        seen: set[str] = set()
        for node in page.css(selector):
            tag = simplified(node)
            stated = node.attributes.get("datetime") or node.text(deep=True, separator=" ")
            text = " ".join(stated.split())
            if tag not in seen and fits(text):
                seen.add(tag)
                values[tag].add(text)
                counts[tag] += 1
    good = [t for t in counts if counts[t] >= _LEAST_PAGES * pages and len(values[t]) * 3 >= pages]
    best = max(good, key=lambda tag: (counts[tag], len(values[tag]), -len(tag)), default="")
    return best, counts[best]


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
