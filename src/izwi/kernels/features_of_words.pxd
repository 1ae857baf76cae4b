# Made by building/kernels.py from features_of_words.py.
cdef enum:
    WORD = 0
    ENDING = 0
    BEGINNING = 6
    SHAPE = 12
    CLASS = 13
    FACTS = 14
    STATIC = 38
    DYNAMIC = 8
    ROWS = 46
    EDIT_FEATURES = 30
