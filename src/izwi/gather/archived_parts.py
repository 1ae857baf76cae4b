"""Which records of a web archive complete others: each page is followed by its parts.

Archives hold pages in the order in which they were fetched, the second page of an article far from
the first. They are read twice or three times: for the addresses, for what first pages call theirs,
and to be taken. Only pages that belong together wait, on the disk.
"""

import pickle
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import IO

from izwi.gather.importing import Record
from izwi.gather.parts import Whole, frames_of, stems_of, views_of_all
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Hints
from izwi.model.errors import SourceError
from izwi.store.warc import decoded_body

_HTML = ("text/html", "application/xhtml")


def with_parts(read: Callable[[], Iterator[Record]], *, largest: int) -> Iterator[Record]:
    """Yield the records that `read` gives from the beginning, each page followed by its parts."""
    found = _looked_up(read, largest)
    if not found.firsts:
        yield from read()
        return
    damage: SourceError | None = None
    with tempfile.TemporaryFile() as file:
        waiting = _Waiting(file)
        try:
            for record in read():
                if not isinstance(record, Capture) or not waiting.take(record, found.wanted):
                    yield record
        except SourceError as error:  # what comes before the damage is kept
            damage = error
        yield from _grouped(waiting, found, largest)
    if damage is not None:
        raise damage


@dataclass
class _Found:
    """The addresses of pages that go on, and of all that may belong to them."""

    firsts: set[str] = field(default_factory=set)
    # What a page has in its frames is no first page, even if it has frames of its own.
    named: set[str] = field(default_factory=set)
    numbered: set[str] = field(default_factory=set)

    @property
    def wanted(self) -> set[str]:
        return self.firsts | self.named | self.numbered


def _looked_up(read: Callable[[], Iterator[Record]], largest: int) -> _Found:
    """Return which pages of an archive go on in it, and where."""
    by_stem: dict[str, str] = {}
    found, marked = _Found(), dict[str, list[str]]()
    for page in _pages(read()):
        url = page.lead.url
        plain, stems = stems_of(url)
        by_stem.setdefault(plain, url)
        if stems:
            marked[url] = stems
        body = _body(page, largest)
        if b"frame" in body.lower() and (frames := frames_of(body, url)):
            found.firsts.add(url)
            found.named.update(frames)
    for url, stems in marked.items():
        if firsts := {by_stem[stem] for stem in stems if by_stem.get(stem, url) != url}:
            found.firsts |= firsts
            found.numbered.add(url)
    for page in _pages(read()) if found.numbered else ():
        if page.lead.url in found.firsts:
            found.named.update(views_of_all(_body(page, largest), page.lead.url))
    return found


def _grouped(waiting: "_Waiting", found: _Found, largest: int) -> Iterator[Capture]:
    """Yield the pages that waited: first pages with what completes them, then the rest."""
    # A first page that another one names comes with that one.
    firsts = sorted(found.firsts & waiting.places.keys(), key=lambda url: url in found.named)
    for url in firsts:
        first = waiting.give(url)
        if first is None:
            continue
        yield first
        whole = Whole(url, _body(first, largest))
        while (asked := whole.wanted()) is not None:
            address, role = canonical(asked[0]) or asked[0], asked[1]
            part = waiting.look(address)
            if part is None:
                whole.miss(role)
            elif whole.take(address, _body(part, largest), role):
                waiting.give(address)
                hints = Hints(part_of=url, part_as=role)
                yield replace(part, lead=replace(part.lead, referrer=url, hints=hints))
    for url in tuple(waiting.places):
        if (rest := waiting.give(url)) is not None:
            yield rest


@dataclass
class _Waiting:
    """Captures on the disk, by their addresses; each is given once."""

    file: IO[bytes]
    places: dict[str, int] = field(default_factory=dict)
    _given: set[str] = field(default_factory=set)

    def take(self, capture: Capture, wanted: set[str]) -> bool:
        """Let a capture wait if it is wanted; the second of an address does not."""
        url = capture.lead.url
        if url not in wanted or url in self.places:
            return False
        self.places[url] = self.file.seek(0, 2)
        pickle.dump(capture, self.file)
        return True

    def look(self, url: str) -> Capture | None:
        if url not in self.places or url in self._given:
            return None
        self.file.seek(self.places[url])
        found = pickle.load(self.file)  # written by this process, in a file without a name
        assert isinstance(found, Capture)
        return found

    def give(self, url: str) -> Capture | None:
        found = self.look(url)
        self._given.add(url)
        return found


def _pages(records: Iterator[Record]) -> Iterator[Capture]:
    """Yield the web pages among records, up to where their file is damaged."""
    try:
        for record in records:
            if isinstance(record, Capture) and _is_html(record):
                yield record
    except SourceError:  # said when the records are taken
        return


def _is_html(capture: Capture) -> bool:
    kind = capture.header("Content-Type").lower()
    return not kind or kind.startswith(_HTML)


def _body(capture: Capture, largest: int) -> bytes:
    try:
        return decoded_body(capture, largest)
    except ValueError:  # extraction says why
        return b""
