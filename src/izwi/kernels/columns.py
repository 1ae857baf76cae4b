"""Columns of the tables that kernels share, and the numbers in them: each has one name everywhere.

Kernels get them as constants of C: building/kernels.py makes columns.pxd from this file.
"""

# A block of text: its bytes and characters, its element and kind, and what it holds.
(
    B_FIRST, B_LAST, B_START, B_END, B_NODE, B_KIND, B_BREAKS, B_INLINES, B_MARKUP, B_LINKED,
    B_LINKS, B_HASH, B_WORDS, B_WORDS_END, BLOCK_COLUMNS,
) = range(15)  # fmt: skip
# An element round blocks: its parent, where its tag stands, and what it is.
(
    N_PARENT, N_NAME, N_NAME_END, N_ATTRIBUTES_END, N_FLAGS, N_DEPTH, N_TAG, N_KIND, N_WORDS,
    N_WORDS_END, N_HASH, NODE_COLUMNS,
) = range(12)  # fmt: skip
# A link, or words set apart: its block, its characters there, and where its tag stands.
(
    S_BLOCK, S_START, S_END, S_TAG, S_TAG_END, S_ATTRIBUTES_END, S_IS_LINK, SPAN_COLUMNS,
) = range(8)  # fmt: skip
# The same while it is open.
O_START, O_TAG, O_TAG_END, O_ATTRIBUTES_END, O_IS_LINK, OPEN_COLUMNS = range(6)
# What an element does to the text in it.
BLOCK, INLINE, FORMAT, LINK, VOID, BREAK, RULE, UNREAD, RAW = range(9)
# Of the kinds and tags of elements (text/elements.py), those that features look at.
LISTED, HEADING, CELL, QUOTE = 1, 2, 3, 4
TAG_H1, TAG_H6, TAG_ARTICLE = 5, 10, 16
# Classes of characters; joined letters are of scripts that part no words.
(
    OTHER, SPACE, LOWER, UPPER, CASELESS, JOINED, CJK, DIGIT, STOP, COMMA, FENCE, CHARACTER_CLASSES,
) = range(12)  # fmt: skip
# What may have to be tidied: bits.
CONTROL, COMPOSES = 1, 2
# A node of a decision tree: the column it tests, the limit, where to go below it and above it.
T_COLUMN, T_LIMIT, T_BELOW, T_ABOVE = range(4)

# Deeper pages are cut there: nobody writes them, and every ancestor costs.
DEEPEST = 400
MOST_NODES = 100_000
MOST_SPANS = 100_000
# A page of more blocks is a list of something; the rest is not read.
MOST_BLOCKS = 20_000
# Blocks of at most so many characters are judged by their words too.
SHORT = 100
# Far more slots than there are elements, so that most are found at once.
SLOTS = 1024
