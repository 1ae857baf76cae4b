import random
from urllib.parse import quote
from uuid import UUID

import pytest
import xxhash

from izwi.gather.address_shapes import CREDITS, patterns, winding
from izwi.gather.combinations import splits
from izwi.gather.traps import Traps
from izwi.gather.variants import address, roots
from izwi.gather.views import is_view
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


STEMS = ("ra", "do", "vi", "gem", "tos", "fel", "bru", "wan", "kri", "sul")


def word(chance):
    """Return one of a thousand words."""
    return "".join(chance.choice(STEMS) for _ in range(3))


SITES = {
    "notes": lambda a, b, c: ("note/{n}", f"Our {a} {b} the {c} today."),
    "entries": lambda a, b, c: (f"word/{a}", f"{a}, noun\nWhat {b} a {c}."),
    "profiles": lambda a, b, c: ("user/{n}", f"Name: {a.title()}\nTown: {b} {c}\nPosts: 4"),
    "comments": lambda a, b, c: ("c?id={n}", f"{a} {b} {c}!"),
    "posts": lambda a, b, c: ("thread/7/post/{n}", f"Reply\nI say {a} {b} {c}.\nReport"),
    "poems": lambda a, b, c: ("poem/{n}", f"O {a}\n{b} the\n{c} and {a}"),
}


@pytest.mark.parametrize("kind", SITES)
def test_sites_of_short_pages_are_no_traps(catalog, kind):
    traps, chance = Traps(catalog), random.Random(5)
    menu = "Home\nAll of them\nContact us for more about this site and its makers\n"

    for number in range(300):
        path, text = SITES[kind](word(chance), word(chance), word(chance))
        url = f"http://a.example/{path.format(n=number)}"
        assert traps.verdict(url) is None, f"{number} pages were taken"
        traps.learn(url, menu + text, [f"http://a.example/{path.format(n=number + 1)}"])


MONTHS = ("January", "March", "May", "July", "October")
TRAPS = {
    "calendar": lambda n: (f"cal?y={2000 + n}&m=3", f"{MONTHS[n % 5]} {n}\nMo Tu We\nNo events"),
    "session": lambda n: (f"a?sid={n * 7919}", "The one article there is, always the same."),
    "facets": lambda n: (f"shop?c=red{n}&s={n}", f"red{n} shoes\nSandal\nBoot\nSlipper in wool"),
    "search": lambda n: (f"search/zebra{'x' * n}", f"No page about zebra{'x' * n} was found."),
}


@pytest.mark.parametrize("kind", TRAPS)
def test_the_same_again_ends_soon(catalog, kind):
    traps, taken = Traps(catalog), 0

    for number in range(200):
        path, text = TRAPS[kind](number)
        url = f"http://a.example/{path}"
        if traps.verdict(url) is None:
            taken += 1
            traps.learn(url, text, [f"http://a.example/{TRAPS[kind](number + 1)[0]}"])

    assert taken <= 50


@pytest.mark.parametrize("path", ["en/news/en/africa/en", "a/b/c/d/a/x/a", "2020/01/01/01"])
def test_names_that_recur_in_a_path_are_no_circle(path):
    assert winding(f"http://a.example/{path}") is None


TOKENS = {
    "parameter": "http://a.example/{page}?visit={token}",
    "folder": "http://a.example/{token}/{page}",
    "end": "http://a.example/{page}/v_{token}",
    "uuid": "http://a.example/{uuid}/{page}",
}


@pytest.mark.parametrize("kind", TOKENS)
def test_known_pages_under_ever_new_tokens_end_soon(catalog, kind):
    traps, chance, taken = Traps(catalog), random.Random(7), 0

    def address(page):
        token = chance.randbytes(16).hex()
        return TOKENS[kind].format(page=page, token=token, uuid=UUID(token))

    queue = [address("front")]
    while queue and taken < 500:
        url = queue.pop(0)
        if traps.verdict(url) is not None:
            continue
        taken += 1
        number = next((n for n in range(10) if f"story/{n}" in url), None)
        story = "Home" if number is None else article(number)
        links = [address(f"story/{n}") for n in range(10) if number in (None, n - 1)]
        links.append(address("front"))
        traps.learn(url, story, [link for link in links if traps.verdict(link) is None])
        queue += links

    assert 11 <= taken <= 70


@pytest.mark.parametrize("folder", ["notes/", "", "2020/5/"], ids=["folder", "root", "day"])
def test_notes_that_a_front_shows_whole_are_no_trap(catalog, folder):
    traps, chance = Traps(catalog), random.Random(9)
    notes = [f"Our {word(chance)} {word(chance)} the {word(chance)} today." for _ in range(200)]
    for start in range(0, 200, 20):
        shown = "\n".join(notes[start : start + 20])
        traps.learn(f"http://a.example/{f'older/{start}' if start else ''}", f"Home\n{shown}", [])

    for number, note in enumerate(notes):
        url = f"http://a.example/{folder}{number}"
        assert traps.verdict(url) is None, f"{number} pages were taken"
        traps.learn(url, f"Home\n{note}", ["http://a.example/"])


