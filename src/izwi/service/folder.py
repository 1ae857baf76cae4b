"""The folder behind a corpus: its settings, its versions, and what all use cases need of them."""

from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property, lru_cache
from pathlib import Path
from types import TracebackType
from typing import Self

from izwi.config.load import load
from izwi.config.schema import CorpusConfig
from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.service import ledger
from izwi.service.answers import Answers
from izwi.service.parts import Part, parts_by
from izwi.service.runs import Run
from izwi.service.subcorpora import condition_named
from izwi.store import snapshots
from izwi.store.layout import Layout


class CorpusFolder:
    """What every group of use cases builds on."""

    def __init__(self, path: Path) -> None:
        self._layout = Layout(path.resolve())
        self._config = load(self._layout.config)
        self._segments = lru_cache(maxsize=4)(self._open_segments)
        self._parts = lru_cache(maxsize=4)(self._count_parts)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._segments.cache_clear()
        self._parts.cache_clear()

    @property
    def name(self) -> str:
        """Its name in corpus.toml."""
        return self._config.corpus.name

    @property
    def path(self) -> Path:
        """Its folder."""
        return self._layout.root

    @property
    def config(self) -> CorpusConfig:
        """Its settings as they were when it was opened."""
        return self._config

    @property
    def parts(self) -> dict[str, tuple[Part, ...]]:
        """The parts of its newest version: by host, source, section and year."""
        return dict(self._parts(snapshots.current_number(self._layout)))

    @cached_property
    def _answers(self) -> Answers:
        return Answers()

    def _reload(self) -> None:
        self._config = load(self._layout.config)

    def _where(self, where: str, subcorpus: str) -> str:
        """Return the condition that both make together."""
        saved = condition_named(self.name, subcorpus) if subcorpus else ""
        return f"({saved}) & ({where})" if saved and where else saved or where

    def _sources_asked(
        self, names: tuple[str, ...], segments: tuple[Segment, ...]
    ) -> tuple[str, ...]:
        """Return the sources asked for; raise QueryError if one is neither set up nor indexed."""
        known = {source.name for source in self._config.sources}
        if not known.issuperset(names):
            known = known.union(*(segment.sources[1] for segment in segments))
        for name in sorted(set(names) - known):
            close = get_close_matches(name, known, n=1)
            meant = f" Did you mean '{close[0]}'?" if close else ""
            there = ", ".join(sorted(known)) or "none"
            raise QueryError(f"There is no source '{name}'.{meant} There are: {there}.")
        return names

    def _snapshot(self, version: int | None) -> tuple[int, tuple[Segment, ...]]:
        number = snapshots.current_number(self._layout) if version is None else version
        if version is not None and version < 1:
            raise QueryError(f"Versions are counted from 1, so there is no version {version}.")
        return number, self._segments(number)

    def _open_segments(self, number: int) -> tuple[Segment, ...]:
        snapshot = snapshots.read(self._layout, number) if number else snapshots.EMPTY
        return tuple(Segment(self._layout.segments / entry.id) for entry in snapshot.segments)

    def _count_parts(self, number: int) -> dict[str, tuple[Part, ...]]:
        segments = self._segments(number)
        return {name: parts_by(segments, name) for name in ("host", "source", "section", "year")}

    def _settings(self, number: int) -> str:
        return (
            snapshots.read(self._layout, number).versions.get("fingerprint", "") if number else ""
        )

    def _with_proxy(self, proxy: str) -> CorpusConfig:
        if not proxy:
            return self._config
        return replace(self._config, gather=replace(self._config.gather, proxy=proxy))

    def _close(self, run: Run) -> None:
        """End a run's report with the funnel of what is in the corpus now."""
        lines = ledger.ledger_lines(self._layout, self._config, run.catalog)
        tokens = snapshots.current(self._layout).tokens
        run.report = replace(run.report, funnel=ledger.funnel(lines, tokens))
