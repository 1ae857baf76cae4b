"""The folder behind a corpus: its settings, its versions, and what all use cases need of them."""

import logging
import os
import threading
import tomllib
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from izwi.index.limits import Memory
from izwi.model.errors import ConfigError, IzwiError, QueryError, no_corpus
from izwi.model.notation import read_toml
from izwi.store import snapshots
from izwi.store.files import FileState, disk_errors, file_state
from izwi.store.layout import Layout
from izwi.store.objects import local_folder, segments_at_hand

if TYPE_CHECKING:
    from izwi.config.schema import CorpusConfig
    from izwi.index.reader import Segment
    from izwi.model.reading import Part
    from izwi.service.runs import Run

logger = logging.getLogger(__name__)
_PARTS = ("publication", "host", "source", "section", "year")


class CorpusFolder:
    """What every group of use cases builds on.

    The settings are checked when somebody needs them: that loads every part they name, and a
    question needs no more of them than the names of the corpus and its sources.
    """

    def __init__(self, path: Path) -> None:
        self._layout = Layout(local_folder(path).resolve())
        if not self._layout.config.exists():
            raise no_corpus(path)
        self._checked: CorpusConfig | None = None
        # How corpus.toml was when it was last read, and when it was last found to be right.
        self._read_state = file_state(self._layout.config)
        self._checked_state: FileState | None = None
        # What reads corpus.toml and writes it again is done by one at a time.
        self._settings_lock = threading.RLock()
        self._segments = lru_cache(maxsize=4)(self._open_segments)
        self._parts = lru_cache(maxsize=4)(self._count_parts)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._segments.cache_clear()
        self._parts.cache_clear()

    @property
    def name(self) -> str:
        """Its name in corpus.toml."""
        if self._checked is not None:
            return self._checked.corpus.name
        named = self._glance.get("corpus")
        name = named.get("name") if isinstance(named, dict) else None
        return name if isinstance(name, str) else self._config.corpus.name

    @property
    def attributes(self) -> tuple[str, ...]:
        """What can be asked of its tokens: those attributes that every segment has."""
        _, segments = self._snapshot(None)
        from izwi.index.reader import common_attributes

        return common_attributes(segments) if segments else ()

    @property
    def path(self) -> Path:
        """Its folder."""
        return self._layout.root

    @property
    def newest(self) -> int:
        """The number of its newest version; 0 before the first."""
        return snapshots.current_number(self._layout)

    @property
    def config(self) -> "CorpusConfig":
        """Its settings, checked, as they were when the use case began that asks for them."""
        return self._config

    @property
    def parts(self) -> "dict[str, tuple[Part, ...]]":
        """The parts of its newest version: by publication, host, source, section and year."""
        return dict(self._parts(snapshots.current_number(self._layout)))

    @property
    def lists(self) -> "dict[str, tuple[str, ...]]":
        """The names of the lists that lie with it, by folder: of words, frequencies, senses."""
        names = {kind: self.path / kind for kind in ("lists", "references", "translations")}
        found = {kind: sorted(place.glob("*")) for kind, place in names.items()}
        # Only lists of words are files of any sort.
        return {
            kind: tuple(
                path.name if kind == "lists" else path.stem
                for path in paths
                if path.is_file() and (kind == "lists" or path.suffix == ".tsv")
            )
            for kind, paths in found.items()
        }

    @cached_property
    def _answers(self) -> Memory:
        """Answers, and what segments keep for the next question: within one limit together."""
        from izwi.model.notation import size_bytes

        table = self._glance.get("search")
        written = table.get("memory") if isinstance(table, dict) else None
        try:
            return Memory(size_bytes(str(written))) if written else Memory()
        except ValueError:  # what is wrong with it is said where the file is checked
            return Memory()

    @property
    def _config(self) -> "CorpusConfig":
        if self._checked is None:
            self._reload()
        assert self._checked is not None
        return self._checked

    @_config.setter
    def _config(self, config: "CorpusConfig") -> None:
        before = self._publication_names()
        self._checked = config
        if self._publication_names() != before:
            # What was counted by publication was counted under the old names.
            self._segments.cache_clear()
            self._parts.cache_clear()
            self.__dict__.pop("_answers", None)

    def _reload(self) -> None:
        from izwi.config.load import load

        # Looked at before it is read: what is written meanwhile is seen the next time.
        state = file_state(self._layout.config)
        self._config = load(self._layout.config)
        self.__dict__.pop("_glance", None)
        self._read_state = self._checked_state = state

    def _renew(self) -> None:
        """Read corpus.toml again if it changed; raise if it is broken."""
        if self._checked is not None and file_state(self._layout.config) != self._checked_state:
            self._reload()

    def _refresh(self) -> None:
        """Read corpus.toml again if somebody else has changed it; keep what was if it is broken.

        Whoever runs for days sees what others add; readers go on while a file is edited.
        """
        state = file_state(self._layout.config)
        if state == self._read_state:
            return
        with self._settings_lock:
            self._read_state = state
            before = self.__dict__.pop("_glance", None)
            if before is not None and not self._glance:
                self.__dict__["_glance"] = before
            try:
                if self._checked is not None:
                    self._reload()
            except IzwiError as error:
                logger.warning("the settings are those of before: %s", error)

    @cached_property
    def _glance(self) -> dict[str, Any]:
        """corpus.toml, read but not checked; nothing if it cannot be read."""
        try:
            return read_toml(self._layout.config.read_text(encoding="utf-8-sig"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError):
            return {}

    def _source_names(self) -> set[str]:
        """Return the sources' names; those of a file that was not checked as they stand there."""
        if self._checked is not None:
            return {source.name for source in self._checked.sources}
        return {str(table.get("name", "")) for table in self.source_tables}

    @property
    def source_tables(self) -> list[dict[str, Any]]:
        """Its sources as they stand in corpus.toml."""
        listed = self._glance.get("source")
        return (
            [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
        )

    def _publication_names(self) -> dict[str, str]:
        """Return what curators call the publications of single sources, by source."""
        if self._checked is not None:
            return dict(self._checked.publications)
        named = ((table.get("name"), table.get("publication")) for table in self.source_tables)
        return {str(name): str(said) for name, said in named if said}

    def _where(self, where: str, subcorpus: str, publications: tuple[str, ...] = ()) -> str:
        """Return the condition that all make together."""
        from izwi.service.subcorpora import condition_named

        saved = condition_named(self.name, subcorpus) if subcorpus else ""
        every = [part for part in (saved, where, self._published_by(publications)) if part]
        return " & ".join(f"({part})" for part in every) if len(every) > 1 else "".join(every)

    def _published_by(self, names: tuple[str, ...]) -> str:
        """Return the condition for some publications; raise QueryError for one that is not here."""
        if not names:
            return ""
        from izwi.model.analyses import escaped

        _, segments = self._snapshot(None)
        known = {name.casefold(): name for s in segments for name in s.publications[1]}
        for name in names:
            if name.casefold() not in known:
                raise _not_there("publication", name, set(known.values()))
        return " | ".join(f'publication="{escaped(known[name.casefold()])}"' for name in names)

    def _sources_asked(
        self, names: tuple[str, ...], segments: "tuple[Segment, ...]"
    ) -> tuple[str, ...]:
        """Return the sources asked for; raise QueryError if one is neither set up nor indexed."""
        if not names:
            return names
        known = self._source_names()
        if not known.issuperset(names):
            known = known.union(*(segment.sources[1] for segment in segments))
        for name in sorted(set(names) - known):
            raise _not_there("source", name, known)
        return names

    def _snapshot(self, version: int | None) -> "tuple[int, tuple[Segment, ...]]":
        number = snapshots.current_number(self._layout) if version is None else version
        if version is not None and version < 1:
            raise QueryError(f"Versions are counted from 1, so there is no version {version}.")
        return number, self._segments(number)

    def _open_segments(self, number: int) -> "tuple[Segment, ...]":
        from izwi.index.publications import Publications
        from izwi.index.reader import Segment

        snapshot = snapshots.read(self._layout, number) if number else snapshots.EMPTY
        folder, memory = self._layout.segments, self._answers
        segments_at_hand(self._layout.root, [entry.id for entry in snapshot.segments])
        found = tuple(Segment(folder / entry.id, entry.gone, memory) for entry in snapshot.segments)
        publications = Publications(found, self._publication_names())
        for place, segment in enumerate(found):
            segment.belong(publications, place)
        return found

    def _count_parts(self, number: int) -> "dict[str, tuple[Part, ...]]":
        from izwi.service.comparing import parts_by

        segments = self._segments(number)
        return {name: parts_by(segments, name) for name in _PARTS}

    def _settings(self, number: int) -> str:
        return (
            snapshots.read(self._layout, number).versions.get("fingerprint", "") if number else ""
        )

    def _with_proxy(self, proxy: str) -> "CorpusConfig":
        """Return the settings with the proxy given or the machine's own, whoever asks."""
        proxy = proxy or os.environ.get("IZWI_PROXY", "")
        if not proxy:
            return self._config
        try:
            return replace(self._config, gather=replace(self._config.gather, proxy=proxy))
        except ValueError as error:
            raise ConfigError(f"{error}.") from error

    def _close(self, run: "Run") -> None:
        """End a run's report with the funnel of what is in the corpus now."""
        from izwi.service.ledger import funnel
        from izwi.service.ledger_counts import keep_counts, parted_ledger

        found = parted_ledger(self._layout, self._config, run.catalog)
        tokens = snapshots.current(self._layout).tokens
        run.report = replace(run.report, funnel=funnel(found.counts, tokens))
        with disk_errors():
            keep_counts(self._layout, found)

    def _send(self, run: "Run") -> None:
        """Send what a run made to the object store, if corpus.toml names one."""
        url = self._config.store.objects
        if not url or run.catalog.is_shared:
            return
        from izwi.store.backup import send_corpus

        send_corpus(self._layout, url, corpus=self.name, taking_over=False, listener=run.hear)


def _not_there(thing: str, name: str, known: set[str]) -> QueryError:
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    meant = f" Did you mean '{close[0]}'?" if close else ""
    there = ", ".join(sorted(known)) or "none"
    return QueryError(f"There is no {thing} '{name}'.{meant} There are: {there}.")
