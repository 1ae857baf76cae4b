"""OAI-PMH 2.0 at /oai: the corpora and their versions as records that catalogues harvest."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from izwi.cases.corpus import Corpus
from izwi.model.languages import iso639_3
from izwi.model.results import CorpusSummary, PublishedVersion
from izwi.web.session.rights import form_pairs
from izwi.web.site import Site, ThisSite, site_address

router = APIRouter(include_in_schema=False)

_OAI = "http://www.openarchives.org/OAI/2.0/"
_OLAC = "http://www.language-archives.org/OLAC/1.1/"
_FORMATS = {
    "oai_dc": (f"{_OAI}oai_dc.xsd", f"{_OAI}oai_dc/"),
    "olac": (f"{_OLAC}olac.xsd", _OLAC),
}
_PAGE = 100
_MOST_FORM_BYTES = 20_000
_BEFORE_ALL = "1970-01-01T00:00:00Z"
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
# What each verb must have and may have beside its name.
_VERBS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "Identify": (frozenset(), frozenset()),
    "ListMetadataFormats": (frozenset(), frozenset({"identifier"})),
    "ListSets": (frozenset(), frozenset({"resumptionToken"})),
    "GetRecord": (frozenset({"identifier", "metadataPrefix"}), frozenset()),
    "ListIdentifiers": (frozenset({"metadataPrefix"}), frozenset({"from", "until", "set"})),
    "ListRecords": (frozenset({"metadataPrefix"}), frozenset({"from", "until", "set"})),
}


_Found = Mapping[str, object]


class _Refused(Exception):
    """A request that gets one of the protocol's errors."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


@dataclass(frozen=True, slots=True)
class _Item:
    """A corpus, or one version of it; a version that was forgotten is deleted."""

    identifier: str
    stamp: str
    address: str
    summary: CorpusSummary
    version: PublishedVersion | None = None
    number: int = 0

    @property
    def is_deleted(self) -> bool:
        """Whether it is only a number by now."""
        return self.number > 0 and self.version is None

    @property
    def counted(self) -> CorpusSummary | PublishedVersion:
        """What has its documents and tokens."""
        return self.version or self.summary

    @property
    def languages(self) -> list[str]:
        """Its languages by their codes of three letters."""
        return [iso639_3(code) for code in self.summary.languages]


@router.get("/oai")
def oai(request: Request, site: ThisSite) -> Response:
    """Answer a harvester."""
    return _answered(request, list(request.query_params.multi_items()), site)


@router.post("/oai")
async def oai_form(request: Request, site: ThisSite) -> Response:
    """Answer a harvester that sends its arguments as a form, as the protocol allows."""
    try:
        pairs = await form_pairs(request, most_bytes=_MOST_FORM_BYTES, most_fields=20)
    except HTTPException as error:
        refused = _Refused("badArgument", str(error.detail))
        return _sent(request, site, {"refused": refused})
    return await run_in_threadpool(_answered, request, pairs, site)


def _answered(request: Request, pairs: list[tuple[str, str]], site: Site) -> Response:
    asked = dict(pairs)
    try:
        verb = _checked(pairs, asked)
        found = _FINDERS[verb](asked, site, site_address(request))
    except _Refused as refused:
        said = asked if refused.code not in ("badVerb", "badArgument") else {}
        return _sent(request, site, {"asked": said, "refused": refused})
    return _sent(request, site, {"asked": asked, "verb": verb, **found})


def _sent(request: Request, site: Site, content: Mapping[str, object]) -> Response:
    shared = {"base": site_address(request), "now": _moment(datetime.now(UTC)), "formats": _FORMATS}
    text = site.pages.text("protocols/oai.xml", {**shared, **content})
    return Response(text, media_type="text/xml")


def _checked(pairs: list[tuple[str, str]], asked: dict[str, str]) -> str:
    verb = asked.get("verb", "")
    if verb not in _VERBS or sum(name == "verb" for name, _ in pairs) != 1:
        raise _Refused("badVerb", f"The verb is one of {', '.join(_VERBS)}.")
    given = [name for name, _ in pairs if name != "verb"]
    if len(set(given)) < len(given):
        raise _Refused("badArgument", "An argument is given twice.")
    needed, allowed = _VERBS[verb]
    if "resumptionToken" in given and verb.startswith("List"):
        if len(given) > 1:
            raise _Refused("badArgument", "A resumptionToken stands alone.")
        return verb
    odd = sorted(set(given) - needed - allowed)
    missing = sorted(needed - set(given))
    if odd or missing:
        which = f"{odd[0]} is not an argument" if odd else f"{missing[0]} is missing"
        raise _Refused("badArgument", f"{which} of {verb}.")
    return verb


def _identify(_: dict[str, str], site: Site, base: str) -> _Found:
    stamps = [item.stamp for item in _items(site, base)]
    return {"contact": _contact(site, base), "earliest": min(stamps, default=_BEFORE_ALL)}


