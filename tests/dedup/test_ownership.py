from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.dedup.ownership import RANK_BYTES, NothingExcluded, is_listing, rank
from izwi.model.document import Document, Metadata, Paragraph, PublicationDate

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


def test_a_dated_page_is_no_listing():
    assert not is_listing(document(when=date(2020, 1, 1), url="https://a.example/news/"))
