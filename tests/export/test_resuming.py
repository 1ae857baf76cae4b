import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.export import release
from izwi.export.base import Choice
from izwi.export.characters import Outgoing
from izwi.export.release import (
    ExportReading,
    Journal,
    Writing,
    read_journal,
    releasing,
    write_manifest,
)
from izwi.service.exporting import FORMATS
from tests.export.documents import EDITION, document
from tests.service.killing import digest


class Stopped(Exception):
    """What ends a run before its time."""


def readers(sizes, stop=None):
    """Return readers of so many documents each; at a number reading ends with an error."""
    first = 0
    for size in sizes:
        numbers = range(first, first + size)
        first += size
        yield lambda numbers=numbers: until(numbers, stop)


def until(numbers, stop):
    for number in numbers:
        if number == stop:
            raise Stopped
        yield document(f"It is {number}. So be it.", "And so on.", id=f"n{number}")


def write(name, target, sizes, stop=None):
    with releasing(target) as work:
        begun = work.journal() or Journal({}, "2026-11-16")
        outgoing = Outgoing(Choice(), counts=replace(begun.counts))
        reading = ExportReading(list(readers(sizes, stop)), begun.readers, begun.passed)
        form = FORMATS[name](EDITION)
        Writing(form, reading, outgoing, work, begun).write(reading.documents())
        write_manifest(work.place.whole, {"tools": {"izwi": "1"}})
    return begun.counts.documents, outgoing.counts


@settings(max_examples=30, deadline=None)
@given(
    name=st.sampled_from([name for name in FORMATS if name != "sentences"]),
    sizes=st.lists(st.integers(0, 5), min_size=1, max_size=4),
    stops=st.lists(st.integers(0, 20), max_size=3),
    part=st.integers(1, 4),
    torn=st.binary(max_size=20),
)
def test_any_stops_give_the_files_of_a_run_in_one_go(name, sizes, stops, part, torn):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(release, "PART", part)
        root = Path(folder)
        _, counts = write(name, root / "whole", sizes)

        for stop in stops:
            stop_once(name, root / "out", sizes, stop, torn)
        continued_at, again = write(name, root / "out", sizes)

        assert digest(root / "out") == digest(root / "whole")
        assert again == counts
        assert continued_at % part == 0 or continued_at == sum(sizes)
        assert {path.name for path in root.iterdir()} == {"out", "whole"}


def stop_once(name, target, sizes, stop, torn):
    """Stop a run, and leave in the files that grow what a kill may leave of a write."""
    try:
        write(name, target, sizes, stop)
    except Stopped:
        hidden = target.with_name(".out.unfinished")
        journal = read_journal(hidden / "journal.json")
        for path in journal.sizes if journal else ():
            with (hidden / path).open("ab") as file:
                file.write(torn)


def test_sentences_are_dealt_alike_after_a_stop(tmp_path, monkeypatch):
    monkeypatch.setattr(release, "PART", 2)
    monkeypatch.setattr(FORMATS["sentences"], "span", 2)
    write("sentences", tmp_path / "whole", [9, 6])

    with pytest.raises(Stopped):
        write("sentences", tmp_path / "out", [9, 6], stop=11)
    assert write("sentences", tmp_path / "out", [9, 6])[0] == 8

    assert digest(tmp_path / "out") == digest(tmp_path / "whole")


def test_a_journal_that_cannot_be_read_is_none(tmp_path):
    path = tmp_path / "journal.json"
    for text in ("", "{", "[]", '{"asked": {}}', '{"counts": 3}'):
        path.write_text(text, encoding="utf-8")
        assert read_journal(path) is None


def fail_to_replace(monkeypatch, name):
    """Let folders of that name stay where they are."""
    replace_path = Path.replace

    def replace_some(path, target):
        if path.name == name:
            raise OSError("no")
        return replace_path(path, target)

    monkeypatch.setattr(Path, "replace", replace_some)


def publish(target, text):
    with releasing(target) as work:
        work.begin()
        (work.place.whole / "text").write_text(text, encoding="utf-8")
        write_manifest(work.place.whole, {"tools": {"izwi": "1"}})


def test_an_earlier_export_stays_if_the_new_one_cannot_take_its_place(tmp_path, monkeypatch):
    publish(tmp_path / "out", "old")
    fail_to_replace(monkeypatch, "whole")

    with pytest.raises(OSError, match="no"):
        publish(tmp_path / "out", "new")

    assert (tmp_path / "out" / "text").read_text(encoding="utf-8") == "old"


def test_an_earlier_export_a_kill_left_aside_is_not_lost(tmp_path):
    publish(tmp_path / "out", "old")
    (tmp_path / ".out.unfinished").mkdir()
    (tmp_path / "out").replace(tmp_path / ".out.unfinished" / "replaced")

    with pytest.raises(Stopped), releasing(tmp_path / "out"):
        raise Stopped

    assert (tmp_path / "out" / "text").read_text(encoding="utf-8") == "old"
