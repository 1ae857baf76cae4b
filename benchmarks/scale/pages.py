"""Pages for measuring growth: made, but with the words, the markup and the copies of real ones."""

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import escape
from itertools import islice, pairwise
from pathlib import Path

from izwi.demoweb import __file__ as demoweb
from izwi.model.capture import Capture, Lead

# What is common on the news sites of the extraction sets: half of a page's bytes are no text.
_STYLE = "".join(f".c{n}>.b{n}{{margin:{n}px;padding:0 {n}em;color:#{n:06x}}}" for n in range(150))
_SCRIPT = "".join(f"window.q{n}=function(a){{return a.push({n},'x<y')}};" for n in range(120))
_SITES = 40
# Texts whose words are used.
_TEXTS = 600
# Of a hundred pages so many are whole copies, and so many take over paragraphs.
_COPIES, _TAKING = 3, 10


class Writer:
    """Writes sentences by the pairs of words of real texts."""

    def __init__(self, texts: list[str]) -> None:
        self._following: dict[str, list[str]] = defaultdict(list)
        for text in texts:
            words = ["", *text.split(), ""]
            for word, following in pairwise(words):
                self._following[word].append(following)

    def paragraph(self, dice: random.Random, count: int) -> str:
        """Return a paragraph of at least so many words."""
        words: list[str] = []
        word = ""
        while len(words) < count or not word.endswith("."):
            word = dice.choice(self._following.get(word) or self._following[""])
            words += [word] if word else []
            if len(words) > 2 * count:
                break
        return " ".join(words) + "."


def read_texts(data: Path | None) -> list[str]:
    """Return real texts: of a set for extraction (`pages.jsonl.gz`), or those of the demo."""
    if data is None:
        folder = Path(demoweb).parent / "articles"
        names = ("agency", "braaiandbakkie", "egolipost", "umgeniherald")
        return [(folder / f"{name}.txt").read_text(encoding="utf-8") for name in names]
    with gzip.open(data, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in islice(lines, _TEXTS)]
    return [row["text"] for row in rows if row.get("text")]


@dataclass(frozen=True)
class Shape:
    """How long pages are: as on news sites, or short ones, of which many fit a machine."""

    # Of how many words a story has a paragraph, and of how many paragraphs it is.
    words: tuple[int, int]
    paragraphs: tuple[int, int]
    # So many entries of the menu, teasers, and of all the style and script this share.
    entries: int
    markup: float


LONG = Shape((25, 90), (8, 26), 40, 1.0)
SHORT = Shape((25, 55), (3, 6), 8, 0.1)


def captures(
    count: int, texts: list[str], first: int = 0, shape: Shape = LONG
) -> Iterator[Capture]:
    """Yield pages; page N is the same however many there are."""
    writer = Writer(texts)
    for number in range(first, first + count):
        yield _capture(number, writer, shape)


def _capture(number: int, writer: Writer, shape: Shape) -> Capture:
    site = number % _SITES
    day = _day(number)
    lead = Lead(url=address(number), source=f"site{site}")
    paragraphs = _paragraphs(number, writer, shape)
    body = _page(site, day, _title(number, writer), paragraphs, shape).encode()
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    return Capture(lead, day, 200, "OK", headers, body)


def _day(number: int) -> datetime:
    return datetime(2024, 1, 1, tzinfo=UTC) + timedelta(hours=number)


def address(number: int) -> str:
    """Return where a page is found."""
    return f"https://site{number % _SITES}.example/{_day(number):%Y/%m}/story-{number}"


def _title(number: int, writer: Writer) -> str:
    return writer.paragraph(random.Random(f"title {number}"), 6)


def _paragraphs(number: int, writer: Writer, shape: Shape) -> list[str]:
    """Return a story (a long one has about a thousand words); some have parts of earlier ones."""
    dice = random.Random(number)
    kind = dice.randrange(100)
    if number and kind < _COPIES:
        return _paragraphs(dice.randrange(number), writer, shape)
    many = dice.randint(*shape.paragraphs)
    own = [writer.paragraph(dice, dice.randint(*shape.words)) for _ in range(many)]
    if number and kind < _COPIES + _TAKING:
        own[1:1] = _paragraphs(dice.randrange(number), writer, shape)[:3]
    return own


def _page(site: int, day: datetime, title: str, paragraphs: list[str], shape: Shape) -> str:
    nav = "".join(
        f'<li class="c{n}"><a href="/section-{n}/">Section {n}</a></li>'
        for n in range(shape.entries)
    )
    style, script = (each[: int(len(each) * shape.markup)] for each in (_STYLE, _SCRIPT))
    aside = "".join(
        f'<div class="teaser"><a href="/{day:%Y}/story-{n}"><h3>Read on: {n}</h3></a>'
        f"<span>{n} comments</span></div>"
        for n in range(shape.entries * 5 // 8)
    )
    text = "".join(f'<p class="text">{escape(each)}</p>\n' for each in paragraphs)
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta property="og:site_name" content="Site {site}">'
        f'<meta property="article:published_time" content="{day:%Y-%m-%dT%H:%M:%SZ}">'
        f"<style>{style}</style><script>{script}</script></head><body>"
        f'<header><nav class="menu"><ul>{nav}</ul></nav></header><main><article>'
        f'<h1>{escape(title)}</h1><div class="story">{text}</div></article></main>'
        f"<aside>{aside}</aside><footer><p>Copyright Site {site}. All rights reserved.</p>"
        f'<ul>{nav}</ul></footer><script async src="/x.js"></script></body></html>'
    )
