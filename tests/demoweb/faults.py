"""The demo web with hosts where everything goes wrong, one path for each way."""

import gzip
import random
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from http import HTTPStatus
from itertools import repeat
from types import MappingProxyType
from urllib.parse import parse_qs, urlsplit

from izwi.demoweb import DemoWeb
from izwi.demoweb.server import Ending, Reply, whole_reply
from tests.demoweb.manners import polite_reply, trap_reply, wire_reply

HOST = "faults.example"
_MEGABYTE = 2**20
_BOMB_MEGABYTES = 1024
_BOMB_CHECKSUM = 0x9AC47FA6  # crc32 of so many spaces; reckoning it takes a second
_RETRY_AFTER_SECONDS = "1"
_FLAKY_FAILURES = 2
_BODILESS = {204, 205, 304}
_STORY = (
    "The skollie who took the spare wheel from the municipal bakkie on Tuesday brought it back on "
    "Friday, washed, with a note that said sorry. Nobody at the depot could say who he was.",
    "Foreman Attie Solomons said that in twenty years of work for the council he had lost four "
    "wheels, two jacks and a canopy, and that this was the first time anything had come home. He "
    "has hung the note on the wall of the tea room, next to the rules about gumboots.",
    "The police have closed the case. The wheel is on the bakkie again, and the gate of the depot "
    "now has a padlock, to which, as far as anybody knows, there are only three keys.",
)
# A story of its own, or the hostile page would be found to be a copy of the harmless one.
_JACK = (
    "The week after the wheel came home, somebody climbed over the wall of the same depot and left "
    "a jack on the bonnet of the water truck. It was red, it was rusty, and it was not the jack "
    "that the council had lost in the winter of the flood.",
    "Storekeeper Nomsa Radebe entered it in the book under gifts, a page nobody had needed before, "
    "and asked whether a receipt should be put on the wall in case the giver came past again.",
    "A mechanic tried it on the grader. It lifts, he said, but it complains, and he would rather "
    "lie under something else.",
)
_HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "{{ 7 * 7 }} ${7*7} <%= 7*7 %>",
)


@dataclass(frozen=True, slots=True)
class Visit:
    """One request to a faulty host: what it asks, and how often that was asked before."""

    path: str
    query: Mapping[str, str]
    earlier: int

    @property
    def last(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]


def reply_from(host: str, target: str, earlier: int) -> Reply:
    """Return what one of the faulty hosts says to a path with its query."""
    parts = urlsplit(target)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    return HOSTS[host](Visit(parts.path, query, earlier))


def _faults(visit: Visit) -> Reply:
    if visit.path == "/":
        return _index(visit)
    first = "/" + visit.path.split("/")[1]
    fault = _FAULTS.get(visit.path) or _FAULTS.get(first + "/") or _FAULTS.get(first)
    return fault(visit) if fault else _status(404)


def _index(visit: Visit) -> Reply:
    links = (f'<li><a href="{path}">{path}</a></li>' for path in _EXAMPLES)
    return _html("Faults on demand", f"<ul>{''.join(links)}</ul>")


def _closed(visit: Visit) -> Reply:
    return _robots("Disallow: /") if visit.path == "/robots.txt" else _ok(visit)


def _without_robots(visit: Visit) -> Reply:
    return _status(500) if visit.path == "/robots.txt" else _ok(visit)


def _refused(visit: Visit) -> Reply:
    sentence = b"The proxy could not connect to this host."
    return whole_reply(sentence, status=502, content_type="text/plain")


def _robots(rule: str) -> Reply:
    return whole_reply(f"User-agent: *\n{rule}\n".encode(), content_type="text/plain")


def _html(title: str, body: str) -> Reply:
    return whole_reply(_document(title, body))


def _document(title: str, body: str) -> bytes:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>'.encode()


def _story(paragraphs: Iterable[str] = _STORY, title: str = "A wheel comes home") -> str:
    return f"<h1>{title}</h1>" + "".join(f"<p>{escape(each)}</p>" for each in paragraphs)


def _ok(visit: Visit) -> Reply:
    return _html("A wheel comes home", _story())


