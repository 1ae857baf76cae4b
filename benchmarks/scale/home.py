"""What the home page of a corpus costs as its index grows, without the hours of a whole build.

    python benchmarks/scale/home.py --documents 5000 50000 200000 1000000

The index is made of documents of a few words, of 40 sites and one an hour, every thirtieth a copy;
one in a thousand is gone, as after take-downs. Each look is a process of its own; the least CPU
seconds of three. Nothing of the queue and of layers is in it: those have counts of their own.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from build import measured, write_config

from izwi.annotate.tokens import Tokeniser
from izwi.index.writer import write_segment
from izwi.model.document import CopyOf, Document, Metadata, Paragraph, PublicationDate, dropped
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout
from izwi.store.snapshots import SegmentEntry, SegmentPart, publish

_SITES, _COPIES, _GONE = 40, 30, 1000
# Documents of a segment: larger ones are merged of such.
_MOST = 100_000


def documents(first: int, count: int) -> Iterator[Document]:
    """Yield documents of a few words; document N is the same however many there are."""
    words = Tokeniser()(["A few words are enough."])
    for number in range(first, first + count):
        day = datetime(2004, 1, 1, tzinfo=UTC) + timedelta(hours=number)
        site = number % _SITES
        found = Document(
            id=f"d{number}",
            url=f"https://site{site}.example/{day:%Y/%m}/story-{number}",
            captured=day,
            source=f"site{site}",
            metadata=Metadata(
                f"Title {number}", "", PublicationDate(day.date(), "day", "url"), "", f"Site {site}"
            ),
            paragraphs=(Paragraph("A few words are enough."),),
            annotation=words,
        )
        if number % _COPIES:
            yield found
        else:
            owner = f"d{number + 1}"
            verdict = dropped("dedup", "exact-copy", value=1.0, threshold=1.0, detail=owner)
            yield Document(
                found.id, found.url, found.captured, found.source, found.metadata, verdict=verdict,
                copy_of=CopyOf(owner, "exact", 1.0),
            )  # fmt: skip


def make_index(folder: Path, count: int) -> None:
    """Publish an index of so many documents."""
    folder.mkdir(parents=True)
    write_config(folder)
    layout = Layout(folder)
    Catalog.write(layout.catalog).close()
    layout.segments.mkdir(parents=True)
    layout.snapshots.mkdir(parents=True)
    entries = []
    for first in range(0, count, _MOST):
        some = min(_MOST, count - first)
        shard = f"s{first:08}"
        entry = write_segment(
            layout.segments, documents(first, some), shards=[shard], fingerprint="f"
        )
        entries.append(_without(entry, some))
    publish(layout, entries, published="2026-11-18T00:00:00+00:00", versions={})


def _without(entry: SegmentEntry, rows: int) -> SegmentEntry:
    gone = tuple((each, each + 1) for each in range(7, rows, _GONE))
    (part,) = entry.parts
    changed = SegmentPart(
        part.shard, part.fingerprint, rows, part.documents, part.tokens, gone=gone
    )
    return entry.of_parts((changed,))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[5000, 50_000])
    given = parser.parse_args(arguments)
    print(json.dumps({"load": os.getloadavg()}), flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        for count in given.documents:
            make_index(folder := Path(scratch) / f"home-{count}", count)
            cpu = min(measured("info", str(folder))["cpu"] for _ in range(3))
            print(f"{count} documents: {cpu:.2f} CPU s", flush=True)


if __name__ == "__main__":
    main()
