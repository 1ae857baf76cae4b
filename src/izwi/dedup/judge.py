"""Which documents and which of their blocks are copies, and of what."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Batch, Hashes, Sketch, read_batch
from izwi.dedup.claims import Owners
from izwi.dedup.documents import DocumentMethod, first_halves
from izwi.dedup.judgement import NOBODY, Judged, Method, Settings, judge_blocks
from izwi.dedup.signatures import text_key
from izwi.model.document import BlockCopy, CopyOf, Document

# Documents looked at together.
_TOGETHER = 500
# A document is called a copy, not only its blocks, when so much of it is copied.
_WHOLE = 0.5


@dataclass(frozen=True, slots=True)
class JudgeConfig:
    """When a block is a copy, or a whole document by another method."""

    settings: Settings = field(default_factory=Settings)
    method: DocumentMethod | None = None


class Library(Protocol):
    """Who owns what in the whole corpus; documents are numbered by their rank."""

    @property
    def number_by_name(self) -> Mapping[str, int]:
        """The documents of the shard that is judged by their ids."""

    def fill(self, keys: Hashes, owners: Owners) -> None:
        """Fill in the owners of the keys that are known."""

    def name(self, document: int) -> str:
        """Return the id of a document by its number."""

    def sketch(self, document: int) -> Sketch:
        """Return the short n-grams of a document."""


class Judge:
    """Names the owners of each document's text and blocks, where those are other documents."""

    name: ClassVar[str] = "judge"
    version: ClassVar[int] = 3

    def __init__(self, config: JudgeConfig, library: Library) -> None:
        self._config = config
        self._library = library

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents, the copies marked."""
        for some in batches(documents):
            texts = _text_owners(some, self._library)
            if self._config.method is not None:
                yield from self._judged_whole(some, texts, self._config.method)
                continue
            found = _copied_blocks(some, self._library, self._config.settings)
            for document in some:
                blocks = found.get(document.id, ())
                whole = texts.get(document.id) or _whole(document, blocks)
                yield replace(document, copy_of=whole, copied=blocks)

    def _judged_whole(
        self, documents: Sequence[Document], texts: Mapping[str, CopyOf], method: DocumentMethod
    ) -> Iterator[Document]:
        for document in documents:
            number = self._library.number_by_name.get(document.id)
            whole = texts.get(document.id)
            if whole is None and number is not None:
                whole = _most_alike(document, number, self._library, method)
            yield replace(document, copy_of=whole, copied=())


def _most_alike(
    document: Document, number: int, library: Library, method: DocumentMethod
) -> CopyOf | None:
    """Return the better document that this one is most like, of those that own what it holds."""
    keys = method.keys(main_texts(document))
    own = first_halves(keys)
    rivals = set(_filled(keys, library).tolist()) - {NOBODY, number}
    # Of several as like, the one of the best rank.
    likeness = {each: method.likeness(own, library.sketch(each)) for each in sorted(rivals)}
    best = max(likeness, key=lambda each: likeness[each], default=None)
    if best is None or likeness[best] <= method.least:
        return None
    return CopyOf(library.name(best), method.name, round(likeness[best], 4))


def _text_owners(documents: Sequence[Document], library: Library) -> dict[str, CopyOf]:
    """Return the owners of whole texts by the ids of the documents that copy them."""
    known = [each for each in documents if each.id in library.number_by_name]
    keys = np.array([text_key(each.signature) for each in known], np.uint64)
    owners = _filled(keys, library).tolist()
    return {
        each.id: CopyOf(library.name(owner), "exact", 1.0)
        for each, owner in zip(known, owners, strict=True)
        if owner not in (NOBODY, library.number_by_name[each.id])
    }


def batches(documents: Iterator[Document] | Sequence[Document]) -> Iterator[list[Document]]:
    """Yield documents, some hundred at a time."""
    rest = iter(documents)
    while some := list(islice(rest, _TOGETHER)):
        yield some


def main_texts(document: Document) -> list[str]:
    """Return the paragraphs of a document's main text."""
    return [paragraph.text for paragraph in document.paragraphs if paragraph.is_main]


def _copied_blocks(
    documents: Sequence[Document], library: Library, settings: Settings
) -> dict[str, tuple[BlockCopy, ...]]:
    """Return the copied blocks of those documents that have any, by document id."""
    known = [each for each in documents if each.id in library.number_by_name]
    if not known:
        return {}
    numbers = np.array([library.number_by_name[each.id] for each in known], np.uint32)
    batch = read_batch(map(main_texts, known), settings.reading)
    judged = judge_blocks(batch, numbers, _owners(batch, library), settings, library)
    copied = np.add.reduceat(judged.methods != 0, np.r_[0, batch.blocks_until[:-1]])
    return {
        known[place].id: tuple(_block_copies(known[place], judged, place, library))
        for place in np.flatnonzero(copied).tolist()
    }


def _owners(batch: Batch, library: Library) -> tuple[Owners, Owners, Owners]:
    ngrams, blocks, documents = (
        _filled(keys, library) for keys in (batch.ngrams, batch.block_keys, batch.document_keys)
    )
    return ngrams, blocks, documents


def _filled(keys: NDArray[np.uint64], library: Library) -> Owners:
    owners = np.full(len(keys), NOBODY, np.uint32)
    library.fill(keys, owners)
    return owners


def _block_copies(
    document: Document, judged: Judged, place: int, library: Library
) -> Iterator[BlockCopy]:
    ordinals = [
        ordinal for ordinal, paragraph in enumerate(document.paragraphs) if paragraph.is_main
    ]
    blocks = judged.batch.blocks(place)
    # A document without main text is one empty block.
    for ordinal, block in zip(ordinals, range(blocks.start, blocks.stop), strict=False):
        method = Method(int(judged.methods[block]))
        if method is Method.UNIQUE:
            continue
        owner = int(judged.owners[block])
        original = document.id if owner == NOBODY else library.name(owner)
        similarity = round(float(judged.similarities[block]), 4)
        yield BlockCopy(ordinal, original, method.name.lower(), similarity)


def _whole(document: Document, blocks: tuple[BlockCopy, ...]) -> CopyOf | None:
    """Return what the document as a whole is a copy of, if most of its words are copied."""
    words = Counter[str]()
    methods = Counter[str]()
    for block in blocks:
        count = len(document.paragraphs[block.paragraph].text.split())
        words[block.document] += count
        methods[block.method] += count
    words.pop(document.id, None)
    total = len(document.text.split())
    share = sum(words.values()) / total if total else 0.0
    if not words or share < _WHOLE:
        return None
    methods.pop("stub", None)
    method = methods.most_common(1)[0][0] if methods else "ngrams"
    # Of originals with as many words, the one whose name comes first: any fixed rule would do.
    best = min(words, key=lambda name: (-words[name], name))
    return CopyOf(best, "exact-blocks" if method == "exact" else method, round(share, 4))
