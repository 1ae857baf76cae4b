"""OAI-PMH 2.0 at /oai: the corpora and their versions as records that catalogues harvest."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from izwi.cases.corpus import Corpus
from izwi.model.languages import iso639_3
from izwi.model.results import CorpusSummary, PublishedVersion
from izwi.web.api import xml_answer as xml
from izwi.web.session.rights import form_pairs
from izwi.web.site import Site, ThisSite

router = APIRouter(include_in_schema=False)

_OAI = "http://www.openarchives.org/OAI/2.0/"
_DC = "http://purl.org/dc/elements/1.1/"
_OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/"
_OLAC = "http://www.language-archives.org/OLAC/1.1/"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_FORMATS = {
    "oai_dc": ("http://www.openarchives.org/OAI/2.0/oai_dc.xsd", _OAI_DC, "dc"),
    "olac": ("http://www.language-archives.org/OLAC/1.1/olac.xsd", _OLAC, "olac"),
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
xml.name_prefixes({"oai": _OAI, "oai_dc": _OAI_DC, "dc": _DC, "olac": _OLAC, "xsi": _XSI})


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
        return _refusal(_opened(), f"{request.url.scheme}://{request.url.netloc}", {}, refused)
    return await run_in_threadpool(_answered, request, pairs, site)


def _answered(request: Request, pairs: list[tuple[str, str]], site: Site) -> Response:
    base = f"{request.url.scheme}://{request.url.netloc}"
    top, asked = _opened(), dict(pairs)
    try:
        verb = _checked(pairs, asked)
        xml.add(top, _OAI, "request", f"{base}/oai", asked)
        _WRITERS[verb](xml.child(top, _OAI, verb), asked, site, base)
    except _Refused as refused:
        return _refusal(top, base, asked, refused)
    return xml.answer(top, media_type="text/xml")


def _opened() -> xml.Element:
    top = xml.root(_OAI, "OAI-PMH")
    xml.child(top, _OAI, "responseDate", _moment(datetime.now(UTC)))
    return top


def _refusal(top: xml.Element, base: str, asked: dict[str, str], refused: _Refused) -> Response:
    """Return an answer that says what is wrong, and nothing of what was begun."""
    for made in list(top)[1:]:
        top.remove(made)
    said = asked if refused.code not in ("badVerb", "badArgument") else {}
    xml.add(top, _OAI, "request", f"{base}/oai", said)
    xml.child(top, _OAI, "error", refused.message, code=refused.code)
    return xml.answer(top, media_type="text/xml")


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


def _identify(parent: xml.Element, _: dict[str, str], site: Site, base: str) -> None:
    stamps = [item.stamp for item in _items(site, base)]
    for name, value in (
        ("repositoryName", "Corpora served by izwi"),
        ("baseURL", f"{base}/oai"),
        ("protocolVersion", "2.0"),
        ("adminEmail", _contact(site)),
        ("earliestDatestamp", min(stamps, default=_BEFORE_ALL)),
        ("deletedRecord", "persistent"),
        ("granularity", "YYYY-MM-DDThh:mm:ssZ"),
    ):
        xml.child(parent, _OAI, name, value)


def _contact(site: Site) -> str:
    """Return an address for questions: the first that a corpus names, else none that exists."""
    named = [corpus.config.gather.contact for corpus in site.corpora.values()]
    return next((each for each in named if "@" in each), "nobody@example.org")


def _formats(parent: xml.Element, asked: dict[str, str], site: Site, base: str) -> None:
    if "identifier" in asked:
        _item(asked["identifier"], site, base)
    for prefix, (schema, namespace, _) in _FORMATS.items():
        made = xml.child(parent, _OAI, "metadataFormat")
        xml.child(made, _OAI, "metadataPrefix", prefix)
        xml.child(made, _OAI, "schema", schema)
        xml.child(made, _OAI, "metadataNamespace", namespace)


def _sets(parent: xml.Element, asked: dict[str, str], site: Site, base: str) -> None:
    raise _Refused("noSetHierarchy", "There are no sets here.")


def _record(parent: xml.Element, asked: dict[str, str], site: Site, base: str) -> None:
    prefix = _prefix(asked["metadataPrefix"])
    _write(parent, _item(asked["identifier"], site, base), prefix)


def _records(parent: xml.Element, asked: dict[str, str], site: Site, base: str) -> None:
    _list(parent, asked, site, base, has_metadata=True)


def _identifiers(parent: xml.Element, asked: dict[str, str], site: Site, base: str) -> None:
    _list(parent, asked, site, base, has_metadata=False)


def _list(
    parent: xml.Element, asked: dict[str, str], site: Site, base: str, *, has_metadata: bool
) -> None:
    """Write a page of items, and how to go on where there are more."""
    prefix, since, until, first = _wanted(asked)
    found = [item for item in _items(site, base) if since <= item.stamp <= until]
    if not found[first:]:
        raise _Refused("noRecordsMatch", "Nothing changed in that time.")
    for item in found[first : first + _PAGE]:
        if has_metadata:
            _write(parent, item, prefix)
        else:
            _header(parent, item)
    following = first + _PAGE
    if following < len(found) or first:
        token = f"{prefix}!{since}!{until}!{following}" if following < len(found) else ""
        given = {"completeListSize": str(len(found)), "cursor": str(first)}
        xml.add(parent, _OAI, "resumptionToken", token, given)


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


def _header(parent: xml.Element, item: _Item) -> None:
    given = {"status": "deleted"} if item.is_deleted else {}
    made = xml.add(parent, _OAI, "header", "", given)
    xml.child(made, _OAI, "identifier", item.identifier)
    xml.child(made, _OAI, "datestamp", item.stamp)


def _write(parent: xml.Element, item: _Item, prefix: str) -> None:
    record = xml.child(parent, _OAI, "record")
    _header(record, item)
    if item.is_deleted:
        return
    schema, namespace, name = _FORMATS[prefix]
    holder = xml.child(record, _OAI, "metadata")
    where = {f"{{{_XSI}}}schemaLocation": f"{namespace} {schema}"}
    made = xml.add(holder, namespace, name, "", where)
    for element, value in _described(item):
        xml.child(made, _DC, element, value)
    if prefix == "olac":
        for code in item.summary.languages:
            given = {f"{{{_XSI}}}type": "olac:language", f"{{{_OLAC}}}code": iso639_3(code)}
            xml.add(made, _DC, "language", "", given)


def _described(item: _Item) -> Iterator[tuple[str, str]]:
    """Yield what Dublin Core says of a corpus or a version of it."""
    summary, version = item.summary, item.version
    title = summary.title or summary.name
    yield "title", f"{title}, version {item.number}" if version else title
    documents, tokens = (
        (version.documents, version.tokens) if version else (summary.documents, summary.tokens)
    )
    yield "description", f"A web corpus of {tokens:,} tokens in {documents:,} documents."
    yield "date", item.stamp[:10]
    yield "type", "Dataset"
    yield "identifier", item.address
    yield from (("language", iso639_3(code)) for code in summary.languages)
    if summary.first and summary.last:
        yield "coverage", f"{summary.first} to {summary.last}"


_WRITERS = {
    "Identify": _identify,
    "ListMetadataFormats": _formats,
    "ListSets": _sets,
    "GetRecord": _record,
    "ListRecords": _records,
    "ListIdentifiers": _identifiers,
}
