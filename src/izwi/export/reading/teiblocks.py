"""The blocks of a TEI text: their words in order, what is set apart in them, and their tokens."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from izwi.export.tei import EMPHASIS, LINK
from izwi.model.document import Annotation, Mark, Paragraph

_TEI = "{http://www.tei-c.org/ns/1.0}"
# TXM puts its forms and annotations into words under a namespace of its own.
_TXM = "{http://textometrie.org/1.0}"
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_KINDS = {"p": "p", "head": "h", "item": "li", "quote": "blockquote"}
_BLOCKS = {*_KINDS, "ab", "l", "u", "cell"}
_TOKENS = ("w", "pc")
# What is printed or told beside the text: notes, heads and feet of pages, noises, deletions.
_BESIDE = {
    "note", "fw", "desc", "figDesc", "kinesic", "vocal", "incident", "gap", "linkGrp", "del",
}  # fmt: skip
# Of a choice, the form before it was corrected, made regular or written out.
_OLDER = {"sic", "orig", "abbr"}
_BREAKS = ("lb", "pb", "cb")
_HYPHENS = re.compile(r"(?:(?<=[^\W\d_])-|¬)\s*$")


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a block: where it stands in it, and what is said of it."""

    start: int
    end: int
    begins_sentence: bool
    lemma: str = ""
    upos: str = ""
    tag: str = ""
    feats: str = ""
    head: str = ""
    deprel: str = ""


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
    lemmas = tuple(token.lemma or word for (_, token), word in zip(pairs, words, strict=True))
    return Annotation(
        words,
        starts,
        ends,
        tuple(place for place, (_, token) in enumerate(pairs) if token.begins_sentence),
        tuple(accumulate(sizes[:-1], initial=0)),
        lemmas if any(token.lemma for _, token in pairs) else (),
        upos=_column(token.upos for _, token in pairs),
        xpos=_column(token.tag for _, token in pairs),
        feats=_column(token.feats for _, token in pairs),
        heads=_column(token.head for _, token in pairs),
        deprels=_column(token.deprel for _, token in pairs),
    )


def _column(values: Iterator[str]) -> tuple[str, ...]:
    """Return a column, empty if nothing is said in it."""
    found = tuple(values)
    return found if any(found) else ()


def _placed(blocks: Sequence[Block]) -> Iterator[tuple[int, Block]]:
    begin = 0
    for block in blocks:
        yield begin, block
        begin += len(block.paragraph.text) + 1


def _elements(element: Any) -> Iterator[Any]:
    """Yield the blocks in order, each before those that lie in it; comments of readers do not."""
    for child in element:
        name = _name(child)
        is_comments = name == "div" and child.get("type") == "comments"
        if is_comments or _is_beside(child):
            continue
        if _is_block(child):
            yield child
        yield from _elements(child)


def _is_block(element: Any) -> bool:
    """Whether an element is a paragraph; parts of a speech are, parts of a sentence are not."""
    name = _name(element)
    return name in _BLOCKS or (name == "seg" and _name(element.getparent()) == "u")


def _is_beside(element: Any) -> bool:
    """Whether an element is no part of the text."""
    name = _name(element)
    is_older = name in _OLDER and _name(element.getparent()) == "choice"
    return not name or name in _BESIDE or is_older


def _name(element: Any) -> str:
    tag = element.tag
    return tag.removeprefix(_TEI) if isinstance(tag, str) else ""


def _kind(element: Any) -> str:
    name = _name(element)
    return str(element.get("rend") or "p") if name == "p" else _KINDS.get(name, "p")


def _within(element: Any) -> Iterator[Any]:
    """Yield what lies in a block itself, in order: not in a block in it, nor beside the text."""
    for child in element:
        if not _is_beside(child) and not _is_block(child):
            yield child
            yield from _within(child)


