"""From owners to copies: which blocks are covered, repeated, contained, or left as stubs."""

import cython

NOBODY = cython.declare(cython.uint, 0xFFFFFFFF)
BASE = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


def cover(
    owners: cython.const[cython.uint][::1],
    document_ends: cython.const[cython.longlong][::1],
    block_ends: cython.const[cython.longlong][::1],
    blocks_until: cython.const[cython.longlong][::1],
    numbers: cython.const[cython.uint][::1],
    n: cython.Py_ssize_t,
    found: cython.uint[::1],
    covered: cython.longlong[::1],
    block_owner: cython.uint[::1],
    hits: cython.longlong[::1],
    own_runs: cython.longlong[::1],
):
    """Fill in, per block, how many tokens earlier documents' n-grams cover, and whose most are.

    And how many tokens in a row, at most, they leave. `found` is work space for the n-grams of
    the longest block.
    """
    first: cython.Py_ssize_t = 0
    block: cython.Py_ssize_t = 0
    document: cython.Py_ssize_t
    number: cython.uint
    end: cython.Py_ssize_t
    reach: cython.Py_ssize_t
    b: cython.Py_ssize_t
    i: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    count: cython.Py_ssize_t
    total: cython.Py_ssize_t
    run: cython.Py_ssize_t
    longest: cython.Py_ssize_t
    for document in range(document_ends.shape[0]):
        number = numbers[document]
        end = blocks_until[document]
        reach = 0
        b = end - 1
        while b >= block:
            begin = block_ends[b - 1] if b > block else first
            count = total = run = longest = 0
            i = block_ends[b] - 1
            while i >= begin:
                if owners[i] < number:
                    reach = n
                    found[count] = owners[i]
                    count += 1
                if reach > 0:
                    total += 1
                    reach -= 1
                    run = 0
                else:
                    run += 1
                    longest = max(longest, run)
                i -= 1
            covered[b] = total
            hits[b] = count
            own_runs[b] = longest
            block_owner[b] = most_frequent(found, count) if count else NOBODY
            b -= 1
        first = document_ends[document]
        block = end
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def most_frequent(values: cython.uint[::1], count: cython.Py_ssize_t) -> cython.longlong:
    """Return the value most frequent among the first `count`, the smallest of several; they are
    sorted where they differ.
    """
    i: cython.Py_ssize_t = 1
    run: cython.Py_ssize_t = 0
    most: cython.Py_ssize_t = 0
    best: cython.longlong = values[0]
    while i < count and values[i] == values[0]:
        i += 1
    if i >= count:
        return best
    heap_sort(values, count)
    for i in range(count):
        run = run + 1 if i > 0 and values[i] == values[i - 1] else 1
        if run > most:
            best = values[i]
            most = run
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def heap_sort(values: cython.uint[::1], count: cython.Py_ssize_t) -> cython.int:
    """Sort the first `count` values in place."""
    i: cython.Py_ssize_t = count // 2
    last: cython.Py_ssize_t = count
    value: cython.uint
    while i > 0:
        i -= 1
        sink(values, i, count)
    while last > 1:
        last -= 1
        value = values[0]
        values[0] = values[last]
        values[last] = value
        sink(values, 0, last)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def sink(
    values: cython.uint[::1], place: cython.Py_ssize_t, count: cython.Py_ssize_t
) -> cython.int:
    """Let a value sink in a heap until none below it is larger."""
    value: cython.uint = values[place]
    below: cython.Py_ssize_t = 2 * place + 1
    while below < count:
        if below + 1 < count and values[below + 1] > values[below]:
            below += 1
        if values[below] <= value:
            break
        values[place] = values[below]
        place = below
        below = 2 * place + 1
    values[place] = value
    return 0


def shares_within(
    grams: cython.const[cython.uint][::1],
    block_ends: cython.const[cython.longlong][::1],
    others: cython.const[cython.uint][::1],
    size: cython.Py_ssize_t,
    table: cython.uint[::1],
    shares: cython.double[::1],
    own_runs: cython.longlong[::1],
):
    """Fill in for each block of a document the share of its short n-grams that `others` has.

    And how many tokens in a row, at most, are in none of those; `size` is that of the n-grams.
    `table` is work space: zeros, as many as a power of two that is more than twice the others.
    """
    mask: cython.ulonglong = table.shape[0] - 1
    first: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    block: cython.Py_ssize_t
    count: cython.Py_ssize_t
    met: cython.Py_ssize_t
    run: cython.Py_ssize_t
    longest: cython.Py_ssize_t
    for i in range(others.shape[0]):
        if others[i] != 0:
            table[slot_of(others[i], table, mask)] = others[i]
    for block in range(block_ends.shape[0]):
        count = met = run = longest = 0
        for i in range(first, block_ends[block]):
            run += 1
            if grams[i] == 0:
                continue
            count += 1
            if table[slot_of(grams[i], table, mask)] == grams[i]:
                met += 1
                longest = max(longest, run - size)
                run = 0
        longest = max(longest, run)
        shares[block] = cython.cast(cython.double, met) / count if count else 0.0
        own_runs[block] = longest
        first = block_ends[block]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def slot_of(
    gram: cython.uint, table: cython.uint[::1], mask: cython.ulonglong
) -> cython.Py_ssize_t:
    """Return the slot that holds a short n-gram, or the empty one where it would be."""
    hashed: cython.ulonglong = gram
    hashed = ((hashed * BASE) & ALL) >> 32 & mask
    slot: cython.Py_ssize_t = hashed
    while table[slot] != 0 and table[slot] != gram:
        slot = (slot + 1) & cython.cast(cython.Py_ssize_t, mask)
    return slot


