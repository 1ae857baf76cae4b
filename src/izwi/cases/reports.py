"""What a corpus holds, what it left out and why, how it fares, and how it differs from another."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated

from izwi.cases.case import READER, Column, Doing, Nothing, Says, case_of, place
from izwi.cases.questions import LARGEST_VERSION, Versioned
from izwi.model.commands import typed
from izwi.model.errors import IzwiError
from izwi.model.reasons import stage_in_ledger
from izwi.model.reports import CorpusCard, CorpusComparison, Growth
from izwi.model.results import (
    Copying,
    CorpusStatus,
    CorpusSummary,
    Finding,
    LanguageShare,
    Ledger,
    PublishedVersion,
)
from izwi.service.folder import CorpusFolder


@dataclass(frozen=True, kw_only=True)
class Fates:
    """Which lines of the ledger."""

    outcome: Annotated[
        str, Says("kept, waiting, dropped, failed or redirected.", example="dropped")
    ] = ""
    stage: Annotated[str, Says("The stage that decided, e.g. dedup.")] = ""
    reason: Annotated[str, Says("The reason given.")] = ""
    source: Annotated[str, Says("One source.")] = ""
    kind: Annotated[
        str,
        Says("Only pages, or feeds, or patterns of links that were not queued.", example="page"),
    ] = ""
    url: Annotated[str, Says("Part of the URL.")] = ""
    run: Annotated[str, Says("Only what was fetched in this run.")] = ""
    first: Annotated[int, Says("Leave out so many lines.", least=0)] = 0
    most: Annotated[int, Says("List at most so many lines.", least=0, web_most=10_000)] = 100


@dataclass(frozen=True, kw_only=True)
class OtherCorpus(Versioned):
    """Another corpus, or another version of the same."""

    other: Annotated[
        str | Path | CorpusFolder,
        place("Another corpus; the same if absent.", address="with", metavar="OTHER",
             names="corpus"),
    ] = ""  # fmt: skip
    other_version: Annotated[
        int | None, Says("The version of the other corpus.", address="w", web_most=LARGEST_VERSION)
    ] = None


def status(folder: CorpusFolder, asked: Nothing, doing: Doing) -> CorpusStatus:
    """Say per stage what is current, stale (and which key changed), missing or failed."""
    from izwi.pipeline.staleness import statuses
    from izwi.store import lock, snapshots
    from izwi.store.catalog import Catalog

    layout = folder._layout
    with Catalog.read(layout.catalog) as catalog:
        captures, waiting = catalog.counts()
        return CorpusStatus(
            name=folder.name,
            shards=len(layout.sealed_shards()),
            captures=captures,
            waiting=waiting,
            snapshot=snapshots.current_number(layout),
            stages=tuple(statuses(layout, folder.config, catalog)),
            holder=lock.holder(layout.lock),
        )


def _public_status(found: CorpusStatus, without_folders: Callable[[str], str]) -> CorpusStatus:
    stages = tuple(
        replace(stage, errors=tuple(map(without_folders, stage.errors))) for stage in found.stages
    )
    # Who works on the server is not for everyone; that somebody does, is.
    return replace(found, stages=stages, holder="a curator" if found.holder else "")


def drops(folder: CorpusFolder, asked: Fates, doing: Doing) -> Ledger:
    """List and count what became of every URL: kept, waiting, dropped or failed, and why."""
    from izwi.service import ledger, ledger_counts, run_counts, runs
    from izwi.store.catalog import Catalog

    names = tuple(runs.run_names(folder._layout)) if asked.run else ()
    wanted = ledger.Wanted(
        asked.outcome, stage_in_ledger(asked.stage), asked.reason, asked.source, asked.kind,
        asked.url, asked.run, names,
    )  # fmt: skip
    with Catalog.read(folder._layout.catalog) as catalog:
        if asked.run and not asked.url and not asked.most:  # the counts of a run, and no line
            by_run = run_counts.counts_by_run(folder._layout, folder.config, catalog, sorted(names))
            return ledger.counted(run_counts.of_wanted(by_run, wanted))
        found = ledger_counts.parted_ledger(folder._layout, folder.config, catalog)
        page = ledger_counts.page_of_ledger(found, wanted, first=asked.first, most=asked.most)
    return _with_originals(folder, page)


def _with_originals(folder: CorpusFolder, found: Ledger) -> Ledger:
    """Return lines of copies with the addresses of their originals, as far as they are indexed."""
    from izwi.query.engine import addresses_of

    ids = {line.detail for line in found.lines if line.stage == "dedup" and line.detail}
    if not ids:
        return found
    urls: Mapping[str, str] = {}
    with suppress(IzwiError):  # without an index the ledger is told all the same
        urls = addresses_of(folder._snapshot(None)[1], ids)
    return replace(found, lines=tuple(
        replace(line, original=urls[line.detail])
        if line.stage == "dedup" and line.detail in urls else line
        for line in found.lines
    ))  # fmt: skip


def _public_drops(found: Ledger, without_folders: Callable[[str], str]) -> Ledger:
    lines = (replace(line, detail=without_folders(line.detail)) for line in found.lines)
    return replace(found, lines=tuple(lines))


def summary(folder: CorpusFolder, asked: Versioned, doing: Doing) -> CorpusSummary:
    """Say what the corpus holds: size, sources, years, and what was dropped on the way."""
    from izwi.reports import summary
    from izwi.store.catalog import Catalog

    number, segments = folder._snapshot(asked.version)
    with Catalog.read(folder._layout.catalog) as catalog:
        return summary.summarise(folder._layout, folder.config, catalog, number, segments)


def versions(folder: CorpusFolder, asked: Nothing, doing: Doing) -> tuple[PublishedVersion, ...]:
    """List the published versions that can be asked and cited, the newest first."""
    from izwi.store import snapshots

    now = snapshots.current_number(folder._layout)
    found = (snapshots.read(folder._layout, each) for each in snapshots.numbers(folder._layout))
    made = [
        PublishedVersion(
            each.number, each.published, each.documents, each.tokens, each.number == now
        )
        for each in found
    ]
    return tuple(reversed(made))


def card(folder: CorpusFolder, asked: Versioned, doing: Doing) -> CorpusCard:
    """Say what the corpus is made of, what was lost, who owns it, and how good it is."""
    from izwi.reports import card
    from izwi.store.catalog import Catalog

    held = summary(folder, asked, doing)
    _, segments = folder._snapshot(asked.version)
    made = card.card(held, segments, folder._settings(held.snapshot))
    with Catalog.read(folder._layout.catalog) as catalog:
        return card.completed(made, folder._layout, folder.config, catalog, segments)


def comparison(folder: CorpusFolder, asked: OtherCorpus, doing: Doing) -> CorpusComparison:
    """Put this corpus and another, or two versions of it, side by side."""
    from izwi.service import comparing

    other = asked.other
    if not other:
        second = folder
    else:
        second = other if isinstance(other, CorpusFolder) else CorpusFolder(Path(other))
    return comparing.contrast(
        card(folder, asked, doing),
        card(second, Versioned(version=asked.other_version), doing),
        folder._snapshot(asked.version)[1],
        second._snapshot(asked.other_version)[1],
    )


def duplicates(folder: CorpusFolder, asked: Nothing, doing: Doing) -> tuple[Copying, ...]:
    """Say which host copies which, month by month."""
    from izwi.reports import copies

    return copies.copying(folder._layout, folder.config)


def languages(folder: CorpusFolder, asked: Nothing, doing: Doing) -> tuple[LanguageShare, ...]:
    """Say which languages the documents are in, how surely, and how many are kept."""
    from izwi.reports import summary

    return summary.language_shares(folder._layout, folder.config)


def doctor(folder: CorpusFolder, asked: Nothing, doing: Doing) -> tuple[Finding, ...]:
    """Look at the machine and at this corpus, and say what would mend what is amiss."""
    from izwi.cases import doctor

    return doctor.examine(folder.path)


def _no_version(asked: Nothing, found: object, folder: Path) -> Iterator[str]:
    yield f"No version yet. Make one: izwi build {typed(folder)}"


def growth(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> Growth:
    """Say how large the corpus is and how much it grew in the last day, by its runs."""
    from datetime import UTC, datetime

    from izwi.curation.labelling import count_labelled
    from izwi.reports import health

    grown = health.growth(folder.path, datetime.now(UTC))
    return replace(grown, labelled=count_labelled(folder.path))


def _comparison_told(asked: OtherCorpus, found: CorpusComparison, folder: Path) -> Iterator[str]:
    sides = ((found.first, found.first_words), (found.second, found.second_words))
    for card, _ in sides:
        yield (
            f"{card.name}, version {card.snapshot}: {card.documents:,} documents, {card.tokens:,} "
            f"tokens, {card.hosts_in_all:,} hosts, {card.first or '?'} to {card.last or '?'}"
        )
    yield f"{found.shared_addresses:,} addresses in both, {found.shared_documents:,} captures."
    for card, words in sides:
        told = ", ".join(f"{each.word} ({each.factor:.2f})" for each in words[:10]) or "none"
        yield f"more frequent in {card.name}, version {card.snapshot}: {told}"


def _growth_told(asked: Nothing, grown: Growth, folder: Path) -> Iterator[str]:
    yield f"{grown.documents:,} documents, {grown.tokens:,} tokens"
    since = f" since {grown.since}" if grown.since else ""
    yield (
        f"{grown.new_documents:+,} documents, {grown.new_tokens:+,} tokens, {grown.fetched:,} "
        f"pages fetched{since}"
    )


_case = partial(case_of, "Reports")
_COPYING = (
    Column("original_host", "original"), Column("host", "copied by"), Column("month", "month"),
    Column("documents", "documents", "number"), Column("words", "words", "number"),
)  # fmt: skip
_VERSION = (
    Column("number", "version", "number"), Column("published", "published"),
    Column("documents", "documents", "number"), Column("tokens", "tokens", "number"),
    Column("is_current", "current"),
)  # fmt: skip
_LANGUAGE = (
    Column("language", "language"), Column("reason", "not told because"),
    Column("documents", "documents", "number"), Column("kept", "kept", "number"),
    Column("certainty", "certainty", "score"),
    Column("not_connected", "not connected", "number"), Column("variety", "variety", "score"),
)  # fmt: skip

CASES = (
    _case("status", "status", "status", Nothing, status, policy=READER, public=_public_status),
    _case("drops", "drops", "drops", Fates, drops, "--reason other-language --lines",
          READER, public=_public_drops, flags={"lines": "List the URLs, not only the counts."}),
    _case("summary", "info", "summary", Versioned, summary, policy=READER, is_drawn=True,
          public=lambda found, _: replace(found, path=found.name)),
    _case("versions", "versions", "versions", Nothing, versions, policy=READER, columns=_VERSION,
          lines="", none=_no_version),
    _case("card", "report card", "card", Versioned, card, "--html card.html", READER,
          is_drawn=True, html="izwi.presentation.report_pages:card_page"),
    _case("comparison", "report compare", "comparison", OtherCorpus, comparison, "reference",
          READER, html="izwi.presentation.report_pages:comparison_page", tells=_comparison_told),
    _case("duplicates", "report duplicates", "duplicates", Nothing, duplicates, policy=READER,
          columns=_COPYING, lines="", none=lambda *_: ("No copies are known.",)),
    _case("languages", "report languages", "languages", Nothing, languages, policy=READER,
          columns=_LANGUAGE, lines=""),
    _case("growth", "report growth", "growth", Nothing, growth, tells=_growth_told),
    _case("doctor", "doctor", "doctor", Nothing, doctor, by_hand=("command",)),
)  # fmt: skip
