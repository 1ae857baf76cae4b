"""Conformance checks that plug-in authors run on their own work.

    from izwi.testing import check_extractor

    def test_my_extractor_conforms():
        check_extractor(MyExtractor)

Each check raises AssertionError with a sentence. The built-in parts pass the same checks.
"""

import dataclasses
import pickle
import tempfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from izwi.annotate.base import Annotator
from izwi.export.base import Edition, Format
from izwi.export.characters import writable_document
from izwi.gather.sources.base import Source
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Lead
from izwi.model.document import Document, Paragraph
from izwi.model.results import ShardReport
from izwi.pipeline.runners import Runner
from izwi.pipeline.shard import Task

ODD_PAGES = (
    "",
    " ",
    "no markup at all",
    "<p>never closed <b>bold <i>both",
    "<html><body><p>one</p></body></html>",
    "<div>" * 500 + "deep" + "</div>" * 500,
    "<script>alert(1)</script><style>p {}</style>",
    "\ufffd\ufffe\x00<p>\u202eodd</p>",
)
ODD_TEXTS = (
    "",
    " ",
    "a",
    "🙂",
    "https://example.org/",
    "\x00\x01",
    "\ud800",
    "北京",
    "the " * 5000,
)


def check_source(source: Source) -> None:
    """Check a source: a name, canonical first leads of its own, odd pages tolerated."""
    assert source.name, "a source has a name"
    assert source.interval is None or source.interval > timedelta(0), "an interval is positive"
    leads = list(source.first_leads())
    assert leads or hasattr(source, "threads_of"), "a source has somewhere to begin"
    for lead in leads:
        assert lead.source == source.name, f"the lead {lead.url} carries the source's name"
        assert canonical(lead.url) == lead.url, f"the lead {lead.url} is in canonical form"
    first = leads[0] if leads else Lead("http://example.org/", source.name)
    page = Capture(
        dataclasses.replace(first, kind="page"), datetime.now(UTC), 200, "OK", (), b"<p>text</p>"
    )
    assert all(lead.source == source.name for lead in source.leads_from(page, page.body))
    assert pickle.loads(pickle.dumps(source)) == source, "a source is plain data"


def check_extractor(kind: Any) -> None:
    """Check an extractor class: options with defaults, a result for any page, and pure."""
    options = kind.Options()
    assert dataclasses.is_dataclass(options), "Options is a dataclass"
    assert isinstance(kind.depends_on, tuple), "depends_on names distributions"
    for page in ODD_PAGES:
        first, second = kind(options)(page), kind(options)(page)
        assert list(first) == list(second), f"the same page gives the same blocks: {page[:40]!r}"
        assert all(block.text == block.text.strip() and block.text for block in first), (
            "blocks are trimmed and not empty"
        )


def check_language(kind: Any) -> None:
    """Check an identifier class: three-letter codes and a share from 0 to 1 for any text."""
    identify = kind()
    for text in ODD_TEXTS:
        guess = identify(text)
        assert len(guess.code) == 3, f"{guess.code!r} is an ISO 639-3 code"
        assert 0.0 <= guess.score <= 1.0, f"the score {guess.score} is a share"
    assert identify("").code == "und", "nothing is known of an empty text"


def check_annotator(kind: Callable[[], Annotator]) -> None:
    """Check an annotator class: tokens are slices of the text, and nothing but space is lost."""
    annotate = kind()
    for paragraphs in (
        [],
        ["One. Two!"],
        ["", "a"],
        [text for text in ODD_TEXTS if text != "\ud800"],
    ):
        text, found = "\n".join(paragraphs), annotate(paragraphs)
        spans = list(zip(found.starts, found.ends, strict=True))
        assert [text[a:b] for a, b in spans] == list(found.words), "tokens are slices of the text"
        assert not _between(text, spans).strip(), "only white space lies between tokens"
        for starts in (found.sentences, found.paragraphs):
            assert list(starts) == sorted(set(starts)), "structures begin one after another"
            assert not found.words or starts[0] == 0, "the first token begins a structure"


def check_exporter(kind: Callable[[Edition], Format]) -> None:
    """Check a format: odd documents and none at all are written, and always in the same way."""
    documents = [_odd_document(number, text) for number, text in enumerate(ODD_TEXTS)]
    first, second = _files_of(kind, documents), _files_of(kind, documents)
    assert first, "an export has files"
    assert first == second, "the same documents give the same files"
    assert _files_of(kind, []), "an export of no documents has files too"


def check_runner(runner: Runner) -> None:
    """Check a runner: one report for each task, whatever their order."""
    tasks = [Task("test", "test", f"shard-{number}", None, {}, Path()) for number in range(5)]
    reports = list(runner.map(report_back, tasks))
    assert sorted(report.shard for report in reports) == [task.shard for task in tasks]


def report_back(task: Task) -> ShardReport:
    """Do nothing and say so; a function a worker process can import."""
    return ShardReport(task.stage, task.shard)


def _odd_document(number: int, text: str) -> Document:
    paragraphs = (Paragraph("A title", "h"), Paragraph(text), Paragraph("item", "li"))
    found = Document(f"odd{number}", "https://example.org/?a=<&>", _MOMENT, "odd")
    return writable_document(dataclasses.replace(found, paragraphs=paragraphs))[0]


_MOMENT = datetime(2020, 1, 1, tzinfo=UTC)


def _files_of(kind: Callable[[Edition], Format], documents: Sequence[Document]) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        kind(Edition("test", made="2020-01-01")).write(iter(documents), Path(folder))
        paths = [path for path in Path(folder).rglob("*") if path.is_file()]
        return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def _between(text: str, spans: Sequence[tuple[int, int]]) -> str:
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    return "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
