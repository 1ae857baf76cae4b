"""The work on one shard: read its layers, apply one stage, write the result in one step.

A task is plain data, so it runs in any process that sees the folder. Three grades of trouble: a
document fails alone (its verdict says so), a shard fails alone (its report says so), a full or
read-only disk stops everything (DiskFull is raised).
"""

import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from izwi.annotate.base import Annotate, text_digest
from izwi.dedup.judge import Judge
from izwi.dedup.ownership import Exclusion, NothingExcluded
from izwi.dedup.signatures import Sign
from izwi.index.assemble import Origin
from izwi.index.merge import merge_segments
from izwi.index.reader import Segment
from izwi.index.writer import write_segment
from izwi.model.capture import CaptureEntry, Page
from izwi.model.document import Annotation, Document, dropped, failed
from izwi.model.errors import CorruptShard, environment_error
from izwi.model.records import dataclass
from izwi.model.results import ShardReport
from izwi.model.units import size_bytes
from izwi.pipeline.owning import own_texts
from izwi.pipeline.underway import FATAL, Underway, settled, watched
from izwi.store.layers import read_documents, write_layer
from izwi.store.library import Library, read_groups
from izwi.store.warc import OversizedBody, decoded_body, read_capture, read_entries
from izwi.text.extract.base import Extract
from izwi.text.language import Language
from izwi.text.select import Select
from izwi.text.sift import Sift

DAMAGED = "damaged-capture"
# Told how many documents of a shard are done, now and then.
Told = Callable[[int], None]
_TELL_EVERY = 20
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
    # Layers of the same shard that the same annotator made of earlier texts.
    earlier: Mapping[str, Path] = field(default_factory=dict)
    # What curators decided about documents of this shard.
    decided: Mapping[str, str] = field(default_factory=dict)

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
        place = traceback.extract_tb(error.__traceback__)[-1]
        words = (
            f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"
        )
        return _report(task, tally, begun, error=words)
    return _report(task, tally, begun)


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
        warc.open("rb").close()
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
    documents = list(tally.over(_watched(task, read_documents(task.inputs))))
    own_texts(documents, task.config, task.excluded, task.output)


def _index(task: Task, tally: _Tally) -> None:
    documents = tally.over(_watched(task, read_documents(task.inputs)))
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


def _judge(task: Task) -> Judge:
    layer = task.inputs["own"].parent
    return Judge(task.config, Library(layer, read_groups(layer), task.shard))


def _annotated_before(task: Task) -> dict[str, Annotation]:
    """Return the annotations of the texts this shard had before, by digest."""
    if not task.earlier:
        return {}
    try:
        documents = read_documents(task.earlier)
        return {
            text_digest(d): d.annotation for d in documents if d.annotation and d.annotation.words
        }
    except CorruptShard:
        return {}


_STAGES: Mapping[str, Callable[[Task], Callable[[Iterator[Document]], Iterator[Document]]]] = {
    "language": lambda task: Language(task.config),
    "sift": lambda task: Sift(task.config, task.decided),
    "sign": lambda task: Sign(task.config),
    "judge": _judge,
    "select": lambda task: Select(task.config),
    "annotate": lambda task: Annotate(task.config, _annotated_before(task)),
}


def _apply_stage(task: Task, tally: _Tally) -> None:
    stage = _STAGES[task.stage](task)
    inputs = {layer: path for layer, path in task.inputs.items() if layer != "own"}
    rows = _Tally()
    documents = stage(rows.over(_watched(task, read_documents(inputs))))
    write_layer(task.output, task.layer, tally.over(_as_many(documents, rows, task)))


def _watched(task: Task, documents: Iterator[Document]) -> Iterator[Document]:
    text = task.inputs["text"]
    if task.stage in _MANY_AT_ONCE:
        return settled(documents, text)
    return watched(documents, text, task.stage, task.trace)


# Where these end, any page of many may be the cause, and none is blamed.
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
