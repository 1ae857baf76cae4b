"""Making a corpus and adding to its sources, also from the lists of feed readers."""

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from izwi import plugins
from izwi.config.language_packs import Pack, find_pack, installed_packs
from izwi.config.load import load, parse
from izwi.config.schema import CorpusConfig, GatherSection, ScheduleSection
from izwi.gather.urls import canonical, completed
from izwi.model.errors import ConfigError, SourceError
from izwi.model.languages import code_of_name, iso639_3, names_like
from izwi.service.settings import record_source
from izwi.store.curation import changing
from izwi.store.files import disk_errors, write_text
from izwi.store.layout import Layout
from izwi.text.language.world import named_languages

_TEMPLATE = Path(__file__).with_name("corpus.toml.template")


def create(
    path: Path,
    *,
    contact: str,
    name: str = "",
    title: str = "",
    languages: tuple[str, ...] = (),
    delay: float = 2.0,
    packs: Sequence[str | Path] = (),
) -> CorpusConfig:
    """Write a commented corpus.toml into a new or empty folder and return it, checked."""
    layout = Layout(path)
    if layout.config.exists():
        raise ConfigError(f"{layout.config} is there already; it was left as it is.")
    languages = codes_of(languages)
    brought = [find_pack(str(pack), Path()) for pack in packs]
    check_languages(languages, {p.code for p in brought if p.part("identifier.npz")})
    text = first_text(
        path, contact=contact, name=name, title=title, languages=languages, delay=delay
    )
    if brought:
        with disk_errors():
            named = [_taken_along(pack, path) for pack in brought]
        text = text.replace("\n[gather]", f"language_packs = {_toml(named)}\n\n[gather]", 1)
    config = parse(text, str(layout.config))
    with disk_errors():
        write_text(layout.config, text)
    return config


def check_language(code: str) -> None:
    """Raise ConfigError for what is no code of a language: the corpus would keep nothing."""
    primary = code.strip().lower().replace("_", "-").partition("-")[0]
    is_code = primary.isascii() and primary.isalpha() and len(primary) in (2, 3)
    if not is_code or (len(primary) == 2 and len(iso639_3(primary)) == 2):
        raise ConfigError(
            f"'{code}' is not a language code{names_like(code)}; write ISO 639 codes such as en, "
            "af, zul, or names such as isiZulu. What can be told: izwi languages."
        )


def codes_of(languages: Iterable[str]) -> tuple[str, ...]:
    """Return what a corpus.toml says for languages, which may be asked for by their names."""
    codes = tuple(code_of_name(language) or language for language in languages)
    for code in codes:
        check_language(code)
    return codes


def _taken_along(pack: Pack, folder: Path) -> str:
    """Return how a corpus names a pack: a folder is copied into it, an installed one is not."""
    if any(pack.folder == each.folder for each in installed_packs()):
        return pack.code
    copy = folder / "packs" / pack.code
    if copy.resolve() != pack.folder:
        pack.copy_to(copy)
    return f"packs/{pack.code}"


def check_languages(languages: Iterable[str], brought: Collection[str] = ()) -> None:
    """Raise ConfigError for a language that cannot be told: its corpus would come out empty."""
    known = named_languages() | frozenset(brought)
    for code in languages:
        wanted = iso639_3(code)
        if wanted not in known:
            near = ", ".join(get_close_matches(wanted, sorted(known), 5, 0.5))
            raise ConfigError(
                f"languages: '{code}' is none of the {len(known)} languages that can be told"
                f"{f' (similar: {near})' if near else ''}. See: izwi languages. "
                f"To add it: izwi language make {wanted} --text sample.txt, then --pack {wanted}"
            )


def check_contact(contact: str) -> None:
    """Raise ConfigError unless site owners can use it: a page, or an address of mail."""
    if not re.search(r"^https?://[^\s/]+\.[^\s]|^[^\s@]+@[^\s@]+\.[^\s@]+$", contact.strip()):
        raise ConfigError(
            f"contact = '{contact}' reaches nobody; give a page such as https://example.org/bot, "
            "or an e-mail address."
        )


