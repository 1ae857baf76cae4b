"""The root inside a word: the longest one of a list, with what stands before and behind it."""

import cython
from cython.cimports.izwi.kernels.features_of_words import BEFORE, BEHIND, ROOT, ROOT_KIND

START = cython.declare(cython.longlong, 2166136261)
PRIME = cython.declare(cython.longlong, 16777619)
MASK = cython.declare(cython.longlong, 0xFFFFFFFF)
# Roots are so long at least, and at most.
SHORTEST = cython.declare(cython.Py_ssize_t, 3)
LONGEST = cython.declare(cython.Py_ssize_t, 14)


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def slot_of(slots: cython.const[cython.longlong][::1], value: cython.longlong) -> cython.Py_ssize_t:
    """Return where a hash stands in a table of a power of two slots, -1 if it does not.

    Slots without a root hold -1; a root stands in the first that was free from its own on.
    """
    slot: cython.Py_ssize_t
    slot = value & (slots.shape[0] - 1)
    while slots[slot] != value:
        if slots[slot] < 0:
            return -1
        slot = (slot + 1) & (slots.shape[0] - 1)
    return slot


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def hash_of(
    codes: cython.const[cython.longlong][::1], begin: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.longlong:
    """Return the hash of some code points."""
    place: cython.Py_ssize_t
    value: cython.longlong
    value = START
    for place in range(begin, end):
        value = ((value ^ codes[place]) * PRIME) & MASK
    return value


def find_roots(
    codes: cython.const[cython.longlong][::1],
    offsets: cython.const[cython.longlong][::1],
    slots: cython.const[cython.longlong][::1],
    kinds: cython.const[cython.longlong][::1],
    facts: cython.longlong[:, ::1],
) -> None:
    """Write the longest root in each word (of two the later one), its kind, and what is round it.

    Row r of `facts` is word r - 2.
    """
    begin: cython.Py_ssize_t
    best: cython.Py_ssize_t
    best_slot: cython.Py_ssize_t
    end: cython.Py_ssize_t
    first: cython.Py_ssize_t
    place: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    start: cython.Py_ssize_t
    value: cython.longlong
    word: cython.Py_ssize_t
    for word in range(offsets.shape[0] - 1):
        begin, end, best, best_slot, first = offsets[word], offsets[word + 1], 0, -1, 0
        for start in range(begin, end - SHORTEST + 1):
            if end - start < best:
                break
            value = START
            for place in range(start, min(end, start + LONGEST)):
                value = ((value ^ codes[place]) * PRIME) & MASK
                if place - start + 1 < max(best, SHORTEST):
                    continue
                slot = slot_of(slots, value)
                if slot >= 0:
                    best, best_slot, first = place - start + 1, slot, start
        if best_slot >= 0:
            facts[word + 2, ROOT] = slots[best_slot]
            facts[word + 2, ROOT_KIND] = kinds[best_slot]
            facts[word + 2, BEFORE] = hash_of(codes, begin, first)
            facts[word + 2, BEHIND] = hash_of(codes, first + best, end)
