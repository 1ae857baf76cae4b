"""Imports, take-downs, checks, lists of feeds, and a watch, on small real corpora."""

import gzip
import signal
import tarfile
import uuid
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from izwi.cases.corpus import Corpus, create_corpus, open_corpus
from izwi.cases.long_runs import watch
from izwi.cases.sources import pace_of
from izwi.curation.source_preview import _counted
from izwi.model.errors import QueryError, SourceError
from izwi.store.catalog import Catalog
from izwi.store.warc import read_capture, read_entries
from tests.demoweb.faults import FaultyWeb

TEXT = (
    "The river came down in flood on Tuesday night and took the low bridge with it, so that the "
    "children of three farms had to stay at home for the rest of the week while the men worked."
)


def page(word):
    return f"<html lang='en'><title>{word}</title><body><p>{word}. {TEXT} {word} again.</p></body>"


@pytest.fixture
def corpus(tmp_path):
    return create_corpus(
        tmp_path / "corpus", contact="https://izwi.example/tests", name="tried", delay=0.0
    )


@pytest.fixture
def pages(tmp_path):
    folder = tmp_path / "pages"
    (folder / "old").mkdir(parents=True)
    (folder / "one.html").write_text(page("Bakkie"), encoding="utf-8")
    (folder / "old" / "two.html").write_text(page("Braai"), encoding="utf-8")
    (folder / "notes.doc").write_text("not taken", encoding="utf-8")
    return folder


def packed_zip(folder, path):
    with zipfile.ZipFile(path, "w") as packed:
        for file in sorted(folder.rglob("*.*")):
            packed.write(file, file.relative_to(folder))
    return path


def packed_tar(folder, path):
    with tarfile.open(path, "w:gz") as packed:
        packed.add(folder, ".")
    return path


def urls(corpus):
    return {line.url for line in corpus.drops(most=1000).lines}


@pytest.mark.parametrize(
    "pack",
    [lambda folder, path: folder, packed_zip, packed_tar],
    ids=["folder", "zip", "tar"],
)
def test_pages_of_a_folder_or_archive_are_taken_in_once(corpus, pages, tmp_path, pack):
    given = pack(pages, tmp_path / "packed")

    first = corpus.import_files(given, address="http://old.example/site")
    second = corpus.import_files(given, address="http://old.example/site")

    assert (first.fetched, second.fetched) == (2, 0)
    assert {url.rpartition("/")[2] for url in urls(corpus)} == {"one.html", "two.html"}
    assert all(url.startswith("http://old.example/site/") for url in urls(corpus))


def test_a_pdf_is_taken_in_as_text(corpus, tmp_path):
    (tmp_path / "paper.pdf").write_bytes(_pdf("The bakkie stood in the rain"))

    report = corpus.import_files(tmp_path / "paper.pdf")

    assert report.fetched == 1
    with Catalog.read(corpus.path / "catalog.sqlite") as catalog:
        (shard,) = catalog.shards()
        (entry,) = catalog.captures(shard.name)
    assert entry.media_type == "application/pdf"


def _pdf(text):
    """Return the smallest PDF that shows a line of text."""
    stream = f"BT /F1 12 Tf 50 700 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    start = len(body)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        body
        + b"xref\n0 6\n0000000000 65535 f \n%strailer\n<< /Size 6 /Root 1 0 R >>\n" % rows
        + (b"startxref\n%d\n%%%%EOF\n" % start)
    )


def test_our_own_warc_files_can_be_imported_elsewhere(corpus, pages, tmp_path):
    corpus.import_files(pages, address="http://old.example/")
    other = create_corpus(tmp_path / "other", contact="https://izwi.example/tests", name="other")

    report = other.import_warc(corpus.path / "warc", name="taken")

    assert report.fetched == 2
    assert urls(other) == urls(corpus)


def test_a_wacz_is_a_zip_with_warc_files(corpus, pages, tmp_path):
    corpus.import_files(pages, address="http://old.example/")
    other = create_corpus(tmp_path / "other", contact="https://izwi.example/tests", name="other")
    (warc,) = corpus.path.glob("warc/*.warc.gz")
    with zipfile.ZipFile(tmp_path / "all.wacz", "w") as packed:
        packed.write(warc, "archive/data.warc.gz")

    assert other.import_warc(tmp_path / "all.wacz").fetched == 2


