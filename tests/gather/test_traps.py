import pytest

from izwi.gather.traps import CREDITS, Traps, patterns
from izwi.model.capture import Lead
from izwi.store.catalog import Catalog


@pytest.fixture
def catalog(tmp_path):
    with Catalog.write(tmp_path / "catalog.sqlite") as opened:
        yield opened


def article(number):
    words = ("rain", "dam", "vote", "goat", "road", "fire", "bread", "wheel")
    salt = " ".join(words[number // 8**place % 8] for place in range(4))
    return f"First paragraph about {salt} in full.\nSecond paragraph about {salt} as well."


def test_pages_with_new_text_are_taken_for_ever(catalog):
    traps = Traps(catalog)

    for number in range(500):
        url = f"http://a.example/news/{number}"
        assert traps.verdict(url) is None
        traps.learn(url, article(number), [])


def test_pages_that_repeat_themselves_end_after_their_credit(catalog):
    traps = Traps(catalog)
    urls = [f"http://a.example/day/{number}" for number in range(50)]

    taken = 0
    for url in urls:
        if traps.verdict(url) is None:
            taken += 1
            traps.learn(url, "The same line on every single page.", [])

    assert taken == CREDITS[-1]
    assert traps.verdict("http://a.example/other") is None


def test_credits_outlive_the_run(catalog):
    for number in range(20):
        Traps(catalog).learn(f"http://a.example/day/{number}", "", [])

    verdict = Traps(catalog).verdict("http://a.example/day/99")

    assert verdict is not None
    assert (verdict.reason, verdict.detail) == ("trap", "a.example/day")


def test_links_of_a_trap_are_counted_once_each_under_their_pattern(catalog):
    traps = Traps(catalog)
    for number in range(20):
        traps.learn(f"http://a.example/day/{number}", "", [])
    links = [Lead(f"http://a.example/day/{number}", "crawl") for number in range(100, 103)]

    wanted = traps.sift([*links, Lead("http://a.example/about", "crawl")])
    again = traps.sift([links[0], Lead("http://a.example/day/200", "crawl")])

    (line,) = catalog.ledger_lines()
    assert ([lead.url for lead in wanted], again) == (["http://a.example/about"], [])
    assert (line.outcome, line.stage, line.reason, line.url) == (
        "dropped", "fetch", "trap", "a.example/day",
    )  # fmt: skip
    assert (line.value, line.threshold, line.source) == (4, CREDITS[1], "crawl")


def test_a_path_that_repeats_itself_is_refused():
    traps = Traps(None)  # type: ignore[arg-type]

    verdict = traps.verdict("http://a.example/x/y/x/y/x/y")

    assert verdict is not None
    assert (verdict.reason, verdict.value, verdict.threshold) == ("repeated-path", 3, 2)


def test_values_do_not_make_a_shape():
    one, other = (patterns(f"http://a.example/list?b={n}&a={n}")[-1] for n in (1, 2))

    assert one == other
