"""What all curators' pages have: the bar of topics, the words about what was just done."""

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse

from izwi.cases.corpus import Corpus
from izwi.model.errors import IzwiError, QueryError
from izwi.web.errors import status_of
from izwi.web.messages import gettext as _
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
        "decided": _("Decided. The next build obeys."),
        "building": _("Decided. A build has been started."),
        "undone": _("Taken back."),
        "labelled": _("The labels are saved."),
        "trained": _("The model is trained and saved."),
        "saved": _("The settings are saved. The next build uses them."),
        "added": _("Added."),
        "changed": _("Changed."),
        "judged": _("Noted."),
        "started": _("Started."),
        "stopping": _("The run was asked to stop."),
        "paused": _("Paused. Nothing of it is fetched until it is resumed."),
        "resumed": _("Resumed. The next run goes on with it."),
        "removed": _("Removed. What was gathered of it stays; Changes can put it back."),
        "no-trap": _("Noted: this is no trap. The next run fetches what was left out."),
        "planned": _("The time of the daily run is set."),
        "password": _("The password is changed."),
        "revoked": _("The token is revoked."),
        "taken-down": _("It is being taken down, and will not be fetched again."),
    }
    return sentences.get(code, "")


class Desk:
    """Where a curator's page is made."""

    def __init__(self, request: Request, said: Annotated[str, Query()] = "") -> None:
        self.site: Site = site_of(request)
        self._said = said

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
            "problem": "" if error is None else self.site.without_folders(str(error)),
        }
        status = 200 if error is None else status_of(error)
        # A form's secret is in it: no cache between here and the browser may keep it.
        headers = {"Cache-Control": "private, no-store"}
        return self.site.pages.page(
            f"admin/{template}.html", {**frame, **content}, status=status, headers=headers
        )


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


def back_to(corpus: Corpus, path: str, code: str = "", **query: str) -> RedirectResponse:
    """Return the way back to a page after something was done."""
    pairs = {**query, **({"said": code} if code else {})}
    parts = "&".join(f"{name}={quote(value)}" for name, value in pairs.items() if value)
    return RedirectResponse(f"/admin/c/{corpus.name}/{path}{'?' if parts else ''}{parts}", 303)
