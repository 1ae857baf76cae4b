"""Curators take in what lies in the folders that the server's owner named, and nothing else."""

import os

import pytest

from izwi.model.errors import SourceError
from izwi.web.api import uploads
from izwi.web.api.uploads import import_place

KINDS = ("warc", "files", "conllu", "tei", "texts")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder = tmp_path / "imports"
    (folder / "pages").mkdir(parents=True)
    (folder / "pages" / "a.html").write_text("<p>A page.</p>", encoding="utf-8")
    (tmp_path / "secret.html").write_text("<p>Secret.</p>", encoding="utf-8")
    monkeypatch.setenv("IZWI_IMPORTS", str(folder))
    return folder


@pytest.mark.parametrize("inside", ["", "pages", "pages/a.html", "pages/../pages/a.html"])
def test_what_lies_in_the_folder_may_be_taken_in(folder, inside):
    assert import_place(str(folder / inside)).exists()


@pytest.mark.parametrize(
    "text",
    ["/etc/passwd", "/", "{f}/../secret.html", "{f}x", "", "a\0b", "/" + "a" * 5000, "/dev/zero"],
)
def test_what_lies_elsewhere_may_not(folder, text):
    with pytest.raises(SourceError, match="in none of the folders"):
        import_place(text.format(f=folder) if "{f}" in text else text)


def test_links_that_lead_out_are_refused(folder):
    (folder / "pages" / "b.html").symlink_to(folder.parent / "secret.html")

    with pytest.raises(SourceError, match="in none of the folders"):
        import_place(str(folder / "pages" / "b.html"))
    with pytest.raises(SourceError, match="leads out"):
        import_place(str(folder / "pages"))


def test_pipes_and_devices_are_refused(folder):
    os.mkfifo(folder / "pages" / "pipe.html")

    with pytest.raises(SourceError, match="neither a file nor a folder"):
        import_place(str(folder / "pages"))
    with pytest.raises(SourceError, match="neither a file nor a folder"):
        import_place(str(folder / "pages" / "pipe.html"))


def test_a_huge_tree_is_refused(folder, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_FILES", 2)
    for number in range(3):
        (folder / f"{number}.html").touch()

    with pytest.raises(SourceError, match="more than 2 files"):
        import_place(str(folder))


def test_without_a_folder_nothing_is_taken_in(monkeypatch, tmp_path):
    monkeypatch.delenv("IZWI_IMPORTS", raising=False)

    with pytest.raises(SourceError, match="IZWI_IMPORTS"):
        import_place(str(tmp_path))


@pytest.mark.parametrize("kind", KINDS)
def test_every_route_asks(curator, folder, kind):
    answer = curator.post(f"/api/v1/c/tiny/import/{kind}", json={"path": "/etc/passwd"})

    assert answer.status_code == 400
    assert "in none of the folders" in answer.text
