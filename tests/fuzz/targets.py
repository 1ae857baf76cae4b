"""What the inputs are thrown at, and what each may answer: a result, or an error of ours."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.fuzz import inputs


class Target(NamedTuple):
    """What reads an input, what makes the inputs, and how many a test run has."""

    run: Callable[[bytes, Path], object]
    make: Callable[..., bytes]
    count: int


def _lossy(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def extract(data: bytes, folder: Path) -> object:
    import izwi

    found = izwi.extract(data, "http://a.example/2020/01/02/x")
    return found.text, found.paragraphs, found.comments, found.metadata


def language(data: bytes, folder: Path) -> object:
    import izwi

    return izwi.identify(_lossy(data))


@cache
def _tokenisers():
    from izwi.annotate.base import AnnotatorSettings
    from izwi.annotate.tokens import Tokeniser

    return [Tokeniser(AnnotatorSettings(name)) for name in ("eng", "und")]


def tokens(data: bytes, folder: Path) -> object:
    paragraphs = _lossy(data).split("\n")
    return [tokenise(paragraphs) for tokenise in _tokenisers()]


@cache
def _readings():
    from izwi.dedup.batch import NgramReading

    return [NgramReading(), NgramReading(has_marks=True, ignored=("the",))]


def dedup(data: bytes, folder: Path) -> object:
    from izwi.dedup.batch import read_batch

    documents = [part.split("\n") for part in _lossy(data).split("\x00")]
    return [read_batch(documents, reading) for reading in _readings()]


def cql(data: bytes, folder: Path) -> object:
    from izwi.query.cql import parse

    return parse(_lossy(data))


def _file(data: bytes, folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def texts(data: bytes, folder: Path) -> object:
    from izwi.export.incoming import read_texts

    return list(read_texts(_file(data, folder, "x.jsonl")))


def conllu(data: bytes, folder: Path) -> object:
    from izwi.export.conllu import read_conllu_documents

    return list(read_conllu_documents(_file(data, folder, "x.conllu")))


def tei(data: bytes, folder: Path) -> object:
    from izwi.export.tei_reading import read_tei

    return list(read_tei(_file(data, folder, "x.xml")))


def warc(data: bytes, folder: Path) -> object:
    from izwi.gather.importing import captures_of_web_archive

    return list(captures_of_web_archive(_file(data, folder, "x.warc"), "s", largest=10**6))


def arc(data: bytes, folder: Path) -> object:
    from izwi.gather.importing import captures_of_web_archive

    return list(captures_of_web_archive(_file(data, folder, "x.arc"), "s", largest=10**6))


def feed(data: bytes, folder: Path) -> object:
    from izwi.gather.sources.feeds import feed_items

    return feed_items(data)


def sitemap(data: bytes, folder: Path) -> object:
    from izwi.gather.sources.sitemaps import sitemap_entries

    # What is no map is said so to the one who asked.
    with suppress(ValueError):
        return list(sitemap_entries(data))


def archive_lists(data: bytes, folder: Path) -> object:
    from izwi.gather.web_archives import read_cdx, read_timemap

    for read in (read_cdx, read_timemap):
        # What is no list is said so to the one who asked.
        with suppress(ValueError):
            read(data)


def answers(data: bytes, folder: Path) -> object:
    from izwi.gather.permissions import read_rules
    from izwi.text.comments import comments_of_answer

    read_rules(data.decode("utf-8", "replace"))
    with suppress(ValueError):
        return comments_of_answer(data)


def settings(data: bytes, folder: Path) -> object:
    from izwi.config.load import parse

    return parse(data.decode("utf-8", "replace"))


def protocols(data: bytes, folder: Path) -> object:
    from izwi.model.errors import IzwiError
    from izwi.web.api.bonito_query import criteria, own_names
    from izwi.web.api.federated_query import advanced_query, basic_query

    text, attributes = _lossy(data), ("word", "lemma", "pos")
    for read in (own_names, criteria, advanced_query):
        with suppress(IzwiError):
            read(text, attributes)
    return basic_query(text)


def addresses(data: bytes, folder: Path) -> object:
    from izwi.gather.urls import canonical, is_private_address

    for word in _lossy(data).split(" "):
        is_private_address(word)
        for found in (canonical(word), canonical(word, "http://a.example/x/y")):
            # What is remembered can be asked again by the very same words.
            assert found is None or (found.isascii() and canonical(found) == found)


# Twenty thousand in all, in about thirty seconds of a processor.
TARGETS = {
    "extract": Target(extract, inputs.page, 6_000),
    "language": Target(language, inputs.text, 3_000),
    "tokens": Target(tokens, inputs.text, 3_500),
    "dedup": Target(dedup, inputs.text, 3_000),
    "cql": Target(cql, inputs.query, 4_000),
    "texts": Target(texts, inputs.changed(inputs.TEXTS), 700),
    "conllu": Target(conllu, inputs.changed(inputs.CONLLU), 600),
    "tei": Target(tei, inputs.changed(inputs.TEI), 600),
    "warc": Target(warc, inputs.changed(inputs.WARC), 500),
    "arc": Target(arc, inputs.changed(inputs.ARC), 500),
    "feed": Target(feed, inputs.changed(inputs.FEED), 300),
    "sitemap": Target(sitemap, inputs.changed(inputs.SITEMAP), 300),
    "archive-lists": Target(archive_lists, inputs.changed(inputs.CDX), 500),
    "answers": Target(answers, inputs.changed(inputs.ANSWERS), 500),
    "settings": Target(settings, inputs.changed(inputs.SETTINGS), 300),
    "protocols": Target(protocols, inputs.changed(inputs.PROTOCOLS), 500),
    "addresses": Target(addresses, inputs.changed(inputs.ADDRESS), 1_000),
}