def _has_tokens(element: Any) -> bool:
    return any(_name(each) in _TOKENS for each in _within(element))


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
    # Whether a line ended here, and whether its last word goes on in the next.
    is_broken: bool = False

    def read(self, element: Any) -> None:
        """Take in what an element holds."""
        self._take(element.text)
        for child in element:
            start, place, name = self.size, len(self.marks), _name(child)
            if name in _BREAKS:
                self._break(joins=child.get("break") == "no")
            elif not _is_beside(child) and not _is_block(child):
                self.read(child)
                mark = _mark(child, start, self.size)
                self.marks[place:place] = [mark] if mark else []
            self._take(child.tail)

    def _take(self, text: str | None) -> None:
        if not text:
            return
        if self.is_broken and text.strip():
            self.is_broken = False
            text = self._joined(text.lstrip())
        self.parts.append(text)
        self.size += len(text)

    def _break(self, *, joins: bool) -> None:
        """End a line; its hyphen goes if the next begins in lower case."""
        if joins:
            self._cut(re.compile(r"[-¬]?\s*$"))
        elif not self.is_broken:
            self.is_broken = True

    def _joined(self, text: str) -> str:
        last = self.parts[-1] if self.parts else ""
        if _HYPHENS.search(last) and text[:1].islower():
            self._cut(_HYPHENS)
            return text
        return text if not last or last[-1:].isspace() else f" {text}"

    def _cut(self, ending: re.Pattern[str]) -> None:
        if self.parts:
            kept = ending.sub("", self.parts[-1])
            self.size -= len(self.parts[-1]) - len(kept)
            self.parts[-1] = kept


def _mark(element: Any, start: int, end: int) -> Mark | None:
    name = _name(element)
    if name == "ref":
        return Mark(start, end, LINK, str(element.get("target") or ""))
    if name == "emph":
        return Mark(start, end, EMPHASIS)
    return Mark(start, end, str(element.get("rend") or name)) if name == "hi" else None


def _tokens(element: Any) -> Block:
    sentences = [each for each in _within(element) if _name(each) == "s"] or [element]
    parts: list[str] = []
    tokens: list[Token] = []
    size, is_spaced = 0, False
    for sentence in sentences:
        words = list(_words(sentence))
        relations = _relations(sentence, words)
        for place, word in enumerate(words):
            begin = size + is_spaced
            spelt = _spelt(word)
            parts += [" " * is_spaced, spelt]
            size = begin + len(spelt)
            said = {**_said(word), **relations.get(place, {})}
            tokens.append(Token(begin, size, place == 0, **said))
            is_spaced = word.get("join") not in ("right", "both")
    return Block(Paragraph("".join(parts), _kind(element)), tuple(tokens))


def _words(sentence: Any) -> Iterator[Any]:
    """Yield the words of a sentence; what one was normalised to lies in it and is no word."""
    for each in _within(sentence):
        if _name(each) in _TOKENS and _name(each.getparent()) not in _TOKENS and _spelt(each):
            yield each


def _spelt(word: Any) -> str:
    form = word.find(f"{_TXM}form")
    found = word.itertext() if form is None else form.itertext()
    return "".join("".join(found).split())


def _said(word: Any) -> dict[str, str]:
    """Return what is said of a word: by attributes, as msd of UD, or by annotations of TXM."""
    found = {"lemma": word.get("lemma") or "", "tag": word.get("pos") or ""}
    msd = word.get("msd") or ""
    if "UPosTag=" in msd:
        parts = [part for part in msd.split("|") if "=" in part]
        found["upos"] = next(p for p in parts if p.startswith("UPosTag=")).partition("=")[2]
        found["feats"] = "|".join(part for part in parts if not part.startswith("UPosTag="))
    elif msd and not found["tag"]:
        found["tag"] = msd
    for note in word.findall(f"{_TXM}ana"):
        name = str(note.get("type") or "").lower()
        key = "lemma" if name.endswith("lemma") else "tag" if name.endswith("pos") else ""
        if key:
            found[key] = (note.text or "").strip()
    return found


def _relations(sentence: Any, words: Sequence[Any]) -> Mapping[int, dict[str, str]]:
    """Return heads and relations by the places of words, from the links of a sentence."""
    place = {f"#{word.get(_XML_ID)}": number for number, word in enumerate(words)}
    root = f"#{sentence.get(_XML_ID)}"
    found: dict[int, dict[str, str]] = {}
    for link in sentence.iterfind(f"{_TEI}linkGrp[@type='UD-SYN']/{_TEI}link"):
        head, _, own = (link.get("target") or "").partition(" ")
        if own not in place or (head != root and head not in place):
            continue
        relation = str(link.get("ana") or "").rpartition(":")[2].lstrip("#").replace("_", ":")
        number = "0" if head == root else str(place[head] + 1)
        found[place[own]] = {"head": number, "deprel": relation}
    return found
