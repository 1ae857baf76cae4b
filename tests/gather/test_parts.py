"""Articles in parts and pages of frames: asked for whole, and one document each."""

import sqlite3
from hashlib import sha256

import pytest

from izwi.gather.parts import Whole, frames_of, number_of, numbered_parts, views_of_all
from izwi.gather.sources.crawl import CrawlSource
from izwi.gather.sources.seeds import SeedsSource
from izwi.model.errors import SourceError
from izwi.store.layout import Layout
from izwi.store.warc import read_entries
from tests.gather.conftest import asked
from tests.gather.small_sites import evaluated, listing, page, site, stories, text
from tests.store.samples import capture, write_shard

HOST = "parts.example"
ROOT = f"http://{HOST}"


@pytest.mark.parametrize(
    ("url", "first", "number"),
    [
        ("/rain?page=2", "/rain", 2),
        ("/rain.html?id=7&page=3", "/rain.html?id=7", 3),
        ("/rain?page=2", "/rain?page=1", 2),
        ("/2020/05/rain/2/", "/2020/05/rain/", 2),
        ("/rain/page/2", "/rain", 2),
        ("/rain-2.html", "/rain.html", 2),
        ("/rain_page2.html", "/rain.html", 2),
        ("/rain,2.html", "/rain.html", 2),
        ("/rain/page/2", "/rain/page/1", 2),
        ("/note/2", "/note/1", None),
        ("/rain-2.html", "/rain-1.html", None),
        ("/rain/seite-2", "/rain/", 2),
        ("/other?page=2", "/rain", None),
        ("/2020/2/", "/2020/", None),
        ("/?page=2", "/", None),
        ("/rain-2020.html", "/rain.html", None),
        ("/rain/about", "/rain", None),
        ("/rain", "/rain?page=2", None),
        ("/viewtopic.php?t=7&start=20", "/viewtopic.php?t=7", 20),
        ("/rain?teil=2", "/rain", 2),
        ("/rain?s=2", "/rain", 2),
        ("/rain.2.html", "/rain.html", 2),
        ("/rain?id=2", "/rain?id=1", None),
        ("/rain?year=2020", "/rain", None),
    ],
)
def test_what_is_a_page_of_an_address(url, first, number):
    assert number_of(f"{ROOT}{url}", f"{ROOT}{first}") == number


def test_the_next_story_is_no_next_page():
    body = page("Rain", f'{text(["It rained."])}<a rel="next" href="/story-9">Next</a>')

    assert numbered_parts(body.encode(), f"{ROOT}/story-8", f"{ROOT}/story-8") == {}


def test_the_pages_of_a_list_are_no_parts():
    rows = [
        (f"/2020/a-dry-year-in-the-valley-{n}", f"A dry year in the valley, {n}") for n in range(12)
    ]
    body = listing(rows).replace("</main>", '<a href="/news?page=2">2</a></main>')

    assert numbered_parts(body.encode(), f"{ROOT}/news", f"{ROOT}/news") == {}


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("/news/rain-at-last-{}", "/sport/a-cup-for-the-valley"),
        ("/article.php?id={}", "/article.php?id=99"),
        ("/news/story{}.html", "/sport/story7.html"),
    ],
)
def test_the_titles_of_other_stories_beside_a_short_first_page_make_it_no_list(address, here):
    others = listing([(address.format(n), f"A dry year in the valley, {n}") for n in range(12)])
    there = f"{here}{'&' if '?' in here else '?'}page=2"
    body = others.replace("</main>", f'{text(["It rained."])}<a href="{there}">2</a></main>')

    found = numbered_parts(body.encode(), f"{ROOT}{here}", f"{ROOT}{here}")

    assert found == {2: f"{ROOT}{there}"}


def test_pages_of_a_thread_are_counted_by_posts():
    first = f"{ROOT}/viewtopic.php?t=7"
    links = "".join(f'<a href="{first}&amp;start={n * 15}">{n + 1}</a> ' for n in range(1, 4))
    body = page("Rain", f'{text(["It rained."])}{links}<a href="{first}&amp;start=15">Next</a>')

    found = numbered_parts(body.encode(), first, first)

    assert found == {n + 1: f"{first}&start={n * 15}" for n in range(1, 4)}


