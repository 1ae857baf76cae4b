"""What an annotator is, the stage that runs one, others' tokens put into our columns, lexicons.

In a user's lexicon stand words whose tag and lemma are known and win over any model.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any, ClassVar, Protocol

from izwi import plugins
from izwi.model.document import TOKEN_COLUMNS, Annotation, Document
from izwi.model.errors import ConfigError
from izwi.model.records import dataclass

# What can be found out about a token beside its place.
COLUMNS = TOKEN_COLUMNS


@dataclass(frozen=True, slots=True)
class AnnotatorSettings:
    """What an annotator is made for: a language, a model, the user's lexicon, some columns."""

    language: str = "und"
    model: str = ""
    # Lines of the user's lexicon: word, tag, lemma, with tabs between.
    lexicon: tuple[str, ...] = ()
    columns: tuple[str, ...] = COLUMNS
    # A file of learnt segments; stems are then pieces of it.
    segments: str = ""
    # Words whose full stop is their own, beside those every language has.
    abbreviations: tuple[str, ...] = ()
    # Words that lean on the next one, with their apostrophe.
    clitics: tuple[str, ...] = ()


class Annotator(Protocol):
    """Cuts paragraphs into sentences and tokens, and says what it knows of them.

    An annotator class is made with AnnotatorSettings, or with nothing for any language.
    """

    depends_on: ClassVar[tuple[str, ...]]

    def __call__(self, paragraphs: Sequence[str]) -> Annotation:
        """Return the tokens, with offsets into the paragraphs joined by line breaks."""


@dataclass(frozen=True, slots=True)
class LanguageChoice:
    """How the texts of one language are annotated."""

    method: str = ""
    model: str = ""
    lexicon: tuple[str, ...] = ()
    segments: str = ""
    abbreviations: tuple[str, ...] = ()
    clitics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnnotateConfig:
    """Which annotator is used, in general and for single languages (ISO 639-3)."""

    method: str = "izwi"
    languages: Mapping[str, LanguageChoice] = field(default_factory=dict)
    columns: tuple[str, ...] = ()


class Annotate:
    """Adds the tokens of every kept document.

    `earlier` are the same documents, in the same order, with what the same annotator made of their
    texts before: those that are still the same are not annotated again.
    """

    name: ClassVar[str] = "annotate"
    version: ClassVar[int] = 13

    def __init__(self, config: AnnotateConfig, earlier: Iterable[Document] = ()) -> None:
        self._config = config
        self._earlier = earlier
        self._annotators: dict[str, Annotator] = {}
        plugins.load("izwi.annotators", config.method)

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents, those kept and the copies folded into them with their tokens."""
        rows = iter(self._earlier)
        for document in documents:
            before = next(rows, None)
            if not document.verdict.is_kept and not document.is_folded:
                yield document
                continue
            known = document.given or (before and known_tokens(before, document))
            yield replace(document, annotation=known or self._annotated(document))

    def _annotated(self, document: Document) -> Annotation:
        language = _code(document)
        texts = [paragraph.text for paragraph in document.paragraphs if paragraph.is_main]
        return self._annotator(language)(texts)

    def _annotator(self, language: str) -> Annotator:
        if language not in self._annotators:
            choice = self._config.languages.get(language, LanguageChoice())
            kind = plugins.load("izwi.annotators", choice.method or self._config.method)
            self._annotators[language] = kind(
                AnnotatorSettings(
                    language,
                    choice.model,
                    choice.lexicon,
                    self._config.columns,
                    choice.segments,
                    choice.abbreviations,
                    choice.clitics,
                )
            )
        return self._annotators[language]


def known_tokens(before: Document, document: Document) -> Annotation | None:
    """Return a document's tokens of before, if it has some and language and text are the same."""
    known = before.annotation
    if known is None or not known.words or before.text != document.text:
        return None
    return known if _code(before) == _code(document) else None


def _code(document: Document) -> str:
    return document.language.code if document.language else "und"


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


_UNIVERSAL = """ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"""
UNIVERSAL = frozenset(_UNIVERSAL.split())


@dataclass(frozen=True, slots=True)
class Entry:
    """What the user says of a word: a tag, universal or the language's own, and a lemma."""

    tag: str
    lemma: str

    @property
    def is_universal(self) -> bool:
        """Whether the tag is one of the seventeen universal parts of speech."""
        return self.tag in UNIVERSAL


class Lexicon:
    """The entries of a lexicon by word; a word in lower case stands for any case."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = dict(entries)

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, word: str) -> Entry | None:
        """Return the entry of a word as written, else of its lower-case form."""
        return self._entries.get(word) or self._entries.get(word.lower())

    @property
    def words(self) -> frozenset[str]:
        """The words that must stay whole when a text is cut."""
        return frozenset(word.lower() for word in self._entries)

    @property
    def lemmas(self) -> frozenset[str]:
        """The lemmas the user attests."""
        return frozenset(entry.lemma for entry in self._entries.values())


NO_LEXICON = Lexicon({})


def read_lexicon(path: Path) -> Lexicon:
    """Return the lexicon in a file of lines `word TAB tag TAB lemma`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The lexicon {path} cannot be read: {error}.") from error
    return parse_lexicon(text.splitlines(), str(path))


def parse_lexicon(lines: Iterable[str], name: str = "the lexicon") -> Lexicon:
    """Return the lexicon in lines; empty ones and those that begin with # are left out.

    >>> parse_lexicon(["maas\\tNOUN\\tmaas"]).find("Maas").tag
    'NOUN'
    """
    entries = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) not in (2, 3) or not all(columns[:2]):
            raise ConfigError(
                f"{name}, line {number}: write word, tag and lemma with tabs between, not {line!r}."
            )
        if any(sign.isspace() for sign in columns[0]):
            raise ConfigError(f"{name}, line {number}: '{columns[0]}' is more than one word.")
        entries[columns[0]] = Entry(columns[1], (columns[2:] or [""])[0] or columns[0])
    return Lexicon(entries)
