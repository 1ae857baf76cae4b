"""The stages and the reasons of the ledger, named once: commands print them, pages translate them.

`reasons.tsv` has a reason, its words and, where a setting decides, its key. `stages.tsv` has the
name of a stage in files, the name that people read, and its words. What people read is the ledger's
name, a section of corpus.toml, with a number where several stages do what one section says.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def all_reasons() -> Mapping[str, str]:
    """Return the words of every reason that a page may be given."""
    return {reason: words for reason, (words, *_) in _rows("reasons").items()}


@cache
def _rows(name: str) -> Mapping[str, list[str]]:
    table = Path(__file__).with_name(f"{name}.tsv").read_text(encoding="utf-8")
    return {key: row for key, *row in (line.split("\t") for line in table.splitlines())}


def all_stages() -> Mapping[str, list[str]]:
    """Return what people call each stage and what it does, by its name in files."""
    return _rows("stages")


def stage_name(stage: str) -> str:
    """Return what people call a stage, in whatever place they meet it.

    >>> stage_name("extract"), stage_name("sign")
    ('extract', 'dedup 1/3')
    """
    return all_stages().get(stage, [stage])[0]


def stage_in_ledger(stage: str) -> str:
    """Return under which name the ledger has what a stage decided, by any name of that stage.

    >>> stage_in_ledger("judge"), stage_in_ledger("dedup 3/3"), stage_in_ledger("dedup")
    ('dedup', 'dedup', 'dedup')
    """
    return stage_name(stage).partition(" ")[0]


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
    return ": ".join(filter(None, (in_words(reason), *_rows("reasons").get(reason, [])[1:])))
