"""Where pages come from: sources looked at, added, put to rest; rules for one; what they miss."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from izwi.cases.case import READER, Doing, Nothing, Policy, Says, case_of, place, sentence, text_of
from izwi.cases.questions import Versioned
from izwi.cases.runs import Proxied
from izwi.model.commands import typed
from izwi.model.errors import ConfigError
from izwi.model.portal import Inventory, Portal, Suggestion, as_toml
from izwi.model.records import dataclass
from izwi.model.reports import By, Coverage, HostBias, SourceCheck, SourceHealth
from izwi.model.results import SourceSummary

if TYPE_CHECKING:
    from izwi.cases.packs import Pack
    from izwi.curation.source_preview import SourcePreview
    from izwi.model.reports import SourceCheck, SourceHealth
    from izwi.service.folder import CorpusFolder

_NAME = "The source's name in corpus.toml."


@dataclass(frozen=True, kw_only=True)
class NewSource:
    """A feed, archive or seed page."""

    url: Annotated[
        str,
        place(
            "A feed, or a page to begin from.",
            example="https://example.org/feed.xml",
        ),
    ]
    type: Annotated[
        str, Says("feed, seeds, crawl, sitemap, portal, archive or focused; guessed if absent.")
    ] = ""
    name: Annotated[str, Says("Its name; made from the address if absent.")] = ""
    depth: Annotated[
        int | None,
        Says("How many links to follow; 0 takes the page alone. A site's front: all.", least=0),
    ] = None
    every: Annotated[str, Says('feed: how often it is read, e.g. "1h".')] = ""
    since: Annotated[str, Says("portal, archive: first date, 2010-01-31.")] = ""


@dataclass(frozen=True, kw_only=True)
class Previewed(Proxied):
    """An address whose first pages are looked at before it becomes a source."""

    url: Annotated[str, place("Any address of a site or a web archive.")]
    type: Annotated[str, Says("The type of source; found out if absent.")] = ""
    pages: Annotated[int, Says("With --preview: show so many pages.", least=1, most=50)] = 10


@dataclass(frozen=True, kw_only=True)
class PackName:
    """A pack of sources."""

    pack: Annotated[
        str,
        Says("Add the sources of this pack (see izwi sources packs).", is_first=True,
             example="demo"),
    ]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class SourceNames:
    """Sources by name."""

    names: Annotated[
        Sequence[str],
        place("Names of sources.", metavar="NAME...", example="first-pages"),
    ]


@dataclass(frozen=True, kw_only=True)
class Opml:
    """A list of feeds."""

    opml: Annotated[str, place("An OPML list; on the command line a file.", file=text_of)]


@dataclass(frozen=True, kw_only=True)
class Address(Proxied):
    """An address that is looked at."""

    url: Annotated[str, place("A home page, feed, site map or archive page; or a source's name.")]


@dataclass(frozen=True, kw_only=True)
class ArchiveList(Proxied):
    """What a web archive has, and how that is compared."""

    cdx: Annotated[str, place("A CDX list: a file or an address.", names="address")]
    source: Annotated[str, Says("Only the pages of one source.")] = ""
    by: Annotated[By, Says("Compare by url or by slug.")] = "url"


@dataclass(frozen=True, kw_only=True)
class PagesOf:
    """Pages of one source."""

    source: Annotated[str, place(_NAME, metavar="SOURCE", example="first-pages")]
    pages: Annotated[int, Says("Look at so many pages.", least=1, web_most=1000)] = 50


@dataclass(frozen=True, kw_only=True)
class TagsOf(PagesOf):
    """Where in the pages of a source tags are counted."""

    body: Annotated[str, Says("Only inside this CSS selector.")] = ""
    pages: Annotated[int, Says("Look at so many pages.", least=1, web_most=1000)] = 200
    least: Annotated[int, Says("Leave out what is rarer than this.", least=1)] = 2


@dataclass(frozen=True, kw_only=True)
class NoTrap:
    """A pattern of addresses that was taken for a trap."""

    source: Annotated[str, place("The crawl's name.", example="crawl")]
    pattern: Annotated[
        str,
        place("The pattern as `izwi drops --reason trap` has it.",
             example="example.org/calendar"),
    ]  # fmt: skip


def sources(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> tuple[SourceSummary, ...]:
    """List the sources with what has come of each."""
    from izwi.cases.reports import summary

    return summary(folder, Versioned(), doing).sources


def add_source(folder: "CorpusFolder", asked: NewSource, doing: Doing) -> str:
    """Add a feed, archive or seed page to corpus.toml and return its name."""
    from izwi.service import setup

    folder._reload()
    fields = setup.source_fields(
        asked.url, asked.type, asked.name, depth=asked.depth, every=asked.every,
        since=asked.since, languages=folder.config.corpus.languages,
        taken=[source.name for source in folder.config.sources],
    )  # fmt: skip
    folder._config = setup.add_source(folder.path, fields, who=doing.who)
    return str(fields["name"])


def preview_source(folder: "CorpusFolder", asked: Previewed, doing: Doing) -> "SourcePreview":
    """Find out what an address is and show the first pages it would give; stores nothing."""
    from izwi.curation import source_preview

    folder._reload()
    config = folder._with_proxy(asked.proxy)
    return source_preview.preview(
        folder._layout, config, asked.url, type=asked.type, pages=asked.pages
    )


def packs(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> "tuple[Pack, ...]":
    """List the packs of sources that come along, with what is known of each source."""
    from izwi.cases import packs

    return packs.packs()


def add_pack(folder: "CorpusFolder", asked: PackName, doing: Doing) -> tuple[str, ...]:
    """Add the sources of a pack that are not there yet; return the names. Fetches nothing."""
    from izwi.cases import packs

    folder._reload()
    return _add_all(folder, packs.new_sources(packs.pack_named(asked.pack), folder.config), doing)


def import_opml(folder: "CorpusFolder", asked: Opml, doing: Doing) -> tuple[str, ...]:
    """Add every feed of an OPML list that is not there yet; return the names."""
    from izwi.service import setup

    folder._reload()
    return _add_all(folder, setup.new_feeds(asked.opml, folder.config), doing)


def export_opml(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> str:
    """Return the feeds as an OPML list that feed readers take."""
    from izwi.service import setup

    return setup.as_opml(folder.config)


def _add_all(
    folder: "CorpusFolder", sources: Iterable[Mapping[str, object]], doing: Doing
) -> tuple[str, ...]:
    from izwi.service import setup

    added = tuple(sources)
    if added:
        folder._config = setup.add_sources(folder.path, added, who=doing.who)
    return tuple(str(fields["name"]) for fields in added)


def pause_sources(folder: "CorpusFolder", asked: SourceNames, doing: Doing) -> tuple[str, ...]:
    """Let sources rest: nothing of them is fetched until they are resumed."""
    return _put_paused(folder, asked.names, True, doing)


def resume_sources(folder: "CorpusFolder", asked: SourceNames, doing: Doing) -> tuple[str, ...]:
    """Let sources that rest go on from where they were."""
    return _put_paused(folder, asked.names, None, doing)


def remove_sources(folder: "CorpusFolder", asked: SourceNames, doing: Doing) -> tuple[str, ...]:
    """Take sources out of corpus.toml, all or none; what was gathered of them stays."""
    from izwi.service import settings

    folder._config = settings.remove_sources(folder._layout, asked.names, who=doing.who)
    return tuple(asked.names)


def _put_paused(
    folder: "CorpusFolder", names: Sequence[str], value: bool | None, doing: Doing
) -> tuple[str, ...]:
    from izwi.service import settings

    keys = {f"source.{name}.paused": value for name in names}
    folder._config = settings.change_settings(folder._layout, keys, who=doing.who)
    return tuple(names)


def open_trap(folder: "CorpusFolder", asked: NoTrap, doing: Doing) -> tuple[str, ...]:
    """Say that a pattern of addresses is no trap: the next run fetches what was left out of it.

    Returns all patterns of which that is said of the source.
    """
    from izwi.service import settings

    folder._reload()
    known = {each.name: each for each in folder.config.sources}
    source = known.get(asked.source)
    if source is None:
        raise ConfigError(f"There is no source '{asked.source}'. See: izwi sources list")
    if not hasattr(source, "no_traps"):
        raise ConfigError(f"Source '{asked.source}' is no crawl: only crawls mind traps.")
    patterns = tuple(dict.fromkeys((*source.no_traps, asked.pattern)))
    keys = {f"source.{asked.source}.no_traps": list(patterns)}
    folder._config = settings.change_settings(folder._layout, keys, who=doing.who)
    return patterns


def check_source(folder: "CorpusFolder", asked: Address, doing: Doing) -> SourceCheck:
    """Look at an address before it is added: robots, feeds, dates, pages a day; stores nothing."""
    from izwi.curation import source_preview

    settings = folder._with_proxy(asked.proxy).gather
    return source_preview.check_source(settings, asked.url, folder.config.sources)


def page_at(url: str) -> bytes:
    """Return the body of one page, fetched as the gatherer would; no corpus is needed."""
    from izwi.gather.fetch import fetch_page

    return fetch_page(url)


def look_at(contact: str, address: str) -> SourceCheck:
    """Look at an address for a corpus that is not there yet; stores nothing."""
    from izwi.curation import source_preview
    from izwi.service.setup import settings_of

    return source_preview.check_source(settings_of(contact), address)


def source_health(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> tuple[SourceHealth, ...]:
    """Say how each source does: what it yields, what it usually yields, and why less."""
    from izwi.reports import health
    from izwi.service.run_counts import counts_by_run
    from izwi.service.runs import run_names
    from izwi.store.catalog import Catalog

    layout, config = folder._layout, folder.config
    runs = tuple(run_names(layout))

    def found() -> tuple[SourceHealth, ...]:
        with Catalog.read(layout.catalog) as catalog:
            counts = counts_by_run(layout, config, catalog, sorted(runs))
        return health.source_health(config, counts)

    # The whole ledger is read for it, and every page of the curators' desk wants to know.
    state = (health.ledger_state(layout, config), repr(config), runs)
    return folder._answers.of(("health", *state), found)


def coverage(folder: "CorpusFolder", asked: ArchiveList, doing: Doing) -> Coverage:
    """Compare the captured pages with what a web archive has of the same site, by its CDX list."""
    from izwi.reports import summary
    from izwi.store.catalog import Catalog

    settings = folder._with_proxy(asked.proxy).gather
    with Catalog.read(folder._layout.catalog) as catalog:
        return summary.coverage(catalog, settings, asked.cdx, source=asked.source, by=asked.by)


def host_bias(folder: "CorpusFolder", asked: Versioned, doing: Doing) -> HostBias:
    """Say which share of seeds, captures and documents the most frequent hosts contribute."""
    from izwi.reports import summary
    from izwi.store.catalog import Catalog

    _, segments = folder._snapshot(asked.version)
    with Catalog.read(folder._layout.catalog) as catalog:
        return summary.host_bias(catalog, segments)


def portal_tags(folder: "CorpusFolder", asked: TagsOf, doing: Doing) -> Inventory:
    """List the tags of a source's pages with what they hold, and the merged tree of the pages."""
    from izwi.curation import labelling

    return labelling.tags(
        folder._layout, folder.config, asked.source, body=asked.body, pages=asked.pages,
        least=asked.least,
    )  # fmt: skip