def first_text(
    path: Path,
    *,
    contact: str,
    name: str = "",
    title: str = "",
    languages: tuple[str, ...] = (),
    delay: float = 2.0,
) -> str:
    """Return the text that corpus.toml begins with."""
    return _TEMPLATE.read_text(encoding="utf-8").format(
        name=_toml(name or _name_from(path)),
        title=_toml(title or path.resolve().name),
        languages=_toml(list(languages)),
        contact=_toml(contact),
        delay=_toml(delay),
    )


def check(text: str, sources: Sequence[Mapping[str, object]], daily: str = "") -> None:
    """Raise ConfigError if a corpus cannot begin with these; nothing is written."""
    for fields in sources:
        text = with_source(text, fields)
    parse(text, "corpus.toml")
    try:
        ScheduleSection(daily)
    except ValueError as error:
        raise ConfigError(f"{error}.") from None


def settings_of(contact: str) -> GatherSection:
    """Return the usual manners of a gatherer, with a contact; IZWI_PROXY is the machine's own."""
    try:
        return GatherSection(contact, proxy=os.environ.get("IZWI_PROXY", ""))
    except ValueError as error:
        raise ConfigError(f"{error}.") from None


def add_source(path: Path, fields: Mapping[str, object], *, who: str = "") -> CorpusConfig:
    """Append a [[source]] table with a record, leaving every other line as the user wrote it."""
    return add_sources(path, (fields,), who=who)


def add_sources(
    path: Path, sources: Sequence[Mapping[str, object]], *, who: str = ""
) -> CorpusConfig:
    """Append [[source]] tables in one change: all of them, or none if one makes no sense."""
    layout = Layout(path)
    load(layout.config)
    with changing(layout, who) as desk, disk_errors():
        text = layout.config.read_bytes().decode()
        for fields in sources:
            text = with_source(text, fields)
        config = parse(text, str(layout.config))
        for fields in sources:
            record_source(desk, layout, text, str(fields["name"]))
        write_text(layout.config, text)
    return config


def with_source(before: str, fields: Mapping[str, object]) -> str:
    """Return the text of a corpus.toml with one source more."""
    rows = (
        f"{key} = {_toml(value)}" for key, value in fields.items() if value not in ("", None, ())
    )
    end = "\r\n" if "\r\n" in before else "\n"
    gap = end if before.endswith("\n") else end * 2
    return before + gap + "".join(row + end for row in ("[[source]]", *rows))


def source_fields(
    url: str, type: str = "", name: str = "", *, depth: int | None = None, every: str = "",
    since: str = "", languages: tuple[str, ...] = (), taken: Collection[str] = (),
) -> dict[str, object]:  # fmt: skip
    """Return the fields of a new source; what is not given is guessed from its address.

    The front of a site is the whole site, a section its page and what that links to; whoever says
    how many links are followed means just that. An address as people say it gets its scheme;
    what is wanted of a web archive may be without one.
    """
    if type != "archive":
        url = completed(url)
    kind = type or guessed_type(url, depth)
    if depth is None:
        depth = int(not type and is_section(url))
    plugins.describe("izwi.sources", kind)
    keys = source_keys(kind, url, depth=depth, every=every, since=since, languages=languages)
    return {"name": name or source_name(url, kind, taken), "type": kind} | keys


def guessed_type(url: str, depth: int | None = None) -> str:
    """Return what an address becomes if its user does not say.

    >>> [guessed_type(f"https://example.org{path}") for path in ("", "/news/", "/feed.xml")]
    ['crawl', 'seeds', 'feed']
    """
    if _looks_like_feed(url):
        return "feed"
    return "crawl" if depth is None and is_front(url) else "seeds"


def is_front(url: str) -> bool:
    """Whether an address is that of a whole site.

    >>> is_front("https://example.org/"), is_front("https://example.org/?p=4")
    (True, False)
    """
    return _path(url) == "/"


def is_section(url: str) -> bool:
    """Whether an address is that of a part of a site: folders of one word, the last one open.

    >>> [is_section(f"https://example.org/{path}") for path in ("news/", "news", "rain-at-last/")]
    [True, False, False]
    """
    return bool(_SECTION.fullmatch(_path(url)))


_SECTION = re.compile(r"/(?:[^\W\d_]+/){1,3}")


def _path(url: str) -> str:
    """Return what stands behind the host of an address, empty if it is none."""
    found = urlsplit(canonical(url) or "")
    return found.path + (f"?{found.query}" if found.query else "")


