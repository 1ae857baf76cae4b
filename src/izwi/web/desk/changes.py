"""The record of what curators changed, and taking it back."""

from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import Query
from starlette.responses import HTMLResponse, Response

from izwi.model.curation import MOST_DECIDED
from izwi.model.errors import QueryError
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
    """Take a change back, or those that one step made, the last first."""
    first, is_range, last = form.get("range", "").partition("-")
    if is_range and not (first.isdecimal() and last.isdecimal()):
        raise QueryError(f"'{form['range']}' names no changes.")
    number = form.number("number", 0)
    begin, end = (int(first), int(last)) if is_range else (number, number)
    if end - begin >= MOST_DECIDED:
        raise QueryError(f"At most {MOST_DECIDED} changes at once.")
    with site.adding:
        for each in range(end, begin - 1, -1):
            corpus.undo(each, by=visitor.name)
    page, _, query = form.get("back", "").partition("?")
    here = f"/admin/c/{corpus.name}/"
    if not page.startswith(here):
        return back_to(corpus, "changes", "undone")
    asked = {name: value for name, value in parse_qsl(query) if name not in ("said", "undo")}
    return back_to(corpus, page.removeprefix(here), "undone", since=None, **asked)
