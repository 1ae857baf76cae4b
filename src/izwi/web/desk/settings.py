"""corpus.toml with its comments, its usual keys changed; the record of changes, taken back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Query
from starlette.responses import HTMLResponse, Response

from izwi.cases.corpus import Corpus
from izwi.model.curation import MOST_DECIDED
from izwi.model.errors import IzwiError, QueryError
from izwi.model.notation import typed
from izwi.web.desk.frame import Desk, ThisDesk, back_to, last_change
from izwi.web.session.reader import gettext as _
from izwi.web.session.rights import MOST_NUMBER, ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = curator_pages()
_RECENT = 200


@dataclass(frozen=True, slots=True)
class Setting:
    """A key that is often changed: what it is called, what it is now, and what it means."""

    key: str
    words: str
    now: str
    hint: str
    kind: str = "text"


@router.get("/settings", response_class=HTMLResponse)
def show(desk: ThisDesk, corpus: ThisCorpus) -> HTMLResponse:
    """Show corpus.toml with its comments, and the usual keys to be changed."""
    return _page(desk, corpus, {})


@router.post("/settings")
def change(
    desk: ThisDesk, corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> Response:
    """Write the keys that differ into corpus.toml, with who, when and why."""
    since = last_change(corpus)
    try:
        with site.adding:
            changes = changed(usual(corpus), form)
            if not changes:
                raise QueryError("Nothing was changed.")
            comment = form.get("comment", "").strip()
            corpus.change_settings(changes, by=visitor.name, comment=comment)
    except IzwiError as error:
        return _page(desk, corpus, form, error=error)
    return back_to(corpus, "settings", "saved", since=since)


def usual(corpus: Corpus) -> tuple[Setting, ...]:
    """Return the keys that are often changed."""
    config = corpus.config
    about, gather, when = config.corpus, config.gather, config.schedule
    return (
        Setting("corpus.title", _("Title"), about.title, _("the name readers see")),
        Setting(
            "corpus.languages", _("Languages"), " ".join(about.languages),
            _("ISO codes such as en af zul; leave empty to keep every language"),
        ),
        Setting(
            "gather.contact", _("Contact"), gather.contact,
            _("where site owners can reach you; every site sees it"),
        ),
        Setting(
            "gather.delay", _("Pause"), _number(gather.delay),
            _("seconds between two requests to one host"), "number",
        ),
        Setting(
            "select.minimum_words", _("Minimum words"), str(config.select.minimum_words),
            _("documents with fewer words are dropped"), "number",
        ),
        Setting(
            "schedule.daily", _("Daily run at"), when.daily,
            _("24-hour clock of the server; leave empty for no daily run"), "time",
        ),
        Setting(
            "schedule.limit", _("Pages per daily run"), str(when.limit),
            _("0 is no limit"), "number",
        ),
    )  # fmt: skip


def changed(settings: tuple[Setting, ...], form: Mapping[str, str]) -> dict[str, Any]:
    """Return the keys whose value differs from the one they have; an empty one is taken out."""
    given = {each.key: form[each.key].strip() for each in settings if each.key in form}
    return {
        each.key: _value(each, given[each.key])
        for each in settings
        if each.key in given and given[each.key] != each.now
    }


def _value(setting: Setting, text: str) -> Any:
    if setting.key == "corpus.languages":
        return text.replace(",", " ").split()
    if setting.kind != "number":
        return text or None
    found = typed(text) if text else None
    if found is not None and (isinstance(found, bool) or not isinstance(found, int | float)):
        raise QueryError(f"{setting.key} = '{text}' is not a number.")
    return found


def _number(value: float) -> str:
    return f"{value:g}"


def _page(
    desk: Desk, corpus: Corpus, given: Mapping[str, str], *, error: IzwiError | None = None
) -> HTMLResponse:
    recent = [each for each in corpus.changes(most=_RECENT) if each.kind == "settings"]
    content = {
        "settings": usual(corpus),
        "given": given,
        "lines": corpus.settings().splitlines(),
        "recent": recent[:8],
        "has_schedule": desk.site.has_schedule,
    }
    return desk.page("settings", corpus, "settings", content, error=error)


_SIZE = 50
MOST_PAGES = MOST_NUMBER // _SIZE


@router.get("/changes", response_class=HTMLResponse)
def changes(
    desk: ThisDesk, corpus: ThisCorpus, page: Annotated[int, Query(ge=1, le=MOST_PAGES)] = 1
) -> HTMLResponse:
    """List what was changed, by whom and when, the newest first."""
    found = corpus.changes(first=(page - 1) * _SIZE, most=_SIZE + 1)
    content = {"changes": found[:_SIZE], "page": page, "has_more": len(found) > _SIZE}
    return desk.page("changes", corpus, "changes", content)


@router.post("/changes/undo")
def undo(corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor) -> Response:
    """Take a change back, or those that one step made, the last first."""
    first, is_range, last = form.get("range", "").partition("-")
    if is_range and not (first.isdecimal() and last.isdecimal()):
        raise QueryError(f"'{form['range']}' names no changes.")
    number = form.number("number", 0)
    begin, end = (int(first), int(last)) if is_range else (number, number)
    if end - begin >= MOST_DECIDED:
        raise QueryError(f"At most {MOST_DECIDED} changes at once.")
    with site.adding:
        for each in range(end, begin - 1, -1):
            corpus.undo(each, by=visitor.name)
    page, _, query = form.get("back", "").partition("?")
    here = f"/admin/c/{corpus.name}/"
    if not page.startswith(here):
        return back_to(corpus, "changes", "undone")
    asked = {name: value for name, value in parse_qsl(query) if name not in ("said", "undo")}
    return back_to(corpus, page.removeprefix(here), "undone", since=None, **asked)
