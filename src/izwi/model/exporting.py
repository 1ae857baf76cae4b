"""What an export gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file of an export: its name in the folder, its size and its SHA-256 sum."""

    name: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written where, from which version, and what was changed on the way."""

    format: str
    path: str
    corpus: str
    version: int
    documents: int
    tokens: int
    sentences: int
    characters: int
    # Characters that no format can hold, each now a U+FFFD.
    replaced: int
    # E-mail addresses, telephone numbers and user names that were masked, by kind.
    masked: Mapping[str, int] = field(default_factory=dict)
    files: tuple[ExportedFile, ...] = ()
    # How many documents an earlier, unfinished run had written already.
    continued_at: int = 0
