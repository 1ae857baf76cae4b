from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.model.document import (
    Annotation,
    CopyOf,
    Document,
    LanguageGuess,
    Metadata,
    Paragraph,
    PublicationDate,
    Verdict,
)
from izwi.model.errors import CorruptShard
from izwi.store.layer_formats import FORMATS
from izwi.store.layers import (
    GROUP,
    count_rows,
    read_columns,
    read_documents,
    replace_rows,
    write_layer,
)
from tests.store.samples import MOMENT

TEXTS = st.text(st.characters(blacklist_categories=["Cs"]), max_size=30)
FLOATS = st.floats(allow_nan=False)
OFFSETS = st.lists(st.integers(0, 2**31 - 1), max_size=3).map(tuple)
VERDICTS = st.builds(
    Verdict,
    outcome=st.sampled_from(["kept", "dropped", "failed"]),
    stage=TEXTS,
    reason=TEXTS,
    value=st.none() | FLOATS,
    threshold=st.none() | FLOATS,
    detail=TEXTS,
)
DATES = st.builds(
    PublicationDate, st.dates(), st.sampled_from(["day", "month", "year"]), evidence=TEXTS
)
METADATA = st.builds(
    Metadata, title=TEXTS, author=TEXTS, date=st.none() | DATES, section=TEXTS, site=TEXTS
)
DOCUMENTS = st.builds(
    Document,
    id=TEXTS,
    url=TEXTS,
    captured=st.datetimes(timezones=st.just(UTC)),
    source=TEXTS,
    media_type=TEXTS,
    metadata=METADATA,
    paragraphs=st.lists(st.builds(Paragraph, TEXTS, TEXTS, st.booleans(), TEXTS), max_size=3).map(
        tuple
    ),
    verdict=VERDICTS,
    language=st.none() | st.builds(LanguageGuess, TEXTS.filter(bool), FLOATS),
    signature=st.none() | st.integers(0, 2**64 - 1),
    copy_of=st.none() | st.builds(CopyOf, TEXTS.filter(bool), TEXTS, FLOATS),
    annotation=st.builds(
        Annotation, st.lists(TEXTS, max_size=3).map(tuple), OFFSETS, OFFSETS, OFFSETS, OFFSETS
    ),
)
# Which field of a document each layer brings; `text` brings all the others.
FIELD_BY_LAYER = {
    "lang": "language",
    "sign": "signature",
    "dup": "copy_of",
    "select": "verdict",
    "tokens": "annotation",
}


def document(number=1, **fields):
    paragraphs = (Paragraph(f"Teks nommer {number}."),)
    return Document(
        f"d{number}", f"http://one.example/{number}", MOMENT, "one", paragraphs=paragraphs, **fields
    )


def bare(found):
    """Return what the text layer alone knows of a document."""
    return replace(found, language=None, signature=None, copy_of=None, annotation=None)


@settings(max_examples=50, deadline=None)
@given(documents=st.lists(DOCUMENTS, max_size=4))
def test_text_layer_gives_documents_back(tmp_path_factory, documents):
    path = tmp_path_factory.mktemp("layer") / "a.parquet"

    rows = write_layer(path, "text", documents)

    assert rows == count_rows(path) == len(documents)
    assert list(read_documents({"text": path})) == [bare(each) for each in documents]


@pytest.mark.parametrize("layer", FIELD_BY_LAYER)
@settings(max_examples=25, deadline=None)
@given(documents=st.lists(DOCUMENTS, max_size=4))
def test_layer_gives_its_own_field_back(tmp_path_factory, layer, documents):
    folder = tmp_path_factory.mktemp("layer")
    paths = {"text": folder / "text.parquet", layer: folder / "layer.parquet"}
    # What the text layer says of the verdict is replaced by `select`.
    first = [replace(each, verdict=Verdict()) for each in documents]
    write_layer(paths["text"], "text", first)

    write_layer(paths[layer], layer, documents)

    field = FIELD_BY_LAYER[layer]
    expected = [
        replace(bare(each), **{field: getattr(whole, field)})
        for each, whole in zip(first, documents, strict=True)
    ]
    assert list(read_documents(paths)) == expected


@settings(max_examples=25, deadline=None)
@given(documents=st.lists(DOCUMENTS, max_size=4))
def test_all_layers_together_give_the_whole_document(tmp_path_factory, documents):
    folder = tmp_path_factory.mktemp("layer")
    paths = {layer: folder / f"{layer}.parquet" for layer in FORMATS}

    for layer, path in paths.items():
        write_layer(path, layer, documents)

    assert list(read_documents(paths)) == documents


def test_document_that_was_not_annotated_has_no_tokens(tmp_path):
    paths = {"text": tmp_path / "text", "tokens": tmp_path / "tokens"}
    for layer, path in paths.items():
        write_layer(path, layer, [document(annotation=None)])

    (found,) = read_documents(paths)

    assert found.annotation == Annotation((), (), (), (), ())


def test_time_of_another_zone_is_the_same_moment(tmp_path):
    moment = datetime(2026, 11, 15, 11, 0, tzinfo=timezone(timedelta(hours=2)))
    write_layer(tmp_path / "text", "text", [replace(document(), captured=moment)])

    (found,) = read_documents({"text": tmp_path / "text"})

    assert found.captured == moment
    assert found.captured.utcoffset() == timedelta(0)


