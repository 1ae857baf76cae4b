"""Which documents and which of their blocks are copies, and of what: all that share the text."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Batch, Hashes, Sketch, read_batch
from izwi.dedup.copied_blocks import Judged, Method, Settings, judge_blocks
from izwi.dedup.furniture import furniture_among
from izwi.dedup.notices import Rival, new_facts
from izwi.dedup.ownership import NOBODY, Owners, ranked_date, ranked_days
from izwi.dedup.signatures import DocumentMethod, first_halves, text_key
from izwi.model.document import FURNITURE, BlockCopy, CopyOf, Document, Original, Paragraph
from izwi.model.records import dataclass

# A page of at most so many words is short; a sentence has five words and an end, or ten letters
# where no spaces are written. The one is looked for from the first word alone: from every letter
# it would take the square of a long word's time.
_SHORT_PAGE = 60
_FIVE_WORDS = re.compile(r"(?:\S+\s+){4,}\S*[.!?…।።؟]\W{0,3}$")
_TEN_LETTERS = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]{10}[。！？]?\W{0,3}$")
# A line of so many words may be what any site says of itself.
_NAME_WORDS = 5
# So many words below a heading are an entry.
_ENTRY_WORDS = 3


class Register(Protocol):
    """What is known of a corpus's documents beside their texts; they are numbered by rank."""

    def name(self, document: int) -> str:
        """Return the id of a document."""

    def publication(self, document: int) -> str:
        """Return where a document was published."""

    def rank(self, document: int) -> bytes:
        """Return the rank of a document."""


def sharers(judged: Judged, ngrams: Owners, block: int, number: int) -> dict[int, int]:
    """Return which other documents own n-grams of a copied block, and how many, the most first.

    The document the block was found to copy is always among them; `number` is the block's own.
    """
    if judged.methods[block] in (Method.REPEATED, Method.FURNITURE):
        return {}
    ends = judged.batch.block_ends
    start = int(ends[block - 1]) if block else 0
    found, counts = np.unique(ngrams[start : int(ends[block])], return_counts=True)
    shared = dict(zip(found.tolist(), counts.tolist(), strict=True))
    shared.setdefault(int(judged.owners[block]), 1)
    for nobody_else in (NOBODY, number):
        shared.pop(nobody_else, None)
    return dict(sorted(shared.items(), key=lambda each: (-each[1], each[0])))


def shares(blocks: Iterable[tuple[int, Mapping[int, int]]], words: int) -> list[tuple[int, float]]:
    """Return the share of a document's words that is from each other document, the most first.

    A block is given with its size and its sharers, between whom it is divided by n-grams.
    """
    found: dict[int, float] = defaultdict(float)
    for size, shared in blocks:
        total = sum(shared.values())
        for number, count in shared.items():
            found[number] += size * count / total
    best_first = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    return [(number, round(size / max(words, 1), 4)) for number, size in best_first]


def original(register: Register, number: int, share: float) -> Original:
    """Return a document, given by number, as one that another has text from."""
    when = ranked_date(register.rank(number))
    return Original(register.name(number), register.publication(number), when, share)


# Documents looked at together.
_TOGETHER = 500
# A document is called a copy, not only its blocks, when so much of it is copied.
_WHOLE = 0.5
# A notice is held against so many of those that own its words, the ones with the most first.
_MOST_RIVALS = 20


@dataclass(frozen=True, slots=True)
class JudgeConfig:
    """When a block is a copy, or a whole document by another method."""

    settings: Settings = field(default_factory=Settings)
    method: DocumentMethod | None = None


class Library(Register, Protocol):
    """Who owns what in the whole corpus; documents are numbered by their rank."""

    @property
    def number_by_name(self) -> Mapping[str, int]:
        """The documents of the shard that is judged by their ids."""

    def fill(self, keys: Hashes, owners: Owners) -> None:
        """Fill in the owners of the keys that are known."""

    def sketch(self, document: int) -> Sketch:
        """Return the short n-grams of a document."""


