"""CLARIN's Federated Content Search 2.0 at /sru: explain, and searches over all corpora here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from izwi.cases.corpus import Corpus
from izwi.model.errors import IzwiError, QueryError, QueryTimeout
from izwi.model.languages import iso639_3
from izwi.model.results import KwicLine
from izwi.web.api.federated_query import (
    FederatedSyntaxError,
    FederatedUnsupported,
    advanced_query,
    basic_query,
)
from izwi.web.session.rights import form_pairs
from izwi.web.site import Site, ThisSite, site_address

router = APIRouter(include_in_schema=False)

_RESOURCE = "http://clarin.eu/fcs/resource"
_SRU = "info:srw/diagnostic/1/"
_FCS = "http://clarin.eu/fcs/diagnostic/"
_VIEWS = {
    "hits": "application/x-clarin-fcs-hits+xml",
    "adv": "application/x-clarin-fcs-adv+xml",
}
_MOST_RECORDS = 250
_USUAL_RECORDS = 50
_MOST_PARAMETER = 20_000
_MOST_FORM_BYTES = 100_000
_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class _Dialect:
    """What the versions of SRU call the same things."""

    version: str
    response: str
    diagnostic: str
    escaping: str


_DIALECTS = {
    "2.0": _Dialect(
        "2.0",
        "http://docs.oasis-open.org/ns/search-ws/sruResponse",
        "http://docs.oasis-open.org/ns/search-ws/diagnostic",
        "recordXMLEscaping",
    ),
    "1.2": _Dialect(
        "1.2",
        "http://www.loc.gov/zing/srw/",
        "http://www.loc.gov/zing/srw/diagnostic/",
        "recordPacking",
    ),
}
_DIALECTS["1.1"] = _Dialect(
    "1.1", _DIALECTS["1.2"].response, _DIALECTS["1.2"].diagnostic, "recordPacking"
)
_NEWEST = _DIALECTS["2.0"]


class _Refused(Exception):
    """A request that gets a diagnostic instead of records."""

    def __init__(self, uri: str, message: str, details: str = "") -> None:
        super().__init__(message)
        self.uri, self.message, self.details = uri, message, details


@dataclass(frozen=True, slots=True)
class _Record:
    corpus: Corpus
    line: KwicLine
    attributes: tuple[str, ...]

    @property
    def spans(self) -> Iterator[tuple[int, int]]:
        """The first and last character of each token, counted from one."""
        place = 1
        for token in self.line.tokens:
            yield place, place + max(1, len(token.text)) - 1
            place += len(token.text) + token.has_space


@router.get("/sru")
@router.get("/sru/")
def sru(request: Request, site: ThisSite) -> Response:
    """Answer a request of SRU; whatever is wrong with it is said in SRU's own words."""
    return _answered(request, dict(request.query_params), site)


@router.post("/sru")
@router.post("/sru/")
async def sru_form(request: Request, site: ThisSite) -> Response:
    """Answer a request whose parameters come as a form, as the protocol allows."""
    try:
        pairs = await form_pairs(request, most_bytes=_MOST_FORM_BYTES, most_fields=40)
    except HTTPException as error:
        refused = _Refused(f"{_SRU}6", "The form cannot be read", str(error.detail))
        return _sent(request, site, _NEWEST, {"is_search": True, "refused": refused})
    return await run_in_threadpool(_answered, request, dict(pairs), site)


def _answered(request: Request, asked: dict[str, str], site: Site) -> Response:
    dialect = _dialect(asked)
    try:
        _check(asked, dialect)
        if not _is_search(asked):
            is_told = asked.get("x-fcs-endpoint-description", "").lower() == "true"
            return _sent(request, site, dialect, {"is_search": False, "is_described": is_told})
        found = _found(asked, site, site_address(request))
    except _Refused as refused:
        is_search = "query" in asked or asked.get("operation") == "searchRetrieve"
        return _sent(request, site, dialect, {"is_search": is_search, "refused": refused})
    return _sent(request, site, dialect, {"is_search": True, **found})


def _sent(
    request: Request, site: Site, dialect: _Dialect, content: Mapping[str, object]
) -> Response:
    """Return the answer, which the template writes."""
    base = site_address(request)
    host, _, port = request.url.netloc.rpartition(":")
    shared = {
        "dialect": dialect,
        "base": base,
        "place": (host, port) if host else (port, "80"),
        "corpora": [site.corpora[name] for name in sorted(site.corpora)],
        "layers_of": _layers,
        "pid": partial(_pid, base=base),
        "code": iso639_3,
        "views": _VIEWS,
        "numbers": (_USUAL_RECORDS, _MOST_RECORDS),
    }
    text = site.pages.text("protocols/sru.xml", {**shared, **content})
    return Response(text, media_type="application/xml")


def _dialect(asked: dict[str, str]) -> _Dialect:
    version = asked.get("version", "")
    if not version:
        # Before 2.0 an operation had to be named together with a version.
        return _NEWEST
    return _DIALECTS.get(version, _NEWEST)


def _check(asked: dict[str, str], dialect: _Dialect) -> None:
    if any(len(value) > _MOST_PARAMETER for value in asked.values()):
        raise _Refused(f"{_SRU}6", "A parameter is too long")
    version = asked.get("version", "")
    if version and version not in _DIALECTS:
        raise _Refused(f"{_SRU}5", "Unsupported version", dialect.version)
    escaping = asked.get(dialect.escaping, "xml")
    if escaping != "xml":
        raise _Refused(f"{_SRU}71", f"Unsupported {dialect.escaping}", escaping)


