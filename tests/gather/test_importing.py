"""Archives and answers that are damaged, locked or made to hurt: one sentence each."""

import gzip
import io
import os
import random
import tarfile
import zipfile
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from izwi.export import incoming
from izwi.export.incoming import lines_of
from izwi.gather.importing import captures_of_files, captures_of_web_archive
from izwi.gather.sources import feeds, sitemaps
from izwi.gather.sources.feeds import feed_items
from izwi.gather.sources.sitemaps import sitemap_entries
from izwi.gather.web_archives import read_cdx
from izwi.index import vertical
from izwi.model.capture import Capture
from izwi.model.curation import read_labels
from izwi.model.errors import SourceError
from izwi.service import setup
from izwi.text.comments import comments_of_answer

PAGE = b"<p>A page about bakkies.</p>"
LARGEST = 100_000
DEEP = "[" * 100_000
_NO_FEED = SimpleNamespace(feed={}, entries=[])


def zipped(*, moment=(2020, 1, 2, 3, 4, 6), body=PAGE, kind=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", kind) as packed:
        packed.writestr(zipfile.ZipInfo("a.html", moment), body, kind)
    return file.getvalue()


def tarred(*, moment=0.0, body=PAGE):
    file = io.BytesIO()
    entry = tarfile.TarInfo("a.html")
    entry.size, entry.mtime = len(body), moment
    with tarfile.open(fileobj=file, mode="w") as packed:
        packed.addfile(entry, io.BytesIO(body))
    return file.getvalue()


def read(path):
    return list(captures_of_files(path, "files", address="http://x.example", largest=LARGEST))


@pytest.fixture
def kept(tmp_path):
    def keep(name, body):
        path = tmp_path / name
        path.write_bytes(body)
        return path

    return keep


def locked(body):
    """Set the mark that says that a password is needed, in both places."""
    body = bytearray(body)
    body[6] |= 1
    body[body.index(b"PK\x01\x02") + 8] |= 1
    return bytes(body)


def flipped(body):
    changed = bytearray(body)
    changed[45] ^= 0xFF
    return bytes(changed)


BROKEN = {
    "locked.zip": locked(zipped()),
    "flipped.zip": flipped(zipped(body=PAGE * 50)),
    "unknown.zip": zipped().replace(b"\x08\x00", b"\x63\x00"),
    "cut.tar.gz": gzip.compress(tarred(body=random.Random(1).randbytes(50_000)))[:20_000],
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_archive_that_cannot_be_read_is_one_sentence(kept, name):
    with pytest.raises(SourceError, match=rf"{name} is damaged or locked"):
        read(kept(name, BROKEN[name]))


def test_a_file_packed_on_no_day_is_taken(kept):
    body = zipped(moment=(1980, 1, 1, 0, 0, 0)).replace(b"\x00\x00\x21\x00", b"\x00\x00\x00\x00")

    (capture,) = read(kept("a.zip", body))

    assert capture.body == PAGE
    assert capture.time == datetime(1970, 1, 1, tzinfo=UTC)


def test_a_file_of_a_year_that_no_calendar_has_is_taken(kept):
    (capture,) = read(kept("a.tar", tarred(moment=8**11 - 1)))

    assert capture.body == PAGE


@pytest.mark.parametrize("name", ["locked", "unknown"])
def test_a_web_archive_that_cannot_be_unpacked_is_one_sentence(kept, name):
    body = BROKEN[f"{name}.zip"].replace(b"a.html", b"a.warc")

    with pytest.raises(SourceError, match="no WACZ file that can be read"):
        list(captures_of_web_archive(kept("a.wacz", body), "old", largest=LARGEST))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "is empty: it holds no record"),
        (gzip.compress(b"no record"), "damaged: Invalid WARC header.$"),
    ],
    ids=["empty", "no record"],
)
def test_what_is_no_web_archive_is_one_sentence_without_names_of_errors(kept, body, told):
    with pytest.raises(SourceError, match=told):
        list(captures_of_web_archive(kept("a.warc.gz", body), "old", largest=LARGEST))


def reasons(found):
    return [each.verdict.reason for each in found if not isinstance(each, Capture)]


@pytest.mark.parametrize("name", ["bomb.zip", "bomb.tar", "bomb.html", "folder"])
def test_a_file_that_swells_has_a_line_with_the_reason(kept, tmp_path, name):
    body = b"x" * (50 * LARGEST)
    packed = {"bomb.zip": zipped, "bomb.tar": tarred}
    path = kept(
        "a.html" if name == "folder" else name, packed.get(name, lambda body: body)(body=body)
    )

    assert reasons(read(tmp_path if name == "folder" else path)) == ["too-large"]