def portal_suggestion(folder: "CorpusFolder", asked: PagesOf, doing: Doing) -> Suggestion:
    """Propose rules for the pages of a source: its body, its fields, what to drop."""
    from izwi.curation import labelling

    return labelling.suggestion(folder._layout, folder.config, asked.source, pages=asked.pages)


def _added_told(asked: NewSource, name: str, folder: Path) -> Iterator[str]:
    from izwi.gather.urls import completed
    from izwi.service.setup import guessed_type, is_section

    url = asked.url if asked.type == "archive" else completed(asked.url)
    alone = "; its page alone: --depth 0" if asked.depth is None and not asked.type else ""
    if alone and guessed_type(url) == "crawl":
        yield f"Added source '{name}': the whole site, as far as its links lead{alone}."
    elif alone and guessed_type(url) == "seeds" and is_section(url):
        yield f"Added source '{name}': the page and what it links to{alone}."
    else:
        yield f"Added source '{name}'."
    if url != asked.url:
        yield f"Its address is taken for {url}"
    yield f"Next: izwi run {typed(folder)}"


def _preview_told(asked: Previewed, found: "SourcePreview", folder: Path) -> Iterator[str]:
    yield f"{found.url}: {found.kind}" + (f". Problem: {found.problem}" if found.problem else "")
    for offer in found.offers:
        mark = "*" if offer == found.chosen else " "
        count = f", {offer.pages:,} pages" if offer.pages else ""
        yield f" {mark} {offer.kind} {offer.url}{count} (--type {offer.type})"
    for page in found.pages:
        line, title = page.line, page.title or page.line.url
        limit = f" of {line.threshold:g}" if line.threshold is not None else ""
        value = f" {line.value:g}{limit}" if line.value is not None else ""
        why = f" ({line.stage}: {line.reason}{value})" if line.reason else ""
        known = ", in the corpus already" if page.is_known else ""
        yield f"{line.outcome:8}{page.words:6} words  {page.language or '-':4} {title}{why}{known}"
    if found.chosen is None:
        return
    if not found.pages:
        yield "It produced no pages."
    else:
        yield f"{found.kept} of {len(found.pages)} would be kept. Nothing was stored."
    depth = f" --depth {found.chosen.depth}" if found.chosen.depth else ""
    yield (
        f"Save it: izwi sources add {typed(folder)} {found.chosen.url} "
        f"--type {found.chosen.type}{depth}"
    )


