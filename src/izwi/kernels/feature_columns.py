"""Names of what is seen of a block, in the order of the model's columns, and their numbers.

Each name is a constant of C, too: OWN_CHARS, UP_TWINS. A model file holds the names that it was
trained with, and is refused where they are not these (text/extract/learnt.py).
"""

LEVELS = 4
OWN = (
    "chars", "words", "link_share", "links", "word_length", "capital_share", "digit_share",
    "stops", "commas", "fence_share", "other_share", "is_ended", "is_capital", "kind", "heading",
    "depth", "tag", "parent_tag", "hint", "parent_hint", "path_hint", "path_hint_low",
    "path_hint_high", "breaks", "inlines", "title_share", "copies", "alike", "alike_chars",
    "alike_links", "wording", "wording_low", "after_comments",
)  # fmt: skip
PAGE = (
    "place", "chars_before", "page_chars", "page_blocks", "page_links", "page_prose", "after_h1",
    "has_h1",
)  # fmt: skip
NEAR = ("chars", "link_share", "stops", "kind", "path_hint", "is_sibling")
OFFSETS = (-3, -2, -1, 1, 2, 3)
CONTAINER = (
    "chars", "share", "link_share", "blocks", "prose_share", "mean_words", "tag", "hint",
    "prose_here", "twins",
)  # fmt: skip
# The branch of a block is the largest element round it that does not hold the page's text body:
# a sidebar or a footer, seen from the body.
BRANCH = ("share", "prose_share", "link_share", "mean_words", "hint", "height", "rise", "side")
EXTRA = (
    "in_best", "best_share", "window_links", "window_prose", "page_longest", "page_paragraphs",
    *(f"branch_{name}" for name in BRANCH),
)  # fmt: skip
# Where a block stands in the run of its page.
SECTION = (
    # The heading before the block: how far, what its words stand for, its size and level.
    "head_gap", "head_wording", "head_low", "head_chars", "head_links", "head_level", "head_prose",
    "head_title", "head_hint", "next_head_gap", "next_head_level",
    # The article element round it: the how manieth, its share of the prose, its rank by it.
    "article_number", "article_share", "article_rank",
    # Short blocks with a date: this one, the last before it, and how often its place comes again.
    "is_dated", "date_gap", "next_date_gap", "date_alike", "date_prose",
    # Prose, and its runs, which five other blocks part.
    "prose_before", "prose_gap", "run_share", "run_rank", "prose_alike", "alike_share",
    "links_since_prose",
)  # fmt: skip
# What is seen of a cut through a page: text of these sorts as a share of it, too.
SHARES = (
    "likely", "linked", "prose", "sure", "article", "body", "quote", "li", "td", "h",
)  # fmt: skip
CUT = (
    "way", "step", "chars", "share", "growth", "blocks", "runs", "run_chars",
    "expected_recall", "expected_f1", "gain", "least", "left", "left_best", "first", "last",
    "density", "filling", *SHARES, "dates", "dates_between", "heads", "of_prose", "of_sure",
    "alike", "places", "first_title",
    "cutoff", "page_best", "page_chars", "page_blocks", "page_linked", "page_prose",
    "page_dates", "page_sure", "page_unsure",
)  # fmt: skip
# What is added up over the blocks of a cut.
WEIGHED = ("chars", *SHARES, "blocks", "dates", "heads")
# How a cut was made: the usual one, a step, one run of it, up to that run, its first runs, with
# what stands between, in the largest article, in the text body.
WAYS = ("usual", "step", "run", "to_run", "first_runs", "filled", "article", "body")
# What is counted in a text.
COUNTS = (
    "chars", "words", "letters", "capitals", "digits", "stops", "commas", "fences", "others",
    "is_ended", "is_capital",
)  # fmt: skip
# What is summed over the blocks in an element.
SUMS = ("chars", "linked", "blocks", "prose", "words", "prose_here")


def _numbers() -> dict[str, int]:
    listed = {
        "OWN": OWN, "PAGE": PAGE, "NEAR": NEAR, "UP": CONTAINER, "EXTRA": EXTRA,
        "COUNT": COUNTS, "SUM": SUMS, "SECTION": SECTION, "CUT": CUT, "WEIGHED": WEIGHED,
        "WAY": WAYS,
    }  # fmt: skip
    found = {
        f"{prefix}_{name.upper()}": number
        for prefix, names in listed.items()
        for number, name in enumerate(names)
    }
    return found | {f"{prefix}_COLUMNS": len(names) for prefix, names in listed.items()}


globals().update(_numbers())
