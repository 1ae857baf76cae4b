"""Parquet that datasets, polars and DuckDB read as it is, with a card and Croissant beside it."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq

from izwi.export.base import Edition
from izwi.export.release import Parted, Workplace, sha256
from izwi.export.rows import FIELDS, LISTS, record
from izwi.model.document import Document

CARD, CROISSANT = "README.md", "croissant.json"
_MOST_SOURCES = 50
# The names of the vocabulary, as its specification wants them in every file.
_CONTEXT = Path(__file__).with_name("croissant_context.json")
_LOADS = """\
```python
import datasets, duckdb, polars

datasets.load_dataset("parquet", data_files="{file}")
polars.read_parquet("{file}")
duckdb.sql("SELECT source, count(*) FROM '{file}' GROUP BY source")
```

```r
arrow::read_parquet("{file}")
```
"""


def write_data_card(folder: Path, edition: Edition) -> None:
    """Write the card and the metadata of the Parquet file in a folder."""
    path = folder / f"{edition.corpus}.parquet"
    schema = pq.read_schema(path)
    (folder / CARD).write_text(_card(path, edition), encoding="utf-8")
    found = croissant(path, edition, schema, sha256(path))
    text = json.dumps(found, ensure_ascii=False, indent=1)
    (folder / CROISSANT).write_text(text + "\n", encoding="utf-8")


def _card(path: Path, edition: Edition) -> str:
    """Return the card: front matter as `datasets` reads it, then what a person wants to know."""
    languages, sources, years, sums = _counted(path)
    head = {
        "pretty_name": edition.name,
        "language": [code for code, _ in languages.most_common()],
        "license": "other",
        "configs": [{"config_name": "default", "data_files": path.name}],
    }
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()]
    dates = f"{min(years)} to {max(years)}" if years else "none known"
    shown = ", ".join(f"{_plain(name)} ({n:,})" for name, n in sources.most_common(_MOST_SOURCES))
    facts = (
        f"- Version {edition.version} of the corpus `{edition.corpus}`, published "
        f"{edition.published[:10]}, exported {edition.made}.",
        f"- {sums['rows']:,} documents, {sums['words']:,} words, {sums['tokens']:,} tokens; "
        f"{sums['copies']:,} of them copies.",
        f"- Languages: {', '.join(f'{code} ({n:,})' for code, n in languages.most_common())}.",
        f"- Years: {dates}. Sources: {shown}.",
        f"- Licence: {_plain(edition.licence) or 'not stated; the texts belong to their authors'}.",
        f"- Contact: {_plain(edition.contact)}",
    )
    table = (f"| `{name}` | {COLUMNS[name]} |" for name in pq.read_schema(path).names)
    return "\n".join((
        "---", *lines, "---", "", f"# {_plain(edition.name)}", "", *facts, "",
        "## Load it", "", _LOADS.format(file=path.name), "## Columns", "",
        "What is not known is null.", "", "| column | what it is |", "|---|---|", *table, "",
    ))  # fmt: skip


def _counted(path: Path) -> tuple[Counter[str], Counter[str], Counter[int], Counter[str]]:
    """Return languages, sources and years with their documents, and sums; batch by batch."""
    languages, sources, years = Counter[str](), Counter[str](), Counter[int]()
    sums = Counter[str]()
    with pq.ParquetFile(path) as file:
        names = ["language", "source", "date", "tokens", "words", "role"]
        for batch in file.iter_batches(2000, columns=names, use_threads=False):
            columns = batch.to_pydict()
            languages.update(filter(None, columns["language"]))
            sources.update(filter(None, columns["source"]))
            years.update(day.year for day in columns["date"] if day)
            sums["rows"] += batch.num_rows
            sums["tokens"] += sum(columns["tokens"])
            sums["words"] += sum(columns["words"])
            sums["copies"] += columns["role"].count("copy")
    return languages, sources, years, sums


def _plain(text: str) -> str:
    """Return a value on one line that is no markup."""
    return " ".join(text.split()).replace("|", "/").replace("<", "(").replace(">", ")")


def croissant(path: Path, edition: Edition, schema: pa.Schema, digest: str) -> dict[str, Any]:
    """Return the metadata of the export in the vocabulary Croissant 1.0."""
    return {
        "@context": json.loads(_CONTEXT.read_text(encoding="utf-8")),
        "@type": "sc:Dataset",
        "name": edition.corpus,
        "description": f"Texts and metadata of {edition.name}, version {edition.version}.",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "version": f"{edition.version}.0.0",
        "datePublished": edition.published or edition.made,
        "dateModified": edition.made,
        "inLanguage": list(edition.languages),
        "license": edition.licence or "not stated; the texts belong to their authors",
        "url": edition.contact,
        "citeAs": f"{edition.name}, version {edition.version} ({edition.published[:4]}).",
        "creator": {"@type": "sc:Organization", "name": edition.name, "url": edition.contact},
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": path.name,
                "name": path.name,
                "contentUrl": path.name,
                "contentSize": f"{path.stat().st_size} B",
                "encodingFormat": "application/x-parquet",
                "sha256": digest,
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "documents",
                "name": "documents",
                "description": "One record a document.",
                "key": {"@id": "documents/id"},
                "field": list(_fields(path.name, schema)),
            }
        ],
    }


def _fields(file: str, schema: pa.Schema) -> Iterator[dict[str, Any]]:
    for column in schema:
        is_list = pa.types.is_list(column.type)
        yield {
            "@type": "cr:Field",
            "@id": f"documents/{column.name}",
            "name": column.name,
            "description": COLUMNS[column.name],
            "dataType": _kind(column.type.value_type if is_list else column.type),
            **({"repeated": True} if is_list else {}),
            "source": {"fileObject": {"@id": file}, "extract": {"column": column.name}},
        }


def _kind(type: pa.DataType) -> str:
    if pa.types.is_date(type):
        return "sc:Date"
    if pa.types.is_timestamp(type):
        return "sc:DateTime"
    if pa.types.is_integer(type):
        return "sc:Integer"
    return "sc:Float" if pa.types.is_floating(type) else "sc:Text"


# Rows in memory at once while parts are written.
_GROUP = 500
# A row group ends after so many rows or bytes. The end of the file lists every group: small ones
# would make it, and the memory it takes, grow with the corpus.
_ROWS, _BYTES = 5_000, 16 << 20
# Least and greatest values help to pass over groups; those of whole texts would only be long.
_SUMMED = ("date", "language", "source", "captured", "tokens", "words", "language_score", "role")
_NUMBERS = ("language_score", "deviation", "deviation_limit", "boilerplate", "copy_similarity")
_DATES = ("date", "modified")
_TYPES = {
    **dict.fromkeys(_NUMBERS, pa.float64()),
    **dict.fromkeys(("characters", "tokens", "words"), pa.int64()),
    **dict.fromkeys(LISTS, pa.list_(pa.string())),
    **dict.fromkeys(_DATES, pa.date32()),
    "captured": pa.timestamp("ms", tz="UTC"),
}
# A day alone does not say how much of it is known.
COLUMNS = {**FIELDS, "modified_precision": "How much of modified is known."}
SCHEMA = pa.schema([(name, _TYPES.get(name, pa.string())) for name in COLUMNS])


class Parquet(Parted):
    """Writes NAME.parquet, a card (README.md), and metadata for machines (croissant.json)."""

    about: ClassVar[str] = "Parquet: text and metadata in columns"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def begin(self, place: Workplace) -> None:
        """Do nothing: each part is a file of its own."""

    def add(
        self, documents: Iterable[Document], place: Workplace, *, before: int
    ) -> Sequence[Path]:
        """Write the rows of a part."""
        path = place.rough / f"{before:012}.arrow"
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, SCHEMA) as writer:
            for rows in _groups(map(typed, documents)):
                writer.write_batch(pa.RecordBatch.from_pylist(rows, schema=SCHEMA))
        return (path,)

    def finish(self, place: Workplace) -> None:
        """Make the parts one file; the corpus and its version are in its metadata."""
        about = {"corpus": self._edition.corpus, "version": str(self._edition.version)}
        path = place.whole / f"{self._edition.corpus}.parquet"
        schema = SCHEMA.with_metadata(about)
        with pq.ParquetWriter(
            path, schema, compression="zstd", write_statistics=list(_SUMMED)
        ) as file:
            for rows in _row_groups(sorted(place.rough.glob("*.arrow"))):
                file.write_table(pa.Table.from_batches(rows).cast(schema), row_group_size=_ROWS)
        write_data_card(place.whole, self._edition)


def typed(document: Document) -> dict[str, Any]:
    """Return the row of a document with dates as dates, and nothing where nothing is known."""
    row: dict[str, Any] = {name: None if value == "" else value
                           for name, value in record(document).items()}  # fmt: skip
    when, modified = document.metadata.date, document.metadata.modified
    return row | {
        "text": document.text,
        "date": when.value if when else None,
        "modified": modified.value if modified else None,
        "modified_precision": modified.precision if modified else None,
        "captured": document.captured.replace(microsecond=0),
        "language_score": document.language.score if document.language else None,
    }


def _row_groups(parts: Iterable[Path]) -> Iterator[list[pa.RecordBatch]]:
    """Yield the batches of all parts, so many together as make a row group."""
    group: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in (batch for part in parts for batch in _batches(part)):
        if group and (rows + batch.num_rows > _ROWS or size + batch.nbytes > _BYTES):
            yield group
            group, rows, size = [], 0, 0
        group.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
    if group:
        yield group


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    with pa.OSFile(str(path), "rb") as file, pa.ipc.open_stream(file) as rows:
        yield from rows


def _groups(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while group := list(islice(rows, _GROUP)):
        yield group