def test_months_of_mere_numbers_lead_on(catalog):
    traps = Traps(catalog)

    for month in range(120):
        url = f"http://a.example/archive?month={month}"
        assert traps.verdict(url) is None, month
        traps.learn(url, "1 2 3", [f"http://a.example/day?d={month}-{day}" for day in (1, 2, 3)])


def test_pages_that_repeat_themselves_end_after_their_credit(catalog):
    traps = Traps(catalog)
    urls = [f"http://a.example/day/{number}" for number in range(50)]

    taken = 0
    for url in urls:
        if traps.verdict(url) is None:
            taken += 1
            traps.learn(url, "The same line on every single page.", [])

    # The first of them was new, and the second might have been shown by another folder's page.
    assert taken == CREDITS[-1] + 2
    assert traps.verdict("http://a.example/other") is None


def test_credits_outlive_the_run(catalog):
    for number in range(CREDITS[1] + 1):
        Traps(catalog).learn(f"http://a.example/day/{number}", "", [])

    verdict = Traps(catalog).verdict("http://a.example/day/99")

    assert verdict is not None
    assert (verdict.reason, verdict.detail) == ("trap", "a.example/day")


def test_links_of_a_trap_are_counted_once_each_under_their_pattern(catalog):
    traps = Traps(catalog)
    for number in range(CREDITS[1] + 1):
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
    verdict = winding("http://a.example/x/y/x/y/x/y")

    assert verdict is not None
    assert (verdict.reason, verdict.value, verdict.threshold) == ("repeated-path", 3, 2)


def test_what_a_killed_run_saw_is_not_new_to_the_next(catalog):
    for day in range(CREDITS[2] + 1):
        Traps(catalog).learn(f"http://a.example/day/{day}", "Seven old stories, as before.", [])

    # The first was new, the second to its folder; then as many as there is credit were not.
    assert Traps(catalog).verdict("http://a.example/day/99") is None
    Traps(catalog).learn("http://a.example/day/98", "Seven old stories, as before.", [])
    assert Traps(catalog).verdict("http://a.example/day/99") is not None


def test_the_oldest_of_what_was_seen_is_forgotten(catalog):
    for number in range(10):
        catalog.add_facts(bytes([number]) * 8, most=24)

    assert list(catalog.facts()) == [bytes([number]) * 8 for number in (7, 8, 9)]


def test_values_do_not_make_a_shape():
    one, other = (patterns(f"http://a.example/list?b={n}&a={n}")[-1] for n in (1, 2))

    assert one == other


def test_what_a_curator_opened_is_taken_whatever_it_brings(catalog):
    for number in range(CREDITS[1] + 1):
        Traps(catalog).learn(f"http://a.example/day/{number}", "", [])
    (host, folder, shape) = (name for name, _, _ in patterns("http://a.example/day/99"))

    for opened in (host, folder, shape):
        traps = Traps(catalog, frozenset({opened}))
        assert traps.verdict("http://a.example/day/99") is None
    assert Traps(catalog, frozenset({host})).verdict("http://a.example/x/y/x/y/x/y") is None
    assert Traps(catalog, frozenset({"b.example"})).verdict("http://a.example/day/99")


@pytest.mark.parametrize(
    ("opened", "url"),
    [
        ("a.example/#f#a#b#c#d#e#f#a/notes", "3f2a9b4c5d6e7f8a/notes"),
        ("a.example/*/notes", "3f2a9b4c5d6e7f8a/notes"),
        ("a.example/#f#a#b#c#d#e#f#a", "3f2a9b4c5d6e7f8a/notes"),
        ("a.example/tag/red-shoes", "tag/red-shoes"),
        ("a.example/tag/~", "tag/red-shoes"),
    ],
)
def test_what_a_curator_opened_by_an_earlier_name_stays_open(catalog, opened, url):
    for number in range(CREDITS[0] + 1):
        Traps(catalog).learn(f"http://a.example/day/{number}", "", [])
    for _ in range(CREDITS[2] + 2):
        Traps(catalog).learn(f"http://a.example/{url}", "", [])

    assert Traps(catalog).verdict(f"http://a.example/{url}") is not None
    assert Traps(catalog, frozenset({opened})).verdict(f"http://a.example/{url}") is None


