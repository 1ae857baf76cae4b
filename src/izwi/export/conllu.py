"""CoNLL-U: ten columns a word, sentences with their text, as Universal Dependencies wants them.

What is read: documents begin at `# newdoc`, paragraphs at `# newpar`; other comments before the
first sentence (`# title = ...`) are metadata. A multiword token is one token, its words' lemmas and
tags joined; heads are counted in tokens, and it hangs on the head of that of its words that hangs
outside.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from izwi.export.base import Edition, attribute_values, glue, passages
from izwi.export.incoming import Incoming, files_of, lines_of, metadata_of, moment
from izwi.export.release import OneFile
from izwi.export.rows import record
from izwi.model.document import Annotation, Document, Paragraph
from izwi.model.errors import SourceError
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


_SUFFIXES = (".conllu", ".conllu.gz", ".conll")
_COLUMNS = 10
# The longest sentences of treebanks have some hundred words; a word takes about 500 bytes here.
_MOST_ROWS, _MOST_WORDS = 100_000, 5_000_000
_LEMMA, _UPOS, _XPOS, _FEATS, _HEAD, _DEPREL, _MISC = 2, 3, 4, 5, 6, 7, 9


def read_conllu_documents(path: Path) -> Iterator[Incoming]:
    """Yield the documents of a file, or of all such files in a folder."""
    for file in files_of(path, _SUFFIXES, "CoNLL-U"):
        yield from documents_of(lines_of(file), file.name)


def documents_of(lines: Iterable[str], name: str) -> Iterator[Incoming]:
    """Yield the documents of CoNLL-U lines; `name` is that of the file."""
    current = _Growing(name.split(".")[0])
    rows: list[list[str]] = []
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            key, _, value = (part.strip() for part in line[1:].partition("="))
            if key.split()[0:1] == ["newdoc"]:
                if current.words:
                    yield current.finished()
                current = _Growing(value or name.split(".")[0])
            else:
                current.hear(key, value)
        elif line.strip():
            rows.append(_row(line, f"{name}, line {number}"))
            _refuse_without_end(len(rows), len(current.words), f"{name}, line {number}")
        elif rows:
            current.add(rows)
            rows = []
    if rows:
        current.add(rows)
    if current.words:
        yield current.finished()


@dataclass
class _Growing:
    """A document while its sentences are read."""

    id: str
    said: dict[str, str] = field(default_factory=dict)
    kinds: list[str] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    # The paragraph that is being read, and how long it is; joined only once.
    pieces: list[str] = field(default_factory=list)
    size: int = 0
    words: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    # Lemma, universal tag, own tag, features, head and relation of each token.
    values: list[tuple[str, ...]] = field(default_factory=list)
    # Where the paragraph begins in the text, and whether the next sentence begins one.
    base: int = 0
    is_new: bool = True
    kind: str = "p"
    is_spaced: bool = True

    def hear(self, key: str, value: str) -> None:
        """Take in a comment."""
        if key.split()[0:1] == ["newpar"]:
            self.is_new, self.kind = True, "p"
        elif key == "kind":
            self.kind = value
        elif not self.words:
            self.said.setdefault(key, value)

    def add(self, rows: list[list[str]]) -> None:
        """Take in a sentence."""
        if self.is_new or not self.kinds:
            self._begin_paragraph()
        self.sentences.append(len(self.words))
        for word, values, is_spaced in _tokens(rows):
            if self.size and self.is_spaced:
                self._take(" ")
            self.starts.append(self.base + self.size)
            self.words.append(word)
            self.values.append(values)
            self._take(word)
            self.is_spaced = is_spaced

    def _take(self, piece: str) -> None:
        self.pieces.append(piece)
        self.size += len(piece)

    def _begin_paragraph(self) -> None:
        if self.kinds:
            self._end_paragraph()
        self.firsts.append(len(self.words))
        self.kinds.append(self.kind)
        self.is_new, self.is_spaced = False, True

    def _end_paragraph(self) -> None:
        self.paragraphs.append("".join(self.pieces))
        self.base += self.size + 1
        self.pieces, self.size = [], 0

    def finished(self) -> Incoming:
        """Return the whole document; nothing is added afterwards."""
        self._end_paragraph()
        pairs = zip(self.paragraphs, self.kinds, strict=True)
        ends = (start + len(word) for start, word in zip(self.starts, self.words, strict=True))
        lemmas, upos, xpos, feats, heads, deprels = (
            _column(values) for values in zip(*self.values, strict=True)
        )
        given = Annotation(
            tuple(self.words),
            tuple(self.starts),
            tuple(ends),
            tuple(self.sentences),
            tuple(self.firsts),
            tuple(lemma or word for lemma, word in zip(lemmas, self.words, strict=False)),
            upos,
            xpos,
            feats,
            heads=heads,
            deprels=deprels,
        )
        return Incoming(
            paragraphs=tuple(Paragraph(text, kind) for text, kind in pairs),
            metadata=metadata_of(self.said),
            id=self.id,
            url=self.said.get("url", ""),
            source=self.said.get("source", ""),
            captured=moment(self.said.get("captured", "")),
            given=given,
        )


def _refuse_without_end(rows: int, words: int, place: str) -> None:
    """Raise SourceError before a packed file that never ends fills the memory."""
    if rows > _MOST_ROWS:
        raise SourceError(f"{place}: a sentence of more than {_MOST_ROWS} lines.")
    if words > _MOST_WORDS:
        raise SourceError(f"{place}: a document of more than {_MOST_WORDS} words.")


def _row(line: str, place: str) -> list[str]:
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        raise SourceError(f"{place}: {len(columns)} columns instead of 10, divided by tabs.")
    return columns


def _tokens(rows: list[list[str]]) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Yield each token of a sentence, its values, and whether a space follows."""
    found = list(_spans(rows))
    place = {word[0]: str(n) for n, (_, words) in enumerate(found, 1) for word in words}
    for row, words in found:
        is_spaced = "SpaceAfter=No" not in row[_MISC].split("|")
        said = _values(row) if words == [row] else _joined(words)
        yield row[1], (*said, *_dependency(words, {"0": "0", **place})), is_spaced


