"""Tokens of other people's annotators, put into our columns."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from izwi.model.document import Annotation

_NO_SPACE = re.compile(r"\S+")


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
    deprel: str = ""
    # Its head's place among the tokens found in the paragraph; -1 for a root, None if unknown.
    head: int | None = None
    # Whether the annotator passed it over.
    is_lost: bool = False


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
    heads: list[str] = []
    for paragraph, known in zip(paragraphs, found, strict=True):
        some = list(_with_lost_text(paragraph, known))
        if some:
            first.append(len(tokens))
        tokens.extend(some)
        heads.extend(_heads(some))
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
        **{name: _column(tokens, name) for name in columns if name != "heads"},
        **({"heads": tuple(heads)} if "heads" in columns else {}),
    )


def _heads(tokens: Sequence[ForeignToken]) -> Iterator[str]:
    """Yield the number of each token's head in its sentence, lost text counted; "0" for a root."""
    places = [n for n, token in enumerate(tokens) if not token.is_lost]
    begin = 0
    for number, token in enumerate(tokens):
        if token.begins_sentence:
            begin = number
        if token.head is None:
            yield ""
        else:
            yield "0" if token.head < 0 else str(places[token.head] - begin + 1)


def _with_lost_text(paragraph: str, tokens: Sequence[ForeignToken]) -> Iterator[ForeignToken]:
    """Yield the tokens, and between them what the annotator passed over (odd signs) as others."""
    until = 0
    for token in tokens:
        yield from _passed_over(paragraph, until, token.start)
        yield token
        until = token.end
    yield from _passed_over(paragraph, until, len(paragraph))


def _passed_over(paragraph: str, begin: int, end: int) -> Iterator[ForeignToken]:
    for match in _NO_SPACE.finditer(paragraph, begin, end):
        yield ForeignToken(*match.span(), False, match.group(), "X", "X", "_", is_lost=True)


def _begins(tokens: Sequence[ForeignToken], first: set[int]) -> tuple[int, ...]:
    """Return the tokens that begin a sentence; no sentence goes on into the next paragraph."""
    return tuple(n for n, token in enumerate(tokens) if token.begins_sentence or n in first)


def _column(tokens: Sequence[ForeignToken], name: str) -> tuple[str, ...]:
    """Return one column; what the annotator does not know is empty, stems are lemmas."""
    attribute = {"lemmas": "lemma", "stems": "lemma", "deprels": "deprel"}.get(name, name)
    values: list[Any] = [getattr(token, attribute) for token in tokens]
    return tuple(values)
