"""Which patterns of URLs bring the same again: calendars, session ids, facets, endless paths.

Every URL belongs to three patterns: its host, its first folder, its shape (digits, tokens, slugs
and values of parameters taken out). Each begins with a credit. A page costs only if it is the same
again: every pair of words and every line of it was on pages of its host before, but for what echoes
its own address, and it leads nowhere but to more of its shape (inside one folder only the first few
shapes count: facets have no end of them) or to shapes that bring nothing any more, such as known
pages under ever new tokens. A page that brings little, such as a note, an entry or a profile, costs
nothing, and one that brings more earns. One that brings nothing but names of links like itself, is
missing, or sends its reader to what is known costs a quarter. A pattern without credit is asked no
more; but a folder full of forms does not end the shapes in it that bring something, and a few that
nobody has tried are tried. So an archive of a hundred thousand notes goes on for ever, and a
calendar of empty months ends after a few.
"""

import heapq
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import unquote

import xxhash

from izwi.gather.address_shapes import (
    bare_address,
    carries,
    former_names,
    host_in,
    patterns,
    places_of,
    shape_of,
    winding,
)
from izwi.gather.combinations import Combinations
from izwi.gather.evidence import MOST_FACTS, Evidence, number
from izwi.gather.made_up import Doubts, Probe
from izwi.gather.memory import Memory, fact
from izwi.gather.variants import Variants
from izwi.gather.views import is_view
from izwi.model.capture import Lead
from izwi.model.document import Verdict, dropped
from izwi.store.catalog import Catalog
from izwi.store.leads import split_url

STAGE = "fetch"
# A page earns if so many of its pairs of words are new, and costs if none is.
_MUCH_NEW = 8
# Pairs of words remembered of a page: those of the smallest hashes, so the same of the same text.
# Fewer (64 were tried) miss a short note below a long menu, and the site looks like a trap.
_MOST_PAIRS = 512
# Common words in a new order are new from this length on. Fewer lines of a long text tell nothing.
_LINE, _FEWEST_LINES = 4, 8
_MOST_SHAPES = 6
# So many pages of a shape in a row without anything new, and a link to it leads nowhere new.
_BARREN, _BARREN_DOOR = 4, 2
# What a page costs that goes round in a circle; so many of these, and few shapes are tried.
_CIRCLE, _MANY_CIRCLES = 2, 3
# Pages of a host are counted so far.
_MOST_PAGES = 1 << 31
# What costs a quarter: every so many of these cost one. A page that brings a little earns half: a
# law of short sections goes on though some are repealed.
_QUARTER, _HALF = 4, 2
# A page that brought text makes up for so many that did not, up to so many together; and so many
# shapes that nobody tried are tried in a folder, or on a host, that has no credit left, few of them
# variants of one page: facets put together must not use up what other pages need.
_ONE_FRUIT, _MOST_FRUIT, _MOST_TRIALS, _MOST_VARIANTS = 3, 9, 10, 3
_WORDS = re.compile(r"[^\W\d_]+")
# What calendars and archives turn over; in other languages these are few pairs, too.
_CALENDAR = re.compile(
    r"(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)[a-z]*|may|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
    r"|[ap]m|th|st|nd|rd|page|next|previous"
)


