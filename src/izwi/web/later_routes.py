"""Routes that are made once somebody needs them, so that a server answers readers sooner."""

import threading
from collections.abc import Callable, Iterable
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.datastructures import URLPath
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import Scope


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
