"""Sources: how each does, added, changed many at once, read from and written to lists."""

import csv
import io
from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import Annotated, Any

from fastapi import Query
from starlette.responses import HTMLResponse, Response

from izwi.cases.corpus import Corpus
from izwi.cases.packs import packs
from izwi.model.errors import IzwiError, NotFound, QueryError
from izwi.model.reports import SourceHealth
from izwi.model.tabular import harmless
from izwi.web.desk import frame
from izwi.web.desk.frame import Desk, ThisDesk, back_to, extractor_names, last_change
from izwi.web.desk.runs import start_run
from izwi.web.session.rights import Fields, ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = curator_pages()
_ALL = {"check": "", "type": "", "part": "", "state": "", "sort": ""}
_STATES = ("broken", "less", "nothing yet", "ok", "paused")
# A source that left more patterns alone has one trap with many names.
_MOST_TRAPS, _MOST_TRAPPED = 50, 10_000
_COLUMNS = ("name", "type", "address", "every", "method")


@router.get("/sources", response_class=HTMLResponse)
def sources(
    desk: ThisDesk,
    corpus: ThisCorpus,
    check: Annotated[str, Query()] = "",
    type: Annotated[str, Query()] = "",
    part: Annotated[str, Query()] = "",
    state: Annotated[str, Query()] = "",
    sort: Annotated[str, Query()] = "",
) -> HTMLResponse:
    """Show the sources, all or some; `check` shows what an address would give."""
    asked = {"check": check.strip(), "type": type, "part": part.strip()}
    return _page(desk, corpus, {**asked, "state": state, "sort": sort})


@router.get("/sources/{name}", response_class=HTMLResponse)
def source(desk: ThisDesk, corpus: ThisCorpus, name: str) -> HTMLResponse:
    """Show one source: what it gives, run by run, its settings, and what can be done with it."""
    found = _named(corpus, name)
    tables = corpus.source_tables
    changes = [each for each in corpus.changes(most=1000) if is_about(each.target, name)]
    content: dict[str, object] = {
        "source": found,
        "keys": next((each for each in tables if each.get("name") == name), {}),
        "methods": extractor_names(),
        "losses": _losses(found),
        "traps": _traps(corpus, found),
        "changes": changes[:10],
        "reasons": frame,
    }
    return desk.page("source", corpus, "sources", content)


def is_about(target: str, source: str) -> bool:
    """Return whether one of the keys that a change names belongs to a source.

    >>> is_about("language.minimum, source.news.every", "news"), is_about("source.news-2", "news")
    (True, False)
    """
    return any(key.split(".")[:2] == ["source", source] for key in target.split(", "))


@router.get("/sources.opml")
def as_opml(corpus: ThisCorpus) -> Response:
    """Return the feeds as an OPML list."""
    name = f'attachment; filename="{corpus.name}.opml"'
    return Response(
        corpus.export_opml(), media_type="text/x-opml", headers={"Content-Disposition": name}
    )


@router.get("/sources.csv")
def as_csv(corpus: ThisCorpus) -> Response:
    """Return all sources as a table."""
    name = f'attachment; filename="{corpus.name}-sources.csv"'
    return Response(
        sources_csv(corpus.source_health()),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": name},
    )


