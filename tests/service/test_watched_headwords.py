"""Headwords watched over two builds, told by mail and by a feed."""

import socket
import threading
from contextlib import contextmanager

import pytest

import izwi
from izwi.cases.words import WatchedWords, _watched_told
from izwi.model.errors import QueryError
from izwi.web.app import create_app

from ..web.serving import asking
from .test_growing import page


@pytest.fixture
def corpus(tmp_path):
    made = izwi.create(
        tmp_path / "corpus", contact="https://izwi.example/tests", name="tried", delay=0.0
    )
    made.watch_headwords(["Bakkie\t2020\tbakkies", "robot\t1931", "Braai"])
    return made


def bring(corpus, tmp_path, word, day):
    """Take in one page of a day and build."""
    folder = tmp_path / f"{word}-{day}"
    folder.mkdir()
    head = f'<meta property="article:published_time" content="{day}"></head>'
    text = page(word).replace("</title>", f"</title>{head}", 1)
    (folder / "page.html").write_text(text, encoding="utf-8")
    return corpus.import_files(folder, address=f"https://news.example/{day}", build=True)


@contextmanager
def mail_server():
    """Take one mail on loopback, as any server of mail does."""
    taken = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            connection, _ = server.accept()
            with connection, connection.makefile("rb") as lines:
                connection.sendall(b"220 here\r\n")
                for line in lines:
                    word = line.split(b" ")[0].strip().upper()
                    connection.sendall(b"354 go on\r\n" if word == b"DATA" else b"250 ok\r\n")
                    if word == b"QUIT":
                        return
                    if word == b"DATA":
                        body = iter(lines.readline, b".\r\n")
                        taken.append(b"".join(body).decode())
                        connection.sendall(b"250 taken\r\n")

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}", taken
        thread.join(10)


def test_each_build_tells_only_of_lines_earlier_than_all_before(corpus, tmp_path):
    first = bring(corpus, tmp_path, "Bakkie", "2019-05-03")
    again = bring(corpus, tmp_path, "Bakkie", "2019-08-03")
    earlier = bring(corpus, tmp_path, "Bakkie", "2011-01-02")

    assert any("Earlier lines of 1 headwords: Bakkie" in each for each in first.warnings)
    assert not any("Earlier lines" in each for each in again.warnings)
    assert any("Earlier lines" in each for each in earlier.warnings)
    found = corpus.headword_alerts()
    assert [(each.headword, each.date, each.version) for each in found] == [
        ("Bakkie", "2011-01-02", 3),
        ("Bakkie", "2019-05-03", 1),
    ]
    assert found[1].days == 243
    assert {each.headword: each.verdict for each in corpus.headword_watch().lines} == {
        "Bakkie": "antedating", "robot": "absent", "Braai": "absent",
    }  # fmt: skip
    assert corpus.check_headwords() == ()


def test_what_a_build_finds_is_mailed_in_the_language_that_is_wished(corpus, tmp_path):
    with mail_server() as (address, taken):
        corpus.change_settings(
            {"alerts.mail": ["lex@example.org"], "alerts.smtp": address, "alerts.language": "af"}
        )
        bring(corpus, tmp_path, "Bakkie", "2019-05-03")

    (mail,) = taken
    assert "To: lex@example.org" in mail
    assert "Bakkie: 2019-05-03, 243 dae voor 2020" in mail


def test_a_mail_that_cannot_be_sent_loses_nothing(corpus, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = f"127.0.0.1:{server.getsockname()[1]}"
    corpus.change_settings({"alerts.mail": ["lex@example.org"], "alerts.smtp": closed})
    report = bring(corpus, tmp_path, "Bakkie", "2019-05-03")

    assert any("could not be sent" in each for each in report.warnings)
    assert not report.failures
    assert len(corpus.headword_alerts()) == 1


def test_a_page_and_a_feed_show_what_was_found(corpus, tmp_path):
    bring(corpus, tmp_path, "Bakkie", "2019-05-03")
    with asking(create_app([corpus.path])) as client:
        shown = client.get("/c/tried/watch").text
        feed = client.get("/c/tried/watch.atom")
        table = client.get("/c/tried/watch.csv").text

    assert "earlier than known" in shown
    assert "243 days" in shown
    assert feed.headers["content-type"].startswith("application/atom+xml")
    assert "Bakkie – 2019-05-03" in feed.text
    assert "Bakkie,antedating,2020,243" in table


def test_headwords_are_forgotten_and_that_is_taken_back(corpus):
    corpus.forget_headwords(["robot"])
    assert [each.headword for each in corpus.headword_watch().lines] == ["Bakkie", "Braai"]

    corpus.undo(corpus.changes()[0].id)
    assert len(corpus.headword_watch().lines) == 3


@pytest.mark.parametrize("words", [[], [""], ["bakkie\tyesterday"]])
def test_what_is_no_headword_is_refused_in_a_sentence(corpus, words):
    with pytest.raises(QueryError):
        corpus.watch_headwords(words)


@pytest.mark.parametrize(("n", "told"), [(1, "1 headword is watched."), (2, "2 headwords are")])
def test_one_headword_is_no_plural(tmp_path, n, told):
    asked = WatchedWords(words=["robot"] * n)

    (said,) = _watched_told(asked, ["robot"] * n, tmp_path)

    assert said.startswith(told)