def crawled(catalog, front, answer, most=600):
    """Return the addresses asked in a crawl, breadth first.

    An answer is a page's text, the words of its links and these, or None for what is not there.
    """
    traps, queue, known = Traps(catalog), [front], {front}
    asked = []
    while queue and len(asked) < most:
        url = queue.pop(0)
        if traps.verdict(url) is not None:
            continue
        asked.append(url)
        found = answer(url)
        if found is None:
            traps.learn_nothing(url)
            continue
        text, linked, links = found
        wanted = [each.url for each in traps.sift([Lead(link, "crawl") for link in links])]
        traps.learn(url, text, wanted, linked=linked)
        queue += [link for link in dict.fromkeys(wanted) if link not in known]
        known.update(wanted)
    return asked


def test_forms_and_reports_of_a_forum_do_not_end_its_threads(catalog):
    def answer(url):
        path = url.removeprefix("http://a.example/")
        if not path:
            return "Board", "", [f"http://a.example/viewforum.php?f=2&start={n}" for n in (0, 20)]
        if path.startswith("viewforum"):
            start = int(path.partition("start=")[2].partition("&")[0])
            threads = range(start, start + 20)
            orders = [f"{url}&sk={key}&sd={way}" for key in "atrs" for way in "ad"]
            return "", "", [f"http://a.example/viewtopic.php?t={n}" for n in threads] + orders
        number = int(path.rpartition("=")[2].partition("-")[0]) if path[-1].isdigit() else 0
        if path.startswith("viewtopic.php?t="):
            posts = [
                f"http://a.example/{name}={number}-{post}"
                for post in range(6)
                for name in ("posting.php?quote", "report.php?p", "ucp.php?back", "viewtopic.php?p")
            ]
            return article(number), "", posts
        return (article(number) if "topic.php?p" in path else "You must log in first."), "", []

    asked = crawled(catalog, "http://a.example/", answer)

    threads = {url for url in asked if "viewtopic.php?t=" in url}
    assert len(threads) == 40
    assert len(asked) <= 40 + 3 + 60


ENDLESS = {
    # Sections that are linked relative to wherever one is.
    "sections": lambda path: ("Home", "", [f"{path}{name}/" for name in ("news", "sport", "art")]),
    # Each tag added to those before.
    "tags": lambda path: (
        "Stories", "",
        [f"tag/{'+'.join(sorted({*path[4:-1].split('+'), name}))}/" for name in STEMS],
    ),
    # Searches that propose other searches.
    "searches": lambda path: (
        "Results", "\n".join(f"find {word(random.Random(path + n))}" for n in STEMS[:5]),
        [f"find?q={word(random.Random(path + n))}" for n in STEMS[:5]],
    ),
    # Known pages below a short token.
    "tokens": lambda path: (
        article(sum(map(ord, path[-1:])) % 10), "",
        [f"{random.Random(path + str(n)).randbytes(5).hex()}/story/{n}" for n in range(10)],
    ),
    # Every link is the way to the login.
    "logins": lambda path: None if path else ("Home", "", [f"member/{n}" for n in range(300)]),
}  # fmt: skip


@pytest.mark.parametrize("kind", ENDLESS)
def test_what_has_no_end_of_shapes_ends_soon(catalog, kind):
    def answer(url):
        found = ENDLESS[kind](url.removeprefix("http://a.example/"))
        return found and (*found[:2], [f"http://a.example/{link}" for link in found[2]])

    assert len(crawled(catalog, "http://a.example/", answer)) <= 50 + 10


def test_links_to_log_in_do_not_keep_facets_open(catalog):
    def answer(url):
        if "e/gallery" not in url:
            return None
        links = [f"{url}&{key}={len(url)}" for key in "abcde"]
        # Some sites write the address of the page as it is, and its parameters become the link's.
        links.append(f"http://a.example/user/login?back={url[16:]}")
        return "Pictures of our village and its people.", "", links

    assert len(crawled(catalog, "http://a.example/gallery?sort=date", answer)) <= 50


def test_what_is_missing_under_ever_new_shapes_is_asked_for_a_few_times(catalog):
    for number in range(CREDITS[0] + 1):
        Traps(catalog).learn(f"http://a.example/day/{number}", "", [])

    def answer(url):
        return (
            ("", "", [f"http://a.example/gone{'x' * n}" for n in range(300)])
            if "gate" in url
            else None
        )

    asked = crawled(catalog, "http://a.example/gate", answer)

    assert 1 < len(asked) <= 30


def test_a_section_that_brought_text_is_not_ended_by_a_host_that_turns_visitors_away(catalog):
    traps = Traps(catalog)
    for number in range(20):
        traps.learn(f"http://a.example/news/rain-at-{number}", article(number), [])
    for number in range(60):
        traps.learn_nothing(f"http://a.example/news/wind-at-{number}")

    assert traps.verdict("http://a.example/news/sun-at-last") is None


