"""The blocks of a TEI text: their words in order, what is set apart in them, and their tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from typing import Any

from izwi.export.inline import EMPHASIS, LINK
from izwi.model.document import Annotation, Mark, Paragraph

_TEI = "{http://www.tei-c.org/ns/1.0}"
_KINDS = {"p": "p", "head": "h", "item": "li", "quote": "blockquote"}
_BLOCKS = {*_KINDS, "ab", "l", "u", "cell"}
_TOKENS = ("w", "pc")


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a block: where it stands in it, and what is said of it."""

    start: int
    end: int
    lemma: str
    tag: str
    begins_sentence: bool


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph and its tokens, if it has any."""

    paragraph: Paragraph
    tokens: tuple[Token, ...] = ()


def blocks_of(tei: Any) -> Iterator[Block]:
    """Yield the blocks of a document's text that hold anything."""
    text = tei.find(f"{_TEI}text")
    found = _elements(text) if text is not None else ()
    blocks = (_tokens(each) if _has_tokens(each) else _prose(each) for each in found)
    return (block for block in blocks if block.paragraph.text.strip())


def annotation_of(blocks: Sequence[Block]) -> Annotation | None:
    """Return the tokens of all blocks; None unless every block has its own."""
    if not blocks or not all(block.tokens for block in blocks):
        return None
    pairs = [(begin, token) for begin, block in _placed(blocks) for token in block.tokens]
    lines = "\n".join(block.paragraph.text for block in blocks)
    starts = tuple(begin + token.start for begin, token in pairs)
    ends = tuple(begin + token.end for begin, token in pairs)
    words = tuple(lines[start:end] for start, end in zip(starts, ends, strict=True))
    sizes = [len(block.tokens) for block in blocks]
    tags = tuple(token.tag for _, token in pairs)
    lemmas = tuple(token.lemma or word for (_, token), word in zip(pairs, words, strict=True))
    return Annotation(
        words,
        starts,
        ends,
        tuple(place for place, (_, token) in enumerate(pairs) if token.begins_sentence),
        tuple(accumulate(sizes[:-1], initial=0)),
        lemmas if any(token.lemma for _, token in pairs) else (),
        xpos=tags if any(tags) else (),
    )


def _placed(blocks: Sequence[Block]) -> Iterator[tuple[int, Block]]:
    begin = 0
    for block in blocks:
        yield begin, block
        begin += len(block.paragraph.text) + 1


def _elements(element: Any) -> Iterator[Any]:
    """Yield the innermost blocks in order; comments of readers are passed over."""
    for child in element:
        name = _name(child)
        if name == "div" and child.get("type") == "comments":
            continue
        if name in _BLOCKS and not any(_name(each) in _BLOCKS for each in child.iterdescendants()):
            yield child
        elif name:
            yield from _elements(child)


def _name(element: Any) -> str:
    tag = element.tag
    return tag.removeprefix(_TEI) if isinstance(tag, str) else ""


def _kind(element: Any) -> str:
    name = _name(element)
    return str(element.get("rend") or "p") if name == "p" else _KINDS.get(name, "p")


def _has_tokens(element: Any) -> bool:
    return any(_name(each) in _TOKENS for each in element.iterdescendants())


def _prose(element: Any) -> Block:
    reading = _Reading()
    reading.read(element)
    return Block(Paragraph("".join(reading.parts), _kind(element), marks=tuple(reading.marks)))


@dataclass
class _Reading:
    """Mixed content on its way to a text and marks."""

    parts: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    size: int = 0

    def read(self, element: Any) -> None:
        """Take in what an element holds."""
        self._take(element.text)
        for child in element:
            start, place = self.size, len(self.marks)
            if _name(child):
                self.read(child)
                mark = _mark(child, start, self.size)
                self.marks[place:place] = [mark] if mark else []
            self._take(child.tail)

    def _take(self, text: str | None) -> None:
        if text:
            self.parts.append(text)
            self.size += len(text)


def _mark(element: Any, start: int, end: int) -> Mark | None:
    name = _name(element)
    if name == "ref":
        return Mark(start, end, LINK, str(element.get("target") or ""))
    if name == "emph":
        return Mark(start, end, EMPHASIS)
    return Mark(start, end, str(element.get("rend") or name)) if name == "hi" else None


def _tokens(element: Any) -> Block:
    sentences = [each for each in element.iterdescendants() if _name(each) == "s"] or [element]
    text, tokens, is_spaced = "", [], False
    for place, word in chain.from_iterable(map(_words, sentences)):
        text += " " if is_spaced else ""
        spelt = "".join(word.itertext())
        lemma, tag = word.get("lemma") or "", word.get("pos") or ""
        tokens.append(Token(len(text), len(text) + len(spelt), lemma, tag, place == 0))
        text += spelt
        is_spaced = word.get("join") not in ("right", "both")
    return Block(Paragraph(text, _kind(element)), tuple(tokens))


def _words(sentence: Any) -> Iterator[tuple[int, Any]]:
    return enumerate(each for each in sentence.iterdescendants() if _name(each) in _TOKENS)
