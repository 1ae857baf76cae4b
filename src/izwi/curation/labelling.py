"""Labels of a corpus's pages: drafts to correct, labels in and out, extractors made from them."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from heapq import nsmallest
from itertools import combinations, islice
from pathlib import Path
from statistics import mean
from urllib.parse import urlsplit

from izwi import plugins
from izwi.config.schema import CorpusConfig, check_name
from izwi.evaluate.extraction import held_out_cutoffs
from izwi.evaluate.gold_pages import Example, example, from_labels
from izwi.evaluate.training import trained
from izwi.model.capture import CaptureEntry, Page
from izwi.model.curation import (
    LEAST_PAGES,
    ORDERS,
    LabelledBlock,
    LabelledPage,
    read_labels,
    write_labels,
)
from izwi.model.errors import CorruptShard, QueryError, StoreError
from izwi.model.notation import now_text, size_bytes
from izwi.model.portal import Inventory, Suggestion
from izwi.model.scores import Cutoff, best_cutoff
from izwi.service.ledger import verdict_layers
from izwi.store.curation import changing
from izwi.store.files import FileState, disk_errors, file_state, write_bytes, write_text
from izwi.store.layers import read_columns
from izwi.store.layout import Layout
from izwi.store.warc import OversizedBody, decoded_body, read_capture, read_entries
from izwi.text.decode import decode
from izwi.text.extract.base import unsuitable
from izwi.text.extract.judging import judged


def tags(
    layout: Layout, config: CorpusConfig, source: str, *, body: str, pages: int, least: int
) -> Inventory:
    """Return the tags of a source's pages and their merged tree."""
    from izwi.text.portal_rules import inventory

    chosen = body or (config.portals[source].body if source in config.portals else "")
    return inventory(_found(layout, config, source, pages), chosen, least)


def suggestion(layout: Layout, config: CorpusConfig, source: str, *, pages: int) -> Suggestion:
    """Return rules that better the text of a source's pages, those people labelled first of all."""
    from izwi.text.portal_rules import suggest

    kept, copies = _documents(layout, config)
    # Copies are made like their originals; before the first build nobody knows either.
    for among in (kept, kept | copies, None):
        found = _found(layout, config, source, pages, among)
        if len(found) >= _FEWEST_DOCUMENTS:
            break
    known = {
        page.url: [(block.text, False) for block in page.blocks if block.label == "main"]
        for page in stored(layout)
        if page.time
    }
    labelled = {at: known[url] for at, (url, _) in enumerate(found) if url in known}
    return suggest([html for _, html in found], labelled)


# What pages have in common is not seen on fewer.
_FEWEST_DOCUMENTS = 3


def _documents(layout: Layout, config: CorpusConfig) -> tuple[frozenset[str], frozenset[str]]:
    """Return the addresses of documents with a date, articles and not lists, and of copies."""
    text, select = verdict_layers(layout, config)
    judged = layout.built_shards("text", text) & layout.built_shards("select", select)
    kept, copies = set[str](), set[str]()
    for shard in judged:
        rows = read_columns(layout.shard("text", text, shard), ["url", "date"]).to_pylist()
        verdicts = read_columns(layout.shard("select", select, shard), ["verdict"]).to_pylist()
        for row, judged_row in zip(rows, verdicts, strict=True):
            verdict = judged_row["verdict"]
            if row["date"] and verdict["outcome"] == "kept":
                kept.add(row["url"])
            elif row["date"] and verdict["stage"] == "dedup":
                copies.add(row["url"])
    return frozenset(kept), frozenset(copies)


def _found(
    layout: Layout, config: CorpusConfig, source: str, most: int, among: Set[str] | None = None
) -> list[tuple[str, str]]:
    """Return the pages of a source, of all or of some addresses."""
    if source not in {one.name for one in config.sources}:
        known = ", ".join(sorted(one.name for one in config.sources))
        raise QueryError(f"There is no source '{source}'; there are: {known or 'none'}.")
    found = source_pages(layout, config, source)
    pages = list(islice((page for page in found if among is None or page[0] in among), most))
    if not pages and among is None:
        raise QueryError(f"The source '{source}' has no pages yet. Run: izwi gather")
    return pages


