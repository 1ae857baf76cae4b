"""A corpus in an object store: sent, read by its address, brought back; a real S3 server."""

import json
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from typer.testing import CliRunner

import izwi
from izwi.cases.corpus import Corpus
from izwi.cli.main import app
from izwi.model.errors import QueryError, StoreError
from izwi.store.objects import LIST, MARK
from tests import objectstore
from tests.service import tiny
from tests.service.test_backup import lines


@pytest.fixture
def url(object_store, tmp_path, monkeypatch):
    """An address where nothing lies yet, and a place for what is read of it."""
    monkeypatch.setenv("IZWI_CACHE", str(tmp_path / "cache"))
    return object_store.url(tmp_path.name)


@pytest.fixture
def there(object_store, tmp_path):
    """Return what lies at the address now."""
    return lambda: object_store.names(tmp_path.name)


def cached(tmp_path):
    """Return the names of what was read so far."""
    (folder,) = (tmp_path / "cache").iterdir()
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_what_was_sent_comes_back_as_it_was(own_folder, url, there, tmp_path):
    sent = izwi.move(own_folder, url)
    back = izwi.move(url, tmp_path / "again")

    assert sent.files == sent.moved == back.files == len(there()) - 1
    assert lines(tmp_path / "again") == lines(own_folder) != []
    for path in (own_folder / "warc").iterdir():
        assert (tmp_path / "again" / "warc" / path.name).read_bytes() == path.read_bytes()
    with Corpus(tmp_path / "again") as corpus:
        report = corpus.build(workers=1)
        assert report.failures == ()
        assert [version.number for version in corpus.versions()] == [1]


def test_only_what_is_new_is_sent_and_what_is_gone_is_removed(own_folder, url, there):
    izwi.move(own_folder, url)
    nothing = izwi.move(own_folder, url)
    (own_folder / "notes.txt").write_text("mine")
    one = izwi.move(own_folder, url)
    (own_folder / "notes.txt").unlink()
    gone = izwi.move(own_folder, url)

    assert (nothing.moved, nothing.removed) == (0, 0)
    assert (one.moved, one.removed) == (1, 0)
    assert (gone.moved, gone.removed) == (0, 1)
    assert "notes.txt" not in there()


def test_a_corpus_is_read_by_its_address_and_only_what_is_asked_for_is_fetched(
    own_folder, url, tmp_path
):
    izwi.move(own_folder, url)

    found = lines(url)

    assert found == lines(own_folder) != []
    names = cached(tmp_path)
    assert any(name.startswith("index/segments/") for name in names)
    assert not any(name.endswith((".warc.gz", ".parquet", "catalog.sqlite")) for name in names)
    with izwi.open(url) as far, izwi.open(own_folder) as near:
        page = f"{tiny.HOST}/2020/03/01/robots"
        assert far.inspect(page).document == near.inspect(page).document
        assert far.status().captures == near.status().captures > 0
        assert [(each.current, each.missing) for each in far.status().stages] == [
            (each.current, each.missing) for each in near.status().stages
        ]
    assert any(name.endswith(".parquet") for name in cached(tmp_path))


def test_the_command_line_takes_an_address_for_a_folder(own_folder, url):
    moved = CliRunner().invoke(app, ["move", str(own_folder), url])
    asked = CliRunner().invoke(app, ["query", url, "robots", "--json"])

    assert moved.exit_code == 0, moved.output
    assert "of them new" in moved.output
    assert asked.exit_code == 0, asked.output
    assert len(json.loads(asked.output)["lines"]) == len(lines(own_folder))


def test_what_is_taken_down_is_gone_from_the_store_and_from_what_was_read(
    own_folder, url, object_store, tmp_path
):
    izwi.move(own_folder, url)
    assert lines(url)
    with Corpus(own_folder) as corpus:
        corpus.takedown(tiny.HOST.partition("//")[2], reason="asked")
        corpus.compact(workers=1)

    izwi.move(own_folder, url)

    assert lines(url) == []
    for name in object_store.names(tmp_path.name):
        raw = object_store.client().get_object(Bucket="corpora", Key=f"{tmp_path.name}/{name}")
        assert b"sells oranges there" not in raw["Body"].read()
    segments = [name for name in cached(tmp_path) if name.startswith("index/segments/")]
    assert all((own_folder / name).exists() for name in segments)


