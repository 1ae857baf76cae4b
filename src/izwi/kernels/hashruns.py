"""Looking a hash up in a sorted run without reading the run: 16 bits per hash and a directory.

The fingerprints stand in the order of the run, so the place of a fingerprint is the place of its
hash, and a hit is verified with one look at the run itself.
"""

import cython


def fill_fingerprints(
    hashes: cython.const[cython.ulonglong][::1],
    first: cython.Py_ssize_t,
    shift: cython.int,
    base: cython.Py_ssize_t,
    prints: cython.ushort[::1],
    directory: cython.uint[::1],
    entry: cython.Py_ssize_t,
):
    """Fill in the fingerprints of sorted hashes, a run's `first` and following ones.

    What is left of a hash after a shift, less `base`, is its entry in the directory. `entry` is
    the first one not filled in yet; the new one is returned.
    """
    i: cython.Py_ssize_t
    home: cython.Py_ssize_t
    for i in range(hashes.shape[0]):
        home = cython.cast(cython.Py_ssize_t, hashes[i] >> shift) - base
        while entry <= home:
            directory[entry] = first + i
            entry += 1
        # The last bit of a hash is always set: 0 stands for none.
        prints[first + i] = hashes[i] >> 1 & 0xFFFF
    return entry


def merge(
    keys: cython.const[cython.ulonglong][::1],
    owners: cython.const[cython.uint][::1],
    more_keys: cython.const[cython.ulonglong][::1],
    more_owners: cython.const[cython.uint][::1],
    out: cython.ulonglong[::1],
    out_owners: cython.uint[::1],
):
    """Merge two sorted runs into the arrays `out` and `out_owners`; return how many there are.

    A key of both stays once, with the smaller owner.
    """
    i: cython.Py_ssize_t = 0
    j: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = keys.shape[0]
    more: cython.Py_ssize_t = more_keys.shape[0]
    while i < size and j < more:
        if keys[i] < more_keys[j]:
            out[count] = keys[i]
            out_owners[count] = owners[i]
            i += 1
        elif more_keys[j] < keys[i]:
            out[count] = more_keys[j]
            out_owners[count] = more_owners[j]
            j += 1
        else:
            out[count] = keys[i]
            out_owners[count] = owners[i] if owners[i] < more_owners[j] else more_owners[j]
            i += 1
            j += 1
        count += 1
    while i < size:
        out[count] = keys[i]
        out_owners[count] = owners[i]
        i += 1
        count += 1
    while j < more:
        out[count] = more_keys[j]
        out_owners[count] = more_owners[j]
        j += 1
        count += 1
    return count


def probe(
    keys: cython.const[cython.ulonglong][::1],
    owners: cython.const[cython.uint][::1],
    nobody: cython.uint,
    prints: cython.const[cython.ushort][::1],
    directory: cython.const[cython.uint][::1],
    shift: cython.int,
    base: cython.Py_ssize_t,
    which: cython.longlong[::1],
    places: cython.longlong[::1],
):
    """Fill in which keys may be in the run, and where; one key may have several places.

    Returns how many there are, -1 if there is not room for them.
    """
    found: cython.Py_ssize_t = 0
    room: cython.Py_ssize_t = which.shape[0]
    i: cython.Py_ssize_t
    home: cython.Py_ssize_t
    place: cython.Py_ssize_t
    last: cython.Py_ssize_t
    mark: cython.int
    for i in range(keys.shape[0]):
        if owners[i] != nobody or keys[i] == 0:
            continue
        home = cython.cast(cython.Py_ssize_t, keys[i] >> shift) - base
        mark = keys[i] >> 1 & 0xFFFF
        place = directory[home]
        last = directory[home + 1]
        while place < last:
            if prints[place] == mark:
                if found == room:
                    return -1
                which[found] = i
                places[found] = place
                found += 1
            place += 1
    return found
