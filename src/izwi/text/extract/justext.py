"""The jusText package (Pomikálek 2011) as an extractor."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import justext
import lxml.etree

from izwi.model.document import Paragraph

# jusText forgets white space that stands alone between two inline elements and would make
# "bluelight" of "<b>blue</b> <i>light</i>"; a space inside the first is not forgotten.
_INLINE_ENDS = re.compile(
    r"(?:</(?:a|abbr|b|cite|code|em|font|i|mark|q|s|small|span|strong|sub|sup|time|u)>\s*)+(?=<)",
    re.IGNORECASE,
)

# Elements of HTML 5 that jusText 3 takes for inline ones.
_HTML5_BLOCKS = re.compile(
    r"<(/?)(?:address|article|aside|figcaption|figure|footer|header|main|nav|section)(?=[\s>/])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class JustextOptions:
    """Settings of jusText; the numbers are the defaults of Pomikálek 2011, section 2.7.2."""

    # One of jusText's stop lists, such as "English"; without one, length and links decide.
    stoplist: str = ""
    # Blocks shorter than this many characters are short.
    length_low: int = 70
    # Blocks longer than this are good if they hold enough stop words.
    length_high: int = 200
    # Share of stop words below which a block is bad, and above which it is good.
    stopwords_low: float = 0.30
    stopwords_high: float = 0.32
    # Share of characters inside links above which a block is bad.
    max_link_density: float = 0.2
    # How many characters away from main text a heading may stand.
    max_heading_distance: int = 200

    def __post_init__(self) -> None:
        if self.stoplist and self.stoplist not in justext.get_stoplists():
            known = ", ".join(sorted(justext.get_stoplists()))
            raise ValueError(f"stoplist = '{self.stoplist}' is not one of: {known}")


class Justext:
    """Classifies blocks by length, links and stop words, then by their neighbours."""

    Options: ClassVar[type] = JustextOptions
    depends_on: ClassVar[tuple[str, ...]] = ("justext",)

    def __init__(self, options: JustextOptions) -> None:
        self._options = options

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return the blocks with jusText's class as the reason."""
        try:
            blocks = justext.justext(_with_gaps(html), self._stoplist, **self._arguments)
        except (lxml.etree.ParserError, lxml.etree.XMLSyntaxError):
            return ()
        return tuple(_paragraphs(blocks))

    @cached_property
    def _stoplist(self) -> frozenset[str]:
        name = self._options.stoplist
        return justext.get_stoplist(name) if name else frozenset()

    @cached_property
    def _arguments(self) -> dict[str, Any]:
        options = self._options
        has_stoplist = bool(options.stoplist)
        return {
            "length_low": options.length_low,
            "length_high": options.length_high,
            "stopwords_low": options.stopwords_low if has_stoplist else 0,
            "stopwords_high": options.stopwords_high if has_stoplist else 0,
            "max_link_density": options.max_link_density,
            "max_heading_distance": options.max_heading_distance,
        }


def _paragraphs(blocks: Any) -> Iterator[Paragraph]:
    for block in blocks:
        text = " ".join(block.text.split())
        if text:
            kind = "h" if block.is_heading else _kind(block.dom_path)
            yield Paragraph(text, kind, not block.is_boilerplate, block.class_type)


def _with_gaps(html: str) -> str:
    """Return the page with spaces and block borders where jusText would run words together."""
    parted = _HTML5_BLOCKS.sub(r"<\1div", html)
    return _INLINE_ENDS.sub(
        lambda ends: f" {ends[0]}" if any(map(str.isspace, ends[0])) else ends[0], parted
    )


def _kind(dom_path: str) -> str:
    """Return the kind of a block from the innermost telling element round it."""
    for element in reversed(dom_path.split(".")):
        if element in ("li", "blockquote", "td", "th", "figcaption", "pre"):
            return {"blockquote": "quote", "th": "td", "figcaption": "caption"}.get(
                element, element
            )
    return "p"
