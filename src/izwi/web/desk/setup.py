"""A new corpus: from the demonstration, from sources that are looked at first, or from files."""

from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from izwi.cases.case import write_answer
from izwi.cases.corpora import new_corpus
from izwi.cases.corpus import Corpus, folder_beside
from izwi.cases.demo import create_demo, create_large_demo
from izwi.cases.packs import pack_named, packs, sources_at
from izwi.cases.sources import look_at
from izwi.model.errors import IzwiError, QueryError
from izwi.model.reports import SourceCheck
from izwi.web.api.uploads import MOST_UPLOAD_BYTES, Upload, import_place
from izwi.web.desk.frame import ThisDesk, back_to
from izwi.web.desk.runs import start_run
from izwi.web.errors import PROBLEMS
from izwi.web.session.rights import CuratorPage, Fields, ThisForm, ThisVisitor
from izwi.web.site import Site, ThisSite

router = APIRouter(
    prefix="/admin/setup", responses=PROBLEMS, route_class=CuratorPage, include_in_schema=False
)
_MOST_CHECKED = 20
_WEB_ARCHIVES = (".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz")
# Offered as ticks; every other code can be written beside them.
LANGUAGES = {
    "en": "English", "af": "Afrikaans", "zu": "isiZulu", "xh": "isiXhosa", "st": "Sesotho",
    "tn": "Setswana", "nso": "Sepedi", "ts": "Xitsonga", "ve": "Tshivenḓa", "ss": "siSwati",
    "nr": "isiNdebele", "sw": "Kiswahili", "fr": "français", "pt": "português", "de": "Deutsch",
    "nl": "Nederlands", "es": "español",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Checked:
    """An address of the form and what was found there, or why nothing was."""

    address: str
    found: SourceCheck | None
    trouble: str = ""


@router.get("", response_class=HTMLResponse)
def form_page(desk: ThisDesk) -> HTMLResponse:
    """Show the form for a new corpus."""
    return _page(desk, Fields([]))


@router.post("", response_class=HTMLResponse)
def make(
    request: Request, desk: ThisDesk, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> Response:
    """Fill in a pack, look at the addresses, or make the corpus and fetch the first pages."""
    uploads: dict[str, Upload] = getattr(request.state, "uploads", {})
    try:
        if form.get("do") == "pack":
            return _page(desk, _with_pack(form))
        if form.get("do") == "check":
            return _page(desk, form, _checked(form, _addresses(form)))
        return _MAKERS.get(form.get("way", ""), _from_sources)(site, form, visitor.name, uploads)
    except IzwiError as error:
        return _page(desk, form, error=error)


def _from_demo(site: Site, form: Fields, who: str, uploads: dict[str, Upload]) -> Response:
    """Make a demonstration's corpus; its small web runs for as long as the run does."""
    way, title = form["way"], form.get("title", "").strip()
    create, more = _DEMOS[way]
    with site.adding:
        folder = folder_beside(site.corpora, form.get("name", "").strip() or way)
        corpus = create(folder, name=folder.name, title=title, by=who)
        site.add(corpus)
    run = start_run(corpus, site, "demo", *more, who=who)
    return back_to(corpus, f"runs/{run}", "started")


def _from_sources(site: Site, form: Fields, who: str, uploads: dict[str, Upload]) -> Response:
    addresses = _addresses(form)
    if not addresses:
        raise QueryError("Give at least one address to begin with.")
    # All that may be wrong is found before anything is written.
    given = {name: form.get(name, "") for name in ("pack", "every")}
    sources = sources_at(addresses, languages=_languages(form), **given)
    pages = form.number("pages", 50)
    with site.adding:
        corpus = _new_corpus(site, form, sources, who)
    run = start_run(corpus, site, "run", "--limit", str(max(1, pages)), who=who)
    return back_to(corpus, f"runs/{run}", "started")


def _from_files(site: Site, form: Fields, who: str, uploads: dict[str, Upload]) -> Response:
    """Make a corpus of a path on the server or of a file that came along, and build it."""
    upload = uploads.get("file")
    path = _on_server(form.get("path", "").strip()) if upload is None else Path(upload.name)
    with site.adding:
        corpus = _new_corpus(site, form, [], who)
    if upload is not None:
        path = corpus.path / "uploads" / upload.name
        write_answer(path, upload.body)
    kind = "warc" if path.name.lower().endswith(_WEB_ARCHIVES) else "files"
    run = start_run(corpus, site, f"import {kind}", str(path.resolve()), "--build", who=who)
    return back_to(corpus, f"runs/{run}", "started")


def _on_server(text: str) -> Path:
    """Return a path that is there, from the root on."""
    if not text:
        raise QueryError("Give a path on the server, or choose a file.")
    return import_place(text)


_DEMOS = {"demo": (create_demo, ()), "large": (create_large_demo, ("--large",))}
_MAKERS = {"demo": _from_demo, "large": _from_demo, "sources": _from_sources, "files": _from_files}


def _new_corpus(site: Site, form: Fields, sources: list[dict[str, object]], who: str) -> Corpus:
    """Make a corpus with its sources; a mistake in the form leaves nothing behind."""
    given = {name: form.get(name, "").strip() for name in ("contact", "title", "daily")}
    folder = folder_beside(site.corpora, form.get("name", "").strip())
    corpus = new_corpus(
        folder, name=folder.name, languages=_languages(form), sources=sources, by=who, **given
    )
    site.add(corpus)
    return corpus


def _addresses(form: Fields) -> list[str]:
    lines = [line.strip() for line in form.get("addresses", "").splitlines()]
    return list(dict.fromkeys(line for line in lines if line))


def _languages(form: Fields) -> tuple[str, ...]:
    others = form.get("languages", "").replace(",", " ").split()
    return tuple(dict.fromkeys((*form.all("language"), *others)))


def _with_pack(form: Fields) -> Fields:
    """Return the form with the addresses of a pack; nothing is fetched."""
    if not form.get("pack"):
        raise QueryError("Choose a pack of sources first.")
    pack = pack_named(form["pack"])
    known = _addresses(form)
    every = [*known, *(each for each in pack.addresses if each not in known)]
    kept = [pair for pair in form.pairs if pair[0] != "addresses"]
    return Fields([*kept, ("addresses", "\n".join(every))])


def _checked(form: Fields, addresses: list[str]) -> list[Checked]:
    """Return what is found at each address; nothing is stored."""
    contact, found = form.get("contact", "").strip(), list[Checked]()
    for address in addresses[:_MOST_CHECKED]:
        try:
            found.append(Checked(address, look_at(contact, address)))
        except IzwiError as error:
            found.append(Checked(address, None, str(error)))
    return found


def _page(
    desk: ThisDesk,
    form: Fields,
    checked: list[Checked] | None = None,
    *,
    error: IzwiError | None = None,
) -> HTMLResponse:
    content = {
        "form": form,
        "way": form.get("way") or "sources",
        "checked": checked or [],
        "left_out": max(0, len(_addresses(form)) - _MOST_CHECKED) if checked else 0,
        "packs": packs(),
        "pack": next((each for each in packs() if each.name == form.get("pack")), None),
        "languages": LANGUAGES,
        "chosen": form.all("language") if form.pairs else [],
        "most_upload": MOST_UPLOAD_BYTES >> 20,
    }
    return desk.page("setup", None, "setup", content, error=error)