def source_pages(
    layout: Layout, config: CorpusConfig, source: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the address and markup of each page of a source, or of all, each address once."""
    limit = size_bytes(config.extract.max_size)
    seen: set[str] = set()
    for shard in layout.sealed_shards():
        for entry in read_entries(layout.captures(shard)):
            is_wanted = not source or entry.source == source
            if not is_wanted or entry.url in seen or unsuitable(Page(entry)):
                continue
            try:
                capture = read_capture(layout.warc(shard), entry)
                body = decoded_body(capture, limit)
            except (CorruptShard, OversizedBody, ValueError):
                continue  # the ledger tells of these; here other pages do as well
            seen.add(entry.url)
            yield entry.url, decode(body, capture.header("Content-Type"), entry.url).text


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


def page_of(layout: Layout, config: CorpusConfig, url: str, who: str) -> LabelledPage:
    """Return a page as somebody labelled it, or a draft of its last capture."""
    own = (page for page in stored(layout) if page.url == url and page.labeller == who)
    if known := next(own, None):
        return known
    places = [place for place in page_places(layout) if place[1].url == url]
    for _, html in markups(layout, config, places):
        return draft(url, html)
    raise QueryError(f"There is no page {url} in this corpus.")


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
        yield entry.url, decode(body, capture.header("Content-Type"), entry.url).text


def _main_words(method: str, html: str) -> Counter[str]:
    kind = plugins.load("izwi.extractors", method)
    paragraphs, _ = judged(kind(kind.Options()), html)
    return Counter(word for each in paragraphs if each.is_main for word in each.text.split())


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of words that two texts have in common (Dice)."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A model of a corpus: of how many pages, by whom, and how good at each cut-off."""

    name: str
    method: str
    # The source whose pages it was trained on; empty for all.
    source: str
    pages: int
    paragraphs: int
    who: str
    time: str
    cutoffs: tuple[Cutoff, ...]

    @property
    def best(self) -> Cutoff:
        """The cut-off with the highest F1."""
        return best_cutoff(self.cutoffs)

    @property
    def file(self) -> str:
        """The model's file as corpus.toml names it."""
        return f"models/{self.name}.npz"


def train_named(
    layout: Layout, config: CorpusConfig, name: str, *, method: str, source: str, who: str
) -> TrainedModel:
    """Train an extractor from the labels of a corpus, or of one source, and save it."""
    try:
        check_name(name)
    except ValueError as error:
        raise QueryError(f"{error}.") from None
    pages = _labelled(layout, config, source)
    examples = _examples(pages)
    cutoffs = held_out_cutoffs(examples, lambda given: trained(given, method)[0])
    _, file = trained(examples, method)
    model = TrainedModel(
        name, method, source, len(examples), sum(len(page.blocks) for page in pages),
        who, now_text(), tuple(cutoffs),
    )  # fmt: skip
    with changing(layout, who) as desk, disk_errors():
        desk.record("model", name, None, {"method": method, "pages": len(pages)})
        write_bytes(layout.root / model.file, file)
        write_text(layout.models / f"{name}.json", json.dumps(asdict(model), indent=1))
    return model


def models(layout: Layout) -> tuple[TrainedModel, ...]:
    """Return the models of a corpus, the newest first."""
    found = (_read(path.read_text(encoding="utf-8")) for path in layout.models.glob("*.json"))
    return tuple(sorted(found, key=lambda model: model.time, reverse=True))


def _labelled(layout: Layout, config: CorpusConfig, source: str) -> list[LabelledPage]:
    pages = [page for page in stored(layout) if page.time]
    if source:
        wanted = {entry.url for _, entry in page_places(layout, source)}
        pages = [page for page in pages if page.url in wanted]
    return pages


def _examples(pages: Sequence[LabelledPage]) -> list[Example]:
    """Return the pages ready for training; pages of one host are tested page against page."""
    found = [(page.url, made) for page in pages if (made := example(from_labels(page)))]
    if len(found) < LEAST_PAGES:
        raise QueryError(
            f"{len(found)} pages are labelled; training needs at least {LEAST_PAGES}, so that "
            "some are left to test on."
        )
    hosts = {made.host for _, made in found}
    if len(hosts) > 1:
        return [made for _, made in found]
    return [replace(made, host=url) for url, made in found]


def _read(text: str) -> TrainedModel:
    row = json.loads(text)
    return TrainedModel(**{**row, "cutoffs": tuple(Cutoff(**each) for each in row["cutoffs"])})
