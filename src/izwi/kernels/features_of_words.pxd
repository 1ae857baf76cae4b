# Made by building/kernels.py from features_of_words.py.
cdef enum:
    WORD = 0
    ENDING = 0
    BEGINNING = 6
    SHAPE = 12
    CLASS = 13
    LISTED = 14
    CAPITALS = 15
    CLUSTER = 16
    NAME_CLUSTER = 17
    ROOT = 18
    ROOT_KIND = 19
    BEFORE = 20
    BEHIND = 21
    FACTS = 22
    STATIC = 38
    OF_LISTS = 20
    OF_BEGINNINGS = 6
    OF_ROOTS = 9
    DYNAMIC = 8
    KEPT = 4
    EDIT_FEATURES = 30
    BUNDLE_FEATURES = 37
    ADPOSITION = 1
    NOUN = 2
    VERB = 3