def test_what_stands_below_every_post_makes_a_thread_no_list():
    first = f"{ROOT}/viewtopic.php?t=7"
    posts = "".join(
        f'<p>Said {n}.</p><a href="/posting.php?mode=quote&amp;p={1000 + n}">Quote</a> '
        f'<a href="/report.php?p={1000 + n}">Report</a> <a href="/post.php?p={1000 + n}">#{n}</a>'
        for n in range(10)
    )
    body = page("Rain", f'{posts}<a href="{first}&amp;start=10">2</a>')

    assert numbered_parts(body.encode(), first, first) == {2: f"{first}&start=10"}


@pytest.mark.parametrize(
    ("said", "is_page"),
    [
        ("Continue reading on page 2", True),
        ("Lesen Sie weiter auf Seite 2", True),
        ("The band's second record, page 2 of its story, will be out before winter", False),
        ("What happened on 2 May in the valley", False),
    ],
)
def test_a_link_of_several_words_may_name_the_page(said, is_page):
    body = page("Rain", f'{text(["It rained."])}<a href="/rain?p=2">{said}</a>')

    found = numbered_parts(body.encode(), f"{ROOT}/rain", f"{ROOT}/rain")

    assert found == ({2: f"{ROOT}/rain?p=2"} if is_page else {})


def test_a_number_without_the_look_of_a_page_number_is_none():
    body = page("Rain", f'{text(["It rained."])}<a href="/rain/2">The second rain of the year</a>')

    assert numbered_parts(body.encode(), f"{ROOT}/rain", f"{ROOT}/rain") == {}


def test_pages_counted_from_nought_come_in_order():
    body = page(
        "Rain", '<p>It rained.</p><a href="/rain?page=1">2</a> <a href="/rain?page=2">3</a>'
    )

    found = numbered_parts(body.encode(), f"{ROOT}/rain", f"{ROOT}/rain")

    assert found == {2: f"{ROOT}/rain?page=1", 3: f"{ROOT}/rain?page=2"}


def test_print_views_are_those_of_the_page_itself():
    links = '<a href="/print/rain">Print</a><a href="/shop/prints">Prints</a><a href="/rain">x</a>'

    assert views_of_all(page("Rain", links).encode(), f"{ROOT}/rain") == [f"{ROOT}/print/rain"]


@pytest.mark.parametrize(("title", "count"), [("Rain (2)", 1), ("Sun and wind", 0)])
def test_a_number_alone_makes_a_page_if_the_title_is_the_same(title, count):
    whole = Whole(f"{ROOT}/rain", page("Rain", '<p>It rained.</p><a href="/rain/2">2</a>').encode())
    url, role = whole.wanted()

    assert whole.take(url, page(title, "<p>It shone.</p>").encode(), role) == bool(count)


@pytest.mark.parametrize(
    ("book", "chapter", "charset"),
    [
        ("The bee-keeper's handbook", "The bee-keeper's handbook: Swarms", "utf-8"),
        ("養蜂の手引き", "養蜂の手引き : 分蜂", "euc-jp"),
    ],
)
def test_the_chapters_of_a_book_are_no_pages_of_its_contents(book, chapter, charset):
    contents = page(book, '<p>Contents</p><a rel="next" href="bees-1.html">Next</a>')
    whole = Whole(f"{ROOT}/bees.html", contents.encode(charset))
    url, role = whole.wanted()

    assert not whole.take(url, page(chapter, "<p>They fly in May.</p>").encode(charset), role)


@pytest.mark.parametrize(
    "title",
    [
        "Rain - Page 2 of 3", "Rain, Seite 2 von 3", "Rain (część 2)", "Rain - Sayfa 2",
        "Rain - Σελίδα 2 από 3", "Rain - الصفحة 2 من 3", "Rain 第2页",
        "Rain | 2ページ", "Rain - Leqephe 2",
    ],
)  # fmt: skip
def test_the_number_of_a_page_in_its_title_is_no_title_of_a_chapter(title):
    whole = Whole(f"{ROOT}/rain", page("Rain", '<p>It rained.</p><a href="/rain/2">2</a>').encode())
    url, role = whole.wanted()

    assert whole.take(url, page(title, "<p>It shone.</p>").encode(), role)


