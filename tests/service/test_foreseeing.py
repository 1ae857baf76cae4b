import pytest

from izwi.curation import takedown as foreseeing
from izwi.curation.takedown import foresee
from tests.service import tiny


@pytest.fixture
def segments(built):
    return built._snapshot(None)[1]


def test_a_host_takes_all_its_documents_and_those_shown_alone_are_made(segments, monkeypatch):
    made = []
    real = foreseeing._affected
    monkeypatch.setattr(foreseeing, "_MOST_TITLES", 1)
    monkeypatch.setattr(foreseeing, "_affected", lambda *given: made.append(given) or real(*given))
    monkeypatch.setattr(foreseeing, "_relatives", lambda *given: ())

    found = foresee(segments, "courant.example")

    assert found.documents == sum(len(segment.cards) for segment in segments) > 1
    assert found.tokens == sum(int(segment.document_lengths.sum()) for segment in segments)
    assert len(found.first) == len(made) == 1


def test_a_name_that_only_stands_in_an_address_takes_nothing(segments):
    assert foresee(segments, "ourant.example").documents == 0
    assert foresee(segments, f"{tiny.HOST}/2020/03/01").documents == 0


def test_copies_and_originals_of_what_goes_are_said_to_stay(segments):
    rows = [row for segment in segments for row in segment.cards.to_pylist()]
    copy = next(row for row in rows if row["copy_of"])
    original = next(row for row in rows if row["id"] == copy["copy_of"])

    gone = foresee(segments, original["url"])
    kept = foresee(segments, copy["url"])

    assert [each.url for each in gone.first] == [original["url"]]
    assert copy["id"] in {each.id for each in gone.staying}
    assert original["id"] in {each.id for each in kept.staying}
    assert foresee(segments, "courant.example").staying == ()
