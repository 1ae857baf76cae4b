"""What curators do to a corpus: decisions, changes, judgements."""

from dataclasses import dataclass
from typing import Any, Literal

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