@dataclass(slots=True)
class Traps:
    """The credits of all patterns met in this run; the catalog keeps them for the next."""

    catalog: Catalog
    # Patterns of which a curator says that they are none.
    opened: frozenset[str] = frozenset()
    _seen: Memory = field(default_factory=lambda: Memory(MOST_FACTS))
    _known: Evidence = field(init=False)
    _variants: Variants = field(init=False)
    _doubts: Doubts = field(init=False)
    _combinations: Combinations = field(init=False)

    def __post_init__(self) -> None:
        self._known = Evidence(self.catalog, self._seen)
        self._variants = Variants(self._known)
        self._doubts = Doubts(self._known)
        self._combinations = Combinations(self._known)

    def verdict(self, url: str) -> Verdict | None:
        """Return why a URL found by a link is not worth a request, None if it is."""
        if self._is_opened(url):
            return None
        circle = winding(url)
        if circle is not None:
            return circle
        if is_view(url):
            return dropped(STAGE, "view", detail=shape_of(url))
        made_up = self._doubts.made_up(places_of(url))
        if made_up is not None:
            return dropped(STAGE, "made-up", detail=made_up)
        if self._variants.is_one(url, shape_of(url)) or self._combinations.is_needless(url):
            return dropped(STAGE, "variant", detail=shape_of(url))
        for name, pattern, credit in patterns(url):
            if self._known.count(pattern, credit) <= 0 and not self._is_excused(name, url):
                return dropped(STAGE, "trap", value=0, threshold=credit, detail=name)
        return None

    def is_barren(self, url: str) -> bool:
        """Whether pages like a part of another one brought nothing: the first page again, say."""
        is_fruitful = self._known.count(number(f"fruit {shape_of(url)}")) > 0
        return winding(url) is not None or (not is_fruitful and self.verdict(url) is not None)

    def _is_excused(self, place: str, url: str) -> bool:
        """Whether a place without credit is no reason to leave a URL alone.

        A forum has a form, a profile and a report for every post: they end themselves, and not the
        threads beside them.
        """
        shape = shape_of(url)
        if shape == place:
            return False
        if self._known.count(number(f"tried {shape}")):
            return self._known.count(number(f"fruit {shape}")) > 0
        has_circles = self._known.count(number(f"circles {place}")) >= _MANY_CIRCLES
        most = _MOST_VARIANTS if has_circles else _MOST_TRIALS
        tried = self._known.count(number(f"trials {place}"))
        variants = self._known.count(number(f"trials {place} {bare_address(url)}"))
        return tried < most and variants < _MOST_VARIANTS

    def sift(self, leads: Iterable[Lead]) -> list[Lead]:
        """Return the leads that are worth a request, and count the others in the catalog."""
        wanted: list[Lead] = []
        refused: dict[tuple[str, str, str], tuple[Verdict, set[str]]] = {}
        for lead in leads:
            verdict = self.verdict(lead.url)
            if verdict is None:
                wanted.append(lead)
            else:
                if verdict.reason == "variant":
                    self._variants.leave_out(lead, verdict.detail)
                key = (verdict.detail, verdict.reason, lead.source)
                refused.setdefault(key, (verdict, set()))[1].add(lead.url)
        for (pattern, reason, source), (verdict, urls) in refused.items():
            # The same link on the next page is not another one.
            links = self._known.unseen(host_in(pattern), reason, urls)
            if links:
                self.catalog.refuse(pattern, verdict, source=source, links=links)
        return wanted

    def returned(self) -> dict[str, list[Lead]]:
        """Return by shape what was left out as variants and turned out to be none."""
        return self._variants.returned()

    def learn(
        self, url: str, text: str, links: Iterable[str], *, linked: str = "", fresh: int = 0
    ) -> None:
        """Take note of what a page brought: its text, its links' words, where it leads.

        So many of its links lead where nobody knew anything.
        """
        host, shape, links = host_in(shape_of(url)), shape_of(url), set(links)
        new, names = self._new_pairs("", url, text), self._new_pairs("", url, linked)
        is_first = bool(self._known.unseen(host, "path", {bare_address(url)}))
        gain = self._gain(url, text, new, names, links, is_first=is_first, linked=linked)
        self._variants.learn(url, shape, text, new)
        if new >= _MUCH_NEW:
            self._doubts.note(places_of(url), fresh=fresh, new=new)
        bearing = {link for link in links if self._bears(shape, link)}
        borne = self._known.unseen(host, "led", bearing)
        self._known.write()
        self._note_harvest(shape, url, is_new=bool(new or names), is_fruit=bool(new or borne))
        self._known.add(number(f"pages {host}"), 1, most=_MOST_PAGES)
        self._add(url, gain)

    def _gain(
        self, url: str, text: str, new: int, names: int, links: set[str], *, is_first: bool,
        linked: str,
    ) -> int:  # fmt: skip
        """Return what a page earns or costs, by how many pairs of its words are new."""
        shape = shape_of(url)
        ways = {link for link in links if self._is_way(shape, url, link)}
        place = self._combinations.place(url)
        if place is not None:
            ways = {link for link in ways if self._combinations.place(link) != place}
        # What no page led to before earns; what only pages of other shapes led to costs nothing.
        leads, others = (
            self._known.unseen(host_in(shape), place, ways)
            for place in ("ways", self._beginning(url))
        )
        is_circle = self._is_circle(url, text, linked, links)
        if is_circle:
            leads = others = 0
            for each in places_of(url)[1:]:
                self._known.add(number(f"circles {each}"), 1, most=_MANY_CIRCLES)
        if place is not None and (leads or not names):
            self._combinations.learn(url, place, leads_on=bool(leads or new))
        if leads or new >= _MUCH_NEW:
            return 1
        if new:
            return self._every(_HALF, "little", url)
        if others or (is_first and not names and self._is_new_in_folder(url, text)):
            return 0
        if self._variants.has_some(url):
            return 0
        if is_circle:
            return -_CIRCLE
        return -self._every(_QUARTER, "quarters", url) if names else -1

    def probe(self, url: str) -> Probe | None:
        """Return an invented address that tells whether pages like one are made up, if in doubt."""
        return None if self._is_opened(url) else self._doubts.probe(url, places_of(url))

    def judge(self, url: str, probe: Probe, text: str) -> str | None:
        """Take note of what an invented address brought; return the place that makes text up."""
        share, host = self._share_of_new_words(probe.url, text), host_in(shape_of(url))
        is_missing = self._doubts.says_missing(host, probe.url, self._sketched(probe.url, text))
        new = self._new_pairs("", probe.url, text)
        self._known.write()
        if is_missing or new < _MUCH_NEW:
            share = 0.0
        self._doubts.judge(places_of(url), probe.place, new=new, share=share)
        return self._doubts.made_up(places_of(url))

    def leave_in_doubt(self, url: str, probe: Probe) -> None:
        """Take note that an invented address had an answer that tells nothing, or none."""
        self._doubts.leave(places_of(url), probe.place)

    def learn_nothing(self, url: str) -> None:
        """Take note that a URL led to nothing: it is missing, or nobody gets in."""
        shape = shape_of(url)
        # Many hosts turn a visitor away for a while: that does not end what brought text.
        if not self._known.count(number(f"fruit {shape}")):
            self._note_harvest(shape, url, is_new=False, is_fruit=False)
            part = _HALF if self._has_answered_since(shape) else _QUARTER
            self._add(url, -self._every(part, "quarters", url))

    def _has_answered_since(self, shape: str) -> bool:
        """Whether a host gave pages since it last had nothing at a shape: it turns nobody away."""
        last = number(f"refused {shape}")
        now = self._known.count(number(f"pages {host_in(shape)}"))
        before = self._known.count(last, -1)
        self._known.put(last, now, -1)
        return before not in (-1, now)

    def learn_redirect(self, url: str, target: str, *, is_known: bool) -> None:
        """Take note of where a URL sends its readers: to a page, a known one, or a door.

        A door (a form to log in) takes along where one came from, or is the same for all, or leads
        to one that is. What leads there, or to what is known, costs its shape one: forms beside
        every page end soon.
        """
        shape, other = shape_of(url), shape_of(target)
        is_door = (
            carries(target, url)
            or self._known.count(number(f"barren {other}")) >= _BARREN_DOOR
            or self._known.count(number(f"door {other}")) > 0
            or self.verdict(target) is not None
        )
        if is_door:
            self._known.put(number(f"door {shape}"), 1)
        if not (is_known or is_door):
            self._add(url, int(self._bears(shape, target)))
        elif not self._known.count(number(f"fruit {shape}")):
            left = self._known.count(*patterns(url)[-1][1:])
            self.learn_nothing(url)
            if left == self._known.count(*patterns(url)[-1][1:]):
                self._add(url, -1, patterns(url)[-1:])

    def _add(self, url: str, gain: int, places: Iterable[tuple[str, int, int]] = ()) -> None:
        if not gain or (gain < 0 and self._is_opened(url)):
            return
        for _, pattern, credit in places or patterns(url):
            self._known.put(pattern, min(credit, self._known.count(pattern, credit) + gain), credit)

    def _every(self, many: int, what: str, url: str) -> int:
        """Return 1 every so many times in a folder, so that a page counts as a part."""
        pattern = number(f"{what} {patterns(url)[1][0]}")
        count = (self._known.count(pattern) + 1) % many
        self._known.put(pattern, count)
        return int(count == 0)

    def _is_opened(self, url: str) -> bool:
        return bool(self.opened) and not self.opened.isdisjoint(
            {*(name for name, _, _ in patterns(url)), *former_names(url)}
        )

    def _beginning(self, url: str) -> str:
        """Return of what a way is new: a shape, or its folder if that has no end of shapes."""
        folder, shape = patterns(url)[1][0], shape_of(url)
        return shape if self._is_first_shape(folder, shape) else folder

    def _is_way(self, shape: str, url: str, link: str) -> bool:
        """Whether a link leads out of its page's shape, and not only to one of endless others."""
        other = shape_of(link)
        if other == shape or self._is_barren(other):
            return False
        if carries(link, url) or self._is_mirror(link) or link.partition("?")[0] == url:
            return False
        folder = patterns(link)[1][0]
        if folder != patterns(url)[1][0]:
            return True
        return self._is_first_shape(folder, other)

    def _bears(self, shape: str, link: str) -> bool:
        """Whether a link leads to pages of another shape that bring text."""
        other = shape_of(link)
        return other != shape and self._known.count(number(f"fruit {other}")) > 0

    def _is_barren(self, shape: str) -> bool:
        return self._known.count(number(f"barren {shape}")) >= _BARREN

    def _is_circle(self, url: str, text: str, linked: str, links: set[str]) -> bool:
        """Whether a page says what one above it says, and goes on by the same names.

        So do sections that are linked relative to wherever a reader is.
        """
        if "?" in url:  # a program that is called the same whatever it shows
            return False
        path = bare_address(url).rstrip("/")
        ends = sorted({link.partition("?")[0].rstrip("/").rpartition("/")[2] for link in links})
        whole = " ".join([*_WORDS.findall(text), *_WORDS.findall(linked), *ends])
        # A text of megabytes is not said again of every folder above it.
        said = xxhash.xxh3_128_hexdigest(whole.encode("utf-8", "surrogatepass"))
        above = {path.rsplit("/", back)[0] for back in range(1, path.count("/") + 1)}
        facts = {f"{each} says {said}" for each in above}
        is_circle = any(fact(host_in(path), each) in self._seen for each in facts)
        self._known.remember({fact(host_in(path), f"{path} says {said}")})
        return is_circle

    def _is_mirror(self, url: str) -> bool:
        """Whether the same address without its first folder was asked: a site below a token."""
        host, _, path = bare_address(url).partition("/")
        _, folder, rest = path.partition("/")
        return bool(folder) and fact(host, f"path {host}/{rest}") in self._seen

    def _note_harvest(self, shape: str, url: str, *, is_new: bool, is_fruit: bool) -> None:
        """Count how many pages of a shape in a row brought nothing, and if any brought text."""
        barren, fruit = number(f"barren {shape}"), number(f"fruit {shape}")
        self._known.put(barren, 0 if is_new else min(_BARREN, self._known.count(barren, 0) + 1), 0)
        count = self._known.count(fruit, 0) + (_ONE_FRUIT if is_fruit else -1)
        self._known.put(fruit, max(0, min(_MOST_FRUIT, count)), 0)
        if not self._known.count(number(f"tried {shape}")):
            self._known.put(number(f"tried {shape}"), 1, 0)
            for name, pattern, credit in patterns(url)[:-1]:
                if self._known.count(pattern, credit) <= 0:
                    for place in (name, f"{name} {bare_address(url)}"):
                        trials = number(f"trials {place}")
                        self._known.put(trials, self._known.count(trials, 0) + 1, 0)

    def _is_new_in_folder(self, url: str, text: str) -> bool:
        """Whether a page brings what other pages have shown, but none of its folder.

        A blog's front shows whole notes, each of which has a page of its own. Only the first few
        folders of a host count, and an address counts once whatever its parameters.
        """
        folder = patterns(url)[1][0]
        is_early = self._is_first_shape(f"{patterns(url)[0][0]} folders", folder)
        return (
            is_early
            and not self._is_mirror(url)
            and bool(self._new_pairs(f"folder {folder}", url, text))
        )

    def _is_first_shape(self, folder: str, shape: str) -> bool:
        """Whether a shape is among the first few met in a folder; noted as patterns are."""
        one, all_ = number(f"shape {folder} {shape}"), number(f"shapes {folder}")
        if self._known.count(one, 0):
            return True
        met = self._known.count(all_, 0)
        if met >= _MOST_SHAPES:
            return False
        self._known.put(one, 1, 0)
        self._known.put(all_, met + 1, 0)
        return True

    def _share_of_new_words(self, url: str, text: str) -> float:
        """Return the share of a text's words that stand in lines no page of its host had.

        Of a long text only what is remembered of pages tells: the lines among it, or if these are
        too few, the pairs of words.
        """
        host, new, all_ = split_url(url)[1], 0, 0
        lines = self._sketched(url, text)
        if len(lines) < _FEWEST_LINES and len(pairs := _pairs("", url, text)) == _MOST_PAIRS:
            return sum(each not in self._seen for each, _ in pairs) / len(pairs)
        for words in lines:
            all_ += len(words)
            is_known = self._known.knows(host, f" {' '.join(words)}")
            new += 0 if len(words) < _LINE or is_known else len(words)
        return new / all_ if all_ else 0.0

    def _sketched(self, url: str, text: str) -> list[list[str]]:
        """Return the words of the lines of a text that would be remembered of a page."""
        host, lines = split_url(url)[1], map(_words_of, text.lower().splitlines())
        pairs = _pairs("", url, text)
        if len(pairs) < _MOST_PAIRS:
            return [words for words in lines if words]
        remembered = {each for each, _ in pairs}
        return [words for words in lines if fact(host, f" {' '.join(words)}") in remembered]

    def _new_pairs(self, place: str, url: str, text: str) -> int:
        """Return how many pairs of words are new at a place; what echoes the address is none."""
        pairs = _pairs(place, url, text)
        new = self._known.remember(each for each, is_echo in pairs if not is_echo)
        # The same text at an address without these words must not be new.
        self._known.remember(each for each, is_echo in pairs if is_echo)
        return new


def _pairs(place: str, url: str, text: str) -> list[tuple[int, bool]]:
    """Return numbers of the pairs of words in a page's lines, and whether they echo its address."""
    echo, host = set(_WORDS.findall(unquote(url).lower())), split_url(url)[1]
    found: dict[str, bool] = {}
    for line in text.lower().splitlines():
        words = _words_of(line)
        has_echo = not echo.isdisjoint(words)
        # What stands on both sides of an echo is no pair: each address would make others.
        pairs = {f"{one} {two}": one in echo or two in echo for one, two in pairwise(words)}
        if not pairs and not has_echo:
            # A line of one word may be a sentence in scripts without spaces, elsewhere a token.
            pairs = dict.fromkeys((word for word in words if not word.isascii()), False)
        if len(words) >= _LINE:
            pairs[" ".join(words)] = has_echo
        found |= pairs
    facts = ((fact(host, f"{place} {pair}"), is_echo) for pair, is_echo in found.items())
    return heapq.nsmallest(_MOST_PAIRS, facts)


def _words_of(line: str) -> list[str]:
    return [word for word in _WORDS.findall(line) if not _CALENDAR.fullmatch(word)]
