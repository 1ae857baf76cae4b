# Made by building/kernels.py from kinds.py.
cdef enum:
    SPACE = 0
    LOWER = 1
    UPPER = 2
    DIGIT = 3
    MARK = 4
    SPACELESS = 5
    SYMBOL = 6