def repeated_blocks(
    ngrams: cython.const[cython.ulonglong][::1],
    block_ends: cython.const[cython.longlong][::1],
    blocks_until: cython.const[cython.longlong][::1],
    methods: cython.const[cython.uchar][::1],
    n: cython.Py_ssize_t,
    table: cython.ulonglong[::1],
    stamps: cython.longlong[::1],
    repeated: cython.uchar[::1],
):
    """Mark the blocks whose n-grams all stand in other blocks of the same document, which stay.

    Of blocks that say the same the first stays. `table` and `stamps` are work space of a power of
    two more than twice the tokens of the longest document; stamps begin as -1.
    """
    first: cython.Py_ssize_t = 0
    base: cython.Py_ssize_t = 0
    token: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    mask: cython.Py_ssize_t
    document: cython.Py_ssize_t
    count: cython.Py_ssize_t
    met: cython.Py_ssize_t
    b: cython.Py_ssize_t
    for document in range(blocks_until.shape[0]):
        count = blocks_until[document] - first
        end = block_ends[first + count - 1] if count > 0 else token
        # A short document stays within few slots, which the cache holds.
        mask = 15
        while mask < 2 * (end - token):
            mask = 2 * mask + 1
        met = 0
        for b in range(first, first + count):
            if methods[b] == 0:
                met += met_before(
                    ngrams, block_ends, b, n, base, base + b - first, mask, table, stamps, repeated
                )
        base += count
        if met > 0:
            for b in range(first + count - 1, first - 1, -1):
                if methods[b] == 0 and repeated[b] == 0:
                    met_before(
                        ngrams, block_ends, b, n, base, base + first + count - 1 - b, mask,
                        table, stamps, repeated,
                    )  # fmt: skip
            base += count
        token = end
        first += count
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def met_before(
    ngrams: cython.const[cython.ulonglong][::1],
    block_ends: cython.const[cython.longlong][::1],
    block: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    base: cython.Py_ssize_t,
    stamp: cython.Py_ssize_t,
    mask: cython.Py_ssize_t,
    table: cython.ulonglong[::1],
    stamps: cython.longlong[::1],
    repeated: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """Return how many n-grams of a block were met in blocks before it; mark it if all were.

    What was met since `base` is in the table, with the stamp of the block that had it first.
    """
    i: cython.Py_ssize_t = (block_ends[block - 1] if block > 0 else 0) + n - 1
    slot: cython.Py_ssize_t
    all_ngrams: cython.Py_ssize_t = block_ends[block] - i
    met: cython.Py_ssize_t = 0
    while i < block_ends[block]:
        slot = cython.cast(cython.Py_ssize_t, ngrams[i] >> 32) & mask
        while stamps[slot] >= base and table[slot] != ngrams[i]:
            slot = (slot + 1) & mask
        if stamps[slot] < base:
            table[slot] = ngrams[i]
            stamps[slot] = stamp
        met += stamps[slot] < stamp
        i += 1
    if met > 0 and met == all_ngrams:
        repeated[block] = 1
    return met


def suspects(
    owners: cython.const[cython.uint][::1],
    document_ends: cython.const[cython.longlong][::1],
    block_ends: cython.const[cython.longlong][::1],
    blocks_until: cython.const[cython.longlong][::1],
    numbers: cython.const[cython.uint][::1],
    methods: cython.const[cython.uchar][::1],
    found: cython.uint[::1],
    suspected: cython.uint[::1],
    shared: cython.longlong[::1],
):
    """Fill in, for documents with blocks left, who owns most of their n-grams, and how many.

    `found` is work space for the n-grams of the longest document.
    """
    first: cython.Py_ssize_t = 0
    block: cython.Py_ssize_t = 0
    document: cython.Py_ssize_t
    last: cython.Py_ssize_t
    end: cython.Py_ssize_t
    b: cython.Py_ssize_t
    i: cython.Py_ssize_t
    before: cython.Py_ssize_t
    left: cython.Py_ssize_t
    count: cython.Py_ssize_t
    best: cython.uint
    for document in range(document_ends.shape[0]):
        last = document_ends[document]
        end = blocks_until[document]
        left = 0
        for b in range(block, end):
            before = block_ends[b - 1] if b > 0 else 0
            left += methods[b] == 0 and block_ends[b] > before
        count = 0
        if left:
            for i in range(first, last):
                if owners[i] < numbers[document]:
                    found[count] = owners[i]
                    count += 1
        shared[document] = 0
        suspected[document] = NOBODY
        if count:
            best = most_frequent(found, count)
            suspected[document] = best
            for i in range(count):
                shared[document] += found[i] == best
        first = last
        block = end
    return 0


def mark_stubs(
    methods: cython.uchar[::1],
    owners: cython.uint[::1],
    sizes: cython.const[cython.longlong][::1],
    blocks_until: cython.const[cython.longlong][::1],
    stub: cython.Py_ssize_t,
    method: cython.uchar,
):
    """Remove short rests next to removed blocks that are larger than they are."""
    block: cython.Py_ssize_t = 0
    document: cython.Py_ssize_t
    end: cython.Py_ssize_t
    b: cython.Py_ssize_t
    last: cython.Py_ssize_t
    tokens: cython.Py_ssize_t
    beside: cython.Py_ssize_t
    place: cython.Py_ssize_t
    owner: cython.uint
    for document in range(blocks_until.shape[0]):
        end = blocks_until[document]
        b = block
        while b < end:
            if methods[b] != 0:
                b += 1
                continue
            last = b
            tokens = 0
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
    return 0
