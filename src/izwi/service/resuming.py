"""Whether an export goes on where an earlier run was stopped, and what is said of it."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict

from izwi import plugins
from izwi.export.base import Edition
from izwi.export.choice import Choice
from izwi.export.journal import Journal, differences
from izwi.export.release import Unfinished
from izwi.export.resuming import PART
from izwi.model.results import Listener, Notice
from izwi.store.takedowns import Takedowns


def asked_for(
    name: str, edition: Edition, choice: Choice, gone: Takedowns, *, is_masked: bool
) -> dict[str, str]:
    """Return all that the files of an export depend on, in a form that can be compared."""
    described = {key: _word(value) for key, value in asdict(edition).items() if key != "made"}
    chosen = asdict(choice) | {"ids": sorted(choice.ids)}
    return described | {
        "format": f"{name} {_plugin_version(name)}".strip(),
        "choice": _digest(_word(chosen)),
        "masking": _word(is_masked),
        "takedowns": _digest(_word([each.target for each in gone.entries])),
        "part": _word(PART),
    }


def begin_or_continue(
    work: Unfinished, fresh: Journal, listener: Listener, *, total: int | None, is_new: bool
) -> Journal:
    """Return the journal of an earlier run of the same export, or the fresh one, and say which."""
    found = work.journal()
    if found is None:
        return fresh
    written = f"{found.counts.documents:,} documents"
    if is_new:
        listener(Notice(f"Starts anew, as asked for; {written} of an unfinished run are dropped."))
        return fresh
    if other := differences(found, fresh.asked):
        listener(
            Notice(
                f"Starts anew: the unfinished export of {written} was made with another "
                f"{', '.join(other)}."
            )
        )
        return fresh
    of_all = "" if total is None else f" of {total:,}"
    listener(Notice(f"Continues at document {found.counts.documents + 1:,}{of_all}."))
    return found


@contextmanager
def saying_where_it_stopped(work: Unfinished, listener: Listener) -> Iterator[None]:
    """Tell a user who stops an export, or whose disk is full, that it is not lost."""
    try:
        yield
    except BaseException:
        if (journal := work.journal()) is not None:
            done = journal.counts.documents
            listener(Notice(f"{done:,} documents are written; the same command goes on there."))
        raise


def size_of(choice: Choice, documents: int) -> int | None:
    """Return how many of a version's documents will be written, where that is known beforehand."""
    if choice == Choice():
        return documents
    return len(choice.ids) if choice == Choice(ids=choice.ids) else None


def _plugin_version(name: str) -> str:
    """Return the version of a format from elsewhere; ours are of izwi's, which is said already."""
    found = {plugin.name: plugin for plugin in plugins.installed("izwi.exporters")}
    return found[name].version if name in found else ""


def _word(value: object) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(dict(value) if isinstance(value, Mapping) else value, sort_keys=True)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
