# Made by building/kernels.py from language_lists.py.
cdef enum:
    WEIGHT_BITS = 6
    WEIGHTS = 63
    NO_WEIGHT = 16
