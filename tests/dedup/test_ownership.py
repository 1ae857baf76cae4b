from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.dedup.ownership import RANK_BYTES, NothingExcluded, rank
from izwi.dedup.wholeness import holds_others, is_listing, is_view
from izwi.model.document import Document, Mark, Metadata, Paragraph, PublicationDate

WHEN = datetime(2020, 1, 1, tzinfo=UTC)
TEXT = "The robots are out"


def document(
    name="a", text=TEXT, *, when=None, evidence="url", url="https://a.example/x/", captured=WHEN
):
    published = PublicationDate(when, evidence=evidence) if when else None
    return Document(
        name, url, captured, "s",
        metadata=Metadata(date=published), paragraphs=(Paragraph(text),),
    )  # fmt: skip


def of_a_month(page):
    when = replace(page.metadata.date, precision="month")
    return replace(page, metadata=replace(page.metadata, date=when))


def canonically(page, there="https://a.example/x/"):
    return replace(page, metadata=replace(page.metadata, url_canonical=there))


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/printing-the-bible",
        "https://a.example/amps/3",
        "https://a.example/guitar-amp",
        "https://a.example/x/?p=1",
    ],
)
def test_what_only_sounds_like_a_view_is_none(url):
    assert not is_view(canonically(document(url=url), url))


@pytest.mark.parametrize("front", ["https://a.example/", "https://www.a.example", "/"])
def test_a_site_that_names_its_front_page_everywhere_has_pages_of_its_own(front):
    assert not is_view(canonically(document(url="https://a.example/story"), front))
    assert is_view(canonically(document(url="https://a.example/story"), "/?p=7"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(
            document(url="https://a.example/one/two.html"),
            document(text=TEXT * 9, url="https://a.example/news/"),
            id="articles-before-listings",
        ),
        pytest.param(
            document(when=date(2019, 1, 1)),
            document(text=TEXT * 2, when=date(2020, 1, 1)),
            id="earliest-before-longest",
        ),
        pytest.param(
            document(when=date(2019, 1, 1), url="https://a.example/a.html"),
            document(text=TEXT * 2, url="https://a.example/a.html"),
            id="dated-before-undated",
        ),
        pytest.param(
            document(when=date(2020, 1, 1)),
            document(when=date(2019, 1, 1), evidence=""),
            id="a-date-without-evidence-is-none",
        ),
        pytest.param(
            document(text=TEXT * 9, when=date(2020, 1, 1)),
            document(text=TEXT + " [...]", when=date(2019, 1, 1)),
            id="whole-texts-before-teasers-that-break-off",
        ),
        pytest.param(
            document(when=date(2019, 5, 23)),
            of_a_month(document(text=TEXT * 2, when=date(2019, 5, 1))),
            id="a-day-before-its-month",
        ),
        *(
            pytest.param(
                document(url="https://a.example/2019/05/rain-at-last", when=date(2019, 5, 3)),
                document(text=TEXT * 2, url=f"https://a.example/{view}", when=date(2019, 5, 1)),
                id=f"the-page-before-{view}",
            )
            for view in (
                "print/2019/05/rain-at-last",
                "2019/05/rain-at-last/amp",
                "rain?print=1",
                "rain.print.html",
                "x?title=Rain&oldid=7",
                "rain?tmpl=component",
                "rain?amp",
                "rain/printable",
                "rain?format=print",
                "rain?replytocom=4",
            )
        ),
        pytest.param(
            document(when=date(2019, 5, 3)),
            canonically(
                document(text=TEXT * 2, url="https://a.example/m/x", when=date(2019, 5, 1))
            ),
            id="the-page-before-one-that-names-it",
        ),
        *(
            pytest.param(
                document(text=TEXT * 2, url="https://a.example/2019/05/rain-at-last.html"),
                document(text=TEXT * 2, url=f"https://a.example/{page}"),
                id=f"the-page-before-the-list-{page}",
            )
            for page in (
                "2019/05/",
                "page/4/",
                "tag/x",
                "taxonomy/term/4",
                "search/label/x",
                "?s=rain",
                "?start=4",
            )
        ),
        pytest.param(
            document(url="https://a.example/a-long-way-to-the-rain/?p=7", when=date(2019, 5, 3)),
            canonically(
                document(url="https://m.a.example/7", when=date(2019, 5, 3)),
                "https://a.example/a-long-way-to-the-rain/?p=7",
            ),
            id="the-page-before-the-one-for-phones",
        ),
        pytest.param(document(text=TEXT * 2), document(), id="most-complete"),
        pytest.param(document(), document(url="https://a.example/x/?ref=rss"), id="shortest-url"),
        pytest.param(document(), document(captured=WHEN + timedelta(days=1)), id="first-captured"),
    ],
)
def test_the_rank_follows_the_stated_rule(first, second):
    assert rank(first) < rank(second)