def test_notes_with_short_tokens_for_names_are_pages_of_their_own(catalog):
    traps = Traps(catalog)
    notes = [(random.Random(n).randbytes(6).hex(), article(n)) for n in range(40)]
    traps.learn("http://a.example/", "\n".join(note for _, note in notes), [])

    for name, note in notes:
        assert traps.verdict(f"http://a.example/p/{name}") is None
        traps.learn(f"http://a.example/p/{name}", note, [])


def test_words_of_an_address_make_no_pairs_of_their_neighbours(catalog):
    traps, taken = Traps(catalog), 0
    said = article(3)
    traps.learn("http://a.example/story/3", said, [])

    for value in set(said.lower().replace(".", "").split()):
        url = f"http://a.example/story/3?from={value}"
        if traps.verdict(url) is None:
            taken += 1
            traps.learn(url, said, [])

    assert taken <= CREDITS[-1] + 1


def test_a_directory_whose_pages_are_links_alone_is_no_trap(catalog):
    def answer(url):
        *folders, last = url.removeprefix("http://a.example/").split("/")
        if len(folders) == 3:
            return article(int("".join([*folders, last]), 6)), "", []
        below = [f"{url.rstrip('/')}/{n}" if last else f"{url}1/{n}" for n in range(6)]
        names = "\n".join(f"{word(random.Random(link))} things" for link in below)
        return "Directory", names, below

    asked = crawled(catalog, "http://a.example/", answer)

    assert len(asked) == 1 + 6 + 36 + 216


MENU = [f"http://a.example/{name}/" for name in ("about", "news", "school", "church", "contact")]


def asked_of(traps, first, ways):
    """Return how many pages of a host are asked if each says the same and leads on by `ways`."""
    waiting, met = [first], {first}
    for asked in range(200):
        url = next((url for url in waiting if traps.verdict(url) is None), None)
        if url is None:
            return asked
        waiting.remove(url)
        links = ways(url)
        traps.learn(url, "Pictures of our village and its people.", [*MENU, *links])
        waiting += [link for link in links if "e/gallery" in link and link not in met]
        met.update(waiting)
    return 200


ENDLESS_BY_MENU = {
    "facets said again": lambda url: [f"{url}&{key}={len(url)}" for key in "abcde"],
    "tokens of a few letters": lambda url: [
        f"http://a.example/gallery/{xxhash.xxh3_64_hexdigest(f'{url}{n}'.encode())[:7]}"
        for n in range(3)
    ],
    "links to log in": lambda url: [
        f"{url}&a={len(url)}", f"http://a.example/user/login?back={quote(url[16:], safe='')}",
    ],
}  # fmt: skip


@pytest.mark.parametrize("kind", ENDLESS_BY_MENU)
def test_a_menu_on_every_page_does_not_keep_a_trap_open(catalog, kind):
    traps = Traps(catalog)

    asked = asked_of(traps, "http://a.example/gallery?sort=date", ENDLESS_BY_MENU[kind])

    assert asked <= 30
    # Only the page that is asked without end is left alone.
    assert traps.verdict("http://a.example/harvest-festival") is None


def test_tokens_that_a_page_shows_are_no_news(catalog):
    traps, token = Traps(catalog), "x"

    for _ in range(30):
        url = f"http://a.example/list?token={token}"
        if traps.verdict(url) is not None:
            break
        traps.learn(url, f"Visitors\n{token}y\n{token}z", [f"http://a.example/list?token={token}y"])
        token += "y"

    assert len(token) <= 10


def test_links_to_what_is_never_there_lead_nowhere(catalog):
    traps = Traps(catalog)
    for number in range(6):
        traps.learn_nothing(f"http://a.example/mail?to={number}")

    def ways(url):
        return [f"{url}&a={len(url)}", f"http://a.example/mail?to={len(url)}9"]

    assert asked_of(traps, "http://a.example/gallery?sort=date", ways) <= 30


def test_a_path_of_a_thousand_folders_is_read_to_its_fiftieth(catalog):
    around, straight = "a/" * 990, "".join(f"{word(random.Random(at))}{at}x/" for at in range(300))

    circle = Traps(catalog).verdict(f"http://a.example/{around}")
    deep = Traps(catalog).verdict(f"http://a.example/{straight}")

    assert (circle.reason, circle.value) == ("repeated-path", 50)
    assert (deep.reason, deep.value) == ("deep-path", 300)


def test_few_addresses_are_held_in_memory_with_what_is_read_from_them():
    for reads in (patterns, winding, roots, address, splits, is_view):
        assert reads.cache_info().maxsize <= 2_000