def arc(chunked):
    """Return an ARC file: its own record, a page, an image, a page that is gone."""
    page_body = b"<p>Old page.</p>"
    body = b"9\r\n<p>Old pa\r\n7;x\r\nge.</p>\r\n0\r\n\r\n" if chunked else page_body
    coding = b"Transfer-Encoding: chunked\r\n" if chunked else b""
    info = b"1 0 Somebody\nURL IP-address Archive-date Content-type Archive-length\n"
    blocks = [
        (b"filedesc://old.arc 0.0.0.0 20050101000000 text/plain", info),
        (
            b"http://old.example/page 1.2.3.4 20050102030405 text/html",
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + coding + b"\r\n" + body,
        ),
        (
            b"http://old.example/image 1.2.3.4 20050102030406 image/png",
            b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG",
        ),
        (
            b"http://old.example/gone 1.2.3.4 20050102030407 text/html",
            b"HTTP/1.0 404 Not Found\nContent-Type: text/html\n\n<p>Gone.</p>",
        ),
    ]
    return [b"%s %d\n%s\n" % (line, len(block), block) for line, block in blocks]


@pytest.mark.parametrize("is_chunked", [True, False], ids=["chunked", "whole"])
@pytest.mark.parametrize("is_packed", [True, False], ids=["packed", "plain"])
def test_an_arc_file_is_taken_in(corpus, tmp_path, is_packed, is_chunked):
    pieces = arc(is_chunked)
    path = tmp_path / ("old.arc.gz" if is_packed else "old.arc")
    path.write_bytes(b"".join(map(gzip.compress, pieces) if is_packed else pieces))

    report = corpus.import_warc(path, name="old")

    (shard,) = corpus.path.glob("warc/*.captures.jsonl")
    (entry,) = read_entries(shard)
    capture = read_capture(next(corpus.path.glob("warc/*.warc.gz")), entry)
    assert report.fetched == 1
    assert (entry.url, entry.time.isoformat()) == (
        "http://old.example/page", "2005-01-02T03:04:05+00:00",
    )  # fmt: skip
    assert capture.body == b"<p>Old page.</p>"


@pytest.mark.parametrize("cut", [-5, 200])
def test_what_comes_before_the_damage_of_an_archive_is_kept(corpus, tmp_path, cut):
    (tmp_path / "old.arc").write_bytes(b"".join(arc(False))[:cut])

    with pytest.raises(SourceError, match="damaged"):
        corpus.import_warc(tmp_path / "old.arc")

    kept = [line for line in corpus.drops(most=100).lines if line.reason == "not-built"]
    assert len(kept) == (1 if cut < 0 else 0)


def test_a_broken_pdf_is_in_the_ledger_and_the_other_files_are_taken_in(corpus, pages):
    (pages / "broken.pdf").write_bytes(b"%PDF-1.4 not really")

    report = corpus.import_files(pages)
    corpus.build()

    assert report.fetched == 3
    (line,) = corpus.drops(reason="unreadable-file").lines
    assert line.url.endswith("broken.pdf")


@pytest.mark.parametrize("name", ["absent.warc.gz", "notes.txt"])
def test_what_is_no_web_archive_is_said_so(corpus, tmp_path, name):
    (tmp_path / "notes.txt").write_text("no archive", encoding="utf-8")

    with pytest.raises(SourceError, match=name):
        corpus.import_warc(tmp_path / name)


def test_what_is_taken_down_is_gone_at_once_and_from_every_file_after_compaction(corpus, pages):
    corpus.import_files(pages, address="http://old.example/")
    corpus.build(workers=1)
    assert corpus.concordance("Bakkie").hits == 2

    report = corpus.takedown("http://old.example/one.html", reason="asked by the owner")

    assert report.captures == 1
    (line,) = corpus.drops(stage="takedown").lines
    assert (line.outcome, line.reason) == ("dropped", "taken-down")
    assert line.detail.startswith("asked by the owner (20")
    last = corpus.summary().funnel[-1]
    assert (last.documents, [loss.stage for loss in last.losses]) == (1, ["takedown"])
    assert corpus.concordance("Bakkie").hits == 0
    assert corpus.concordance("Braai").hits == 2
    with pytest.raises(QueryError):
        corpus.concordance("Bakkie", version=1)

    corpus.compact(workers=1)

    assert corpus.concordance("Bakkie").hits == 0
    assert corpus.concordance("Braai").hits == 2
    assert not _holds(corpus.path, "Bakkie")
    assert corpus.status().is_current
    assert corpus.import_files(pages, address="http://old.example/").fetched == 0


