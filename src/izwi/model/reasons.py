"""The reasons of the ledger in words, said once: commands print them, pages translate them.

They stand in `reasons.tsv`: the reason, its words and, where a setting decides, its key.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def all_reasons() -> Mapping[str, str]:
    """Return the words of every reason that a page may be given."""
    return {reason: words for reason, (words, *_) in _rows().items()}


@cache
def _rows() -> Mapping[str, list[str]]:
    table = Path(__file__).with_name("reasons.tsv").read_text(encoding="utf-8")
    return {reason: row for reason, *row in (line.split("\t") for line in table.splitlines())}


def in_words(reason: str) -> str:
    """Return a reason in words; nothing for what needs none.

    >>> in_words("too-short"), in_words("http-404")
    ('too few words', 'the server answered 404')
    """
    if reason.removeprefix("http-").isdecimal():
        return f"the server answered {reason.removeprefix('http-')}"
    return all_reasons().get(reason, "")


def with_settings(reason: str) -> str:
    """Return a reason in words, with the key of corpus.toml that decides it, if one does."""
    return ": ".join(filter(None, (in_words(reason), *_rows().get(reason, [])[1:])))
