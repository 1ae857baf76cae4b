import json

import pytest

from izwi.model.errors import QueryError, StoreError
from izwi.store.layout import Layout
from izwi.store.snapshots import (
    EMPTY,
    SegmentEntry,
    Snapshot,
    current,
    current_number,
    publish,
    read,
)

ONE = SegmentEntry("uuid-1", "f1", ("2026-11-15-0001", "2026-11-15-0002"), 10, 1000)
TWO = SegmentEntry("uuid-2", "f1", ("2026-11-15-0003",), 5, 500)


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path / "news")


def put(layout, *segments):
    return publish(layout, segments, published="2026-11-15T09:00:00", versions={"izwi": "0.1"})


def manifest(layout, number):
    return layout.snapshots / f"{number:04d}.json"


def test_corpus_that_was_never_built_has_the_empty_snapshot(layout):
    assert current(layout) == EMPTY
    assert current_number(layout) == 0


def test_snapshots_are_numbered_and_the_last_is_current(layout):
    first, second = put(layout, ONE), put(layout, ONE, TWO)

    assert (first.number, second.number) == (1, 2)
    assert current(layout) == second
    assert read(layout, 1) == first


def test_snapshot_comes_back_as_it_was_published(layout):
    put(layout, ONE, TWO)

    assert current(layout) == Snapshot(
        1, "2026-11-15T09:00:00", (ONE, TWO), versions={"izwi": "0.1"}
    )


def test_snapshot_adds_up_its_segments(layout):
    snapshot = put(layout, ONE, TWO)

    assert (snapshot.documents, snapshot.tokens) == (15, 1500)


def test_killed_before_it_became_current_a_snapshot_is_not_seen(layout):
    first = put(layout, ONE)
    put(layout, TWO)
    (layout.snapshots / "current").write_text("0001\n")

    assert current(layout) == first
    assert put(layout, ONE, TWO).number == 3


@pytest.mark.parametrize("raw", ["", "x", "0009"], ids=["empty", "torn", "of nothing"])
def test_without_a_readable_mark_the_newest_is_current(layout, raw):
    put(layout, ONE)
    newest = put(layout, TWO)
    (layout.snapshots / "current").write_text(raw)

    assert current(layout) == newest


def test_without_a_mark_the_newest_is_current(layout):
    newest = put(layout, ONE)
    (layout.snapshots / "current").unlink()

    assert current(layout) == newest


def test_version_that_never_was_is_an_error_of_the_query(layout):
    put(layout, ONE)

    with pytest.raises(QueryError, match=r"no version 7 of this corpus; the newest is 1"):
        read(layout, 7)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"number": 1, "published": "", "segments": [{"id": 1}], "versions": {}}',
        b'{"number": 1, "published": "", "segments": [3], "versions": {}}',
        b"\xff\xfe",
    ],
    ids=["empty", "torn", "list", "no keys", "half a segment", "no segment", "bytes"],
)
def test_damaged_manifest_is_an_error_that_says_what_to_do(layout, raw):
    put(layout, ONE)
    manifest(layout, 1).write_bytes(raw)

    with pytest.raises(StoreError) as caught:
        current(layout)

    assert str(manifest(layout, 1)) in str(caught.value)
    assert f"Delete it and run: izwi build {layout.root}" in str(caught.value)


def test_after_the_damaged_manifest_is_deleted_the_one_before_is_current(layout):
    first = put(layout, ONE)
    put(layout, ONE, TWO)
    manifest(layout, 2).unlink()

    assert current(layout) == first


def test_number_of_a_deleted_snapshot_is_not_given_again(layout):
    put(layout, ONE)
    put(layout, TWO)
    manifest(layout, 2).unlink()

    assert put(layout, ONE, TWO).number == 3


def test_manifest_is_json_one_can_read(layout):
    put(layout, ONE)

    row = json.loads(manifest(layout, 1).read_text())

    assert row["segments"][0]["shards"] == list(ONE.shards)


def test_other_files_in_the_folder_are_passed_over(layout):
    put(layout, ONE)
    (layout.snapshots / "0009.json.bak").touch()
    (layout.snapshots / "1x.json").touch()

    assert put(layout, TWO).number == 2
