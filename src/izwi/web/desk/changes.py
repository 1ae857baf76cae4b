"""The record of what curators changed, and taking it back."""

from typing import Annotated

from fastapi import Query
from starlette.responses import HTMLResponse, Response

from izwi.web.desk.frame import ThisDesk, back_to
from izwi.web.session.rights import MOST_NUMBER, ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = curator_pages("changes")
_SIZE = 50
MOST_PAGES = MOST_NUMBER // _SIZE


@router.get("/changes", response_class=HTMLResponse)
def changes(
    desk: ThisDesk, corpus: ThisCorpus, page: Annotated[int, Query(ge=1, le=MOST_PAGES)] = 1
) -> HTMLResponse:
    """List what was changed, by whom and when, the newest first."""
    found = corpus.changes(first=(page - 1) * _SIZE, most=_SIZE + 1)
    content = {"changes": found[:_SIZE], "page": page, "has_more": len(found) > _SIZE}
    return desk.page("changes", corpus, "changes", content)


@router.post("/changes/undo")
def undo(corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Take a change back."""
    with site.adding:
        corpus.undo(form.number("number", 0), by=visitor.name)
    return back_to(corpus, "changes", "undone")
