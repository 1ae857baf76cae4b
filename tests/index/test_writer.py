import json
from dataclasses import asdict, replace

import pytest

from izwi.index.writer import FORMAT, write_segment
from izwi.model.document import KEPT, dropped
from tests.index.corpora import WHEN, copy, document, on_disk


@pytest.mark.parametrize(("distinct", "bits"), [(1, 1), (255, 8), (256, 8), (257, 9)], ids=str)
def test_a_column_has_as_few_bits_as_its_lexicon_needs(distinct, bits):
    text = " ".join(f"w{number}" for number in range(distinct))

    with on_disk([document("a", text)]) as (segment,):
        assert segment.word.column.bits == bits
        assert segment.word.values(segment.word.column[:]) == text.split()


def test_only_kept_documents_enter_and_copies_are_listed():
    documents = [
        document("a", "robot"),
        replace(document("b", "taxi"), verdict=dropped("language", "other-language")),
        copy("c", owner="a"),
        replace(copy("d", owner="a"), verdict=dropped("select", "too-short")),
        replace(document("e", "dam"), annotation=None, verdict=KEPT),
    ]

    with on_disk(documents) as (segment,):
        assert segment.cards.column("id").to_pylist() == ["a"]
        assert segment.word.lexicon.to_pylist() == ["robot"]
        assert segment.copies.to_pylist() == [
            {"owner": "a", "url": "https://copies.example/c", "source": "copies", "date": None}
        ]


def test_the_entry_says_what_a_segment_was_made_from(tmp_path):
    documents = [document("a", "robots are out"), document("b", "a taxi")]

    entry = write_segment(tmp_path, documents, shards=["2020-06-15-0001"], fingerprint="abc")

    assert (entry.documents, entry.tokens, entry.fingerprint) == (2, 5, "abc")
    assert entry.shards == ("2020-06-15-0001",)
    written = json.loads((tmp_path / entry.id / "segment.json").read_text(encoding="utf-8"))
    described = {"attributes": ["word", "lc"], "structures": ["doc", "p", "s"]}
    assert written == {
        "format": FORMAT, **asdict(entry), "shards": ["2020-06-15-0001"], **described
    }  # fmt: skip


def test_two_segments_of_the_same_documents_have_two_names(tmp_path):
    documents = [document("a", "robots")]

    first, second = (
        write_segment(tmp_path, documents, shards=["1"], fingerprint="f") for _ in range(2)
    )

    assert first.id != second.id


def test_a_writer_that_fails_leaves_nothing(tmp_path):
    broken = replace(
        document("b", "taxi"), metadata=replace(document("b", "").metadata, title="\ud800")
    )

    with pytest.raises(UnicodeEncodeError):
        write_segment(tmp_path, [document("a", "robot"), broken], shards=["1"], fingerprint="f")

    assert list(tmp_path.iterdir()) == []


def test_the_time_of_capture_is_kept_to_the_second():
    with on_disk([replace(document("a", "robot"), captured=WHEN.replace(microsecond=9))]) as (
        segment,
    ):
        assert segment.card(0).captured == "2020-06-15T12:30:45+00:00"
