"""Formats by the names users give them; installed plug-ins of `izwi.exporters` count too."""

from collections.abc import Callable, Mapping
from typing import Any

from izwi import plugins
from izwi.export.base import Edition, Format
from izwi.export.conllu import Conllu
from izwi.export.jsonld import JsonLd
from izwi.export.parquet import Parquet
from izwi.export.rows import JsonLines, Plain, Table
from izwi.export.shuffled import Shuffled
from izwi.export.tei import TeiCorpus, TeiDocuments
from izwi.export.vertical import Vertical
from izwi.model.errors import QueryError

FORMATS: Mapping[str, Callable[[Edition], Format]] = {
    "text": Plain,
    "jsonl": JsonLines,
    "parquet": Parquet,
    "csv": Table,
    "vertical": Vertical,
    "conllu": Conllu,
    "tei": TeiDocuments,
    "tei-corpus": TeiCorpus,
    "jsonld": JsonLd,
    "sentences": Shuffled,
}
# Written from the raw captures, not from documents: see `wacz`.
WACZ = "wacz"


def named_format(name: str, edition: Edition) -> Format:
    """Return the format of that name, ready to write an edition."""
    if name in FORMATS:
        return FORMATS[name](edition)
    others = {plugin.name for plugin in plugins.installed("izwi.exporters")}
    if name in others:
        made: Any = plugins.load("izwi.exporters", name)(edition)
        return made  # type: ignore[no-any-return]
    known = ", ".join([*FORMATS, WACZ, *sorted(others)])
    raise QueryError(f"'{name}' is no format of an export. Known formats: {known}.")
