import gzip
import json
import time
import zlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import brotli
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from izwi.model.capture import Capture, CaptureEntry, Hints, Lead
from izwi.model.errors import CorruptShard
from izwi.store.warc import (
    OversizedBody,
    WarcWriter,
    decoded_body,
    is_whole_list,
    payload_digest,
    read_capture,
    read_entries,
    write_entries,
)
from tests.store.samples import HINTS, HTML, MOMENT, capture

PATHS = st.text("abcäé/%?=&~", max_size=20)
# What stands in a header: one line, in Latin-1, without spaces at its ends.
HEADER_VALUES = st.text(
    st.characters(min_codepoint=33, max_codepoint=255, blacklist_categories=["Cc"])
).map(lambda text: text.strip())
LEADS = st.builds(
    Lead,
    url=PATHS.map(lambda path: f"http://one.example/{path.encode().hex()}"),
    source=st.sampled_from(["one", "two"]),
    kind=st.sampled_from(["page", "feed"]),
    referrer=st.sampled_from(["", "http://r.example/?a=%C3%A9"]),
    depth=st.integers(0, 9),
    redirects=st.integers(0, 5),
    hints=st.builds(Hints, st.text(), st.text(), st.text()),
)
CAPTURES = st.builds(
    Capture,
    lead=LEADS,
    time=st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),
    status=st.just(200),
    reason=st.sampled_from(["OK", "", "Très bien"]),
    headers=st.lists(st.tuples(st.sampled_from(["X-A", "x-b", "Server"]), HEADER_VALUES)).map(
        tuple
    ),
    body=st.binary(max_size=2000),
)


def write(path, captures):
    with WarcWriter.create(path, "izwi tests") as writer:
        entries = [writer.append(each) for each in captures]
        writer.commit()
    return entries


def encoded(body, *encodings):
    return capture(body=body, headers=(*HTML, ("Content-Encoding", ", ".join(encodings))))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "2026-11-15-0001.warc.gz"


@settings(max_examples=50, deadline=None)
@given(captures=st.lists(CAPTURES, min_size=1, max_size=3))
def test_captures_come_back_as_they_were_written(tmp_path_factory, captures):
    path = tmp_path_factory.mktemp("warc") / "a.warc.gz"

    entries = write(path, captures)

    assert [read_capture(path, entry) for entry in entries] == captures


def test_hints_and_provenance_are_in_the_file(path):
    given = capture(referrer="http://one.example/", depth=2, redirects=1, hints=HINTS)

    (entry,) = write(path, [given])

    assert read_capture(path, entry).lead == given.lead


def test_entry_says_what_a_list_of_captures_needs(path):
    given = capture(headers=(("content-type", "Text/HTML; charset=utf-8"),), kind="feed")

    (entry,) = write(path, [given])

    assert entry == CaptureEntry(
        given.lead.url,
        MOMENT,
        200,
        "text/html",
        payload_digest(given.body),
        "feed",
        "one",
        entry.offset,
        entry.length,
    )


def test_entries_lie_one_after_another_to_the_end_of_the_file(path):
    entries = write(path, [capture(f"http://one.example/{number}") for number in range(4)])

    ends = [entry.offset + entry.length for entry in entries]
    assert entries[0].offset > 0
    assert [entry.offset for entry in entries[1:]] == ends[:-1]
    assert ends[-1] == path.stat().st_size


def test_bytes_at_an_offset_are_whole_gzip_members(path):
    _, entry, _ = write(path, [capture(f"http://one.example/{n}") for n in range(3)])

    raw = path.read_bytes()[entry.offset : entry.offset + entry.length]

    assert gzip.decompress(raw).count(b"WARC/1.") == 3


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("X-Name", "caf\xe9 \xa4", "caf\xe9 \xa4"),
        ("X-Name", "two\r\nInjected: lines", "two  Injected: lines"),
        ("X-Name", "☃", "?"),
    ],
    ids=["Latin-1", "line break", "not Latin-1"],
)
def test_odd_header_stays_one_header(path, name, value, expected):
    (entry,) = write(path, [capture(headers=((name, value),))])

    assert read_capture(path, entry).headers == ((name, expected),)


@pytest.mark.parametrize("name", ["Transfer-Encoding", "connection", "Keep-Alive"])
def test_headers_of_the_connection_are_not_kept(path, name):
    (entry,) = write(path, [capture(headers=((name, "chunked"), *HTML))])

    assert read_capture(path, entry).headers == HTML