def _holds(folder: Path, word: str) -> bool:
    """Whether any file but the record still holds a word; packed ones are unpacked."""
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "takedowns.jsonl":
            raw = path.read_bytes()
            text = gzip.decompress(raw) if path.name.endswith(".gz") else raw
            if word.encode() in text:
                return True
    return False


def test_a_host_that_is_taken_down_is_never_asked_again(corpus):
    corpus.add_source("http://karoocourant.example/", type="crawl", name="it", depth=1)
    corpus.takedown("karoocourant.example", reason="asked")

    with FaultyWeb() as web:
        corpus.gather(proxy=web.proxy_url)

        assert not web.log
    (line,) = corpus.drops().lines
    assert (line.outcome, line.reason) == ("dropped", "taken-down")


def test_an_address_that_no_page_has_is_compared_with_those_there_are(corpus, pages):
    corpus.import_files(pages, address="http://old.example/")

    report = corpus.takedown("http://old.example/on.html", reason="asked")

    assert (report.captures, report.alike[0]) == (0, "http://old.example/one.html")


@pytest.mark.parametrize("target", ["", "nothing", "ftp://a.example/", "a.example/page"])
def test_what_is_neither_a_url_nor_a_host_cannot_be_taken_down(corpus, target):
    with pytest.raises(QueryError, match="neither a URL nor a host"):
        corpus.takedown(target, reason="asked")


def test_a_home_page_is_looked_at_without_storing_anything(corpus):
    with FaultyWeb() as web:
        found = corpus.check_source("http://umgeniherald.example/", proxy=web.proxy_url)

    kinds = {each.kind: each for each in found.lists}
    assert found.is_allowed
    assert kinds["feed"].items == 15
    assert kinds["sitemap"].items > 40
    assert kinds["sitemap"].per_day
    assert found.archive_pages
    assert not (corpus.path / "catalog.sqlite").exists()


def test_a_closed_host_is_not_looked_at(corpus):
    with FaultyWeb() as web:
        found = corpus.check_source("http://closed.example/", proxy=web.proxy_url)

        assert [each.url for each in web.log] == ["http://closed.example/robots.txt"]
    assert not found.is_allowed


def test_feeds_go_out_and_in_as_opml(corpus, tmp_path):
    corpus.add_source("http://a.example/feed.xml", type="feed")
    other = create_corpus(tmp_path / "other", contact="https://izwi.example/tests", name="other")
    text = corpus.export_opml()

    assert other.import_opml(text) == ("a-feed",)
    assert other.import_opml(text) == ()
    assert other.export_opml().count("<outline") == 1


@pytest.mark.parametrize(
    "text", ["not xml", "<!DOCTYPE x [<!ENTITY a 'b'>]><opml/>"], ids=["no-xml", "entities"]
)
def test_a_bad_list_of_feeds_is_refused(corpus, text):
    with pytest.raises(SourceError):
        corpus.import_opml(text)


def test_a_watch_gathers_builds_and_ends_when_its_time_is_over(corpus):
    corpus.add_source("http://karoocourant.example/", type="crawl", name="it", depth=1)

    with FaultyWeb() as web:
        rounds = watch(
            corpus,
            rest_seconds=0.0,
            seconds=0.0,
            proxy=web.proxy_url,
            workers=1,
            listener=lambda event: None,
        )
        commands = [report.command for report in rounds]

    assert commands == ["gather", "build"]


def test_a_round_that_fails_is_told_and_the_watch_goes_on(corpus, monkeypatch):
    told = []
    monkeypatch.setattr(
        Corpus, "gather", lambda self, **options: (_ for _ in ()).throw(SourceError("No way."))
    )

    rounds = watch(corpus, rest_seconds=0.0, seconds=0.0, proxy="", workers=1, listener=told.append)

    assert list(rounds) == []
    assert "No way." in told[0].message


