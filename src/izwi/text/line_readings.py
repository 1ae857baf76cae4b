"""How else the lines of a text may be read: verse goes on in the next, prose stands below a table.

Words in short lines look like lists. Of verse the lines are short because it is verse: what is said
goes on in the next. In a report below a table of results only the long lines are running text.
"""

import re

# Verse has so many lines at least, of so many words in the mean: lists of names have fewer.
_FEWEST_LINES, _FEWEST_WORDS = 8, 2.5
# A line of prose has so many words; so many of them, and so much of a text, make a document.
_PROSE_LINE, _LEAST_PROSE, _LEAST_SHARE = 8, 60, 0.3
# The number of a verse, or of an entry: its stop ends no sentence.
_NUMBER = re.compile(r"^\s*[\[(]?\d+[\])]?[.):]?\s+")
# Of so many words verse has at most one with a figure; rows of tables have one each.
_FIGURES = 50


def read_on(text: str) -> str:
    """Return what short lines say if each goes on in the next, without their numbers; else "".

    >>> read_on("The river\\nis high") == ""
    True
    """
    lines = [line for each in text.splitlines() if (line := _NUMBER.sub("", each).strip())]
    words = sum(len(line.split()) for line in lines)
    if len(lines) < _FEWEST_LINES or words < _FEWEST_WORDS * len(lines):
        return ""
    return " ".join(lines)


def has_figures(text: str) -> bool:
    """Whether more than a few words of a text hold figures."""
    words = text.split()
    return _FIGURES * sum(any(map(str.isdigit, word)) for word in words) > len(words)


def prose_of(text: str) -> str:
    """Return the long lines of a text, if they are much of it."""
    lines = [line for line in text.splitlines() if len(line.split()) >= _PROSE_LINE]
    words = sum(len(line.split()) for line in lines)
    is_much = words >= max(_LEAST_PROSE, _LEAST_SHARE * len(text.split()))
    return "\n".join(lines) if is_much else ""
