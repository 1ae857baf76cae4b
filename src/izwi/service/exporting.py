"""Exports of a corpus, its documents or hits as quotations, in one format by its name."""

import hashlib
import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from izwi import plugins
from izwi.config.schema import CorpusConfig
from izwi.export.base import ATTRIBUTES, Choice, Edition, Format
from izwi.export.characters import Counts, Outgoing
from izwi.export.conllu import Conllu
from izwi.export.parquet import Parquet
from izwi.export.release import (
    PART,
    ExportReading,
    Journal,
    Reader,
    Unfinished,
    Writing,
    differences,
    file_list,
    releasing,
    write_manifest,
)
from izwi.export.rows import JsonLd, JsonLines, Plain, Shuffled, Table
from izwi.export.tei import TeiCorpus, TeiDocuments
from izwi.export.vertical import Vertical
from izwi.export.wacz import RawCaptures, Wacz
from izwi.index.publications import Publications
from izwi.index.reader import Segment
from izwi.model.commands import typed
from izwi.model.document import Document
from izwi.model.errors import BuildError, QueryError
from izwi.model.reading import ExportReport, Quotation, quotation_of
from izwi.model.results import Concordance, KwicLine, Listener, Notice, Progress
from izwi.pipeline.stages import Planned, plan
from izwi.pipeline.staleness import fingerprints, is_current
from izwi.query.concordance import MOST_LINES, find_hit
from izwi.service.documents import indexed_documents
from izwi.store import snapshots
from izwi.store.files import disk_errors
from izwi.store.layers import read_documents
from izwi.store.layout import Layout
from izwi.store.objects import segments_at_hand
from izwi.store.snapshots import Snapshot
from izwi.store.takedowns import Takedowns, read_takedowns

_LAYERS = ("text", "lang", "dup", "select", "tokens")
# Said in the manifest: what reads, cuts and writes the texts.
_TOOLS = ("izwi", "lxml", "numpy", "orjson", "pyarrow", "simplemma")


@dataclass(frozen=True, slots=True)
class Wishes:
    """How an export is wanted beside its format."""

    choice: Choice = field(default_factory=Choice)
    # Whether e-mail addresses, telephone numbers and user names are masked.
    is_masked: bool = False
    has_tokens: bool = False
    has_comments: bool = False
    licence: str = ""
    seed: int = 1


def export(
    layout: Layout,
    config: CorpusConfig,
    name: str,
    target: Path,
    *,
    wishes: Wishes,
    listener: Listener,
    version: int | None = None,
    is_new: bool = False,
) -> ExportReport:
    """Write a version, the current one if none is named, in one format into a folder.

    What an earlier run of the same export left unfinished is continued unless it is to be new.
    """
    stages = plan(config)
    snapshot = snapshots.current(layout) if version is None else snapshots.read(layout, version)
    edition = _edition(config, snapshot, stages, wishes)
    readers = _readers(layout, stages, snapshot, is_earlier=version is not None)
    if wishes.choice.has_copies and not all(name.startswith("layers/") for name in readers):
        raise QueryError("Copies are exported from the newest version only, and not from imports.")
    gone, sites = read_takedowns(layout), _publications(layout, config, snapshot)
    asked = asked_for(name, edition, wishes.choice, gone, is_masked=wishes.is_masked)
    asked["reading"] = " ".join(readers)
    total = size_of(wishes.choice, snapshot.documents)
    with disk_errors(), releasing(target) as work:
        fresh = Journal(asked, edition.made)
        begun = begin_or_continue(work, fresh, listener, total=total, is_new=is_new)
        edition = replace(edition, made=begun.made)
        form = _form(layout, name, edition, snapshot, wishes)
        reading = ExportReading(tuple(readers.values()), begun.readers, begun.passed)
        outgoing = Outgoing(wishes.choice, wishes.is_masked, _hearing(listener, total))
        outgoing.counts = deepcopy(begun.counts)
        with saying_where_it_stopped(work, listener):
            _write(Writing(form, reading, outgoing, work, begun), gone, sites)
        report = _report(name, target, edition, outgoing.counts, work.place.whole)
        write_manifest(work.place.whole, _manifest(report, edition, stages, wishes))
    return replace(report, continued_at=begun.counts.documents)


