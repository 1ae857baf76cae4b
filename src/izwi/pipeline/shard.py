"""The work on one shard: read its layers, apply one stage, write the result in one step.

A task is plain data, so it runs in any process that sees the folder. Three grades of trouble: a
document fails alone (its verdict says so), a shard fails alone (its report says so), a full or
read-only disk stops everything (DiskFull is raised).
"""

import json
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from izwi.annotate.base import Annotate
from izwi.dedup.judge import Judge
from izwi.dedup.ownership import (
    Exclusion,
    NothingExcluded,
)
from izwi.dedup.signatures import Sign
from izwi.index.assemble import Origin, merge_segments
from izwi.index.reader import Segment
from izwi.index.writer import write_segment
from izwi.model.capture import CaptureEntry, Page
from izwi.model.document import Document, Verdict, dropped, failed
from izwi.model.errors import CorruptShard, environment_error
from izwi.model.notation import size_bytes
from izwi.model.records import dataclass
from izwi.model.results import ShardReport
from izwi.pipeline import owner_changes, touched
from izwi.pipeline.former_owners import rows_to_judge
from izwi.pipeline.holding import own_texts
from izwi.pipeline.runners import (
    FATAL,
    Underway,
    forget_errors,
    note_errors,
    settled,
    watched,
    with_error,
)
from izwi.pipeline.touched import Again, disown
from izwi.store.files import write_text
from izwi.store.layers import (
    count_rows,
    read_documents,
    read_verdicts,
    replace_rows,
    rows_that_differ,
    write_layer,
)
from izwi.store.objects import at_hand
from izwi.store.ownership.library import Library, answered, read_groups
from izwi.store.warc import OversizedBody, decoded_body, read_capture, read_entries
from izwi.text.extract.base import Extract
from izwi.text.language import Language
from izwi.text.verdicts import Select, Sift

DAMAGED = "damaged-capture"
# Told how many documents of a shard are done, now and then.
Told = Callable[[int], None]
_TELL_EVERY = 20
# Documents of a shard that a stage may fail at before it is the stage that is at fault.
_MOST_ERRORS = 10
# What a merge may take of memory for turning columns into lists.
_MERGE_BYTES = 1 << 28


@dataclass(frozen=True, slots=True)
class Task:
    """One stage on one shard: plain data that any process can carry out."""

    stage: str
    layer: str
    shard: str
    config: Any
    inputs: Mapping[str, Path]
    output: Path
    # What was taken out of the corpus and owns nothing.
    excluded: Exclusion = field(default_factory=NothingExcluded)
    # Layers of the same shard that the same annotator made of earlier texts, or that the same
    # rules made by other settings, and the names of these.
    earlier: Mapping[str, Path] = field(default_factory=dict)
    changed: Sequence[str] = ()
    # What curators decided about documents of this shard.
    decided: Mapping[str, str] = field(default_factory=dict)
    # What the shard was, where only some of its documents have to be made anew.
    again: Again | None = None
    # Numbers of the documents that are done, if not all are.
    rows: Sequence[int] | None = None

    @property
    def trace(self) -> Path:
        """The file beside which is written what page is being read: the same in every build."""
        text = self.inputs.get("text")
        is_segment = self.stage == "index" and text is not None
        return text.with_name(f"{text.stem}.index") if is_segment and text else self.output


@dataclass(frozen=True, slots=True)
class SegmentConfig:
    """What a segment is made from, and what is kept of each token."""

    origin: Origin
    attributes: tuple[str, ...]
    # Of what is merged: which documents are gone, by the name of the segment.
    gone: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)


