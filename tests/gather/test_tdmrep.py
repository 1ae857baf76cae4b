import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.demoweb.server import whole_reply
from izwi.gather.permissions import PLACE, Reservations, read_rules
from izwi.gather.sources.seeds import SeedsSource

RULES = """[
  {"location": "/", "tdm-reservation": 0},
  {"location": "/images/*.jpg$", "tdm-reservation": 1},
  {"location": "/paid/", "tdm-reservation": 1, "tdm-policy": "http://one.example/terms.json"},
  {"location": "/paid/free", "tdm-reservation": "0"}
]"""


@pytest.mark.parametrize(
    ("path", "is_reserved"),
    [
        ("/", False),
        ("/paid/a", True),
        ("/paid/a?b=1", True),
        ("/paid/free/a", False),
        ("/images/a.jpg", True),
        ("/images/a.jpg?large", False),
    ],
)
def test_longest_location_that_fits_counts(path, is_reserved):
    assert Reservations(RULES).of(f"http://one.example{path}").is_reserved == is_reserved


def test_page_nothing_is_said_of_is_not_reserved():
    said = Reservations('[{"location": "/paid", "tdm-reservation": 1}]')

    assert said.of("http://one.example/news") is None


@pytest.mark.parametrize("text", ["", "<html>", "1", "{}", "[1, {}]", "[" * 100_000])
def test_file_that_is_none_says_nothing(text):
    assert read_rules(text) == []


@given(st.text(alphabet='[]{}":,/*$01 abtdm-reservationlocation', max_size=80))
def test_no_file_is_too_odd(text):
    first, second = (Reservations(text).of("http://one.example/a") for _ in range(2))

    assert first == second


def host(paths):
    """Return a host with this file and a page everywhere else."""

    def answer(visit):
        if visit.path == "/robots.txt":
            return whole_reply(b"User-agent: *\nCrawl-delay: 0", content_type="text/plain")
        if visit.path == PLACE:
            return whole_reply(RULES.encode(), content_type="application/json")
        paths.append(visit.path)
        return whole_reply(b"<p>Sawubona.")

    return answer


def test_reserved_page_is_not_kept_and_the_reason_stands_in_the_ledger(gathering, hosts):
    hosts["one.example"] = host([])
    urls = ("http://one.example/news", "http://one.example/paid/a", "http://one.example/paid/free")

    gathering.run(SeedsSource("one", urls))
    gathering.run(SeedsSource("one", (*urls, "http://one.example/later")))

    line = gathering.line("http://one.example/paid/a")
    asked = [each.url for each in gathering.web.log if each.url.endswith(PLACE)]
    assert set(gathering.captures) == {urls[0], urls[2], "http://one.example/later"}
    assert (line.outcome, line.stage, line.reason) == ("dropped", "fetch", "tdm-reservation")
    assert line.detail == "tdm-reservation; tdm-policy=http://one.example/terms.json"
    assert len(asked) == 1


def test_reservations_may_be_disregarded_and_are_then_not_asked_for(gathering, hosts):
    hosts["one.example"] = host([])

    gathering.run(SeedsSource("one", ("http://one.example/paid/a",)), respect=("noindex",))

    assert "http://one.example/paid/a" in gathering.captures
    assert not [each for each in gathering.web.log if each.url.endswith(PLACE)]


def test_pause_is_kept_after_the_host_said_what_it_reserves(gathering, hosts):
    hosts["one.example"] = host([])

    gathering.run(SeedsSource("one", ("http://one.example/news",)), delay=0.3)

    _, rules, page = [each.time_monotonic for each in gathering.web.log]
    assert page - rules >= 0.3