def _pack_added(asked: PackName, added: Sequence[str], folder: Path) -> Iterator[str]:
    from izwi.cases.packs import pack_named

    yield pack_named(asked.pack).note
    yield (
        f"Added {len(added)} sources of the pack '{asked.pack}'; nothing was fetched. "
        f"Next: izwi run {typed(folder)} --limit 50"
    )


def _feeds_added(asked: Opml, added: Sequence[str], folder: Path) -> Iterator[str]:
    feeds = "1 feed" if len(added) == 1 else f"{len(added):,} feeds"
    yield f"Added {feeds}. Next: izwi run {typed(folder)}"


def _packs_told(asked: Nothing, found: "Iterable[Pack]", folder: Path) -> Iterator[str]:
    for pack in found:
        yield f"{pack.name}  {pack.title} (version {pack.version}, {len(pack.sources)} sources)"
        yield f"  {pack.note}"


def _health_told(asked: Nothing, found: Iterable[SourceHealth], folder: Path) -> Iterator[str]:
    for each in found:
        why = f"; {each.suspicion.reason} {each.suspicion.share:.0%}" if each.suspicion else ""
        yield (
            f"{each.state:12}{each.name}  {each.kept} of {each.pages} kept, last {each.share:.0%} "
            f"(usually {each.usual:.0%}){why}"
        )


