import json
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from izwi.annotate.tokens import Tokeniser
from izwi.index.reader import Segment
from izwi.index.writer import FORMAT, write_segment
from izwi.model.document import KEPT, dropped
from izwi.model.errors import QueryError
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
        assert segment.cards.column("id").to_pylist() == ["a", "c"]
        assert segment.is_copy.tolist() == [False, True]
        assert segment.word.lexicon.to_pylist() == ["robot"]
        assert segment.copies.to_pylist() == [
            {"owner": "a", "url": "https://copies.example/c", "source": "copies", "date": None}
        ]


def test_the_entry_says_what_a_segment_was_made_from(tmp_path):
    documents = [document("a", "robots are out"), document("b", "a taxi")]

    entry = write_segment(tmp_path, documents, shards=["2020-06-15-0001"], fingerprint="abc")

    assert (entry.documents, entry.tokens, entry.fingerprint) == (2, 5, "abc")
    assert entry.shards == ("2020-06-15-0001",)
    folder = tmp_path / entry.id
    written = json.loads((folder / "segment.json").read_text(encoding="utf-8"))
    sizes = written.pop("files")
    described = {"positions": 5, "attributes": ["word", "lc"], "structures": ["doc", "p", "s"]}
    said = json.loads(json.dumps(asdict(entry)))
    assert written == {"format": FORMAT, **said, **described}
    assert sizes == {name: (folder / name).stat().st_size for name in sizes}
    assert {path.name for path in folder.iterdir()} == {*sizes, "segment.json"}


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


def test_every_declared_attribute_can_be_read():
    lines = "Robots werk nie. 'n Bakkie!"
    tokens = replace(Tokeniser()([lines]), language="afr")
    tags = tuple(f"T{len(word)}" for word in tokens.words)
    found = replace(tokens, lemmas=tuple(map(str.upper, tokens.words)), xpos=tags)
    given = replace(document("d", lines), annotation=found)

    with tempfile.TemporaryDirectory() as folder:
        names = ("word", "lc", "lemma", "pos", "upos", "stem", "lang")
        entry = write_segment(
            Path(folder), [given], shards=["0"], fingerprint="f", attributes=names
        )
        segment = Segment(Path(folder) / entry.id)

        def values(name):
            attribute = segment.attribute(name)
            return attribute.values(attribute.column[:])

        assert segment.attributes == names
        assert values("lemma") == [word.upper() for word in tokens.words]
        assert values("pos") == list(tags)
        assert values("stem") == [word.lower() for word in tokens.words]
        assert set(values("upos")) == {""}
        assert set(values("lang")) == {"afr"}
        assert values("word") == list(tokens.words)
        with pytest.raises(QueryError, match="no attribute 'feats'"):
            segment.attribute("feats")
