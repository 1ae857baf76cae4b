"""Who owns a hash: a table in memory whose slots follow the first bits of the keys."""

import cython

# Nobody owns the n-gram.
NOBODY = cython.declare(cython.uint, 0xFFFFFFFF)
# Keys are put in order by so many of their first bits: a part then fits the nearest cache.
ARRANGED_BITS = cython.declare(cython.int, 9)


def arrange(
    keys: cython.const[cython.ulonglong][::1],
    ends: cython.const[cython.longlong][::1],
    numbers: cython.const[cython.uint][::1],
    starts: cython.longlong[::1],
    places: cython.uint[::1],
    arranged: cython.ulonglong[::1],
    claimants: cython.uint[::1],
):
    """Put the keys of documents in order of their first bits, and say where each came from.

    Looked up in this order, neighbouring keys fall on neighbouring memory; keys that are equal
    stay in the order of their documents. `ends` says where each document's keys end. Keys that
    are 0 are left out; the number of the others is returned. `starts` is work space: zeros, one
    more than there are parts.
    """
    shift: cython.int = 64 - ARRANGED_BITS
    parts: cython.Py_ssize_t = starts.shape[0] - 1
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t
    part: cython.Py_ssize_t
    place: cython.Py_ssize_t
    document: cython.Py_ssize_t
    i: cython.Py_ssize_t
    key: cython.ulonglong
    number: cython.uint
    for i in range(keys.shape[0]):
        if keys[i] != 0:
            starts[cython.cast(cython.Py_ssize_t, keys[i] >> shift) + 1] += 1
    for part in range(parts):
        starts[part + 1] += starts[part]
    for document in range(ends.shape[0]):
        last, number = ends[document], numbers[document]
        for i in range(first, last):
            key = keys[i]
            if key != 0:
                part = cython.cast(cython.Py_ssize_t, key >> shift)
                place = starts[part]
                starts[part] = place + 1
                arranged[place] = key
                claimants[place] = number
                places[place] = i
        first = last
    return starts[parts - 1]


def claim(
    keys: cython.const[cython.ulonglong][::1],
    found: cython.const[cython.uint][::1],
    claimants: cython.const[cython.uint][::1],
    places: cython.const[cython.uint][::1],
    owners: cython.uint[::1],
    table: cython.ulonglong[::1],
    holders: cython.uint[::1],
    shift: cython.int,
):
    """Give each key nobody owns yet to its holder in the table or, if it is new, to its claimant.

    `owners` takes the owner of each key at its place. The slot of a key is given by its first
    bits, so the table is all but sorted at any time. Returns how many are new.
    """
    added: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    key: cython.ulonglong
    held: cython.ulonglong
    for i in range(keys.shape[0]):
        if found[i] != NOBODY:
            owners[places[i]] = found[i]
            continue
        key = keys[i]
        slot = cython.cast(cython.Py_ssize_t, key >> shift)
        held = table[slot]
        while held != 0 and held != key:
            slot += 1
            held = table[slot]
        if held == key:
            owners[places[i]] = holders[slot]
            continue
        table[slot] = key
        holders[slot] = owners[places[i]] = claimants[i]
        added += 1
    return added


def number_names(
    keys: cython.const[cython.ulonglong][::1],
    owners: cython.uint[::1],
    following: cython.Py_ssize_t,
    table: cython.ulonglong[::1],
    holders: cython.uint[::1],
    shift: cython.int,
):
    """Fill in the numbers of named documents: those the table has, and the next for new ones."""
    added: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    key: cython.ulonglong
    for i in range(keys.shape[0]):
        if owners[i] != NOBODY:
            continue
        key = keys[i]
        slot = cython.cast(cython.Py_ssize_t, key >> shift)
        while table[slot] != 0 and table[slot] != key:
            slot += 1
        if table[slot] == 0:
            table[slot] = key
            holders[slot] = following + added
            added += 1
        owners[i] = holders[slot]
    return added


def sorted_entries(
    table: cython.const[cython.ulonglong][::1],
    holders: cython.const[cython.uint][::1],
    keys: cython.ulonglong[::1],
    owners: cython.uint[::1],
):
    """Fill in the entries of a table in order of their keys: a scan and short insertions."""
    count: cython.Py_ssize_t = 0
    slot: cython.Py_ssize_t
    place: cython.Py_ssize_t
    key: cython.ulonglong
    for slot in range(table.shape[0]):
        key = table[slot]
        if key == 0:
            continue
        place = count
        while place > 0 and keys[place - 1] > key:
            keys[place] = keys[place - 1]
            owners[place] = owners[place - 1]
            place -= 1
        keys[place] = key
        owners[place] = holders[slot]
        count += 1
    return count
