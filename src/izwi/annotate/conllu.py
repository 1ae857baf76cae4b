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


def read_conllu(path: Path) -> list[GoldSentence]:
    """Return the sentences of a file; gzip is understood."""
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read: {error}.") from error
    sentences = list(parse_conllu(text.splitlines(), str(path)))
    if not sentences:
        raise SourceError(f"{path} holds no sentence in CoNLL-U.")
    return sentences


def parse_conllu(lines: Iterable[str], name: str = "CoNLL-U") -> Iterator[GoldSentence]:
    """Yield the sentences of CoNLL-U lines."""
    rows: list[list[str]] = []
    begins = False
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            begins = begins or line.startswith(("# newpar", "# newdoc"))
        elif line.strip():
            rows.append(_columns(line, f"{name}, line {number}"))
        elif rows:
            yield GoldSentence(tuple(_words(rows)), begins)
            rows, begins = [], False
    if rows:
        yield GoldSentence(tuple(_words(rows)), begins)


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


def _value(text: str) -> str:
    return "" if text == "_" else text


def _morphemes(notes: str) -> str:
    return next((n[6:] for n in notes.split("|") if n.startswith("Morph=")), "")
