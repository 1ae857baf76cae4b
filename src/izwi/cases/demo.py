"""The demonstrations' corpora: a small web that is crawled, and a large one of made-up texts."""

import json
from dataclasses import asdict
from pathlib import Path

from izwi.cases.corpus import Corpus, create_corpus
from izwi.demoweb import archive_urls, feed_urls
from izwi.demoweb.generated import DOCUMENTS, generated_texts
from izwi.model.results import Listener, RunReport, ignore
from izwi.store.files import disk_errors

CONTACT = "https://izwi.example/demo"
_TITLE = "South African English, a demonstration"
_LARGE_TITLE = "A large demonstration, of generated texts"


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


def create_large_demo(
    folder: Path, *, name: str = "large", title: str = "", by: str = ""
) -> Corpus:
    """Make the corpus of the large demonstration in a new folder; nothing is written for it yet."""
    return create_corpus(
        folder,
        contact=CONTACT,
        name=name,
        title=title or _LARGE_TITLE,
        languages=("en",),
        delay=0.0,
    )


def fill_large_demo(
    corpus: Corpus, *, documents: int = DOCUMENTS, listener: Listener = ignore
) -> RunReport:
    """Write the texts, take them in and build; what is there already is passed over."""
    path = corpus.path / "generated.jsonl"
    with disk_errors(), path.open("w", encoding="utf-8") as file:
        for each in generated_texts(documents):
            file.write(json.dumps(asdict(each), ensure_ascii=False) + "\n")
    return corpus.import_texts(path, name="generated", build=True, listener=listener)
