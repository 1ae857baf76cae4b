"""Rules proposed from a portal's pages: what repeats on every page is template (C 2.3).

The main text of each page is what the default extractor takes for it and what does not come again
on other pages. The body is the element that holds it most tightly on most pages.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from izwi.model.portal import Portal, Rule, Suggestion
from izwi.text.dates import find_date
from izwi.text.extract.learnt import Izwi, IzwiOptions
from izwi.text.portal.inventory import repeated_texts, simplified

# A text on so many of the pages is template.
TEMPLATE_SHARE = 0.3
# The body holds so much of the main text, on so many of the pages that have it.
_LEAST_TEXT = 0.9
_LEAST_PAGES = 0.6
# Inside the body an element is dropped if so little of its text is main text.
_MOST_MAIN = 0.1
_MOST_RULES = 12
_UNREAD = ["script", "style", "noscript", "template", "svg", "head", "iframe"]
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


def suggest(pages: Sequence[str]) -> Suggestion:
    """Return rules for pages of one portal, given as markup."""
    judged = [Izwi(IzwiOptions())(html) for html in pages]
    template = repeated_texts([[b.text for b in blocks] for blocks in judged], TEMPLATE_SHARE)
    if len(pages) < 2:
        template = frozenset()
    own = [[b for b in blocks if b.is_main and b.text not in template] for blocks in judged]
    mains = [{b.text for b in blocks} for blocks in own]
    # Headlines often stand above the element with the text, and are the title anyway.
    running = [{b.text for b in blocks if not b.kind.startswith("h")} for blocks in own]
    parsed = [_parsed(html) for html in pages]
    counted = _counted(parsed, running)
    body = _best_body(counted, len(pages))
    portal = Portal(
        body=body,
        title=_field(parsed, _TITLES, lambda text: len(text) > 10, len(pages)),
        author=_field(parsed, _AUTHORS, lambda text: 2 < len(text) < 80, len(pages)),
        date=_field(parsed, _DATES, lambda text: bool(find_date(text)), len(pages)),
        rules=tuple(_drops(parsed, mains, body)),
    )
    found = counted.get(body, _Element())
    shown = sorted(template, key=lambda text: (-len(text), text))[:20]
    return Suggestion(
        portal,
        len(pages),
        sum(found.covered) / len(found.covered) if found.covered else 0.0,
        min(1.0, found.main / found.text) if found.text else 0.0,
        tuple(shown),
    )


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
    return found


def _measured(node: LexborNode, main: set[str]) -> tuple[int, int]:
    """Return how much text an element holds and how much of it is main text."""
    text = " ".join(node.text(deep=True, separator=" ").split())
    return len(text), sum(len(one) for one in main if one in text)


def _best_body(counted: dict[str, _Element], pages: int) -> str:
    """Return the selector that holds nearly all main text and least else."""
    fit = {
        tag: element
        for tag, element in counted.items()
        if element.pages >= max(1, _LEAST_PAGES * pages)
        and sum(element.covered) / len(element.covered) >= _LEAST_TEXT
    }
    return min(fit, key=lambda tag: (fit[tag].text / fit[tag].pages, tag), default="")


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
) -> str:
    """Return the tag that on most pages has a fitting value, a different one on each."""
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
    return max(good, key=lambda tag: (counts[tag], len(values[tag]), -len(tag)), default="")
