import gzip
import hashlib
import json
import zipfile
from datetime import date

import orjson
import pytest

from izwi.cases.corpus import Corpus
from izwi.model.errors import BuildError, QueryError, StoreError
from izwi.service.exporting import FORMATS
from tests.service import tiny


def rows(folder):
    return [orjson.loads(line) for line in (folder / "tiny.jsonl").read_bytes().splitlines()]


@pytest.mark.parametrize("name", [*FORMATS, "wacz"])
def test_an_export_has_what_the_version_has_and_a_manifest_of_its_files(built, name, tmp_path):
    report = built.export(name, tmp_path / "out")

    summary = built.summary()
    assert (report.documents, report.tokens) == (summary.documents, summary.tokens)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["version"] == summary.snapshot
    assert manifest["documents"] == summary.documents
    assert manifest["settings"]["dedup.ngram"] == 50
    assert set(manifest["tools"]) >= {"izwi", "python", "pyarrow"}
    listed = {file["name"]: file["sha256"] for file in manifest["files"]}
    there = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    sums = {
        path.relative_to(tmp_path / "out").as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in there
        if path.name != "manifest.json"
    }
    assert listed == sums


def test_documents_are_chosen_by_source_year_and_id(built, tmp_path):
    built.export("jsonl", tmp_path / "all")
    everything = rows(tmp_path / "all")

    built.export("jsonl", tmp_path / "feed", sources=("feed",))
    built.export("jsonl", tmp_path / "one", documents=[everything[1]["id"]])

    assert {row["source"] for row in everything} == {"feed", "pages"}
    assert [row["source"] for row in rows(tmp_path / "feed")] == ["feed"]
    assert rows(tmp_path / "one") == [everything[1]]


def test_asking_for_nothing_that_is_there_leaves_nothing_behind(built, tmp_path):
    with pytest.raises(QueryError, match="nothing was written"):
        built.export("jsonl", tmp_path / "none", since=date(2100, 1, 1))

    assert list(tmp_path.iterdir()) == []


def test_an_earlier_export_is_replaced_but_other_folders_are_left_alone(built, tmp_path):
    built.export("text", tmp_path / "out")

    built.export("jsonl", tmp_path / "out")

    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["manifest.json", "tiny.jsonl"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(StoreError, match="holds other files"):
        built.export("jsonl", tmp_path / "mine")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(StoreError, match="is a file"):
        built.export("jsonl", tmp_path / "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "mine", "out"]


def test_settings_changed_since_the_build_are_an_error_with_the_remedy(own_folder, tmp_path):
    config = own_folder / "corpus.toml"
    text = config.read_text(encoding="utf-8").replace("ngram = 50", "ngram = 40")
    config.write_text(text, encoding="utf-8")

    with pytest.raises(BuildError, match="izwi build"):
        Corpus(own_folder).export("jsonl", tmp_path / "out")


def test_a_corpus_without_a_version_cannot_be_exported(tmp_path):
    corpus = tiny.make(tmp_path / "tiny")

    with pytest.raises(BuildError, match="no version yet"):
        corpus.export("jsonl", tmp_path / "out")


def test_masking_is_counted(built, tmp_path):
    assert built.export("text", tmp_path / "out", mask=True).masked == {}


def test_an_archive_holds_the_captures_byte_for_byte_and_lists_them(built, tmp_path):
    built.export("wacz", tmp_path / "out", sources=("pages",))

    with zipfile.ZipFile(tmp_path / "out" / "tiny.wacz") as packed:
        package = json.loads(packed.read("datapackage.json"))
        digest = json.loads(packed.read("datapackage-digest.json"))
        parts = {part["path"]: packed.read(part["path"]) for part in package["resources"]}
        assert digest["hash"] == f"sha256:{sha256(packed.read('datapackage.json'))}"
    assert {part["hash"] for part in package["resources"]} == {
        f"sha256:{sha256(content)}" for content in parts.values()
    }
    key, moment, row = parts["indexes/index.cdx"].decode().split(" ", 2)
    assert (key, moment) == ("example,courant)/2020/03/02/oranges", "20200615120000")
    place = json.loads(row)
    start = int(place["offset"])
    member = parts["archive/data.warc.gz"][start : start + int(place["length"])]
    assert b"WARC-Type: response" in gzip.decompress(member)
    assert b"Oranges!" in gzip.decompress(member)
    pages = [json.loads(line) for line in parts["pages/pages.jsonl"].splitlines()]
    assert [page["url"] for page in pages[1:]] == [place["url"]]


def test_raw_captures_are_not_masked(built, tmp_path):
    with pytest.raises(QueryError, match="cannot be masked"):
        built.export("wacz", tmp_path / "out", mask=True)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def test_documents_are_chosen_by_what_they_hold_and_what_is_said_of_them(built, tmp_path):
    built.export("jsonl", tmp_path / "all")

    built.export("jsonl", tmp_path / "query", query='[word="Oranges"]')
    built.export("jsonl", tmp_path / "where", where='source="feed"')

    ids = {line.document.id for line in built.concordance('[word="Oranges"]')}
    assert {row["id"] for row in rows(tmp_path / "query")} == ids
    assert 0 < len(ids) < len(rows(tmp_path / "all"))
    assert {row["source"] for row in rows(tmp_path / "where")} == {"feed"}
    with pytest.raises(QueryError, match="nothing was written"):
        built.export("jsonl", tmp_path / "none", query="nowhere")
    with pytest.raises(QueryError, match="nothing was written"):
        built.export("jsonl", tmp_path / "none", documents=["other"], query='[word="Oranges"]')


def test_an_earlier_version_comes_from_the_index(own_folder, tmp_path):
    corpus = Corpus(own_folder)
    before = corpus.export("conllu", tmp_path / "before")
    config = own_folder / "corpus.toml"
    text = config.read_text(encoding="utf-8").replace("ngram = 50", "ngram = 40")
    config.write_text(text, encoding="utf-8")
    corpus = Corpus(own_folder)
    corpus.build(workers=1)

    found = corpus.export("conllu", tmp_path / "found", version=1)

    assert corpus.summary().snapshot == 2
    assert (found.version, found.documents, found.tokens, found.sentences) == (
        1, before.documents, before.tokens, before.sentences,
    )  # fmt: skip
    said = ("# text", "# newdoc", "# date", "# url")
    files = [tmp_path / name / "tiny.conllu" for name in ("before", "found")]
    lines = [path.read_text(encoding="utf-8").splitlines() for path in files]
    texts = [[x for x in found if not x.startswith("#") or x.startswith(said)] for found in lines]
    assert texts[0] == texts[1]
    manifest = json.loads((tmp_path / "found" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["version"] == 1
    with pytest.raises(QueryError, match="There is no version 9"):
        corpus.export("conllu", tmp_path / "nine", version=9)