def test_rows_stay_aligned_across_groups(tmp_path):
    number = 2 * GROUP + 1
    documents = [document(n, signature=n) for n in range(number)]
    paths = {"text": tmp_path / "text", "sign": tmp_path / "sign"}

    rows = [write_layer(path, layer, documents) for layer, path in paths.items()]

    assert rows == [number, number]
    assert pq.read_metadata(paths["text"]).num_row_groups == 3
    assert [each.signature for each in read_documents(paths)] == list(range(number))


@pytest.mark.parametrize("changed", [[], [3], [GROUP + 1], [3, 2 * GROUP]], ids=str)
def test_layer_with_rows_made_anew_is_what_it_would_be_if_all_were(tmp_path, changed):
    before = [document(n, signature=n) for n in range(2 * GROUP + 1)]
    after = [replace(each, signature=n + (n in changed)) for n, each in enumerate(before)]
    old, fresh, made = (tmp_path / name for name in ("old", "fresh", "made"))
    write_layer(old, "sign", before)
    write_layer(fresh, "sign", after)
    numbers = [3, 4, GROUP + 1, 2 * GROUP]

    found = replace_rows(made, "sign", old, numbers, [after[number] for number in numbers])

    assert found == changed
    assert made.read_bytes() == fresh.read_bytes()
    # Where nothing is another, no byte is written.
    assert made.samefile(old) == (not changed)


@pytest.mark.parametrize("count", [1, 3])
def test_layer_is_not_written_where_not_as_many_rows_were_made_as_asked_for(tmp_path, count):
    documents = [document(n, signature=n) for n in range(4)]
    write_layer(tmp_path / "old", "sign", documents)
    made = [replace(each, signature=9) for each in documents[:count]]

    with pytest.raises(RuntimeError, match="rows were made"):
        replace_rows(tmp_path / "made", "sign", tmp_path / "old", [0, 1], made)

    assert not (tmp_path / "made").exists()


def test_some_columns_can_be_read_alone(tmp_path):
    write_layer(tmp_path / "text", "text", [document(1), document(2)])

    table = read_columns(tmp_path / "text", ["id", "url"])

    assert table.column_names == ["id", "url"]
    assert table["id"].to_pylist() == ["d1", "d2"]


def test_layer_with_too_few_rows_is_damage_of_that_layer(tmp_path):
    paths = {"text": tmp_path / "text", "lang": tmp_path / "lang"}
    write_layer(paths["text"], "text", [document(1), document(2)])
    write_layer(paths["lang"], "lang", [document(1)])

    with pytest.raises(CorruptShard, match="has too few rows") as caught:
        list(read_documents(paths))

    assert caught.value.path == str(paths["lang"])


def test_layer_in_the_place_of_another_is_damage(tmp_path):
    paths = {"text": tmp_path / "text", "lang": tmp_path / "lang"}
    write_layer(paths["text"], "text", [document()])
    write_layer(paths["lang"], "dup", [document()])

    with pytest.raises(CorruptShard) as caught:
        list(read_documents(paths))

    assert caught.value.path == str(paths["lang"])


READERS = {
    "documents": lambda path: list(read_documents({"text": path})),
    "columns": lambda path: read_columns(path, ["id"]),
    "rows": count_rows,
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.99], ids=["all", "most", "the end"])
def test_truncated_layer_is_damage_that_names_the_file(tmp_path, share, read):
    path = tmp_path / "a.parquet"
    write_layer(path, "text", [document(n) for n in range(10)])
    raw = path.read_bytes()
    path.write_bytes(raw[: int(len(raw) * share)])

    with pytest.raises(CorruptShard) as caught:
        read(path)

    assert caught.value.path == str(path)


def test_missing_layer_is_damage_that_names_the_file(tmp_path):
    with pytest.raises(CorruptShard, match="damaged or missing") as caught:
        list(read_documents({"text": tmp_path / "absent.parquet"}))

    assert caught.value.path == str(tmp_path / "absent.parquet")


def test_no_changed_byte_changes_a_document_unseen(tmp_path):
    path = tmp_path / "a.parquet"
    when = PublicationDate(date(2014, 3, 1), "day", "feed")
    documents = [document(n, metadata=Metadata("Titel", date=when)) for n in range(20)]
    write_layer(path, "text", documents)
    raw = path.read_bytes()

    for place in range(0, len(raw), 23):
        damaged = bytearray(raw)
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        try:
            found = list(read_documents({"text": path}))
        except CorruptShard:
            continue
        assert found == documents, f"byte {place}"


def test_failure_while_writing_leaves_nothing(tmp_path):
    def documents():
        yield document(1)
        raise RuntimeError("stage failed")

    with pytest.raises(RuntimeError, match="stage failed"):
        write_layer(tmp_path / "text-1" / "a.parquet", "text", documents())

    assert list((tmp_path / "text-1").iterdir()) == []


def test_failure_while_writing_leaves_the_older_file(tmp_path):
    path = tmp_path / "a.parquet"
    write_layer(path, "text", [document(1)])

    def documents():
        yield from (document(n) for n in range(3 * GROUP))
        raise RuntimeError("stage failed")

    with pytest.raises(RuntimeError):
        write_layer(path, "text", documents())

    assert [each.id for each in read_documents({"text": path})] == ["d1"]
    assert list(tmp_path.iterdir()) == [path]
