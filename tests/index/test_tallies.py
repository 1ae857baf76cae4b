from collections import defaultdict
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.index import reader, tallies
from izwi.index.assemble import Origin, merge_segments
from izwi.index.columns import Packed
from izwi.index.reader import NO_DATE, Segment
from izwi.index.tallies import by_month, by_origin, by_section, count_copies
from tests.index.corpora import copy, corpora, document, on_disk, partitions

EPOCH = date(1970, 1, 1)
# Two in one month, so that the first or the last of a month may be gone.
DAYS = (None, date(2014, 1, 1), date(2014, 1, 2), date(2014, 1, 31), date(2020, 2, 29))


@st.composite
def counted_corpora(draw):
    """Draw documents, copies among them, in segments, and which documents of these are gone."""
    documents = [
        replace(each, metadata=replace(each.metadata, section=draw(st.sampled_from("ab"))))
        for each in draw(corpora(most=9))
    ]
    documents = [
        replace(
            each, metadata=replace(each.metadata, date=each.metadata.date and replace(
                each.metadata.date, value=draw(st.sampled_from(DAYS[1:]))
            )),
        )
        for each in documents
    ]  # fmt: skip
    owned = [copy(f"c{n}", owner="d0") for n in range(draw(st.integers(0, 2)))]
    parts = draw(partitions([*documents, *owned]))
    gone = [{n for n in range(len(part)) if draw(st.booleans())} for part in parts]
    return parts, gone


def by_hand(segments):
    """Return the same counts, from each document's card."""
    months, sources = defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0, None, None])
    sections, copies = defaultdict(int), 0
    for segment in segments:
        for number, row in enumerate(segment.cards.to_pylist()):
            if segment.is_gone[number]:
                continue
            if row["copy_of"]:
                copies += 1
                continue
            own, when = sources[row["source"]], row["date"]
            length = int(segment.document_lengths[number])
            own[0] += 1
            own[1] += length
            sections[row["section"]] += 1
            if when:
                day = (when - EPOCH).days
                own[2:] = [min(own[2] or day, day), max(own[3] or day, day)]
                month = months[(when.year - 1970) * 12 + when.month - 1]
                month[0] += 1
                month[1] += length
    return dict(months), dict(sources), dict(sections), copies


def by_tallies(segments):
    """Return the counts as they are kept."""
    months = {n: [held.documents, held.tokens] for n, held in by_month(segments).items()}
    names = [[source for _, _, source in segment.origins.rows] for segment in segments]
    sources = {
        name: [held.documents, held.tokens, held.first, held.last]
        for name, held in by_origin(segments, names).items()
    }
    return months, sources, by_section(segments), count_copies(segments)


@settings(max_examples=60)
@given(counted_corpora(), st.booleans())
def test_what_is_kept_is_what_each_document_says(drawn, is_old):
    parts, gone = drawn
    with on_disk(*parts) as segments:
        for path in (p for s in segments for p in s.folder.iterdir() if is_old):
            if path.name.startswith(("tally.", "sections.", "origins.")):
                path.unlink()
        segments = [
            Segment(segment.folder, [(each, each + 1) for each in sorted(own)])
            for segment, own in zip(segments, gone, strict=True)
        ]

        assert by_tallies(segments) == by_hand(segments)


@settings(max_examples=20)
@given(counted_corpora())
def test_segments_that_were_merged_count_what_was_not_gone(tmp_path_factory, drawn):
    parts, gone = drawn
    folder = tmp_path_factory.mktemp("merged")
    with on_disk(*parts) as segments:
        segments = [
            Segment(segment.folder, [(each, each + 1) for each in sorted(own)])
            for segment, own in zip(segments, gone, strict=True)
        ]
        before = by_tallies(segments)
        entry = merge_segments(folder, segments, Origin("f", ("0",)))

    merged = Segment(folder / entry.id)
    assert by_tallies([merged]) == before
    numbers = merged.origins.numbers[:].tolist()
    assert [merged.origins.rows[n][2] for n in numbers] == [
        row["source"] for row in merged.cards.to_pylist()
    ]
    assert set(numbers) == set(range(len(merged.origins.rows)))


def many(count):
    """Return documents of two months, the first of January, the others in February."""
    days = [date(2014, 1, 1), *[date(2014, 2, 1 + n % 28) for n in range(count - 1)]]
    return [document(f"d{n}", "a b", when=day) for n, day in enumerate(days)]


def test_of_what_is_there_no_document_is_read(monkeypatch):
    with on_disk(many(50)) as segments:
        before = by_tallies([Segment(segments[0].folder)])
        monkeypatch.setattr(Segment, "cards", property(lambda _: pytest.fail("it reads cards")))
        monkeypatch.setattr(Packed, "__getitem__", lambda *_: pytest.fail("it reads numbers"))

        assert by_tallies([Segment(segments[0].folder)]) == before


@pytest.mark.parametrize("count", [50, 200])
def test_of_what_is_gone_only_that_is_read(monkeypatch, count):
    looked = []

    def watched(cards, rows):
        looked.append(len(rows))
        return reader.days_at(cards, rows)

    with on_disk(many(count)) as segments:
        monkeypatch.setattr(tallies, "days_at", watched)
        # A day in the middle of the month: neither the first nor the last of its source.
        by_tallies([Segment(segments[0].folder, [(10, 12)])])

    assert looked == [2]


def test_the_first_day_is_another_if_its_page_is_gone():
    with on_disk(many(50)) as segments:
        left = by_tallies([Segment(segments[0].folder, [(0, 1)])])[1]["herald"]

    assert EPOCH.toordinal() + left[2] == date(2014, 2, 1).toordinal()


def test_undated_documents_have_no_first_day():
    with on_disk([document("a", "one")]) as segments:
        assert by_tallies(segments)[1] == {"herald": [1, 1, None, None]}
        assert segments[0].dates.tolist() == np.array([NO_DATE]).tolist()
