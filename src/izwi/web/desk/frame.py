"""What all curators' pages have: the bar of topics, what was just done, reasons in words."""

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse

from izwi import plugins
from izwi.cases.corpus import Corpus
from izwi.model.errors import IzwiError, QueryError
from izwi.model.reasons import all_stages
from izwi.model.results import LedgerLine
from izwi.web.errors import status_of
from izwi.web.session.reader import gettext as _
from izwi.web.session.reader import sentence
from izwi.web.site import Site, site_of


def topics() -> tuple[tuple[str, str], ...]:
    """Return the topics of the curators' bar: path and name."""
    return (
        ("", _("Today")),
        ("sources", _("Sources")),
        ("runs", _("Runs")),
        ("drops", _("Drops")),
        ("label", _("Label")),
        ("models", _("Models")),
        ("playground", _("Playground")),
        ("audit", _("Audit")),
        ("takedown", _("Take down")),
        ("settings", _("Settings")),
        ("changes", _("Changes")),
    )


def said(code: str) -> str:
    """Return the sentence about what was just done; pages pass codes, never sentences."""
    sentences = {
        "decided": _("Saved. It takes effect with the next build."),
        "building": _("Saved. A build has started."),
        "undone": _("Undone."),
        "labelled": _("The labels are saved."),
        "trained": _("The model has been trained and saved."),
        "saved": _("The settings are saved. The next build uses them."),
        "added": _("Added."),
        "changed": _("Changed."),
        "judged": _("Noted."),
        "started": _("Started."),
        "stopping": _("The run was asked to stop."),
        "paused": _("Paused. Nothing is fetched from it until it is resumed."),
        "resumed": _("Resumed. The next run goes on with it."),
        "removed": _("Removed. What was gathered of it stays; Changes can put it back."),
        "no-trap": _("Noted: this is not a trap. The next run fetches what was left out."),
        "planned": _("The time of the daily run is set."),
        "password": _("The password has been changed."),
        "revoked": _("The token has been revoked."),
        "taken-down": _("It is being taken down and will not be fetched again."),
    }
    return sentences.get(code, "")


def step_word(step: str) -> str:
    """Return a stage as people call it, with what it does then in words."""
    name, words = all_stages().get(step, ["", step])
    told = sentence(words)
    return f"{name}: {told}" if name else told


class Desk:
    """Where a curator's page is made."""

    def __init__(
        self,
        request: Request,
        said: Annotated[str, Query()] = "",
        undo: Annotated[str, Query(pattern=r"^(\d{1,9}-\d{1,9})?$")] = "",
    ) -> None:
        self.site: Site = site_of(request)
        self._said, self._undo = said, undo
        self._address = f"{request.url.path}?{request.url.query}"

    def page(
        self,
        template: str,
        corpus: Corpus | None,
        here: str,
        content: Mapping[str, object],
        *,
        error: IzwiError | None = None,
    ) -> HTMLResponse:
        """Return a filled page with the curators' bar; after a mistake with what it was."""
        frame = {
            "corpus": corpus,
            "here": here,
            "topics": topics(),
            "said": said(self._said) if error is None else "",
            "undo": self._undoable(corpus) if error is None else "",
            "address": self._address,
            "problem": "" if error is None else self.site.without_folders(str(error)),
        }
        status = 200 if error is None else status_of(error)
        # A form's secret is in it: no cache between here and the browser may keep it.
        headers = {"Cache-Control": "private, no-store"}
        return self.site.pages.page(
            f"admin/{template}.html", {**frame, **content}, status=status, headers=headers
        )

    def _undoable(self, corpus: Corpus | None) -> str:
        """Return which changes were just made, if they can all be taken back."""
        if corpus is None or not self._undo:
            return ""
        first, last = map(int, self._undo.split("-"))
        known = [each for each in corpus.changes(most=1000) if first <= each.id <= last]
        is_one_step = len({each.who for each in known}) == 1
        can_be = is_one_step and all(each.can_be_undone for each in known)
        return self._undo if can_be else ""


ThisDesk = Annotated[Desk, Depends()]


def share_of(text: str) -> float | None:
    """Return a share that was asked for, None if none was."""
    if not text.strip():
        return None
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise QueryError(f"'{text}' is not a number from 0 to 1.")
    return share


def extractor_names() -> list[str]:
    """Return the extractors that can be chosen."""
    return [each.name for each in plugins.installed("izwi.extractors")]


def last_change(corpus: Corpus) -> int:
    """Return the number of the last change of a corpus, 0 if there was none."""
    return next((each.id for each in corpus.changes(most=1)), 0)


def back_to(
    corpus: Corpus, path: str, code: str = "", *, since: int | None = None, **query: str
) -> RedirectResponse:
    """Return the way back to a page after something was done.

    With the number of the last change before, that page offers to take back what was changed.
    """
    pairs = {**query, **({"said": code} if code else {})}
    last = last_change(corpus) if since is not None else 0
    if since is not None and last > since:
        pairs["undo"] = f"{since + 1}-{last}"
    parts = "&".join(f"{name}={quote(value)}" for name, value in pairs.items() if value)
    return RedirectResponse(f"/admin/c/{corpus.name}/{path}{'?' if parts else ''}{parts}", 303)


# Stages after which there is a text that could be restored.
_WITHOUT_TEXT = ("extract", "fetch", "build", "takedown")


def can_be_restored(line: LedgerLine) -> bool:
    """Return whether a curator can put a page back."""
    return bool(line.document) and line.stage not in _WITHOUT_TEXT and line.outcome != "kept"


def why_not(line: LedgerLine) -> str:
    """Return why nothing can be decided about a page."""
    if line.outcome == "waiting":
        return _("waits")
    if line.stage == "fetch":
        return _("never fetched")
    return _("has no text")