def _check_told(asked: Address, found: SourceCheck, folder: Path) -> Iterator[str]:
    if not found.is_reached:
        yield f"{found.problem}. Look at the spelling of the address."
        return
    allowed = "may be fetched" if found.is_allowed else "may not be fetched"
    wait = f", {found.delay_seconds:g} s between requests" if found.delay_seconds else ""
    yield f"{found.url} {allowed} (robots.txt {found.robots}{wait})"
    yield from (f"problem: {found.problem}",) if found.problem else ()
    yield from (f"rights: {found.rights}",) if found.rights else ()
    if found.needs_browser:
        yield "scripts make its text: write browser = true below the source"
    for each in found.lists:
        dates = f", {each.first} to {each.last}" if each.first else ", no dates"
        pace = f", {pace_of(each.per_day)}" if each.per_day is not None else ""
        items = "1 item" if each.items == 1 else f"{each.items:,} items"
        yield f"{each.kind} {each.url}: {items}{dates}{pace}"
    for archive in found.archive:
        place = archive.place or "?"
        yield f"{archive.url} lists {archive.articles} articles at {place}, for example:"
        yield from (f"  {example}" for example in archive.examples)
        yield f"  next page: {archive.next or 'none found'}"
        yield from (f"  problem: {archive.problem}",) if archive.problem else ()
    yield from (f"archive page {page}" for page in found.archive_pages)


def pace_of(per_day: float) -> str:
    """Return how often something comes, in the largest unit in which it comes at least once.

    >>> pace_of(3.5), pace_of(0.2), pace_of(0.05), pace_of(0.01)
    ('3.5 a day', '1.4 a week', '1.5 a month', '4 a year')
    """
    for unit, days in (("day", 1), ("week", 7), ("month", 30.4)):
        if per_day * days >= 1:
            return f"{per_day * days:.2g} a {unit}"
    return f"{max(1, round(per_day * 365))} a year"


