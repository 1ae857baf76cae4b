"""Hashing, claiming and judging give the same compiled and interpreted, within bounds."""

import random

import numpy as np
import pytest

from izwi.dedup import batch
from izwi.dedup.batch import character_tables, text_of
from izwi.kernels import claims, copies, hashruns, textprints
from tests.kernels.interpreted import interpreted

PIECES = (
    "the ",
    "Fox",
    "ﷺ",
    "é",
    "e\u0301",
    "中文",
    "\u200b",
    " ",
    "!",
    "😀",
    "ǅ",
    "℃",
    "\n",
    "x" * 40,
)


def viewed(array):
    """Return an array whose numbers are Python's, which do not overflow when interpreted."""
    return memoryview(array) if isinstance(array, np.ndarray) else array


def soup(seed, documents=6):
    """Return the bytes of some documents put together by chance."""
    dice = random.Random(seed)
    texts = [
        ["".join(dice.choices(PIECES, k=dice.randrange(30))) for _ in range(dice.randrange(1, 5))]
        for _ in range(documents)
    ]
    return text_of([*texts, texts[0]])


def hashed(module, text, view, *, has_marks=False):
    """Return all that two kernels fill in about a text."""
    tables = character_tables()
    tokens = np.zeros(len(text) * 4 // 3 + 2, np.uint64)
    documents = int((text == 0x1E).sum())
    block_ends = np.zeros(documents + int((text == 0x1F).sum()), np.int64)
    ends = np.zeros(documents, np.int64)
    word_sizes = np.zeros(len(block_ends), np.uint8)
    given = (text, tables.plain, tables.kinds, tables.folded, tables.expansions, has_marks)
    count = module.tokenise(*map(view, (*given, tokens, block_ends, ends, word_sizes)))
    ignored = np.sort(tokens[:count][:2])
    count = module.drop_ignored(*map(view, (tokens[:count], block_ends, ignored)))
    filled = [np.zeros(count, np.uint64), np.zeros(count, np.uint32)]
    filled += [np.zeros(len(block_ends), np.uint64), np.zeros(documents, np.uint64)]
    sizes = np.array([3, 2, 2], np.int64)
    module.hash_tokens(*map(view, (tokens[:count], block_ends, ends, sizes, *filled)))
    return [array.tolist() for array in (tokens[:count], block_ends, ends, word_sizes, *filled)]


@pytest.mark.parametrize("has_marks", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_texts_have_the_same_hashes_interpreted(seed, has_marks):
    text = soup(seed)

    compiled = hashed(textprints, text, lambda array: array, has_marks=has_marks)

    assert compiled == hashed(interpreted("textprints"), text, viewed, has_marks=has_marks)


def test_kinds_of_characters_have_the_numbers_the_kernel_knows():
    kernel = interpreted("textprints")

    for name in ("LETTER", "ALONE", "NOTHING", "MARK", "EXPANDED", "COMBINING", "TABLE_SIZE"):
        assert getattr(kernel, name) == getattr(batch, name)


def claimed(module, view):
    """Return who owns what after two rounds of claims, and the table in order."""
    dice = np.random.default_rng(3)
    table, holders = np.zeros(1 << 10, np.uint64), np.zeros(1 << 10, np.uint32)
    owned = []
    for round_ in range(2):
        keys = dice.integers(0, 90, 200).astype(np.uint64) << np.uint64(57) | np.uint64(round_)
        ends, numbers = np.arange(20, 201, 20), np.arange(10, dtype=np.uint32)
        starts, places = np.zeros(513, np.int64), np.zeros(200, np.uint32)
        arranged, claimants = np.zeros(200, np.uint64), np.zeros(200, np.uint32)
        given = (keys, ends, numbers, starts, places, arranged, claimants)
        count = module.arrange(*map(view, given))
        found, owners = np.full(count, 2**32 - 1, np.uint32), np.zeros(200, np.uint32)
        given = (arranged[:count], found, claimants, places, owners, table, holders, 55)
        owned.append((count, module.claim(*map(view, given)), owners.tolist()))
    names = np.full(5, 2**32 - 1, np.uint32)
    given = (np.arange(1, 6, dtype=np.uint64), names, 100, table, holders, 55)
    new = module.number_names(*map(view, given))
    total = int((table != 0).sum())
    keys, owners = np.zeros(total, np.uint64), np.zeros(total, np.uint32)
    module.sorted_entries(*map(view, (table, holders, keys, owners)))
    return owned, new, names.tolist(), keys.tolist(), owners.tolist()


def test_claims_are_the_same_interpreted():
    compiled = claimed(claims, lambda array: array)

    assert compiled == claimed(interpreted("claims"), viewed)
    assert compiled[3] == sorted(compiled[3])


def judged(module, view):
    """Return what the loops over blocks say of documents that share much."""
    dice = np.random.default_rng(5)
    owners = dice.integers(0, 8, 300).astype(np.uint32)
    block_ends = [*np.sort(dice.choice(299, 29, replace=False) + 1).tolist(), 300]
    block_ends = np.array(block_ends, np.int64)
    blocks_until = np.array([5, 12, 20, 30], np.int64)
    document_ends, numbers = block_ends[blocks_until - 1], np.array([2, 3, 5, 7], np.uint32)
    sizes = np.diff(block_ends, prepend=0)
    covered, hits, runs = (np.zeros(30, np.int64) for _ in range(3))
    owner = np.zeros(30, np.uint32)
    shape = (owners, document_ends, block_ends, blocks_until, numbers)
    work = (np.zeros(300, np.uint32), covered, owner, hits, runs)
    module.cover(*map(view, (*shape, 4, *work)))
    methods = (covered > sizes * 0.8).astype(np.uint8)
    suspected, shared = np.zeros(4, np.uint32), np.zeros(4, np.int64)
    module.suspects(*map(view, (*shape, methods, np.zeros(300, np.uint32), suspected, shared)))
    keys = np.tile(dice.integers(1, 2**63, 15).astype(np.uint64), 20)
    work = (np.zeros(1024, np.uint64), np.full(1024, -1, np.int64))
    repeated = np.zeros(30, np.uint8)
    given = (keys, block_ends, blocks_until, methods, 4, *work, repeated)
    module.repeated_blocks(*map(view, given))
    module.mark_stubs(*map(view, (methods, owner, sizes, blocks_until, 6, 5)))
    grams = dice.integers(0, 50, 300).astype(np.uint32)
    shares, own = np.zeros(30, np.float64), np.zeros(30, np.int64)
    others = dice.integers(0, 50, 20).astype(np.uint32)
    given = (grams, block_ends, others, 3, np.zeros(64, np.uint32), shares, own)
    module.shares_within(*map(view, given))
    found = (covered, hits, owner, suspected, shared, repeated, methods, shares, runs, own)
    return [array.tolist() for array in found]


def test_judgements_are_the_same_interpreted():
    compiled = judged(copies, lambda array: array)

    assert compiled == judged(interpreted("copies"), viewed)
    assert len(set(compiled[2])) > 2


def looked_up(module, view):
    """Return a merged run, its fingerprints, and what is found in it."""
    dice = np.random.default_rng(7)
    first = np.unique(dice.integers(1, 2**63, 200).astype(np.uint64) | np.uint64(1))
    second = np.unique(np.append(first[:50], dice.integers(1, 2**63, 99).astype(np.uint64)))
    owners = np.arange(len(first), dtype=np.uint32)
    others = np.arange(len(second), dtype=np.uint32)
    out, merged = np.zeros(400, np.uint64), np.zeros(400, np.uint32)
    count = module.merge(*map(view, (first, owners, second, others, out, merged)))
    prints, directory = np.zeros(count, np.uint16), np.zeros(33, np.uint32)
    entry = module.fill_fingerprints(*map(view, (out[:count], 0, 59, 0, prints, directory, 0)))
    directory[entry:] = count
    which, places = np.zeros(300, np.int64), np.zeros(300, np.int64)
    nobody = np.full(len(first), 2**32 - 1, np.uint32)
    given = (first, nobody, 2**32 - 1, prints, directory, 59, 0, which, places)
    found = module.probe(*map(view, given))
    few = (*given[:-2], which[:3], places[:3])
    arrays = (out[:count], merged[:count], prints, directory, which[:found], places[:found])
    return found, module.probe(*map(view, few)), [array.tolist() for array in arrays]


def test_runs_are_the_same_interpreted():
    compiled = looked_up(hashruns, lambda array: array)

    assert compiled == looked_up(interpreted("hashruns"), viewed)
    assert compiled[0] >= 190
    assert compiled[1] == -1


def test_no_kernel_writes_beyond_its_tables():
    text = soup(1)
    tables = character_tables()
    given = (text, tables.plain, tables.kinds, tables.folded, tables.expansions, False)
    word_sizes = np.zeros(99, np.uint8)

    with pytest.raises(IndexError):
        textprints.tokenise(
            *given, np.zeros(3, np.uint64), np.zeros(99, np.int64), np.zeros(99, np.int64),
            word_sizes,
        )  # fmt: skip
    with pytest.raises(IndexError):
        textprints.tokenise(
            *given, np.zeros(9999, np.uint64), np.zeros(1, np.int64), np.zeros(9, np.int64),
            word_sizes,
        )  # fmt: skip
    with pytest.raises(IndexError):
        copies.suspects(
            np.zeros(9, np.uint32), np.array([99]), np.array([99]), np.array([1]),
            np.array([5], np.uint32), np.zeros(1, np.uint8), np.zeros(9, np.uint32),
            np.zeros(1, np.uint32), np.zeros(1, np.int64),
        )  # fmt: skip
