"""Runs by the clock, started by a server that was asked to: `izwi serve --schedule`."""

import logging
import threading
from datetime import datetime

from izwi.cases.corpus import Corpus
from izwi.cases.long_runs import is_due
from izwi.model.errors import IzwiError
from izwi.web.site import Site

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
