"""corpus.toml to be read with its comments, and its usual keys to be changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import HTMLResponse, Response

from izwi.cases.corpus import Corpus
from izwi.model.errors import IzwiError, QueryError
from izwi.model.notation import typed
from izwi.web.desk.frame import Desk, ThisDesk, back_to, last_change
from izwi.web.session.reader import gettext as _
from izwi.web.session.rights import ThisForm, ThisVisitor, curator_pages
from izwi.web.site import ThisCorpus, ThisSite

router = curator_pages("settings")
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
        Setting("corpus.title", _("Title"), about.title, _("the name people read")),
        Setting(
            "corpus.languages", _("Languages"), " ".join(about.languages),
            _("ISO codes such as en af zul; empty keeps every language"),
        ),
        Setting(
            "gather.contact", _("Contact"), gather.contact,
            _("where site owners reach you; every site sees it"),
        ),
        Setting(
            "gather.delay", _("Pause"), _number(gather.delay),
            _("seconds between two requests to one host"), "number",
        ),
        Setting(
            "select.minimum_words", _("Fewest words"), str(config.select.minimum_words),
            _("documents with fewer words are dropped"), "number",
        ),
        Setting(
            "schedule.daily", _("Daily run at"), when.daily,
            _("24 hours, the server's clock; empty for none"), "time",
        ),
        Setting(
            "schedule.limit", _("Pages a daily run fetches"), str(when.limit),
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
