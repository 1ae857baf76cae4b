"""A Parquet export with its card, as data people's own programs read it."""

import json
import os
import subprocess
import sys

import pyarrow.parquet as pq
import pytest
import yaml

from izwi.export.parquet import COLUMNS, SCHEMA
from tests.service import tiny

LOADS = {
    "datasets": "import datasets\n"
    'found = datasets.load_dataset("parquet", data_files=FILE, split="train")\n'
    'print(len(found), found[0]["date"].year, found[0]["language"])',
    "folder": "import datasets\n"
    'found = datasets.load_dataset(FOLDER, split="train")\n'
    'print(len(found), found[0]["date"].year, found[0]["language"])',
    "polars": "import polars\n"
    "found = polars.read_parquet(FILE)\n"
    'print(len(found), found["date"][0].year, found["language"][0])',
    "duckdb": "import duckdb\n"
    "row = duckdb.sql(f\"SELECT count(*), min(year(date)), min(language) FROM '{FILE}'\")\n"
    "print(*row.fetchall()[0])",
    "mlcroissant": "import mlcroissant\n"
    'found = mlcroissant.Dataset(jsonld=FOLDER + "/croissant.json")\n'
    "assert not found.metadata.issues.errors and not found.metadata.issues.warnings\n"
    'rows = list(found.records("documents"))\n'
    'day, language = rows[0]["documents/date"], rows[0]["documents/language"]\n'
    "print(len(rows), day.year, language.decode())",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "tiny"
    made = tiny.make(folder)
    tiny.gather(folder)
    made.build(workers=1)
    return made


@pytest.fixture(scope="module")
def exported(corpus, tmp_path_factory):
    target = tmp_path_factory.mktemp("parquet") / "out"
    corpus.export("parquet", target, copies=True, licence="CC BY 4.0")
    return target


@pytest.mark.parametrize("program", LOADS)
def test_it_is_loaded_in_one_line(program, exported, tmp_path):
    code = f"FOLDER = {str(exported)!r}\nFILE = FOLDER + '/tiny.parquet'\n{LOADS[program]}"
    environment = {**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}

    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip

    assert done.stdout.split()[-3:] == ["3", "2020", "eng"], done.stderr


def test_copies_are_in_the_cluster_of_their_original(exported):
    rows = {row["url"]: row for row in pq.read_table(exported / "tiny.parquet").to_pylist()}
    original = rows[f"{tiny.HOST}/2020/03/01/robots"]
    copy = rows[f"{tiny.HOST}/print/robots"]

    assert (original["role"], original["copy_of"]) == ("original", None)
    assert (copy["role"], copy["copy_of"]) == ("copy", original["id"])
    assert copy["cluster"] == original["cluster"] == original["id"]
    assert copy["copy_similarity"] == pytest.approx(1.0)
    assert 0 < original["words"] < original["tokens"]
    assert original["language_score"] > 0.9
    assert original["deviation"] < original["deviation_limit"]
    assert original["boilerplate"] == 0.0


def test_copies_are_left_out_unless_they_are_asked_for(corpus, tmp_path):
    corpus.export("parquet", tmp_path / "out")

    rows = pq.read_table(tmp_path / "out" / "tiny.parquet").to_pylist()
    assert {row["role"] for row in rows} == {"original"}


def test_the_card_says_what_it_is_in_the_form_that_hubs_read(exported):
    _, head, body = (exported / "README.md").read_text(encoding="utf-8").split("---\n", 2)

    said = yaml.safe_load(head)
    assert said["configs"] == [{"config_name": "default", "data_files": "tiny.parquet"}]
    assert said["language"] == ["eng"]
    assert "3 documents" in body
    assert "1 of them copies" in body
    assert "CC BY 4.0" in body
    assert all(f"| `{name}` |" in body for name in SCHEMA.names)


def test_every_column_is_explained_and_in_the_metadata(exported):
    found = json.loads((exported / "croissant.json").read_text(encoding="utf-8"))

    assert set(COLUMNS) == set(SCHEMA.names)
    (records,) = found["recordSet"]
    assert [each["name"] for each in records["field"]] == SCHEMA.names
    kinds = {each["name"]: each["dataType"] for each in records["field"]}
    assert (kinds["date"], kinds["captured"], kinds["words"]) == (
        "sc:Date",
        "sc:DateTime",
        "sc:Integer",
    )
