"""Lines read by the compiled reader are what a JSON reader makes of them."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from izwi.cases import deduplicating
from izwi.cases.deduplicating import read_batches, read_pieces
from izwi.model.errors import SourceError

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
DOCUMENTS = st.lists(
    st.tuples(TEXT | st.integers(-5, 10**6), st.lists(TEXT, max_size=4), st.booleans(), TEXT),
    min_size=1,
    max_size=6,
)
SPACES = st.sampled_from(["", " ", "\t", "  \t"])


def pieces_as_text(path):
    found = list(read_pieces(path))
    names = [name for piece in found for name in piece.ids]
    counts = [count for piece in found for count in piece.paragraphs]
    return names, counts, b"".join(piece.text.tobytes() for piece in found)


def batches_as_text(path):
    items = [item for batch in read_batches(path) for item in batch]
    text = "".join("\x1f".join(map(cleared, item.paragraphs)) + "\x1e" for item in items)
    counts = [len(item.paragraphs) for item in items]
    return [item.id for item in items], counts, text.encode("utf-8", "replace")


def cleared(text):
    """Return a text without the signs that stand between blocks and documents."""
    return text.replace("\x1f", " ").replace("\x1e", " ")


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(documents=DOCUMENTS, space=SPACES, is_ascii=st.booleans(), has_end=st.booleans())
def test_both_readers_read_the_same(tmp_path_factory, documents, space, is_ascii, has_end):
    path = tmp_path_factory.mktemp("lines") / "in.jsonl"
    lines = []
    for name, paras, has_more, more in documents:
        row = {"id": name, "paras": paras} | ({"more": more} if has_more else {})
        separators = (f"{space},{space}", f"{space}:{space}")
        lines.append(json.dumps(row, ensure_ascii=is_ascii, separators=separators))
    path.write_text("\n\n".join(lines) + "\n" * has_end, encoding="utf-8", newline="")

    assert pieces_as_text(path) == batches_as_text(path)


LINES = {
    "half surrogates": rb'{"id": "a", "paras": ["x \ud800 y", "\udc00"]}',
    "two halves in the wrong order": rb'{"id": "a", "paras": ["\udc00\ud800 z"]}',
    "broken UTF-8": b'{"id": "a", "paras": ["caf\xe9 and \xf0\x9f more"]}',
    "overlong UTF-8": b'{"id": "a", "paras": ["\xc0\xaf \xed\xa0\x80 x"]}',
    "an escaped id": rb'{"id": "a\"b", "paras": ["x"]}',
    "a number": b'{"id": 0, "paras": ["x"]}',
    "keys the other way round": b'{"paras": ["x"], "id": "a"}',
    "the same key twice": b'{"id": "a", "paras": ["x"], "paras": ["y"]}',
    "separators as text": rb'{"id": "a", "paras": ["x\u001fy\u001ez"]}',
    "Windows line end": b'{"id": "a", "paras": ["x"]}\r',
    "a pair of surrogates": rb'{"id": "a", "paras": ["\ud83d\ude00 \/ \b"]}',
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_unusual_lines_are_read_alike(tmp_path, line):
    path = tmp_path / "in.jsonl"
    plain = b'{"id": "b", "paras": ["plain"]}\n'
    path.write_bytes(plain + line + b"\n" + plain.replace(b'"b"', b'"c"'))

    assert pieces_as_text(path) == batches_as_text(path)


def test_a_file_read_in_many_pieces_is_the_same(tmp_path, monkeypatch):
    path = tmp_path / "in.jsonl"
    lines = [
        f'{{"id": {n}, "paras": ["a {n}", "\\u001f b"]}}\n' + "\n" * (n % 3) for n in range(50)
    ]
    path.write_text("".join(lines), encoding="utf-8", newline="")
    whole = pieces_as_text(path)

    monkeypatch.setattr(deduplicating, "_BATCH_BYTES", 100)

    assert len(list(read_pieces(path))) > 5
    assert pieces_as_text(path) == whole == batches_as_text(path)
    path.write_text("".join(lines) + "[", encoding="utf-8", newline="")
    with pytest.raises(SourceError, match=f"line {''.join(lines).count(chr(10)) + 1} "):
        list(read_pieces(path))


BAD = {
    "an open string": b'{"id": "a", "paras": ["x',
    "an open list": b'{"id": "a", "paras": ["x"',
    "a control character": b'{"id": "a", "paras": ["x\x01"]}',
    "a comma too many": b'{"id": "a", "paras": ["x",]}',
    "something after it": b'{"id": "a", "paras": ["x"]} x',
    "an unknown escape": rb'{"id": "a", "paras": ["\x"]}',
    "a leading zero": b'{"id": 012, "paras": []}',
    "no line": b"[",
    "no text": b'{"id": "a", "paras": [null]}',
}


@pytest.mark.parametrize("line", BAD.values(), ids=BAD.keys())
def test_bad_lines_are_named_by_their_number(tmp_path, line):
    path = tmp_path / "in.jsonl"
    path.write_bytes(b'{"id": "b", "paras": []}\n\n' + line)

    with pytest.raises(SourceError, match="line 3"):
        list(read_pieces(path))
