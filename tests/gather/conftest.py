"""The local web, and corpora of one source that are gathered in this process."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from izwi.cases.corpus import Corpus, create_corpus
from izwi.config.schema import GatherSection
from izwi.demoweb import DemoWeb
from izwi.gather.loop import Bounds, Gatherer
from izwi.gather.permissions import PLACE
from izwi.model.results import Notice
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout
from izwi.store.warc import read_capture, read_entries
from tests.demoweb import faults
from tests.demoweb.faults import FaultyWeb

AGENT = "izwi/0 (+https://example.org/bot)"
Make = Callable[..., Corpus]


@pytest.fixture
def web():
    with FaultyWeb() as server:
        yield server


@pytest.fixture
def hosts(monkeypatch):
    """Return the hosts of the demo web that answer as tests tell them to."""
    own = dict(faults.HOSTS)
    monkeypatch.setattr(faults, "HOSTS", own)
    return own


class Gathering:
    """A corpus folder into which runs gather from the demo web."""

    def __init__(self, root, web):
        self.layout = Layout(root)
        self.web = web
        self.events = []
        self.settings = GatherSection(
            contact="x", delay=0.0, timeout=60.0, attempts=1, proxy=web.proxy_url
        )

    # How long a run may take; it ends as soon as nothing is due.
    seconds = 240.0

    def run(
        self, *sources, pages=None, seconds=None, size=None, tell=None, agent=AGENT, **settings
    ):
        """Gather as one run does and return how many captures were made."""
        self.events = []
        with Catalog.write(self.layout.catalog) as catalog:
            store = CaptureStore(self.layout, catalog, shard_bytes=10**9, software="izwi tests")
            return Gatherer(
                settings=replace(self.settings, **settings),
                sources={source.name: source for source in sources},
                catalog=catalog,
                store=store,
                listener=self.events.append,
                user_agent=agent,
                bounds=Bounds(seconds or self.seconds, pages, size),
                tell=tell,
            ).run()

    def line(self, url):
        """Return what the ledger says of a URL that brought no capture."""
        with Catalog.read(self.layout.catalog) as catalog:
            return {each.url: each for each in catalog.ledger_lines()}.get(url)

    @property
    def waiting(self):
        """How many leads wait."""
        with Catalog.read(self.layout.catalog) as catalog:
            return catalog.counts()[1]

    @property
    def captures(self):
        """Return all captures by URL, read from the sealed files."""
        return {
            entry.url: read_capture(self.layout.warc(shard), entry)
            for shard in self.layout.sealed_shards()
            for entry in read_entries(self.layout.captures(shard))
        }

    @property
    def notices(self):
        """What the last run told its user."""
        return [event.message for event in self.events if isinstance(event, Notice)]

    def requests(self, host):
        """Return what the server was asked for on a host, in order, but for its reservations."""
        return [
            each
            for each in self.web.log
            if urlsplit(each.url).netloc == host and not each.url.endswith(PLACE)
        ]

    def paths(self, host):
        """Return the paths the server was asked for on a host, in order."""
        return [each.url.partition(host)[2] for each in self.requests(host)]


@pytest.fixture
def gathering(tmp_path, web):
    return Gathering(tmp_path / "news", web)


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return a function that makes a corpus with one source."""

    def made(source: dict[str, Any], *, delay: float = 0.0, **gather: Any) -> Corpus:
        folder = tmp_path / "corpus"
        create_corpus(folder, contact="https://izwi.example/tests", name="tried", delay=delay)
        path = folder / "corpus.toml"
        settings = "".join(f"{key} = {json.dumps(value)}\n" for key, value in gather.items())
        text = path.read_text(encoding="utf-8").replace("[gather]\n", f"[gather]\n{settings}", 1)
        rows = "".join(f"{key} = {json.dumps(value)}\n" for key, value in source.items())
        path.write_text(f'{text}\n[[source]]\nname = "it"\n{rows}', encoding="utf-8")
        return Corpus(folder)

    return made


def asked(web: DemoWeb, host: str) -> list[str]:
    """Return what a host was asked for, in order."""
    return [each.url for each in web.log if f"//{host}/" in each.url]
