"""Packs: lists of sources that come along, versioned, to begin a corpus with."""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from izwi.config.schema import CorpusConfig
from izwi.model.errors import QueryError


@dataclass(frozen=True, slots=True)
class PackSource:
    """A source of a pack: what it is, where it is, and what is known of its rights."""

    name: str
    title: str
    home: str
    language: str
    region: str
    kind: str
    rights: str
    # A page that lists articles, if one is known.
    archive: str = ""
    feeds: tuple[str, ...] = ()
    # The day on which somebody last saw that the addresses work; empty if nobody did.
    verified: str = ""


@dataclass(frozen=True, slots=True)
class Pack:
    """A list of sources with its version and a note about it."""

    name: str
    title: str
    version: int
    note: str
    sources: tuple[PackSource, ...]

    @property
    def addresses(self) -> tuple[str, ...]:
        """What is looked at before anything is added: an address for each source."""
        return tuple(each.feeds[0] if each.feeds else each.home for each in self.sources)


@cache
def packs() -> tuple[Pack, ...]:
    """Return the packs that come along, by name."""
    found = [entry for entry in files(__name__).iterdir() if entry.name.endswith(".toml")]
    return tuple(
        _pack(entry.name.removesuffix(".toml"), entry.read_text(encoding="utf-8"))
        for entry in sorted(found, key=lambda entry: entry.name)
    )


def pack_named(name: str) -> Pack:
    """Return one pack."""
    found = next((pack for pack in packs() if pack.name == name), None)
    if found is None:
        known = ", ".join(pack.name for pack in packs())
        raise QueryError(f"There is no pack '{name}'; there are: {known}.")
    return found


def new_sources(pack: Pack, config: CorpusConfig) -> Iterator[dict[str, object]]:
    """Yield the fields of a pack's sources whose name and address are not there yet."""
    names = {source.name for source in config.sources}
    addresses = {str(getattr(source, "address", "")) for source in config.sources}
    for fields in (fields for source in pack.sources for fields in fields_of(source)):
        address = fields.get("url") or fields["urls"][0]  # type: ignore[index]
        if fields["name"] not in names and address not in addresses:
            yield fields


def sources_at(
    addresses: Sequence[str], *, pack: str = "", every: str = "", languages: tuple[str, ...] = ()
) -> list[dict[str, object]]:
    """Return the fields of the sources for some addresses: a pack's own, others guessed."""
    from izwi.service.setup import source_fields

    chosen = pack_named(pack) if pack else None
    pairs = zip(chosen.addresses, chosen.sources, strict=True) if chosen else ()
    named = {address: list(fields_of(source)) for address, source in pairs}
    found = [fields for address in addresses for fields in named.get(address, ())]
    taken = [str(fields["name"]) for fields in found]
    for address in addresses:
        if address not in named:
            fields = source_fields(address, every=every, languages=languages, taken=taken)
            taken.append(str(fields["name"]))
            found.append(fields)
    return found


def fields_of(source: PackSource) -> Iterator[dict[str, object]]:
    """Yield what a source becomes in corpus.toml: its list of articles or home, and its feeds."""
    first, depth = (source.archive, 4) if source.archive else (source.home, 1)
    yield {"name": source.name, "type": "seeds", "urls": [first], "depth": depth}
    for number, feed in enumerate(source.feeds, 1):
        name = f"{source.name}-feed" + (f"-{number}" if number > 1 else "")
        yield {"name": name, "type": "feed", "url": feed}


def _pack(name: str, text: str) -> Pack:
    table = tomllib.loads(text)
    sources = tuple(
        PackSource(**row | {"feeds": tuple(row.get("feeds", ()))}) for row in table["source"]
    )
    return Pack(name, table["title"], table["version"], table["note"], sources)
