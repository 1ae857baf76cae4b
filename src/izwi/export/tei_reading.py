"""TEI P5 as documents: our own exports back as they were, others as far as they are alike.

A paragraph is any block of the text (p, head, item, quote, ab, l, u); where words are marked up as
`w` and `pc`, they are the tokens. The readers' comments of an export are not text and are left out.
Files that a file includes (XInclude) are read in its place, if they lie below its folder.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree

from izwi.export.incoming import Bounded, Incoming, files_of, metadata_of, moment, opened
from izwi.export.tei import EMPHASIS, LINK
from izwi.model.document import Annotation, Mark, Paragraph
from izwi.model.errors import SourceError

_TEI = "{http://www.tei-c.org/ns/1.0}"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_INCLUDE = "{http://www.w3.org/2001/XInclude}include"
_SUFFIXES = (".xml", ".xml.gz", ".tei")
# What includes parts of a header or a text, and no texts.
_INSIDE = (f"{_TEI}teiHeader", f"{_TEI}TEI")
# How deep files may include others: a corpus of corpora of years of days.
_DEEPEST = 8
_YEAR = re.compile(r"\b(1[0-9]{3}|20[0-9]{2})\b")
# schema.org's names for what rows of metadata have.
_NAMES: Mapping[str, str] = {
    "headline": "title",
    "articleSection": "section",
    "datePublished": "date",
    "dateModified": "modified",
    "license": "licence",
    "image": "image",
    "keywords": "keywords",
}
_NESTED = (
    ("author", "author", "name"),
    ("isPartOf", "site", "name"),
    ("parentItem", "parent", "url"),
)


def read_tei(path: Path) -> Iterator[Incoming]:
    """Yield the documents of a TEI file with all it includes, or of all such files in a folder."""
    reading = _Files(path.resolve() if path.is_dir() else path.resolve().parent)
    for file in files_of(path, _SUFFIXES, "TEI"):
        found = 0
        for element in reading.texts(file.resolve()):
            found += 1
            yield _document(element, file)
        if not found and path.is_file():
            raise SourceError(f"{path} holds no element TEI in TEI's namespace.")


def _document(tei: Any, file: Path) -> Incoming:
    try:
        return document_of(tei)
    except RecursionError as error:
        raise SourceError(f"{file} holds elements that lie too deep in each other.") from error


def document_of(tei: Any) -> Incoming:
    """Return the document of a TEI element."""
    row = _metadata(tei)
    blocks = list(blocks_of(tei))
    return Incoming(
        paragraphs=tuple(block.paragraph for block in blocks),
        metadata=metadata_of(row),
        id=_text(tei, ".//{0}publicationStmt/{0}idno[@type='izwi']") or row["xml:id"],
        url=_text(tei, ".//{0}sourceDesc//{0}idno[@type='URI']"),
        source=row["source"],
        captured=moment(_attribute(tei, ".//{0}imprint/{0}date[@type='captured']", "when")),
        given=annotation_of(blocks),
    )


@dataclass
class _Files:
    """The files of a collection: each is read once, and none outside its folder."""

    folder: Path
    seen: set[Path] = field(default_factory=set)

    def texts(self, path: Path, depth: int = 0) -> Iterator[Any]:
        """Yield the TEI elements of a file one by one, each forgotten after it was read."""
        if path in self.seen:
            return
        self.seen.add(path)
        try:
            with opened(path) as file:
                bounded = Bounded(file, path)
                for _, element in etree.iterparse(
                    bounded, tag=(f"{_TEI}TEI", _INCLUDE), resolve_entities=False, no_network=True,
                    huge_tree=True,
                ):  # fmt: skip
                    if element.tag != _INCLUDE:
                        yield element
                        _forget(element)
                        bounded.begin()
                    elif next(element.iterancestors(*_INSIDE), None) is None:
                        yield from self.texts(self._included(element, path), self._deeper(depth))
        except etree.XMLSyntaxError as error:
            raise SourceError(f"{path} is no XML: {error}.") from error
        except (OSError, EOFError) as error:
            raise SourceError(f"{path} cannot be read: {error}.") from error

    def _deeper(self, depth: int) -> int:
        if depth >= _DEEPEST:
            raise SourceError(f"Files that include others lie more than {_DEEPEST} deep.")
        return depth + 1

    def _included(self, element: Any, path: Path) -> Path:
        """Return the file that is included; it lies in the folder of the collection or below."""
        named = str(element.get("href") or "")
        is_plain = element.get("parse", "xml") == "xml" and not element.get("xpointer")
        if not is_plain or not named or urlsplit(named).scheme or urlsplit(named).netloc:
            raise SourceError(f"{path} includes '{named}'; only whole files of XML are read.")
        found = (path.parent / unquote(urlsplit(named).path)).resolve()
        if not found.is_relative_to(self.folder):
            raise SourceError(f"{path} includes '{named}', which lies outside {self.folder}.")
        if not found.is_file():
            raise SourceError(f"{path} includes '{named}', which is not there.")
        return found


def _forget(element: Any) -> None:
    element.clear()
    around = element.getparent()
    while around is not None and element.getprevious() is not None:
        del around[0]


def _metadata(tei: Any) -> dict[str, Any]:
    language = tei.get(f"{_XML}lang") or ""
    notes = {
        str(note.get("type")).replace("-", "_"): note.text or ""
        for note in tei.findall(f".//{_TEI}biblStruct/{_TEI}note")
    }
    stated = _stated(tei)
    said = _header(tei) if stated is None else stated
    return {
        "xml:id": tei.get(f"{_XML}id") or "",
        "source": notes.get("source", ""),
        "language": "" if language == "und" else language,
        "licence": notes.get("licence", ""),
        "page_type": notes.get("page_type", ""),
        "date_evidence": notes.get("date_evidence", ""),
        **said,
    }


def _stated(tei: Any) -> dict[str, Any] | None:
    """Return what the schema.org description in the header says; None if there is none."""
    try:
        row = json.loads(_text(tei, ".//{0}xenoData[@type='schema.org']"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    said = {name: row[key] for key, name in _NAMES.items() if key in row}
    for key, name, inner in _NESTED:
        if isinstance(row.get(key), dict):
            said[name] = row[key].get(inner, "")
    return said


def _header(tei: Any) -> dict[str, Any]:
    """Return what the header says; TXM says some of it on the text itself."""
    terms = tei.findall(f".//{_TEI}profileDesc//{_TEI}term")
    text = tei.find(f"{_TEI}text")
    own = {} if text is None else {name.lower(): value for name, value in text.attrib.items()}
    return {
        "title": _title(tei) or own.get("title") or own.get("titre", ""),
        "author": _author(tei) or own.get("author") or own.get("auteur", ""),
        "date": _date(tei) or own.get("date", ""),
        "keywords": [_spaced(term) for term in terms],
        "licence": _attribute(tei, ".//{0}availability/{0}licence", "target"),
        "section": own.get("genre") or own.get("type", ""),
    }


def _title(tei: Any) -> str:
    """Return the main title with the first subtitle, where titles are told apart."""
    titles = tei.findall(f".//{_TEI}fileDesc/{_TEI}titleStmt/{_TEI}title")
    main = next((each for each in titles if each.get("type") == "main"), None)
    return _spaced(main if main is not None else titles[0]) if titles else ""


def _author(tei: Any) -> str:
    """Return the author as people say the name, whatever its parts are called."""
    for path in (".//{0}titleStmt/{0}author", ".//{0}sourceDesc//{0}author"):
        found = tei.find(path.format(_TEI))
        if found is None:
            continue
        names = [
            _spaced(part)
            for name in ("forename", "nameLink", "surname")
            for part in found.iter(f"{_TEI}{name}")
        ]
        return " ".join(names) or _spaced(found)
    return ""


def _date(tei: Any) -> str:
    """Return when the text was published or spoken: as a date, else as the year in its words."""
    for place in ("sourceDesc", "settingDesc", "creation"):
        for name in ("when", "from", "notBefore"):
            if said := _attribute(tei, f".//{{0}}{place}//{{0}}date[@{name}]", name):
                return said
    printed = tei.find(f".//{_TEI}sourceDesc//{_TEI}date")
    year = _YEAR.search(_spaced(printed)) if printed is not None else None
    return year[1] if year else ""


def _spaced(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def _text(tei: Any, path: str) -> str:
    found = tei.find(path.format(_TEI))
    return "" if found is None else "".join(found.itertext()).strip()


def _attribute(tei: Any, path: str, name: str) -> str:
    found = tei.find(path.format(_TEI))
    return "" if found is None else str(found.get(name) or "")


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
