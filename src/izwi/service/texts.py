"""Texts by name: the whole corpus, a subcorpus, a condition, another corpus, a frequency list."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from pathlib import Path

from izwi.analyse.references import FrequencyList, read_frequency_list, rest_of
from izwi.analyse.selection import Selection
from izwi.model.errors import QueryError
from izwi.query.documents import Filter, condition_of
from izwi.service.folder import CorpusFolder
from izwi.service.subcorpora import condition_named

SUBCORPUS, WHERE = "subcorpus:", "where:"
# Frequency lists of a corpus lie in this folder of it, as NAME.tsv.
LISTS = "references"


@dataclass(frozen=True, slots=True)
class Text:
    """What words are compared with: documents, or a list; and what tells it from other texts."""

    name: str
    key: Hashable
    selection: Selection | None = None
    list: FrequencyList | None = None

    @property
    def chosen(self) -> Selection:
        """Its documents; a list has none."""
        if self.selection is None:
            raise QueryError(f"{self.name} is a list of frequencies, not a text with documents.")
        return self.selection


def own_references(folder: Path) -> tuple[str, ...]:
    """Return the names of the frequency lists that lie in a corpus folder."""
    return tuple(sorted(path.stem for path in (folder / LISTS).glob("*.tsv")))


def reference_text(named: str | Path, corpus: str, folder: Path, focus: Selection) -> Text:
    """Return what a reference names; nothing is the rest of the same corpus."""
    everything = Filter(copies=focus.chosen.copies)
    whole = Selection(focus.segments, everything)
    if not str(named):
        return Text("the rest of the corpus", "rest", rest_of(focus, whole))
    return text_named(named, corpus, folder, whole)


def text_named(named: str | Path, corpus: str, folder: Path, whole: Selection) -> Text:
    """Return the text that a name stands for in a corpus."""
    text = str(named)
    if not text:
        return Text("the whole corpus", "whole", whole)
    if text.startswith(SUBCORPUS):
        name = text.removeprefix(SUBCORPUS)
        return _part(f"subcorpus {name}", condition_named(corpus, name), whole)
    if text.startswith(WHERE):
        where = text.removeprefix(WHERE)
        return _part(f"documents with {where}", where, whole)
    own = folder / LISTS / f"{text}.tsv"
    return _from_disk(own if own.is_file() else Path(text), whole)


def _part(name: str, where: str, whole: Selection) -> Text:
    condition_of(where)
    chosen = replace(whole.chosen, where=where)
    return Text(name, ("where", where), Selection(whole.segments, chosen))


def _from_disk(path: Path, whole: Selection) -> Text:
    if (path / "corpus.toml").is_file():
        return _corpus(path, whole)
    if path.is_file():
        changed = path.stat().st_mtime_ns
        return Text(f"the list {path.name}", (str(path), changed), list=read_frequency_list(path))
    raise QueryError(
        f"'{path}' is no text to compare with: name a subcorpus (subcorpus:NAME), a condition "
        '(where:source="herald"), the folder of a corpus, or a frequency list (word, tab, number).'
    )


def _corpus(path: Path, whole: Selection) -> Text:
    other = CorpusFolder(path)
    number, segments = other._snapshot(None)
    return Text(
        f"the corpus {other.name}",
        (str(path.resolve()), number),
        Selection(segments, replace(whole.chosen, where="", sources=())),
    )