class Judge:
    """Names the owners of each document's text and blocks, where those are other documents."""

    name: ClassVar[str] = "judge"
    version: ClassVar[int] = 11

    def __init__(self, config: JudgeConfig, library: Library) -> None:
        self._config = config
        self._library = library

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents, the copies marked."""
        for some in batches(documents):
            texts = _text_owners(some, self._library)
            furniture = furniture_among(some, self._library)
            if self._config.method is not None:
                yield from self._judged_whole(some, texts, furniture, self._config.method)
                continue
            found = _copied_blocks(some, furniture, self._library, self._config.settings)
            for document in some:
                copied = found.get(document.id, document)
                yield replace(copied, copy_of=texts.get(document.id) or copied.copy_of)

    def _judged_whole(
        self,
        documents: Sequence[Document],
        texts: Mapping[str, CopyOf],
        furniture: Mapping[str, Mapping[int, int]],
        method: DocumentMethod,
    ) -> Iterator[Document]:
        for document in documents:
            number = self._library.number_by_name.get(document.id)
            alike = () if number is None else _alike(document, number, self._library, method)
            whole = texts.get(document.id)
            if whole is None and alike:
                whole = CopyOf(alike[0].document, method.name, alike[0].share)
            copied = tuple(
                BlockCopy(place, self._library.name(owner), FURNITURE, 1.0)
                for place, owner in furniture.get(document.id, {}).items()
            )
            yield replace(document, copy_of=whole, originals=alike, copied=copied)


def _alike(
    document: Document, number: int, library: Library, method: DocumentMethod
) -> tuple[Original, ...]:
    """Return the better documents this one is like, of those that own what it holds."""
    keys = method.keys(main_texts(document))
    own = first_halves(keys)
    rivals = set(_filled(keys, library).tolist()) - {NOBODY, number}
    likeness = {each: method.likeness(own, library.sketch(each)) for each in rivals}
    # The most alike first; of several as like, the one of the best rank.
    order = sorted(rivals, key=lambda each: (-likeness[each], each))
    return tuple(
        original(library, each, round(likeness[each], 4))
        for each in order
        if likeness[each] > method.least
    )


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
    documents: Sequence[Document],
    furniture: Mapping[str, Mapping[int, int]],
    library: Library,
    settings: Settings,
) -> dict[str, Document]:
    """Return the documents that have copied blocks, by id, with these and all their originals."""
    known = [each for each in documents if each.id in library.number_by_name]
    if not known:
        return {}
    numbers = np.array([library.number_by_name[each.id] for each in known], np.uint32)
    batch = read_batch(map(main_texts, known), settings.reading)
    owners = _owners(batch, library)
    left_out: dict[int, int] = {}
    for place, document in enumerate(known):
        left_out |= _furniture_blocks(document, furniture.get(document.id, {}), batch, place)
    judged = judge_blocks(batch, numbers, owners, settings, library, left_out)
    copied = np.add.reduceat(judged.methods != 0, np.r_[0, batch.blocks_until[:-1]])
    found = (
        _with_copies(known[place], place, judged, owners[0], library)
        for place in np.flatnonzero(copied).tolist()
    )
    return {each.id: _with_its_facts(each, settings, library, shares) for each, shares in found}


def _furniture_blocks(
    document: Document, found: Mapping[int, int], batch: Batch, place: int
) -> dict[int, int]:
    """Return a document's furniture, given by paragraphs, by the blocks of its batch."""
    main = [number for number, each in enumerate(document.paragraphs) if each.is_main]
    first = batch.blocks(place).start
    return {first + main.index(number): owner for number, owner in found.items()}


def _owners(batch: Batch, library: Library) -> tuple[Owners, Owners, Owners]:
    ngrams, blocks, documents = (
        _filled(keys, library) for keys in (batch.ngrams, batch.block_keys, batch.document_keys)
    )
    return ngrams, blocks, documents


def _filled(keys: NDArray[np.uint64], library: Library) -> Owners:
    owners = np.full(len(keys), NOBODY, np.uint32)
    library.fill(keys, owners)
    return owners


def _with_copies(
    document: Document, place: int, judged: Judged, ngrams: Owners, library: Library
) -> tuple[Document, list[int]]:
    """Return a document with its copied blocks, and the documents from which it has them."""
    blocks = judged.batch.blocks(place)
    number = int(judged.numbers[place])
    shared = {
        block: sharers(judged, ngrams, block, number)
        for block in range(blocks.start, blocks.stop)
        if judged.methods[block] != Method.UNIQUE
    }
    sizes = judged.batch.block_sizes
    words = int(sizes[blocks][judged.methods[blocks] != Method.FURNITURE].sum())
    found = shares(((int(sizes[block]), each) for block, each in shared.items()), words)
    marked = replace(
        document,
        copied=tuple(_block_copies(document, judged, place, shared, library)),
        originals=tuple(original(library, *each) for each in found),
    )
    return marked, [number for number, _ in found]


def _with_its_facts(
    document: Document, settings: Settings, library: Library, owners: Sequence[int]
) -> Document:
    """Return a document with what it is a copy of; another notice is none, and keeps its facts."""
    whole = _whole(document)
    if whole is None:
        return document
    rest = _without_furniture(document)
    said = _own_sentences(rest, library, owners)
    if said:
        return _without_copies_at(document, said)
    places = [place for place, each in enumerate(rest.paragraphs) if each.is_main]
    own = library.number_by_name[document.id]
    rivals = (_rival(library, own, owner) for owner in owners[:_MOST_RIVALS])
    new = {places[block] for block in new_facts(main_texts(rest), rivals, settings.reading)}
    if not new:
        return replace(document, copy_of=whole)
    return _without_copies_at(document, new)