def _is_search(asked: dict[str, str]) -> bool:
    """Return whether something is searched for; if not, the endpoint explains itself."""
    named = asked.get("operation", "")
    if named not in ("", "explain", "searchRetrieve"):
        raise _Refused(f"{_SRU}4", "Unsupported operation", named)
    if "scanClause" in asked:
        raise _Refused(f"{_SRU}4", "Unsupported operation", "scan")
    if named == "searchRetrieve" and not asked.get("query", "").strip():
        raise _Refused(f"{_SRU}7", "Mandatory parameter not supplied", "query")
    return named == "searchRetrieve" or (not named and "query" in asked)


def _pid(corpus: Corpus, base: str) -> str:
    return f"{base}/c/{corpus.name}"


def _layers(attributes: Sequence[str]) -> list[tuple[str, str]]:
    """Return the layers of a corpus and the attributes that hold them."""
    tag = "upos" if "upos" in attributes else "pos"
    pairs = (("word", "word"), ("lemma", "lemma"), ("pos", tag))
    return [(layer, name) for layer, name in pairs if name in attributes]


def _found(asked: dict[str, str], site: Site, base: str) -> dict[str, object]:
    """Return how many records there are, and those that are asked for."""
    schema = asked.get("recordSchema", "") or _RESOURCE
    if schema not in (_RESOURCE, "fcs"):
        raise _Refused(f"{_SRU}66", "Unknown schema for retrieval", schema)
    start = _number(asked, "startRecord", 1, least=1)
    most = min(_number(asked, "maximumRecords", _USUAL_RECORDS, least=0), _MOST_RECORDS)
    views = _views(asked)
    total, records = _search(_chosen(asked, site, base), asked, start, most)
    if total and start > total:
        raise _Refused(f"{_SRU}61", "First record position out of range", str(start))
    return {"total": total, "records": records, "start": start, "wanted": views}


def _number(asked: dict[str, str], name: str, usual: int, *, least: int) -> int:
    given = asked.get(name, "").strip()
    if not given:
        return usual
    if not given.isascii() or not given.isdecimal() or len(given) > 9 or int(given) < least:
        raise _Refused(f"{_SRU}6", "Unsupported parameter value", name)
    return int(given)


def _chosen(asked: dict[str, str], site: Site, base: str) -> list[Corpus]:
    """Return the corpora that a client restricts its search to; all unless it does."""
    wanted = [pid.strip() for pid in asked.get("x-fcs-context", "").split(",") if pid.strip()]
    by_pid = {_pid(corpus, base): corpus for corpus in site.corpora.values()}
    unknown = [pid for pid in wanted if pid not in by_pid]
    if unknown:
        raise _Refused(f"{_FCS}1", "This is no resource of this endpoint", unknown[0])
    names = sorted(by_pid) if not wanted else list(dict.fromkeys(wanted))
    return [by_pid[pid] for pid in names]


def _views(asked: dict[str, str]) -> tuple[str, ...]:
    named = [each.strip() for each in asked.get("x-fcs-dataviews", "").split(",") if each.strip()]
    unknown = [each for each in named if each not in _VIEWS]
    if unknown:
        raise _Refused(f"{_FCS}4", "This data view is not known", unknown[0])
    return tuple(dict.fromkeys(("hits", *named))) if named else tuple(_VIEWS)


def _search(
    corpora: Sequence[Corpus], asked: dict[str, str], start: int, most: int
) -> tuple[int, list[_Record]]:
    """Return how many hits there are in all corpora, and some of them, corpus by corpus."""
    total, records = 0, list[_Record]()
    for corpus in corpora:
        layers = tuple(name for _, name in _layers(corpus.attributes))
        first = max(0, start - 1 - total)
        hits, lines = _lines(corpus, _translated(asked, corpus), first, most - len(records), layers)
        records += [_Record(corpus, line, layers) for line in lines]
        total += hits
    return total, records


def _translated(asked: dict[str, str], corpus: Corpus) -> str:
    kind = asked.get("queryType", "") or "cql"
    try:
        if kind == "cql":
            return basic_query(asked["query"])
        if kind == "fcs":
            return advanced_query(asked["query"], corpus.attributes)
    except FederatedUnsupported as error:
        raise _Refused(f"{_SRU}48", "Query feature unsupported", str(error)) from error
    except FederatedSyntaxError as error:
        uri = f"{_FCS}10" if kind == "fcs" else f"{_SRU}10"
        raise _Refused(uri, "Query syntax error", str(error)) from error
    raise _Refused(f"{_SRU}6", "Unsupported parameter value", f"queryType={kind}")


def _lines(
    corpus: Corpus, cql: str, first: int, most: int, layers: tuple[str, ...]
) -> tuple[int, Sequence[KwicLine]]:
    """Return how many hits a corpus has and those from one place on."""

    def page(number: int, size: int) -> Any:
        return corpus.concordance(
            cql, mode="cql", page=number, size=size, unit="sentence", show=layers, timeout=_SECONDS
        )

    try:
        hits = page(1, 1).hits
        if most < 1 or first >= hits:
            return hits, ()
        number, over = divmod(first, most)
        lines = list(page(number + 1, most).lines)[over:]
        if over and (number + 1) * most < hits:
            lines += page(number + 2, most).lines[: most - len(lines)]
    except QueryTimeout as error:
        raise _Refused(f"{_FCS}11", "The query takes too long", str(error)) from error
    except QueryError as error:
        raise _Refused(f"{_SRU}10", "Query syntax error", str(error)) from error
    except IzwiError as error:
        raise _Refused(f"{_SRU}2", "System temporarily unavailable", str(error)) from error
    return hits, lines
