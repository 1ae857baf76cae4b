"""Doors, mirrors, views and circles end soon; what leads to pages goes on; hosts share memory."""

import random
from collections import Counter

import pytest

from izwi.gather.address_shapes import CREDITS
from izwi.gather.memory import Memory
from izwi.gather.traps import Traps
from tests.gather.test_traps import article, catalog, crawled, word

__all__ = ["catalog"]


def test_a_small_host_is_not_forgotten_beside_large_ones(catalog):
    traps, chance, taken = Traps(catalog, _seen=Memory(20_000)), random.Random(3), 0
    menu = "\n".join(f"{word(chance)} {word(chance)} {word(chance)}" for _ in range(30))

    for turn in range(60):
        for host in range(20):
            said = " ".join(word(chance) for _ in range(150))
            traps.learn(f"http://large-{host}.example/story/{turn}", said, [])
        url = f"http://small.example/calendar/{turn}"
        if traps.verdict(url) is None:
            taken += 1
            traps.learn(url, f"{menu}\nNo events on this day", [])

    # As many as beside nobody: the first is new, the second to its folder.
    assert taken == CREDITS[-1] + 2


DOORS = {
    "takes its page along": lambda path, turn: f"login?back=/{path}",
    "says something new each time": lambda path, turn: f"auth?state={turn}",
    "is known": lambda path, turn: "story/1",
}


@pytest.mark.parametrize("kind", DOORS)
def test_links_that_are_redirected_to_a_door_end_soon(catalog, kind):
    traps, asked = Traps(catalog), Counter()
    for number in range(40):
        story = f"http://a.example/story/{number}"
        assert traps.verdict(story) is None
        traps.learn(story, article(number), [])
        for form in ("save", "like", "answer", "report", "follow"):
            url = f"http://a.example/{form}/{number}"
            if traps.verdict(url) is not None:
                continue
            asked[form] += 1
            target = f"http://a.example/{DOORS[kind](f'{form}/{number}', len(asked) + number)}"
            traps.learn_redirect(url, target, is_known="story" in target)
            if "story" not in target and traps.verdict(target) is None:
                traps.learn(target, "Please log in", [])

    assert len(asked) == 5
    assert sum(asked.values()) <= 50


def test_short_addresses_that_lead_to_pages_nobody_knew_go_on(catalog):
    traps = Traps(catalog)

    for number in range(100):
        url, story = f"http://a.example/s/{number}", f"http://a.example/story/{number}"
        assert traps.verdict(url) is None
        traps.learn_redirect(url, story, is_known=number % 3 == 0)
        traps.learn(story, article(number), [])


def test_lists_that_lead_to_pages_go_on_where_forms_used_up_all_credit(catalog):
    traps = Traps(catalog)
    for number in range(CREDITS[0] * 2):
        traps.learn(f"http://a.example/story-{number}", article(number), [])
    for number in range(30):
        page = f"http://a.example/list?page={number}"
        assert traps.verdict(page) is None
        below = [f"http://a.example/story-{900 + number * 5 + n}" for n in range(5)]
        traps.learn(page, "Stories", [*below, f"http://a.example/list?page={number + 1}"])
        for n, link in enumerate(below):
            assert traps.verdict(link) is None
            traps.learn(link, article(200 + number * 5 + n), [])
            for form in ("save", "like", "mail", "plea", "flag"):
                traps.learn(f"http://a.example/{form}?of={number}-{n}", "Please log in", [])


@pytest.mark.parametrize("token", ["{}", "s{}", "visit-{}"])
def test_a_whole_site_below_a_token_ends_soon(catalog, token):
    stories, chance = [f"story/{n}" for n in range(30)], random.Random(8)
    told = {path: article(number) for number, path in enumerate(stories)}

    def answer(url):
        path = url.removeprefix("http://a.example/")
        own = "story" + path.partition("story")[2]
        below = token.format(chance.randbytes(4).hex()[:7]) + "/" if path else ""
        links = [f"http://a.example/{below}{each}" for each in stories]
        if not path:
            links.append(f"http://a.example/{token.format('4e1b09c')}/")
        return told.get(own, "Our stories"), "", [*links, f"http://a.example/{below}"]

    asked = crawled(catalog, "http://a.example/", answer)

    assert {f"http://a.example/{each}" for each in stories} <= set(asked)
    assert len(asked) <= 31 + 50


def test_sections_that_are_linked_relative_to_the_reader_end_soon(catalog):
    names = ("news", "sport", "art", "farm", "school")

    def answer(url):
        below = [f"{url}{name}/" for name in names]
        return "All that is new in our village", "\n".join(names), below

    assert len(crawled(catalog, "http://a.example/", answer)) <= 44


def test_a_print_view_of_a_story_named_by_its_title_is_no_news(catalog):
    traps = Traps(catalog)

    for number in range(40):
        said = article(number)
        name = "-".join(said.lower().replace(".", "").split()[:8])
        traps.learn(f"http://a.example/story/{name}", said, [])
        assert traps.verdict(f"http://a.example/print?id={number}") is None or number > CREDITS[-1]
        if traps.verdict(f"http://a.example/print?id={number}") is None:
            traps.learn(f"http://a.example/print?id={number}", said, [])

    assert traps.verdict("http://a.example/print?id=99") is not None


def test_single_posts_do_not_end_the_threads_whose_address_they_share(catalog):
    def answer(url):
        path = url.removeprefix("http://a.example/")
        if "board" in path:
            start = int(path.rpartition(".")[2])
            return (
                "",
                "",
                [f"http://a.example/index.php?topic={n}.0" for n in range(start, start + 10)],
            )
        if not path:
            return "", "", [f"http://a.example/index.php?board=1.{n}" for n in range(0, 60, 10)]
        number = int(path.rpartition("=")[2].partition(".")[0])
        posts = [f"http://a.example/index.php?topic={number}.msg{number}{n}" for n in range(5)]
        sights = [f"http://a.example/index.php?topic={number}.0;{way}" for way in ("wap2", "all")]
        return article(number), "", [*posts, *sights]

    asked = crawled(catalog, "http://a.example/", answer)

    assert {f"http://a.example/index.php?topic={n}.0" for n in range(60)} <= set(asked)
    assert len(asked) <= 67 + 50
