"""The demonstration's corpus: its sources, and no rules for any of them."""

from pathlib import Path

from izwi.cases.corpus import Corpus, create_corpus
from izwi.demoweb import archive_urls, feed_urls

CONTACT = "https://izwi.example/demo"
_TITLE = "South African English, a demonstration"


def create_demo(folder: Path, *, name: str = "demo", title: str = "", by: str = "") -> Corpus:
    """Make the demonstration's corpus in a new folder; nothing is fetched."""
    corpus = create_corpus(
        folder, contact=CONTACT, name=name, title=title or _TITLE, languages=("en",), delay=0.0
    )
    for key, url in archive_urls().items():
        corpus.add_source(url, type="seeds", name=key, depth=4, by=by)
    for key, url in feed_urls().items():
        corpus.add_source(url, type="feed", name=f"{key}-feed", by=by)
    return Corpus(folder)
