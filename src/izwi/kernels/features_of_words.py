"""Columns of what is known of a word when it is tagged."""

# Facts about one word: the word, 6 endings, 5 beginnings, shape, ambiguity class.
WORD = 0
ENDING = 0
BEGINNING = 6
SHAPE = 12
CLASS = 13
FACTS = 14
# Features that do not depend on tags, those that do, and rows of weights a word looks at.
STATIC = 38
DYNAMIC = 8
ROWS = 46
# Features by which the edit to a lemma is chosen.
EDIT_FEATURES = 30
