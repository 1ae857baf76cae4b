"""The demonstration's corpus: its sources with the rules for each, and what is left out."""

from pathlib import Path

from izwi.cases.corpus import Corpus, create_corpus
from izwi.demoweb import archive_urls, feed_urls
from izwi.model.portal import as_toml
from izwi.service.demo_rules import LEFT_OUT, PORTALS
from izwi.store.files import disk_errors

CONTACT = "https://izwi.example/demo"
_TITLE = "South African English, a demonstration"


def create_demo(folder: Path, *, name: str = "demo", title: str = "", by: str = "") -> Corpus:
    """Make the demonstration's corpus in a new folder; nothing is fetched."""
    corpus = create_corpus(
        folder, contact=CONTACT, name=name, title=title or _TITLE, languages=("en",), delay=0.0
    )
    corpus.change_settings({"select.without_types": list(LEFT_OUT)}, by=by)
    for key, url in archive_urls().items():
        corpus.add_source(url, type="seeds", name=key, depth=4, by=by)
        _add_rules(folder, key)
    for key, url in feed_urls().items():
        corpus.add_source(url, type="feed", name=f"{key}-feed", by=by)
        _add_rules(folder, key)
    return Corpus(folder)


def _add_rules(folder: Path, key: str) -> None:
    """Write the rules for a site's pages below the source that was just added."""
    with disk_errors(), (folder / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write(as_toml(PORTALS[key]))
