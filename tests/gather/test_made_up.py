"""A pit of made-up text ends after a few pages; an archive goes on, asked for little more."""

import random
from collections import Counter

import pytest

from izwi.gather.made_up import invented
from izwi.gather.traps import Traps
from tests.gather.test_traps import catalog, word

__all__ = ["catalog"]


def told(seed, words=120):
    chance = random.Random(seed)
    return "\n".join(" ".join(word(chance) for _ in range(30)) for _ in range(words // 30))


def gathered(traps, urls, answer):
    """Ask for addresses as the loop does; return what was asked, and which were invented."""
    asked, probes = [], []
    for url in urls:
        if traps.verdict(url) is not None:
            continue
        asked.append(url)
        traps.learn(url, told(url), [], fresh=4)
        while (probe := traps.probe(url)) is not None:
            probes.append(probe)
            traps.judge(url, probe, answer(probe))
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


ARCHIVES = {
    "says nothing": lambda probe: "",
    "says the same words": lambda probe: told("We looked everywhere", 60),
    "shows a few of its pages": lambda probe: f"{told('sorry', 30)}\n{told(probe, 30)}",
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