def test_runs_send_what_they_made(tmp_path, url, there):
    folder = tmp_path / "tiny"
    tiny.make(folder)
    tiny.gather(folder)
    with (folder / "corpus.toml").open("a") as file:
        file.write(f'\n[store]\nobjects = "{url}"\n')

    with Corpus(folder) as corpus:
        assert corpus.build(workers=1).failures == ()

    assert lines(url) == lines(folder) != []
    assert "catalog.sqlite" in there()


def test_a_copy_of_a_folder_does_not_send_by_itself(own_folder, url, tmp_path):
    with (own_folder / "corpus.toml").open("a") as file:
        file.write(f'\n[store]\nobjects = "{url}"\n')
    izwi.move(own_folder, url)
    shutil.copytree(own_folder, tmp_path / "copy")

    with Corpus(tmp_path / "copy") as copy, pytest.raises(StoreError, match="is kept by"):
        copy.build(workers=1)

    izwi.move(tmp_path / "copy", url)
    with Corpus(own_folder) as corpus, pytest.raises(StoreError, match="nothing was sent"):
        corpus.build(workers=1)


def test_a_raw_file_that_lies_in_the_store_only_is_fetched_when_a_build_wants_it(
    own_folder, url, there
):
    izwi.move(own_folder, url)
    raw = next((own_folder / "warc").glob("*.warc.gz"))
    before = raw.read_bytes()
    raw.unlink()
    izwi.move(own_folder, url)
    shutil.rmtree(own_folder / "layers")

    with Corpus(own_folder) as corpus:
        report = corpus.build(workers=1)

    assert f"warc/{raw.name}" in there()
    assert report.failures == ()
    assert raw.read_bytes() == before
    assert lines(own_folder)


def test_what_is_read_by_address_cannot_be_changed(own_folder, url):
    izwi.move(own_folder, url)

    with izwi.open(url) as corpus, pytest.raises(StoreError, match="bring it here"):
        corpus.build(workers=1)


def test_a_file_that_was_changed_there_is_refused(own_folder, url, object_store, tmp_path):
    izwi.move(own_folder, url)
    key = f"{tmp_path.name}/corpus.toml"
    object_store.client().put_object(Bucket="corpora", Key=key, Body=b"[corpus]")

    with pytest.raises(StoreError, match="is not what was sent"):
        izwi.move(url, tmp_path / "again")

    assert not (tmp_path / "again").exists()


def said(call, *about):
    with pytest.raises((StoreError, QueryError)) as caught:
        call(*about)
    words = str(caught.value)
    assert "\n" not in words
    assert "endpoint_override" not in words
    return words


def test_bad_addresses_are_one_sentence(own_folder, url, object_store, tmp_path):
    assert "There is no corpus at s3://corpora/" in said(izwi.open, url)
    missing = object_store.url("news", bucket="nowhere")
    assert "no such bucket" in said(izwi.move, own_folder, missing)
    assert "either way round" in said(izwi.move, own_folder, tmp_path / "other")
    assert not (own_folder / MARK).exists()


def test_a_bucket_without_rights_is_one_sentence(own_folder):
    with objectstore.running(INITIAL_NO_AUTH_ACTION_COUNT="0") as locked:
        words = said(izwi.move, own_folder, locked.url("news"))

    assert words.startswith("s3://corpora/news cannot be")
    assert "the right to it" in words


def test_keys_in_an_address_are_never_shown(own_folder):
    words = said(izwi.move, own_folder, "s3://key:geheim@corpora/x?endpoint_override=127.0.0.1:1")

    assert "geheim" not in words


def test_a_list_that_is_damaged_is_one_sentence(own_folder, url, object_store, tmp_path):
    izwi.move(own_folder, url)
    key = f"{tmp_path.name}/{LIST}"
    object_store.client().put_object(Bucket="corpora", Key=key, Body=b"{")

    assert "is damaged" in said(izwi.open, url)


SKEWED = (
    b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>RequestTimeTooSkewed</Code><Message>The '
    b"difference between the request time and the current time is too large.</Message></Error>"
)


class WrongClock(BaseHTTPRequestHandler):
    """A store that answers as one does to a machine whose clock is wrong by an hour."""

    def do_GET(self):
        self.send_response(403)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(SKEWED)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(SKEWED)

    do_HEAD = do_PUT = do_GET

    def log_message(self, *about):
        pass


def test_a_wrong_clock_is_one_sentence(own_folder, object_store):
    with ThreadingHTTPServer(("127.0.0.1", 0), WrongClock) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(StoreError) as refused:
            izwi.move(own_folder, objectstore.Server(server.server_port).url("news"))
        server.shutdown()

    words = str(refused.value)
    assert words.count(".") <= 3
    assert "whether this machine's clock is right" in words
