"""Are the commands that messages propose the ones to give next, and can they be pasted?"""

import shlex
from types import SimpleNamespace

from typer.testing import CliRunner

from izwi.cli.main import app
from izwi.model.results import Notice
from izwi.service.gathering import _naming
from izwi.store.layout import Layout


def told(*words):
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code in (0, 1), result.output
    return " ".join(result.output.split())


def new_corpus(tmp_path):
    folder = tmp_path / "my corpus"
    made = told("init", folder, "--contact", "https://izwi.example/bot")
    return folder, made


def test_a_folder_with_a_space_is_quoted(tmp_path):
    folder, made = new_corpus(tmp_path)

    assert f"Next: izwi sources add {shlex.quote(str(folder))} URL" in made
    added = told("sources", "add", folder, "http://herald.example/feed.xml")
    assert f"Next: izwi run {shlex.quote(str(folder))}" in added


def test_a_corpus_without_a_version_names_the_next_step(tmp_path):
    folder, _ = new_corpus(tmp_path)
    quoted = shlex.quote(str(folder))

    assert f"First: izwi sources add {quoted} URL" in told("query", folder, "bakkie")
    told("sources", "add", folder, "http://herald.example/feed.xml")
    assert f"First: izwi run {quoted}" in told("query", folder, "bakkie")
    (tmp_path / "page.html").write_text("<p>One bakkie.</p>", encoding="utf-8")
    told("import", "files", folder, tmp_path / "page.html")
    assert f"First: izwi build {quoted}" in told("query", folder, "bakkie")


def test_notes_of_a_run_name_the_corpus(tmp_path):
    heard = []
    hear = _naming(Layout(tmp_path), SimpleNamespace(hear=heard.append))

    hear(Notice("then try: izwi sources check FOLDER http://a.example/"))

    assert heard == [Notice(f"then try: izwi sources check {tmp_path} http://a.example/")]


def test_one_document_is_no_documents(tmp_path):
    (tmp_path / "one.vert").write_text("<doc>\nOne\nbakkie\n</doc>\n", encoding="utf-8")

    made = told("import", "vertical", tmp_path / "one.vert", tmp_path / "one corpus")

    assert "2 tokens in 1 document." in made
    assert f"Next: izwi query {shlex.quote(str(tmp_path / 'one corpus'))} WORD" in made


def test_imported_pages_wait_to_be_built_and_the_next_step_is_said(tmp_path):
    folder, _ = new_corpus(tmp_path)
    (tmp_path / "page.html").write_text("<p>One bakkie.</p>", encoding="utf-8")

    imported = told("import", "files", folder, tmp_path / "page.html")

    assert "lost here still to come" in imported
    assert "1 not-built" in imported
    assert imported.endswith(f"Next: izwi build {shlex.quote(str(folder))}")
    assert "still to come" not in told("build", folder)


def test_files_that_are_there_already_are_counted(tmp_path):
    folder, _ = new_corpus(tmp_path)
    (tmp_path / "page.html").write_text("<p>One bakkie.</p>", encoding="utf-8")
    first = told("import", "files", folder, tmp_path / "page.html")

    again = told("import", "files", folder, tmp_path / "page.html")

    assert "there already" not in first
    assert "1 page was there already." in again


def test_reasons_that_there_are_follow_one_that_there_is_not(tmp_path):
    folder, _ = new_corpus(tmp_path)
    (tmp_path / "page.html").write_text("<p>One bakkie.</p>", encoding="utf-8")
    told("import", "files", folder, tmp_path / "page.html")

    assert "Reasons in this corpus: not-built." in told("drops", folder, "--reason", "nix")
