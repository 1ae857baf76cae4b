"""For whoever runs the server: is it well, what does it do, and under which number it did it."""

import ctypes
import logging
import re
import secrets
import threading
import time
from collections import Counter
from contextvars import ContextVar
from dataclasses import dataclass, field

from fastapi import APIRouter
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from izwi.model.errors import ConfigError, environment_error
from izwi.model.notation import LogLines
from izwi.web.site import ThisSite

logger = logging.getLogger(__name__)

router = APIRouter(include_in_schema=False)

# A proxy in front may have given the request a number already.
_NUMBER = re.compile(r"[\w-]{1,64}", re.ASCII)
# Numbers of settings in malloc.h.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENAS = -1, -3, -8
# Seconds up to which answers are counted together.
_BOUNDS = (0.01, 0.05, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)

# The request that is being answered; threads that answer it know it too.
_answering: ContextVar[str] = ContextVar("answering", default="")


def bound_heap() -> None:
    """Let memory that questions needed go back to the system once they are answered.

    Without this the C library keeps a heap for each thread and, having seen large arrays come and
    go, larger and larger ones in them: 8 readers made a server of 0.4 GB one of 1.3 GB in a minute.
    """
    try:
        change = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # no C library that has such settings
        return
    for setting, value in ((_MMAP_THRESHOLD, 1 << 20), (_TRIM_THRESHOLD, 8 << 20), (_ARENAS, 2)):
        change(setting, value)


@dataclass(slots=True)
class Counts:
    """How many answers of each status there were, and how long they took."""

    statuses: Counter[int] = field(default_factory=Counter)
    under: Counter[float] = field(default_factory=Counter)
    seconds: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, status: int, seconds: float) -> None:
        """Count one answer."""
        with self.lock:
            self.statuses[status] += 1
            self.seconds += seconds
            self.under.update(bound for bound in _BOUNDS if seconds <= bound)


class Watched:
    """Gives each request a number that its answer and the log show, and counts the answers."""

    def __init__(self, app: ASGIApp, counts: Counts) -> None:
        self._app, self._counts = app, counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; its answer carries its number and is counted."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("X-Request-ID", "")
        number = given if _NUMBER.fullmatch(given) else secrets.token_hex(8)
        begun, statuses = time.perf_counter(), [500]

        async def send_numbered(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
                MutableHeaders(scope=message)["X-Request-ID"] = number
            await send(message)

        token = _answering.set(number)
        try:
            await self._app(scope, receive, send_numbered)
        except Exception:
            logger.exception("not answered")
            raise
        finally:
            took = time.perf_counter() - begun
            self._counts.add(statuses[-1], took)
            facts = {"method": scope["method"], "path": scope["path"], "status": statuses[-1]}
            logger.info("answered", extra={"facts": facts | {"seconds": round(took, 4)}})
            _answering.reset(token)


class _RequestLines(LogLines):
    """One JSON object a line, each with the number of the request that it belongs to."""

    def format(self, record: logging.LogRecord) -> str:
        facts = dict(getattr(record, "facts", {}))
        if number := _answering.get():
            facts["request"] = number
        record.facts = facts
        return super().format(record)


def log_to(place: str) -> logging.Handler:
    """Write what the server does to a file, or to standard error ("-"), as JSON lines."""
    try:
        handler = (
            logging.StreamHandler() if place == "-" else logging.FileHandler(place, "a", "utf-8")
        )
    except OSError as error:
        raise environment_error(error) or ConfigError(f"--log: {error}.") from error
    handler.setFormatter(_RequestLines())
    for name in ("izwi", "uvicorn.error"):
        logging.getLogger(name).addHandler(handler)
    logging.getLogger("izwi").setLevel(logging.INFO)
    return handler


@router.get("/health")
def health(site: ThisSite) -> Response:
    """Say that the server answers; nothing of what it holds."""
    return JSONResponse({"status": "ok"})


@router.get("/metrics")
def metrics(request: Request, site: ThisSite) -> Response:
    """Say what was answered and what is served, in the text that Prometheus reads."""
    lines = [*_answers(request.app.state.counts)]
    for name in sorted(site.corpora):
        newest = next(iter(site.corpora[name].versions()), None)
        if newest is not None:
            lines += [
                f'izwi_corpus_documents{{corpus="{name}"}} {newest.documents}',
                f'izwi_corpus_tokens{{corpus="{name}"}} {newest.tokens}',
                f'izwi_corpus_version{{corpus="{name}"}} {newest.number}',
            ]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


def _answers(counts: Counts) -> list[str]:
    with counts.lock:
        statuses, under = dict(counts.statuses), dict(counts.under)
        seconds = counts.seconds
    total = sum(statuses.values())
    return [
        "# TYPE izwi_answers_total counter",
        *(f'izwi_answers_total{{status="{key}"}} {n}' for key, n in sorted(statuses.items())),
        "# TYPE izwi_answer_seconds histogram",
        *(f'izwi_answer_seconds_bucket{{le="{bound}"}} {under.get(bound, 0)}' for bound in _BOUNDS),
        f'izwi_answer_seconds_bucket{{le="+Inf"}} {total}',
        f"izwi_answer_seconds_sum {seconds:.6f}",
        f"izwi_answer_seconds_count {total}",
    ]
