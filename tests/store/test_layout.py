import os

import pytest

from izwi.store.layout import Layout


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path / "news")


def put(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def test_every_path_is_in_the_folder(layout):
    paths = [
        layout.config,
        layout.catalog,
        layout.lock,
        layout.warc("2026-11-15-0007"),
        layout.open_warc("2026-11-15-0007"),
        layout.captures("2026-11-15-0007"),
        layout.shard("text", "3f9a2c", "2026-11-15-0007"),
        layout.segments,
        layout.snapshots,
        layout.runs,
    ]

    assert len({*paths}) == len(paths)
    assert all(layout.root in path.parents for path in paths)


def test_shard_keeps_its_name_from_warc_to_layer(layout):
    name = "2026-11-15-0007"

    assert layout.warc(name).name == "2026-11-15-0007.warc.gz"
    assert layout.shard("text", "3f9a2c", name).name == "2026-11-15-0007.parquet"
    assert layout.shard("text", "3f9a2c", name).parent.name == "text-3f9a2c"


def test_folder_that_is_not_there_has_no_shards(layout):
    assert layout.sealed_shards() == []
    assert layout.built_shards("text", "3f9a2c") == set()
    assert layout.fingerprints("text") == []


def test_sealed_shards_are_in_corpus_order_and_nothing_else_counts(layout):
    for name in ("2026-11-15-0002", "2025-01-01-0009", "2026-11-15-0001"):
        put(layout.warc(name))
    put(layout.open_warc("2026-11-15-0003"))
    put(layout.captures("2026-11-15-0003"))
    put(layout.warcs / "2026-11-15-0005.warc.gz.orphan")
    put(layout.warcs / "my-own-file.warc.gz")

    assert layout.sealed_shards() == ["2025-01-01-0009", "2026-11-15-0001", "2026-11-15-0002"]


def test_shard_whose_raw_file_was_lost_still_counts(layout):
    put(layout.captures("2026-11-15-0004"))

    assert layout.sealed_shards() == ["2026-11-15-0004"]


def test_built_shards_are_those_of_one_recipe(layout):
    put(layout.shard("text", "aaa", "2026-11-15-0001"))
    put(layout.shard("text", "bbb", "2026-11-15-0002"))
    put(layout.layer("text", "aaa") / "recipe.json")
    put(layout.layer("text", "aaa") / ".2026-11-15-0003.parquet.1234.part")

    assert layout.built_shards("text", "aaa") == {"2026-11-15-0001"}


def test_fingerprints_of_a_layer_come_oldest_first(layout):
    for age, name in enumerate(["text-new", "text-middle", "text-old", "tokens-other"]):
        folder = layout.layers / name
        folder.mkdir(parents=True)
        os.utime(folder, (1000 - age, 1000 - age))
    put(layout.layers / "text-file")

    assert layout.fingerprints("text") == ["old", "middle", "new"]
