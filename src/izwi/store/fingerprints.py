"""Looking a hash up in a sorted run without reading the run: 16 bits per hash and a directory.

The fingerprints stand in the order of the run, so the place of a fingerprint is the place of its
hash, and a hit is verified with one look at the run itself.
"""

from typing import Any

import numpy as np
from numba import njit

# Hashes per entry of the directory, on average: 2.25 bytes of memory per hash in all.
_PER_ENTRY_BITS = 4
_LOW = np.uint64(0xFFFF)
# The last bit of a hash is always set: 0 stands for none.
_SKIPPED = np.uint64(1)


def directory_bits(count: int) -> int:
    """Return how many of a hash's first bits choose its entry in the directory."""
    return max(1, int(count).bit_length() - _PER_ENTRY_BITS)


@njit(cache=True, nogil=True)
def fill_fingerprints(
    hashes: Any, first: int, bits: int, prints: Any, directory: Any, entry: int
) -> int:
    """Fill in the fingerprints of sorted hashes, a run's `first` and following ones.

    `entry` is the first entry of the directory not filled in yet; the new one is returned.
    """
    shift = np.uint64(64 - bits)
    for i in range(len(hashes)):
        home = np.int64(hashes[i] >> shift)
        while entry <= home:
            directory[entry] = first + i
            entry += 1
        prints[first + i] = np.uint16(hashes[i] >> _SKIPPED & _LOW)
    return entry


@njit(cache=True, nogil=True)
def merge(
    keys: Any, owners: Any, more_keys: Any, more_owners: Any, out: Any, out_owners: Any
) -> int:
    """Merge two sorted runs into the arrays `out` and `out_owners`; return how many there are.

    A key of both stays once, with the smaller owner.
    """
    i = j = count = 0
    while i < len(keys) or j < len(more_keys):
        if j == len(more_keys) or (i < len(keys) and keys[i] < more_keys[j]):
            out[count], out_owners[count] = keys[i], owners[i]
            i += 1
        elif i == len(keys) or more_keys[j] < keys[i]:
            out[count], out_owners[count] = more_keys[j], more_owners[j]
            j += 1
        else:
            out[count], out_owners[count] = keys[i], min(owners[i], more_owners[j])
            i += 1
            j += 1
        count += 1
    return count


@njit(cache=True, nogil=True)
def probe(keys: Any, owners: Any, nobody: Any, prints: Any, directory: Any, bits: int,
          which: Any, places: Any) -> int:  # fmt: skip
    """Fill in which keys may be in the run, and where; one key may have several places."""
    shift = np.uint64(64 - bits)
    found = 0
    for i in range(len(keys)):
        key = keys[i]
        if owners[i] != nobody or key == np.uint64(0):
            continue
        home = np.int64(key >> shift)
        print_ = np.uint16(key >> _SKIPPED & _LOW)
        for place in range(directory[home], directory[home + 1]):
            if prints[place] == print_:
                if found == len(which):
                    return -1
                which[found] = i
                places[found] = place
                found += 1
    return found
