"""Universal tags of English words for which only the Penn tag is known.

A Penn tag says less in a few places: IN is an adposition here though some are conjunctions, and
auxiliaries are told by their lemma. Exact tags come with `attributes = [..., "upos"]` in [index].
"""

from collections.abc import Mapping, Sequence

_PENN: Mapping[str, str] = {
    "CC": "CCONJ", "CD": "NUM", "DT": "DET", "EX": "PRON", "FW": "X", "IN": "ADP", "JJ": "ADJ",
    "JJR": "ADJ", "JJS": "ADJ", "LS": "X", "MD": "AUX", "NN": "NOUN", "NNS": "NOUN",
    "NNP": "PROPN", "NNPS": "PROPN", "PDT": "DET", "POS": "PART", "PRP": "PRON", "PRP$": "PRON",
    "RB": "ADV", "RBR": "ADV", "RBS": "ADV", "RP": "ADP", "SYM": "SYM", "TO": "PART",
    "UH": "INTJ", "VB": "VERB", "VBD": "VERB", "VBG": "VERB", "VBN": "VERB", "VBP": "VERB",
    "VBZ": "VERB", "WDT": "DET", "WP": "PRON", "WP$": "DET", "WRB": "ADV", "ADD": "X", "AFX": "X",
    "GW": "X", "NFP": "PUNCT", "XX": "X", "$": "SYM", "#": "SYM", "HYPH": "PUNCT", ".": "PUNCT",
    ",": "PUNCT", ":": "PUNCT", "``": "PUNCT", "''": "PUNCT", "-LRB-": "PUNCT", "-RRB-": "PUNCT",
}  # fmt: skip


def from_penn(tags: Sequence[str], lemmas: Sequence[str]) -> tuple[str, ...]:
    """Return the universal tags of words from their Penn tags and lemmas; X where none is known.

    >>> from_penn(["PRP", "VBZ", "RB", "??"], ["it", "be", "so", "x"])
    ('PRON', 'AUX', 'ADV', 'X')
    """
    return tuple(
        "AUX" if lemma == "be" and tag.startswith("VB") else _PENN.get(tag, "X")
        for tag, lemma in zip(tags, lemmas, strict=True)
    )
