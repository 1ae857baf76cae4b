"""Files that are no web pages, found by links in a crawl."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from izwi.cases.corpus import create_corpus
from tests.text.test_office import BOOK, FIRST, OPEN, SECOND, WORD, pdf, wrapped

FILES = {"a.docx": WORD, "b.odt": OPEN, "c.epub": BOOK, "e.txt": f"{FIRST}\n\n{SECOND}".encode()}
FILES["d.pdf"] = pdf([wrapped(f"{FIRST} {SECOND}")])


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words): ...


@pytest.fixture
def library(tmp_path):
    """A site of files, one of them under a type that says nothing."""
    folder = tmp_path / "site"
    folder.mkdir()
    links = "".join(f'<a href="{name}">{name}</a> ' for name in FILES)
    (folder / "index.html").write_text(f"<html><body><p>Our files.</p>{links}</body></html>")
    for name, body in FILES.items():
        (folder / name).write_bytes(body)
    types = {**SimpleHTTPRequestHandler.extensions_map, ".epub": "application/octet-stream"}
    handler = type("Handler", (Quiet,), {"extensions_map": types})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_files_of_a_crawl_become_documents(library, tmp_path):
    made = create_corpus(tmp_path / "c", contact="https://izwi.example/tests", name="c", delay=0.0)
    made.add_source(library, type="crawl", name="library")
    made.change_settings({"gather.allow_private": True})

    made.run(workers=1)

    lines = {line.url.removeprefix(library): line for line in made.drops().lines}
    # The same text in five forms: one is kept, the others are its copies.
    assert [lines[name].stage for name in FILES].count("dedup") == len(FILES) - 1
    assert sum(lines[name].outcome == "kept" for name in FILES) == 1
