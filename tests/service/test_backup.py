"""A copy of a corpus is whole, also while something writes, and says so when it is not."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import threading

import pytest
from typer.testing import CliRunner

import izwi
from izwi.cases.corpus import Corpus
from izwi.cli.main import app
from izwi.model.errors import QueryError, StoreError
from izwi.store.backup import LIST
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout
from izwi.web.app import create_app
from tests.service import tiny
from tests.web.serving import TOKEN, asking

HITS = "robots"


def lines(folder):
    with Corpus(folder) as corpus:
        return [(line.left, line.match, line.right) for line in corpus.concordance(HITS)]


def test_a_restored_corpus_answers_and_builds_as_the_first_did(own_folder, tmp_path):
    report = Corpus(own_folder).backup(tmp_path)

    again = izwi.restore(report.path, tmp_path / "again")

    assert (again.files, again.corpus) == (report.files, "tiny")
    assert lines(tmp_path / "again") == lines(own_folder) != []
    with Corpus(tmp_path / "again") as corpus:
        assert corpus.build(workers=1).failures == ()
        assert [version.number for version in corpus.versions()] == [1]
        assert [each for each in corpus.doctor() if not each.is_well] == []


def test_what_is_committed_in_an_open_file_is_in_the_copy_and_nothing_more(tmp_path):
    folder = tmp_path / "tiny"
    tiny.make(folder)
    tiny.gather(folder, is_sealed=False)
    growing = next((folder / "warc").glob("*.open"))
    committed = growing.stat().st_size
    with growing.open("ab") as file:
        file.write(b"not committed yet")

    izwi.restore(Corpus(folder).backup(tmp_path / "copy.tar").path, tmp_path / "again")

    assert (tmp_path / "again" / "warc" / growing.name).stat().st_size == committed
    layout = Layout(tmp_path / "again")
    with Catalog.write(layout.catalog) as catalog:
        store = CaptureStore(layout, catalog, shard_bytes=1, software="izwi/tests")
        assert store.recover() == []
        store.seal()
    with Corpus(tmp_path / "again") as corpus:
        corpus.build(workers=1)
    assert lines(tmp_path / "again") != []


def test_copies_made_while_runs_write_are_whole(own_folder, tmp_path):
    """Another process builds and publishes again and again while copies are made."""
    code = (
        "import sys, izwi\n"
        "for least in range(60, 200, 20):\n"
        "    corpus = izwi.open(sys.argv[1])\n"
        "    corpus.change_settings({'language.minimum': 0.2 + least / 1000})\n"
        "    corpus.build(workers=1)\n"
        "    print('built', flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, own_folder], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        reports = []
        for number, _ in enumerate(writer.stdout):
            reports.append(Corpus(own_folder).backup(tmp_path / f"{number}.tar"))
    assert writer.returncode == 0

    assert len(reports) == 7
    for number, report in enumerate(reports):
        again = tmp_path / f"again{number}"
        izwi.restore(report.path, again)
        assert lines(again) == lines(own_folder)
        with Corpus(again) as corpus:
            assert corpus.build(workers=1).failures == ()
        shutil.rmtree(again)


def test_a_version_published_meanwhile_is_not_missed_in_the_copy(own_folder, tmp_path):
    def publish(event):
        nonlocal is_published
        if event.detail.startswith("layers/") and not is_published:
            is_published = True
            with Corpus(own_folder) as corpus:
                corpus.change_settings({"language.minimum": 0.3})
                corpus.build(workers=1)

    is_published = False
    report = Corpus(own_folder).backup(tmp_path / "copy.tar", listener=publish)
    izwi.restore(report.path, tmp_path / "again")

    assert is_published
    with Corpus(tmp_path / "again") as corpus:
        assert corpus.build(workers=1).failures == ()


def test_a_rewriting_that_is_under_way_is_not_copied(own_folder, tmp_path):
    (own_folder / "warc" / "rewriting.json").write_text("{}")

    with pytest.raises(StoreError, match="being rewritten"):
        Corpus(own_folder).backup(tmp_path / "copy.tar")

    assert list(tmp_path.glob("*copy*")) == []


def test_a_page_taken_down_meanwhile_makes_the_copy_begin_anew(own_folder, tmp_path):
    corpus, heard = Corpus(own_folder), threading.Event()

    def listener(event):
        if not heard.is_set():
            heard.set()
            Corpus(own_folder).takedown(f"{tiny.HOST}/2020/03/01/robots", reason="asked")

    report = corpus.backup(tmp_path / "copy.tar", listener=listener)

    izwi.restore(report.path, tmp_path / "again")
    with Corpus(tmp_path / "again") as again:
        urls = {line.document.url for line in again.concordance(HITS)}
    assert f"{tiny.HOST}/2020/03/01/robots" not in urls


@pytest.mark.parametrize("damage", ["flipped", "cut", "other"])
def test_a_backup_that_is_not_whole_makes_no_corpus(own_folder, tmp_path, damage):
    path = tmp_path / "copy.tar"
    Corpus(own_folder).backup(path)
    content = bytearray(path.read_bytes())
    place = content.index(b"WARC-") if b"WARC-" in content else len(content) // 2
    if damage == "flipped":
        content[place + 40] ^= 1
    path.write_bytes({"cut": content[: len(content) // 2], "other": b"PK\3\4"}.get(damage, content))

    with pytest.raises(StoreError, match=r"damaged|no whole backup"):
        izwi.restore(path, tmp_path / "again")

    assert [each.name for each in tmp_path.iterdir() if "again" in each.name] == []


def test_a_member_that_leads_outside_is_refused(tmp_path):
    path = tmp_path / "evil.tar"
    with tarfile.open(path, "w") as tar:
        tar.addfile(tarfile.TarInfo("../outside.txt"))

    with pytest.raises(StoreError, match="no backup has"):
        izwi.restore(path, tmp_path / "again")

    assert not (tmp_path / "outside.txt").exists()


@pytest.mark.parametrize("is_folder", [False, True])
@pytest.mark.parametrize("place", ["models/secret", "layers/secret", "secret"])
def test_a_link_that_leads_out_of_the_corpus_is_neither_followed_nor_left_out(
    own_folder, tmp_path, place, is_folder
):
    secret = tmp_path / "elsewhere" / "secret"
    secret.parent.mkdir()
    secret.write_text("secret")
    link = own_folder / place
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(secret.parent if is_folder else secret)

    with izwi.open(own_folder) as corpus, pytest.raises(StoreError, match="leads out"):
        corpus.backup(tmp_path / "copy.tar")

    assert not (tmp_path / "copy.tar").exists()


def test_a_folder_of_captures_on_another_disk_is_in_the_copy(own_folder, tmp_path):
    (own_folder / "warc").rename(tmp_path / "disk")
    (own_folder / "warc").symlink_to(tmp_path / "disk")

    with izwi.open(own_folder) as corpus:
        corpus.backup(tmp_path / "copy.tar")

    with tarfile.open(tmp_path / "copy.tar") as copy:
        held = {name for name in copy.getnames() if name.startswith("warc/")}
    assert {f"warc/{path.name}" for path in (tmp_path / "disk").glob("*.warc.gz")} <= held


def test_the_copy_names_files_that_have_rotted(own_folder, tmp_path):
    path = next((own_folder / "warc").glob("*.warc.gz"))
    state = path.stat()
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    with path.open("r+b") as file:
        file.write(content)
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))

    report = Corpus(own_folder).backup(tmp_path / "copy.tar")

    assert report.damaged == (f"warc/{path.name}",)


@pytest.mark.parametrize(
    ("place", "words"), [("tiny/copy.tar", "corpus folder"), ("old.tar", "there already")]
)
def test_a_backup_replaces_nothing_and_does_not_lie_in_the_corpus(
    own_folder, tmp_path, place, words
):
    (tmp_path / "old.tar").write_text("keep me")

    with pytest.raises(QueryError, match=words):
        Corpus(own_folder).backup(tmp_path / place)

    assert (tmp_path / "old.tar").read_text() == "keep me"


def test_a_corpus_is_not_restored_over_another(own_folder, tmp_path):
    report = Corpus(own_folder).backup(tmp_path / "copy.tar")

    with pytest.raises(QueryError, match="there already"):
        izwi.restore(report.path, own_folder)


def test_the_commands_say_what_they_did(own_folder, tmp_path):
    copy = str(tmp_path / "copy.tar")
    run = CliRunner().invoke

    made = json.loads(run(app, ["backup", str(own_folder), copy, "--json"]).stdout)
    checked = run(app, ["restore", copy, "--check"])
    done = run(app, ["restore", copy, str(tmp_path / "again")])

    assert made["files"] > 5
    assert "is whole" in checked.stdout
    assert "all sums right" in done.stdout
    assert lines(tmp_path / "again") == lines(own_folder)


def test_curators_fetch_a_backup_and_nobody_else(own_folder, tmp_path):
    with asking(create_app([own_folder], curator_token=TOKEN)) as client:
        refused = client.get("/api/v1/c/tiny/backup")
        given = client.get(
            "/api/v1/c/tiny/backup", headers={"Authorization": f"Bearer {TOKEN}".encode()}
        )

    assert refused.status_code in (401, 403)
    path = tmp_path / "copy.tar"
    path.write_bytes(given.content)
    with tarfile.open(path) as tar:
        assert tar.getnames()[-1] == LIST
    assert izwi.restore(path, None).corpus == "tiny"


def test_a_catalog_on_a_server_is_in_the_copy_as_a_file(tmp_path, postgresql):
    folder = tmp_path / "tiny"
    tiny.make(folder)
    tiny.gather(folder)
    settings = folder / "corpus.toml"
    own = settings.read_text()
    settings.write_text(f'{own}\n[store]\ncatalog = "{postgresql.new_place()}"\n')
    with Corpus(folder) as corpus:
        assert corpus.build(workers=1).failures == ()
        before = corpus.status()
        corpus.backup(tmp_path / "copy.tar")

    izwi.restore(tmp_path / "copy.tar", tmp_path / "again")

    (tmp_path / "again" / "corpus.toml").write_text(own)
    with Corpus(tmp_path / "again") as corpus:
        again = corpus.status()
        assert again.captures == before.captures > 0
        assert corpus.build(workers=1).failures == ()
