"""A segment to read from: which positions hold a value, what stands at a position, whose it is."""

import json
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import fields
from datetime import date
from functools import cached_property
from itertools import accumulate, count, pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.index.columns import (
    Integers,
    Packed,
    Postings,
    SignedPositions,
    Texts,
    damaged,
    is_worth_compiling,
    read_packed,
    read_table,
)
from izwi.index.lexicon import TRIGRAMS_FROM, Carriers, Lexicon, Spelt, Trigrams
from izwi.index.limits import Memory
from izwi.index.publications import (
    Origins,
    Publications,
    origins_of,
    read_origins,
    renumbered,
)
from izwi.index.structures import (
    Bounds,
    Structure,
    completed,
    unknown_attribute,
    unknown_structure,
    whole_column,
)
from izwi.kernels.packing import scan
from izwi.model.errors import QueryError, StoreError
from izwi.model.results import DocumentCard

# Dates as days since 1970; documents without one get this, so that no bound ever includes them.
NO_DATE = np.int32(np.iinfo(np.int32).min)
_FIRST_DAY = date(1970, 1, 1).toordinal()
_FORMAT = 3
# Lists of places up to which merging beats sorting.
_FEW_LISTS = 32
_CARD_FIELDS = tuple(each.name for each in fields(DocumentCard))

Made = TypeVar("Made")
_OPENINGS = count()


class Attribute:
    """One token attribute: its lexicon, its column, its postings."""

    def __init__(self, folder: Path, name: str, word: "Attribute | None" = None) -> None:
        self.name = name
        self._path = folder / name
        self._word = word

    @cached_property
    def lexicon(self) -> Lexicon:
        """Sorted distinct values."""
        return Lexicon(self._path)

    @cached_property
    def column(self) -> Packed:
        """The number of each token's value."""
        return read_packed(self._path.with_name(f"{self.name}.column.bin"))

    @cached_property
    def postings(self) -> Postings | None:
        """The places of each value; None for a small lexicon, whose column is looked through."""
        if not self._path.with_name(f"{self.name}.postings.bin").exists():
            return None
        return Postings(self._path)

    @cached_property
    def carriers(self) -> Carriers | None:
        """The words that occur with each value, if places are found through them."""
        if not self._path.with_name(f"{self.name}.carriers.bin").exists():
            return None
        return Carriers(self._path)

    @property
    def has_lists(self) -> bool:
        """Whether the places of a value are found without a look at the whole column."""
        return self.postings is not None or self.carriers is not None

    @cached_property
    def trigrams(self) -> Trigrams | None:
        """Which values hold three bytes in a row; None for a small lexicon."""
        if len(self.lexicon) < TRIGRAMS_FROM:
            return None
        return Trigrams(self._path.with_name(f"{self.name}.trigrams"))

    @cached_property
    def sizes(self) -> Packed:
        """How often each value occurs."""
        return read_packed(self._path.with_name(f"{self.name}.sizes.bin"))

    @property
    def frequencies(self) -> NDArray[np.int64]:
        """How often each value occurs, as an array."""
        return self.sizes[:]

    def frequencies_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how often some values occur."""
        return self.sizes[numbers]

    def number(self, value: str) -> int | None:
        """Return the number of a value, None if it does not occur."""
        return self.lexicon.number(value)

    def frequency(self, number: int) -> int:
        """Return how often a value occurs."""
        return self.sizes[number]

    def positions(self, number: int) -> SignedPositions:
        """Return the positions that hold a value, ascending."""
        return self.positions_of(np.array([number]))

    def positions_of(self, numbers: NDArray[np.int64]) -> SignedPositions:
        """Return the positions that hold one of some values, ascending."""
        if self.postings is None:
            return self._carried(numbers) if self.carriers else self._looked_up(numbers)
        if len(numbers) == 1:
            return self.postings.positions(int(numbers[0]))
        return _in_order(self.postings.several(numbers), len(numbers))

    def _carried(self, numbers: NDArray[np.int64]) -> SignedPositions:
        """Return positions through the words that occur with some values."""
        assert self.carriers is not None
        assert self._word is not None
        own, shared = self.carriers.split(numbers)
        places = self._word.postings
        if not len(shared) or places is None:
            return self._word.positions_of(own)
        # Only words that occur with other values too need a second look; all are sorted once.
        unsure = places.several(shared)
        if len(numbers) == 1:
            kept = self.column[unsure] == numbers[0]
        else:
            wanted = np.zeros(len(self.lexicon), np.bool_)
            wanted[numbers] = True
            kept = wanted[self.column[unsure]]
        every = np.concatenate((places.several(own), unsure[kept]))
        return _in_order(every, len(own) + len(shared))

    def _looked_up(self, numbers: NDArray[np.int64]) -> SignedPositions:
        """Return positions by a look at the whole column, which has few distinct values."""
        wanted = np.zeros(max(1, len(self.lexicon)), np.bool_)
        wanted[numbers] = True
        if not is_worth_compiling(len(self.column)):
            return np.flatnonzero(wanted[self.column[:]]).astype(np.int32)
        column, most = self.column, int(self.sizes[numbers].sum())
        return scan(column.words, column.bits, 0, len(column), wanted, most)

    def values(self, numbers: Integers) -> list[str]:
        """Return the values of some numbers."""
        return self.lexicon.values(numbers)


def _filled(texts: pa.Array) -> pa.Array:
    """Return texts with an empty one where there is none."""
    return texts.fill_null("") if texts.null_count else texts


def days_at(cards: pa.Table, rows: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the publication dates of some documents, in days since 1970."""
    # By hand: Arrow's own cast loads all of its functions, a fifth of a short query's time.
    days = whole_column(cards, "date")
    known, bits = (
        np.frombuffer(days.buffers()[1] or b"", np.int32)[days.offset :],
        days.buffers()[0],
    )
    found = known[rows]
    if bits is None:
        return found
    places = rows + days.offset
    flags = np.frombuffer(bits, np.uint8)[places >> 3] >> (places & 7).astype(np.uint8) & 1
    return np.where(flags, found, NO_DATE).astype(np.int32)


