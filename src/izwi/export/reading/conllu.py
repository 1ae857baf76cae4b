"""CoNLL-U as documents: their text, spelt from the words, and the words with what is said of them.

Documents begin at `# newdoc`, paragraphs at `# newpar`; other comments before the first sentence
(`# title = ...`) are metadata. A multiword token is one token, its words' lemmas and tags joined;
heads are counted in tokens, and it hangs on the head of that of its words that hangs outside.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from izwi.export.reading.incoming import Incoming, files_of, lines_of, metadata_of, moment
from izwi.model.document import Annotation, Paragraph
from izwi.model.errors import SourceError

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
