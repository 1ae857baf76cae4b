"""The application: its parts in order, routes made when they are needed, runs by the clock."""

import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.datastructures import URLPath
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import Scope

from izwi.cases.accounts import Accounts, accounts_path
from izwi.cases.corpus import Corpus, load_ahead
from izwi.cases.long_runs import Work, is_due
from izwi.model.errors import ConfigError, IzwiError
from izwi.web import desk, errors, templating
from izwi.web.api import (
    bonito,
    derived,
    federated,
    harvest,
    operations,
    reference,
)
from izwi.web.api.operations import Counts, Watched, bound_heap
from izwi.web.middleware import Attending, HeadAsGet, NamedVersion, Patient, SafeHeaders
from izwi.web.pages import (
    analyses,
    baskets,
    builder,
    comparing,
    documents,
    facets,
    help_pages,
    listing,
    newwords,
    profiles,
    saved,
    trends,
    views,
)
from izwi.web.session import visitor_pages
from izwi.web.session.identity import Identify
from izwi.web.session.reader import KnowReader
from izwi.web.session.rights import KnownHosts, hosts_from_environment
from izwi.web.site import Site, open_corpora
from izwi.web.templating import Pages


class LaterRoutes(BaseRoute):
    """Stands where routes will be, and makes them when an address fits none before it."""

    def __init__(self, routes: list[BaseRoute], routers: Callable[[], Iterable[APIRouter]]) -> None:
        self._routes, self._routers = routes, routers
        self._lock, self._are_made = threading.Lock(), False

    def make(self) -> None:
        """Make the routes, if nobody has."""
        with self._lock:
            if self._are_made:
                return
            # As they are: what includes a router reads the parameters of all its routes anew.
            made = [route for router in self._routers() for route in router.routes]
            place = self._routes.index(self) + 1
            # Behind this one: whoever is looking through the list comes to them next.
            self._routes[place:place] = made
            self._are_made = True

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match nothing; the routes that may do stand behind this one from now on."""
        self.make()
        return Match.NONE, {}

    def url_path_for(self, name: str, /, **path_params: Any) -> URLPath:
        """Have no address."""
        raise NoMatchFound(name, path_params)


class Application(FastAPI):
    """An application some of whose routes are made later; who lists them sees all."""

    later: LaterRoutes | None = None

    def make_routes(self) -> None:
        """Make the routes that are not there yet."""
        if self.later is not None:
            self.later.make()

    @property
    def routes(self) -> list[BaseRoute]:
        """All routes, those made later too."""
        self.make_routes()
        return [route for route in super().routes if route is not self.later]


logger = logging.getLogger(__name__)
WHO = "schedule"
_LOOK_SECONDS = 20.0


def keep_time(site: Site) -> None:
    """Look at the clock for as long as the server runs."""
    before = datetime.now().astimezone()
    rest = threading.Event()
    while not rest.wait(_LOOK_SECONDS):
        now = datetime.now().astimezone()
        start_due(site, before, now)
        before = now


def start_due(site: Site, before: datetime, now: datetime) -> list[str]:
    """Start the runs whose time has come since `before`; return the corpora's names."""
    return [each.name for each in list(site.corpora.values()) if _started(site, each, before, now)]


def _started(site: Site, corpus: Corpus, before: datetime, now: datetime) -> bool:
    """Start a corpus's run if it is due; a fault in one corpus must not stop the others' clock."""
    try:
        return _is_due(corpus, before, now) and _start(site, corpus)
    except Exception:
        logger.exception("the schedule of %s failed", corpus.name)
        return False


def _is_due(corpus: Corpus, before: datetime, now: datetime) -> bool:
    try:
        # Somebody may have chosen another time by hand or on the command line.
        corpus._reload()
    except IzwiError:
        logger.warning("the schedule of %s cannot be read", corpus.name, exc_info=True)
        return False
    return is_due(corpus.config.schedule, before, now)


def _start(site: Site, corpus: Corpus) -> bool:
    limit = corpus.config.schedule.limit
    try:
        site.work.start("run", corpus, *(["--limit", str(limit)] if limit else []), who=WHO)
    except IzwiError as error:  # somebody else writes just now; the next day is tried
        logger.warning("no run of %s by the clock: %s", corpus.name, error)
        return False
    return True


def keep_time_in_background(site: Site) -> None:
    """Begin to look at the clock, beside everything else."""
    threading.Thread(target=keep_time, args=(site,), name="izwi-clock", daemon=True).start()


_LEAST_BYTES_TO_COMPRESS = 600
# A page of 100 kB becomes 13.1 kB in 0.7 ms; at 9, which is the default, 12.5 kB in 1.7 ms.
_COMPRESSION = 4
# Every part has a router; the first that fits an address answers.
_PARTS = (
    templating,
    visitor_pages,
    documents,
    listing,
    facets,
    saved,
    baskets,
    builder,
    help_pages,
    analyses,
    trends,
    comparing,
    profiles,
    newwords,
    views,
    reference,
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
    app.add_middleware(NamedVersion)
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
