"""A new corpus: its name and languages, its sources looked at before anything is stored."""

from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from izwi.config.schema import check_name
from izwi.model.errors import ConfigError, IzwiError, QueryError
from izwi.service.checking import SourceCheck, check_source
from izwi.service.corpus import create_corpus
from izwi.service.setup import check, first_text, settings_of
from izwi.web.admin.desk import ThisDesk, back_to
from izwi.web.admin.runs import start_run
from izwi.web.errors import PROBLEMS
from izwi.web.rights import CuratorPage, Fields, ThisForm, ThisVisitor
from izwi.web.site import Site, ThisSite

router = APIRouter(
    prefix="/admin/setup", responses=PROBLEMS, route_class=CuratorPage, include_in_schema=False
)
_MOST_CHECKED = 20


@router.get("", response_class=HTMLResponse)
def form_page(desk: ThisDesk) -> HTMLResponse:
    """Show the form for a new corpus."""
    return _page(desk, Fields([]), [], "")


@router.post("", response_class=HTMLResponse)
def make(
    request: Request, desk: ThisDesk, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> Response:
    """Look at the addresses, or make the corpus, add them and fetch the first pages."""
    addresses = [line.strip() for line in form.get("addresses", "").splitlines() if line.strip()]
    try:
        if form.get("do") == "check":
            return _page(desk, form, _checked(form, addresses), "")
        return _made(site, form, addresses, visitor.name)
    except IzwiError as error:
        return _page(desk, form, [], site.without_folders(str(error)))


def _made(site: Site, form: Fields, addresses: list[str], who: str) -> Response:
    if not addresses:
        raise QueryError("Give at least one address to begin with.")
    # All that may be wrong is found before anything is written.
    pages, every = form.number("pages", 50), form.get("every", "")
    contact, title = form.get("contact", "").strip(), form.get("title", "").strip()
    languages = tuple(form.get("languages", "").replace(",", " ").split())
    with site.adding:
        folder = new_folder(site, form.get("name", "").strip())
        first = first_text(
            folder, contact=contact, name=folder.name, title=title, languages=languages
        )
        check(first, addresses, every=every, languages=languages)
        corpus = create_corpus(
            folder, contact=contact, name=folder.name, title=title, languages=languages
        )
        site.add(corpus)
        for address in addresses:
            corpus.add_source(address, every=every, by=who)
    run = start_run(corpus, site, "run", "--limit", str(max(1, pages)), who=who)
    return back_to(corpus, f"runs/{run}", "started")


def new_folder(site: Site, name: str) -> Path:
    """Return the folder for a new corpus: beside those that are served."""
    try:
        check_name(name)
    except ValueError as error:
        raise ConfigError(f"{error}.") from None
    if name in site.corpora:
        raise ConfigError(f"There is a corpus '{name}' already.")
    beside = next(iter(site.corpora.values()), None)
    folder = (beside.path.parent if beside else Path.cwd()) / name
    if folder.exists():
        raise ConfigError(f"There is a folder '{name}' already; choose another name.")
    return folder


def _checked(form: Fields, addresses: list[str]) -> list[tuple[str, SourceCheck | None, str]]:
    """Return what is found at each address; nothing is stored."""
    settings = settings_of(form.get("contact", "").strip())
    found: list[tuple[str, SourceCheck | None, str]] = []
    for address in addresses[:_MOST_CHECKED]:
        try:
            found.append((address, check_source(settings, address), ""))
        except IzwiError as error:
            found.append((address, None, str(error)))
    return found


def _page(
    desk: ThisDesk, form: Fields, checked: list[tuple[str, SourceCheck | None, str]], problem: str
) -> HTMLResponse:
    content = {"form": form, "checked": checked, "problem": problem}
    return desk.page("setup", None, "setup", content)