def _write(writing: Writing, gone: Takedowns, sites: Publications) -> None:
    # What was taken down leaves no trace outside either.
    documents = writing.reading.documents()
    writing.write(
        _named(document, sites) for document in documents if not gone.covers(document.url)
    )
    if not writing.outgoing.counts.documents:
        raise QueryError("No document of the corpus is as asked for; nothing was written.")


def _publications(layout: Layout, config: CorpusConfig, snapshot: Snapshot) -> Publications:
    segments_at_hand(layout.root, [entry.id for entry in snapshot.segments])
    segments = [Segment(layout.segments / entry.id, entry.gone) for entry in snapshot.segments]
    return Publications(segments, config.publications)


def _named(document: Document, sites: Publications) -> Document:
    """Return a document whose site is the publication that readers see it in."""
    metadata = document.metadata
    name = sites.name(document.url, metadata.site, document.source)
    return replace(document, metadata=replace(metadata, site=name))


def _form(
    layout: Layout, name: str, edition: Edition, snapshot: Snapshot, wishes: Wishes
) -> Format:
    if name != WACZ:
        return named_format(name, edition)
    shards = tuple(shard for segment in snapshot.segments for shard in segment.shards)
    return _raw(layout, shards, edition, wishes)


def _hearing(listener: Listener, total: int | None) -> Callable[[int], None]:
    def heard(done: int) -> None:
        listener(Progress("export", done, total))

    return heard


def _raw(layout: Layout, shards: tuple[str, ...], edition: Edition, wishes: Wishes) -> Format:
    if wishes.is_masked:
        raise QueryError(
            "Raw captures cannot be masked: leave out --mask, or choose a text format."
        )
    return Wacz(edition, RawCaptures(layout, shards))


def _edition(
    config: CorpusConfig, snapshot: Snapshot, stages: tuple[Planned, ...], wishes: Wishes
) -> Edition:
    attributes = [name for name in ("pos", "lemma") if name in config.index.attributes]
    others = [n for n in ATTRIBUTES if n in config.index.attributes and n not in attributes]
    return Edition(
        corpus=config.corpus.name,
        title=config.corpus.title,
        version=snapshot.number,
        published=snapshot.published,
        settings=snapshot.versions.get("fingerprint", stages[-1].fingerprint),
        languages=config.corpus.languages,
        contact=config.gather.contact,
        licence=wishes.licence,
        tools={name: version(name) for name in _TOOLS} | {"python": platform.python_version()},
        made=f"{datetime.now(UTC):%Y-%m-%d}",
        attributes=(*attributes, *others),
        has_tokens=wishes.has_tokens,
        has_comments=wishes.has_comments,
        seed=wishes.seed,
    )


def _readers(
    layout: Layout, stages: tuple[Planned, ...], snapshot: Snapshot, *, is_earlier: bool
) -> dict[str, Reader]:
    """Return how the documents of each segment are read: from its layers, or from the index.

    Their names tell one way of reading from another: a place in one is none in the other.
    Raise BuildError if the settings changed since the current version was made.
    """
    if not snapshot.segments:
        raise BuildError(f"The corpus has no version yet. Run: izwi build {typed(layout.root)}")
    readers: dict[str, Reader] = {}
    shards = [shard for segment in snapshot.segments for shard in segment.shards]
    wanted = fingerprints(layout, stages, shards)
    for segment in snapshot.segments:
        if is_current(segment, wanted):
            for shard in segment.shards:
                readers[f"layers/{shard}"] = partial(_from_layers, layout, stages, shard)
        elif segment.is_imported or is_earlier:
            folder = Segment(layout.segments / segment.id, segment.gone)
            readers[f"index/{segment.id}"] = partial(indexed_documents, folder, snapshot.published)
        else:
            raise BuildError(
                f"Version {snapshot.number} was made with other settings than corpus.toml has now. "
                f"Run: izwi build {typed(layout.root)}"
            )
    return readers


def _from_layers(layout: Layout, stages: tuple[Planned, ...], shard: str) -> Iterator[Document]:
    made = {stage.spec.writes: stage.fingerprint for stage in stages}
    return read_documents({name: layout.shard(name, made[name], shard) for name in _LAYERS})


