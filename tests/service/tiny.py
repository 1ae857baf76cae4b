"""A corpus of a few pages, put into its WARC file without a network."""

from datetime import UTC, datetime
from pathlib import Path

from izwi.cases.corpus import Corpus, create_corpus
from izwi.model.capture import Capture, Lead
from izwi.model.document import KEPT, dropped
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout

HOST = "https://courant.example"
WHEN = datetime(2020, 6, 15, 12, 0, tzinfo=UTC)
ENGLISH = (
    "The robots at the corner of Stasie Road have been out since Monday, and the man who sells "
    "oranges there has begun to direct the traffic with two of them, one in each hand, which the "
    "drivers seem to understand far better than they ever understood the lights. "
)
AFRIKAANS = (
    "Die verkeersligte op die hoek van Stasieweg werk al sedert Maandag nie meer nie, en die man "
    "wat daar lemoene verkoop, het begin om die verkeer met twee van hulle te reël, een in elke "
    "hand, wat die bestuurders glo baie beter verstaan as wat hulle ooit die ligte verstaan het. "
)
FEED = b'<?xml version="1.0"?><rss version="2.0"><channel><title>x</title></channel></rss>'

# Each page: its lead, its status, its type, its body.
PAGES = (
    (Lead(f"{HOST}/feed.xml", "feed", "feed"), 200, "application/rss+xml", FEED),
    (Lead(f"{HOST}/2020/03/01/robots", "feed"), 200, "text/html", f"<p>{ENGLISH}</p>".encode()),
    (Lead(f"{HOST}/2020/03/02/oranges", "pages"), 200, "text/html",
     f"<p>Oranges! {ENGLISH}</p>".encode()),
    (Lead(f"{HOST}/print/robots", "pages"), 200, "text/html", f"<p>{ENGLISH}</p>".encode()),
    (Lead(f"{HOST}/af/robots", "pages"), 200, "text/html", f"<p>{AFRIKAANS}</p>".encode()),
    (Lead(f"{HOST}/gone", "pages"), 404, "text/html", b"<p>Gone</p>"),
    (Lead(f"{HOST}/short", "pages"), 200, "text/html", b"<p>Short.</p>"),
)  # fmt: skip
WAITING = Lead(f"{HOST}/waiting", "pages")
FORBIDDEN = Lead(f"{HOST}/forbidden", "pages")


def make(folder: Path) -> Corpus:
    """Make a corpus with a feed and a list of pages as its sources."""
    corpus = create_corpus(
        folder, contact="https://izwi.example/", name="tiny", languages=("en",), delay=0
    )
    # Its pages are nearly the same: only equal ones are to be copies here.
    with (folder / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write("\n[dedup]\nngram = 50\nedited = false\n")
    corpus.add_source(f"{HOST}/feed.xml", name="feed")
    corpus.add_source(f"{HOST}/", type="seeds", name="pages")
    return corpus


def gather(folder: Path, *, is_sealed: bool = True) -> None:
    """Put the pages into the corpus as the gatherer does."""
    layout = Layout(folder)
    with Catalog.write(layout.catalog) as catalog:
        store = CaptureStore(layout, catalog, shard_bytes=1 << 30, software="izwi/tests")
        catalog.add_leads([*(page[0] for page in PAGES), WAITING, FORBIDDEN])
        queue = catalog.waiting_leads("courant.example", 0.0, most=100)
        for queued, (lead, status, kind, body) in zip(queue, PAGES, strict=False):
            headers = (("Content-Type", kind),)
            store.append(queued, Capture(lead, WHEN, status, "", headers, body))
            catalog.settle(queued, "fetched", KEPT)
        catalog.settle(queue[-1], "dropped", dropped("fetch", "robots", detail="robots.txt"))
        store.commit()
        if is_sealed:
            store.seal()
        store.close()