def _contact(site: Site, base: str) -> str:
    """Return an address for questions: the first that a corpus names, else the host's postmaster.

    The protocol wants one, and every host that takes mail has that one (RFC 5321, 4.5.1).
    """
    named = [corpus.config.gather.contact for corpus in site.corpora.values()]
    given = (each.removeprefix("mailto:") for each in named if "@" in each)
    host = urlsplit(base).hostname or "localhost"
    # A machine without a domain takes no mail from elsewhere (RFC 2606).
    return next(given, f"postmaster@{host if '.' in host else f'{host}.invalid'}")


def _formats(asked: dict[str, str], site: Site, base: str) -> _Found:
    if "identifier" in asked:
        _item(asked["identifier"], site, base)
    return {}


def _sets(asked: dict[str, str], site: Site, base: str) -> _Found:
    raise _Refused("noSetHierarchy", "There are no sets here.")


def _record(asked: dict[str, str], site: Site, base: str) -> _Found:
    prefix = _prefix(asked["metadataPrefix"])
    return {"prefix": prefix, "items": [_item(asked["identifier"], site, base)]}


def _list(asked: dict[str, str], site: Site, base: str) -> _Found:
    """Return a page of items, and how to go on where there are more."""
    prefix, since, until, first = _wanted(asked)
    found = [item for item in _items(site, base) if since <= item.stamp <= until]
    if not found[first:]:
        raise _Refused("noRecordsMatch", "Nothing changed in that time.")
    following, total = first + _PAGE, len(found)
    return {
        "prefix": prefix,
        "items": found[first:following],
        "total": total,
        "first": first,
        "is_part": following < total or first > 0,
        "token": f"{prefix}!{since}!{until}!{following}" if following < total else "",
    }


def _wanted(asked: dict[str, str]) -> tuple[str, str, str, int]:
    """Return the format, the first and last moment, and how many items were sent before."""
    if "resumptionToken" in asked:
        parts = asked["resumptionToken"].split("!")
        is_ours = len(parts) == 4 and parts[0] in _FORMATS and parts[3].isdecimal()
        if not is_ours or len(parts[3]) > 9:
            raise _Refused("badResumptionToken", "This token is not one of ours.")
        return parts[0], parts[1], parts[2], int(parts[3])
    if "set" in asked:
        raise _Refused("noSetHierarchy", "There are no sets here.")
    since, until = asked.get("from", ""), asked.get("until", "")
    if since and until and len(since) != len(until):
        raise _Refused("badArgument", "from and until are written in the same way.")
    begin = _bound(since, "T00:00:00Z") or _BEFORE_ALL
    end = _bound(until, "T23:59:59Z") or "9999-12-31T23:59:59Z"
    if begin > end:
        raise _Refused("badArgument", "from is later than until.")
    return _prefix(asked["metadataPrefix"]), begin, end, 0


def _bound(text: str, rest: str) -> str:
    if not text:
        return ""
    whole = text + rest if _DAY.fullmatch(text) else text
    try:
        datetime.fromisoformat(whole)
    except ValueError:
        whole = ""
    if not _MOMENT.fullmatch(whole):
        raise _Refused("badArgument", f"'{text}' is not a date such as 2026-11-17.")
    return whole


def _prefix(asked: str) -> str:
    if asked not in _FORMATS:
        raise _Refused("cannotDisseminateFormat", f"Formats are {' and '.join(_FORMATS)}.")
    return asked


def _items(site: Site, base: str) -> Iterator[_Item]:
    """Yield what there is to harvest: each corpus, then its versions, the oldest first."""
    for name in sorted(site.corpora):
        yield from _of_corpus(site.corpora[name], base)


def _of_corpus(corpus: Corpus, base: str) -> Iterator[_Item]:
    by_number = {each.number: each for each in corpus.versions()}
    if not by_number:
        return
    summary = corpus.summary()
    host = re.sub(r":\d+$", "", base.partition("://")[2])
    name, address = f"oai:{host}:{corpus.name}", f"{base}/c/{corpus.name}"
    yield _Item(name, _moment_of(by_number[max(by_number)]), address, summary)
    stamp = _BEFORE_ALL
    items = []
    for number in range(max(by_number), 0, -1):
        version = by_number.get(number)
        # When a version was forgotten is not known; the one that followed it came before that.
        stamp = _moment_of(version) if version else stamp
        where = f"{address}?v={number}"
        items.append(_Item(f"{name}:v{number}", stamp, where, summary, version, number))
    yield from reversed(items)


def _item(identifier: str, site: Site, base: str) -> _Item:
    found = next((item for item in _items(site, base) if item.identifier == identifier), None)
    if found is None:
        raise _Refused("idDoesNotExist", "There is nothing of that name here.")
    return found


def _moment_of(version: PublishedVersion) -> str:
    return _moment(datetime.fromisoformat(version.published))


def _moment(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_FINDERS = {
    "Identify": _identify,
    "ListMetadataFormats": _formats,
    "ListSets": _sets,
    "GetRecord": _record,
    "ListRecords": _list,
    "ListIdentifiers": _list,
}
