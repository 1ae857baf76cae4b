"""Is all well? The state of a corpus on one page; and the list of corpora before it."""

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from izwi.web.admin.desk import ThisDesk
from izwi.web.errors import PROBLEMS
from izwi.web.rights import CuratorPage, curator_pages
from izwi.web.site import ThisCorpus

router = curator_pages("health")
home_router = APIRouter(
    prefix="/admin", responses=PROBLEMS, route_class=CuratorPage, include_in_schema=False
)


@home_router.get("", response_class=HTMLResponse)
def home(desk: ThisDesk) -> HTMLResponse:
    """List the corpora to be curated."""
    corpora = [corpus for _, corpus in sorted(desk.site.corpora.items())]
    return desk.page("home", None, "", {"corpora": corpora})


@router.get("", response_class=HTMLResponse)
def health(desk: ThisDesk, corpus: ThisCorpus) -> HTMLResponse:
    """Show what is amiss: sources that give less, stages that failed, findings of the doctor."""
    sources = corpus.source_health()
    runs = corpus.runs(most=5)
    content = {
        "status": corpus.status(),
        "findings": corpus.doctor(),
        "alarms": [each for each in sources if each.state in ("less", "broken")],
        "sources": sources,
        "runs": runs,
    }
    return desk.page("health", corpus, "", content)
