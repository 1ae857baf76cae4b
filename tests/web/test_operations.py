from izwi.web.app import create_app
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
