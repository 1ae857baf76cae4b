"""Audits: a random sample judged by keys."""

from typing import Annotated

from fastapi import Path
from starlette.responses import HTMLResponse, Response

from izwi.model.curation import FAULTS
from izwi.web.desk.frame import ThisDesk, back_to, last_change
from izwi.web.session.rights import MOST_NUMBER, ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus

router = curator_pages("audit")
Number = Annotated[int, Path(ge=0, le=MOST_NUMBER)]


@router.get("/audit", response_class=HTMLResponse)
def audits(desk: ThisDesk, corpus: ThisCorpus) -> HTMLResponse:
    """List the audits with their figures, and begin another."""
    return desk.page("audits", corpus, "audit", {"audits": corpus.audits()})


@router.post("/audit/start")
def start(corpus: ThisCorpus, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Draw a sample."""
    size, seed = form.number("size", 100), form.number("seed", 1)
    number = corpus.start_audit(size=max(1, min(size, 5000)), seed=seed, by=visitor.name)
    return back_to(corpus, f"audit/{number}")


@router.get("/audit/{number}", response_class=HTMLResponse)
def audit(desk: ThisDesk, corpus: ThisCorpus, number: Number, place: int = 0) -> HTMLResponse:
    """Show a document of a sample: the one asked for, or the next that nobody has judged."""
    sample = corpus.audit_sample(number)
    open_ones = [each for each in sample if each.faults is None]
    shown = next((each for each in sample if each.place == place), None)
    shown = shown or (open_ones[0] if open_ones else None)
    content = {
        "audit": next(each for each in corpus.audits() if each.id == number),
        "shown": shown,
        "size": len(sample),
        "document": corpus.inspect(shown.document) if shown else None,
        "faults": FAULTS,
    }
    return desk.page("audit", corpus, "audit", content)


@router.post("/audit/{number}/judge")
def judge(corpus: ThisCorpus, number: Number, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Note what is wrong with a document, and go on to the next."""
    since = last_change(corpus)
    corpus.judge(number, form.get("document", ""), form.all("fault"), by=visitor.name)
    return back_to(corpus, f"audit/{number}", "judged", since=since)
