import errno
import os

import pytest

from izwi.model.errors import DiskFull, StoreError
from izwi.store.files import disk_errors, remove_leftovers, replacing, write_text


def test_what_is_written_takes_the_place_of_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")

    with replacing(path) as temporary:
        temporary.write_text("new")

    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_old_file_is_whole_until_the_end(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")

    with replacing(path) as temporary:
        temporary.write_text("half of the n")
        seen = path.read_text()

    assert seen == "old"


def test_file_is_on_the_disk_before_it_has_its_name_and_its_name_after(tmp_path, monkeypatch):
    path, seen = tmp_path / "a.txt", []
    put_on_disk = os.fsync

    def note(descriptor):
        seen.append(path.exists())
        put_on_disk(descriptor)

    monkeypatch.setattr("os.fsync", note)
    write_text(path, "new")

    assert seen == [False, True]


def test_folders_on_the_way_are_made(tmp_path):
    path = tmp_path / "layers" / "text-1" / "a.json"

    write_text(path, "{}")

    assert path.read_text() == "{}"


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt()], ids=["error", "ctrl-c"])
def test_failure_inside_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fail():
        with replacing(path) as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(type(error)):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_failure_inside_leaves_no_file_where_there_was_none(tmp_path):
    def fail():
        with replacing(tmp_path / "a.txt") as temporary:
            temporary.write_text("half")
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        fail()
    assert list(tmp_path.iterdir()) == []


def test_two_writers_of_one_file_do_not_meet(tmp_path):
    path = tmp_path / "a.txt"

    with replacing(path) as one, replacing(path) as other:
        one.write_text("one")
        other.write_text("other")

    assert one != other
    assert path.read_text() == "one"


def test_text_is_written_as_utf8(tmp_path):
    write_text(tmp_path / "a.txt", "iŝ’n")

    assert (tmp_path / "a.txt").read_bytes() == "iŝ’n".encode()


def test_leftovers_of_killed_writers_are_removed_and_nothing_else(tmp_path):
    kept = tmp_path / "text-1" / "a.parquet"
    write_text(kept, "whole")
    (tmp_path / "text-1" / ".a.parquet.12345678.part").write_text("half")
    hidden = tmp_path / "segments" / ".uuid.part"
    hidden.mkdir(parents=True)
    (hidden / "word.arrow").write_text("half")
    visible = tmp_path / "my.part"
    visible.write_text("a user's own")

    remove_leftovers(tmp_path)

    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == [visible, kept]
    assert not hidden.exists()


def test_removing_leftovers_of_a_folder_that_is_not_there_does_nothing(tmp_path):
    remove_leftovers(tmp_path / "absent")

    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EDQUOT, "quota"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "may not write"),
    ],
    ids=["full", "quota", "read-only", "forbidden"],
)
def test_trouble_with_the_disk_becomes_a_sentence_to_act_on(number, words):
    with pytest.raises(DiskFull) as caught, disk_errors():
        raise OSError(number, "words of the system", "/data/a.warc.gz")

    assert words in str(caught.value)
    assert "/data/a.warc.gz" in str(caught.value)
    assert "run the same command again" in str(caught.value)


def test_other_trouble_with_a_file_is_an_error_of_the_store_that_names_it():
    with pytest.raises(StoreError) as caught, disk_errors():
        raise OSError(errno.EIO, "Input/output error", "/data/a.warc.gz")

    assert not isinstance(caught.value, DiskFull)
    assert str(caught.value) == "/data/a.warc.gz cannot be used: Input/output error."


def test_other_errors_pass_unchanged():
    with pytest.raises(KeyError), disk_errors():
        raise KeyError("x")