def _without_furniture(document: Document) -> Document:
    """Return a document whose text is its own alone."""
    places = {each.paragraph for each in document.copied if each.is_furniture}
    if not places:
        return document
    paragraphs = (
        replace(each, is_main=each.is_main and place not in places)
        for place, each in enumerate(document.paragraphs)
    )
    return replace(document, paragraphs=tuple(paragraphs))


def _without_copies_at(document: Document, own: set[int]) -> Document:
    return replace(
        document, copied=tuple(each for each in document.copied if each.paragraph not in own)
    )


def _own_sentences(document: Document, library: Library, owners: Sequence[int]) -> set[int]:
    """Return the paragraphs of a short page that say something between what its site always says.

    A note beside a line about cookies is shorter than that line, which all notes have: nothing of
    the note is a copy, and nowhere else can it be found.
    """
    publication = library.publication(library.number_by_name[document.id])
    is_own_site = all(library.publication(owner) == publication for owner in owners)
    copied = {each.paragraph for each in document.copied if each.method != "stub"}
    main = [place for place, each in enumerate(document.paragraphs) if each.is_main]
    rests = set(main) - copied
    # What many sites say stands below; a text taken from another comes first.
    first = main[0]
    is_own = is_own_site or (first in rests and _says_much(document.paragraphs[first].text))
    if len(document.text.split()) > _SHORT_PAGE or not is_own:
        return set()
    texts = [document.paragraphs[place].text.strip() for place in rests]
    return rests if any(map(_ends_sentence, texts)) or _is_entry(document, rests) else set()


def _says_much(text: str) -> bool:
    return len(text.split()) > _NAME_WORDS or bool(_TEN_LETTERS.search(text))


def _is_entry(document: Document, rests: set[int]) -> bool:
    """Whether what is left of a page are words below a heading: what a word means has no stop."""
    below = (
        document.paragraphs[place]
        for place in rests
        if place and document.paragraphs[place - 1].kind == "h"
    )
    return any(len(each.text.split()) >= _ENTRY_WORDS and not _is_linked(each) for each in below)


def _is_linked(paragraph: Paragraph) -> bool:
    """Whether most of a paragraph are links: other searches, say."""
    linked = sum(mark.end - mark.start for mark in paragraph.marks if mark.name == "a")
    return linked > len(paragraph.text) / 2


def _ends_sentence(text: str) -> bool:
    return bool(_FIVE_WORDS.match(text) or _TEN_LETTERS.search(text))


def _rival(library: Library, own: int, owner: int) -> Rival:
    """Return an owner of a document's words as one whose facts may be others."""
    days, others = (ranked_days(library.rank(number)) for number in (own, owner))
    is_same = library.publication(own) == library.publication(owner)
    # One of which only the month is known may be of any day of it.
    is_apart = bool(days and others and (days[1] < others[0] or others[1] < days[0]))
    return Rival(library.sketch(owner), is_same and is_apart, not is_same and days is None)


def _block_copies(
    document: Document,
    judged: Judged,
    place: int,
    shared: Mapping[int, Mapping[int, int]],
    library: Library,
) -> Iterator[BlockCopy]:
    ordinals = [
        ordinal for ordinal, paragraph in enumerate(document.paragraphs) if paragraph.is_main
    ]
    first = judged.batch.blocks(place).start
    for block, sharing in shared.items():
        owner = int(judged.owners[block])
        yield BlockCopy(
            ordinals[block - first],
            document.id if owner == NOBODY else library.name(owner),
            Method(int(judged.methods[block])).name.lower(),
            round(float(judged.similarities[block]), 4),
            tuple(library.name(each) for each in sharing if each != owner),
        )


def _whole(document: Document) -> CopyOf | None:
    """Return what the document as a whole is a copy of, if most of its words are copied."""
    words = Counter[str]()
    methods = Counter[str]()
    total = len(_without_furniture(document).text.split())
    for block in document.copied:
        if block.is_furniture:
            continue
        count = len(document.paragraphs[block.paragraph].text.split())
        words[block.document] += count
        methods[block.method] += count
    words.pop(document.id, None)
    share = sum(words.values()) / total if total else 0.0
    if not words or share < _WHOLE:
        return None
    methods.pop("stub", None)
    method = methods.most_common(1)[0][0] if methods else "ngrams"
    # Of originals with as many words, the one whose name comes first: any fixed rule would do.
    best = min(words, key=lambda name: (-words[name], name))
    return CopyOf(best, "exact-blocks" if method == "exact" else method, round(share, 4))
