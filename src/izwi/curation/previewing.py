"""What a source would give before it is saved: what an address is, and its first pages, judged.

The pages are fetched by the gatherer and judged by the stages, in a folder that is thrown away:
robots.txt, pauses and owners' wishes count as in a run, and nothing of the corpus changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from urllib.parse import urljoin, urlsplit

from izwi.config.load import parse
from izwi.config.schema import CorpusConfig
from izwi.curation.checking import SourceCheck, check_source
from izwi.curation.labelling import page_places
from izwi.curation.playground import judged
from izwi.model.results import LedgerLine, ignore
from izwi.service.gathering import gather
from izwi.service.runs import running
from izwi.service.setup import replayed, source_fields, with_source
from izwi.store.catalog import Catalog
from izwi.store.files import disk_errors
from izwi.store.layout import Layout
from izwi.text.quality import count_words

# Whoever waits for a page of the web waits no longer than this; a slow site shows fewer pages.
_MOST_SECONDS = 60.0
# Lists lead to lists (a map of maps): so often more is fetched until there are pages.
_ROUNDS = 4
# A page with so many articles and a next page is part of an archive.
_LEAST_ARTICLES = 3


@dataclass(frozen=True, slots=True)
class Offer:
    """A source that an address could become: what it is, its type in corpus.toml, its address."""

    kind: str
    type: str
    url: str
    # How many pages it names now, if it is a list; of a page, how many it links to.
    pages: int = 0
    per_day: float | None = None
    # Of a page: how many links are followed.
    depth: int = 0


@dataclass(frozen=True, slots=True)
class PreviewedPage:
    """One page that a source would give: what would become of it, and why."""

    line: LedgerLine
    title: str = ""
    words: int = 0
    language: str = ""
    date: str = ""
    # Whether the corpus has it already.
    is_known: bool = False


@dataclass(frozen=True, slots=True)
class SourcePreview:
    """What an address is, what could be made of it, and the first pages of the one chosen."""

    url: str
    kind: str
    chosen: Offer | None
    offers: tuple[Offer, ...]
    pages: tuple[PreviewedPage, ...] = ()
    problem: str = ""
    check: SourceCheck | None = None

    @property
    def kept(self) -> int:
        """How many of the pages would be kept."""
        return sum(each.line.outcome == "kept" for each in self.pages)


def preview(
    layout: Layout, config: CorpusConfig, url: str, *, type: str = "", pages: int = 10
) -> SourcePreview:
    """Return what an address is and what its first pages would become; nothing is stored."""
    archive = _archive_offer(url)
    if archive is not None:
        return _with_pages(
            layout, config, SourcePreview(url, "archive", archive, (archive,)), pages
        )
    check = check_source(config.gather, url)
    kind, offers = what_it_is(check)
    found = SourcePreview(check.url, kind, None, offers, problem=check.problem, check=check)
    if check.problem or not check.is_allowed:
        return found
    chosen = _chosen(offers, check.url, type)
    return _with_pages(layout, config, replace(found, chosen=chosen), pages)


def _archive_offer(url: str) -> Offer | None:
    """Return the source that an address of a web archive becomes, None for any other."""
    if replayed(url) is None and not url.rstrip().endswith("/*"):
        return None
    return Offer("archive", "archive", url.strip())


def what_it_is(check: SourceCheck) -> tuple[str, tuple[Offer, ...]]:
    """Return what an address is, and the sources it could become, the likeliest first."""
    lists = tuple(
        Offer(each.kind, "feed" if each.kind == "feed" else "sitemap", each.url, each.items,
              each.per_day)
        for each in check.lists
    )  # fmt: skip
    if lists and lists[0].url == check.url:
        return lists[0].kind, lists[:1]
    page = Offer("page", "seeds", check.url, check.links, depth=1)
    crawl = Offer("site", "crawl", urljoin(check.url, "/"))
    first = check.archive[0] if check.archive else None
    if first is None or first.articles < _LEAST_ARTICLES or not first.next:
        return "page", (*lists, page, crawl)
    portal = Offer("portal", "portal", check.url, first.articles)
    # A home page lists articles too; its feed is the better source.
    is_home = urlsplit(check.url).path in ("", "/")
    return ("page", (*lists, portal, page, crawl)) if is_home and lists else (
        "portal", (portal, *lists, page, crawl)
    )  # fmt: skip


def fields_of(config: CorpusConfig, chosen: Offer, name: str = "") -> dict[str, object]:
    """Return the keys of a source for corpus.toml."""
    return source_fields(
        chosen.url, chosen.type, name, depth=chosen.depth,
        languages=config.corpus.languages, taken=[each.name for each in config.sources],
    )  # fmt: skip


def _chosen(offers: tuple[Offer, ...], url: str, type: str) -> Offer:
    wanted = (each for each in offers if not type or each.type == type)
    return next(wanted, Offer(type, type, url))


def _with_pages(
    layout: Layout, config: CorpusConfig, found: SourcePreview, most: int
) -> SourcePreview:
    assert found.chosen is not None
    fields = fields_of(config, found.chosen)
    with disk_errors():
        text = with_source(layout.config.read_text(encoding="utf-8-sig"), fields)
    whole = parse(text, str(layout.config))
    source = next(each for each in whole.sources if each.name == fields["name"])
    alone = replace(whole, sources=(source,), paused=frozenset(), gather=config.gather)
    with TemporaryDirectory(prefix="izwi-preview-") as name, disk_errors():
        aside = Layout(Path(name))
        if layout.takedowns.exists():
            copyfile(layout.takedowns, aside.takedowns)
        _fetch(aside, alone, most)
        pages = list(_pages(aside, alone, most))
    return replace(found, pages=tuple(_known(layout, pages)))


def _fetch(aside: Layout, config: CorpusConfig, most: int) -> None:
    """Fetch until there are so many pages, nothing is left, or it takes too long."""
    with running(aside, "preview", ignore) as run:
        for _ in range(_ROUNDS):
            missing = most - sum(1 for _ in page_places(aside))
            if missing <= 0:
                return
            # One more for the list that names them.
            gather(aside, config, run, seconds=_MOST_SECONDS / _ROUNDS, pages=missing + 1)
            if run.report.fetched <= missing:
                return


def _pages(aside: Layout, config: CorpusConfig, most: int) -> Iterator[PreviewedPage]:
    """Yield what would become of the pages that came, then of those that did not."""
    places = sorted(page_places(aside), key=lambda place: place[1].time)[:most]
    for document in judged(aside, config, places, {}):
        verdict = document.verdict
        line = LedgerLine(
            document.url, verdict.outcome, verdict.stage, verdict.reason, verdict.value,
            verdict.threshold, verdict.detail, document.source,
        )  # fmt: skip
        when, told = document.metadata.date, document.language
        yield PreviewedPage(
            line, document.metadata.title, count_words(document.text),
            told.code if told else "", f"{when.value}" if when else "",
        )  # fmt: skip
    with Catalog.read(aside.catalog) as catalog:
        refused = (each for each in catalog.ledger_lines() if each.outcome in ("dropped", "failed"))
        for _, line in zip(range(most - len(places)), refused, strict=False):
            yield PreviewedPage(line)


def _known(layout: Layout, pages: list[PreviewedPage]) -> Iterator[PreviewedPage]:
    if not layout.catalog.exists():
        yield from pages
        return
    with Catalog.read(layout.catalog) as catalog:
        for page in pages:
            yield replace(page, is_known=catalog.last_capture(page.line.url) is not None)
