"""Taking pages out of serving."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from izwi.cases.case import Doing, Done, Nothing, Policy, Says, case_of, each_as, place
from izwi.cases.runs import TOPIC
from izwi.model.commands import typed
from izwi.model.curation import Foreseen
from izwi.model.errors import QueryError

if TYPE_CHECKING:
    from izwi.curation.takedown import TakedownReport
    from izwi.service.folder import CorpusFolder
    from izwi.store.takedowns import Takedown

_MOST_TRACES = 10


@dataclass(frozen=True, kw_only=True)
class Target:
    """What is to be taken down, and at whose wish."""

    target: Annotated[
        str,
        place("A URL, or a host with all below it.", example="https://example.org/page"),
    ]  # fmt: skip
    reason: Annotated[
        str, Says("Who asked, and why; kept in the record.", example="asked by the owner")
    ]


@dataclass(frozen=True, kw_only=True)
class Place:
    """What would be taken down."""

    target: Annotated[str, place("A URL, or a host with all below it.")]


def foresee(folder: "CorpusFolder", asked: Place, doing: Doing) -> Foreseen:
    """Say what taking down a URL or a host would take away, and which copies would stay."""
    from izwi.curation import takedown

    return takedown.foresee(folder._snapshot(None)[1], asked.target)


def take_down(folder: "CorpusFolder", asked: Target, doing: Doing) -> "TakedownReport":
    """Take a URL or a host out of serving at once; it is never fetched again."""
    from izwi.curation import takedown
    from izwi.service import building
    from izwi.store.takedowns import read_takedowns, write_takedowns

    if not asked.reason.strip():
        raise QueryError("Say who asked and why; it is kept in the record.")
    layout, before = folder._layout, read_takedowns(folder._layout)
    try:
        report = takedown.add(layout, doing.run, asked.target, asked.reason)
        building.build(layout, folder.config, doing.run, workers=1)
        takedown.check_out(layout, report.target)
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


def takedowns(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> "tuple[Takedown, ...]":
    """List what was taken down, when and why."""
    from izwi.store.takedowns import read_takedowns

    return read_takedowns(folder._layout).entries


def _foreseen(asked: Place, found: Foreseen, folder: Path) -> Iterator[str]:
    yield f"{found.target}: {found.documents:,} documents, {found.tokens:,} tokens would go."
    yield from (f"  {each.url}  {each.title}" for each in found.first)
    yield from (f"stays: {each.url}  {each.title}" for each in found.staying)


def _told(asked: Target, report: "TakedownReport", folder: Path) -> Iterator[str]:
    """Yield what there is to say: what was done, and what else may have to be."""
    if not report.captures:
        yield f"No page of this corpus is at {report.target}; it will not be fetched."
        if report.alike:
            yield f"Did you mean: {', '.join(report.alike)}"
        return
    pages = "1 page is" if report.captures == 1 else f"{report.captures:,} pages are"
    yield (
        f"{report.target}: {pages} out of serving and will not be fetched again. To rewrite the "
        f"files too: izwi compact {typed(folder)}"
    )
    if report.traces:
        others = "1 other document" if len(report.traces) == 1 else (
            f"{len(report.traces):,} other documents"
        )  # fmt: skip
        yield f"{others} with its words or a link to it; take down too, if they tell the same:"
    for trace in report.traces[:_MOST_TRACES]:
        yield f"  {trace.url}  {f'“{trace.quotes}”' if trace.quotes else 'links to it'}"
    if len(report.traces) > _MOST_TRACES:
        yield "  and more; --json lists them all"


CASES = (
    case_of(
        TOPIC, "takedown", "takedown", "takedown", Target, take_down,
        'https://example.org/page --reason "asked by the owner"', Policy("curator", "lock", _done),
        context=("by", "listener"), tells=_told,
    ),
    case_of(TOPIC, "foresee_takedown", "takedown", "takedown/foreseen", Place, foresee,
            "https://example.org/page --foresee", switch="foresee", tells=_foreseen),
    case_of(TOPIC, "takedowns", "takedowns", "takedowns", Nothing, takedowns,
            tells=each_as("{0.asked}  {0.target}  {0.reason}")),
)  # fmt: skip