def test_a_watch_that_is_stopped_while_it_gathers_does_not_build(corpus, monkeypatch):
    corpus.add_source("http://karoocourant.example/", type="crawl", name="it", depth=1)
    gather = Corpus.gather

    def stopped(self, **options):
        return replace(gather(self, **options), was_stopped=True)

    monkeypatch.setattr(Corpus, "gather", stopped)
    with FaultyWeb() as web:
        rounds = watch(
            corpus,
            rest_seconds=0.0,
            seconds=None,
            proxy=web.proxy_url,
            workers=1,
            listener=lambda event: None,
        )
        commands = [report.command for report in rounds]

    assert commands == ["gather"]


def test_a_watch_that_is_stopped_while_it_builds_ends(corpus, monkeypatch):
    corpus.add_source("http://karoocourant.example/", type="crawl", name="it", depth=0)
    told = []

    def interrupted(self, **options):
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(Corpus, "build", interrupted)
    with FaultyWeb() as web:
        rounds = watch(
            corpus,
            rest_seconds=0.0,
            seconds=None,
            proxy=web.proxy_url,
            workers=1,
            listener=told.append,
        )
        commands = [report.command for report in rounds]

    assert commands == ["gather"]
    assert "in the middle" in told[-1].message


def warc_record(kind, target, block, content="application/http; msgtype=response"):
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid4()}>\r\n"
        f"WARC-Target-URI: {target}\r\nWARC-Date: 2014-02-03T04:05:06Z\r\n"
        f"Content-Type: {content}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def http(status="200 OK", kind="text/html", body=b"<p>Page.</p>"):
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n\r\n".encode() + body


def test_every_record_of_an_archive_is_a_page_or_a_line_with_a_reason(corpus, tmp_path):
    site = "http://old.example"
    records = {
        f"<{site}/wget>": ("response", http()),
        f"{site}/gone": ("response", http("404 Not Found")),
        f"{site}/moved": ("response", http("301 Moved")),
        f"{site}/image": ("response", http(kind="image/png")),
        f"{site}/large": ("response", http(body=b"x" * 3_000_000)),
        "whois://old.example/": ("response", http()),
        f"{site}/again": ("revisit", http()),
        f"{site}/odd": ("response", b"no answer at all"),
        f"{site}/resource": ("resource", b"<p>As it was.</p>"),
    }
    path = tmp_path / "odd.warc"
    path.write_bytes(
        b"".join(
            warc_record(kind, url, block, "text/html" if kind == "resource" else "application/http")
            for url, (kind, block) in records.items()
        )
    )
    text = (corpus.path / "corpus.toml").read_text()
    (corpus.path / "corpus.toml").write_text(
        text.replace("[gather]\n", '[gather]\nmax_size = "2 MiB"\n')
    )

    report = open_corpus(corpus.path).import_warc(path, name="odd")

    lines = {line.url: line for line in open_corpus(corpus.path).drops(most=100).lines}
    assert report.fetched == 2
    assert len(lines) == len(records)
    reasons = {url: line.reason for url, line in lines.items()}
    assert reasons[f"{site}/wget"] == reasons[f"{site}/resource"] == "not-built"
    assert reasons[f"{site}/gone"] == "http-404"
    assert reasons[f"{site}/moved"] == "http-301"
    assert reasons[f"{site}/image"] == "media-type"
    assert reasons[f"{site}/large"] == "too-large"
    assert reasons[f"{site}/again"] == "no-answer"
    assert reasons[f"{site}/odd"] == "broken-response"
    (nowhere,) = (line for line in lines.values() if line.reason == "bad-address")
    assert nowhere.detail == "whois://old.example/"
    assert any("7 records are no pages" in words for words in report.warnings)


def test_an_arc_address_may_have_spaces(corpus, tmp_path):
    block = http(body=b"<p>Spaced.</p>")
    line = b"http://old.example/some page here 1.2.3.4 20140216050221 text/html %d\n" % len(block)
    (tmp_path / "example-space-in-url.arc").write_bytes(line + block + b"\n")

    corpus.import_warc(tmp_path / "example-space-in-url.arc")

    assert urls(corpus) == {"http://old.example/some%20page%20here"}


def test_how_often_a_list_grows_is_told_of_years_too():
    days = ["2019-12-10", *["2022-05-01"] * 13, "2026-03-12"]

    found = _counted("http://a.example/feed", "feed", 15, days)

    assert pace_of(found.per_day) == "2 a year"
