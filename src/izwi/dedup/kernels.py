"""The inner loops, compiled, from hashes to copies: who owns what, and which blocks are covered."""

from typing import Any

import numpy as np
from numba import njit

# Keys are put in order by so many of their first bits: a part then fits the nearest cache.
ARRANGED_BITS = 9
# Nobody owns the n-gram.
NOBODY = np.uint32(0xFFFFFFFF)

_BASE = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


@njit(cache=True, nogil=True)
def arrange(keys: Any, ends: Any, numbers: Any, places: Any, arranged: Any, claimants: Any) -> int:
    """Put the keys of documents in order of their first bits, and say where each came from.

    Looked up in this order, neighbouring keys fall on neighbouring memory; keys that are equal
    stay in the order of their documents. `ends` says where each document's keys end. Keys that
    are 0 are left out; the number of the others is returned.
    """
    shift = np.uint64(64 - ARRANGED_BITS)
    starts = np.zeros((1 << ARRANGED_BITS) + 1, np.int64)
    for i in range(len(keys)):
        if keys[i] != _ZERO:
            starts[(keys[i] >> shift) + _ONE] += 1
    for part in range(1 << ARRANGED_BITS):
        starts[part + 1] += starts[part]
    first = 0
    for document in range(len(ends)):
        for i in range(first, ends[document]):
            if keys[i] != _ZERO:
                part = keys[i] >> shift
                place = starts[part]
                starts[part] = place + 1
                arranged[place] = keys[i]
                claimants[place] = numbers[document]
                places[place] = i
        first = ends[document]
    return int(starts[(1 << ARRANGED_BITS) - 1])


@njit(cache=True, nogil=True)
def claim(keys: Any, found: Any, claimants: Any, places: Any, owners: Any,
          table: Any, holders: Any, shift: Any) -> int:  # fmt: skip
    """Give each key nobody owns yet to its holder in the table or, if it is new, to its claimant.

    `owners` takes the owner of each key at its place. The slot of a key is given by its first
    bits, so the table is all but sorted at any time.
    """
    added = 0
    for i in range(len(keys)):
        if found[i] != NOBODY:
            owners[places[i]] = found[i]
            continue
        key = keys[i]
        slot = key >> shift
        while table[slot] != _ZERO and table[slot] != key:
            slot += _ONE
        if table[slot] == _ZERO:
            table[slot] = key
            holders[slot] = claimants[i]
            added += 1
        owners[places[i]] = holders[slot]
    return added


@njit(cache=True, nogil=True)
def number_names(
    keys: Any, owners: Any, following: int, table: Any, holders: Any, shift: Any
) -> int:
    """Fill in the numbers of named documents: those the table has, and the next for new ones."""
    added = 0
    for i in range(len(keys)):
        if owners[i] != NOBODY:
            continue
        slot = keys[i] >> shift
        while table[slot] != _ZERO and table[slot] != keys[i]:
            slot += _ONE
        if table[slot] == _ZERO:
            table[slot] = keys[i]
            holders[slot] = following + added
            added += 1
        owners[i] = holders[slot]
    return added


@njit(cache=True, nogil=True)
def sorted_entries(table: Any, holders: Any, keys: Any, owners: Any) -> None:
    """Fill in the entries of a table in order of their keys: a scan and short insertions."""
    count = 0
    for slot in range(len(table)):
        key = table[slot]
        if key == _ZERO:
            continue
        place = count
        while place > 0 and keys[place - 1] > key:
            keys[place] = keys[place - 1]
            owners[place] = owners[place - 1]
            place -= 1
        keys[place] = key
        owners[place] = holders[slot]
        count += 1


@njit(cache=True, nogil=True)
def cover(owners: Any, document_ends: Any, block_ends: Any, blocks_until: Any, numbers: Any, n: int,
          covered: Any, block_owner: Any, hits: Any) -> None:  # fmt: skip
    """Fill in, per block, how many tokens earlier documents' n-grams cover, and whose most are."""
    longest = 1
    first = 0
    for document in range(len(document_ends)):
        longest = max(longest, document_ends[document] - first)
        first = document_ends[document]
    found = np.empty(longest, np.uint32)
    first = block = 0
    for document in range(len(document_ends)):
        number, end = numbers[document], blocks_until[document]
        reach = 0
        for b in range(end - 1, block - 1, -1):
            begin = block_ends[b - 1] if b > block else first
            count = total = 0
            for i in range(block_ends[b] - 1, begin - 1, -1):
                if owners[i] < number:
                    reach = n
                    found[count] = owners[i]
                    count += 1
                if reach > 0:
                    total += 1
                    reach -= 1
            covered[b] = total
            hits[b] = count
            block_owner[b] = most_frequent(found[:count]) if count else NOBODY
        first, block = document_ends[document], end


