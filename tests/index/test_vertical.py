import gzip

import pytest

from izwi.index.assemble import Origin, merge_segments
from izwi.index.reader import Segment
from izwi.index.vertical import VerticalShape, import_vertical

SHAPE = VerticalShape(("word", "lemma"), ("doc", "s"))
TEXT = """<doc id="one" date="2014-03" title="Bread &amp; roses">
<s>
Houses\thouse
burn\tburn
<g/>
.\t.
</s>
</doc>
<doc id="two">
<other>
<s>
<\t<
alone
</s>
</doc>
"""


def segment_of(folder, text, memory_bytes=1 << 20):
    path = folder / "text.vert"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    origin = Origin("imported-1")
    entry = import_vertical(path, folder / "segments", SHAPE, origin, memory_bytes=memory_bytes)
    return Segment(folder / "segments" / entry.id)


def values(segment, name):
    attribute = segment.attribute(name)
    return attribute.values(attribute.column[:])


def test_lines_become_tokens_and_tags_structures(tmp_path):
    segment = segment_of(tmp_path, TEXT)

    assert values(segment, "word") == ["Houses", "burn", ".", "<", "alone"]
    assert values(segment, "lemma") == ["house", "burn", ".", "<", ""]
    assert segment.text(0, 3) == "Houses burn. "
    assert segment.structure("s").starts.tolist() == [0, 3]
    first, second = segment.card(0), segment.card(1)
    assert (first.id, first.title, str(first.date)) == ("one", "Bread & roses", "2014-03-01")
    assert (first.date_precision, second.date) == ("month", None)
    assert (segment.offset(0, 2), segment.offset(1, 4)) == (2, 1)


def test_packed_text_and_line_ends_of_windows_are_read(tmp_path):
    path = tmp_path / "text.vert.gz"
    path.write_bytes(gzip.compress(TEXT.replace("\n", "\r\n").encode()))

    entry = import_vertical(path, tmp_path / "s", SHAPE, Origin("i"), memory_bytes=1 << 20)

    assert values(Segment(tmp_path / "s" / entry.id), "lemma")[:2] == ["house", "burn"]


def test_little_memory_gives_the_same_segment(tmp_path, monkeypatch):
    text = "".join(f'<doc id="{d}">\n<s>\n' + "".join(f"w{d * n % 97}\tl{n}\n" for n in range(40))
                   + "</s>\n</doc>\n" for d in range(30))  # fmt: skip
    whole = segment_of(tmp_path, text)
    monkeypatch.setattr("izwi.index.vertical._READ_BYTES", 1 << 9)
    monkeypatch.setattr("izwi.index.vertical.max", lambda *_: 60, raising=False)

    parts = segment_of(tmp_path, text, memory_bytes=1)

    for name in ("word", "lemma"):
        assert values(parts, name) == values(whole, name)
        assert list(parts.attribute(name).lexicon) == list(whole.attribute(name).lexicon)
    assert parts.document_starts.tolist() == whole.document_starts.tolist()
    assert parts.cards.equals(whole.cards)


def test_bytes_that_are_no_text_are_shown_as_such(tmp_path):
    assert values(segment_of(tmp_path, b"caf\xe9\tx\n"), "word") == ["caf\\xe9"]


def test_a_file_without_tokens_is_an_empty_segment(tmp_path):
    segment = segment_of(tmp_path, "")

    assert (segment.tokens, list(segment.word.lexicon)) == (0, [])


@pytest.mark.parametrize("times", [1, 300], ids=["looked-through", "with-lists"])
def test_merged_segments_hold_what_they_held(tmp_path, times):
    many = "<doc>\n" + "".join(f"w{n}\tw{n % 280}\n" for n in range(times)) + "</doc>\n"
    one, two = (segment_of(tmp_path, text) for text in (TEXT + many, many + TEXT))

    entry = merge_segments(tmp_path / "merged", [one, two], Origin("f", ("a", "b")))

    merged = Segment(tmp_path / "merged" / entry.id)
    assert entry.tokens == merged.tokens == one.tokens + two.tokens
    for name in ("word", "lemma"):
        expected = values(one, name) + values(two, name)
        assert values(merged, name) == expected
        attribute = merged.attribute(name)
        for number, value in enumerate(attribute.lexicon):
            places = [p for p, other in enumerate(expected) if other == value]
            assert attribute.positions(number).tolist() == places
            assert attribute.frequency(number) == len(places)
    assert merged.structure("s").starts.tolist() == [
        *one.structure("s").starts, *(two.structure("s").starts + one.tokens)
    ]  # fmt: skip
    assert merged.text(0, merged.tokens) == one.text(0, one.tokens) + two.text(0, two.tokens)
