"""A newspaper most of which is only in an archive, and an archive like archive.org."""

import json
from dataclasses import dataclass, replace
from email.utils import format_datetime
from html import escape

from izwi.demoweb.server import Reply, whole_reply
from izwi.gather.web_archives import moment_of

NEWS = "news.example"
ARCHIVE = "archive.example"
REPLAY = f"http://{ARCHIVE}/web/"
DAYS = ("20140301080000", "20140302090000", "20140302180000", "20140310070000")
# Stories that only the archive still has, one that only the live web has, one that is nowhere.
LOST = [f"/story/{n}-the-rain-came-at-last" for n in range(8)]
LIVE = "/story/20-still-on-the-live-web"
GONE = "/story/21-nowhere-any-more"


@dataclass(frozen=True)
class Kept:
    """One capture in the archive."""

    stamp: str
    path: str
    body: bytes
    status: int = 200
    media_type: str = "text/html"

    @property
    def url(self):
        return f"http://{NEWS}{self.path}"


def story(path, note=""):
    text = "".join(f"<p>Paragraph {n} of {escape(path)} {note}, a long one.</p>" for n in range(3))
    return f"<!doctype html><title>{path}</title><h1>{path}</h1>{text}".encode()


def home(paths):
    links = "".join(f'<li><a href="http://{NEWS}{path}">{path}</a></li>' for path in paths)
    return f"<!doctype html><title>News</title><ul>{links}</ul>".encode()


def collection():
    """Return what the archive holds: snapshots of the home page and the stories they link to."""
    kept = [Kept(DAYS[0], "/", home(LOST[:3])), Kept(DAYS[1], "/", home(LOST[2:5]))]
    kept += [
        Kept(DAYS[2], "/", home([*LOST[2:6], LIVE])),
        Kept(DAYS[3], "/", home([*LOST[5:], GONE])),
    ]
    for number, path in enumerate(LOST):
        kept.append(Kept(DAYS[number % 4], path, story(path, "first")))
        kept.append(Kept("20150101000000", path, story(path, "later")))
    kept.append(Kept(DAYS[0], "/logo.png", b"\x89PNG", media_type="image/png"))
    kept.append(Kept(DAYS[0], "/old", b"", status=404))
    return sorted(kept, key=lambda each: (each.path, each.stamp))


def live(visit):
    """Answer as the newspaper does today."""
    if visit.path == LIVE:
        return whole_reply(story(LIVE))
    return whole_reply(b"gone", status=404)


@dataclass
class ArchiveServer:
    """An archive that pages its list by keys, repeats rows, and redirects to the nearest time."""

    kept: list
    most: int = 3
    failing: str = ""

    def answer(self, visit):
        if visit.path == "/robots.txt":
            return whole_reply(b"", status=404)
        if self.failing:
            return self._fail(visit)
        if visit.path == "/cdx/search/cdx":
            return self._cdx(visit)
        if visit.path.startswith("/web/timemap/link/"):
            return self._timemap()
        return self._replay(visit)

    def _fail(self, visit):
        if self.failing == "html":
            return whole_reply(b"<html><body>We are sorry.</body></html>")
        return Reply(503, length=0)

    def _cdx(self, visit):
        names = ["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"]
        rows = [
            [each.path, each.stamp, each.url, each.media_type, str(each.status), "X", "100"]
            for each in self.kept
        ]
        rows = [row for row in rows for _ in range(2)]
        start, size = (
            int(visit.query.get("resumeKey", "0")),
            min(int(visit.query["limit"]), self.most),
        )
        table = [names, *rows[start : start + size]]
        if start + size < len(rows):
            table += [[], [str(start + size)]]
        return whole_reply(json.dumps(table).encode(), content_type="application/json")

    def _timemap(self):
        links = [f'<http://{NEWS}/>; rel="original"', f'<{REPLAY}timemap/link/x>; rel="self"']
        links += [
            f'<{REPLAY}{each.stamp}/{each.url}>; rel="memento"; datetime="{_http_date(each.stamp)}"'
            for each in self.kept
            if each.path == "/"
        ]
        return whole_reply(",\n".join(links).encode(), content_type="application/link-format")

    def _replay(self, visit):
        stamp, _, url = visit.path.removeprefix("/web/").partition("/")
        stamp = stamp.removesuffix("id_")
        same = [each for each in self.kept if each.url == url and each.status == 200]
        if not same:
            return whole_reply(b"not in the archive", status=404)
        nearest = min(same, key=lambda each: abs(int(each.stamp) - int(stamp)))
        if nearest.stamp != stamp:
            place = f"/web/{nearest.stamp}id_/{url}"
            return Reply(302, headers={"Location": place}, length=0)
        reply = whole_reply(nearest.body, content_type=nearest.media_type)
        facts = {"Memento-Datetime": _http_date(stamp), "x-archive-orig-server": "Apache/1.3"}
        return replace(reply, headers=facts)


def _http_date(stamp):
    return format_datetime(moment_of(stamp), usegmt=True)
