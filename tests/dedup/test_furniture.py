from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from izwi.dedup.judge import JudgeConfig
from izwi.dedup.signatures import DocumentMethod, Sign, SignConfig
from izwi.model.document import Document, Mark, Metadata, Paragraph, PublicationDate
from tests.dedup.test_judge import MANY, MEMORIES, at_once, splits
from tests.dedup.worlds import World

NOTICE = "All rights reserved. Nothing may be printed again without a letter from the editor."
OFFER = "Advertisement: boreholes sunk and windmills serviced, no job is too far for us."
TOP = "Frost in the kloofs tonight, the dam stands at eleven in the hundred."
LEAD = "An ostrich held up the traffic on the mountain road for three hours on Monday morning."
METHODS = st.sampled_from([None, DocumentMethod("sentences")])


def text_of(number):
    return f"Item {number}: the council of ward {number} met again about water number {number}."


def page(name, blocks, *, title="", host="a.example", day=None):
    """Return a signed page; what is no main text is given with a minus before it."""
    paragraphs = tuple(
        each
        if isinstance(each, Paragraph)
        else Paragraph(each.removeprefix("-"), is_main=not each.startswith("-"))
        for each in blocks
    )
    when = PublicationDate(date(2020, 1, day), evidence="url") if day else None
    made = Document(
        name, f"https://{host}/{name}.html", datetime(2020, 1, 1, tzinfo=UTC), "s",
        metadata=Metadata(title=title, date=when), paragraphs=paragraphs,
    )  # fmt: skip
    (signed,) = Sign(SignConfig())(iter([made]))
    return signed


def usual(count=12, host="a.example"):
    """Return pages of a site on which the extractor knows better."""
    blocks = ("-" + TOP, "{}", "-" + OFFER, "-" + NOTICE)
    return [
        page(f"n{n}", [each.format(text_of(n)) for each in blocks], host=host) for n in range(count)
    ]


def furniture_of(folder, documents, name="short"):
    world = World(folder)
    world.put({"all": documents})
    found = next(each for each in world.judged["all"] if each.id == name)
    return {each.paragraph for each in found.copied if each.method == "furniture"}, found


def test_what_other_pages_of_the_site_leave_out_is_no_text_of_a_short_one(tmp_path):
    short = page("short", [TOP, LEAD, OFFER, NOTICE])

    places, found = furniture_of(tmp_path, [short, *usual()])

    assert places == {0, 2, 3}
    assert found.copy_of is None
    assert found.originals == ()


def test_a_list_of_other_pages_and_a_heading_above_furniture_go_with_it(tmp_path):
    titles = "First title of a page | Second title of another"
    links = (Mark(0, 21, "a", "/1"), Mark(24, 47, "a", "/2"))
    list_of_pages = Paragraph(titles, marks=links)
    short = page("short", [LEAD, list_of_pages, Paragraph("Ads", kind="h"), OFFER, NOTICE])

    places, _ = furniture_of(tmp_path, [short, *usual()])

    assert places == {1, 2, 3, 4}


@pytest.mark.parametrize(
    "blocks",
    [
        pytest.param([LEAD, OFFER, NOTICE, text_of(99)], id="inside-a-text"),
        pytest.param([LEAD, NOTICE, OFFER], id="in-another-order"),
        pytest.param([OFFER, NOTICE], id="nothing-else"),
    ],
)
def test_a_paragraph_stays(tmp_path, blocks):
    places, _ = furniture_of(tmp_path, [page("short", blocks), *usual()])

    assert places == set()


def test_two_pages_of_a_site_or_those_of_another_tell_nothing(tmp_path):
    short = page("short", [LEAD, OFFER, NOTICE])
    others = [replace(each, id=f"o-{each.id}") for each in usual(12, host="b.example")]

    places, _ = furniture_of(tmp_path, [short, *usual(2), *others])

    assert places == set()


def test_what_all_pages_take_for_text_is_text(tmp_path):
    """A refrain, or the standing head of a column."""
    pages = [page(f"c{n}", [TOP, text_of(n), NOTICE]) for n in range(12)]

    places, _ = furniture_of(tmp_path, pages, "c3")

    assert places == set()


def test_the_first_lines_of_an_article_that_others_show_beside_theirs_stay(tmp_path):
    """One paragraph below a headline; beside other articles both stand, and no text."""
    title = "Ostrich on the road"
    own = page("short", [title, LEAD, "-" + NOTICE], title=title)
    others = [
        page(f"t{n}", [text_of(n), "-" + title, "-" + LEAD, "-" + text_of(n + 50)])
        for n in range(12)
    ]

    places, _ = furniture_of(tmp_path, [own, *others])

    assert places == set()


def test_a_page_that_shares_nothing_but_furniture_is_no_copy(tmp_path):
    """The page of contacts took a line below all pages for text, as an older article did."""
    article = page("a1", [text_of(77), OFFER, NOTICE], day=2)
    contact = page("short", ["Write to the editor at the station.", OFFER, NOTICE])

    places, found = furniture_of(tmp_path, [article, contact, *usual()])

    assert places == {1, 2}
    assert found.copy_of is None


def test_another_method_for_copies_leaves_furniture_out_too(tmp_path):
    world = World(tmp_path, JudgeConfig(method=DocumentMethod("sentences")))

    world.put({"all": [page("short", [LEAD, OFFER, NOTICE]), *usual()]})

    found = next(each for each in world.judged["all"] if each.id == "short")
    assert [each.paragraph for each in found.copied] == [1, 2]


@st.composite
def sites(draw):
    """Draw pages of one site: each takes its foot, a part of it or nothing of it for text."""
    taken = draw(st.lists(st.sampled_from(["", "-", "both"]), min_size=5, max_size=11))
    days = draw(st.lists(st.none() | st.integers(1, 9), min_size=11, max_size=11))
    feet = {"": [OFFER, NOTICE], "-": ["-" + OFFER, NOTICE], "both": ["-" + OFFER, "-" + NOTICE]}
    return [
        page(f"p{n}", [text_of(n), *feet[foot]], day=day)
        for n, (foot, day) in enumerate(zip(taken, days, strict=False))
    ]


@MANY
@given(st.data())
def test_growth_in_any_shards_and_order_finds_the_same_furniture(tmp_path_factory, data):
    documents = data.draw(sites())
    config = JudgeConfig(method=data.draw(METHODS))
    world = World(tmp_path_factory.mktemp("grown"), config, data.draw(MEMORIES))

    for step in data.draw(splits(documents)):
        world.put(step)

    assert world.decisions == at_once(tmp_path_factory.mktemp("whole"), documents, config)


class _Without:
    def __init__(self, name):
        self.url = f"https://a.example/{name}.html"

    def covers(self, url):
        return url == self.url


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_page_taken_out_says_nothing_of_the_others(tmp_path_factory, data):
    documents = data.draw(sites())
    world = World(tmp_path_factory.mktemp("with"))
    for step in data.draw(splits(documents)):
        world.put(step)

    world.exclude(_Without("p0"))

    rest = at_once(tmp_path_factory.mktemp("without"), documents[1:])
    assert {name: found for name, found in world.decisions.items() if name != "p0"} == rest
