import pytest

from izwi.gather.permissions import KEPT_SECONDS, Robots

RULES = """\
User-agent: *
Disallow: /private/
Disallow: /*.php$
Allow: /private/open
Crawl-delay: 3

User-agent: izwi
Disallow: /not-for-izwi
Crawl-delay: 7.5

User-agent: other
Disallow: /
"""


def robots(text="", status=200, asked=1000.0):
    return Robots(text, status, asked)


ALLOWED = {
    "no rules": ("", "any", "/a", True),
    "allowed": (RULES, "any", "/a", True),
    "forbidden folder": (RULES, "any", "/private/a", False),
    "longer rule wins": (RULES, "any", "/private/open", True),
    "pattern": (RULES, "any", "/a.php", False),
    "pattern with an end": (RULES, "any", "/a.php?b", True),
    "own group instead of all": (RULES, "izwi", "/private/a", True),
    "own rule": (RULES, "izwi", "/not-for-izwi/a", False),
    "group of another": (RULES, "izwi", "/a", True),
    "everything forbidden": ("User-agent: *\nDisallow: /", "izwi", "/", False),
    "nothing forbidden": ("User-agent: *\nDisallow:", "izwi", "/a", True),
    "agent in capitals": ("User-agent: IZWI\nDisallow: /", "izwi", "/a", False),
    "not rules at all": ("<html><body>Not found</body></html>", "izwi", "/a", True),
    "letters": ("User-agent: *\nDisallow: /wêreld", "izwi", "/w%C3%AAreld", False),
    "byte-order mark": ("\ufeffUser-agent: *\nDisallow: /", "izwi", "/a", False),
}


@pytest.mark.parametrize(("text", "agent", "path", "expected"), ALLOWED.values(), ids=ALLOWED)
def test_rules_are_obeyed(text, agent, path, expected):
    assert robots(text).allows(f"http://one.example{path}", agent) == expected


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 429])
def test_host_without_rules_allows_everything(status):
    # Whatever the body of the error page says.
    found = robots("User-agent: *\nDisallow: /", status)

    assert found.allows("http://one.example/a", "izwi")
    assert not found.is_unreachable


@pytest.mark.parametrize("status", [0, 500, 502, 503, 599])
def test_host_whose_rules_cannot_be_had_is_left_alone(status):
    assert robots(status=status).is_unreachable


@pytest.mark.parametrize(
    ("status", "asked", "expected"),
    [(0, 900.0, True), (503, 900.0, True), (503, 1000.0, False), (200, 900.0, False)],
    ids=["no answer before", "error before", "error since", "answer before"],
)
def test_failure_of_an_earlier_run_is_worth_another_try(status, asked, expected):
    assert robots(status=status, asked=asked).failed_before(1000.0) == expected


@pytest.mark.parametrize(
    ("text", "agent", "seconds"),
    [
        ("", "izwi", 0.0),
        (RULES, "any", 3.0),
        (RULES, "izwi", 7.5),
        (RULES, "other", 0.0),
        ("User-agent: *\nCrawl-delay: soon", "izwi", 0.0),
        ("User-agent: *\nCrawl-delay: -5", "izwi", 0.0),
        ("User-agent: *\nCrawl-delay: inf", "izwi", 0.0),
    ],
    ids=["no rules", "of all", "own", "not said", "no number", "negative", "for ever"],
)
def test_delay_is_what_the_host_asks_for(text, agent, seconds):
    assert robots(text).delay(agent) == seconds


def test_delay_of_an_error_page_counts_for_nothing():
    assert robots("User-agent: *\nCrawl-delay: 9", 404).delay("izwi") == 0.0


@pytest.mark.parametrize(
    ("status", "age", "expected"),
    [
        (200, 0, True),
        (200, KEPT_SECONDS - 1, True),
        (200, KEPT_SECONDS, False),
        (404, KEPT_SECONDS - 1, True),
        (0, 899, True),
        (0, 900, False),
        (503, 900, False),
    ],
)
def test_answer_is_kept_for_a_day_and_a_failure_for_a_quarter_of_an_hour(status, age, expected):
    assert robots(status=status, asked=1000.0).is_fresh(1000.0 + age) == expected
