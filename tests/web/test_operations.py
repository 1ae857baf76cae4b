import json
import logging

import pytest

import izwi
from izwi.model.errors import IzwiError
from izwi.web.api.operations import log_to
from izwi.web.app import create_app
from tests.waiting import until
from tests.web.serving import asking


def test_health_is_said_even_to_strangers_and_says_no_more(corpus_folder):
    with asking(create_app([corpus_folder], is_closed=True)) as client:
        assert client.get("/health").json() == {"status": "ok"}


def test_metrics_are_for_those_who_may_read(corpus_folder):
    with asking(create_app([corpus_folder], is_closed=True)) as client:
        assert client.get("/metrics", follow_redirects=False).status_code in (303, 401)


def test_metrics_count_what_was_answered(corpus_folder):
    with asking(create_app([corpus_folder])) as client:
        client.get("/nothing-here")
        client.get("/health")
        text = client.get("/metrics").text

    assert 'izwi_answers_total{status="404"} 1' in text
    assert 'izwi_answers_total{status="200"} 1' in text
    assert "izwi_answer_seconds_count 2" in text
    assert "izwi_corpus_tokens{corpus=" in text


def test_every_answer_has_a_number_and_keeps_the_one_it_came_with(client):
    given = client.get("/health", headers={"X-Request-ID": "abc-123"})
    hostile = client.get("/health", headers={"X-Request-ID": "a b<script>"})

    assert given.headers["X-Request-ID"] == "abc-123"
    assert len(hostile.headers["X-Request-ID"]) == 16


@pytest.fixture
def log(tmp_path):
    """A log as `izwi serve --log` writes it."""
    level = logging.getLogger("izwi").level
    handler = log_to(str(tmp_path / "log.jsonl"))
    yield tmp_path / "log.jsonl"
    for name in ("izwi", "uvicorn.error"):
        logging.getLogger(name).removeHandler(handler)
    logging.getLogger("izwi").setLevel(level)
    handler.close()


def lines_of(log):
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def test_the_log_has_a_line_an_answer_with_its_number(client, log):
    client.get("/nothing-here?q=secret", headers={"X-Request-ID": "abc-123"})

    # The line is written once the answer has gone out.
    until(lambda: any(line.get("request") == "abc-123" for line in lines_of(log)))
    line = next(line for line in lines_of(log) if line.get("request") == "abc-123")
    assert (line["method"], line["path"], line["status"]) == ("GET", "/nothing-here", 404)
    assert line["seconds"] >= 0
    assert "secret" not in log.read_text(encoding="utf-8")


def test_what_goes_wrong_is_logged_under_the_number_of_its_request(corpus_folder, log):
    app = create_app([corpus_folder])

    @app.get("/broken")
    def broken():
        logging.getLogger("izwi.somewhere").warning("about to break")
        raise ZeroDivisionError

    with asking(app) as client:
        assert client.get("/broken", headers={"X-Request-ID": "b-1"}).status_code == 500

    told = {line["message"]: line for line in lines_of(log) if line.get("request") == "b-1"}
    assert {"about to break", "not answered", "answered"} <= told.keys()
    assert "ZeroDivisionError" in told["not answered"]["trace"]


def test_a_log_that_cannot_be_written_is_said_in_a_sentence(tmp_path):
    with pytest.raises(IzwiError, match="log"):
        log_to(str(tmp_path / "missing" / "log.jsonl"))


def test_a_running_server_sees_what_another_process_writes_into_corpus_toml(own_folder):
    with asking(create_app([own_folder])) as client:
        before = [each["name"] for each in client.get("/api/v1/c/tiny/sources").json()]
        # Another object of the same folder knows as little of the server as another process does.
        izwi.open(own_folder).add_source("https://more.example/feed", type="feed", name="more")
        after = [each["name"] for each in client.get("/api/v1/c/tiny/sources").json()]
        page = client.get("/c/tiny").text

    assert after == [*before, "more"]
    assert "more" in page


def test_a_corpus_that_gets_another_name_is_served_under_it(own_folder):
    settings = own_folder / "corpus.toml"
    with asking(create_app([own_folder])) as client:
        text = settings.read_text(encoding="utf-8")
        settings.write_text(text.replace('name = "tiny"', 'name = "renamed"'), encoding="utf-8")
        old, new = client.get("/c/tiny"), client.get("/c/renamed")

    assert (old.status_code, new.status_code) == (404, 200)