def copies_at(cards: pa.Table, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which of some documents are copies: those that name one."""
    owners = whole_column(cards, "copy_of")
    places = np.frombuffer(owners.buffers()[1] or bytes(4), np.int32)[owners.offset :]
    return np.asarray(places[rows + 1] > places[rows]) if len(rows) else np.zeros(0, np.bool_)


def _in_order(positions: SignedPositions, lists: int) -> SignedPositions:
    """Sort positions that are so many ascending lists, one after the other."""
    # A few long runs are merged in a fifth of the time that sorting takes; many short ones are not.
    positions.sort(kind="stable" if lists <= _FEW_LISTS else None)
    return positions


class Segment:
    """An immutable piece of index; documents that are gone, as ranges of numbers, do not count."""

    def __init__(
        self,
        folder: Path,
        gone: Sequence[tuple[int, int]] = (),
        memory: Memory | None = None,
    ) -> None:
        self.folder = folder
        self.gone = tuple(gone)
        self._attributes: dict[str, Attribute] = {}
        self._structures: dict[str, Structure] = {}
        # Segments of one corpus share a memory, so that all of them together have its limit.
        self._memory = Memory() if memory is None else memory
        self._opening = next(_OPENINGS)
        # Which publications there are is known of a version, whose other segments speak too.
        self._version: tuple[Publications, int] | None = None

    def belong(self, publications: Publications, place: int) -> None:
        """Take the names of publications from all segments of a version, where it is one."""
        self._version = (publications, place)

    @cached_property
    def _description(self) -> dict[str, Any]:
        path = self.folder / "segment.json"
        try:
            found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise damaged(path) from error
        if found.get("format") != _FORMAT:
            raise StoreError(
                f"{self.folder} was written by another version of izwi (format "
                f"{found.get('format')}, not {_FORMAT}). Make it again: izwi build FOLDER"
            )
        return found

    @property
    def fingerprint(self) -> str:
        """What it was made by."""
        return str(self._description.get("fingerprint", ""))

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the token attributes."""
        return tuple(self._description["attributes"])

    @property
    def structures(self) -> tuple[str, ...]:
        """The names of the structures."""
        return tuple(self._description["structures"])

    def attribute(self, name: str) -> Attribute:
        """Return a token attribute."""
        if name not in self._attributes:
            if name not in self.attributes:
                raise QueryError(unknown_attribute(name, self.attributes))
            word = None if name == "word" else self.attribute("word")
            self._attributes[name] = Attribute(self.folder, name, word)
        return self._attributes[name]

    def structure(self, name: str) -> Structure:
        """Return a structure."""
        if name not in self._structures:
            if name not in self.structures:
                raise QueryError(unknown_structure(name, self.structures))
            self._structures[name] = Structure(self.folder, name, self.tokens)
        return self._structures[name]

    @property
    def word(self) -> Attribute:
        """Tokens as written."""
        return self.attribute("word")

    @property
    def lc(self) -> Attribute:
        """Tokens in lower case."""
        return self.attribute("lc")

    @cached_property
    def spaces(self) -> Packed:
        """1 where white space follows the token."""
        return read_packed(self.folder / "space.bin")

    @cached_property
    def offsets(self) -> Packed | None:
        """Where each token begins in its document's text; None where that was not kept."""
        path = self.folder / "offset.bin"
        return read_packed(path) if path.exists() else None

    def offset(self, document: int, position: int) -> int:
        """Return where a token begins in its document: in characters, or else in tokens."""
        if self.offsets is not None:
            return self.offsets[position]
        return position - int(self.document_starts[document])

    @property
    def document_starts(self) -> Integers:
        """The first position of each document."""
        return self.structure("doc").starts

    @property
    def sentence_starts(self) -> Integers:
        """The first position of each sentence."""
        return self.structure("s").starts

    @property
    def document_ends(self) -> Bounds:
        """The position after the last of each document."""
        return self.structure("doc").ends

    @cached_property
    def tokens(self) -> int:
        """How many tokens the segment holds, those of copies among them."""
        return int(self._description["positions"])

    @cached_property
    def cards(self) -> pa.Table:
        """What is known of each document."""
        return completed(read_table(self.folder / "cards.arrow"))

    @property
    def copies(self) -> pa.Table:
        """The documents that are copies, and of which."""
        some = self.cards.filter(pa.array(self.is_copy))
        return some.select(["copy_of", "url", "source", "date"]).rename_columns(
            {"copy_of": "owner"}
        )

    @cached_property
    def dates(self) -> NDArray[np.int32]:
        """Publication dates in days since 1970."""
        return days_at(self.cards, np.arange(self.cards.num_rows))

    @cached_property
    def years(self) -> tuple[int, NDArray[np.int64]]:
        """The first year of publication, and each document's distance from it, -1 if undated."""
        days = self.dates.astype("datetime64[D]")
        years = days.astype("datetime64[Y]").astype(np.int64) + 1970
        dated = self.dates != NO_DATE
        first = int(years[dated].min()) if dated.any() else 0
        return first, np.where(dated, years - first, -1)

    @cached_property
    def origins(self) -> Origins:
        """Where its documents come from: as noted when it was written, else by their cards."""
        noted = read_origins(self.folder)
        return noted or origins_of(self.cards, self.structure("doc").attributes)

    @cached_property
    def sources(self) -> tuple[NDArray[np.int64], list[str]]:
        """The number of each document's source, and the names of the sources."""
        return renumbered(self.origins, [source for _, _, source in self.origins.rows])

    @cached_property
    def publications(self) -> tuple[NDArray[np.int64], list[str]]:
        """The number of each document's publication, and the names of the publications."""
        publications, place = self._version or (Publications([self], {}), 0)
        return publications.of(place)

    @property
    def publication_by_origin(self) -> list[str]:
        """The name of the publication of each origin."""
        publications, place = self._version or (Publications([self], {}), 0)
        return publications.by_origin(place)

    def publication(self, url: str, site: str, source: str) -> str:
        """Return the publication of a document that need not be of this segment."""
        return (self._version or (Publications([self], {}), 0))[0].name(url, site, source)

    @cached_property
    def document_lengths(self) -> NDArray[np.int64]:
        """How many tokens each document has."""
        return np.asarray(self.document_ends - self.document_starts)

    def lengths_of(self, documents: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many tokens some documents have."""
        structure = self.structure("doc")
        return structure.ends_at(documents) - structure.starts[documents].astype(np.int64)

    @cached_property
    def is_copy(self) -> NDArray[np.bool_]:
        """Which documents are copies of others and count only if one asks for them."""
        return copies_at(self.cards, np.arange(self.cards.num_rows)) & ~self.is_gone

    @cached_property
    def is_gone(self) -> NDArray[np.bool_]:
        """Which documents count no more, whatever one asks for."""
        mask = np.zeros(len(self.document_starts), np.bool_)
        for first, last in self.gone:
            mask[first:last] = True
        return mask

    @property
    def is_original(self) -> NDArray[np.bool_]:
        """Which documents count: neither gone nor copies of others."""
        return ~(self.is_copy | self.is_gone)

    @cached_property
    def _copies_by_owner(self) -> Counter[str]:
        return Counter(self._card_texts["copy_of"].some(np.flatnonzero(self.is_copy).tolist()))

    @property
    def has_copies(self) -> bool:
        """Whether any of its documents is a copy."""
        return bool(self._copies_by_owner)

    def copies_of(self, document: str) -> int:
        """Return how many documents of the segment are copies of one, given by its id."""
        return self._copies_by_owner.get(document, 0)

    def remembered(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made under a key before, or make it; of many the oldest is forgotten."""
        # By opening, not by folder: another version may count other documents of the same one.
        return self._memory.of((self._opening, key), make)

    def documents_at(self, positions: Integers) -> NDArray[np.int64]:
        """Return the number of the document that holds each position."""
        starts = self.document_starts
        # Of one type, or NumPy would convert all starts for each question.
        return np.searchsorted(starts, positions.astype(starts.dtype), side="right") - 1

    def text(self, begin: int, end: int) -> str:
        """Return the tokens of a range, spaced as they were."""
        return "".join(self.pieces([(begin, end)])[0])

    def pieces(self, ranges: Sequence[tuple[int, int]]) -> list[list[str]]:
        """Return the tokens of some ranges, each with the space that follows it."""
        positions = np.concatenate([np.arange(begin, end) for begin, end in ranges])
        words = self.word.values(self.word.column[positions])
        spaces = self.spaces[positions].tolist()
        every = [f"{word} " if space else word for word, space in zip(words, spaces, strict=True)]
        ends = list(accumulate(max(0, end - begin) for begin, end in ranges))
        return [every[first:last] for first, last in pairwise([0, *ends])]

    def spelt(self, ranges: Sequence[tuple[int, int]]) -> Spelt:
        """Return the tokens of some ranges, one after the other; few stretches are cut from it."""
        positions = np.concatenate([np.arange(begin, end) for begin, end in ranges])
        numbers, spaces = self.word.column[positions], self.spaces[positions]
        octets, ends = self.word.lexicon.spelt(numbers, spaces)
        return Spelt(octets, [0, *ends.tolist()])

    def card(self, document: int, *, copies: int = 0) -> DocumentCard:
        """Return what is known of a document."""
        return self.cards_of([document], [copies])[0]

    def cards_of(self, documents: Sequence[int], copies: Sequence[int]) -> list[DocumentCard]:
        """Return what is known of some documents, which have so many copies."""
        numbers, names = self.publications
        days = self.dates[documents].tolist()
        columns: dict[str, Sequence[Any]] = {
            name: column.some(documents) for name, column in self._card_texts.items()
        }
        columns["date"] = [
            None if day == NO_DATE else date.fromordinal(_FIRST_DAY + day) for day in days
        ]
        columns["copies"] = copies
        columns["publication"] = [names[each] for each in numbers[documents].tolist()]
        # By place: naming sixteen fields of each card takes as long as reading them.
        return list(map(DocumentCard, *(columns[each] for each in _CARD_FIELDS)))

    def document_id(self, document: int) -> str:
        """Return the id of a document."""
        return self._card_texts["id"][document]

    @cached_property
    def _card_texts(self) -> dict[str, Texts]:
        """All the cards say but the date, for quick looks at single documents."""
        columns = self._card_columns.items()
        return {name: Texts(_filled(column)) for name, column in columns if name != "date"}

    def numbers_of(self, document: str) -> list[int]:
        """Return the numbers of the documents with an id."""
        # What `pyarrow.compute` calls: of 200,000 ids no text of Python is made.
        from pyarrow._compute import call_function

        ids = self._card_columns["id"]
        is_same = call_function("equal", [ids, pa.scalar(document, ids.type)])
        bits = np.frombuffer(is_same.buffers()[1] or b"", np.uint8)
        flags = np.unpackbits(bits, bitorder="little")[is_same.offset :][: len(ids)]
        return [n for n in np.flatnonzero(flags).tolist() if not self.is_gone[n]]

    @cached_property
    def _card_columns(self) -> dict[str, pa.Array]:
        """The columns of the cards, each in one piece: a value is then found at once."""
        return {name: whole_column(self.cards, name) for name in self.cards.column_names}


def common_attributes(segments: Sequence[Segment]) -> tuple[str, ...]:
    """Return the attributes that all segments have."""
    names = [segment.attributes for segment in segments]
    return tuple(n for n in names[0] if all(n in own for own in names)) if names else ("word", "lc")
