"""Reading CoNLL-U: sentences of tagged words, and the text they came from."""

import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from izwi.model.errors import SourceError


@dataclass(frozen=True, slots=True)
class GoldWord:
    """A word as a treebank has it; `space_after` is False where the next one follows at once."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    space_after: bool = True
    morphemes: str = ""


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """A sentence of a treebank, and whether a new paragraph begins with it."""

    words: tuple[GoldWord, ...]
    begins_paragraph: bool = False


def read_conllu(path: Path, *, joined: bool = False) -> list[GoldSentence]:
    """Return the sentences of a file; gzip is understood.

    Two words written as one (du, im, dello) are two, or `joined` as they are written.
    """
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read: {error}.") from error
    sentences = list(parse_conllu(text.splitlines(), str(path), joined=joined))
    if not sentences:
        raise SourceError(f"{path} holds no sentence in CoNLL-U.")
    return sentences


def parse_conllu(
    lines: Iterable[str], name: str = "CoNLL-U", *, joined: bool = False
) -> Iterator[GoldSentence]:
    """Yield the sentences of CoNLL-U lines."""
    rows: list[list[str]] = []
    begins = False
    words_of = _joined_words if joined else _words
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            begins = begins or line.startswith(("# newpar", "# newdoc"))
        elif line.strip():
            rows.append(_columns(line, f"{name}, line {number}"))
        elif rows:
            yield GoldSentence(tuple(words_of(rows)), begins)
            rows, begins = [], False
    if rows:
        yield GoldSentence(tuple(words_of(rows)), begins)


def _columns(line: str, place: str) -> list[str]:
    columns = line.rstrip("\n").split("\t")
    if len(columns) != 10:
        raise SourceError(f"{place}: {len(columns)} columns instead of 10, divided by tabs.")
    return columns


def _words(rows: list[list[str]]) -> Iterator[GoldWord]:
    """Yield the words; those of a multiword token follow each other without a space."""
    last, is_spaced = 0, True
    for row in rows:
        if "-" in row[0]:
            last, is_spaced = int(row[0].split("-")[1]), "SpaceAfter=No" not in row[9]
            continue
        if "." in row[0]:
            continue
        number = int(row[0])
        space = "SpaceAfter=No" not in row[9]
        if number <= last:
            space = is_spaced and number == last
        yield GoldWord(
            row[1], row[2], _value(row[3]), _value(row[4]), row[5], space, _morphemes(row[9])
        )


def _joined_words(rows: list[list[str]]) -> Iterator[GoldWord]:
    """Yield the words as they are written; of several in one, all parts are named."""
    parts = [row for row in rows if "." not in row[0]]
    whole = [row for row in parts if "-" in row[0]]
    spans = [tuple(map(int, row[0].split("-"))) for row in whole]
    inside = {number for first, last in spans for number in range(first, last + 1)}
    by_number = {int(row[0]): row for row in parts if "-" not in row[0]}
    for row in parts:
        if "-" in row[0]:
            first, last = map(int, row[0].split("-"))
            own = [by_number[number] for number in range(first, last + 1) if number in by_number]
            columns = ["+".join(each[at] for each in own) for at in (2, 3)]
            yield GoldWord(row[1], columns[0], columns[1], "", "_", "SpaceAfter=No" not in row[9])
        elif int(row[0]) not in inside:
            yield from _words([row])


def _value(text: str) -> str:
    return "" if text == "_" else text


def _morphemes(notes: str) -> str:
    return next((n[6:] for n in notes.split("|") if n.startswith("Morph=")), "")
