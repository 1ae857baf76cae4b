import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from izwi.cases.corpora import import_vertical
from izwi.cases.corpus import Corpus
from izwi.model.errors import QueryError
from izwi.service.querying import ask_service

TEXT = "Die\nhond\nblaf\nvir\ndie\nbrandwag\nblus-wa\n"


class _Service(BaseHTTPRequestHandler):
    """A service that knows one word, in the form LibreTranslate answers in."""

    answer: object = None
    asked: dict[str, object] | None = None

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        type(self).asked = {"path": self.path, **json.loads(self.rfile.read(length))}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(self.answer).encode())

    def log_message(self, *arguments):
        pass


@pytest.fixture
def service():
    """The address of a running service, and its class to be told what to answer."""
    kind = type("Service", (_Service,), {})
    with HTTPServer(("127.0.0.1", 0), kind) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", kind
        server.shutdown()
        thread.join()


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "af.vert").write_text(TEXT, encoding="utf-8")
    import_vertical(tmp_path / "af.vert", tmp_path / "af")
    path = tmp_path / "af" / "corpus.toml"
    text = path.read_text(encoding="utf-8")
    assert "languages = []" in text
    path.write_text(text.replace("languages = []", 'languages = ["afr"]'), encoding="utf-8")
    return Corpus(tmp_path / "af")


def test_a_service_is_asked_for_the_language_of_the_corpus(corpus, service):
    address, kind = service
    kind.answer = {"translatedText": "Hond", "alternatives": ["brandwag", "wolf"]}

    found = corpus.concordance("dog", translate=address)

    assert [line.match for line in found] == ["hond", "brandwag"]
    assert kind.asked == {
        "path": "/translate", "q": "dog", "source": "auto", "target": "af", "format": "text",
        "alternatives": 5,
    }  # fmt: skip


def test_the_service_may_be_named_in_the_settings(corpus, service):
    address, kind = service
    kind.answer = {"translatedText": "hond"}
    with pytest.raises(QueryError, match="names no translation service"):
        corpus.concordance("dog", translate="service")
    path = corpus.path / "corpus.toml"
    path.write_text(
        path.read_text(encoding="utf-8") + f'\n[search]\ntranslator = "{address}"\n',
        encoding="utf-8",
    )

    assert Corpus(corpus.path).concordance("dog", translate="service").hits == 1
    assert corpus.concordance("dog", translate="service").hits == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"translatedText": ""}, "knows no meaning of 'dog'"),
        ({"error": "no such language"}, "knows no meaning of 'dog'"),
        (["hond"], "answered with no translation"),
    ],
    ids=["empty", "error", "list"],
)
def test_a_service_that_has_no_answer_is_named(service, answer, words):
    address, kind = service
    kind.answer = answer

    with pytest.raises(QueryError, match=words):
        ask_service(address, "dog", ["afr"], seconds=5)


def test_a_service_that_is_not_there_is_named(service):
    with pytest.raises(QueryError, match=r"service at http://127.0.0.1:9/translate did not answer"):
        ask_service("http://127.0.0.1:9", "dog", ["afr"], seconds=5)


def test_word_lists_lie_in_the_corpus_folder_or_anywhere(corpus, tmp_path):
    (corpus.path / "translations").mkdir()
    (corpus.path / "translations" / "en.tsv").write_text("fire engine\tblus-wa\n", encoding="utf-8")
    (tmp_path / "mine.tsv").write_text("dog\thond; wolf\n", encoding="utf-8")

    assert corpus.concordance("fire engine", translate="en").hits == 1
    assert corpus.concordance("dog", translate=tmp_path / "mine.tsv").hits == 1
    with pytest.raises(QueryError, match="no translation of 'cat'"):
        corpus.concordance("cat", translate="en")
