"""Taking pages out of serving."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from izwi.cases.case import Case, Doing, Done, Policy, Says
from izwi.cases.runs import TOPIC
from izwi.model.errors import QueryError

if TYPE_CHECKING:
    from izwi.service.folder import CorpusFolder
    from izwi.service.takedown import TakedownReport


@dataclass(frozen=True, kw_only=True)
class Target:
    """What is to be taken down, and at whose wish."""

    target: Annotated[
        str,
        Says("A URL, or a host with all below it.", example="https://example.org/page",
             is_place=True),
    ]  # fmt: skip
    reason: Annotated[
        str, Says("Who asked, and why; kept in the record.", example="asked by the owner")
    ]


def take_down(folder: "CorpusFolder", asked: Target, doing: Doing) -> "TakedownReport":
    """Take a URL or a host out of serving at once; it is never fetched again."""
    from izwi.service import building, takedown
    from izwi.store.takedowns import read_takedowns, write_takedowns

    if not asked.reason.strip():
        raise QueryError("Say who asked and why; it is kept in the record.")
    layout, before = folder._layout, read_takedowns(folder._layout)
    try:
        report = takedown.add(layout, doing.run, asked.target, asked.reason)
        building.build(layout, folder.config, doing.run, workers=1)
    except BaseException:
        # Not done, so not half done either: the next build would take it out unrecorded.
        write_takedowns(layout, before)
        raise
    takedown.forget_older(layout)
    # While nobody else writes: the layers it reads stay where they are.
    return takedown.with_traces(layout, folder.config, report)


def _done(asked: Target, made: "TakedownReport | None") -> Done:
    target = asked.target if made is None else made.target
    return Done("takedown", target, None, {"reason": asked.reason})


CASES = (
    Case(
        "takedown", "takedown", "POST /api/v1/c/{corpus}/takedown", Target, take_down,
        'izwi takedown news https://example.org/page --reason "asked by the owner"', TOPIC,
        Policy("curator", "lock", _done), ("by", "listener"), by_hand=("command", "route"),
    ),
)  # fmt: skip