def test_ranks_have_one_length_and_no_two_documents_the_same():
    ranks = {rank(document(f"d{number}")) for number in range(50)}

    assert len(ranks) == 50
    assert {len(each) for each in ranks} == {RANK_BYTES}


def test_a_page_that_changed_without_growing_is_another_owner():
    assert rank(document(text="abcd")) != rank(document(text="abce"))


def test_nothing_excluded_covers_nothing():
    assert not NothingExcluded().covers("https://a.example/")


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_rank_is_made_of_the_document_alone(name, text):
    assert rank(document(name, text)) == rank(document(name, text))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/", True),
        ("https://a.example/news/", True),
        ("https://a.example/news/robots.html", False),
        ("https://a.example/robots-are-out/", False),
    ],
)
def test_home_and_section_pages_are_listings(url, expected):
    assert is_listing(document(url=url)) is expected


@pytest.mark.parametrize("day", ["{} February 2023", "2023年2月{}日", "2023. február {}."])
def test_a_front_of_dated_notes_ranks_after_each_of_them(day):
    notes = [
        each
        for number in range(1, 8)
        for each in (
            Paragraph(f"The dam at farm {number} is full, and it goes on raining."),
            Paragraph(day.format(number), is_main=False),
        )
    ]
    front = replace(document(when=date(2023, 2, 1)), paragraphs=tuple(notes))
    note = replace(document(when=date(2023, 2, 7)), paragraphs=tuple(notes[-2:]))
    story = [Paragraph("The dam is full again, and it goes on raining here." * 9), *notes[:1]]
    comments = [replace(each, is_main=False) for each in notes]

    assert rank(note) < rank(front)
    assert not holds_others(replace(front, paragraphs=(*story, *comments)))


@pytest.mark.parametrize(
    ("path", "link", "expected"),
    [
        ("2019/05/", "/2019/05/robots.html", True),
        ("page/8", "/robots", True),
        ("t/robots/61/5", "/t/robots-are-out/61", True),
        ("2019/05/robots-are-out", "/2019/05/robots.html", False),
        ("news/12", "/news", False),
    ],
)
def test_the_page_of_a_month_with_one_post_is_not_the_place_of_that_post(path, link, expected):
    page = replace(
        document(when=date(2019, 1, 1), url=f"https://a.example/{path}"), paragraphs=titled(link)
    )

    assert holds_others(page) is expected


@pytest.mark.parametrize(
    ("path", "is_list"),
    [
        ("2013/", True),
        ("blog/2013/05/", True),
        ("?cat=3", True),
        ("blog/?paged=2", True),
        ("node/2013", False),
        ("story/1984", False),
        ("topic/123-robots/", False),
        ("viewtopic.php?t=7&start=30", False),
        ("story?id=5&cat=3", False),
        ("?q=node/1", False),
        ("?p=12", False),
        ("?page=2", True),
        ("?lang=en", True),
    ],
)
def test_only_the_address_of_a_list_ranks_a_page_behind_its_copies(path, is_list):
    page = document(url=f"https://a.example/{path}", text="The robots are out again. " * 20)
    copy = document("b", url="https://copies.example/robots-are-out", text=TEXT)

    assert (rank(copy) < rank(page)) is is_list


NOTE = "The sheep have been on the road since five, {}, and the bus waits behind them. "


