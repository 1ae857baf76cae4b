"""What was dropped, by reason, source and run; and documents restored or excluded."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import Query
from starlette.responses import HTMLResponse, Response

from izwi.model.errors import QueryError
from izwi.service import curating
from izwi.store.layout import Layout
from izwi.web.admin.desk import ThisDesk, back_to
from izwi.web.admin.runs import start_run
from izwi.web.rights import MOST_NUMBER, ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = curator_pages("drops")
SIZE = 50
MOST_PAGES = MOST_NUMBER // SIZE


@router.get("/drops", response_class=HTMLResponse)
def drops(
    desk: ThisDesk,
    corpus: ThisCorpus,
    outcome: Annotated[str, Query()] = "dropped",
    stage: Annotated[str, Query()] = "",
    reason: Annotated[str, Query()] = "",
    source: Annotated[str, Query()] = "",
    run: Annotated[str, Query()] = "",
    url: Annotated[str, Query()] = "",
    page: Annotated[int, Query(ge=1, le=MOST_PAGES)] = 1,
) -> HTMLResponse:
    """List what became of URLs, most for those dropped, each with value and threshold."""
    outcome = "" if outcome == "any" else outcome
    asked = {
        "outcome": outcome, "stage": stage, "reason": reason,
        "source": source, "run": run, "url": url,
    }  # fmt: skip
    found = corpus.drops(**asked, first=(page - 1) * SIZE, most=SIZE)
    content = {
        "found": found,
        "asked": asked,
        "page": page,
        "pages": max(1, -(-found.total // SIZE)),
        "decided": {each.document: each for each in corpus.document_decisions()},
        "link": lambda **more: link({**asked, "outcome": outcome or "any", **more}),
        "sources": [each.name for each in corpus.config.sources],
        "runs": [each.run for each in corpus.runs(most=50)],
    }
    return desk.page("drops", corpus, "drops", content)


@router.post("/drops/decide")
def decide(corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Restore or exclude documents, and start a build if wanted."""
    documents = form.all("document")
    if not documents:
        raise QueryError("No document was chosen.")
    curating.decide_all(
        Layout(corpus.path), corpus.config, documents, form.get("verdict", ""),
        who=visitor.name, comment=form.get("comment", ""),
    )  # fmt: skip
    back = form.get("back", "")
    query = back if back.startswith("?") else ""
    if form.get("build"):
        run = start_run(corpus, site, "build", who=visitor.name)
        return back_to(corpus, f"runs/{run}", "building")
    joined = f"drops{query}"
    return back_to(corpus, joined, "decided") if not query else _again(corpus.name, query)


def link(asked: dict[str, str]) -> str:
    """Return the query of a drops page; what is not asked is left out."""
    return f"?{urlencode({name: str(value) for name, value in asked.items() if value})}"


def _again(corpus: str, query: str) -> Response:
    from starlette.responses import RedirectResponse

    return RedirectResponse(f"/admin/c/{corpus}/drops{query}&said=decided", 303)