def linked(*links):
    """Return a tar archive of a large file, a page, and links."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as packed:
        for name, body in (("large.bin", bytes(50 * LARGEST)), ("page.html", PAGE)):
            entry = tarfile.TarInfo(name)
            entry.size = len(body)
            packed.addfile(entry, io.BytesIO(body))
        for name, target, kind in links:
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, target
            packed.addfile(entry)
    return file.getvalue()


def test_links_of_an_archive_lead_to_no_bomb_and_into_no_ring(kept):
    body = linked(
        ("bomb.html", "large.bin", tarfile.SYMTYPE),
        ("hard.html", "large.bin", tarfile.LNKTYPE),
        ("ring.html", "ring.html", tarfile.SYMTYPE),
        ("pipe.html", "", tarfile.FIFOTYPE),
        ("lost.html", "nowhere.html", tarfile.LNKTYPE),
        ("second.html", "page.html", tarfile.LNKTYPE),
    )

    found = read(kept("a.tar", body))

    taken = {each.lead.url: each.body for each in found if isinstance(each, Capture)}
    assert taken == {f"http://x.example/{name}.html": PAGE for name in ("page", "second")}
    assert reasons(found) == ["too-large"]


def test_a_name_that_is_no_text_is_taken_by_its_bytes(tmp_path):
    (tmp_path / os.fsdecode(b"caf\xe9.html")).write_bytes(PAGE)

    (capture,) = read(tmp_path)

    assert capture.lead.url == "http://x.example/caf%E9.html"


def warc_record(url, body, *, length=None):
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    return (
        (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
            "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
            "WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\n"
            f"Content-Length: {length or len(answer)}\r\n\r\n"
        ).encode()
        + answer
        + b"\r\n\r\n"
    )


def test_a_record_that_says_to_be_longer_than_its_file_is_no_page(kept):
    body = warc_record("http://x.example/1", PAGE, length=9000) + warc_record(
        "http://x.example/2", PAGE
    )

    (found,) = captures_of_web_archive(kept("a.warc", body), "old", largest=LARGEST)

    assert found.verdict.reason == "broken-response"


def test_a_record_that_swells_is_passed_over(kept):
    record = warc_record("http://x.example/", bytes(50 * LARGEST))
    path = kept("bomb.warc.gz", gzip.compress(record))

    found = list(captures_of_web_archive(path, "old", largest=LARGEST))

    assert [each.verdict.reason for each in found if not isinstance(each, Capture)] == ["too-large"]
    assert not [each for each in found if isinstance(each, Capture)]


@pytest.mark.parametrize("name", ["lines.jsonl.gz", "lines.jsonl"])
def test_a_line_that_would_fill_the_memory_is_refused(kept, monkeypatch, name):
    monkeypatch.setattr(incoming, "MOST_LINE", 1 << 20)
    body = b"{" + bytes(2 << 20)
    path = kept(name, gzip.compress(body) if name.endswith("gz") else body)

    with pytest.raises(SourceError, match="a line of more than 1 MiB"):
        list(lines_of(path))


def test_a_vertical_line_that_would_fill_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr(vertical, "MOST_LINE", 1 << 20)

    with pytest.raises(SourceError, match="more than 1 MiB"):
        list(vertical._line_blocks(io.BytesIO(bytes(20 << 20))))


@pytest.mark.parametrize(
    "reads",
    [
        lambda: read_cdx(DEEP.encode()),
        lambda: read_cdx(("{" + '"a":' + DEEP).encode()),
        lambda: comments_of_answer(DEEP.encode()),
        lambda: list(read_labels([DEEP])),
    ],
    ids=["cdx", "cdx line", "comments", "labels"],
)
def test_an_answer_nested_without_end_is_no_answer(reads):
    with pytest.raises(ValueError, match="nested too deeply"):
        reads()


def test_a_feed_nested_without_end_has_no_items():
    assert (
        list(feed_items(b'{"version": "https://jsonfeed.org/version/1", "items": ' + DEEP.encode()))
        == []
    )


def test_a_site_map_of_very_many_elements_is_none(monkeypatch):
    monkeypatch.setattr(sitemaps, "_MOST_MARKUP", 1000)
    body = gzip.compress(b"<urlset><url>" + b"<a/>" * 1000 + b"</url></urlset>")

    with pytest.raises(ValueError, match="more than 1,000 elements"):
        list(sitemap_entries(body))


def test_a_list_of_addresses_is_read_as_far_as_a_site_map_may_go():
    body = gzip.compress(b"http://a.example/ " + b"b " * 100_000)

    assert len(list(sitemap_entries(body))) == 50_000


def test_a_long_broken_feed_is_read_as_far_as_patience_goes(monkeypatch):
    monkeypatch.setattr(feeds, "_MOST_PATIENCE", 2000)
    item = b"<item><title>a</title><guid>%d</guid></item>"
    read = []
    monkeypatch.setattr("feedparser.parse", lambda file: read.append(len(file.read())) or _NO_FEED)

    feed_items(b"<rss><channel>" + item * 5000 + b"</channel></rss>")

    assert read == [2000]


def test_entities_of_a_feed_do_not_grow():
    grown = b"".join(b'<!ENTITY l%d "%s">' % (n + 1, b"&l%d;" % n * 10) for n in range(12))
    head = b'<!DOCTYPE rss [<!ENTITY l0 "lol">' + grown + b"]>"
    item = b"<item><title>&l12;</title><link>http://a.example/1</link></item>"

    found = feed_items(head + b"<rss><channel>" + item + b"</channel></rss>")

    assert sum(len(str(each.get("title"))) for each in found) < 1000


def test_a_list_of_very_many_feeds_is_refused(monkeypatch):
    monkeypatch.setattr(setup, "_MOST_FEEDS", 10)
    lines = (f"<outline xmlUrl='http://a.example/{n}'/>" for n in range(11))

    with pytest.raises(SourceError, match="more than 10 new feeds"):
        list(setup.new_feeds(f"<opml>{''.join(lines)}</opml>", SimpleNamespace(sources=())))
