"""Pages that list others, told from documents by what is seen on them."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from izwi.dedup.wholeness import wholeness
from izwi.model.document import PAGE_TYPE_CLAIM, Claim, Document, Mark, Metadata, Paragraph
from izwi.text.listings import LIKELY, NAMES, SURER, look, shipped_listings
from izwi.text.verdicts import SiftConfig, decide_alone

WHEN = datetime(2020, 1, 1, tzinfo=UTC)
TEASER = "The council met on Thursday in the old hall and spoke about the water, the road and {}"
TITLES = ("Dam is full again", "Choir wins in Durban", "Road to the coast reopens", "A quiet vote")


def document(paragraphs, url, page_type="article"):
    metadata = Metadata(page_type=page_type)
    return Document("d", url, WHEN, "s", metadata=metadata, paragraphs=tuple(paragraphs))


def linked(text, target):
    return Paragraph(text, "h2", marks=(Mark(0, len(text), "a", target),))


def teasers(end="..."):
    for number, title in enumerate(TITLES):
        yield linked(title, f"/news/{number}")
        yield Paragraph(f"{number + 3} May 2019")
        yield Paragraph(TEASER.format(title.lower()) + end)


FRONT = document(teasers(), "http://a.example/")
SECTION = document([*teasers(" ."), Paragraph("Read more")], "http://a.example/category/news/")
ARTICLE = document(
    [Paragraph(f"{TEASER.format(word)}, for it had rained." * 2) for word in TITLES],
    "http://a.example/news/2019/the-council-met-on-thursday",
)
LINKING = document(
    [*ARTICLE.paragraphs, linked("More about the dam", "/dam"), linked("The choir", "/choir")],
    "http://a.example/news/2019/the-council-met-on-thursday",
)


@pytest.mark.parametrize("page", [FRONT, SECTION], ids=["front", "section"])
def test_a_page_of_teasers_is_a_listing_and_says_what_was_seen(page):
    verdict = decide_alone(page, SiftConfig(minimum_words=3))

    assert (verdict.reason, verdict.threshold) == ("page-type", LIKELY)
    assert verdict.value >= LIKELY
    assert verdict.detail.startswith("listing: ")
    assert verdict.detail.endswith("linked titles: 4, with text below: 0")


def test_a_page_of_goods_with_a_text_of_its_own_is_no_list_by_its_type_alone():
    said = Paragraph("Kettles of copper were made in this valley for two hundred years. " * 5)
    offers = [Paragraph(f"Kettle number {number}, of copper") for number in range(40)]
    chance = (Claim(PAGE_TYPE_CLAIM, "collection 0.97", "extractor"),)

    def seen(paragraphs, page_type):
        page = document(paragraphs, "http://a.example/kettles", page_type)
        return look(replace(page, metadata=replace(page.metadata, claims=chance)))

    assert not seen([said] * 4, "collection").is_telling
    assert seen([said] * 3 + offers, "collection").is_telling
    assert seen([said] * 4, "listing").is_telling
    # What leads to other pages tells more than its type.
    assert seen([*teasers(), *[said] * 4], "collection").is_telling
    assert (
        decide_alone(
            document(offers, "http://a.example/kettles", "collection"), SiftConfig(minimum_words=3)
        ).reason
        == "page-type"
    )


@pytest.mark.parametrize(
    "address", ["?q=node/123", "index.php?q=node/123", "index.php?showtopic=12&s=3f2c", "?s=dam"]
)
def test_a_story_at_an_address_like_that_of_a_search_is_a_story(address):
    page = replace(ARTICLE, url=f"http://a.example/{address}")

    assert look(page).sure == ""


@pytest.mark.parametrize(
    ("address", "is_list"),
    [
        ("archive/2017/10/11/", True),
        ("latest/page/3", True),
        ("archive?page=4", True),
        ("section/school-sport.html", True),
        ("page/2/", True),
        ("index.php?start=3", True),
        ("taxonomy/term/10", True),
        ("search/label/roofs", True),
        ("?s=", True),
        ("contact/", True),
        ("login", True),
        ("?page=3", False),
        ("index.php?page=history", False),
        ("contact/roofs-gone", False),
        ("2017/10/11/roofs-gone", False),
        ("story/roofs-gone?page=2", False),
        ("news/roofs-gone", False),
    ],
)
def test_the_address_of_a_list_tells_it_where_there_is_little_text(address, is_list):
    text = Paragraph("Roofs gone, ship adrift, as a storm lashes the coast of the bay.")

    assert bool(look(document([text], f"http://a.example/{address}")).sure) == is_list


DAY = "2.3.2012"
TOLD = Paragraph("All morning we looked for the key to the hall, and it hung on its nail.")


@pytest.mark.parametrize(
    ("address", "paragraphs", "is_list"),
    [
        ("2012/03/02/", [Paragraph(DAY, "h"), TOLD], False),
        ("2012/3/2", [TOLD], False),
        ("diary/2012/03/02/", [Paragraph(DAY, "h"), TOLD, TOLD], False),
        ("2012/03/02/", [Paragraph(DAY, "h"), linked("The key to the hall", "key/"), TOLD], True),
        ("2012/03/02/", [TOLD, linked("Read on", "/2012/03/02/key/")], True),
        ("2012/03/02/", [Paragraph("The key", "h"), TOLD, Paragraph("A gate", "h"), TOLD], True),
        ("2012/03/02/", [replace(TOLD, text=f"{TOLD.text}..")], True),
        ("2012/03/02/", [Paragraph("There are no posts of this day, look at another.")], True),
        ("2012/03/02/", [Paragraph(DAY, "h"), Paragraph("Home")], True),
        ("blog/2012/03/02/", [Paragraph(DAY, "h"), TOLD], True),
        ("2012/03/", [Paragraph("3.2012", "h"), TOLD], True),
    ],
)
def test_what_a_diary_says_of_a_day_is_no_archive_of_that_day(address, paragraphs, is_list):
    page = document(paragraphs, f"http://a.example/{address}")

    assert bool(look(page).sure) is is_list


SCRIPTS = {
    "isiZulu": ("Idamu seligcwele futhi", "3 Septhemba 2019", TEASER, "Funda kabanzi"),
    "Irish": ("Tá an damba lán arís", "3 Deireadh Fómhair 2019", TEASER, "Léigh tuilleadh"),
    "Japanese": (
        "ダムがまた満水になりました", "2019年5月3日", "町の人は古い会館に集まり" * 4,
        "続きを読む",
    ),
    "Thai": (
        "เขื่อนเต็มอีกครั้งแล้ว", "3 พฤษภาคม 2562", "ชาวบ้านมาพบกันที่ศาลาเก่าเมื่อวันพฤหัสบดี" * 3, "อ่านต่อ",
    ),
}  # fmt: skip


def teasers_in(language):
    title, day, text, more = SCRIPTS[language]
    for number in range(4):
        whole = f"{text} […] {more} →"
        mark = Mark(len(whole) - len(more) - 2, len(whole), "a", f"/{number}")
        yield from (linked(title, f"/{number}"), Paragraph(day), Paragraph(whole, marks=(mark,)))


@pytest.mark.parametrize("language", SCRIPTS)
def test_a_page_of_teasers_is_a_listing_in_any_language(language):
    page = document(teasers_in(language), "http://a.example/", page_type="")

    verdict = decide_alone(page, SiftConfig(minimum_words=3))

    assert verdict.reason == "page-type"


def test_a_note_behind_the_name_of_a_script_is_a_note():
    note = document([Paragraph("Who waits sees the rain")], "http://a.example/index.php/say/7-rain")

    assert decide_alone(note, SiftConfig()).is_kept


@pytest.mark.parametrize("page", [ARTICLE, LINKING], ids=["plain", "with-links-below"])
def test_an_article_is_none(page):
    assert decide_alone(page, SiftConfig(minimum_words=3)).is_kept


@pytest.mark.parametrize(
    "target",
    [
        "memberlist.php?u={}", "/user/{}", "/@thandi.{}", "/u/{}",
        "/index.php?action=profile;u={}", "/index.php?PHPSESSID=1;action=profile;u={}",
    ],
)  # fmt: skip
def test_a_thread_with_its_writers_linked_is_none(target):
    posts = (
        each
        for number, title in enumerate(TITLES)
        for each in (
            linked("Thandi Dube", target.format(number)),
            Paragraph(f"3 May 2019, 10:2{number}"),
            Paragraph(TEASER.format(title.lower()) + ", I think."),
        )
    )
    thread = document(posts, "http://a.example/viewtopic.php?f=2&t=107", "forum")

    assert look(thread).titles == 0
    assert decide_alone(thread, SiftConfig(minimum_words=3)).is_kept


def test_how_likely_a_type_is_counts_and_not_only_its_name():
    told = [
        replace(
            FRONT,
            # The front of a site leaves no doubt.
            url="http://a.example/today",
            metadata=Metadata(
                page_type="listing",
                claims=(Claim(PAGE_TYPE_CLAIM, f"listing {chance}", "extractor"),),
            ),
        )
        for chance in (0.2, 0.9)
    ]
    unsure, sure = (shipped_listings().chance(look(page)) for page in told)

    assert unsure < sure


@pytest.mark.parametrize(
    ("url", "told", "copies", "is_list"),
    [
        ("http://a.example/", ("listing 0.5", "article 0.3"), 1, True),
        ("http://a.example/", ("listing 0.3", "article 0.5"), 1, False),
        ("http://a.example/", ("listing 0.3", "article 0.2"), 1, False),
        ("http://a.example/dam", ("listing 0.5", "article 0.3"), 1, False),
        ("http://a.example/", ("listing 0.5", "article 0.3"), 9, False),
    ],
    ids=["front", "article", "unsure", "page", "long"],
)
def test_a_front_with_little_text_is_a_list_if_that_is_likeliest(url, told, copies, is_list):
    claims = tuple(Claim(PAGE_TYPE_CLAIM, each, "extractor") for each in told)
    page = replace(
        document([Paragraph(TEASER.format(word) * copies) for word in TITLES[:2]], url),
        metadata=Metadata(page_type="", claims=claims),
    )
    assert (shipped_listings().chance(look(page)) >= LIKELY) == is_list


def test_blocks_of_one_shape_tell_a_list():
    alike = document([Paragraph(TEASER.format(word)) for word in TITLES], "http://a.example/")
    mixed = document(
        [Paragraph("Water."), *alike.paragraphs[:1], Paragraph(TEASER * 3)], "http://a.example/"
    )
    place = NAMES.index("same shape")

    assert look(alike).values[place] == 1.0 > look(mixed).values[place]


def test_a_source_may_want_its_listings():
    config = SiftConfig(minimum_words=3, sources={"s": ()})

    assert decide_alone(FRONT, config).is_kept


def test_what_is_seen_has_a_weight_each_and_a_page_without_text_is_looked_at():
    assert len(look(document([], "")).values) == len(NAMES) == len(shipped_listings().weights)


def test_an_index_of_words_is_a_listing_though_its_links_are_too_short_for_titles():
    words = [f"word{number}" for number in range(12)]
    blocks = tuple(Paragraph(w, marks=(Mark(0, len(w), "a", f"/{w}"),)) for w in words)
    index = Document("d", "http://a.example/a-z", WHEN, "s", paragraphs=blocks)

    below = Paragraph("Copyright a.example. All rights reserved. Read our letter every week, too.")
    for found in (index, replace(index, paragraphs=(*blocks, below))):
        assert shipped_listings().chance(look(found)) == 1.0
        assert "hardly anything else" in look(found).evidence


def begun(name):
    title = f"{name} in the district"
    return Paragraph(
        f"{title} (4 May 2020) {TEASER}", marks=(Mark(0, len(title), "a", f"/{name}"),)
    )


NAME = Paragraph("Anna Nel", "h")
ITS_TITLE = replace(linked("Maize hits a record", "/story/maize"), kind="h")
ENTRIES = [
    Paragraph(f"{word}() {TEASER.format('rain')}", marks=(Mark(0, len(word), "a", f"{word}.html"),))
    for word in ("join", "jump")
]


@pytest.mark.parametrize(
    ("path", "blocks", "evidence"),
    [
        ("archive/2010/09/", [Paragraph("Dams are full.")], "a month or a year"),
        (
            "business/",
            [linked("Maize hits a record", "/business/maize"), Paragraph(TEASER.format("rain."))],
            "below its own address",
        ),
        ("section/births.html", [begun("Twins"), begun("Triplets")], "the address of a section"),
        ("profile/anna-nel", [NAME, ITS_TITLE, Paragraph(TEASER.format("rain."))], "has a heading"),
        ("genindex-J.html", [*ENTRIES], "an index of terms"),
        ("api/index-all.html", [*ENTRIES], "an index of terms"),
    ],
)
def test_pages_with_one_or_two_teasers_or_none_are_listings(path, blocks, evidence):
    found = look(document(blocks, f"http://a.example/{path}", ""))

    assert shipped_listings().chance(found) == 1.0
    assert evidence in found.evidence


@pytest.mark.parametrize(
    ("path", "blocks"),
    [
        ("2010/09/18/dams-are-full/", [Paragraph("Dams are full.")]),
        ("genindex.html", [Paragraph(TEASER.format("rain.") * 2)]),
        ("all-terms-of-trade.html", [Paragraph(TEASER.format("rain.") * 2)]),
        ("acts/2010/9/", [Paragraph(TEASER.format("rain.") * 9)]),
        ("dams-are-full-after-rain/2010/09/", [Paragraph("Dams are full.")]),
        ("dams-are-full-after-rain/2010/09/", [begun("Twins"), begun("Triplets")]),
        (
            "maize/",
            [Paragraph(TEASER.format("rain.") * 2), linked("12 comments", "/maize/comments")],
        ),
        ("maize/", [linked("Maize hits a record", "/other"), Paragraph(TEASER.format("rain."))]),
        ("note/7", [NAME, ITS_TITLE, Paragraph(TEASER.format("rain.") * 5)]),
        ("story/maize", [NAME, ITS_TITLE, Paragraph(TEASER.format("rain."))]),
        ("note/7", [NAME, replace(ITS_TITLE, marks=()), Paragraph(TEASER.format("rain."))]),
        (
            "threads/maize.7/",
            [linked("May 4, 2019", "/threads/maize.7/post-1"), Paragraph(TEASER.format("rain."))],
        ),
    ],
)
def test_a_story_that_links_to_others_is_none(path, blocks):
    assert not look(document(blocks, f"http://a.example/{path}", "article")).sure


def test_where_nothing_has_a_date_or_breaks_off_a_listing_must_be_surer():
    undated = [linked(title, f"/{n}") for n, title in enumerate(TITLES)]
    services = document([*undated, Paragraph(TEASER.format("we"))], "http://a.example/services")
    broken = document([*services.paragraphs, Paragraph("It goes on ...")], services.url)
    dated = document([*services.paragraphs, Paragraph("3 May 2019")], services.url)

    assert LIKELY < SURER
    assert [look(page).least for page in (services, broken, dated)] == [SURER, LIKELY, LIKELY]


def manual(target):
    """A chapter whose headings and options are named places, or lead elsewhere."""
    for number, title in enumerate(TITLES * 6):
        yield linked(title, target.format(number))
        yield Paragraph(TEASER.format(title.lower())[:60])


GUIDE = "http://a.example/guide/water.html"


@pytest.mark.parametrize("target", ["", "#part{}", "water.html#part{}", f"{GUIDE}#part{{}}"])
def test_places_of_a_page_are_no_titles_of_others(target):
    inside, outside = document(manual(target), GUIDE), document(manual("part{}.html"), GUIDE)

    assert (look(inside).titles, look(inside).teasers) == (0, 0)
    assert not look(inside).is_telling
    assert (look(outside).titles, look(outside).teasers) == (24, 24)


def test_a_few_links_are_an_index_where_there_is_next_to_nothing_else():
    index = document(
        [linked(title, f"/{n}") for n, title in enumerate(TITLES)], "http://a.example/b"
    )
    spoken = document([*index.paragraphs, Paragraph(TEASER.format("it"))], index.url)

    assert look(index).sure == "links and hardly anything else"
    assert not look(spoken).sure


@pytest.mark.parametrize(
    ("address", "times", "is_list"), [("", 1, True), ("", 5, False), ("?p=12", 1, False)]
)
def test_a_front_with_one_teaser_is_a_listing(address, times, is_list):
    said = Paragraph(TEASER.format("the dam") * times)
    front = document([linked(TITLES[0], "/news/dam"), said], f"http://a.example/{address}")

    assert bool(look(front).sure) is is_list


def test_a_folder_with_a_long_text_of_its_own_is_none():
    title, text = (
        linked("What is covered", "/insurance/cover"),
        Paragraph(TEASER.format("pets") * 25),
    )

    assert look(document([title, Paragraph("Little.")], "http://a.example/insurance/")).sure
    assert not look(document([title, text], "http://a.example/insurance/")).sure


@pytest.mark.parametrize("heads", [("Dam",), ()], ids=["below a heading", "first"])
def test_a_link_that_nobody_can_follow_leads_nowhere(heads):
    lead = Mark(0, 31, "a", "http://[bad")
    nowhere = [Paragraph("Another page with its own title", "h", marks=(lead,)), Paragraph(TEASER)]
    heading = [Paragraph(text, "h") for text in heads]
    page = document([*heading, *nowhere], "http://a.example/news/")

    assert decide_alone(page, SiftConfig(minimum_words=3)).reason in ("", "page-type")
    assert wholeness(page) in (0, 3)


@pytest.mark.parametrize(("address", "is_list"), [("business", True), ("hobby", False)])
def test_a_section_without_a_slash_begins_with_titles_of_its_own_pages(address, is_list):
    blocks = [
        part
        for number, title in enumerate(TITLES[:3])
        for part in (linked(title, f"/business/2020-{number}"), Paragraph("It was so at the dam."))
    ]
    seen = look(document([Paragraph("Pages", "h1"), *blocks], f"http://a.example/{address}"))

    assert bool(seen.sure) == is_list