def test_a_number_that_shows_the_same_text_again_is_no_page():
    said = text(["The rain came at night, and in the morning the dam was full to its wall."])
    stars = "".join(f'<a href="/rain?id=5&amp;stars={n}">{n}</a>' for n in range(1, 6))
    whole = Whole(f"{ROOT}/rain?id=5", page("Rain", said + stars).encode())
    url, role = whole.wanted()

    assert not whole.take(url, page("Rain", said + stars).encode(), role)
    assert whole.wanted() is None


def test_frames_of_advertisers_are_not_asked():
    frames = '<iframe src="/text.html"></iframe><iframe src="http://ads.example/a"></iframe>'

    assert frames_of(frames.encode(), f"{ROOT}/a") == [f"{ROOT}/text.html"]
    assert frames_of(page("Rain", text(["It rained. " * 60]) + frames).encode(), f"{ROOT}/a") == []


def test_a_text_without_end_is_left_after_thirty_pages():
    def numbered(number):
        links = f'<a href="/rain?page={number + 1}">Next</a>'
        return page("Rain", text([f"It rained on day {number}."]) + links).encode()

    whole = Whole(f"{ROOT}/rain", numbered(1))
    count = 1
    while (wanted := whole.wanted()) is not None:
        count += 1
        whole.take(wanted[0], numbered(count), wanted[1])

    assert count == 31


