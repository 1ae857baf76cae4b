"""A corpus to work with: one method per use case; the command line and the web call these."""

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from izwi.cases.case import Case, Doing, fields_of, request_of
from izwi.cases.methods import Methods
from izwi.cases.performing import perform
from izwi.cases.registry import cases_in, plugged_cases
from izwi.model.results import ignore
from izwi.service.folder import CorpusFolder


class Corpus(Methods, CorpusFolder):
    """A corpus folder: gather and build it, ask what it holds, search it.

    Reading never changes the folder, so it may lie on a read-only mount.
    """

    def __repr__(self) -> str:
        return f"<izwi corpus '{self.name}' in {self.path}: {self._size()}>"

    def _repr_html_(self) -> str:
        """Return what the corpus is in a line, as Jupyter shows it."""
        return f"<b>{escape(self.name)}</b>: {escape(self._size())}"

    def _size(self) -> str:
        """Return in words how much there is to search."""
        newest = next(iter(self.versions()), None)
        if newest is None:
            return "nothing built yet"
        counted = f"{newest.documents:,} documents, {newest.tokens:,} tokens"
        return f"version {newest.number}, {counted}"

    def __getattr__(self, name: str) -> Any:
        """Return a plug-in's use case as a method; izwi's own are methods already."""
        if name.startswith("_") or name not in plugged_cases():
            raise AttributeError(f"'Corpus' object has no attribute '{name}'")
        return partial(self._ask, plugged_cases()[name])

    def _ask(self, case: Case[Any, Any], *places: Any, **given: Any) -> Any:
        named = (field.name for field in fields_of(case.request) if field.says.is_place)
        return self._perform(case, {**dict(zip(named, places, strict=False)), **given})

    def _do(self, module: str, method: str, given: Mapping[str, Any]) -> Any:
        return self._perform(cases_in(module)[method], given)

    def _perform(self, case: Case[Any, Any], given: Mapping[str, Any]) -> Any:
        doing = Doing(given.get("listener", ignore), given.get("cancelled"), given.get("by", ""))
        return perform(case, self, request_of(case, given), doing)


def open_corpus(path: str | Path) -> Corpus:
    """Return the corpus in a folder."""
    return Corpus(Path(path))


def create_corpus(
    path: str | Path,
    *,
    contact: str,
    name: str = "",
    title: str = "",
    languages: tuple[str, ...] = (),
    delay: float = 2.0,
    packs: Sequence[str | Path] = (),
) -> Corpus:
    """Make a corpus folder with a commented corpus.toml and return the corpus.

    Language packs are folders, copied into the corpus, or names of installed ones.
    """
    from izwi.service import setup

    folder = Path(path)
    setup.create(
        folder,
        contact=contact,
        name=name,
        title=title,
        languages=languages,
        delay=delay,
        packs=packs,
    )
    return Corpus(folder)