def noted(*links, sign="#", is_apart=False):
    """Return notes that end in a sign, linked."""
    for number, link in enumerate(links):
        said = NOTE.format(number)
        if is_apart:
            yield from (Paragraph(said), Paragraph(sign, marks=(Mark(0, len(sign), "a", link),)))
        else:
            mark = Mark(len(said), len(said) + len(sign), "a", link)
            yield Paragraph(said + sign, marks=(mark,))


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        pytest.param(noted("/note/1", "/note/2", "/note/3"), True, id="signs"),
        pytest.param(noted("/note/1", "/note/2", "/note/3", sign="∞"), True, id="other-signs"),
        pytest.param(
            noted("/1", "/2", "/3", sign="Lasting link", is_apart=True), True, id="words-apart"
        ),
        pytest.param(noted("#1", "#2", "#3"), False, id="places-of-the-page"),
        pytest.param(noted("/older/20#a", "/older/20#b", "/older/20#c"), False, id="itself"),
        pytest.param(noted("/note/1", "/note/2"), False, id="before-and-after"),
        pytest.param(noted("/1", "/2", "/3", sign="the dam"), False, id="words-of-a-sentence"),
        pytest.param(
            noted(*(f"https://b.example/{n}" for n in range(4))), False, id="another-site"
        ),
        pytest.param((*(Paragraph(NOTE * 9),), *noted("/1", "/2", "/3")), False, id="below-a-text"),
    ],
)
def test_a_page_of_whole_notes_is_not_their_place(paragraphs, expected):
    page = replace(document(url="https://a.example/older/20"), paragraphs=tuple(paragraphs))
    note = document("b", url="https://a.example/a-note-with-a-much-longer-address", text=NOTE)

    assert holds_others(page) is expected
    assert (rank(note) < rank(page)) is expected


def test_a_thread_with_its_writers_linked_owns_its_text_and_its_print_view_does_not():
    posts = tuple(
        each
        for number in range(4)
        for each in (
            replace(titled(f"/index.php?action=profile;u={number}")[0], text="Thandi Dube"),
            Paragraph(NOTE.format(number)),
        )
    )
    url = "https://a.example/index.php?topic=3.0"
    thread = replace(document(url=url), paragraphs=posts)
    printed = replace(thread, id="b", url="https://a.example/index.php?action=printpage;topic=3.0")

    assert not holds_others(thread)
    assert is_view(printed)
    assert rank(thread) < rank(printed)


def test_a_thread_by_the_number_of_a_post_is_a_view_of_it():
    thread = document(url="https://a.example/viewtopic.php?f=0&t=12")
    post = document(url="https://a.example/viewtopic.php?p=1")

    assert rank(thread) < rank(post)


def test_a_dated_page_is_no_listing():
    assert not is_listing(document(when=date(2020, 1, 1), url="https://a.example/news/"))


def dated(*links):
    """Return paragraphs of a page that shows others: text, then the day, linked."""
    posted = "Posted on 3 May 2019"
    days = [Paragraph(posted, marks=(Mark(10, 20, "a", link),)) for link in links]
    return tuple(each for day in days for each in (ARTICLE, day))


def titled(*links, body="The robots are out again at the corner, and nobody knows why."):
    """Return paragraphs of a page that shows others: a heading with its link, then text."""
    heads = [
        Paragraph("Robots are out", "h", marks=(Mark(0, 14, "a", link),) if link else ())
        for link in links
    ]
    return tuple(each for head in heads for each in (head, Paragraph(body)))


ARTICLE = Paragraph(
    "Three years ago you could buy a house in Rietkuil for the price of a bakkie. " * 5
)


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        pytest.param(titled("/robots", "/dams"), True, id="two-posts"),
        pytest.param(titled("/robots", "/robots#more"), False, id="one-post"),
        pytest.param(titled("/x", "/robots"), False, id="one-of-them-is-the-page-itself"),
        pytest.param(titled("", ""), False, id="headings-of-its-own"),
        pytest.param(
            titled("https://shop.example/a", "https://shop.example/b"), False, id="another-site"
        ),
        pytest.param(titled("http://[a", "http://[b"), False, id="no-addresses"),
        pytest.param(dated("/post/1", "/post/2", "/post/3"), True, id="days-below-posts"),
        pytest.param(dated("/post/1", "/post/2"), False, id="the-posts-before-and-after"),
        pytest.param(dated("#c1", "/x/?c=2#c2", "/x/c3", "/x/c4"), False, id="days-of-comments"),
        pytest.param((ARTICLE, *titled("/robots", "/dams")), False, id="proposed-after-an-article"),
    ],
)
def test_a_page_that_shows_other_pages_of_its_site_ranks_last(paragraphs, expected):
    post = document(when=date(2020, 1, 1))
    page = replace(document(when=date(2019, 1, 1)), paragraphs=paragraphs)

    assert holds_others(page) is expected
    assert (rank(post) < rank(page)) is expected
