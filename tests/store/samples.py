"""Small real things the tests of the store, the pipeline and the gatherer are made of."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from izwi.model.capture import Capture, Hints, Lead
from izwi.store.layout import Layout
from izwi.store.warc import WarcWriter, read_entries

MOMENT = datetime(2026, 11, 15, 9, 12, 4, 123456, tzinfo=UTC)
HTML = (("Content-Type", "text/html; charset=utf-8"),)


def lead(url="http://one.example/a", source="one", **fields):
    return Lead(url, source, **fields)


def capture(url="http://one.example/a", body=b"<p>Sawubona.</p>", *, headers=HTML, **fields):
    """Return the capture of a page; other fields are those of its lead."""
    return Capture(lead(url, **fields), MOMENT, 200, "OK", headers, body)


def later(found, seconds):
    """Return a capture as if it had been made later."""
    return replace(found, time=found.time + timedelta(seconds=seconds))


def write_shard(layout: Layout, name: str, captures):
    """Write a sealed shard and return its list of captures."""
    with WarcWriter.create(layout.open_warc(name), "izwi tests") as writer:
        entries = [writer.append(each) for each in captures]
        writer.seal(layout.warc(name), layout.captures(name), entries)
    return list(read_entries(layout.captures(name)))


HINTS = Hints("Wat is ’n braai?", "Antjie", "2014-03-01")