def source_keys(
    kind: str, url: str, *, depth: int = 0, every: str = "", since: str = "",
    languages: tuple[str, ...] = (),
) -> dict[str, object]:  # fmt: skip
    """Return the keys that an address becomes in a source of that type.

    >>> source_keys("portal", "https://example.org/archive/{date:%Y/%m}", since="2010-01-01")
    {'archive': 'https://example.org/archive/{date:%Y/%m}', 'since': '2010-01-01', 'every': ''}
    """
    if kind in ("comments", "search"):
        raise ConfigError(
            f"A source of type '{kind}' needs more than an address: write it into corpus.toml as "
            "docs/how-to/add-an-archive.md shows."
        )
    keys: dict[str, dict[str, object]] = {
        "crawl": {"seeds": [url], "depth": depth or 20},
        "seeds": {"urls": [url], "depth": depth},
        "focused": {"seeds": [url], "languages": list(languages)},
        "portal": {"archive": url, "since": since, "every": every},
        "archive": {"since": since, **_archive_keys(url)},
    }
    return keys.get(kind, {"url": url, "every": every})


def _archive_keys(url: str) -> dict[str, object]:
    """Return what is wanted of a web archive and, if that stands in the address, of which."""
    replay, wanted = replayed(url) or ("", url)
    named = {"replay": replay} if replay and "web.archive.org" not in replay else {}
    return {"url": wanted, "way": "cdx" if "*" in wanted else "walk", **named}


def replayed(url: str) -> tuple[str, str] | None:
    """Return where a web archive replays and what, if an address is one of a web archive.

    >>> replayed("https://web.archive.org/web/2010*/example.org/news/*")
    ('https://web.archive.org/web/', 'example.org/news/*')
    >>> replayed("https://example.org/2010/news")
    """
    found = _REPLAY.fullmatch(url.strip())
    if not found or not (found[2].startswith("http") or found[1].endswith("/web/")):
        return None
    return found[1], found[2]


_REPLAY = re.compile(r"(https?://[^/]+/(?:.+/)?)(?:\d{1,14}[*]?|[*])(?:[a-z]{2}_)?/([^/]+.*)")


def source_name(url: str, kind: str = "seeds", taken: Collection[str] = ()) -> str:
    """Return a name that no other source has: the site, and what sort of source it is.

    >>> source_name("https://www.example.co.za/news/feed.xml", "feed")
    'example-feed'
    >>> source_name("https://example.co.za/sport", taken=["example"])
    'example-2'
    """
    site = re.sub(r"[^a-z0-9]+", "-", _site(url.lower())).strip("-")[:40] or "source"
    name = site if kind == "seeds" else f"{site}-{kind}"
    numbered = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(each for each in numbered if each not in taken)


def _site(url: str) -> str:
    """Return a host without www, its country and what stands for "company" before it."""
    host = re.sub(r"^([a-z]+://)?(www\.)?", "", url)
    labels = re.split(r"[/:?#]", host, maxsplit=1)[0].split(".")
    if len(labels) > 2 and labels[-2] in _SECOND_LEVEL:
        labels = labels[:-1]
    return ".".join(labels[:-1] or labels)


# Below a country these stand for a sort of owner, not for the site.
_SECOND_LEVEL = ("ac", "co", "com", "edu", "gob", "gov", "gouv", "mil", "net", "nom", "org", "sch")


def _looks_like_feed(url: str) -> bool:
    return any(mark in url.lower() for mark in ("feed", "rss", "atom", ".xml"))


def _name_from(path: Path) -> str:
    name = re.sub(r"[^a-z0-9_-]+", "-", path.resolve().name.lower()).strip("-_")
    return name[:63] or "corpus"


def _toml(value: object) -> str:
    """Return a value as TOML, which writes strings, numbers, booleans and lists as JSON does."""
    if isinstance(value, tuple):
        value = list(value)
    return json.dumps(value, ensure_ascii=False)


# OPML needs no entities of its own; a list that declares some wants to grow in memory.
_DECLARES = ("<!doctype", "<!entity")
# Nobody reads more; each is a source of its own in corpus.toml.
_MOST_FEEDS = 2000


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
        if len(known) > len(config.sources) + _MOST_FEEDS:
            raise SourceError(f"The OPML list has more than {_MOST_FEEDS:,} new feeds; divide it.")
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
