"""Help that works offline: one short page for each thing readers do."""

from typing import Annotated

import fastapi
from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse

from izwi.web.errors import PROBLEMS
from izwi.web.session.reader import gettext as _
from izwi.web.site import ThisSite

router = APIRouter(tags=["pages"], responses=PROBLEMS)


def topics() -> dict[str, str]:
    """Return the help pages by their names in addresses."""
    return {
        "search": _("Searching"),
        "cql": _("The query language"),
        "lines": _("Reading lines"),
        "documents": _("Documents, dates and copies"),
        "words": _("Counting words"),
        "trends": _("Trends over time"),
        "new": _("New words"),
        "basket": _("Baskets, saved searches, feeds"),
        "reproduce": _("Repeating and citing"),
        "glossary": _("Glossary"),
        "keys": _("Keys"),
        "accessibility": _("Accessibility"),
    }


def about() -> dict[str, str]:
    """Return what each help page tells, in one line."""
    return {
        "search": _("words, phrases, forms; which documents; when nothing is found"),
        "cql": _("patterns over words, lemmas and tags, with examples that run"),
        "lines": _("opening, sorting, sampling, copies"),
        "documents": _("what is known about a text and where that comes from"),
        "words": _("frequencies, collocations, keywords and what their numbers mean"),
        "trends": _("rates by year, intervals, when to believe a rise"),
        "new": _("what counts as new, and deciding with one key"),
        "basket": _("keeping quotations and searches, following new lines"),
        "reproduce": _("the same result by address, command and Python; citations"),
        "glossary": _("what the terms on these pages mean"),
        "keys": _("everything without a mouse"),
        "accessibility": _("goals and known limits of these pages"),
    }


@router.get("/help", response_class=HTMLResponse, summary="Help")
def help_index(site: ThisSite) -> HTMLResponse:
    """List the help pages."""
    return site.pages.page(
        "help.html", {"topics": topics(), "about": about(), "topic": "", "example_corpus": ""}
    )


@router.get("/help/{topic}", response_class=HTMLResponse, summary="Help on one thing")
def help_topic(
    site: ThisSite,
    topic: Annotated[
        str, fastapi.Path(description="One of the pages that /help lists.", examples=["search"])
    ],
) -> HTMLResponse:
    """Show one help page."""
    known = topics()
    if topic not in known:
        raise HTTPException(404, f"There is no help page '{topic}'.")
    # Examples run in a corpus that is served here.
    first = next(iter(sorted(site.corpora)), "")
    return site.pages.page(
        "help.html", {"topics": known, "about": {}, "topic": topic, "example_corpus": first}
    )
