"""Columns of what is known of a word when it is tagged."""

# Facts about one word: the word, 6 endings, 5 beginnings, shape, ambiguity class; and from lists of
# much text the kinds of word it may be, its use of capitals, its clusters without and with one; the
# root found inside it, its kind, and what stands before and behind it.
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
# Features that do not depend on tags, those that need lists, those of languages whose words begin
# with their class and concord (Nguni) and of roots inside them, those that depend on the two tags
# before, and those on the last tag that is kept in mind (of a verb, of a noun).
STATIC = 38
OF_LISTS = 20
OF_BEGINNINGS = 6
OF_ROOTS = 9
DYNAMIC = 8
KEPT = 4
# Features by which the edit to a lemma is chosen.
EDIT_FEATURES = 30
# Features by which the bundle of a word's features (case, number ...) is chosen, and what the tags
# of its neighbours are there.
BUNDLE_FEATURES = 37
ADPOSITION = 1
NOUN = 2
VERB = 3
