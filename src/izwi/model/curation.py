"""What curators do to a corpus: decisions, changes, judgements, pages whose blocks they label."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, Literal, get_args

from izwi.model.document import Claim, Document
from izwi.model.notation import read_json
from izwi.model.records import dataclass

# keep: into the corpus whatever the rules say; drop: out of it; empty: as the rules say.
DecidedAs = Literal["keep", "drop", ""]
CURATOR = "curator"
RESTORED = "restored"
EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class Decision:
    """What a curator decided about one document, against the rules."""

    document: str
    url: str
    verdict: DecidedAs
    # Where the document lies; a hint, since small files are joined.
    shard: str = ""
    who: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One change: who, when, of what, and how it was before and after."""

    id: int
    time: str
    who: str
    kind: str
    target: str
    before: Any
    after: Any
    comment: str = ""
    undoes: int = 0
    undone: int = 0
    # Where it was made: python, command or web.
    surface: str = ""

    @property
    def can_be_undone(self) -> bool:
        """Whether it is a change that can be taken back, and was not yet.

        What takes another change back is not taken back itself: its "after" is not what was made.
        """
        return self.kind in UNDOABLE and not self.undone and not self.undoes


UNDOABLE = (
    "decision", "labels", "settings", "judgement", "takedown", "subcorpus", "review", "headwords",
)  # fmt: skip


FORMAT = "izwi-labels/1"
Label = Literal["main", "boilerplate", "comment", "unsure"]


@dataclass(frozen=True, slots=True)
class LabelledBlock:
    """A block's words and what a person says they are."""

    text: str
    label: Label


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page and the labels of its blocks, in the order of the page."""

    url: str
    html: str
    blocks: tuple[LabelledBlock, ...]
    page_type: str = ""
    labeller: str = ""
    # When it was labelled, in ISO 8601; empty for a draft nobody has looked at.
    time: str = ""
    format: str = FORMAT

    @property
    def main_text(self) -> str:
        """The blocks labelled as main text, one a line."""
        return "\n".join(block.text for block in self.blocks if block.label == "main")


def read_labels(lines: Iterable[str]) -> Iterator[LabelledPage]:
    """Yield the pages of a label file; raise ValueError, naming the line, if one makes no sense."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield labelled_page(read_json(line))
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from None


def write_labels(pages: Iterable[LabelledPage]) -> Iterator[str]:
    """Yield one line of JSON for each page, as `read_labels` reads them."""
    for page in pages:
        yield json.dumps(asdict(page), ensure_ascii=False) + "\n"


def labels_file(pages: Iterable[LabelledPage]) -> bytes:
    """Return what a file of labels holds."""
    return "".join(write_labels(pages)).encode()


def labelled_page(row: Any) -> LabelledPage:
    """Return the page in a JSON object."""
    if not isinstance(row, dict) or row.get("format") != FORMAT:
        raise ValueError(f'a labelled page is a JSON object with "format": "{FORMAT}"')
    texts = {name: row.get(name, "") for name in ("url", "html", "page_type", "labeller", "time")}
    wrong = next((name for name, value in texts.items() if not isinstance(value, str)), None)
    if wrong:
        raise ValueError(f"'{wrong}' is not a text")
    blocks = row.get("blocks")
    if not isinstance(blocks, list):
        raise ValueError("'blocks' is not a list")
    return LabelledPage(blocks=tuple(map(_block, blocks)), **texts)


def _block(row: Any) -> LabelledBlock:
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise ValueError("a block is an object with 'text' and 'label'")
    if row.get("label") not in get_args(Label):
        raise ValueError(
            f"label = {row.get('label')!r} is not one of: {', '.join(get_args(Label))}"
        )
    return LabelledBlock(row["text"], row["label"])


# What may be wrong with a document, in the order of the keys 1, 2, 3, ...
FAULTS = {
    "language": "wrong language",
    "boilerplate": "boilerplate in the text",
    "machine": "machine text",
    "date": "wrong date",
    "offensive": "offensive",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """One document of a sample; `faults` is None until somebody has looked."""

    place: int
    document: str
    faults: tuple[str, ...] | None
    who: str
    time: str


@dataclass(frozen=True, slots=True)
class JudgedParagraph:
    """A paragraph, its class as one letter, and why: K kept, B boilerplate, C comment, D copied."""

    number: int
    text: str
    kind: str
    letter: str
    reason: str


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is known of one document and of the capture it was made from."""

    document: Document
    shard: str
    status: int
    offset: int
    length: int
    digest: str
    paragraphs: tuple[JudgedParagraph, ...]
    # Everything that claims to know the date, the chosen one first.
    dates: tuple[Claim, ...]
    # As another extractor, or another cut-off, judges the page, if one was asked for.
    tried: tuple[JudgedParagraph, ...] = ()

    @property
    def words(self) -> int:
        """The words that are kept."""
        return sum(len(each.text.split()) for each in self.paragraphs if each.letter == "K")


MOST_DECIDED = 200


@dataclass(frozen=True, slots=True)
class TriedSide:
    """What one setting makes of the sample; precision and recall are on people's own labels."""

    kept: int
    words: int
    reasons: tuple[tuple[str, int], ...]
    labelled: int = 0
    precision: float = 0.0
    recall: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of one document: why it goes, or how many words of it stay."""

    verdict: str
    words: int


@dataclass(frozen=True, slots=True)
class ChangedDocument:
    """A document that two settings treat differently, with the paragraphs gained and lost."""

    id: str
    url: str
    source: str
    before: Outcome
    after: Outcome
    gained: tuple[str, ...]
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two settings on one sample."""

    sample: int
    before: TriedSide
    after: TriedSide
    changed: tuple[ChangedDocument, ...]
    changed_in_all: int


ORDERS = ("disagreement", "random", "first")


LEAST_PAGES = 2


@dataclass(frozen=True, slots=True)
class Affected:
    """A document by its title and address."""

    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What goes: how many documents and tokens, the first of them, and copies that would stay."""

    target: str
    documents: int
    tokens: int
    first: tuple[Affected, ...]
    staying: tuple[Affected, ...]
