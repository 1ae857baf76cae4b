"""Corpora of a few sentences, written as word/lemma/tag."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from izwi.cases.corpora import import_vertical
from izwi.cases.corpus import Corpus

NAMES = ("word", "lemma", "pos")


@dataclass(frozen=True)
class Text:
    """A document: its sentences, its day of publication, where it is from."""

    sentences: Sequence[str]
    date: str = ""
    url: str = "http://a.example/1"


def corpus_of(folder: Path, *batches: Sequence[Text]) -> Corpus:
    """Make a corpus of some documents, each batch a segment of its own."""
    for number, texts in enumerate(batches):
        file = folder.parent / f"{folder.name}-{number}.vert"
        file.write_text("".join(map(_document, texts)), encoding="utf-8")
        import_vertical(file, folder, attributes=NAMES)
    return Corpus(folder)


def _document(text: Text) -> str:
    inner = "".join(f"<s>\n{_lines(sentence)}</s>\n" for sentence in text.sentences)
    head = f'date="{text.date}" url="{escape(text.url)}" source="{escape(text.url)}"'
    return f"<doc {head}>\n{inner}</doc>\n"


def _lines(sentence: str) -> str:
    """Return tokens as lines; a token without lemma and tag is its own lemma, a noun."""
    rows = []
    for token in sentence.split():
        word, lemma, tag = [*token.split("/"), "", ""][:3]
        rows.append(f"{word}\t{lemma or word.lower()}\t{tag or 'NN'}\n")
    return "".join(rows)
