"""Whatever a page holds, every format is valid."""

import csv
import json
from dataclasses import replace
from importlib.resources import files
from xml.sax.saxutils import unescape

import orjson
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from lxml import etree

from izwi.annotate.conllu import parse_conllu
from izwi.export.base import Choice, passages
from izwi.export.characters import Outgoing, writable_document
from izwi.export.parquet import typed
from izwi.export.rows import record
from izwi.export.tei import NAMESPACE
from izwi.model.tabular import harmless
from izwi.service.exporting import FORMATS
from tests.export.conllurules import broken_rules
from tests.export.documents import DATED, EDITION, document, hard_documents

SCHEMA = etree.RelaxNG(
    etree.fromstring(files("izwi.export").joinpath("schemas", "izwi-tei.rng").read_bytes())
)
WORST = document(
    "\x00 & <b>\ud800</b> ]]> \u202e", "", " ", "مرحبا. 😀", kinds=("p", "h", "li", "h"), date=DATED
)
hard = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def clean(found):
    return writable_document(found)[0]


def written(name, found, folder, edition=EDITION):
    """Write one document in a format and return the folder."""
    target = folder / name
    for path in sorted(target.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    target.mkdir(exist_ok=True)
    FORMATS[name](edition).write(Outgoing(Choice()).over([found]), target)
    return target


@hard
@given(found=hard_documents())
@example(found=WORST)
def test_a_document_stays_as_long_as_it_was_and_its_words_are_slices(found):
    after = clean(found)

    assert len(after.text) == len(found.text)
    after.text.encode("utf-8")
    if after.annotation:
        spans = zip(after.annotation.starts, after.annotation.ends, strict=True)
        assert after.annotation.words == tuple(after.text[a:b] for a, b in spans)
    assert clean(after) == after


@hard
@given(found=hard_documents())
@example(found=WORST)
def test_every_row_comes_back_from_json_parquet_and_csv(found, tmp_path):
    row = record(clean(found))

    lines = (written("jsonl", found, tmp_path) / "news.jsonl").read_bytes().splitlines()
    assert [orjson.loads(line) for line in lines] == [row]
    table = pq.read_table(written("parquet", found, tmp_path) / "news.parquet")
    assert table.to_pylist() == [typed(clean(found))]
    with (written("csv", found, tmp_path) / "news.csv").open(newline="", encoding="utf-8") as file:
        (line,) = csv.DictReader(file)
    joined = row | {"keywords": "; ".join(row["keywords"])}
    left_out = ("text", "kinds")
    text = {key: "" if value is None else str(harmless(value)) for key, value in joined.items()}
    assert line == {key: value for key, value in text.items() if key not in left_out}


@hard
@given(found=hard_documents())
@example(found=WORST)
def test_plain_text_has_a_line_for_each_paragraph(found, tmp_path):
    text = (written("text", found, tmp_path) / "news.txt").read_text(encoding="utf-8")

    expected = [passage.text for passage in passages(clean(found))]
    assert text.split("\n") == ([*expected, "", ""] if expected else [""])


@pytest.mark.parametrize("name", ["tei", "tei-corpus"])
@pytest.mark.parametrize("has_tokens", [False, True], ids=["text", "tokens"])
@hard
@given(found=hard_documents())
@example(found=WORST)
def test_tei_is_valid_and_holds_the_text(name, has_tokens, found, tmp_path):
    edition = replace(EDITION, has_tokens=has_tokens)

    folder = written(name, found, tmp_path, edition)

    (path,) = folder.rglob("*.xml")
    tree = etree.parse(path)
    assert SCHEMA.validate(tree), SCHEMA.error_log.last_error
    names = ("p", "head", "item", "quote")
    bodies = tree.iter(f"{{{NAMESPACE}}}body")
    blocks = next(bodies).iter(*(f"{{{NAMESPACE}}}{name}" for name in names))
    shown = sorted("".join("".join(block.itertext()).split()) for block in blocks)
    expected = sorted("".join(each.text.split()) for each in passages(clean(found)))
    assert [text for text in shown if text] == expected


@hard
@given(found=hard_documents())
@example(found=WORST)
def test_conllu_keeps_the_rules_and_the_words(found, tmp_path):
    text = (written("conllu", found, tmp_path) / "news.conllu").read_text(encoding="utf-8")

    assert broken_rules(text) == []
    words = [word for sentence in parse_conllu(text.split("\n")) for word in sentence.words]
    assert len(words) == (len(found.annotation.words) if found.annotation else 0)


@hard
@given(found=hard_documents())
@example(found=WORST)
def test_vertical_text_gives_its_tokens_back(found, tmp_path):
    text = (written("vertical", found, tmp_path) / "news.vert").read_text(encoding="utf-8")

    lines = text.split("\n")
    assert lines.pop() == ""
    rows = [line.split("\t") for line in lines if not line.startswith("<")]
    assert all(len(row) == 3 and all(row) for row in rows)
    expected = clean(found).annotation
    assert tuple(unescape(row[0]) for row in rows) == (expected.words if expected else ())
    etree.fromstring(f"<corpus>{text}</corpus>".encode())


@hard
@given(found=hard_documents())
@example(found=WORST)
def test_linked_data_is_json(found, tmp_path):
    text = (written("jsonld", found, tmp_path) / "news.jsonld").read_text(encoding="utf-8")

    (part,) = json.loads(text)["hasPart"]
    assert part["identifier"] == found.id


@hard
@given(found=hard_documents())
@example(found=WORST)
def test_shuffled_sentences_are_one_a_line(found, tmp_path):
    folder = written("sentences", found, tmp_path)

    text = (folder / "news.sentences.txt").read_text(encoding="utf-8")
    wanted = sum(len(each.sentences) for each in passages(clean(found)))
    assert text.count("\n") == wanted
    assert [path.name for path in folder.iterdir()] == ["news.sentences.txt"]
