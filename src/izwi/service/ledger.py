"""What became of every URL, from catalog and verdicts."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from izwi.config.schema import CorpusConfig
from izwi.model.curation import Change
from izwi.model.errors import CorruptShard
from izwi.model.records import dataclass
from izwi.model.results import FunnelStep, Ledger, LedgerLine, ReasonCount
from izwi.pipeline.runners import fatal_documents
from izwi.pipeline.stages import plan
from izwi.store.catalog import Catalog
from izwi.store.layers import read_columns, values_of
from izwi.store.layout import Layout, read_recipe
from izwi.store.takedowns import Takedowns, read_takedowns
from izwi.store.warc import read_entries

# Outcome, stage, reason, source and kind of lines, and how many there are.
Counts = Counter[tuple[str, str, str, str, str]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which ledger lines are asked for; empty fields ask for all."""

    outcome: str = ""
    stage: str = ""
    reason: str = ""
    source: str = ""
    # Pages, feeds and the like, or patterns of addresses that were not queued.
    kind: str = ""
    url: str = ""
    # Only what happened in this run, and when all of them began.
    run: str = ""
    runs: tuple[str, ...] = ()

    def matches(self, line: LedgerLine) -> bool:
        """Whether a line is among those asked for."""
        is_in_run = not self.run or run_of(line.time, self.runs) == self.run
        return self.matches_key(key_of(line)) and self.url in line.url and is_in_run

    def matches_key(self, key: tuple[str, str, str, str, str]) -> bool:
        """Whether lines that are counted together are among those asked for, by what is counted."""
        wishes = (self.outcome, self.stage, self.reason, self.source, self.kind)
        return all(not want or want == have for want, have in zip(wishes, key, strict=True))


def key_of(line: LedgerLine) -> tuple[str, str, str, str, str]:
    """Return as what a line is counted."""
    return line.outcome, line.stage, line.reason, line.source, line.kind


def count_lines(lines: Iterable[LedgerLine]) -> Counts:
    """Return how many lines there are of each kind."""
    return Counter(map(key_of, lines))


def run_of(time: str, starts: Sequence[str]) -> str:
    """Return the run in which something happened: the last that had begun by then.

    >>> run_of("2026-11-16T02:40:00+00:00", ["2026-11-15T01-00-00", "2026-11-16T02-39-59"])
    '2026-11-16T02-39-59'
    """
    if not time:
        return ""
    stamp = datetime.fromisoformat(time).strftime("%Y-%m-%dT%H-%M-%S")
    begun = [start for start in starts if start[:19] <= stamp]
    return begun[-1] if begun else ""


def ledger_lines(layout: Layout, config: CorpusConfig, catalog: Catalog) -> Iterator[LedgerLine]:
    """Yield one line for every capture, and one for every lead without; pages with texts first."""
    gone = read_takedowns(layout)
    text, select = verdict_layers(layout, config)
    judged = layout.built_shards("select", select) & layout.built_shards("text", text)
    for shard in layout.sealed_shards():
        yield from shard_lines(layout, (text, select) if shard in judged else None, shard, gone)
    yield from open_lines(catalog, gone)
    yield from catalog.ledger_lines()


def shard_lines(
    layout: Layout, layers: tuple[str, str] | None, shard: str, gone: Takedowns
) -> Iterator[LedgerLine]:
    """Yield what became of a shard's captures, by the layers that judge them if there are any."""
    lines = _judged(layout, *layers, shard) if layers else None
    for line in _waiting(layout, shard) if lines is None else lines:
        yield _taken_down(line, gone) if gone.covers(line.url) else line


def open_lines(catalog: Catalog, gone: Takedowns) -> Iterator[LedgerLine]:
    """Yield what was captured into files that still grow."""
    for shard in catalog.shards():
        for entry in catalog.captures(shard.name) if not shard.is_sealed else ():
            line = LedgerLine(
                entry.url, "waiting", "build", "not-built", source=entry.source, kind=entry.kind
            )
            yield _taken_down(line, gone) if gone.covers(line.url) else line


def _taken_down(line: LedgerLine, gone: Takedowns) -> LedgerLine:
    """Return what became of a page by a take-down; what was never fetched stays as it is."""
    if line.stage == "fetch":
        return line
    why = next(entry for entry in reversed(gone.entries) if entry.covers(line.url))
    detail = f"{why.reason} ({why.asked[:10]})".strip()
    return replace(
        line, outcome="dropped", stage="takedown", reason="taken-down", value=None,
        threshold=None, detail=detail,
    )  # fmt: skip


def ledger(lines: Iterable[LedgerLine], wanted: Wanted, *, first: int, most: int) -> Ledger:
    """Return the lines asked for, and the counts of all that match."""
    counts: Counter[tuple[str, str, str]] = Counter()
    shown: list[LedgerLine] = []
    total = 0
    for line in lines:
        if not wanted.matches(line):
            continue
        counts[line.outcome, line.stage, line.reason] += 1
        if first <= total < first + most:
            shown.append(line)
        total += 1
    return Ledger(reasons_of(counts), tuple(shown), total)


def counted(counts: Counts) -> Ledger:
    """Return a ledger of counts alone."""
    together: Counter[tuple[str, str, str]] = Counter()
    for key, number in counts.items():
        together[key[:3]] += number
    return Ledger(reasons_of(together), (), together.total())


