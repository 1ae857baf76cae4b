"""Runs started, watched and stopped; what they brought by the morning; the list of corpora."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import datetime
from functools import partial

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response, StreamingResponse

from izwi.cases.corpus import Corpus
from izwi.cases.long_runs import next_run
from izwi.model.errors import QueryError
from izwi.model.reasons import stage_name
from izwi.model.reports import RunState
from izwi.web.desk import frame
from izwi.web.desk.frame import ThisDesk, back_to
from izwi.web.errors import PROBLEMS
from izwi.web.session.reader import gettext
from izwi.web.session.rights import CuratorPage, Fields, ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = curator_pages()
_COMMANDS = ("run", "gather", "build", "compact")
_LOOK_SECONDS = 0.7
# A browser asks again by itself when the stream ends.
_STREAM_SECONDS = 900.0


@router.get("/runs", response_class=HTMLResponse)
def runs(desk: ThisDesk, corpus: ThisCorpus) -> HTMLResponse:
    """List the runs, and what became of the pages so far."""
    content = {
        "runs": corpus.runs(most=50),
        "summary": corpus.summary(),
        "sources": corpus.source_health(),
        "reasons": frame,
    }
    return desk.page("runs", corpus, "runs", content)


@router.get("/runs/{run}", response_class=HTMLResponse)
def one_run(desk: ThisDesk, corpus: ThisCorpus, run: str) -> HTMLResponse:
    """Show one run: how far it is, or how it ended, and its funnel."""
    (state,) = corpus.runs(run=run)
    counts = corpus.drops(run=run, most=0).counts
    content = {"run": state, "counts": counts, "reasons": frame}
    return desk.page("run", corpus, "runs", content)


@router.get("/runs/{run}/events")
async def events(corpus: ThisCorpus, run: str) -> StreamingResponse:
    """Tell a browser how far a run is, until it ends (server-sent events)."""
    await run_in_threadpool(partial(corpus.runs, run=run))
    return StreamingResponse(
        _told(corpus, run),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store"},
    )


@router.post("/runs/start")
def start(corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Start a run as a process of its own, which goes on if this server ends."""
    command = form.get("command", "run")
    if command not in _COMMANDS:
        raise QueryError(f"'{command}' is no run; there are: {', '.join(_COMMANDS)}.")
    started = start_run(corpus, site, command, *_bounds(command, form), who=visitor.name)
    return back_to(corpus, f"runs/{started}")


@router.post("/runs/{run}/stop")
def stop(corpus: ThisCorpus, site: ThisSite, run: str) -> Response:
    """Ask a run to end; what it has done stays."""
    site.work.stop(*corpus.runs(run=run))
    return back_to(corpus, f"runs/{run}", "stopping")


def start_run(corpus: Corpus, site: ThisSite, command: str, *more: str, who: str) -> str:
    """Start a run and return its name; it is recorded, once it is done, as theirs."""
    return site.work.start(command, corpus, *more, who=who).run


def _bounds(command: str, form: Fields) -> list[str]:
    pages = form.number("pages", 0)
    return ["--limit", str(pages)] if pages > 0 and command in ("run", "gather") else []


async def _told(corpus: Corpus, run: str) -> AsyncIterator[str]:
    """Yield an event whenever a run has come farther, and a last one when it ends."""
    before = ""
    for _ in range(int(_STREAM_SECONDS / _LOOK_SECONDS)):
        (state,) = await run_in_threadpool(partial(corpus.runs, run=run))
        facts = _facts(state)
        if facts != before:
            yield f"data: {facts}\n\n"
            before = facts
        if not state.is_under_way:
            yield "event: end\ndata: {}\n\n"
            return
        await asyncio.sleep(_LOOK_SECONDS)


def _facts(state: RunState) -> str:
    return json.dumps(
        {
            "state": state.state,
            # The page has the same words for states; a stream is in its reader's language too.
            "state_word": gettext(state.state),
            "step": frame.step_word(state.step),
            "done": state.done,
            "total": state.total,
            "detail": state.detail,
            "stages": {frame.step_word(name): row for name, row in state.stages.items()},
        }
    )


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
    status = corpus.status()
    # That a build has something to do stands below what waits; what failed is amiss.
    failed = {f"stage {stage_name(each.stage)}" for each in status.stages if each.failed}
    findings = [
        each for each in corpus.doctor()
        if each.check != "browser" and (each.check in failed or not each.check.startswith("stage "))
    ]  # fmt: skip
    daily, grown = corpus.config.schedule.daily, corpus.growth()
    content = {
        "grown": grown,
        "status": status,
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