@router.post("/sources/add")
def add(
    desk: ThisDesk, corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> Response:
    """Add one source, or those of the offers that were ticked."""
    since = last_change(corpus)
    try:
        offers = [tuple(each.split(" ", 1)) for each in form.all("offer") if " " in each]
        wanted = offers or [(form.get("type", ""), form.get("url", ""))]
        with site.adding:
            for kind, url in wanted:
                corpus.add_source(
                    url,
                    type=kind,
                    name=form.get("name", "").strip() if len(wanted) == 1 else "",
                    depth=_depth(kind, form, is_offer=bool(offers)),
                    every=form.get("every", "").strip(),
                    by=visitor.name,
                )
    except IzwiError as error:
        return _page(desk, corpus, _ALL, form=form, error=error)
    return back_to(corpus, "sources", "added", since=since)


@router.post("/sources/change")
def change(
    desk: ThisDesk, corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> Response:
    """Change, pause, resume or remove the sources that were ticked."""
    since = last_change(corpus)
    names, task = form.all("source"), form.get("do", "")
    try:
        if not names:
            raise QueryError("No source was ticked.")
        if task == "remove" and not form.get("sure"):
            return _second_look(desk, corpus, names)
        with site.adding:
            said = _done(corpus, names, form, visitor.name)
    except IzwiError as error:
        return _page(desk, corpus, _ALL, form=form, error=error)
    only = f"sources/{names[0]}" if form.get("to") == "source" and task != "remove" else "sources"
    return back_to(corpus, only, said, since=since)


@router.post("/sources/{name}/no-trap")
def open_trap(
    corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor, name: str
) -> Response:
    """Say that a pattern of a crawl is no trap; the rest is fetched by the next run, or at once."""
    with site.adding:
        corpus.open_trap(name, form.get("pattern", ""), by=visitor.name)
    if form.get("do") == "run":
        return back_to(corpus, f"runs/{start_run(corpus, site, 'run', who=visitor.name)}")
    return back_to(corpus, f"sources/{name}", "no-trap")


@router.post("/sources/import")
def import_list(
    desk: ThisDesk, corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> Response:
    """Add the sources of a list or a pack: OPML, or CSV with a column of addresses."""
    since = last_change(corpus)
    text = form.get("list", "")
    try:
        with site.adding:
            if form.get("pack"):
                corpus.add_pack(form["pack"], by=visitor.name)
            elif "<opml" in text[:2000].lower():
                corpus.import_opml(text, by=visitor.name)
            else:
                for row in new_rows(text, corpus):
                    _add_row(corpus, row, visitor.name)
    except IzwiError as error:
        return _page(desk, corpus, _ALL, form=form, error=error)
    return back_to(corpus, "sources", "added", since=since)


def _depth(kind: str, form: Fields, *, is_offer: bool) -> int | None:
    """Return how many links are followed; None leaves that to the address."""
    if is_offer:  # of a page: itself and what it links to
        return 1 if kind == "seeds" else None
    return form.number("depth", 0) if form.get("depth", "").strip() else None


def _done(corpus: Corpus, names: list[str], form: Fields, who: str) -> str:
    """Do what was asked with some sources and return the word for it."""
    task = form.get("do", "")
    if task == "remove":
        corpus.remove_sources(names, by=who)
        return "removed"
    if task == "pause":
        corpus.pause_sources(names, by=who)
        return "paused"
    if task == "resume":
        corpus.resume_sources(names, by=who)
        return "resumed"
    corpus.change_settings(_changes(corpus, names, form), by=who)
    return "changed"


def _second_look(desk: Desk, corpus: Corpus, names: list[str]) -> HTMLResponse:
    chosen = [each for each in corpus.source_health() if each.name in names]
    if not chosen:
        raise QueryError(f"There is no source '{names[0]}'.")
    return desk.page("remove", corpus, "sources", {"chosen": chosen})


def _page(
    desk: Desk,
    corpus: Corpus,
    asked: dict[str, str],
    *,
    form: Fields | None = None,
    error: IzwiError | None = None,
) -> HTMLResponse:
    found, trouble = None, ""
    if asked["check"]:
        try:
            found = corpus.preview_source(asked["check"], type=asked["type"])
        except IzwiError as problem:
            trouble = desk.site.without_folders(str(problem))
    everything = corpus.source_health()
    content: dict[str, object] = {
        "sources": chosen_sources(everything, asked),
        "in_all": len(everything),
        "states": sorted({each.state for each in everything}),
        "asked": asked,
        "found": found,
        "trouble": trouble,
        "form": form or Fields([]),
        "methods": extractor_names(),
        "packs": packs(),
        "reasons": frame,
    }
    return desk.page("sources", corpus, "sources", content, error=error)


def chosen_sources(sources: tuple[SourceHealth, ...], asked: dict[str, str]) -> list[SourceHealth]:
    """Return the sources that are asked for, in the order asked for."""
    part = asked.get("part", "").lower()
    found = [
        each
        for each in sources
        if part in f"{each.name} {each.address}".lower()
        and asked.get("state", "") in ("", each.state)
    ]
    orders: dict[str, Callable[[SourceHealth], Any]] = {
        "name": lambda each: each.name,
        "pages": lambda each: -each.pages,
        "kept": lambda each: each.kept / each.pages if each.pages else 2.0,
        "last": lambda each: each.last,
        # What is amiss first.
        "state": lambda each: _STATES.index(each.state) if each.state in _STATES else len(_STATES),
    }
    order = orders.get(asked.get("sort", ""))
    return sorted(found, key=order) if order else found


def _named(corpus: Corpus, name: str) -> SourceHealth:
    found = next((each for each in corpus.source_health() if each.name == name), None)
    if found is None:
        raise NotFound(f"There is no source '{name}'.")
    return found


def _losses(source: SourceHealth) -> list[tuple[str, int]]:
    """Return why pages of a source are not in the corpus, the most frequent first."""
    losses = Counter[str]()
    for run in source.runs:
        losses.update(dict(run.losses))
    return losses.most_common()


def _traps(corpus: Corpus, source: SourceHealth) -> list[tuple[str, int]]:
    """Return the patterns of addresses that a crawl left alone, with how many addresses.

    What was said to be no trap is left out, though only the next run forgets it.
    """
    configured = next((each for each in corpus.config.sources if each.name == source.name), None)
    if not hasattr(configured, "no_traps"):
        return []
    found = Counter[str]()
    for line in chain.from_iterable(
        corpus.drops(source=source.name, reason=reason, most=_MOST_TRAPPED).lines
        for reason in ("trap", "view", "variant", "made-up")
    ):
        is_pattern = line.kind == "pattern"
        found[line.url if is_pattern else line.detail] += int(line.value or 0) if is_pattern else 1
    opened = frozenset(getattr(configured, "no_traps", ()))
    return [each for each in found.most_common(_MOST_TRAPS) if each[0] not in opened]


def sources_csv(sources: tuple[SourceHealth, ...]) -> str:
    """Return sources as CSV, as `new_rows` reads them."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*_COLUMNS, "state", "pages", "kept"])
    for each in sources:
        told = [getattr(each, name) for name in _COLUMNS]
        writer.writerow([*map(harmless, told), each.state, each.pages, each.kept])
    return out.getvalue()


def new_rows(text: str, corpus: Corpus) -> list[dict[str, str]]:
    """Return the rows of a list whose address is not a source yet; bare addresses are rows too."""
    known = {each.address for each in corpus.source_health()}
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and "://" not in lines[0]:
        try:
            rows = [dict(row) for row in csv.DictReader(lines)]
        except csv.Error as error:
            raise QueryError(f"The list cannot be read as CSV: {error}.") from None
    else:
        rows = [{"address": line.strip()} for line in lines]
    wanted = [{**row, "address": row.get("address") or row.get("url") or ""} for row in rows]
    return [row for row in wanted if row["address"] and row["address"] not in known]


def _add_row(corpus: Corpus, row: dict[str, str], who: str) -> None:
    corpus.add_source(
        row["address"],
        type=row.get("type") or "",
        name=row.get("name") or "",
        every=row.get("every") or "",
        by=who,
    )


def _changes(corpus: Corpus, names: list[str], form: Fields) -> dict[str, str | None]:
    """Return the keys to be changed; a key that a kind of source does not have is left out."""
    kinds = {source.name: source for source in corpus.config.sources}
    return {
        f"source.{name}.{key}": form[key] if form[key] != "-" else None
        for name in names
        for key in ("every", "method", "publication")
        if form.get(key) and name in kinds and (key == "publication" or hasattr(kinds[name], key))
    }
