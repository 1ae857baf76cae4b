"""An export that was stopped goes on where it was, and its files are those of a run in one go."""

import errno
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from izwi.cases.corpus import Corpus, create_corpus
from izwi.export import release
from izwi.export.characters import Outgoing
from izwi.model.errors import CorpusLocked, QueryError, StoreError
from izwi.model.results import Notice
from izwi.service import exporting as service
from izwi.store.lock import writing
from tests.service.killing import digest

ROOT = Path(__file__).parent.parent.parent
KILLED = ("jsonld", "tei", "parquet", "wacz")


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A corpus of fourteen documents in two shards."""
    folder = tmp_path_factory.mktemp("many")
    corpus = create_corpus(folder / "many", contact="https://izwi.example/", languages=("en",))
    for batch in ("one", "two"):
        text = "The lorry number {} came by the road on Monday.\nIt went home again, by batch {}."
        rows = [{"text": text.format(n, batch), "language": "en"} for n in range(7)]
        path = folder / f"{batch}.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        corpus.import_texts(path, name=batch)
    corpus.build(workers=1)
    return corpus


@pytest.fixture
def in_threes(monkeypatch):
    """Parts of three documents."""
    for module in (release, service):
        monkeypatch.setattr(module, "PART", 3)


@pytest.fixture
def said():
    return []


@pytest.fixture
def listener(said):
    return lambda event: isinstance(event, Notice) and said.append(event.message)


@pytest.mark.skipif(not hasattr(sys, "addaudithook") or sys.platform == "win32", reason="forks")
def test_an_export_killed_anywhere_goes_on_and_ends_alike(many, tmp_path):
    command = [sys.executable, "-m", "tests.service.killing", many.path, tmp_path, *KILLED]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert found.returncode == 0, found.stderr
    for tried in json.loads(found.stdout):
        *middle, last = tried["kills"]
        for kill in tried["kills"]:
            assert kill["is_same"], (tried["format"], kill)
            assert kill["after"] == ["out"]
        for kill in middle:
            assert kill["left"] == [".out.unfinished"]
            assert kill["continued_at"] >= 3
            assert kill["said"] == [f"Continues at document {kill['continued_at'] + 1} of 14."]
        assert ".out.unfinished" in last["left"]
        assert "out" in last["left"]


def stop_at(monkeypatch, number, error):
    """Let an export fail before a document."""
    prepared = Outgoing._prepared

    def prepare(self, document):
        if self.counts.documents == number:
            raise error
        return prepared(self, document)

    monkeypatch.setattr(Outgoing, "_prepared", prepare)


@pytest.fixture
def stopped(many, in_threes, tmp_path):
    """An export as JSON lines that was stopped by a full disk at the eighth document."""
    with pytest.MonkeyPatch.context() as patch:
        stop_at(patch, 7, OSError(errno.ENOSPC, "No space left on device"))
        with pytest.raises(StoreError, match="full"):
            many.export("jsonl", tmp_path / "out")
    return tmp_path / "out"


def test_a_full_disk_leaves_what_is_finished_and_says_so(
    many, in_threes, tmp_path, said, listener, monkeypatch
):
    stop_at(monkeypatch, 7, OSError(errno.ENOSPC, "No space left on device"))

    with pytest.raises(StoreError, match="full"):
        many.export("jsonl", tmp_path / "out", listener=listener)

    assert said == ["6 documents are written; the same command goes on there."]
    assert [path.name for path in tmp_path.iterdir()] == [".out.unfinished"]


def test_the_same_command_goes_on(many, stopped, said, listener, tmp_path):
    report = many.export("jsonl", stopped, listener=listener)
    many.export("jsonl", tmp_path / "whole")

    assert said == ["Continues at document 7 of 14."]
    assert (report.documents, report.continued_at) == (14, 6)
    assert digest(stopped) == digest(tmp_path / "whole")
    assert not (tmp_path / ".out.unfinished").exists()


@pytest.mark.parametrize(
    ("wish", "what"),
    [
        ({"mask": True}, "masking"),
        ({"sources": ("one",)}, "choice"),
        ({"licence": "CC0"}, "licence"),
    ],
)
def test_another_export_begins_anew_and_says_why(many, stopped, said, listener, wish, what):
    report = many.export("jsonl", stopped, listener=listener, **wish)

    assert said == [
        f"Starts anew: the unfinished export of 6 documents was made with another {what}."
    ]
    assert report.continued_at == 0


def test_another_format_begins_anew(many, stopped, said, listener):
    many.export("text", stopped, listener=listener)

    assert "another format" in said[0]
    assert {path.name for path in stopped.iterdir()} == {"many.txt", "manifest.json"}


def test_restart_throws_away_what_is_unfinished(many, stopped, said, listener):
    report = many.export("jsonl", stopped, listener=listener, restart=True)

    assert said == ["Starts anew, as asked for; 6 documents of an unfinished run are dropped."]
    assert (report.documents, report.continued_at) == (14, 0)


def test_a_wrong_command_does_no_harm_to_what_is_unfinished(many, stopped):
    with pytest.raises(QueryError, match="no format"):
        many.export("jsonlines", stopped)

    assert many.export("jsonl", stopped).continued_at == 6


def test_what_was_taken_down_meanwhile_is_not_in_the_export(
    many, stopped, said, listener, tmp_path
):
    corpus = Corpus(shutil.copytree(many.path, tmp_path / "many"))
    url = next(line.document.url for line in corpus.concordance('"one"', size=1))
    corpus.takedown(url, reason="asked")

    report = corpus.export("jsonl", stopped, listener=listener)

    assert "takedowns" in said[0]
    assert "version" in said[0]
    assert report.documents == 13
    assert url not in (stopped / "many.jsonl").read_text(encoding="utf-8")


def test_another_way_of_reading_begins_anew(many, stopped, said, listener, tmp_path):
    folder = shutil.copytree(many.path, tmp_path / "many")
    config = folder / "corpus.toml"
    config.write_text(config.read_text(encoding="utf-8") + "\n[dedup]\nngram = 9\n", "utf-8")

    report = Corpus(folder).export("jsonl", stopped, version=1, listener=listener)

    assert "reading" in said[0]
    assert (report.documents, report.continued_at) == (14, 0)


def test_a_journal_that_points_elsewhere_is_not_followed(many, stopped, tmp_path):
    other = tmp_path / "thesis.txt"
    other.write_text("years of work", encoding="utf-8")
    path = stopped.parent / ".out.unfinished" / "journal.json"
    journal = json.loads(path.read_text(encoding="utf-8")) | {"sizes": {"../thesis.txt": 0}}
    path.write_text(json.dumps(journal), encoding="utf-8")

    assert many.export("jsonl", stopped).continued_at == 0
    assert other.read_text(encoding="utf-8") == "years of work"


def test_files_that_are_gone_or_too_short_are_not_built_upon(many, stopped):
    grown = stopped.parent / ".out.unfinished" / "whole" / "many.jsonl"
    grown.write_bytes(grown.read_bytes()[:100])

    assert many.export("jsonl", stopped).continued_at == 0


def test_two_exports_do_not_write_the_same_folder(many, tmp_path):
    with writing(tmp_path / ".out.unfinished" / "lock", "izwi export"):
        with pytest.raises(CorpusLocked, match="being written by"):
            many.export("jsonl", tmp_path / "out")

        assert (tmp_path / ".out.unfinished").exists()


def test_an_export_that_stops_before_its_first_part_leaves_nothing(
    many, in_threes, tmp_path, monkeypatch
):
    stop_at(monkeypatch, 2, KeyboardInterrupt())

    with pytest.raises(KeyboardInterrupt):
        many.export("jsonl", tmp_path / "out")

    assert list(tmp_path.iterdir()) == []