@njit(cache=True, nogil=True)
def most_frequent(values: Any) -> Any:
    """Return the value that occurs most often, the smallest of several; `values` is sorted."""
    is_one = True
    for i in range(1, len(values)):
        if values[i] != values[0]:
            is_one = False
            break
    if is_one:
        return values[0]
    values.sort()
    best, most, run = values[0], 0, 0
    for i in range(len(values)):
        run = run + 1 if i > 0 and values[i] == values[i - 1] else 1
        if run > most:
            best, most = values[i], run
    return best


@njit(cache=True, nogil=True)
def shares_within(grams: Any, block_ends: Any, others: Any) -> Any:
    """Return for each block of a document the share of its short n-grams that `others` has."""
    bits = 4
    while (1 << bits) < 2 * len(others):
        bits += 1
    mask = np.uint64((1 << bits) - 1)
    table = np.zeros(1 << bits, np.uint32)
    for gram in others:
        slot = np.uint64(gram) * _BASE >> _HALF & mask
        while table[slot] != 0 and table[slot] != gram:
            slot = (slot + _ONE) & mask
        table[slot] = gram
    shares = np.zeros(len(block_ends), np.float64)
    first = 0
    for block in range(len(block_ends)):
        count = met = 0
        for i in range(first, block_ends[block]):
            gram = grams[i]
            if gram == 0:
                continue
            count += 1
            slot = np.uint64(gram) * _BASE >> _HALF & mask
            while table[slot] != 0 and table[slot] != gram:
                slot = (slot + _ONE) & mask
            met += table[slot] == gram
        shares[block] = met / count if count else 0.0
        first = block_ends[block]
    return shares


@njit(cache=True, nogil=True)
def repeated_blocks(keys: Any, blocks_until: Any, sizes: Any, least: int, repeated: Any) -> None:
    """Mark the blocks of at least so many tokens that stood earlier in the same document."""
    most = block = 0
    for document in range(len(blocks_until)):
        most = max(most, blocks_until[document] - block)
        block = blocks_until[document]
    bits = 4
    while (1 << bits) < 2 * most:
        bits += 1
    mask = np.uint64((1 << bits) - 1)
    table = np.zeros(1 << bits, np.uint64)
    stamp = np.full(1 << bits, -1, np.int64)
    block = 0
    for document in range(len(blocks_until)):
        for b in range(block, blocks_until[document]):
            if sizes[b] < least or keys[b] == _ZERO:
                continue
            slot = keys[b] >> _HALF & mask
            while stamp[slot] == document and table[slot] != keys[b]:
                slot = (slot + _ONE) & mask
            if stamp[slot] == document:
                repeated[b] = True
            else:
                stamp[slot] = document
                table[slot] = keys[b]
        block = blocks_until[document]


@njit(cache=True, nogil=True)
def suspects(owners: Any, document_ends: Any, block_ends: Any, blocks_until: Any, numbers: Any,
             methods: Any, suspected: Any, shared: Any) -> None:  # fmt: skip
    """Fill in, for documents with blocks left, who owns most of their n-grams, and how many."""
    found = np.empty(max(1, len(owners)), np.uint32)
    first = block = 0
    for document in range(len(document_ends)):
        last, end = document_ends[document], blocks_until[document]
        left = 0
        for b in range(block, end):
            left += methods[b] == 0 and block_ends[b] > (block_ends[b - 1] if b > 0 else 0)
        count = 0
        if left:
            for i in range(first, last):
                if owners[i] < numbers[document]:
                    found[count] = owners[i]
                    count += 1
        shared[document] = 0
        suspected[document] = NOBODY
        if count:
            best = most_frequent(found[:count])
            suspected[document] = best
            for i in range(count):
                shared[document] += found[i] == best
        first, block = last, end


@njit(cache=True, nogil=True)
def mark_stubs(
    methods: Any, owners: Any, sizes: Any, blocks_until: Any, stub: int, method: int
) -> None:
    """Remove short rests next to removed blocks that are larger than they are."""
    block = 0
    for document in range(len(blocks_until)):
        end = blocks_until[document]
        b = block
        while b < end:
            if methods[b] != 0:
                b += 1
                continue
            last, tokens = b, 0
            while last < end and methods[last] == 0:
                tokens += sizes[last]
                last += 1
            beside = 0
            place = b - 1
            while place >= block and methods[place] != 0:
                beside += sizes[place]
                place -= 1
            place = last
            while place < end and methods[place] != 0:
                beside += sizes[place]
                place += 1
            if beside > 0 and tokens <= stub and tokens < beside:
                owner = owners[b - 1] if b > block else owners[last]
                for place in range(b, last):
                    methods[place] = method
                    owners[place] = owner
            b = last
        block = end