@dataclass
class _Tally:
    """Counts what passes, and tells how far it is."""

    told: Told | None = None
    rows: int = 0
    kept: int = 0
    dropped: int = 0
    failed: int = 0
    tokens: int = 0
    damaged_captures: int = 0

    def over(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            self.rows += 1
            outcome = document.verdict.outcome
            setattr(self, outcome, getattr(self, outcome) + 1)
            self.damaged_captures += document.verdict.reason == DAMAGED
            self.tokens += len(document.annotation.words) if document.annotation else 0
            if self.told is not None and self.rows % _TELL_EVERY == 0:
                self.told(self.rows)
            yield document

    def begin_again(self) -> None:
        for name in _COUNTS:
            setattr(self, name, 0)


_COUNTS = ("rows", "kept", "dropped", "failed", "tokens", "damaged_captures")


def run_shard(task: Task, told: Told | None = None) -> ShardReport:
    """Carry out a task; what goes wrong with the shard is in the report."""
    begun, tally = time.perf_counter(), _Tally(told)
    try:
        _WORK.get(task.stage, _apply_stage)(task, tally)
    except CorruptShard as error:
        return _report(task, tally, begun, error=str(error), damaged=error.path)
    except Exception as error:  # the shard grade: reported with its trace, the other shards go on
        stop = environment_error(error)
        if stop is not None:
            raise stop from error
        return _report(task, tally, begun, error=_in_words(error))
    return _report(task, tally, begun)


def _in_words(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"


def read_pages(task: Task) -> Iterator[Page]:
    """Yield a page for every capture of a shard, readable or not."""
    limit = size_bytes(task.config.max_size)
    _check_readable(task.inputs["warc"])
    with Underway(task.output) as underway:
        for number, entry in enumerate(read_entries(task.inputs["captures"])):
            if underway.begin(number):
                yield read_page(task.inputs["warc"], entry, limit)
            else:
                yield Page(entry, verdict=failed("extract", FATAL))
        underway.end()


def _check_readable(warc: Path) -> None:
    """Raise CorruptShard if the file as a whole cannot be opened: no capture is to blame."""
    try:
        at_hand(warc).open("rb").close()
    except OSError as error:
        raise CorruptShard(
            f"{warc} cannot be read: {error.strerror or error}.", str(warc)
        ) from error


def read_page(warc: Path, entry: CaptureEntry, limit: int) -> Page:
    """Return the page of one capture, or why it cannot be read."""
    try:
        capture = read_capture(warc, entry)
        body = decoded_body(capture, limit)
    except CorruptShard as error:
        return Page(entry, verdict=failed("extract", DAMAGED, detail=str(error)))
    except OversizedBody:
        return Page(entry, verdict=dropped("extract", "unpacks-too-large", threshold=limit))
    except ValueError as error:
        return Page(entry, verdict=failed("extract", "broken-encoding", detail=str(error)))
    return Page(entry, body, capture.header("Content-Type"), capture.lead.hints)


def _extract(task: Task, tally: _Tally) -> None:
    documents = Extract(task.config)(read_pages(task))
    write_layer(task.output, task.layer, tally.over(documents))


def _own(task: Task, tally: _Tally) -> None:
    if _is_disowned(task):
        return
    documents = list(tally.over(_watched(task, read_documents(task.inputs))))
    own_texts(documents, task.config, task.excluded, task.output)


def _is_disowned(task: Task) -> bool:
    """Whether documents were taken out of what a shard held before, and no more was to be done."""
    if task.again is None or not task.again.replaced.exists() or task.config.method is not None:
        return False
    inputs, reading = task.inputs, task.config.reading
    old, excluded = task.again.replaced, task.excluded
    return disown(old, task.output, excluded, reading, text=inputs["text"], sign=inputs["sign"])


def _index(task: Task, tally: _Tally) -> None:
    documents = tally.over(_watched(task, read_documents(task.inputs, task.rows)))
    origin: Origin = task.config.origin
    write_segment(
        task.output.parent,
        (each for each in documents if not task.excluded.covers(each.url)),
        shards=origin.shards,
        fingerprint=origin.fingerprint,
        attributes=task.config.attributes,
        id=origin.id,
    )


def _merge(task: Task, tally: _Tally) -> None:
    gone = task.config.gone
    segments = [Segment(path, gone.get(name, ())) for name, path in task.inputs.items()]
    entry = merge_segments(
        task.output.parent, segments, task.config.origin, memory_bytes=_MERGE_BYTES
    )
    tally.rows, tally.tokens = entry.documents, entry.tokens


def _about_a_part(task: Task, tally: _Tally) -> None:
    work = {"join": owner_changes.join, "ask": owner_changes.ask, "compare": owner_changes.compare}
    work[task.stage](task.config, task.inputs["own"], task.output)


def _library(task: Task) -> Library:
    layer, answers = task.inputs["own"].parent, task.inputs.get("answers")
    if answers is None:
        return Library(layer, read_groups(layer), task.shard)
    return answered(layer, task.shard, answers)


def _annotated_before(task: Task) -> Iterator[Document]:
    """Yield the documents of this shard as they were annotated before, one at a time."""
    if task.earlier:
        with suppress(CorruptShard):
            yield from read_documents(task.earlier, task.rows)


def _verdicts_before(task: Task) -> list[Verdict]:
    """Return what the documents of this shard were given by other settings, if that is known."""
    if not task.earlier:
        return []
    try:
        found = list(read_verdicts(task.earlier["sift"]))
    except CorruptShard:
        return []
    return found if len(found) == count_rows(task.inputs["text"]) else []


_STAGES: Mapping[str, Callable[[Task], Callable[[Iterator[Document]], Iterator[Document]]]] = {
    "language": lambda task: Language(task.config),
    "sift": lambda task: Sift(task.config, task.decided, _verdicts_before(task), task.changed),
    "sign": lambda task: Sign(task.config),
    "judge": lambda task: Judge(task.config, _library(task)),
    "select": lambda task: Select(task.config),
    "annotate": lambda task: Annotate(task.config, _annotated_before(task)),
}


# What is asked for owners, and has no rows.
_OWNERS = frozenset({"own", "answers"})


def _apply_stage(task: Task, tally: _Tally) -> None:
    inputs = {layer: path for layer, path in task.inputs.items() if layer not in _OWNERS}
    rows_again = _rows_again(task)
    if rows_again is not None and task.again is not None:
        _apply_again(task, task.again, inputs, rows_again, tally)
        return
    stage = _STAGES[task.stage](task)
    rows = _Tally()
    documents = stage(rows.over(_watched(task, read_documents(inputs))))
    try:
        write_layer(task.output, task.layer, tally.over(_as_many(documents, rows, task)))
    except CorruptShard:
        raise
    except Exception as error:
        if task.stage in _MANY_AT_ONCE or environment_error(error) is not None:
            raise
        tally.begin_again()
        rows.begin_again()
        alone = _one_by_one(task, rows.over(_watched(task, read_documents(inputs))))
        write_layer(task.output, task.layer, tally.over(_as_many(alone, rows, task)))
    forget_errors(task.inputs["text"], task.stage)


def _one_by_one(task: Task, documents: Iterator[Document]) -> Iterator[Document]:
    """Yield what a stage makes of each document alone; one at which it fails takes no other along.

    Where it fails again and again, the stage is at fault and not the pages: then the shard waits.
    """
    stage = _STAGES[task.stage](replace(task, earlier={}))
    words_of: dict[str, str] = {}
    for document in documents:
        try:
            yield from list(stage(iter([document])))
        except Exception as error:
            if len(words_of) == _MOST_ERRORS or environment_error(error) is not None:
                raise
            words_of[document.id] = _in_words(error)
            yield with_error(document, task.stage, words_of[document.id])
    # Before the layer has its name, so that none is made whose failures nobody knows.
    note_errors(task.inputs["text"], task.stage, words_of)


def _rows_again(task: Task) -> list[int] | None:
    """Return the documents that have to be made anew; None if all have to."""
    again = task.again
    if again is None or not again.replaced.exists():
        return None
    if task.stage == "annotate" and again.chosen.exists():
        return touched.read_rows(again.chosen)
    if task.stage != "judge":
        return touched.read_rows(again.rows)
    for noted in (again.rows, again.chosen):
        noted.unlink(missing_ok=True)
    if task.config.method is not None or not again.hashes.exists():
        return None
    named = touched.rows_named(task.inputs["text"], touched.read_names(again.names))
    judged = rows_to_judge(task.inputs, again.hashes, _library(task), task.config.settings)
    return sorted({*named, *judged})


def _apply_again(
    task: Task, again: Again, inputs: Mapping[str, Path], rows: Sequence[int], tally: _Tally
) -> None:
    """Make some documents of a shard anew; what is known of the others is copied."""
    stage = _STAGES[task.stage](replace(task, earlier=task.earlier if rows else {}, rows=rows))
    documents = stage(settled(read_documents(inputs, rows), task.inputs["text"]))
    changed = replace_rows(task.output, task.layer, again.replaced, rows, tally.over(documents))
    if task.stage == "annotate":
        return
    others = set(touched.rows_named(task.inputs["text"], touched.read_names(again.names)))
    if task.stage == "select":
        write_text(again.chosen, json.dumps(sorted({*others, *changed})))
        return
    if changed:
        others |= {*(rows_that_differ(task.output, again.replaced, _SELECTED_BY, changed) or ())}
    write_text(again.rows, json.dumps(sorted(others | {*(touched.read_rows(again.sifted) or ())})))


# What is told of copies by which documents are selected: whose words they are makes no difference.
_SELECTED_BY = ["copy_of", "method", "similarity", "blocks.list.element.paragraph"]


def _watched(task: Task, documents: Iterator[Document]) -> Iterator[Document]:
    text = task.inputs["text"]
    if task.stage in _MANY_AT_ONCE or task.rows is not None:
        return settled(documents, text)
    return watched(documents, text, task.stage, task.trace)


# Where these end, any page of many may be the cause, and none is blamed. Nor is one of those that
# are done alone: what is noted counts all documents of a shard, and the next build does them all.
_MANY_AT_ONCE = frozenset({"own", "judge"})


def _as_many(documents: Iterator[Document], given: _Tally, task: Task) -> Iterator[Document]:
    """Pass the documents on, checking at the end that a stage gave as many as it got."""
    count = 0
    for document in documents:
        count += 1
        yield document
    if count != given.rows:
        raise RuntimeError(f"stage {task.stage} made {count} documents of {given.rows}")


_WORK: Mapping[str, Callable[[Task, _Tally], None]] = {
    "extract": _extract,
    "own": _own,
    "index": _index,
    "merge": _merge,
    "join": _about_a_part,
    "compare": _about_a_part,
    "ask": _about_a_part,
}


def _report(
    task: Task, tally: _Tally, begun: float, *, error: str = "", damaged: str = ""
) -> ShardReport:
    counts = {name: getattr(tally, name) for name in _COUNTS}
    return ShardReport(
        stage=task.stage,
        shard=task.shard,
        **counts,
        seconds=round(time.perf_counter() - begun, 4),
        error=error,
        damaged=damaged,
    )
