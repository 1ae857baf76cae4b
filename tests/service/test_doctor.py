import os

import pytest

import izwi
from izwi.cases.doctor import examine, silent
from izwi.service.run_counts import Lines
from tests.service import tiny


def findings(path):
    return {finding.check: finding for finding in examine(path)}


def test_without_a_folder_only_the_machine_is_examined():
    found = findings(None)

    assert list(found) == ["Python", "encoding", "disk", "browser"]
    assert found["Python"].is_well
    assert "GiB free" in found["disk"].message


def test_a_built_corpus_is_well(built_folder):
    found = findings(built_folder)

    assert [check for check, finding in found.items() if not finding.is_well] in ([], ["browser"])
    assert found["corpus.toml"].message == "2 sources"
    assert found["catalog"].message == "7 captures, 1 leads waiting"
    assert found["shards"].message == "1 sealed"
    assert found["stage extract"].message == "1 current, 0 to do, 0 failed"
    assert found["index"].message == "version 1, 2 documents"
    assert found["lock"].message == "free"


def test_a_new_corpus_lacks_sources_and_an_index(tmp_path):
    corpus = tiny.create_corpus(tmp_path / "new", contact="https://izwi.example/")

    found = findings(corpus.path)

    assert not found["sources"].is_well
    assert found["sources"].remedy == f"izwi sources add {corpus.path} URL"
    assert not found["index"].is_well
    assert found["index"].remedy == f"izwi build {corpus.path}"
    assert found["catalog"].message == "0 captures, 0 leads waiting"


def test_a_folder_without_corpus_toml_is_told_how_to_get_one(tmp_path):
    found = findings(tmp_path)

    assert not found["corpus"].is_well
    assert f"There is no corpus.toml in {tmp_path}" in found["corpus"].message
    assert f"izwi init {tmp_path}" in found["corpus"].message


def test_a_folder_that_is_not_there_is_examined_too(tmp_path):
    found = findings(tmp_path / "not" / "yet")

    assert f"GiB free at {tmp_path}" in found["disk"].message
    assert not found["corpus"].is_well


def test_a_mistake_in_corpus_toml_is_named(own_folder):
    (own_folder / "corpus.toml").write_text("[corpus]\nnmae = 'x'\n", encoding="utf-8")

    finding = findings(own_folder)["corpus"]

    assert not finding.is_well
    assert "unknown key 'nmae'; did you mean 'name'?" in finding.message


def test_a_changed_setting_leaves_work_to_do(own_folder):
    path = own_folder / "corpus.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("minimum_words = 20", "minimum_words = 5"), encoding="utf-8")

    found = findings(own_folder)

    assert found["stage extract"].is_well
    assert not found["stage select 2/2"].is_well
    assert found["stage select 2/2"].message == "0 current, 1 to do, 0 failed"
    assert found["stage select 2/2"].remedy == f"izwi build {own_folder}"


def test_a_shard_without_its_list_is_named(own_folder):
    (listing,) = (own_folder / "warc").glob("*.captures.jsonl")
    listing.unlink()

    finding = findings(own_folder)["shards"]

    assert not finding.is_well
    assert listing.name.removesuffix(".captures.jsonl") in finding.message
    assert finding.remedy == f"izwi gather {own_folder}"


def test_a_broken_catalog_is_named(own_folder):
    for path in own_folder.glob("catalog.sqlite*"):
        path.unlink()
    (own_folder / "catalog.sqlite").write_bytes(b"robots" * 1000)

    finding = findings(own_folder)["corpus"]

    assert not finding.is_well
    assert "catalog.sqlite" in finding.message


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere"
)
def test_a_read_only_folder_can_be_searched_but_not_built(own_folder):
    own_folder.chmod(0o555)
    try:
        finding = findings(own_folder)["folder"]
    finally:
        own_folder.chmod(0o755)

    assert not finding.is_well
    assert finding.message == "read-only: searching works, building not"
    assert finding.remedy == f"chmod u+w {own_folder}"


def test_examining_changes_nothing(own_folder):
    def contents():
        return {
            path: path.read_bytes()
            for path in own_folder.rglob("*")
            if path.is_file() and not path.name.endswith(("-shm", "-wal"))
        }

    before = contents()

    examine(own_folder)

    assert contents() == before


def test_a_source_of_which_nothing_was_had_is_silent_and_says_why():
    def lines(number):
        return Lines(number, "2026-11-19T20:00:00+00:00")

    counts = {
        ("dropped", "fetch", "robots", "closed", "page", "r1"): lines(3),
        ("dropped", "fetch", "http-404", "closed", "page", "r2"): lines(1),
        ("redirected", "fetch", "redirected", "closed", "page", "r1"): lines(9),
        ("waiting", "fetch", "robots-unreachable", "gone", "page", "r1"): lines(1),
        ("dropped", "fetch", "trap", "alive", "pattern", "r1"): lines(70),
        ("dropped", "extract", "too-short", "alive", "page", "r1"): lines(2),
    }

    found = silent(counts)

    assert {name: dict(why) for name, why in found.items()} == {
        "closed": {"robots": 3, "http-404": 1},
        "gone": {"robots-unreachable": 1},
    }


def test_a_source_that_brought_no_page_is_named_with_its_reason(tmp_path):
    corpus = tiny.create_corpus(tmp_path / "new", contact="https://izwi.example/")
    text = corpus.path.joinpath("corpus.toml").read_text()
    source = '[[source]]\ntype = "crawl"\nname = "gone"\nseeds = ["http://127.0.0.1:9/"]\n'
    corpus.path.joinpath("corpus.toml").write_text(f"{text}\n{source}")
    izwi.open(corpus.path).gather(seconds=30)

    found = findings(corpus.path)["source"]

    assert not found.is_well
    assert found.message.startswith("'gone' has brought no page: ")
    assert found.remedy == f"izwi drops {corpus.path} --source gone"
