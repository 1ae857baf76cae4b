"""What the alternative identifiers know: rankings and counts, as one small file."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class CharacterCounts:
    """How often each character trigram occurs in a language, and its frequent words."""

    trigrams: Mapping[str, int]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Rankings of n-grams and counts of characters, by language."""

    rankings: Mapping[str, tuple[str, ...]]
    characters: Mapping[str, CharacterCounts]


def dump_alternatives(found: Alternatives) -> bytes:
    """Return the file: compressed JSON, the same bytes for the same content."""
    rows = {
        code: {
            "ngrams": list(found.rankings[code]),
            "trigrams": dict(found.characters[code].trigrams),
            "words": " ".join(found.characters[code].words),
        }
        for code in sorted(found.rankings)
    }
    return gzip.compress(json.dumps(rows, ensure_ascii=False).encode(), 9, mtime=0)


def load_alternatives(packed: bytes) -> Alternatives:
    """Return the content of the file."""
    rows = json.loads(gzip.decompress(packed))
    return Alternatives(
        {code: tuple(row["ngrams"]) for code, row in rows.items()},
        {
            code: CharacterCounts(row["trigrams"], tuple(row["words"].split()))
            for code, row in rows.items()
        },
    )


@cache
def shipped_alternatives() -> Alternatives:
    """Return the rankings and counts that come with izwi."""
    return load_alternatives((files("izwi") / "models" / "alternatives.json.gz").read_bytes())