def first_half(story):
    return story.paragraphs[: len(story.paragraphs) // 2]


def second_half(story):
    return story.paragraphs[len(story.paragraphs) // 2 :]


def pager(*links):
    return f'<div class="pages">{" ".join(links)}</div>'


def in_two_pages(first, second, link, back="", head=""):
    """Return how a site shows a story on two pages, by their addresses."""

    def made(number, story):
        one, two = first.format(n=number), second.format(n=number)
        top = f"<h1>{story.title}</h1>"
        to_next = pager(link.format(url=two))
        to_first = pager(f'<a href="{one}">{back or "1"}</a>')
        return {
            one: page(story.title, top + text(first_half(story)) + to_next, head.format(url=two)),
            two: page(story.title, top + text(second_half(story)) + to_first),
        }

    return made


def with_print_view(number, story):
    one, two, view = f"/long/{number}", f"/long/{number}?page=2", f"/print/{number}"
    links = pager(f'<a href="{two}">2</a>', f'<a href="{view}?long={number:04d}">Print</a>')
    body = f"<h1>{story.title}</h1>{text(first_half(story))}{links}"
    return {
        f"/long/{number:04d}": page(story.title, body.replace(one, f"/long/{number:04d}")),
        f"/long/{number:04d}?page=2": page(story.title, text(second_half(story))),
        f"{view}?long={number:04d}": f"<h1>{story.title}</h1>{text(story.paragraphs)}",
    }


def in_frames(number, story):
    frames = f'<frame src="/menu.html"><frame src="/inner/{number}.html">'
    return {
        f"/framed/{number}.html": f"<html><head><title>{story.title}</title></head>"
        f'<frameset cols="20%,80%">{frames}<noframes><p>Your browser has no frames, which are '
        "needed to read what this site has to say to you and all its readers in the valley."
        "</noframes></frameset></html>",
        f"/inner/{number}.html": f"<body><h1>{story.title}</h1>{text(story.paragraphs)}</body>",
    }


def in_an_inline_frame(number, story):
    return {
        f"/boxed/{number}": f"<html><head><title>{story.title}</title></head><body><h1>The box</h1>"
        f'<iframe src="/box/{number}"></iframe></body></html>',
        f"/box/{number}": f"<body><h1>{story.title}</h1>{text(story.paragraphs)}</body>",
    }


STYLES = {
    "query": in_two_pages("/q/{n}", "/q/{n}?page=2", '<a href="{url}">2</a>'),
    "folder": in_two_pages("/f/story-{n}/", "/f/story-{n}/2/", '<a href="{url}">Next page</a>'),
    "page folder": in_two_pages("/g/s{n}", "/g/s{n}/page/2", '<a rel="next" href="{url}">More</a>'),
    "file": in_two_pages("/h/story{n}.html", "/h/story{n}-2.html", '<a href="{url}">&raquo;</a>'),
    "underscore": in_two_pages("/i/s{n}.html", "/i/s{n}_2.html", '<a href="{url}">Page 2</a>'),
    "head": in_two_pages(
        "/j/s{n}.php", "/j/s{n}.php?pg=2", "", head='<link rel="next" href="{url}">'
    ),
    "from nought": in_two_pages("/k/{n}-x", "/k/{n}-x?page=1", '<a href="{url}">2</a>'),
    "other language": in_two_pages("/l/s{n}", "/l/s{n}?seite=2", '<a href="{url}">weiter</a>'),
    "print": with_print_view,
    "frames": in_frames,
    "inline frame": in_an_inline_frame,
}


def site_in_parts(count, style=""):
    """Return the pages of a site with stories in parts, and its gold."""
    pages, gold = {}, []
    kinds = [STYLES[style]] if style else list(STYLES.values())
    for number, story in enumerate(stories(count)):
        made = kinds[number % len(kinds)](number, story)
        pages |= made
        url = ROOT + next(iter(made))
        whole = "\n".join([story.title, *story.paragraphs])
        gold.append({"url": url, "text": whole, "title": story.title})
    paths = [(each["url"].removeprefix(ROOT), each["title"]) for each in gold]
    pages["/"] = listing(paths)
    pages["/menu.html"] = "<ul>" + "".join(
        f'<li><a href="{path}">{name}</a>' for path, name in paths
    )
    return pages, [*gold, {"url": f"{ROOT}/", "document": False}]


def test_stories_in_parts_are_whole_documents(web, hosts, make):
    pages, gold = site_in_parts(110)
    hosts[HOST] = site(pages)
    corpus = make({"type": "crawl", "seeds": [f"{ROOT}/"]})
    corpus.gather(proxy=web.proxy_url)
    corpus.build()

    truth = evaluated(corpus, gold)

    assert truth.kept >= 0.98 * truth.gold
    assert truth.f1 >= 0.98
    assert truth.titles >= 0.98
    assert (truth.others_kept, truth.twice) == (0, 0)
    # No second page, print view or frame is a document beside its story.
    assert corpus.summary().documents == truth.kept


@pytest.mark.parametrize("style", STYLES)
def test_each_way_of_parting_a_story_is_undone(web, hosts, make, style):
    pages, gold = site_in_parts(3, style)
    hosts[HOST] = site(pages)
    # The feed of a site names first pages, and links are not followed.
    corpus = make({"type": "seeds", "urls": [each["url"] for each in gold[:-1]]})
    corpus.gather(proxy=web.proxy_url)
    corpus.build()

    truth = evaluated(corpus, gold)

    assert (truth.kept, corpus.summary().documents) == (3, 3)
    assert truth.f1 >= 0.98
    urls = [url for url in asked(web, HOST) if not url.endswith((".txt", ".json"))]
    assert len(urls) == len(set(urls))


def test_a_source_may_leave_stories_in_parts(web, hosts, make):
    pages, gold = site_in_parts(2, "query")
    hosts[HOST] = site(pages)
    corpus = make({"type": "seeds", "urls": [each["url"] for each in gold[:-1]], "parts": False})

    corpus.gather(proxy=web.proxy_url)

    assert not [url for url in asked(web, HOST) if "page=" in url]


def test_the_ledger_says_where_the_text_of_a_part_stands(web, hosts, make):
    pages, _ = site_in_parts(1, "query")
    hosts[HOST] = site(pages)
    corpus = make({"type": "seeds", "urls": [f"{ROOT}/q/0"]})
    corpus.gather(proxy=web.proxy_url)
    corpus.build()

    lines = {line.url: line for line in corpus.drops().lines}

    line = lines[f"{ROOT}/q/0?page=2"]
    assert (line.reason, line.detail) == ("part-of", f"{ROOT}/q/0")


def test_a_second_page_that_is_missing_or_not_wanted_leaves_the_first(gathering, hosts):
    pages, _ = site_in_parts(2, "query")
    del pages["/q/0?page=2"]
    noindex = '<head><meta name="robots" content="noindex">'
    pages["/q/1?page=2"] = pages["/q/1?page=2"].replace("<head>", noindex)
    hosts[HOST] = site(pages)

    gathering.run(SeedsSource("one", (f"{ROOT}/q/0", f"{ROOT}/q/1")))

    assert set(gathering.captures) == {f"{ROOT}/q/0", f"{ROOT}/q/1"}


def test_what_robots_forbid_is_not_asked_to_complete_a_page(gathering, hosts, web):
    pages, _ = site_in_parts(1, "print")
    hosts[HOST] = site(pages | {"/robots.txt": "User-agent: *\nDisallow: /print/\n"})

    gathering.run(SeedsSource("one", (f"{ROOT}/long/0000",)))

    assert gathering.paths(HOST) == ["/robots.txt", "/long/0000", "/long/0000?page=2"]


def test_pauses_are_kept_between_the_pages_of_a_story(gathering, hosts):
    pages, _ = site_in_parts(1, "query")
    hosts[HOST] = site(pages)

    gathering.run(SeedsSource("one", (f"{ROOT}/q/0",)), delay=0.3)

    asked_at = [each.time_monotonic for each in gathering.requests(HOST)][1:]
    assert len(asked_at) == 2
    assert asked_at[1] - asked_at[0] >= 0.3


def test_a_story_that_did_not_change_is_stored_once(gathering, hosts):
    pages, _ = site_in_parts(1, "query")
    hosts[HOST] = site(pages)
    source = CrawlSource("one", (f"{ROOT}/q/0",), revisit="60s", depth=0)
    gathering.run(source)
    with sqlite3.connect(gathering.layout.catalog) as connection:  # long ago
        connection.execute("UPDATE captures SET time = '2000-01-01T00:00:00+00:00'")
    connection.close()

    gathering.run(source)

    assert gathering.paths(HOST)[1:] == ["/q/0", "/q/0?page=2"] * 2
    (shard,) = gathering.layout.sealed_shards()
    assert len(list(read_entries(gathering.layout.captures(shard)))) == 2


def archive(folder, pages):
    """Write pages into a WARC file, those that belong together far apart, and return its path."""
    order = sorted(pages, key=lambda each: sha256(each.encode()).digest())
    made = [capture(ROOT + address, pages[address].encode()) for address in order]
    write_shard(Layout(folder), "2026-11-15-0001", made)
    return Layout(folder).warc("2026-11-15-0001")


def test_stories_in_parts_of_an_archive_are_whole_documents(make, tmp_path):
    pages, gold = site_in_parts(110)
    corpus = make({"type": "seeds", "urls": [f"{ROOT}/"]})
    corpus.import_warc(archive(tmp_path / "other", pages), name="archive")
    corpus.build()

    truth = evaluated(corpus, gold)

    assert truth.kept >= 0.98 * truth.gold
    assert truth.f1 >= 0.98
    assert (truth.others_kept, truth.twice) == (0, 0)
    assert corpus.summary().documents == truth.kept


def test_parts_before_the_damage_of_an_archive_are_joined(make, tmp_path):
    pages, gold = site_in_parts(3, "query")
    path = archive(tmp_path / "other", pages)
    path.write_bytes(path.read_bytes() + b"\x1f\x8b\x08\x00 no archive any more" * 9)
    corpus = make({"type": "seeds", "urls": [f"{ROOT}/"]})

    with pytest.raises(SourceError, match="damaged"):
        corpus.import_warc(path, name="archive")
    corpus.build()

    assert evaluated(corpus, gold).f1 >= 0.98


def test_pages_that_only_look_like_parts_stay_documents_of_their_own(make, tmp_path):
    first, second = list(stories(2))
    pages = {
        "/note": page(first.title, f"<h1>{first.title}</h1>{text(first.paragraphs)}"),
        "/note/2": page(second.title, f"<h1>{second.title}</h1>{text(second.paragraphs)}"),
    }
    corpus = make({"type": "seeds", "urls": [f"{ROOT}/"]})
    report = corpus.import_warc(archive(tmp_path / "other", pages), name="archive")
    corpus.build()

    assert (report.fetched, corpus.summary().documents) == (2, 2)
