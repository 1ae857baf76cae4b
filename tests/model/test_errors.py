import errno
import inspect
import pickle

import pytest

from izwi.model import errors
from izwi.model.errors import CorruptShard, DiskFull, IzwiError, StoreError, environment_error

TREE = [
    kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, IzwiError)
]


@pytest.mark.parametrize("kind", TREE, ids=lambda kind: kind.__name__)
def test_error_survives_the_journey_home_from_a_worker(kind):
    error = kind("news/a.parquet is damaged.")

    back = pickle.loads(pickle.dumps(error))

    assert type(back) is kind
    assert str(back) == "news/a.parquet is damaged."


def test_damaged_shard_keeps_its_path_on_the_journey():
    back = pickle.loads(pickle.dumps(CorruptShard("a is damaged.", "/data/a")))

    assert (str(back), back.path) == ("a is damaged.", "/data/a")


def test_every_error_is_drawn_in_the_tree():
    drawn = errors.__doc__

    assert [kind.__name__ for kind in TREE if kind.__name__ not in drawn] == []


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EDQUOT, "Your disk quota is used up"),
        (errno.EROFS, "read-only file system"),
        (errno.EACCES, "This user may not write there"),
        (errno.EPERM, "This user may not write there"),
    ],
)
def test_trouble_of_the_machine_says_what_to_do(number, words):
    error = environment_error(OSError(number, "x", "/data/a"))

    assert isinstance(error, DiskFull)
    assert isinstance(error, StoreError)
    assert words in str(error)
    assert "(/data/a)" in str(error)


def test_trouble_without_a_file_name_names_none():
    assert "(" not in str(environment_error(OSError(errno.ENOSPC, "x")))


@pytest.mark.parametrize("error", [OSError(errno.EIO, "x"), OSError("no number")], ids=["EIO", "-"])
def test_other_trouble_is_not_of_the_machine(error):
    assert environment_error(error) is None


def test_what_the_system_says_of_a_file_becomes_part_of_the_sentence(tmp_path):
    (tmp_path / "bad").write_bytes(b"a\xff")
    told = []
    for name in ("bad", "missing", "."):
        try:
            (tmp_path / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            told.append(str(IzwiError(f"{name} cannot be read: {error}.")))

    assert told == [
        "bad cannot be read: it is not UTF-8 text, at byte 1.",
        "missing cannot be read: No such file or directory.",
        ". cannot be read: Is a directory.",
    ]
