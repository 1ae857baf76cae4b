"""Taking pages down after a second look, and the record of it."""

from typing import Annotated

from fastapi import Query
from starlette.responses import HTMLResponse, Response

from izwi.cases.corpus import Corpus
from izwi.model.errors import IzwiError, QueryError
from izwi.web.desk.frame import Desk, ThisDesk, back_to
from izwi.web.session.rights import ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = curator_pages("takedown")


@router.get("/takedown", response_class=HTMLResponse)
def takedowns(
    desk: ThisDesk,
    corpus: ThisCorpus,
    target: Annotated[str, Query()] = "",
    reason: Annotated[str, Query()] = "",
    look: Annotated[str, Query()] = "",
) -> HTMLResponse:
    """Show the form and what was taken down; with `look`, what would go."""
    return _page(desk, corpus, target.strip(), reason.strip(), is_look=bool(look))


@router.post("/takedown")
def take_down(
    desk: ThisDesk, corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> Response:
    """Take a URL or a host down, in a process of its own, once somebody is sure."""
    target, reason = form.get("target", "").strip(), form.get("reason", "").strip()
    try:
        wanted = corpus.foresee_takedown(target).target
        if not reason:
            raise QueryError("Say who asked and why; it is kept in the record.")
        if not form.get("sure"):
            return _page(desk, corpus, target, reason, is_look=True)
        started = site.work.start("takedown", corpus, wanted, "--reason", reason, who=visitor.name)
    except IzwiError as error:
        return _page(desk, corpus, target, reason, is_look=False, error=error)
    return back_to(corpus, f"runs/{started.run}", "taken-down")


def _page(
    desk: Desk,
    corpus: Corpus,
    target: str,
    reason: str,
    *,
    is_look: bool,
    error: IzwiError | None = None,
) -> HTMLResponse:
    foreseen = None
    if is_look and error is None:
        try:
            if not reason:
                raise QueryError("Say who asked and why; it is kept in the record.")
            foreseen = corpus.foresee_takedown(target)
        except IzwiError as trouble:
            error = trouble
    content = {
        "takedowns": corpus.takedowns(), "target": target, "reason": reason, "foreseen": foreseen,
    }  # fmt: skip
    return desk.page("takedown", corpus, "takedown", content, error=error)