def test_capture_in_another_time_zone_is_the_same_moment(path):
    moment = datetime(2026, 11, 15, 11, 0, tzinfo=timezone(timedelta(hours=2)))
    (entry,) = write(path, [replace(capture(), time=moment)])

    with path.open("rb") as file:
        dates = {record.rec_headers["WARC-Date"] for record in ArchiveIterator(file)}

    assert "2026-11-15T09:00:00.000Z" in dates
    assert read_capture(path, entry).time == moment


def test_warcio_finds_nothing_wrong(path, capsys):
    bodies = [b"", b"\x00\xff\r\n\r\n", "ünïcode".encode(), gzip.compress(b"squeezed")]
    write(path, [capture(f"http://one.example/{n}", body) for n, body in enumerate(bodies)])

    class Arguments:
        inputs = (str(path),)
        verbose = True

    exit_value = Checker(Arguments()).process_all()

    printed = capsys.readouterr().out
    assert not exit_value
    assert "digest failed" not in printed
    assert printed.count("digest pass") >= len(bodies)


def test_warcio_reads_the_same_responses(path):
    given = capture(body="<p>Sawubona, ’n wêreld.</p>".encode())
    write(path, [given])

    with path.open("rb") as file:
        found = [
            (record.rec_headers["WARC-Target-URI"], record.content_stream().read())
            for record in ArchiveIterator(file, check_digests="raise")
            if record.rec_type == "response"
        ]

    assert found == [(given.lead.url, given.body)]


def test_file_names_itself_without_the_mark_of_growing(tmp_path):
    path = tmp_path / "2026-11-15-0001.warc.gz.open"
    write(path, [])

    first = gzip.decompress(path.read_bytes())

    assert b"WARC-Filename: 2026-11-15-0001.warc.gz\r\n" in first
    assert b"software: izwi tests\r\n" in first


def test_nothing_is_left_of_an_older_file_of_the_same_name(path):
    path.write_bytes(b"older")

    (entry,) = write(path, [capture()])

    assert read_capture(path, entry) == capture()


def test_torn_tail_is_cut_off_and_the_file_goes_on(path):
    (first,) = write(path, [capture("http://one.example/1")])
    committed = path.stat().st_size
    with path.open("ab") as file:
        file.write(b"\x1f\x8b half a record")

    with WarcWriter(path, committed=committed) as writer:
        second = writer.append(capture("http://one.example/2"))
        size = writer.commit()

    assert second.offset == committed
    assert size == path.stat().st_size == writer.size
    urls = [read_capture(path, entry).lead.url for entry in (first, second)]
    assert urls == ["http://one.example/1", "http://one.example/2"]
    with path.open("rb") as file:
        assert len(list(ArchiveIterator(file))) == 1 + 2 * 3


def test_commit_returns_the_size_that_is_on_the_disk(path):
    with WarcWriter.create(path, "izwi tests") as writer:
        writer.append(capture(body=b"x" * 100))

        assert writer.commit() == path.stat().st_size


def test_sealing_writes_the_list_before_the_final_name(tmp_path, path):
    growing, listing = tmp_path / "a.open", tmp_path / "a.captures.jsonl"
    with WarcWriter.create(growing, "izwi tests") as writer:
        entry = writer.append(capture())

        def entries():
            assert not path.exists()
            yield entry

        writer.seal(path, listing, entries())

    assert list(read_entries(listing)) == [entry]
    assert read_capture(path, entry) == capture()
    assert not growing.exists()


def read_or_complaint(path, entry):
    """Return a capture or, if it is damaged, the path named and whether its URL is."""
    try:
        return read_capture(path, entry)
    except CorruptShard as error:
        return error.path, entry.url in str(error)


@pytest.mark.parametrize("mask", [0x01, 0xFF], ids=["one bit", "all bits"])
def test_damage_of_one_capture_is_seen_and_hurts_no_other(path, mask):
    given = [capture(f"http://one.example/{n}", b"text " * 20, hints=HINTS) for n in range(3)]
    before, entry, after = write(path, given)
    raw = path.read_bytes()

    for place in range(entry.offset, entry.offset + entry.length, 7):
        damaged = bytearray(raw)
        damaged[place] ^= mask
        path.write_bytes(damaged)
        # A few bits of a gzip header mean nothing.
        assert read_or_complaint(path, entry) in (given[1], (str(path), True))
        assert read_capture(path, before) == given[0]
        assert read_capture(path, after) == given[2]


