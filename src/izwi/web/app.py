"""The web application: corpora, pages, interface, errors and headers put together."""

import logging
import os
import threading
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from izwi.model.errors import ConfigError
from izwi.service.accounts import Accounts, accounts_path
from izwi.service.warming import warm_up_in_background
from izwi.web import (
    analyses,
    analysing,
    api,
    assets,
    baskets,
    builder,
    comparing,
    curating,
    curator,
    describing,
    documents,
    drawing,
    errors,
    exporting,
    facets,
    growing,
    helping,
    hits,
    listing,
    newwords,
    preferences,
    profiles,
    quoting,
    reference,
    saved,
    signing,
    sourcing,
    trends,
    views,
)
from izwi.web.admin import ADMIN
from izwi.web.clock import keep_time_in_background
from izwi.web.figures import warm_up_charts
from izwi.web.headers import HeadAsGet, SafeHeaders
from izwi.web.identity import Identify
from izwi.web.pages import Pages
from izwi.web.reader import KnowReader
from izwi.web.site import Site, open_corpora
from izwi.web.work import Work

logger = logging.getLogger(__name__)

_LEAST_BYTES_TO_COMPRESS = 600
# Every part has a router; the first that fits an address answers.
_PARTS = (
    assets,
    preferences,
    documents,
    listing,
    facets,
    hits,
    baskets,
    saved,
    builder,
    helping,
    analyses,
    trends,
    comparing,
    profiles,
    newwords,
    views,
    api,
    analysing,
    sourcing,
    curator,
    curating,
    growing,
    exporting,
    quoting,
    reference,
    signing,
)


def create_app(
    folders: Sequence[Path],
    *,
    curator_token: str = "",
    accounts: Accounts | None = None,
    is_closed: bool = False,
    has_schedule: bool = False,
) -> FastAPI:
    """Return the application that serves corpora; a closed one only to who has an account."""
    app = FastAPI(
        title="izwi",
        version=version("izwi"),
        description="Every page is also JSON; every JSON answer is one method of izwi's corpus.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.site = Site(
        open_corpora(folders),
        Pages(),
        curator_token,
        Work(),
        accounts=accounts,
        is_closed=is_closed,
        has_schedule=has_schedule,
    )
    for part in _PARTS:
        app.include_router(part.router)
    for router in (describing.router, describing.deciding, drawing.router(), *ADMIN):
        app.include_router(router)
    errors.install(app)
    app.add_middleware(Identify)
    app.add_middleware(GZipMiddleware, minimum_size=_LEAST_BYTES_TO_COMPRESS)
    app.add_middleware(HeadAsGet)
    app.add_middleware(KnowReader)
    app.add_middleware(SafeHeaders)
    return app


def from_environment() -> FastAPI:
    """Return the application for the folders in IZWI_CORPORA, with accounts and token if set."""
    folders = [
        Path(folder) for folder in os.environ.get("IZWI_CORPORA", "").split(os.pathsep) if folder
    ]
    if not folders:
        raise ConfigError(
            "IZWI_CORPORA names no corpus folder. Set it, or start with: izwi serve FOLDER"
        )
    # Readers who come before this is done only wait longer.
    warm_up_in_background()
    threading.Thread(target=_warm_up_charts, name="izwi-charts", daemon=True).start()
    app = create_app(
        folders,
        curator_token=os.environ.get("IZWI_CURATOR_TOKEN", ""),
        accounts=Accounts(accounts_path()),
        is_closed=os.environ.get("IZWI_CLOSED", "") == "1",
        has_schedule=os.environ.get("IZWI_SCHEDULE", "") == "1",
    )
    if app.state.site.has_schedule:
        keep_time_in_background(app.state.site)
    return app


def _warm_up_charts() -> None:
    """Draw a first chart once the loops are ready: libraries that are being loaded twice break."""
    warm_up_in_background().join()
    try:
        warm_up_charts()
    except Exception:  # a cold start is slow, not wrong; the log says why
        logger.warning("the first chart could not be drawn", exc_info=True)
