"""Tokens of other people's annotators, put into our columns."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from izwi.model.document import Annotation


@dataclass(frozen=True, slots=True)
class ForeignToken:
    """A token as another annotator found it, with its place in the paragraph."""

    start: int
    end: int
    begins_sentence: bool
    lemma: str = ""
    upos: str = ""
    xpos: str = ""
    feats: str = ""


def aligned(
    paragraphs: Sequence[str],
    found: Iterable[Sequence[ForeignToken]],
    *,
    columns: Sequence[str],
    language: str,
) -> Annotation:
    """Return the annotation of paragraphs from the tokens found in each."""
    text, base = "\n".join(paragraphs), 0
    tokens: list[ForeignToken] = []
    starts: list[int] = []
    first: list[int] = []
    for paragraph, some in zip(paragraphs, found, strict=True):
        if some:
            first.append(len(tokens))
        tokens.extend(some)
        starts.extend(base + token.start for token in some)
        base += len(paragraph) + 1
    ends = [at + token.end - token.start for at, token in zip(starts, tokens, strict=True)]
    return Annotation(
        words=tuple(text[start:end] for start, end in zip(starts, ends, strict=True)),
        starts=tuple(starts),
        ends=tuple(ends),
        sentences=_begins(tokens, set(first)),
        paragraphs=tuple(first),
        language=language,
        **{name: _column(tokens, name) for name in columns},
    )


def _begins(tokens: Sequence[ForeignToken], first: set[int]) -> tuple[int, ...]:
    """Return the tokens that begin a sentence; no sentence goes on into the next paragraph."""
    return tuple(n for n, token in enumerate(tokens) if token.begins_sentence or n in first)


def _column(tokens: Sequence[ForeignToken], name: str) -> tuple[str, ...]:
    """Return one column; what the annotator does not know is empty, stems are lemmas."""
    attribute = {"lemmas": "lemma", "stems": "lemma"}.get(name, name)
    values: list[Any] = [getattr(token, attribute) for token in tokens]
    return tuple(values)