def test_most_of_a_capture_cannot_be_damaged_unseen(path):
    (entry,) = write(path, [capture()])
    raw = bytearray(path.read_bytes())
    raw[entry.offset + entry.length // 2] ^= 0xFF
    path.write_bytes(raw)

    with pytest.raises(CorruptShard, match="is damaged at"):
        read_capture(path, entry)


def test_capture_of_another_record_is_damage(path):
    first, second = write(path, [capture(), capture("http://one.example/b")])

    with pytest.raises(CorruptShard):
        read_capture(path, replace(second, offset=first.offset + 10))


def test_truncated_file_is_damage_of_what_is_cut_off_only(path):
    first, second = write(path, [capture("http://one.example/1"), capture("http://one.example/2")])
    path.write_bytes(path.read_bytes()[:-1])

    assert read_capture(path, first).lead.url == "http://one.example/1"
    with pytest.raises(CorruptShard, match=r"ends before the capture of http://one\.example/2"):
        read_capture(path, second)


def test_missing_file_is_damage_that_names_it(path):
    (entry,) = write(path, [capture()])
    path.unlink()

    with pytest.raises(CorruptShard, match="cannot be read: No such file") as caught:
        read_capture(path, entry)

    assert caught.value.path == str(path)


def test_list_of_captures_comes_back(tmp_path):
    entries = [
        CaptureEntry("http://ü.example/", MOMENT, 200, "", "sha1:A", "page", "one", 0, 10),
        CaptureEntry("http://b.example/", MOMENT, 404, "text/html", "", "feed", "two", 10, 20),
    ]

    write_entries(tmp_path / "list", iter(entries))

    assert list(read_entries(tmp_path / "list")) == entries


def test_only_captures_are_read_in_which_a_text_stands(tmp_path):
    urls = ["http://ü.example/a", "http://B.example/", 'http://b.example/"x"']
    entries = [CaptureEntry(url, MOMENT, 200, "", "", "page", "one", 0, 10) for url in urls]
    write_entries(tmp_path / "list", iter(entries))

    assert list(read_entries(tmp_path / "list", "b.example")) == entries[1:]
    assert list(read_entries(tmp_path / "list", urls[0])) == entries[:1]
    assert list(read_entries(tmp_path / "list", urls[2])) == entries[2:]
    (tmp_path / "list").write_text((tmp_path / "list").read_text().replace('s": 3', 's": 4'))
    with pytest.raises(CorruptShard):
        list(read_entries(tmp_path / "list", "nowhere"))


ROW = {
    "url": "http://a/",
    "time": "2026-11-15T00:00:00+00:00",
    "status": 200,
    "media_type": "",
    "digest": "",
    "kind": "page",
    "source": "one",
    "offset": 0,
    "length": 1,
}


@pytest.mark.parametrize(
    "line",
    [
        b"not JSON",
        b"[]",
        b"{}",
        json.dumps({key: value for key, value in ROW.items() if key != "offset"}).encode(),
        json.dumps(ROW | {"surplus": 1}).encode(),
        json.dumps(ROW | {"time": "yesterday"}).encode(),
        b'{"url": "\xff"}',
    ],
    ids=["no JSON", "list", "empty", "key missing", "key too many", "no time", "not UTF-8"],
)
def test_damaged_list_of_captures_is_an_error_that_names_it(tmp_path, line):
    path = tmp_path / "a.captures.jsonl"
    path.write_bytes(json.dumps(ROW).encode() + b"\n" + line + b'\n{"captures": 2}\n')

    with pytest.raises(CorruptShard) as caught:
        list(read_entries(path))

    assert caught.value.path == str(path)


@pytest.mark.parametrize(
    "end",
    ["", '{"captures": 2}\n', '{"captures": 0}\n', '{"capt'],
    ids=["no end", "too few", "too many", "torn"],
)
def test_list_of_captures_that_is_not_whole_is_an_error(tmp_path, end):
    path = tmp_path / "a.captures.jsonl"
    path.write_text(json.dumps(ROW) + "\n" + end)

    with pytest.raises(CorruptShard):
        list(read_entries(path))


@pytest.mark.parametrize("captures", [0, 3])
def test_list_of_captures_knows_whether_it_is_whole(tmp_path, captures):
    path = tmp_path / "a.captures.jsonl"
    entry = CaptureEntry("http://a/", MOMENT, 200, "", "", "page", "one", 0, 1)
    write_entries(path, [entry] * captures)
    whole = is_whole_list(path)

    path.write_bytes(path.read_bytes().rpartition(b"{")[0])

    assert whole
    assert not is_whole_list(path)
    assert not is_whole_list(tmp_path / "absent")


def test_missing_list_of_captures_is_an_error_that_names_it(tmp_path):
    with pytest.raises(CorruptShard, match="damaged or missing"):
        list(read_entries(tmp_path / "absent"))


TEXT = "Sawubona, wêreld! ".encode() * 50


def deflated(body, window):
    packer = zlib.compressobj(9, zlib.DEFLATED, window)
    return packer.compress(body) + packer.flush()


ENCODED = {
    "none": (TEXT, ()),
    "identity": (TEXT, ("identity",)),
    "gzip": (gzip.compress(TEXT), ("gzip",)),
    "x-gzip": (gzip.compress(TEXT), ("x-gzip",)),
    "in capitals": (gzip.compress(TEXT), (" GZIP ",)),
    "deflate as zlib": (zlib.compress(TEXT), ("deflate",)),
    "deflate as zlib with a small window": (deflated(TEXT, 9), ("deflate",)),
    "deflate, fast": (zlib.compress(TEXT, 1), ("deflate",)),
    "deflate, raw": (deflated(TEXT, -15), ("deflate",)),
    "br": (brotli.compress(TEXT), ("br",)),
    "gzip in br": (brotli.compress(gzip.compress(TEXT)), ("gzip", "br")),
    "gzip twice": (gzip.compress(gzip.compress(TEXT)), ("gzip", "gzip")),
    "gzip with something after it": (gzip.compress(TEXT) + b"\0\0\0", ("gzip",)),
    "gzip in two members": (gzip.compress(TEXT[:99]) + gzip.compress(TEXT[99:]), ("gzip",)),
    "gzip, a member a letter": (b"".join(gzip.compress(bytes([b])) for b in TEXT), ("gzip",)),
}


@pytest.mark.parametrize(("body", "encodings"), ENCODED.values(), ids=ENCODED)
def test_body_is_unpacked(body, encodings):
    assert decoded_body(encoded(body, *encodings), len(TEXT)) == TEXT


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "identity"])
def test_empty_body_stays_empty(encoding):
    assert decoded_body(encoded(b"", encoding), 10) == b""


