"""A corpus against gold: what is lost, what got in, whose words are whose."""

from dataclasses import replace
from datetime import UTC, date, datetime

from izwi.evaluate.corpus import GoldDocument, score_corpus
from izwi.model.document import (
    BlockCopy,
    Document,
    Metadata,
    Paragraph,
    PublicationDate,
    Verdict,
    dropped,
)

WHEN = datetime(2020, 1, 1, tzinfo=UTC)
STORY = "The council met on Thursday in the old hall"


def document(name, text=STORY, **fields):
    metadata = Metadata("Old hall", date=PublicationDate(date(2019, 5, 4)))
    url = f"http://a.example/{name}"
    return Document(
        name, url, WHEN, "s", metadata=metadata, paragraphs=(Paragraph(text),), **fields
    )


def gold(name, **fields):
    known = {"text": STORY, "title": "Old hall", "date": "2019-05-04", "type": "article"}
    return GoldDocument(f"http://a.example/{name}", **(known | fields))


def test_a_gold_date_that_is_no_day_is_not_counted():
    truth = score_corpus(
        [gold("a"), gold("b", date="2019-29-11")], [document("a"), document("b")], {}
    )

    assert truth.dates == 1.0


def test_a_document_that_is_not_there_counts_nothing():
    pages = [gold("a"), gold("b"), gold("c"), gold("d", date="2018-01-01")]
    found = [
        document("a"),
        document("b", verdict=dropped("select", "too-short")),
        document("d", text="The council met"),
    ]

    truth = score_corpus(pages, found, {pages[2].url: dropped("fetch", "noarchive")})

    assert (truth.gold, truth.kept, truth.wishes) == (4, 2, 1)
    assert truth.reasons == {"too-short": 1, "noarchive": 1}
    assert truth.f1 == round((1 + 2 * 3 / (3 + 9)) / 4, 4)
    assert (truth.dates, truth.titles) == (0.5, 1.0)
    assert truth.kept_share == 2 / 3
    assert truth.by_type["article"].f1 == truth.f1


def test_listings_that_are_kept_and_what_they_own_are_counted():
    front = GoldDocument("http://a.example/", document=False)
    listing = replace(document(""), id="front")
    story = document("a", copied=(BlockCopy(0, "front", "exact", 1.0),))

    truth = score_corpus([front, gold("a")], [listing, story], {})

    assert (truth.others_kept, truth.others, truth.owned_by_others) == (1, 1, 1)


def test_an_address_kept_twice_is_said_so():
    again = replace(document("a"), id="again", verdict=Verdict())

    assert score_corpus([gold("a")], [document("a"), again], {}).twice == 1
