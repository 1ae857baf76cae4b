"""A corpus to work with: one method per use case, and the one place where use cases are performed.

`perform` checks the right, takes the lock and records success. A change is noted before it begins
and the note is removed with its record; after a kill, the next change records it as broken off.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from izwi.cases import plugged_cases
from izwi.cases.case import Case, Doing, Done, Q, check, request_of
from izwi.cases.methods import Methods
from izwi.model.accounts import Actor, acting, actor, user_here
from izwi.model.errors import ConfigError, NotAllowed, QueryError
from izwi.model.notation import unfit
from izwi.model.results import ignore
from izwi.service.folder import CorpusFolder
from izwi.store.objects import refuse_copy

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator

    from izwi.index.limits import Turns


class Corpus(Methods, CorpusFolder):
    """A corpus folder: gather and build it, ask what it holds, search it.

    Reading never changes the folder, so it may lie on a read-only mount.
    """

    def __repr__(self) -> str:
        return f"<izwi corpus '{self.name}' in {self.path}: {self._size()}>"

    def _repr_html_(self) -> str:
        """Return a line about the corpus, as Jupyter shows it."""
        return f"<b>{escape(self.name)}</b>: {escape(self._size())}"

    def _size(self) -> str:
        """Return in words how much text can be searched."""
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

    def _ask(self, case: Case[Any, Any], /, *places: Any, **given: Any) -> Any:
        taken = case.signature.bind(*places, **given).arguments
        return perform(case, self, request_of(case, taken), _doing(taken))


def _doing(given: Mapping[str, Any]) -> Doing:
    """Return what goes on round a use case, as a method was told."""
    import threading

    kinds = {"listener": Callable[..., Any] | None, "cancelled": threading.Event | None, "by": str}
    for name, kind in kinds.items():
        if name in given and (wrong := unfit(name, given[name], kind)):
            raise wrong
    return Doing(given.get("listener") or ignore, given.get("cancelled"), given.get("by", ""))


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


def folder_beside(corpora: Mapping[str, Corpus], name: str) -> Path:
    """Return the folder for a new corpus of a server, beside the corpora it already has."""
    from izwi.config.schema import check_name

    try:
        check_name(name)
    except ValueError as error:
        raise ConfigError(f"{error}.") from None
    if name in corpora:
        raise ConfigError(f"There is a corpus '{name}' already.")
    beside = next(iter(corpora.values()), None)
    folder = (beside.path.parent if beside else Path.cwd()) / name
    if folder.exists():
        raise ConfigError(f"There is a folder '{name}' already; choose another name.")
    return folder


A = TypeVar("A")
_BROKEN_OFF = "begun, and ended by a kill: it may be half done"


def perform(case: Case[Q, A], folder: "CorpusFolder", request: Q, doing: Doing) -> A:
    """Return the answer to a request, checking its right, holding its lock, recording success."""
    now = actor()
    if case.policy.right == "curator" and not now.is_curator:
        raise NotAllowed(f"'{now.who}' is a reader; this is for curators.")
    check(request)
    folder._refresh()
    if case.policy.record is None and case.policy.holds == "nothing":
        try:
            return case.do(folder, request, doing)
        except QueryError as error:
            # Loaded only where a query cannot be answered.
            from izwi.cases.proposals import propose

            propose(error, partial(_opened, folder), request)
            raise
    doing = replace(doing, who=doing.who or now.who or user_here())
    with acting(Actor(doing.who, now.surface, now.is_curator)):
        return _change(case, folder, request, doing)


def _opened(folder: "CorpusFolder") -> Corpus:
    return folder if isinstance(folder, Corpus) else Corpus(folder.path)


def perform_at(case: Case[Q, A], path: "Path | None", request: Q, doing: Doing) -> A:
    """Return the answer for the corpus in a folder, or of a use case that needs no corpus."""
    if path is None:
        return case.do(None, request, doing)
    return perform(case, CorpusFolder(path), request, doing)


def turns(most: int) -> "Turns":
    """Return a limit on how many long questions are worked on at the same time."""
    from izwi.index.limits import Turns

    return Turns(most)


@contextmanager
def attended(gone: "threading.Event", turns: "Turns") -> "Iterator[None]":
    """Cancel the questions asked inside once their reader is gone; long ones wait their turn."""
    from izwi.index.limits import GONE, TURN, Turn

    turn = Turn(turns)
    before, other = GONE.set(gone), TURN.set(turn)
    try:
        yield
    finally:
        turn.give_back()
        GONE.reset(before)
        TURN.reset(other)


def _change(case: Case[Q, A], folder: "CorpusFolder", request: Q, doing: Doing) -> A:
    refuse_copy(folder._layout.root)
    if case.policy.holds == "nothing":
        return _noted(case, folder, request, doing)
    if case.policy.holds == "settings":
        with folder._settings_lock:
            return _noted(case, folder, request, doing)
    from izwi.service.runs import running

    folder._renew()
    with running(folder._layout, case.command, doing.listener) as run:
        # Still under the lock when it is recorded: nobody changes the same thing in between.
        answer = _noted(case, folder, request, replace(doing, held=run))
        folder._segments.cache_clear()
        folder._close(run)
        folder._send(run)
    # A run's report is whole only when it has ended.
    return run.report if answer is None else answer  # type: ignore[return-value]


def _noted(case: Case[Q, A], folder: "CorpusFolder", request: Q, doing: Doing) -> A:
    """Return the answer; note the change before it begins and record it when it is done."""
    if not callable(case.policy.record):
        return case.do(folder, request, doing)
    from izwi.store.curation import changing

    layout, run = folder._layout, doing.held.report.run if doing.held else ""
    with changing(layout, doing.who) as desk:
        for broken in desk.broken_off(_is_alive):
            # By whom it was begun, not by who comes next.
            with acting(Actor(broken.who, broken.surface)):
                told = replace(desk, who=broken.who)
                told.record(broken.kind, broken.target, None, broken.after, comment=_BROKEN_OFF)
        begun = desk.begin(os.getpid(), *_as_begun(case.policy.record(request, None)))
    try:
        answer = case.do(folder, request, doing)
    except BaseException:
        with changing(layout, doing.who) as desk:
            desk.end(begun)
        raise
    done = case.policy.record(request, answer)
    with changing(layout, doing.who) as desk:
        desk.end(begun)
        comment = done.comment or run
        desk.record(done.kind, done.target, done.before, done.after, comment=comment)
    return answer


def _as_begun(done: Done) -> tuple[str, str, Any]:
    return done.kind, done.target, done.after


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def work_lean() -> None:
    """Spare a process that does nothing but a run what nobody asks it for."""
    from izwi.pipeline.runners import work_lean

    work_lean()


def load_ahead(corpora: Iterable[Corpus]) -> None:
    """Load the code of all analyses and the word lists of the corpora's first languages."""
    import pkgutil
    from importlib import import_module

    import pyarrow

    from izwi import analyse
    from izwi.annotate.izwi import is_listed

    # Arrow loads pandas, where that is installed, when it is given the first Python object.
    pyarrow.array([""])
    for module in pkgutil.iter_modules(analyse.__path__):
        import_module(f"{analyse.__name__}.{module.name}")
    firsts = (corpus.config.corpus.languages[:1] for corpus in corpora)
    for language in dict.fromkeys(code for codes in firsts for code in codes):
        is_listed("a", language)