@given(st.binary(max_size=500), st.sampled_from(["gzip", "deflate", "br", "identity"]))
def test_whatever_the_bytes_only_value_errors_come_out(body, encoding):
    try:
        plain = decoded_body(encoded(body, encoding), 1000)
    except ValueError:
        return

    assert len(plain) <= 1000


@pytest.mark.parametrize(
    ("body", "encodings"),
    [pair for name, pair in ENCODED.items() if name != "gzip with something after it"],
    ids=[name for name in ENCODED if name != "gzip with something after it"],
)
def test_body_that_unpacks_to_one_byte_too_many_is_refused(body, encodings):
    with pytest.raises(OversizedBody, match=f"more than {len(TEXT) - 1} bytes"):
        decoded_body(encoded(body, *encodings), len(TEXT) - 1)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, brotli.compress])
def test_bomb_is_refused_without_being_unpacked(pack):
    encoding = {gzip.compress: "gzip", zlib.compress: "deflate", brotli.compress: "br"}[pack]
    bomb = pack(b" " * 20_000_000)

    assert len(bomb) < 25_000
    with pytest.raises(OversizedBody):
        decoded_body(encoded(bomb, encoding), 1000)


def test_bomb_in_a_bomb_is_refused():
    bomb = gzip.compress(gzip.compress(b" " * 5_000_000))

    with pytest.raises(OversizedBody):
        decoded_body(encoded(bomb, "gzip", "gzip"), 10_000)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
def test_body_that_is_not_what_it_says_is_an_error(encoding):
    with pytest.raises(ValueError, match="compressed body is broken"):
        decoded_body(encoded(b"<html>plain text after all</html>", encoding), 1000)


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (gzip.compress(TEXT), "gzip"),
        (zlib.compress(TEXT), "deflate"),
        (brotli.compress(TEXT), "br"),
    ],
    ids=["gzip", "deflate", "br"],
)
def test_body_that_is_cut_short_is_an_error(body, encoding):
    with pytest.raises(ValueError, match="compressed body is cut short"):
        decoded_body(encoded(body[:-5], encoding), len(TEXT))


def test_body_of_very_many_members_does_not_take_long():
    body = gzip.compress(b"") * 200_000
    begun = time.process_time()

    assert decoded_body(encoded(body, "gzip"), 1000) == b""
    assert time.process_time() - begun < 5.0


def test_unknown_encoding_is_an_error_that_names_it():
    with pytest.raises(ValueError, match="unknown content encoding 'zstd'"):
        decoded_body(encoded(b"x", "zstd"), 1000)


def test_digest_is_the_one_of_the_standard():
    # The SHA-1 of nothing, as WARC files write it.
    assert payload_digest(b"") == "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
