"""Sources: how each does, added, changed many at once, read from and written to lists."""

import csv
import io
from typing import Annotated

from fastapi import Query
from starlette.responses import HTMLResponse, Response

from izwi.config.load import load
from izwi.model.errors import IzwiError, QueryError
from izwi.service import settings
from izwi.service.corpus import Corpus
from izwi.service.health import SourceHealth
from izwi.store.layout import Layout
from izwi.web.admin.desk import ThisDesk, back_to
from izwi.web.rights import Fields, ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = curator_pages("sources")
_COLUMNS = ("name", "type", "address", "every", "method")


@router.get("/sources", response_class=HTMLResponse)
def sources(
    desk: ThisDesk, corpus: ThisCorpus, check: Annotated[str, Query()] = ""
) -> HTMLResponse:
    """Show the sources; `check` looks at an address before it is added."""
    found, problem = None, ""
    if check:
        try:
            found = corpus.check_source(check)
        except IzwiError as error:
            problem = desk.site.without_folders(str(error))
    content = {
        "sources": corpus.source_health(),
        "checked": found,
        "check": check,
        "problem": problem,
        "methods": _methods(),
    }
    return desk.page("sources", corpus, "sources", content)


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
def add(corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Add one source."""
    with site.adding:
        corpus.add_source(
            form.get("url", ""),
            type=form.get("type", ""),
            name=form.get("name", ""),
            depth=form.number("depth", 0),
            every=form.get("every", ""),
            by=visitor.name,
        )
    return back_to(corpus, "sources", "added")


@router.post("/sources/change")
def change(corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Change or remove the sources that were ticked."""
    names = form.all("source")
    with site.adding:
        if form.get("do") == "remove":
            for name in names:
                settings.remove_source(Layout(corpus.path), name, who=visitor.name)
            corpus._reload()
        elif names:
            corpus.change_settings(_changes(corpus, names, form), by=visitor.name)
    return back_to(corpus, "sources", "changed")


@router.post("/sources/import")
def import_list(
    corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> Response:
    """Add the sources of a list: OPML, or CSV with a column of addresses."""
    text = form.get("list", "")
    with site.adding:
        if "<opml" in text[:2000].lower():
            corpus.import_opml(text, by=visitor.name)
        else:
            for row in new_rows(text, corpus):
                _add_row(corpus, row, visitor.name)
    return back_to(corpus, "sources", "added")


def sources_csv(sources: tuple[SourceHealth, ...]) -> str:
    """Return sources as CSV, as `new_rows` reads them."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*_COLUMNS, "state", "pages", "kept"])
    for each in sources:
        told = [getattr(each, name) for name in _COLUMNS]
        writer.writerow([*map(_harmless, told), each.state, each.pages, each.kept])
    return out.getvalue()


def new_rows(text: str, corpus: Corpus) -> list[dict[str, str]]:
    """Return the rows of a list whose address is not a source yet; bare addresses are rows too."""
    known = {
        str(getattr(source, "address", "")) for source in load(Layout(corpus.path).config).sources
    }
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
        for key in ("every", "method")
        if form.get(key) and name in kinds and hasattr(kinds[name], key)
    }


def _harmless(value: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{value}" if value[:1] in ("=", "+", "-", "@") else value


def _methods() -> list[str]:
    from izwi import plugins

    return [plugin.name for plugin in plugins.installed("izwi.extractors")]
