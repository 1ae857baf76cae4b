"""A pit of made-up text ends after a few pages; an archive goes on, asked for little more."""

import os
import random
import signal
from collections import Counter
from threading import Timer

import pytest

from izwi.demoweb.server import Reply, whole_reply
from izwi.gather.evidence import Evidence
from izwi.gather.loop import Bounds, Gatherer
from izwi.gather.made_up import Doubts, invented
from izwi.gather.sources.crawl import CrawlSource
from izwi.gather.traps import Traps
from izwi.model.results import Notice
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog
from tests.gather.conftest import AGENT
from tests.gather.test_traps import catalog, word

__all__ = ["catalog"]


def told(seed, words=120):
    chance = random.Random(seed)
    return "\n".join(" ".join(word(chance) for _ in range(30)) for _ in range(words // 30))


def gathered(traps, urls, answer, words=120):
    """Ask for addresses as the loop does; return what was asked, and which were invented."""
    asked, probes = [], []
    for url in urls:
        if traps.verdict(url) is not None:
            continue
        asked.append(url)
        traps.learn(url, told(url, words), [], fresh=4)
        while (probe := traps.probe(url)) is not None:
            probes.append(probe.url)
            said = answer(probe.url)
            if said is None:
                traps.leave_in_doubt(url, probe)
                break
            traps.judge(url, probe, said)
    return asked, probes


PITS = {
    "slugs": lambda at: f"http://a.example/tales/of-{at:04d}-a{at}b",
    "numbers": lambda at: f"http://a.example/tale.php?n={at}",
    "folders": lambda at: (
        f"http://a.example/lib/{word(random.Random(at))}/{word(random.Random(-at))}"
    ),
}


@pytest.mark.parametrize("kind", PITS)
def test_a_pit_of_made_up_text_ends_after_a_few_pages(catalog, kind):
    traps = Traps(catalog)
    for number in range(20):
        traps.learn(f"http://a.example/story/{number}", told(number), [])

    asked, probes = gathered(traps, map(PITS[kind], range(200)), told)

    assert len(asked) <= 15
    assert len(probes) == 2
    assert traps.verdict(PITS[kind](999)).reason == "made-up"
    assert traps.verdict("http://a.example/story/99") is None


def some_of_many(probe):
    chance = random.Random(probe)
    return "\n".join(told(chance.randrange(20_000), 30) for _ in range(5))


ARCHIVES = {
    "says nothing": lambda probe: "",
    "says the same words": lambda probe: told("We looked everywhere", 60),
    "shows a few of its pages": lambda probe: f"{told('sorry', 30)}\n{told(probe, 30)}",
    "shows random pages below a word of sorrow": lambda probe: (
        f"We looked everywhere and found nothing there\n{some_of_many(probe)}"
    ),
    "shows a page it has": lambda probe: told("http://a.example/tales/of-0003-a3b"),
}


@pytest.mark.parametrize("kind", ARCHIVES)
def test_an_archive_goes_on_for_ever_and_is_asked_for_little_that_is_invented(catalog, kind):
    urls = [PITS["slugs"](at) for at in range(300)]

    asked, probes = gathered(Traps(catalog), urls, ARCHIVES[kind])

    assert len(asked) == 300
    assert len(probes) <= 4


def test_however_many_kinds_of_pages_a_host_has_few_addresses_are_invented(catalog):
    urls = [
        f"http://a.example/s{'abcdefgh'[at % 8]}{'klmnopqr'[at % 64 // 8]}/{at}"
        for at in range(2000)
    ]

    asked, probes = gathered(Traps(catalog), urls, lambda probe: "")

    assert len(asked) == 2000
    assert max(Counter(probes).values()) == 1
    assert len(probes) <= 12


def test_a_front_page_of_many_teasers_is_known_again_though_a_few_have_changed(catalog):
    traps = Traps(catalog)
    teasers = [told(f"teaser {n}", 30) for n in range(170)]
    traps.learn("http://a.example/", "\n".join(teasers), [])

    def answer(probe):
        fresh = [told(f"{probe} {n}", 30) for n in range(6)]
        return "\n".join([*fresh, *teasers[6:]])

    asked, probes = gathered(traps, [PITS["slugs"](at) for at in range(300)], answer, words=30)

    assert len(asked) == 300
    assert len(probes) <= 4


def test_long_pages_of_a_pit_are_known_by_what_is_remembered_of_them(catalog):
    traps = Traps(catalog)
    asked, probes = [], []
    for url in map(PITS["slugs"], range(100)):
        if traps.verdict(url) is None:
            asked.append(url)
            traps.learn(url, told(url, 3000), [], fresh=4)
            while (probe := traps.probe(url)) is not None:
                probes.append(probe)
                traps.judge(url, probe, told(probe.url, 3000))

    assert len(asked) <= 15
    assert len(probes) == 2


@pytest.mark.parametrize("silent", [1, 3])
def test_an_answer_that_tells_nothing_leaves_the_doubt(catalog, silent):
    answers = []

    def answer(probe):
        answers.append(probe)
        return None if len(answers) <= silent else told(probe)

    asked, probes = gathered(Traps(catalog), map(PITS["slugs"], range(200)), answer)

    assert 10 < len(asked) <= 15 + 10 * silent
    assert len(probes) == silent + 2


def test_a_host_that_never_tells_is_asked_for_few_invented_addresses(catalog):
    asked, probes = gathered(Traps(catalog), map(PITS["slugs"], range(500)), lambda probe: None)

    assert len(asked) == 500
    assert len(probes) == 12


def test_the_last_invented_address_is_judged_as_well(catalog):
    traps, kinds = Traps(catalog), "abcdefghijkl"
    for kind in kinds[:5]:  # each is trusted after one
        urls = [f"http://a.example/{kind}/of-{at}-it" for at in range(20)]
        assert len(gathered(traps, urls, lambda probe: "")[1]) == 1

    probes = []
    while len(probes) < 5:
        urls = [f"http://a.example/{kinds[len(probes) + 5]}/of-{at}-it" for at in range(20)]
        probes += gathered(traps, urls, lambda probe: "")[1]
    asked, last = gathered(traps, map(PITS["slugs"], range(100)), told)

    assert len(last) == 2  # the eleventh and the twelfth
    assert len(asked) <= 15
    assert traps.verdict(PITS["slugs"](999)).reason == "made-up"


def test_the_next_run_knows_how_much_the_first_page_brought(catalog):
    places = ("a.example/b/~", "a.example/b", "a.example")
    Doubts(Evidence(catalog)).note(places, fresh=4, new=100)

    later = Doubts(Evidence(catalog))
    for _ in range(2):
        later.judge(places, places[0], new=30, share=1.0)

    assert later.made_up(places) is None


def test_a_curator_says_that_a_place_is_no_pit(catalog):
    asked, probes = gathered(
        Traps(catalog, frozenset({"a.example/tales"})), map(PITS["slugs"], range(100)), told
    )

    assert len(asked) == 100
    assert not probes


def test_the_next_run_knows_what_is_made_up(catalog):
    gathered(Traps(catalog), map(PITS["slugs"], range(50)), told)

    assert Traps(catalog).verdict(PITS["slugs"](77)).reason == "made-up"


def test_invented_addresses_stay_in_their_folder_and_differ_by_turn():
    url = "http://a.example/a/b-c/d-e.html"

    found = [invented(url, level=level, turn=turn) for level in (0, 1) for turn in (1, 2)]

    assert len(set(found)) == 4
    assert all(each.startswith("http://a.example/a/") and each.endswith(".html") for each in found)


def host(invented_answer, *, on_page=lambda turn: None):
    """Return how a host answers: pages numbered to 9999, each of which leads to three others."""
    turns = iter(range(10_000))

    def answer(visit):
        name = visit.path.removeprefix("/blog/")
        if name == "index" or (name.isdigit() and int(name) < 10_000):
            on_page(next(turns))
            first = 3 * int(name) if name != "index" else 0
            return page(visit.path, [f"/blog/{first + n}" for n in (1, 2, 3)])
        return invented_answer(visit.path)

    return answer


def page(path, links=()):
    body = "".join(f"<p>{line}</p>" for line in told(path).splitlines())
    body += "".join(f"<a href='{link}'>on</a> " for link in links)
    return whole_reply(f"<title>x</title>{body}".encode(), content_type="text/html")


def missing(_path):
    return whole_reply(b"no", status=404, content_type="text/plain")


def is_invented(path):
    return path.rpartition("/")[2].isdigit() and int(path.rpartition("/")[2]) >= 10_000


FRONT = "http://pit.example/blog/index"


def test_every_invented_address_has_a_line_in_the_ledger(gathering, hosts):
    hosts["pit.example"] = host(missing)

    gathering.run(CrawlSource("one", (FRONT,)), pages=40)

    invented_ones = [path for path in gathering.paths("pit.example") if is_invented(path)]
    assert invented_ones
    for path in invented_ones:
        line = gathering.line(f"http://pit.example{path}")
        assert (line.outcome, line.stage, line.reason) == ("dropped", "fetch", "invented")
        assert line.detail == "http-404"


def test_a_host_that_asks_for_a_pause_at_an_invented_address_has_it(gathering, hosts):
    busy = Reply(429, headers={"Retry-After": "3600"})
    hosts["pit.example"] = host(lambda path: busy if is_invented(path) else missing(path))

    gathering.run(CrawlSource("one", (FRONT,)), pages=60, per_host=1)

    paths = gathering.paths("pit.example")
    assert [is_invented(path) for path in paths].index(True) == len(paths) - 1
    assert "pit.example asks for a long pause; its pages wait." in gathering.notices


def test_nothing_is_invented_that_a_source_leaves_out(gathering, hosts):
    def answer(visit):
        if not visit.path.startswith("/blog/"):
            return missing(visit.path)
        chance = random.Random(visit.path)
        links = [
            "/blog/" + "/".join(word(chance) for _ in range(chance.randrange(1, 5)))
            for _ in range(3)
        ]
        return page(visit.path, links)

    hosts["pit.example"] = answer
    gathering.run(CrawlSource("one", (FRONT,), include=("http://pit.example/blog/*",)), pages=100)

    outside = {path for path in gathering.paths("pit.example") if not path.startswith("/blog/")}
    assert outside <= {"/robots.txt"}


def test_a_run_that_is_stopped_asks_for_nothing_invented_any_more(gathering, hosts):
    def on_page(turn):
        if turn == 9:  # the tenth of its folder: the next request is for an invented one
            Timer(0.15, os.kill, (os.getpid(), signal.SIGINT)).start()

    hosts["pit.example"] = host(missing, on_page=on_page)
    gathering.run(CrawlSource("one", (FRONT,)), delay=0.5, per_host=1)

    assert len(gathering.captures) == 10
    assert not any(map(is_invented, gathering.paths("pit.example")))


def test_a_page_is_kept_though_what_an_invented_one_brought_cannot_be_judged(gathering, hosts):
    def listener(event):
        if isinstance(event, Notice) and "answers whatever is asked" in event.message:
            raise ValueError("told to fail")

    hosts["pit.example"] = host(page)
    with Catalog.write(gathering.layout.catalog) as opened:
        store = CaptureStore(gathering.layout, opened, shard_bytes=10**9, software="izwi tests")
        source = CrawlSource("one", (FRONT,))
        Gatherer(
            gathering.settings, {"one": source}, opened, store, listener, AGENT, Bounds(240, 60)
        ).run()
        reasons = {line.reason for line in opened.ledger_lines()}

    assert "made-up" in reasons
    assert "gatherer-error" not in reasons
