"""Doing a use case: the right is looked at, the lock taken and success written down, once for all.

What is begun is noted before and struck out with the record of it: after a kill the next who
changes something writes down what was begun and not ended.
"""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from izwi.cases.case import Case, Doing, Done, Q, check
from izwi.model.accounts import Actor, acting, actor
from izwi.model.errors import NotAllowed

if TYPE_CHECKING:
    from pathlib import Path

    from izwi.service.folder import CorpusFolder

A = TypeVar("A")
_BROKEN_OFF = "begun, and ended by a kill: it may be half done"


def perform(case: Case[Q, A], folder: "CorpusFolder", request: Q, doing: Doing) -> A:
    """Return the answer to a request."""
    now = actor()
    if case.policy.right == "curator" and not now.is_curator:
        raise NotAllowed(f"'{now.who}' is a reader; this is for curators.")
    check(request)
    folder._refresh()
    if case.policy.record is None and case.policy.holds == "nothing":
        return case.do(folder, request, doing)
    doing = replace(doing, who=doing.who or now.who or _user())
    with acting(Actor(doing.who, now.surface, now.is_curator)):
        return _change(case, folder, request, doing)


def perform_at(case: Case[Q, A], path: "Path", request: Q, doing: Doing) -> A:
    """Return the answer of the corpus in a folder."""
    from izwi.service.folder import CorpusFolder

    return perform(case, CorpusFolder(path), request, doing)


def _change(case: Case[Q, A], folder: "CorpusFolder", request: Q, doing: Doing) -> A:
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
    # A run's report is whole only when it has ended.
    return run.report if answer is None else answer  # type: ignore[return-value]


def _noted(case: Case[Q, A], folder: "CorpusFolder", request: Q, doing: Doing) -> A:
    """Return the answer; what is begun is noted, and recorded once it is done."""
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


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