def _report(
    name: str, target: Path, edition: Edition, counts: Counts, folder: Path
) -> ExportReport:
    return ExportReport(
        format=name,
        path=str(target),
        corpus=edition.corpus,
        version=edition.version,
        documents=counts.documents,
        tokens=counts.tokens,
        sentences=counts.sentences,
        characters=counts.characters,
        replaced=counts.replaced,
        masked=dict(counts.masked),
        files=file_list(folder),
    )


def _manifest(
    report: ExportReport, edition: Edition, stages: tuple[Planned, ...], wishes: Wishes
) -> dict[str, Any]:
    counted = asdict(report)
    for name in ("path", "continued_at"):  # of the run, not of what it wrote
        counted.pop(name)
    files = counted.pop("files")
    return counted | {
        "title": edition.name,
        "published": edition.published,
        "made": edition.made,
        "licence": edition.licence,
        "chosen": wishes.choice.described(),
        "is_masked": wishes.is_masked,
        "attributes": ["word", *edition.attributes],
        "seed": edition.seed,
        "settings_fingerprint": edition.settings,
        # Of an earlier version only the fingerprint is known.
        "settings": _settings(stages) if edition.settings == stages[-1].fingerprint else {},
        "tools": dict(edition.tools),
        "files": files,
    }


def _settings(stages: tuple[Planned, ...]) -> Mapping[str, Any]:
    """Return every setting that differs from its default, under its dotted name."""
    return {key: value for stage in stages for key, value in stage.recipe.settings.items()}


def asked_for(
    name: str, edition: Edition, choice: Choice, gone: Takedowns, *, is_masked: bool
) -> dict[str, str]:
    """Return all that the files of an export depend on, in a form that can be compared."""
    described = {key: _word(value) for key, value in asdict(edition).items() if key != "made"}
    return described | {
        "format": f"{name} {_plugin_version(name)}".strip(),
        "choice": _digest(_word(choice.described())),
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


MOST = 10_000


def lines_named(
    segments: Sequence[Segment], hits: Sequence[str], *, context: int
) -> tuple[KwicLine, ...]:
    """Return the lines of hits; those that are not there are all named in one error."""
    if len(hits) > MOST:
        raise QueryError(f"At most {MOST:,} hits are quoted at once, not {len(hits):,}.")
    missing: list[str] = []
    found = tuple(_found(segments, hits, context, missing))
    if missing:
        raise QueryError(" ".join(missing))
    return found


def quotations_of(lines: Sequence[KwicLine], corpus: str, version: int) -> tuple[Quotation, ...]:
    """Return lines as quotations of a version of a corpus."""
    return tuple(quotation_of(line, corpus, version) for line in lines)


def first_lines(page: Callable[[int, int], Concordance], most: int) -> tuple[KwicLine, ...]:
    """Return the first lines of a query, given a way to its pages by number and size."""
    if not 1 <= most <= MOST:
        raise QueryError(f"1 to {MOST:,} hits of a query are quoted, not {most}.")
    size = min(most, MOST_LINES)
    found = page(1, size)
    lines = found.lines
    for number in range(2, min(found.pages, -(-most // size)) + 1):
        lines += page(number, size).lines
    return lines[:most]


def _found(
    segments: Sequence[Segment], hits: Sequence[str], context: int, missing: list[str]
) -> Iterator[KwicLine]:
    for hit in hits:
        try:
            yield find_hit(segments, hit, context=context)
        except QueryError as error:
            missing.append(str(error))


FORMATS: Mapping[str, Callable[[Edition], Format]] = {
    "text": Plain,
    "jsonl": JsonLines,
    "parquet": Parquet,
    "csv": Table,
    "vertical": Vertical,
    "conllu": Conllu,
    "tei": TeiDocuments,
    "tei-corpus": TeiCorpus,
    "jsonld": JsonLd,
    "sentences": Shuffled,
}
# Written from the raw captures, not from documents: see `wacz`.
WACZ = "wacz"


def named_format(name: str, edition: Edition) -> Format:
    """Return the format of that name, ready to write an edition."""
    if name in FORMATS:
        return FORMATS[name](edition)
    others = {plugin.name for plugin in plugins.installed("izwi.exporters")}
    if name in others:
        made: Any = plugins.load("izwi.exporters", name)(edition)
        return made  # type: ignore[no-any-return]
    known = ", ".join([*FORMATS, WACZ, *sorted(others)])
    raise QueryError(f"'{name}' is no format of an export. Known formats: {known}.")
