"""Labels of a corpus's pages: drafts to correct, labels taken in, labels given out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from heapq import nsmallest
from itertools import combinations, islice
from pathlib import Path
from statistics import mean
from urllib.parse import urlsplit

from izwi import plugins
from izwi.config.schema import CorpusConfig
from izwi.config.units import size_bytes
from izwi.curation.portals import source_pages
from izwi.model.capture import CaptureEntry, Page
from izwi.model.errors import CorruptShard, QueryError, StoreError
from izwi.model.labelled import LabelledBlock, LabelledPage, read_labels, write_labels
from izwi.store.files import FileState, file_state, write_text
from izwi.store.layout import Layout
from izwi.store.warc import OversizedBody, decoded_body, read_capture, read_entries
from izwi.text.decode import decode
from izwi.text.extract.base import judged, unsuitable


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


ORDERS = ("disagreement", "random", "first")
# Methods that go about it differently: learnt trees, stop words, densities, tags against words.
JUDGES = ("izwi", "justext", "boilerpipe", "bte")
# So many pages are looked at to find those on which they disagree.
_POOL = 40

Place = tuple[str, CaptureEntry]


def queue(
    layout: Layout, config: CorpusConfig, *, source: str, pages: int, order: str, seed: int = 1
) -> tuple[LabelledPage, ...]:
    """Return drafts of pages nobody has labelled yet, in the order asked for."""
    if order not in ORDERS:
        raise QueryError(f"order = '{order}' is not one of: {', '.join(ORDERS)}.")
    if order == "first":
        return drafts(layout, config, source, pages)
    known = {page.url for page in stored(layout)}
    places = [each for each in page_places(layout, source) if each[1].url not in known]
    drawn = _drawn(places, max(pages, _POOL), seed)
    found = markups(layout, config, drawn)
    if order == "disagreement":
        ranked = sorted(found, key=lambda page: -disagreement(page[1]))
        return tuple(draft(*page) for page in spread(ranked)[:pages])
    return tuple(draft(*page) for _, page in zip(range(pages), found, strict=False))


def spread(ranked: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return pages so that sites take turns; within a site the order stays.

    >>> [url for url, _ in spread([("http://a/1", ""), ("http://a/2", ""), ("http://b/1", "")])]
    ['http://a/1', 'http://b/1', 'http://a/2']
    """
    turns = Counter[str]()
    placed = []
    for place, page in enumerate(ranked):
        host = urlsplit(page[0]).netloc
        turns[host] += 1
        placed.append((turns[host], place, page))
    return [page for _, _, page in sorted(placed, key=lambda each: each[:2])]


def _drawn(places: Sequence[Place], count: int, seed: int) -> list[Place]:
    """Return so many pages by chance; the others stay the same when some have been labelled."""
    return nsmallest(count, places, key=lambda place: _lot(seed, place[1].url))


def _lot(seed: int, url: str) -> bytes:
    return blake2b(f"{seed} {url}".encode(), digest_size=8).digest()


@lru_cache(maxsize=128)
def disagreement(html: str) -> float:
    """Return how far methods differ about a page, from 0 (all the same) to 1 (nothing shared)."""
    texts = [_main_words(name, html) for name in JUDGES]
    return mean(1 - _likeness(one, other) for one, other in combinations(texts, 2))


def page_places(layout: Layout, source: str = "") -> Iterator[Place]:
    """Yield where each page of a source, or of all, lies; each address once, its last capture."""
    seen: set[str] = set()
    for shard in reversed(layout.sealed_shards()):
        for entry in read_entries(layout.captures(shard)):
            is_wanted = not source or entry.source == source
            if is_wanted and entry.url not in seen and not unsuitable(Page(entry)):
                seen.add(entry.url)
                yield shard, entry


def markups(
    layout: Layout, config: CorpusConfig, places: Sequence[Place]
) -> Iterator[tuple[str, str]]:
    """Yield the address and markup of each page that can be read."""
    limit = size_bytes(config.extract.max_size)
    for shard, entry in places:
        try:
            capture = read_capture(layout.warc(shard), entry)
            body = decoded_body(capture, limit)
        except (CorruptShard, OversizedBody, ValueError):
            continue  # the ledger tells of these; here other pages do as well
        yield entry.url, decode(body, capture.header("Content-Type")).text


def _main_words(method: str, html: str) -> Counter[str]:
    kind = plugins.load("izwi.extractors", method)
    paragraphs, _ = judged(kind(kind.Options()), html)
    return Counter(word for each in paragraphs if each.is_main for word in each.text.split())


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of words that two texts have in common (Dice)."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0
