"""The web application: corpora, pages, interface, errors and headers put together."""

import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from fastapi import APIRouter
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response

from izwi.cases.accounts import Accounts, accounts_path
from izwi.cases.long_runs import Work
from izwi.cases.readiness import load_ahead
from izwi.model.errors import ConfigError
from izwi.web import desk, errors, templating
from izwi.web.api import (
    bonito,
    derived,
    exporting,
    federated,
    harvest,
    operations,
    quoting,
    reference,
)
from izwi.web.api.operations import Counts, Watched, bound_heap
from izwi.web.clock import keep_time_in_background
from izwi.web.later_routes import Application, LaterRoutes
from izwi.web.middleware import Attending, HeadAsGet, Patient, SafeHeaders
from izwi.web.pages import (
    analyses,
    baskets,
    builder,
    comparing,
    documents,
    facets,
    help_pages,
    hits,
    listing,
    newwords,
    profiles,
    saved,
    trends,
    views,
)
from izwi.web.session import preferences, signing
from izwi.web.session.identity import Identify
from izwi.web.session.known_places import KnownHosts, hosts_from_environment
from izwi.web.session.reader import KnowReader
from izwi.web.site import Site, open_corpora
from izwi.web.templating import Pages

logger = logging.getLogger(__name__)

_LEAST_BYTES_TO_COMPRESS = 600
# A page of 100 kB becomes 13.1 kB in 0.7 ms; at 9, which is the default, 12.5 kB in 1.7 ms.
_COMPRESSION = 4
# Every part has a router; the first that fits an address answers.
_PARTS = (
    templating,
    preferences,
    documents,
    listing,
    facets,
    saved,
    hits,
    baskets,
    builder,
    help_pages,
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
    is_ready: Callable[[], bool] = lambda: True,
    kept_templates: Path | None = None,
) -> Application:
    """Return the application that serves corpora; a closed one only to who has an account.

    It answers under addresses in digits, as localhost, and under the names in `hosts`. Until it
    `is_ready` no page says that it takes longer: what takes its time then is loading, not counting.
    Templates that were compiled once are read from the folder of `kept_templates`.
    """
    app = Application(
        title="izwi",
        version=version("izwi"),
        description="Every page is also JSON; every JSON answer is one method of izwi's corpus.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.site = Site(
        open_corpora(folders),
        Pages(kept_templates),
        curator_token,
        Work(),
        accounts=accounts,
        is_closed=is_closed,
        has_schedule=has_schedule,
    )
    app.state.counts = Counts()
    # As they are: what includes a router reads the parameters of all its routes anew, which takes
    # half a second of every start.
    for part in _PARTS:
        app.router.routes.extend(part.router.routes)
    # Those of the interface and of curators take another second.
    app.later = LaterRoutes(app.router.routes, _later_routers)
    app.router.routes.append(app.later)
    errors.install(app)
    app.add_middleware(Identify)
    app.add_middleware(
        GZipMiddleware, minimum_size=_LEAST_BYTES_TO_COMPRESS, compresslevel=_COMPRESSION
    )
    app.add_middleware(HeadAsGet)
    app.add_middleware(Patient, waiting=_waiting_page(app.state.site), is_ready=is_ready)
    app.add_middleware(KnowReader)
    app.add_middleware(KnownHosts, names=hosts)
    app.add_middleware(SafeHeaders)
    app.add_middleware(Watched, counts=app.state.counts)
    app.add_middleware(Attending)
    return app


def _later_routers() -> Iterator[APIRouter]:
    yield from (*derived.routers(), derived.chart_router(), saved.curators, *desk.routers())


def _waiting_page(site: Site) -> Callable[[float], Response]:
    """Return what makes the page that is shown while another takes longer."""

    def page(seconds: float) -> Response:
        content, headers = {"seconds": round(seconds)}, {"Cache-Control": "no-store"}
        return site.pages.page("waiting.html", content, status=202, headers=headers)

    return page


def from_environment() -> Application:
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
    ready = threading.Event()
    app = create_app(
        folders,
        curator_token=os.environ.get("IZWI_CURATOR_TOKEN", ""),
        accounts=Accounts(accounts_path()),
        is_closed=os.environ.get("IZWI_CLOSED", "") == "1",
        has_schedule=os.environ.get("IZWI_SCHEDULE", "") == "1",
        hosts=hosts_from_environment(),
        is_ready=ready.is_set,
        kept_templates=accounts_path().with_name("templates"),
    )
    # Readers who come before this is done only wait longer.
    threading.Thread(target=_make_ready, args=(app, ready), name="izwi-ready", daemon=True).start()
    if app.state.site.has_schedule:
        keep_time_in_background(app.state.site)
    return app


def _make_ready(app: Application, ready: threading.Event) -> None:
    """Load what the first readers would wait for: code, word lists, templates, routes."""
    site: Site = app.state.site
    try:
        load_ahead(site.corpora.values())
        site.pages.load_ahead()
        app.make_routes()
    except Exception:  # a cold start is slow, not wrong; the log says why
        logger.warning("what pages need could not be loaded ahead", exc_info=True)
    finally:
        ready.set()