def _spans(rows: list[list[str]]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield each token's own row and the words it stands for; empty nodes are passed over."""
    last = 0
    for place, row in enumerate(rows):
        number, dash, end = row[0].partition("-")
        if dash and end.isdecimal():
            last = int(end)
            yield row, [each for each in rows[place + 1 :] if _is_within(each[0], last)]
        elif number.isdecimal() and int(number) > last:
            yield row, [row]


def _is_within(number: str, last: int) -> bool:
    return number.isdecimal() and int(number) <= last


def _dependency(words: list[list[str]], place: Mapping[str, str]) -> tuple[str, str]:
    """Return the head of a token, as a number in its sentence, and the relation to it."""
    own = {word[0] for word in words}
    outer = next((word for word in words if word[_HEAD] not in own), None)
    if outer is None or outer[_HEAD] not in place:
        return "", ""
    return place[outer[_HEAD]], "" if outer[_DEPREL] == "_" else outer[_DEPREL]


def _values(row: list[str]) -> tuple[str, ...]:
    lemma = "" if row[_LEMMA] == "_" != row[1] else row[_LEMMA]
    return lemma, *("" if row[place] == "_" else row[place] for place in (_UPOS, _XPOS, _FEATS))


def _joined(rows: list[list[str]]) -> tuple[str, ...]:
    columns = list(zip(*map(_values, rows), strict=True)) or [(), (), (), ()]
    lemma, upos, xpos = ("+".join(filter(None, column)) for column in columns[:3])
    return lemma, upos, xpos, ""


def _column(values: tuple[str, ...]) -> tuple[str, ...]:
    """Return a column, empty if nothing is said in it."""
    return values if any(values) else ()
