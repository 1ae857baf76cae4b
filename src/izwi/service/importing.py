"""Importing as a use case: what others captured becomes shards like our own."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from izwi.config.schema import CorpusConfig
from izwi.config.units import size_bytes
from izwi.gather.importing import PassedOver, Record, captures_of_files, captures_of_web_archive
from izwi.model.capture import Capture
from izwi.model.document import KEPT
from izwi.model.results import Notice, Progress
from izwi.service.runs import Run
from izwi.store.captures import CaptureStore
from izwi.store.layout import Layout
from izwi.store.takedowns import read_takedowns
from izwi.store.warc import payload_digest

_COMMIT = 200


def import_web_archive(
    layout: Layout, config: CorpusConfig, run: Run, path: Path, name: str
) -> None:
    """Take in the pages of WARC, ARC or WACZ files."""
    largest = size_bytes(config.gather.max_size)
    source = name or f"import-{plain_name(path)}"
    take(layout, config, run, captures_of_web_archive(path, source, largest=largest))


def import_files(
    layout: Layout, config: CorpusConfig, run: Run, path: Path, name: str, address: str
) -> None:
    """Take in HTML, text and PDF files."""
    largest = size_bytes(config.gather.max_size)
    source = name or f"import-{plain_name(path)}"
    base = address or f"http://{plain_name(path)}.files.invalid"

    def tell(message: str) -> None:
        run.hear(Notice(message))

    pages = captures_of_files(path, source, address=base, largest=largest, tell=tell)
    take(layout, config, run, pages)


def take(layout: Layout, config: CorpusConfig, run: Run, captures: Iterator[Record]) -> None:
    """Store captures; one that is there already, by URL and content, is passed over.

    What is no page to be taken gets a line in the ledger with its reason.
    """
    software = f"izwi/{version('izwi')}"
    store = CaptureStore(
        layout,
        run.catalog,
        shard_bytes=size_bytes(config.gather.warc_size),
        shard_pages=config.gather.warc_pages,
        software=software,
    )
    store.recover()
    taken, gone = 0, read_takedowns(layout)
    passed: Counter[str] = Counter()
    try:
        for capture in captures:
            if isinstance(capture, PassedOver):
                _pass_over(run, capture)
                passed[capture.verdict.reason] += 1
                if passed.total() % _COMMIT == 0:
                    store.commit()
                continue
            if not gone.covers(capture.lead.url):
                taken += _take_one(run, store, capture)
            if taken and (taken % _COMMIT == 0 or store.is_full):
                store.commit()
                run.hear(Progress("import", taken, None, capture.lead.url))
    finally:  # what comes before the damage of a file is kept
        store.commit()
        store.seal()
        store.close()
    run.report = replace(run.report, fetched=taken)
    if passed:
        words = ", ".join(f"{count} {reason}" for reason, count in passed.most_common())
        run.hear(
            Notice(f"{passed.total()} records are no pages to be taken: {words} (izwi drops).")
        )


def _pass_over(run: Run, record: PassedOver) -> None:
    """Leave a line for a record, unless its address has a page or a line already."""
    run.catalog.add_leads([record.lead])
    if run.catalog.state_of(record.lead.url) in ("fetched", "dropped"):
        return
    queued = run.catalog.find_lead(record.lead.url)
    if queued is not None:
        run.catalog.settle(queued, "dropped", record.verdict)


def _take_one(run: Run, store: CaptureStore, capture: Capture) -> int:
    catalog, lead = run.catalog, capture.lead
    # Any of them, not the last alone: a collection may have several texts of one address.
    if catalog.has_capture(lead.url, payload_digest(capture.body)):
        return 0
    catalog.add_leads([lead])
    queued = catalog.find_lead(lead.url)
    assert queued is not None
    store.append(queued, capture)
    catalog.settle(queued, "fetched", KEPT)
    return 1


def plain_name(path: Path) -> str:
    """Return a file's name as a source's name."""
    stem = path.resolve().name.lower().split(".")[0]
    return (
        "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in stem).strip("-")
        or "files"
    )