@dataclass(frozen=True, slots=True)
class ReasonSample:
    """A reason why documents were dropped: how many, some of them by chance, and who agreed."""

    stage: str
    reason: str
    count: int
    lines: tuple[LedgerLine, ...]
    # How many there were when a curator last said that they are rightly dropped; 0 if nobody did.
    agreed: int = 0
    agreed_by: str = ""


def samples(
    lines: Iterable[LedgerLine], *, each: int, seed: int, agreed: Mapping[str, Change]
) -> tuple[ReasonSample, ...]:
    """Return for each reason by which texts were dropped some documents, drawn by chance."""
    chance = random.Random(seed)
    counts: Counter[tuple[str, str]] = Counter()
    drawn: dict[tuple[str, str], list[LedgerLine]] = {}
    for line in lines:
        if line.outcome != "dropped" or not line.document or line.stage in _WITHOUT_TEXT:
            continue
        key = line.stage, line.reason
        counts[key] += 1
        kept = drawn.setdefault(key, [])
        # Each line of a reason has the same chance, however many there are.
        place = len(kept) if len(kept) < each else chance.randrange(counts[key])
        if place < each:
            kept[place : place + 1] = [line]
    return tuple(
        _reason_sample(key, count, drawn[key], agreed.get(" ".join(key)))
        for key, count in counts.most_common()
    )


def _reason_sample(
    key: tuple[str, str], count: int, lines: list[LedgerLine], change: Change | None
) -> ReasonSample:
    agreed = (change.after["count"], change.who) if change else (0, "")
    return ReasonSample(*key, count, tuple(lines), *agreed)


# What these drop has no text that could be put back.
_WITHOUT_TEXT = ("fetch", "extract", "build", "takedown")


def funnel(lines: Counts, tokens: int) -> tuple[FunnelStep, ...]:
    """Return how many pages were left after each step, and why the others went."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for (outcome, stage, reason, _, kind), number in lines.items():
        if kind == "page" and outcome != "redirected":
            counts[outcome, stage, reason] += number
    left = sum(counts.values())
    steps = [FunnelStep("found", left)]
    for name, stages in _STEPS:
        losses = Counter(
            {key: n for key, n in counts.items() if key[1] in stages and key[0] != "kept"}
        )
        left -= sum(losses.values())
        steps.append(FunnelStep(name, left, None, reasons_of(losses)))
    last = steps[-1]
    steps[-1] = FunnelStep("indexed", last.documents, tokens, last.losses)
    return tuple(steps)


_STEPS = (
    ("fetched", ("fetch",)),
    ("text", ("extract", "build", "select")),
    ("language", ("language",)),
    ("unique", ("dedup", "curator", "takedown")),
)


def verdict_layers(layout: Layout, config: CorpusConfig) -> tuple[str, str]:
    """Return the fingerprints of the text and select layers: the current, else the last built."""
    stages = {stage.spec.writes: stage.fingerprint for stage in plan(config)}
    text, select = stages["text"], stages["select"]
    made = layout.fingerprints("select")
    if select in made or not made:
        return text, select
    upstream = read_recipe(layout, "select", made[-1]).get("upstream") or [text]
    return str(upstream[0]), made[-1]


def reasons_of(counts: Counter[tuple[str, str, str]]) -> tuple[ReasonCount, ...]:
    """Return reasons with their counts, the most frequent first."""
    # Of equal ones always in one order, whoever counted them.
    order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(ReasonCount(*key, count) for key, count in order)


def _judged(layout: Layout, text: str, select: str, shard: str) -> Iterator[LedgerLine] | None:
    """Return what became of a shard's captures; None if it is to be made again first."""
    columns = ["id", "url", "source", "captured"]
    try:
        known = read_columns(layout.shard("text", text, shard), columns)
        found = read_columns(layout.shard("select", select, shard), ["verdict"])
    except CorruptShard:
        return None
    times = values_of(known.column("captured").combine_chunks())
    rows = known.drop_columns(["captured"]).to_pylist()
    # What ended a later stage than the one that selects is known beside the text.
    ended = fatal_documents(layout.shard("text", text, shard))
    verdicts = (
        asdict(ended[row["id"]]) if row["id"] in ended else verdict
        for row, verdict in zip(rows, found.column("verdict").to_pylist(), strict=True)
    )
    return map(_line, rows, times, verdicts)


def _line(row: Mapping[str, Any], time: datetime, verdict: Mapping[str, Any]) -> LedgerLine:
    return LedgerLine(
        row["url"],
        **verdict,
        source=row["source"],
        time=time.isoformat(timespec="seconds"),
        document=row["id"],
        kind=as_page_kind(verdict["stage"], verdict["reason"]),
    )


def _waiting(layout: Layout, shard: str) -> Iterator[LedgerLine]:
    for entry in read_entries(layout.captures(shard)):
        yield LedgerLine(
            entry.url,
            "waiting",
            "build",
            "not-built",
            source=entry.source,
            time=entry.time.isoformat(),
            kind=entry.kind,
        )


def as_page_kind(stage: str, reason: str) -> str:
    """Return what a capture is by its verdict: a page, or a list that was read for addresses.

    >>> as_page_kind("extract", "is-a-feed"), as_page_kind("select", "too-short")
    ('feed', 'page')
    """
    is_list = stage == "extract" and reason.startswith("is-a-")
    return reason.removeprefix("is-a-") if is_list else "page"
