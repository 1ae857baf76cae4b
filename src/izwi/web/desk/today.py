"""The page for the morning: what came, what gave less, what waits; and the list of corpora."""

from datetime import datetime

from fastapi import APIRouter
from starlette.responses import HTMLResponse

from izwi.cases.corpus import Corpus
from izwi.cases.long_runs import next_run
from izwi.web.desk import frame
from izwi.web.desk.frame import ThisDesk
from izwi.web.errors import PROBLEMS
from izwi.web.session.rights import CuratorPage, curator_pages
from izwi.web.site import ThisCorpus

router = curator_pages("today")
home_router = APIRouter(
    prefix="/admin", responses=PROBLEMS, route_class=CuratorPage, include_in_schema=False
)
# So many runs are shown.
_RUNS = 6
# So many labelled pages are few to train from.
ENOUGH_LABELS = 30


@home_router.get("", response_class=HTMLResponse)
def home(desk: ThisDesk) -> HTMLResponse:
    """List the corpora to be curated."""
    corpora = [corpus for _, corpus in sorted(desk.site.corpora.items())]
    grown = {corpus.name: corpus.growth() for corpus in corpora}
    return desk.page("home", None, "", {"corpora": corpora, "grown": grown})


@router.get("", response_class=HTMLResponse)
def today(desk: ThisDesk, corpus: ThisCorpus) -> HTMLResponse:
    """Show what one wants to know in the morning: what came, what gave less, what waits."""
    sources, runs = corpus.source_health(), corpus.runs(most=_RUNS)
    findings = [each for each in corpus.doctor() if each.check != "browser"]
    daily, grown = corpus.config.schedule.daily, corpus.growth()
    content = {
        "grown": grown,
        "status": corpus.status(),
        "findings": findings,
        "disk": next((each.message for each in findings if each.check == "disk"), ""),
        "alarms": [each for each in sources if each.state in ("less", "broken")],
        "silent": [each for each in sources if each.state == "nothing yet"],
        "resting": [each for each in sources if each.state == "paused"],
        "sources": sources,
        "runs": runs,
        "next_run": next_run(daily, datetime.now().astimezone()) if daily else None,
        "waits": _waits(corpus, grown.labelled),
        "reasons": frame,
        "has_schedule": desk.site.has_schedule,
    }
    return desk.page("today", corpus, "", content)


def _waits(corpus: Corpus, labelled: int) -> dict[str, object]:
    """Return what waits for a curator."""
    return {
        "audits": [each for each in corpus.audits() if each.judged < each.size],
        "takedowns": [each for each in corpus.takedowns() if each.shards and not each.compacted],
        "labelled": labelled,
        "has_few_labels": labelled < ENOUGH_LABELS,
    }
