"""Basic cleaning of blocks (Schäfer and Bildhauer 2012, 3.1): what writers and systems leave.

Markup spelled with character references, identical lines in a row, runs of punctuation, lines that
say that an advertisement follows.
"""

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from html import unescape
from itertools import accumulate

from izwi.model.document import Paragraph
from izwi.text.decode import tidy

_TAG = re.compile(
    r"</?(?:p|br|hr|b|i|u|em|strong|div|span|a|font|img|ul|ol|li|h[1-6]|table|tr|td|center|sup|sub)"
    r"(?:\s[^<>]{0,500})?\s*/?>",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"&(?:nbsp|amp|quot|lt|gt|apos|[lr][sd]quo|[mn]dash|hellip|#\d{1,6});")
_RUN = re.compile(r"([!?.,;:*~=_#+|•·-])\1{3,}")
# A block without any of these has nothing that `clean_line` changes.
_SIGNS = ("<", "&", *(mark * 4 for mark in "!?.,;:*~=_#+|•·-"))
# Text that is about markup names a tag; text that has markup by mistake closes it, too.
_LEAST_TAGS = 2
# As long as a run of one mark may be.
_LONGEST_RUN = 3
# In these kinds signs and repetitions mean something.
_AS_WRITTEN = frozenset({"pre", "code"})
_REPEATS = "repeated line"
_LONGEST_REPEATED = 160
_ADVERTISES = "advertisement"
# A line for an advertisement, alone, or one that a story goes on below it, with what it says.
_ADVERTISEMENT = re.compile(
    r"(?i)\W*(?:advertisements?|advert|werbung|anzeige|advertensie|advertentie|publicité|publicidad"
    r"|publicidade|pubblicità|annonce|annons|reklama?|isikhangiso|реклама|広告|광고|广告)\W*$"
    r"|\W*(?:story|article|post|text|report) continues (?:below|after|beneath)"
    r" (?:this |the |our )?(?:ads?|adverts?|advertisements?)\b"
)
_LONGEST_ADVERTISEMENT = 300


def cleaned(blocks: Sequence[Paragraph]) -> tuple[Paragraph, ...]:
    """Return blocks tidied; most blocks have nothing to clean, and looking at all is quick."""
    whole = "\n".join([block.text for block in blocks])
    if tidy(whole) != whole:
        blocks = tuple(_tidied(blocks))
        whole = "\n".join([block.text for block in blocks])
    if places := _places(whole, blocks):
        blocks = tuple(_as_lines(blocks, places))
    return tuple(without_repeats(blocks))


def _places(whole: str, blocks: Sequence[Paragraph]) -> set[int]:
    """Return the numbers of the blocks that hold a sign, from the text of all, one block a line."""
    # Most marks are nowhere, and one is found more quickly than a run of them.
    signs = [sign for sign in _SIGNS if sign[0] in whole and sign in whole]
    if not signs:
        return set()
    ends = list(accumulate(len(block.text) + 1 for block in blocks))
    found = set()
    for sign in signs:
        at = whole.find(sign)
        while at >= 0:
            place = bisect_right(ends, at)
            found.add(place)
            at = whole.find(sign, ends[place])
    return found


def clean_line(text: str) -> str:
    """Return a text without markup spelled with references and with short runs of marks.

    >>> clean_line("One&lt;br&gt;&lt;br /&gt;two!!!!!!!")
    'One two!!!'
    """
    once = unescape(text) if _REFERENCE.search(text) else text
    if len(_TAG.findall(once)) >= _LEAST_TAGS:
        once = _TAG.sub(" ", once)
    once = _RUN.sub(lambda run: run[1] * _LONGEST_RUN, once)
    return " ".join(tidy(once).split())


def without_repeats(blocks: Iterable[Paragraph]) -> Iterator[Paragraph]:
    """Yield blocks; main text that says again what the line before it said is main no more.

    Systems repeat headings, captions and buttons; a long paragraph said twice was written so.
    Nor is an advertisement that says it is one.
    """
    before = ""
    for block in blocks:
        if not block.is_main or block.kind in _AS_WRITTEN or block.kind == "td":
            yield block
            continue
        is_again = block.text == before and len(block.text) <= _LONGEST_REPEATED
        reason = _REPEATS if is_again else _ADVERTISES if _advertises(block) else ""
        yield replace(block, is_main=False, reason=reason) if reason else block
        before = block.text


def _advertises(block: Paragraph) -> bool:
    """Return whether a block says that it is an advertisement; a heading may be about them."""
    is_short = block.kind == "p" and len(block.text) <= _LONGEST_ADVERTISEMENT
    return is_short and _ADVERTISEMENT.match(block.text) is not None


def _tidied(blocks: Iterable[Paragraph]) -> Iterator[Paragraph]:
    for block in blocks:
        if text := tidy(block.text).strip():
            yield replace(block, text=text, marks=())


def _as_lines(blocks: Iterable[Paragraph], places: Container[int]) -> Iterator[Paragraph]:
    for place, block in enumerate(blocks):
        if place not in places or block.kind in _AS_WRITTEN:
            yield block
        elif text := clean_line(block.text):
            yield replace(block, text=text, marks=())
