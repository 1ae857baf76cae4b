"""Lists of feeds as feed readers exchange them: OPML in and out."""

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from izwi.config.schema import CorpusConfig
from izwi.gather.urls import canonical
from izwi.model.errors import SourceError
from izwi.service.setup import source_name

# OPML needs no entities of its own; a list that declares some wants to grow in memory.
_DECLARES = ("<!doctype", "<!entity")


def new_feeds(text: str, config: CorpusConfig) -> Iterator[dict[str, object]]:
    """Yield the feeds of an OPML list that a corpus does not have, as fields of a [[source]]."""
    if any(word in text.lower() for word in _DECLARES):
        raise SourceError("The OPML list declares entities; that is refused. Remove the DOCTYPE.")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise SourceError(f"This is no OPML list: {error}.") from None
    known = {canonical(str(getattr(source, "url", ""))) for source in config.sources}
    names = {source.name for source in config.sources}
    for outline in root.iter("outline"):
        url = canonical(outline.get("xmlUrl") or "")
        if url is None or url in known:
            continue
        known.add(url)
        name = source_name(url, "feed", names)
        names.add(name)
        yield {"name": name, "type": "feed", "url": url}


def as_opml(config: CorpusConfig) -> str:
    """Return the feeds of a corpus as an OPML list."""
    root = Element("opml", {"version": "2.0"})
    SubElement(SubElement(root, "head"), "title").text = config.corpus.title or config.corpus.name
    body = SubElement(root, "body")
    for source in config.sources:
        if source.type == "feed":
            facts: Any = {"type": "rss", "text": source.name, "xmlUrl": getattr(source, "url", "")}
            SubElement(body, "outline", facts)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
