"""Help that works offline: one short page for each thing readers do."""

from typing import Annotated

import fastapi
from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse

from izwi.web.errors import PROBLEMS
from izwi.web.messages import gettext as _
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


@router.get("/help", response_class=HTMLResponse, summary="Help")
def help_index(site: ThisSite) -> HTMLResponse:
    """List the help pages."""
    return site.pages.page("help.html", {"topics": topics(), "topic": ""})


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
    return site.pages.page("help.html", {"topics": known, "topic": topic})
