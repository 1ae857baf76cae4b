"""Is a page a document, or does it list others? Is a page of a few words one?

Seen are the shapes of the main text (linked titles with a few lines below each, texts that break
off, dates, words that lead on), how long it goes on without one, what the address says and what the
extractor thinks the page is. What each counts is learnt from pages with known types and from made
listings of many markups (tools/train_listings.py).

Is a page of a few words a document: a note, an entry, a profile, a poem, a post? Such pages have an
address of their own and words of their own. What serves a site (ways to reach it, to log in, to
search), what says that nothing is there, and what only links to others is none.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise, takewhile
from urllib.parse import unquote, urlsplit

from izwi.model.addresses import PERSON, link_address
from izwi.model.document import Document, Mark, Metadata, Paragraph
from izwi.model.records import dataclass
from izwi.text.metadata.dates import find_date
from izwi.text.quality import count_words

# At least so likely, a page is called a listing; where nothing on it has a date or breaks off, as
# in overviews of services and manuals, it must be surer (docs/explanation/extraction.md).
LIKELY, SURER = 0.6, 0.9
_LEADS_ON = re.compile(
    r"(?i)\b(?:read (?:more|on|the|full)|continue reading|full (?:story|article)|more\s*»|lees meer"
    r"|weiterlesen|leer más|lire la suite|comments?$)"
)
_MONTH = r"(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|o[ck]t|nov|de[cz])\w*"
_DATE = re.compile(
    r"(?i)\b(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\.? {_MONTH}|{_MONTH}\.? \d{{1,2}}"
    r"|\d+ (?:hours?|days?|weeks?) ago)\b"
)
_LISTING_URL = re.compile(
    r"(?i)(?:^|/)(?:category|categories|tags?|topics?|archives?|author|page|section|search|blogs?|news"
    r"|index|all|latest|stories|feed|list)(?:[/.?-]|$)|[?&](?:page|p|paged|q|s)="
)
_BREAKS_OFF = ("...", "…", "[...]", "[…]")
_SEVERAL, _MANY_WORDS = 2, 100
# The front of a site with less of its own is a list if that is likeliest, and at least so likely:
# 7 of 15 lists at such addresses, 1 of 38 others (hosts held out, docs/explanation/extraction.md).
_FRONT_WORDS, _MAYBE = 200, 0.4
# So many links and hardly anything else are an index; with next to nothing else, a few are.
_INDEX, _SMALL_INDEX, _NEARLY_ALL = 10, 3, 0.8
# So many of the blocks of an index are links.
_MOST_BLOCKS = 0.8
# A page with a stretch of so many words says something itself.
_LONG_STRETCH = 200
# Blocks of so many words are prose.
_PROSE = 40
_DAY_ADDRESS = re.compile(r"(?:^|/)(?:19|20)\d\d/\d\d?/\d\d?/?$")
_DATED_ARCHIVE = re.compile(r"(?:^|/)(?:19|20)\d\d(?:/\d\d?){0,2}/?$")
# A name of so many words is a story's.
_NAMED = re.compile(r"/[^/-]+(?:-[^/-]+){3,}/")
_LIST = r"(?:archives?|latest|news|blogs?|stories|articles|index|all)"
_LABEL = (
    r"(?:category|categories|tags?|tagged|topics?|sections?|labels?|search/label|taxonomy/term)"
)
_SECTION = rf"{_LABEL}/[^/]+"
# What somebody wrote is listed there.
_WRITER_ADDRESS = re.compile(
    r"(?i)/(?:profiles?|people|authors?|writers?|contributors?|staff|columnists?)/[^/]+/?$"
)
_SECTION_ADDRESS = re.compile(rf"(?i)(?:^|/){_SECTION}/?$")
_NUMBERED_LIST = re.compile(
    rf"(?i)(?:^|/)(?:{_LIST}|{_SECTION})(?:/page/\d+/?|/?\?(?:.*&)?(?:page|paged|p)=\d+)$"
    # A site's own front goes on so; other names of its pages may have numbers, too.
    r"|^\w+://[^/]+/(?:page/\d+/?|(?:index\.\w+)?\?(?:paged|start|offset|limitstart)=\d+)$"
)
# Some sites have the addresses of their pages there ("?q=node/7"), or a visitor's number.
_SEARCH_ADDRESS = re.compile(r"(?i)/(?:index\.\w+|search/?)?\?(?:s|q|query|search)=[^&/]*$")
# Where one writes to a site, logs in or pays; what is taken for text there stands on every page.
_FORM_ADDRESS = re.compile(
    r"(?i)/(?:(?:contact|kontakt?)(?:[-_]?us|[-_]?ons)?|log-?in|sign-?(?:in|up)|register|cart|checkout"
    r"|wp-login|lost-?password)(?:\.\w+)?/?$"
)
# What programs that write manuals call their indexes of terms; some entries say a line of each.
_TERMS_ADDRESS = re.compile(
    r"(?i)/(?:genindex(?:-[^/.]+)?|(?:py-?)?modindex|index-all|allclasses(?:-\w+)?)\.x?html?$"
)
# A text goes on for longer than this without the title of another page; one block of so many words
# is the text itself.
_SHORT_STRETCH, _LONG_TEXT = 60, 25
# A title has so many words, and most of its letters are linked.
_TITLE_WORDS, _MOSTLY = (2, 25), 0.7
# A link at the beginning of a longer block is its title from this length on.
_LONG_LINK, _LONG_BLOCK = 12, 8
# What leads on, "Read more" in any language, is no longer.
_LONGEST_LEAD = 40
# How likely a type is that an extractor names without a chance.
_UNSAID = 0.7
# Lengths of blocks are alike in steps of so many words, and from here on all are.
_SHAPE_STEP, _LONGEST_SHAPE = 8, 6
NAMES = (
    "words", "linked", "titles", "teasers", "breaks", "mores", "dates", "listing url",
    "numbered", "named", "long", "longest", "targets", "listing", "collection", "article", "file",
    "stretch", "stretch words", "stretches", "usual stretch", "short stretches", "same shape",
)  # fmt: skip
_LISTING_ADDRESS = NAMES.index("listing url")


@dataclass(frozen=True, slots=True)
class Seen:
    """What tells listings from documents, each as a number, and the counts people understand."""

    values: tuple[float, ...]
    titles: int
    teasers: int
    # Whether anything is seen that leads to several other pages; a short page alone is no listing.
    is_telling: bool
    # What leaves no doubt, in words; empty if nothing does.
    sure: str = ""
    # How likely it must be to be called a listing.
    least: float = LIKELY

    @property
    def evidence(self) -> str:
        """What was seen, in words."""
        titles, teasers = self.titles, self.teasers
        if self.sure:
            return f"listing: {self.sure}; linked titles: {titles}, with text below: {teasers}"
        return f"listing: linked titles: {titles}, with text below: {teasers}"


@dataclass(frozen=True, slots=True)
class ListingModel:
    """A logistic regression: what each value counts, and the sum where nothing is seen."""

    weights: tuple[float, ...]
    bias: float

    def chance(self, seen: Seen) -> float:
        """Return how likely a page is a listing."""
        if seen.sure:
            return 1.0
        if not seen.is_telling:
            return 0.0
        total = sum(a * b for a, b in zip(self.weights, seen.values, strict=True)) + self.bias
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@cache
def shipped_listings() -> ListingModel:
    """Return the model that comes with izwi."""
    text = (files("izwi") / "models" / "listings.json").read_text(encoding="utf-8")
    read = json.loads(text)
    return ListingModel(tuple(read["weights"][name] for name in NAMES), read["bias"])


def look(document: Document) -> Seen:
    """Return what is seen of a document's main text, its address and its type."""
    main = [each for each in document.paragraphs if each.is_main]
    blocks = list(_blocks(main, document.url))
    words = sum(block.words for block in blocks)
    total, count = max(words, 1), max(len(blocks), 1)
    titles = sum(block.is_title or block.has_title for block in blocks)
    teasers = [each for before, each in pairwise([_NOTHING, *blocks]) if _is_teaser(each, before)]
    targets = {target for block in blocks for target in block.targets}
    stretches = _stretches(blocks)
    breaks = sum(block.breaks_off for block in blocks)
    prose = sum(block.words for block in blocks if block.words >= _PROSE)
    values = (
        math.log1p(words),
        sum(block.linked * block.words for block in blocks) / total,
        titles / count,
        sum(block.words for block in teasers) / total,
        breaks / count,
        math.log1p(sum(block.leads_on for block in blocks)),
        math.log1p(sum(block.has_date for block in blocks)),
        *_seen_of_address(document.url),
        prose / total,
        max((block.words for block in blocks), default=0) / total,
        math.log1p(len(targets)),
        *_types(document.metadata),
        float("." in _last_part(document.url)),
        max(stretches) / total,
        math.log1p(max(stretches)),
        math.log1p(len(stretches)),
        # How much is said of each thing on the page, and whether all are shown alike.
        math.log1p(sorted(stretches)[len(stretches) // 2]),
        sum(each for each in stretches if each < _SHORT_STRETCH) / total,
        max(Counter(map(_shape, blocks)).values(), default=0) / count,
    )
    called = document.metadata.page_type
    # A shop's page for one kind of goods may have a text of its own.
    is_called = called == "listing" or (called == "collection" and prose < _LONG_STRETCH)
    mores = sum(block.leads_on for block in blocks)
    has_many = words >= _MANY_WORDS or len(targets) > _SEVERAL
    is_telling = max(titles, breaks, mores) >= _SEVERAL or (is_called and has_many)
    sure = _surely(document, blocks, values, len(teasers), max(stretches))
    is_dated = any(block.has_date for block in blocks)
    least = LIKELY if breaks or is_dated else SURER
    return Seen(values, titles, len(teasers), is_telling, sure, least)


def _types(metadata: Metadata) -> tuple[float, ...]:
    """Return how likely the page is a listing, a collection, an article, as its extractor says."""
    chances = metadata.type_chances or {metadata.page_type: _UNSAID}
    return tuple(chances.get(name, 0.0) for name in ("listing", "collection", "article"))


def _surely(
    document: Document,
    blocks: Sequence["_Block"],
    values: Sequence[float],
    teasers: int,
    longest: int,
) -> str:
    """Return what makes a page a listing without doubt; the model has not seen enough of these."""
    path = urlsplit(document.url).path
    targets = {target for block in blocks for target in block.targets}
    # Laws have a year and a number, and some stories' addresses end in their day.
    is_archive = bool(_DATED_ARCHIVE.search(path)) and not _NAMED.search(path)
    is_list = teasers or (longest < _SHORT_STRETCH and not _is_of_a_day(path, document, blocks))
    if is_archive and is_list:
        return "the address of a day, a month or a year"
    if _NUMBERED_LIST.search(document.url):
        return "the address of a numbered page of a list"
    if _SEARCH_ADDRESS.search(document.url) and (teasers or longest < _SHORT_STRETCH):
        return "the address of a search"
    if _FORM_ADDRESS.search(path) and sum(block.words for block in blocks) < _SHORT_STRETCH:
        return "the address of a form, and little text"
    if _TERMS_ADDRESS.search(path) and len(targets) >= _SEVERAL:
        return "the address of an index of terms"
    if values[1] > _MOSTLY and len(targets) >= _INDEX:
        return "links and hardly anything else"
    if values[1] > _NEARLY_ALL and len(targets) >= _SMALL_INDEX:
        return "links and hardly anything else"
    # A line below the links of an index, of one word each, has as many words as half of them.
    are_links = sum(block.linked > _NEARLY_ALL for block in blocks) >= _MOST_BLOCKS * len(blocks)
    if are_links and len(targets) >= _INDEX and longest < _SHORT_STRETCH:
        return "links and hardly anything else"
    beginning = list(takewhile(lambda block: block.words < _LONG_TEXT, blocks))
    # Forums link the day of each post to a page of its own below the thread's: that is no title.
    titles = (block for block in beginning if block.is_title and not block.has_date)
    first = next(titles, _NOTHING)
    # The front of a site is a folder, too; where addresses have parameters it may be any page.
    is_front = path == "/" and not urlsplit(document.url).query
    room = _SHORT_STRETCH if is_front else _LONG_STRETCH
    is_folder = path.endswith("/") and (is_front or len(path) > 1) and longest < room
    if is_folder and any(_is_below(target, document.url, document.url) for target in first.targets):
        return "it begins with the title of a page below its own address"
    # Sections are called so without a slash at their end, too, as manuals' chapters are.
    is_section = path != "/" and "." not in _last_part(document.url) and longest < _SHORT_STRETCH
    below = f"{document.url.rstrip('/')}/"
    is_above = any(_is_below(target, document.url, below) for target in first.targets)
    if is_section and teasers >= _SEVERAL and is_above:
        return "it begins with the title of a page below its own address"
    if values[_LISTING_ADDRESS] and teasers >= _SEVERAL and longest < _SHORT_STRETCH:
        return "the address of a section, and teasers"
    if _WRITER_ADDRESS.search(path) and teasers >= _SEVERAL and longest < _SHORT_STRETCH:
        return "the address of a writer, and teasers"
    if _shows_one_other(blocks, document.url):
        return "it has a heading, and the title of another page with its beginning"
    if _SECTION_ADDRESS.search(path) and longest < _SHORT_STRETCH:
        return "the address of a section, and little text"
    is_short = values[0] < math.log1p(_FRONT_WORDS)
    if path in ("", "/") and is_short and _is_likeliest_list(document.metadata):
        return "the front of a site, little text, and most likely a list"
    return ""


def _is_of_a_day(path: str, document: Document, blocks: Sequence["_Block"]) -> bool:
    """Whether a page at the address of a day is what a diary says of it, and no archive of posts.

    It has a text and a heading at most, is whole, leads to no other page, stands in no folder of
    lists, and does not say that nothing is there.
    """
    if not _DAY_ADDRESS.search(path) or _LISTING_URL.search(path):
        return False
    if _NOTHING_THERE.search(document.text):
        return False
    is_alone = not any(block.targets or block.breaks_off or block.leads_on for block in blocks)
    heads = sum(block.kind == "h" for block in blocks)
    return is_alone and heads <= 1 and any(block.words >= _LONG_BLOCK for block in blocks)


def _shows_one_other(blocks: Sequence["_Block"], url: str) -> bool:
    """Whether a page is a heading above the linked title of another page, with a line or two of it.

    So do lists of a label or of a writer that have one entry.
    """
    first, second, *rest = [*blocks, _NOTHING, _NOTHING]
    are_heads = first.kind == second.kind == "h" and not first.targets and second.is_title
    if not are_heads or sum(block.words for block in rest) >= _SHORT_STRETCH:
        return False
    there, here = urlsplit(link_address(url, second.targets[0])), urlsplit(url)
    is_other = there.path.rstrip("/") != here.path.rstrip("/")
    return there.netloc == here.netloc and is_other and any(block.words for block in rest)


def _is_likeliest_list(metadata: Metadata) -> bool:
    """Whether the extractor thinks a page a list sooner than anything else."""
    likeliest = max(metadata.type_chances.items(), key=lambda each: each[1], default=("", 0.0))
    return likeliest[0] in ("listing", "collection") and likeliest[1] >= _MAYBE


def _is_below(target: str, url: str, folder: str) -> bool:
    """Whether a page's link leads to a page in a folder."""
    there = link_address(url, target).partition("#")[0]
    rest = there.removeprefix(folder)
    return there.startswith(folder) and len(rest) > 1 and not rest.startswith("?")


@dataclass(frozen=True, slots=True)
class _Block:
    kind: str
    words: int
    # Share of its letters that are linked.
    linked: float
    is_title: bool
    has_title: bool
    breaks_off: bool
    leads_on: bool
    has_date: bool
    targets: tuple[str, ...]


def _blocks(paragraphs: Sequence[Paragraph], url: str) -> Iterator[_Block]:
    own = ("#", f"{url}#", f"{_last_part(url)}#")
    for paragraph in paragraphs:
        text = paragraph.text.rstrip()
        links = [mark for mark in paragraph.marks if _leads_away(mark, own)]
        linked = sum(mark.end - mark.start for mark in links) / max(len(paragraph.text), 1)
        words = len(text.split()) if text.isascii() else count_words(text)
        is_name = bool(links) and all(PERSON.search(mark.target) for mark in links)
        is_title = _TITLE_WORDS[0] <= words <= _TITLE_WORDS[1] and linked > _MOSTLY and not is_name
        # In whatever language a teaser leads on, its text breaks off before the link that does so.
        body = text[: links[-1].start].rstrip() if _ends_linked(text, links) else text
        begins = bool(links) and links[0].start <= 2 and links[0].end >= _LONG_LINK
        yield _Block(
            paragraph.kind,
            words,
            linked,
            is_title,
            not is_title and begins and words >= _LONG_BLOCK,
            text.endswith(_BREAKS_OFF) or body.endswith(_BREAKS_OFF),
            bool(_LEADS_ON.search(text[-40:])) or (body != text and body.endswith(_BREAKS_OFF)),
            _has_date(text, words),
            tuple(mark.target for mark in links),
        )


def _leads_away(mark: Mark, own: tuple[str, ...]) -> bool:
    """Whether a mark is a link to another page: not a name, nor a place on this one.

    A manual's table of contents leads down its own page, and XHTML read as HTML leaves the names of
    places open, round all that follows.
    """
    return mark.name == "a" and bool(mark.target) and not mark.target.startswith(own)


def _ends_linked(text: str, links: Sequence[Mark]) -> bool:
    """Whether a text ends in a link of a few words, but for arrows."""
    if not links:
        return False
    last = links[-1]
    return last.start > 0 and len(text) - last.end <= 2 and last.end - last.start <= _LONGEST_LEAD


def _has_date(text: str, words: int) -> bool:
    """Whether a block is a line with a date, or ends in one; months are known in all languages."""
    if words <= 30 and (_DATE.search(text[:60]) or find_date(text[:60])):
        return True
    return bool(_DATE.search(text[-25:]))


_NOTHING = _Block("", 0, 0.0, False, False, False, False, False, ())


def _shape(block: _Block) -> tuple[str, bool, int]:
    """Return what blocks of the same sort in a list have in common."""
    length = min(block.words // _SHAPE_STEP, _LONGEST_SHAPE)
    return block.kind, block.is_title or block.has_title, length


def _is_teaser(block: _Block, before: _Block) -> bool:
    below = before.is_title and block.words >= 6 and block.linked < 0.5
    return below or block.has_title


def _stretches(blocks: Sequence[_Block]) -> list[int]:
    """Return the lengths of text in words between what is linked; at least one."""
    found, run = [], 0
    for block in blocks:
        if block.is_title or block.linked > _MOSTLY:
            found.append(run)
            run = 0
        elif block.has_title:
            found.append(run)
            run = block.words
        else:
            run += block.words
        if block.leads_on and block.targets:
            found.append(run)
            run = 0
    return [each for each in (*found, run) if each] or [0]


def _seen_of_address(url: str) -> tuple[float, float, float]:
    """Return whether an address speaks of a listing, has a number, has a name of several words."""
    parts = urlsplit(url)
    whole, last = f"{parts.path}?{parts.query}" if parts.query else parts.path, _last_part(url)
    is_numbered = bool(re.search(r"\d{3,}", last))
    return float(bool(_LISTING_URL.search(whole))), float(is_numbered), float(last.count("-") >= 3)


def _last_part(url: str) -> str:
    return urlsplit(url).path.strip("/").rsplit("/", 1)[-1]


# Below so many words a page is short, and from so many on it may be a document.
SHORT, _SHORTEST = 20, 3
_MOSTLY_LINKED = 0.5
# Folders and names of pages that serve a site; longer names may only hold such a word.
_SERVICE = re.compile(
    r"(?i)(?:contact\w*|kontakt\w*|kontak|about(?:us)?|imprint|impressum|privacy\w*|datenschutz|terms"
    r"|legal|disclaimer|cookies?|log-?in|log-?out|sign-?(?:in|up|out)|register|registration|account"
    r"|passwords?|search|suche|zoek|recherche|buscar|cart|basket|checkout|wishlist|subscribe"
    r"|unsubscribe|newsletter|feed|rss|sitemap|share|errors?|404|403|500|admin|wp-\w+|advertising|advertise"
    r")(?:\.\w+)?"
)
# Names of a folder's own page; behind one some systems write the address of any other.
_OWN_PAGE = re.compile(r"(?i)(?:index|home|default|menu|nav)(?:\.\w+)?")
_NOTHING_THERE = re.compile(
    r"(?i)\b(?:not found|not exist|no (?:results?|posts?|entries|pages|items|articles|events)"
    r"|nothing (?:here|found)|access denied|not available|being redirected|enable javascript"
    r"|logged in|sign in|coming soon|under construction|nicht gefunden|niet gevonden|nie gevind"
    r"|introuvable|no encontrad\w*|não encontrad\w*|click here)\b"
)


def is_note(document: Document, words: int) -> bool:
    """Return whether a page with less text than others need is a document all the same."""
    if words < _SHORTEST:
        return False
    return not (
        _serves(document.url) or _NOTHING_THERE.search(document.text) or is_mostly_linked(document)
    )


def _serves(url: str) -> bool:
    """Whether an address is that of a site, or of a page that serves it."""
    parts = urlsplit(url)
    folders = [part for part in unquote(parts.path).split("/") if part]
    if not folders and not parts.query:
        return True
    names = [*folders, *(re.split(r"[-_]", folders[-1]) if folders else ())]
    # Of a name of many words one may well be such a word.
    names = names if len(names) <= len(folders) + 2 else folders
    if folders and _OWN_PAGE.fullmatch(folders[-1]) and not parts.query:
        return True
    return any(_SERVICE.fullmatch(name) for name in names)


def is_mostly_linked(document: Document) -> bool:
    """Return whether most of a page's text leads elsewhere, as that of a menu does."""
    main = [block for block in document.paragraphs if block.is_main]
    links = (mark for block in main for mark in block.marks if mark.name == "a" and mark.target)
    linked = sum(mark.end - mark.start for mark in links)
    return linked > _MOSTLY_LINKED * sum(len(block.text) for block in main)
