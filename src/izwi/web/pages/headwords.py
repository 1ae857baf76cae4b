"""The headword watch: earlier lines as a feed, and the list as curators change it."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from izwi.web.errors import PROBLEMS
from izwi.web.pages.saved import ATOM
from izwi.web.session.rights import ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = APIRouter(tags=["pages"], responses=PROBLEMS)
curators = curator_pages("headwords")
_FEED_ENTRIES = 100


@router.get("/c/{corpus}/watch.atom", response_class=Response, summary="Antedatings as a feed")
def watch_feed(request: Request, site: ThisSite, corpus: ThisCorpus) -> Response:
    """Tell feed readers of earlier lines of watched headwords."""
    found = corpus.headword_alerts()[:_FEED_ENTRIES]
    content = {
        "corpus": corpus,
        "found": found,
        "base": str(request.base_url).rstrip("/"),
        "address": str(request.url),
        "updated": found[0].noticed if found else "1970-01-01T00:00:00+00:00",
    }
    return Response(site.pages.text("watch.xml", content), media_type=ATOM)


@curators.post("/headwords")
def change(
    corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> RedirectResponse:
    """Watch more headwords, watch one no more, or look now."""
    with site.adding:
        if form.get("forget"):
            corpus.forget_headwords([form["forget"]], by=visitor.name)
        elif form.get("do") == "look":
            corpus.check_headwords()
        else:
            corpus.watch_headwords(form.get("words", "").splitlines(), by=visitor.name)
    return RedirectResponse(f"/c/{corpus.name}/watch", 303)