def _coverage_told(asked: ArchiveList, found: Coverage, folder: Path) -> Iterator[str]:
    share = f"{found.share:.1%}" if found.share is not None else "nothing"
    yield (
        f"The list has {found.theirs} pages, the corpus {found.ours}; both have {found.both}: "
        f"{share} of the list (compared by {found.by})."
    )
    for words, urls in (("the list", found.only_theirs), ("the corpus", found.only_ours)):
        yield from (f"only in {words}: {url}" for url in urls[:5])


def _suggestion_told(asked: PagesOf, found: Suggestion, folder: Path) -> Iterator[str]:
    if found.portal != Portal():
        yield as_toml(found.portal).rstrip("\n")
    by = f"the labels of {found.labelled}" if found.labelled else "what is each page's own text"
    tried = f"# Tried on {found.pages} pages, by {by}: F1 without rules {found.without:.3f}"
    if found.portal.body or found.portal.rules:
        yield f"{tried}, with these {found.with_rules:.3f}."
    else:
        yield (
            f"{tried}, and no rules for the text that were tried better it: leave it to the "
            "extractor. To write some by hand look at: izwi portal tags"
        )


_CHANGES = Policy("curator", "settings", record="itself")
_case = partial(case_of, "Sources")

CASES = (
    _case("sources", "sources list", "sources", Nothing, sources, policy=READER),
    _case("add_source", "sources add", "sources", NewSource, add_source,
          "https://example.org/feed.xml", _CHANGES, key="name", status=201,
          tells=_added_told),
    _case("preview_source", "sources add", "sources/preview", Previewed, preview_source,
          "https://example.org/ --preview", switch="preview", tells=_preview_told,
          exit=lambda found: int(found.chosen is None)),
    _case("packs", "sources packs", "sources/packs", Nothing, packs, has_folder=False,
          tells=_packs_told),
    _case("add_pack", "sources add", "sources/pack", PackName, add_pack, "--pack demo", _CHANGES,
          switch="pack", status=201, tells=_pack_added),
    _case("import_opml", "sources import", "sources/opml", Opml, import_opml, "feeds.opml",
          _CHANGES, status=201, tells=_feeds_added),
    _case("export_opml", "sources export", "sources/opml", Nothing, export_opml, "> feeds.opml",
          key="opml", media="text/x-opml"),
    _case("pause_sources", "sources pause", "sources/pause", SourceNames, pause_sources,
          "egolipost", _CHANGES, tells=sentence(
              "{answer}: paused. Go on with: izwi sources resume {folder} {asked.names[0]}")),
    _case("resume_sources", "sources resume", "sources/resume", SourceNames, resume_sources,
          "egolipost", _CHANGES, tells=sentence("{answer}: resumed. Next: izwi run {folder}")),
    _case("remove_sources", "sources remove", "sources/remove", SourceNames, remove_sources,
          "egolipost", _CHANGES, tells=sentence(
              "{answer}: removed. What was gathered stays; izwi curate undo puts it back.")),
    _case("open_trap", "sources no-trap", "sources/no-trap", NoTrap, open_trap,
          "crawl example.org/calendar", _CHANGES, tells=sentence(
              "{asked.pattern}: no trap. What was left out of it is fetched by: "
              "izwi run {folder}")),
    _case("check_source", "sources check", "sources/check", Address, check_source,
          "https://example.org/", tells=_check_told, exit=lambda found: int(not found.is_reached)),
    _case("source_health", "sources health", "sources/health", Nothing, source_health,
          tells=_health_told),
    _case("coverage", "report coverage", "coverage", ArchiveList, coverage,
          "list.cdx --source egolipost", tells=_coverage_told),
    _case("host_bias", "report hosts", "host-bias", Versioned, host_bias, "--chart hosts.svg",
          policy=READER, is_drawn=True),
    _case("portal_tags", "portal tags", "portal/tags", TagsOf, portal_tags, "herald"),
    _case("portal_suggestion", "portal suggest", "portal/suggest", PagesOf, portal_suggestion,
          "herald", tells=_suggestion_told),
)  # fmt: skip
