"""What is left out: dropped pages, put back or not; pages taken down after a second look."""

from typing import Annotated, Any
from urllib.parse import parse_qsl, urlencode

from fastapi import Query
from starlette.responses import HTMLResponse, Response

from izwi.cases.corpus import Corpus
from izwi.model.errors import IzwiError, QueryError
from izwi.web.desk import frame
from izwi.web.desk.frame import Desk, ThisDesk, back_to, last_change
from izwi.web.desk.runs import start_run
from izwi.web.session.rights import MOST_NUMBER, Fields, ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = curator_pages()
SIZE = 50
MOST_PAGES = MOST_NUMBER // SIZE
_ASKED = ("outcome", "stage", "reason", "source", "kind", "run", "url")


@router.get("/drops", response_class=HTMLResponse)
def drops(
    desk: ThisDesk,
    corpus: ThisCorpus,
    outcome: Annotated[str, Query()] = "dropped",
    stage: Annotated[str, Query()] = "",
    reason: Annotated[str, Query()] = "",
    source: Annotated[str, Query()] = "",
    kind: Annotated[str, Query()] = "",
    run: Annotated[str, Query()] = "",
    url: Annotated[str, Query()] = "",
    page: Annotated[int, Query(ge=1, le=MOST_PAGES)] = 1,
) -> HTMLResponse:
    """List what became of URLs, most for those dropped, each with value and threshold."""
    asked = dict(zip(_ASKED, (outcome, stage, reason, source, kind, run, url), strict=True))
    return _page(desk, corpus, asked, page)


@router.post("/drops/decide")
def decide(
    desk: ThisDesk, corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> Response:
    """Restore or exclude documents, and start a build if wanted."""
    since = last_change(corpus)
    back = dict(parse_qsl(form.get("back", "").removeprefix("?")))
    try:
        documents, verdict, is_built = _wanted(form)
        corpus.decide_documents(
            verdict or "rules", documents, comment=form.get("comment", ""), by=visitor.name
        )
        if is_built:
            run = start_run(corpus, site, "build", who=visitor.name)
            return back_to(corpus, f"runs/{run}", "building", since=since)
    except IzwiError as error:
        asked = {name: back.get(name, "") for name in _ASKED} | {
            "outcome": back.get("outcome", "dropped")
        }
        return _page(desk, corpus, asked, 1, error=error)
    if form.get("to") == "inspect":
        return back_to(corpus, f"inspect/{documents[0]}", "decided", since=since)
    asked = {k: v for k, v in back.items() if k in (*_ASKED, "page")}
    return back_to(corpus, "drops", "decided", since=since, **asked)


@router.get("/drops/review", response_class=HTMLResponse)
def review(desk: ThisDesk, corpus: ThisCorpus) -> HTMLResponse:
    """Show each reason by which texts were dropped with some of them, to be judged by one key."""
    return _review_page(desk, corpus)


@router.post("/drops/review")
def reviewed(desk: ThisDesk, corpus: ThisCorpus, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Agree with a reason, or restore what it dropped."""
    since, (stage, _, reason) = last_change(corpus), form.get("reason", "").partition(" ")
    verdict: Any = form.get("verdict", "")
    try:
        corpus.review_drops(stage, reason, verdict, by=visitor.name)
    except IzwiError as error:
        return _review_page(desk, corpus, error=error)
    said = "judged" if verdict == "right" else "decided"
    return back_to(corpus, "drops/review", said, since=since)


def _review_page(desk: Desk, corpus: Corpus, *, error: IzwiError | None = None) -> HTMLResponse:
    found = corpus.drop_samples()
    # What grew since somebody looked is looked at again.
    open_ones = [each for each in found if each.count > each.agreed]
    content = {
        "found": open_ones + [each for each in found if each not in open_ones],
        "open": len(open_ones),
        "reasons": frame,
        "decided": {each.document: each for each in corpus.document_decisions()},
    }
    return desk.page("review", corpus, "drops", content, error=error)


def _wanted(form: Fields) -> tuple[list[str], str, bool]:
    """Return the documents, the verdict, and whether to build: of one line, or of all ticked."""
    verdict, _, document = form.get("only", "").partition(" ")
    if document:
        return [document], verdict, verdict == "keep"
    documents = form.all("document")
    if not documents:
        raise QueryError("No page was ticked.")
    return documents, form.get("verdict", ""), bool(form.get("build"))


def _page(
    desk: Desk, corpus: Corpus, asked: dict[str, str], page: int, *, error: IzwiError | None = None
) -> HTMLResponse:
    wanted = {**asked, "outcome": "" if asked["outcome"] == "any" else asked["outcome"]}
    found = corpus.drops(**wanted, first=(page - 1) * SIZE, most=SIZE)
    content = {
        "found": found,
        "asked": asked,
        "page": page,
        "pages": max(1, -(-found.total // SIZE)),
        "decided": {each.document: each for each in corpus.document_decisions()},
        "link": lambda **more: link({**asked, **more}),
        "sources": [each.name for each in corpus.config.sources],
        "runs": [each.run for each in corpus.runs(most=50)],
        "reasons": frame,
        "groups": _groups(found.counts),
    }
    return desk.page("drops", corpus, "drops", content, error=error)


def _groups(counts: tuple[object, ...]) -> list[list[object]]:
    """Return the reasons in two groups: what can be decided about, and what was never fetched."""
    fetched = [each for each in counts if getattr(each, "stage", "") not in ("fetch", "extract")]
    return [fetched, [each for each in counts if each not in fetched]]


def link(asked: dict[str, str]) -> str:
    """Return the query of a drops page; what is not asked is left out."""
    return f"?{urlencode({name: str(value) for name, value in asked.items() if value})}"


@router.get("/takedown", response_class=HTMLResponse)
def takedowns(
    desk: ThisDesk,
    corpus: ThisCorpus,
    target: Annotated[str, Query()] = "",
    reason: Annotated[str, Query()] = "",
    look: Annotated[str, Query()] = "",
) -> HTMLResponse:
    """Show the form and what was taken down; with `look`, what would go."""
    return _takedown_page(desk, corpus, target.strip(), reason.strip(), is_look=bool(look))


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
            return _takedown_page(desk, corpus, target, reason, is_look=True)
        started = site.work.start("takedown", corpus, wanted, "--reason", reason, who=visitor.name)
    except IzwiError as error:
        return _takedown_page(desk, corpus, target, reason, is_look=False, error=error)
    return back_to(corpus, f"runs/{started.run}", "taken-down")


def _takedown_page(
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
