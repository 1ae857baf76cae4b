"""Taking pages down, and the record of it."""

from typing import Annotated

from fastapi import Query
from starlette.responses import HTMLResponse, Response

from izwi.model.errors import QueryError
from izwi.service import curating
from izwi.service.takedown import target_of
from izwi.store.layout import Layout
from izwi.web.admin.desk import ThisDesk, back_to
from izwi.web.rights import ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = curator_pages("takedown")


@router.get("/takedown", response_class=HTMLResponse)
def takedowns(
    desk: ThisDesk, corpus: ThisCorpus, target: Annotated[str, Query()] = ""
) -> HTMLResponse:
    """Show the form and what was taken down."""
    content = {"takedowns": corpus.takedowns(), "target": target}
    return desk.page("takedown", corpus, "takedown", content)


@router.post("/takedown")
def take_down(corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Take a URL or a host down, in a process of its own."""
    target, reason = target_of(form.get("target", "").strip()), form.get("reason", "").strip()
    if not reason:
        raise QueryError("Say who asked and why; it is kept in the record.")
    started = site.work.start(
        "takedown", corpus, target, "--reason", f"{reason} ({visitor.name})", who=visitor.name
    )
    curating.record_takedown(Layout(corpus.path), target, reason, who=visitor.name)
    return back_to(corpus, f"runs/{started.run}", "taken-down")
