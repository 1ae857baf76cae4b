"""A short paragraph is a copy only where it can be read in the document it is a copy of."""

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from izwi.dedup.batch import NgramReading, read_batch
from izwi.dedup.company import Company
from izwi.dedup.copied_blocks import Settings
from izwi.dedup.judge import JudgeConfig
from izwi.dedup.ownership import NOBODY
from izwi.text.verdicts import Select, SelectConfig
from tests.dedup.worlds import World, document

# As a corpus has it (`[dedup] stub` and `rest`).
STUB, REST = 8, 20
CONFIG = JudgeConfig(Settings(stub=STUB, rest=REST))


def words(name, count):
    """Return a paragraph of so many words that stand in no other."""
    drawn = random.Random(name)
    return " ".join(f"{name}{drawn.randrange(10**6)}" for _ in range(count))


LONG = [words(f"long{n}x", 45) for n in range(6)]
SHORT = [words(f"short{size}x", size) for size in (1, 2, 4, 5, 7, 8, 9, 12, 14, 17, 20)]
PAGES = st.lists(
    st.lists(st.sampled_from([*LONG, *LONG, *SHORT]), min_size=1, max_size=7),
    min_size=2, max_size=7,
)  # fmt: skip


def selected(folder, pages, is_split=False):
    """Return the documents of a corpus, its copies judged and left out."""
    shown = [document(f"d{n}", page, day=n + 1) for n, page in enumerate(pages)]
    shards = {"a": shown[::2], "b": shown[1::2]} if is_split else {"a": shown}
    world = World(folder, CONFIG)
    world.put({name: some for name, some in shards.items() if some})
    judged = [each for shard in world.judged.values() for each in shard]
    return {each.id: each for each in Select(SelectConfig())(iter(judged))}


def lost(found):
    """Return the paragraphs that nobody can find, though no document has them as mere rests."""
    kept = [each for each in found.values() if each.verdict.is_kept]
    searchable = {
        paragraph.text
        for each in kept
        for n, paragraph in enumerate(each.paragraphs)
        if n not in each.left_out
    }
    return {text for each in found.values() for text in _wanted(each)} - searchable


def _wanted(each):
    methods = {block.paragraph: block.method for block in each.copied}
    # What a folded document has of its own goes with it, if it is not much.
    rests = ("stub",) if each.verdict.is_kept else ("stub", "repeated", None)
    if each.copy_of and each.copy_of.method == "exact":
        return
    for n, paragraph in enumerate(each.paragraphs):
        if methods.get(n) not in rests:
            yield paragraph.text


@given(PAGES, st.booleans())
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_paragraph_is_lost_whatever_its_length(tmp_path_factory, pages, is_split):
    assert not lost(selected(tmp_path_factory.mktemp("world"), pages, is_split))


@pytest.mark.parametrize("size", [4, 8])
def test_a_rest_between_copies_owns_nothing_that_others_have(tmp_path, size):
    rest = words("rest", size)
    found = selected(
        tmp_path,
        [LONG[:2], [LONG[0], rest, LONG[1], *LONG[2:4]], [LONG[4], rest, LONG[5]]],
    )

    assert 1 in found["d1"].left_out
    assert not found["d2"].copied


def test_what_goes_with_a_folded_document_owns_nothing_that_others_have(tmp_path):
    rest = words("rest", 17)
    found = selected(tmp_path, [LONG[:4], [*LONG[:4], rest], [LONG[4], rest, LONG[5]]])

    assert not found["d1"].verdict.is_kept
    assert not found["d2"].copied


@pytest.mark.parametrize("between", [[], ["4 May 2020"]], ids=["above", "above-a-day"])
def test_short_lines_that_stand_where_they_stood_are_copies(tmp_path, between):
    title, line = words("title", 7), words("line", 12)
    found = selected(
        tmp_path,
        [
            [title, LONG[0], line, LONG[1]],
            [LONG[2], title, *between, LONG[0], line, LONG[1], LONG[3]],
        ],
    )

    own = [n for n in range(len(found["d1"].paragraphs)) if n not in found["d1"].left_out]
    assert own == [0, len(found["d1"].paragraphs) - 1]


def test_words_of_which_nobody_knows_whose_they_are_stay():
    batch = read_batch([[LONG[0], "one", "two", LONG[1]]], NgramReading())
    owners = np.full(len(batch.ngrams), NOBODY, np.uint32)

    def sketch(document):
        assert document != NOBODY
        return np.zeros(0, np.uint32)

    company = Company(batch, owners, dict.fromkeys((0, 1, 2), NOBODY), 7, 3, sketch)

    assert company.kept(STUB, REST) == set()
