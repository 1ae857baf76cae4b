"""The web application: corpora, pages, interface, errors and headers put together."""

import logging
import os
import threading
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from izwi.cases.accounts import Accounts, accounts_path
from izwi.model.errors import ConfigError
from izwi.web import assets, desk, errors
from izwi.web.api import (
    bonito,
    derived,
    drawing,
    exporting,
    federated,
    harvest,
    operations,
    quoting,
    reference,
)
from izwi.web.api.operations import Counts, Watched, bound_heap
from izwi.web.attending import Attending
from izwi.web.clock import keep_time_in_background
from izwi.web.headers import HeadAsGet, SafeHeaders
from izwi.web.pages import (
    analyses,
    baskets,
    builder,
    comparing,
    documents,
    facets,
    helping,
    hits,
    listing,
    newwords,
    profiles,
    saved,
    trends,
    views,
)
from izwi.web.pages.figures import warm_up_charts
from izwi.web.session import preferences, signing
from izwi.web.session.identity import Identify
from izwi.web.session.known_places import KnownHosts, hosts_from_environment
from izwi.web.session.reader import KnowReader
from izwi.web.site import Site, open_corpora
from izwi.web.templating import Pages
from izwi.web.work import Work

logger = logging.getLogger(__name__)

_LEAST_BYTES_TO_COMPRESS = 600
# A page of 100 kB becomes 13.1 kB in 0.7 ms; at 9, which is the default, 12.5 kB in 1.7 ms.
_COMPRESSION = 4
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
    exporting,
    quoting,
    reference,
    signing,
    operations,
    federated,
    harvest,
    bonito,
)


def create_app(
    folders: Sequence[Path],
    *,
    curator_token: str = "",
    accounts: Accounts | None = None,
    is_closed: bool = False,
    has_schedule: bool = False,
    hosts: Sequence[str] = (),
) -> FastAPI:
    """Return the application that serves corpora; a closed one only to who has an account.

    It answers under addresses in digits, as localhost, and under the names in `hosts`.
    """
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
    app.state.counts = Counts()
    for part in _PARTS:
        app.include_router(part.router)
    for router in (*derived.routers(), drawing.router(), *desk.routers()):
        app.include_router(router)
    errors.install(app)
    app.add_middleware(Identify)
    app.add_middleware(
        GZipMiddleware, minimum_size=_LEAST_BYTES_TO_COMPRESS, compresslevel=_COMPRESSION
    )
    app.add_middleware(HeadAsGet)
    app.add_middleware(KnowReader)
    app.add_middleware(KnownHosts, names=hosts)
    app.add_middleware(SafeHeaders)
    app.add_middleware(Watched, counts=app.state.counts)
    app.add_middleware(Attending)
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
    if place := os.environ.get("IZWI_LOG", ""):
        operations.log_to(place)
    bound_heap()
    # Readers who come before this is done only wait longer.
    threading.Thread(target=_warm_up_charts, name="izwi-charts", daemon=True).start()
    app = create_app(
        folders,
        curator_token=os.environ.get("IZWI_CURATOR_TOKEN", ""),
        accounts=Accounts(accounts_path()),
        is_closed=os.environ.get("IZWI_CLOSED", "") == "1",
        has_schedule=os.environ.get("IZWI_SCHEDULE", "") == "1",
        hosts=hosts_from_environment(),
    )
    if app.state.site.has_schedule:
        keep_time_in_background(app.state.site)
    return app


def _warm_up_charts() -> None:
    """Draw a first chart once the loops are ready: libraries that are being loaded twice break."""
    try:
        warm_up_charts()
    except Exception:  # a cold start is slow, not wrong; the log says why
        logger.warning("the first chart could not be drawn", exc_info=True)
