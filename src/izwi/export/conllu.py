"""CoNLL-U: ten columns a word, sentences with their text, as Universal Dependencies wants them."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from izwi.export.base import Edition, attribute_values, glue, passages
from izwi.export.release import OneFile
from izwi.export.rows import record
from izwi.model.document import Annotation, Document
from izwi.model.tabular import REPLACEMENT

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


_OPEN = ("ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB")
_CLOSED = ("ADP", "AUX", "CCONJ", "DET", "NUM", "PART", "PRON", "SCONJ")
UPOS = frozenset((*_OPEN, *_CLOSED, "PUNCT", "SYM", "X"))
# What the first sentence of a document says of it, where it is known; see `records`.
COMMENTS = (
    "url", "title", "author", "date", "date_evidence", "source", "site", "section", "language",
    "captured", "modified", "keywords", "licence", "image", "page_type", "parent",
)  # fmt: skip
# The validator takes U+FFFD for a broken encoding, even where a page really has it.
_BOX = "\u25a1"
_FEATURE = re.compile(r"[A-Z][A-Za-z0-9]*(\[[a-z0-9]+\])?=[A-Z0-9][A-Za-z0-9]*(,[A-Z0-9]\w*)*")


class Conllu(OneFile):
    """Writes NAME.conllu."""

    about: ClassVar[str] = (
        "CoNLL-U: words, lemmas, tags and features, dependencies where they are known"
    )

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self._edition.corpus}.conllu"

    def pieces(self, documents: Iterable[Document], before: int) -> Iterator[bytes]:
        """Yield the sentences of each document."""
        for document in documents:
            yield "".join(conllu(document)).encode()


def conllu(document: Document) -> Iterator[str]:
    """Yield a document's sentences, each with its comments and the empty line after it."""
    found = document.annotation
    if found is None:
        return
    rows, number = _columns(document, found), 0
    for passage in passages(document):
        for place, tokens in enumerate(passage.sentences):
            number += 1
            if number == 1:
                yield _document_opening(document)
            if place == 0:
                yield _paragraph_opening(passage.kind)
            yield f"# sent_id = {document.id}-{number}\n"
            is_last = place + 1 == len(passage.sentences)
            yield _sentence(rows, tokens, _spaces(found, tokens, is_last=is_last))


def _document_opening(document: Document) -> str:
    row = record(document)
    said = {name: _comment(row[name]) for name in COMMENTS}
    lines = (f"# {name} = {value}\n" for name, value in said.items() if value)
    is_parsed = document.annotation is not None and any(document.annotation.heads)
    note = "" if is_parsed else "# dependencies = none: every word hangs on the first\n"
    return f"# newdoc id = {document.id}\n{''.join(lines)}{note}"


def _paragraph_opening(kind: str) -> str:
    return "# newpar\n" if kind == "p" else f"# newpar\n# kind = {_value(kind)}\n"


def _comment(value: str | list[str]) -> str:
    text = value if isinstance(value, str) else "; ".join(value)
    return _value(text) if text.split() else ""


def _spaces(found: Annotation, tokens: range, *, is_last: bool) -> list[bool]:
    """Return for each token of a sentence whether a space follows it."""
    follows = [not is_glued for is_glued in glue(found, tokens)[1:]]
    end = tokens.stop
    return [*follows, is_last or found.starts[end] != found.ends[end - 1]]


def _columns(document: Document, found: Annotation) -> list[tuple[str, ...]]:
    """Return form, lemma, universal tag, own tag, features, head and relation of each word."""
    names = ("word", "lemma", "upos", "pos", "feats", "head", "deprel")
    form, lemma, upos, xpos, feats, *tree = (attribute_values(document, name) for name in names)
    if not found.upos and _is_english(document):
        upos = from_penn(xpos, lemma)
    universal = [tag if tag in UPOS else "X" for tag in upos]
    columns = (map(_value, form), map(_value, lemma), universal, map(_value, xpos))
    return list(zip(*columns, map(features, feats), *tree, strict=True))


def _is_english(document: Document) -> bool:
    return document.language is not None and document.language.code == "eng"


def _sentence(rows: list[tuple[str, ...]], tokens: range, spaces: list[bool]) -> str:
    words = rows[tokens.start : tokens.stop]
    text = _text(words, spaces)
    if not unicodedata.is_normalized("NFC", text):
        spaces = _apart(words, spaces)
        text = _text(words, spaces)
    tree = [(word[-2], word[-1]) for word in words]
    if not is_tree(tree):
        tree = [("1", "dep") if number else ("0", "root") for number in range(len(words))]
    rest = zip(words, tree, spaces, strict=True)
    lines = (_line(number, *each) for number, each in enumerate(rest, 1))
    return "\n".join((f"# text = {text}", *lines)) + "\n\n"


def is_tree(sentence: list[tuple[str, str]]) -> bool:
    """Return whether heads and relations make one tree, as the format wants it.

    >>> is_tree([("2", "det"), ("0", "root")]), is_tree([("2", "det"), ("1", "dep")])
    (True, False)
    """
    heads = [int(head) if head.isdecimal() else -1 for head, _ in sentence]
    roots = [head == 0 for head in heads]
    is_said = all((rel == "root") == (head == "0") and rel != "_" for head, rel in sentence)
    if roots.count(True) != 1 or not is_said or not all(0 <= h <= len(heads) for h in heads):
        return False
    # Whoever is reached from the root level by level; in a circle nobody is.
    reached, below = 0, [0]
    children: dict[int, list[int]] = {}
    for number, head in enumerate(heads, 1):
        children.setdefault(head, []).append(number)
    while below:
        below = [child for parent in below for child in children.get(parent, ())]
        reached += len(below)
    return reached == len(heads)


def _line(number: int, word: tuple[str, ...], tree: tuple[str, str], is_spaced: bool) -> str:
    note = "_" if is_spaced else "SpaceAfter=No"
    columns = "\t".join((*word[:-2], *tree))
    return f"{number}\t{columns}\t_\t{note}"


def _text(words: list[tuple[str, ...]], spaces: list[bool]) -> str:
    forms = zip(words, spaces, strict=True)
    return "".join(f"{word[0]} " if spaced else word[0] for word, spaced in forms).rstrip(" ")


def _apart(words: list[tuple[str, ...]], spaces: list[bool]) -> list[bool]:
    """Put a space before a token whose accent would melt into the token before it."""
    pairs = zip(words, words[1:], spaces, strict=False)
    inner = [
        is_spaced or not unicodedata.is_normalized("NFC", one[0] + other[0])
        for one, other, is_spaced in pairs
    ]
    return [*inner, spaces[-1]]


def _value(text: str) -> str:
    """Return a value in composed form, without space at its ends or two in a row; never empty."""
    return " ".join(unicodedata.normalize("NFC", text).replace(REPLACEMENT, _BOX).split()) or "_"


def features(text: str) -> str:
    """Return features in the order the validator wants, those it cannot read left out.

    >>> features("Number=Sing|Case=Nom"), features("noun,plural")
    ('Case=Nom|Number=Sing', '_')
    """
    known = {part.split("=")[0]: part for part in text.split("|") if _FEATURE.fullmatch(part)}
    return "|".join(known[name] for name in sorted(known, key=str.lower)) or "_"