def _slow(visit: Visit) -> Reply:
    body = _document("Slow", "<p>One letter at a time.</p>")
    pause = _number(visit, "seconds", 5.0) / len(body)
    pieces = tuple(bytes([byte]) for byte in body)
    return Reply(pieces=pieces, length=len(body), pause_seconds=pause)


def _hang(visit: Visit) -> Reply:
    return Reply(status=0, ending=Ending.HANGING)


def _drop(visit: Visit) -> Reply:
    body = _document("Half", _story())
    return Reply(pieces=(body[: len(body) // 2],), length=len(body), ending=Ending.CLOSED)


def _reset(visit: Visit) -> Reply:
    return Reply(status=0, ending=Ending.RESET)


def _status(code: int) -> Reply:
    if code in _BODILESS:
        return Reply(code)
    reply = replace(_html(str(code), f"<p>{HTTPStatus(code).phrase}</p>"), status=code)
    if code in (429, 503):
        return replace(reply, headers={"Retry-After": _RETRY_AFTER_SECONDS})
    return reply


def _status_asked(visit: Visit) -> Reply:
    known = {str(code.value) for code in HTTPStatus if code >= 200}
    return _status(int(visit.last) if visit.last in known else 404)


def _redirect(location: str) -> Reply:
    return Reply(302, headers={"Location": location}, length=0)


def _redirects(visit: Visit) -> Reply:
    left = int(visit.last) if visit.last.isdecimal() else 0
    return _redirect(f"http://{HOST}/redirects/{left - 1}" if left > 1 else f"http://{HOST}/ok")


def _big(visit: Visit) -> Reply:
    megabytes = int(_number(visit, "megabytes", 10))
    return Reply(pieces=_with_start(repeat(_filler(), megabytes)))


def _endless(visit: Visit) -> Reply:
    return Reply(pieces=_with_start(repeat(_filler()[: 16 * 1024])))


def _with_start(pieces: Iterable[bytes]) -> Iterator[bytes]:
    yield b"<!doctype html><title>Much</title>"
    yield from pieces


def _filler() -> bytes:
    sentence = b"<p>This sentence is sent again and again until there is no more.</p>\n"
    return (sentence * (_MEGABYTE // len(sentence) + 1))[:_MEGABYTE]


def _bomb(visit: Visit) -> Reply:
    return Reply(headers={"Content-Encoding": "gzip"}, pieces=_bomb_pieces())


def _bomb_pieces() -> Iterator[bytes]:
    """Yield 1 GB of spaces as one gzip stream, by repeating one compressed block.

    A full flush makes every block independent of those before it, so that the same bytes can be
    sent for each.
    """
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    squeezed = deflate.compress(b" " * _MEGABYTE) + deflate.flush(zlib.Z_FULL_FLUSH)
    yield b"\x1f\x8b\x08\0\0\0\0\0\x02\xff"
    yield from repeat(squeezed, _BOMB_MEGABYTES)
    yield deflate.flush() + struct.pack("<II", _BOMB_CHECKSUM, _BOMB_MEGABYTES * _MEGABYTE)


def _gzip(visit: Visit) -> Reply:
    body = gzip.compress(_document("Squeezed", _story()), mtime=0)
    return replace(whole_reply(body), headers={"Content-Encoding": "gzip"})


def _bad_gzip(visit: Visit) -> Reply:
    return replace(_ok(visit), headers={"Content-Encoding": "gzip"})


def _wrong_type(visit: Visit) -> Reply:
    return replace(_ok(visit), content_type="image/png")


def _binary(visit: Visit) -> Reply:
    return whole_reply(random.Random(0).randbytes(20_000), content_type="text/html")


def _huge_headers(visit: Visit) -> Reply:
    return replace(_ok(visit), headers={f"X-Filler-{n}": "x" * 60_000 for n in range(8)})


def _feed_that_is_html(visit: Visit) -> Reply:
    return replace(_ok(visit), content_type="application/rss+xml")


def _feed_malformed(visit: Visit) -> Reply:
    items = (
        f"<item><title>Bread & butter {n}</title><link>http://{HOST}/ok?n={n}</link></item>"
        for n in (1, 2, 3)
    )
    text = f'<rss version="2.0"><channel><title>Broken<b></title>{"".join(items)}</channel></rss>'
    return whole_reply(text.encode(), content_type="application/rss+xml")


def _script(visit: Visit) -> Reply:
    links = '<a href="javascript:alert(3)">more</a> <a href="/ok" onclick="alert(4)">less</a>'
    story = _story((*_JACK, *_HOSTILE), title="A jack over the wall")
    return _html(f"{_HOSTILE[0]} A wheel", story + links)


def _nested(visit: Visit) -> Reply:
    return _html("Deep", "<div>" * 20_000 + _story() + "</div>" * 20_000)


def _empty(visit: Visit) -> Reply:
    return whole_reply(b"")


def _trap(visit: Visit) -> Reply:
    if visit.path == "/trap/session":
        sid = int(_number(visit, "sid", 0))
        return _links([f"/trap/session?sid={2 * sid + 1}", f"/trap/session?sid={2 * sid + 2}"])
    year, month = visit.path.rpartition("/calendar/")[2].partition("/")[::2]
    if not (year.isdecimal() and month.isdecimal()):
        return _status(404)
    count = int(year) * 12 + int(month) - 1
    days = [f"/trap/calendar/{n // 12:04}/{n % 12 + 1:02}" for n in (count - 1, count + 1)]
    return _links(days)


def _links(paths: list[str]) -> Reply:
    return _html("More", "".join(f'<p><a href="{path}">{path}</a></p>' for path in paths))


def _flaky(visit: Visit) -> Reply:
    return _status(503) if visit.earlier < _FLAKY_FAILURES else _ok(visit)


def _number(visit: Visit, name: str, default: float) -> float:
    try:
        return float(visit.query.get(name, default))
    except ValueError:
        return default


HOSTS: Mapping[str, Callable[[Visit], Reply]] = MappingProxyType(
    {
        HOST: _faults,
        "norobots.example": _without_robots,
        "closed.example": _closed,
        "refused.example": _refused,
        "trap.example": lambda visit: trap_reply(visit.path, visit.query),
        "polite.example": lambda visit: polite_reply(visit.path, visit.earlier),
        "wire.example": lambda visit: wire_reply(visit.path, visit.earlier),
    }
)

_FAULTS: Mapping[str, Callable[[Visit], Reply]] = MappingProxyType(
    {
        "/robots.txt": lambda visit: _robots("Disallow:"),
        "/ok": _ok,
        "/slow": _slow,
        "/hang": _hang,
        "/drop": _drop,
        "/reset": _reset,
        "/status/": _status_asked,
        "/loop/a": lambda visit: _redirect("/loop/b"),
        "/loop/b": lambda visit: _redirect("/loop/a"),
        "/redirects/": _redirects,
        "/to-private": lambda visit: _redirect("http://127.0.0.1:1/"),
        "/big": _big,
        "/endless": _endless,
        "/bomb": _bomb,
        "/gzip": _gzip,
        "/bad-gzip": _bad_gzip,
        "/wrong-type": _wrong_type,
        "/binary": _binary,
        "/huge-headers": _huge_headers,
        "/feed-that-is-html": _feed_that_is_html,
        "/feed-malformed.xml": _feed_malformed,
        "/script": _script,
        "/script/": _script,
        "/nested": _nested,
        "/empty": _empty,
        "/trap/": _trap,
        "/flaky": _flaky,
    }
)

_EXAMPLES = (
    *(path for path in _FAULTS if not path.endswith("/")),
    "/status/404",
    "/redirects/3",
    "/trap/calendar/2020/01",
    "/trap/session?sid=1",
    "/script/%3Cimg%20src=x%20onerror=alert(5)%3E",
)


class FaultyWeb(DemoWeb):
    """The demo web, and beside its publications the hosts where things go wrong."""

    def other_reply(self, host: str, target: str, earlier: int) -> Reply:
        """Return what a faulty host says."""
        if host in HOSTS:
            return reply_from(host, target, earlier)
        return super().other_reply(host, target, earlier)
