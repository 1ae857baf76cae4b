"""Labels of a corpus's pages: drafts to correct, labels taken in, labels given out."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path

from izwi.config.schema import CorpusConfig
from izwi.model.errors import StoreError
from izwi.model.labelled import LabelledBlock, LabelledPage, read_labels, write_labels
from izwi.service.portals import source_pages
from izwi.store.files import FileState, file_state, write_text
from izwi.store.layout import Layout


def labels_path(layout: Layout) -> Path:
    """Return where a corpus keeps the labels of its pages."""
    return layout.root / "labels" / "extract.jsonl"


def drafts(
    layout: Layout, config: CorpusConfig, source: str, pages: int
) -> tuple[LabelledPage, ...]:
    """Return pages without labels yet, labelled by the default extractor, to be corrected."""
    known = {page.url for page in stored(layout)}
    fresh = (each for each in source_pages(layout, config, source) if each[0] not in known)
    return tuple(draft(url, html) for url, html in islice(fresh, pages))


def draft(url: str, html: str) -> LabelledPage:
    """Return a page with the labels the default extractor would give it."""
    from izwi.text.extract.learnt import COMMENT, Izwi, IzwiOptions

    judged = Izwi(IzwiOptions()).judge(html)
    blocks = tuple(
        LabelledBlock(
            each.text,
            "main"
            if each.is_main
            else "comment"
            if each.reason.startswith(COMMENT)
            else "boilerplate",
        )
        for each in judged.paragraphs
    )
    return LabelledPage(url, html, blocks, judged.page_type)


def stored(layout: Layout) -> tuple[LabelledPage, ...]:
    """Return the labels of a corpus."""
    path = labels_path(layout)
    return read_file(path) if path.exists() else ()


def count_labelled(folder: Path) -> int:
    """Return how many pages of a corpus somebody has labelled; read once while the file stays."""
    path = labels_path(Layout(folder))
    state = file_state(path)
    return _count_labelled(path, state) if state else 0


@lru_cache(maxsize=64)
def _count_labelled(path: Path, state: FileState) -> int:
    return sum(bool(page.time) for page in read_file(path))


def read_file(path: Path) -> tuple[LabelledPage, ...]:
    """Return the pages of a label file."""
    try:
        with path.open(encoding="utf-8") as lines:
            return tuple(read_labels(lines))
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} cannot be read as labels: {error}.") from error


def take_in(layout: Layout, pages: Iterable[LabelledPage]) -> int:
    """Add labels to a corpus and return how many; a page labelled again replaces its labels."""
    new = tuple(pages)
    merged = {(page.url, page.labeller): page for page in (*stored(layout), *new)}
    replace_all(layout, merged.values())
    return len(new)


def replace_all(layout: Layout, pages: Iterable[LabelledPage]) -> None:
    """Write the labels of a corpus anew."""
    write_text(labels_path(layout), "".join(write_labels(pages)))


def write_file(path: Path, pages: Sequence[LabelledPage]) -> None:
    """Write pages as a label file."""
    write_text(path, "".join(write_labels(pages)))
