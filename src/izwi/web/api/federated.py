"""CLARIN's Federated Content Search 2.0 at /sru: explain, and searches over all corpora here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from izwi.cases.corpus import Corpus
from izwi.model.errors import IzwiError, QueryError, QueryTimeout
from izwi.model.languages import iso639_3
from izwi.model.results import KwicLine
from izwi.web.api import xml_answer as xml
from izwi.web.api.federated_query import (
    FederatedSyntaxError,
    FederatedUnsupported,
    advanced_query,
    basic_query,
)
from izwi.web.session.rights import form_pairs
from izwi.web.site import Site, ThisSite

router = APIRouter(include_in_schema=False)

_XML = "http://www.w3.org/XML/1998/namespace"
_EXPLAIN = "http://explain.z3950.org/dtd/2.0/"
_DESCRIPTION = "http://clarin.eu/fcs/endpoint-description"
_RESOURCE = "http://clarin.eu/fcs/resource"
_HITS = "http://clarin.eu/fcs/dataview/hits"
_ADVANCED = "http://clarin.eu/fcs/dataview/advanced"
_HITS_TYPE = "application/x-clarin-fcs-hits+xml"
_ADVANCED_TYPE = "application/x-clarin-fcs-adv+xml"
_LAYER = "http://clarin.eu/fcs/layer/"
_SRU = "info:srw/diagnostic/1/"
_FCS = "http://clarin.eu/fcs/diagnostic/"
_VIEWS = {"hits": _HITS_TYPE, "adv": _ADVANCED_TYPE}
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
xml.name_prefixes(
    {
        "sruResponse": _NEWEST.response,
        "diag": _NEWEST.diagnostic,
        "zr": _EXPLAIN,
        "ed": _DESCRIPTION,
        "fcs": _RESOURCE,
        "hits": _HITS,
        "adv": _ADVANCED,
    }
)


class _Refused(Exception):
    """A request that gets a diagnostic instead of records."""

    def __init__(self, uri: str, message: str, details: str = "") -> None:
        super().__init__(message)
        self.uri, self.message, self.details = uri, message, details


@dataclass(frozen=True, slots=True)
class _Record:
    corpus: Corpus
    line: KwicLine
    layers: tuple[str, ...]


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
        return xml.answer(_refusal({"query": ""}, _NEWEST, refused))
    return await run_in_threadpool(_answered, request, dict(pairs), site)


def _answered(request: Request, asked: dict[str, str], site: Site) -> Response:
    dialect = _dialect(asked)
    base = f"{request.url.scheme}://{request.url.netloc}"
    try:
        _check(asked, dialect)
        operation = _operation(asked, dialect)
        if operation == "searchRetrieve":
            return xml.answer(_found(asked, dialect, site, base))
        return xml.answer(_explained(asked, dialect, site, base))
    except _Refused as refused:
        return xml.answer(_refusal(asked, dialect, refused))


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


def _operation(asked: dict[str, str], dialect: _Dialect) -> str:
    named = asked.get("operation", "")
    if named not in ("", "explain", "searchRetrieve"):
        raise _Refused(f"{_SRU}4", "Unsupported operation", named)
    if "scanClause" in asked:
        raise _Refused(f"{_SRU}4", "Unsupported operation", "scan")
    if named == "searchRetrieve" and not asked.get("query", "").strip():
        raise _Refused(f"{_SRU}7", "Mandatory parameter not supplied", "query")
    return named or ("searchRetrieve" if "query" in asked else "explain")


def _refusal(asked: dict[str, str], dialect: _Dialect, refused: _Refused) -> xml.Element:
    is_search = "query" in asked or asked.get("operation") == "searchRetrieve"
    top = xml.root(dialect.response, f"{'searchRetrieve' if is_search else 'explain'}Response")
    xml.child(top, dialect.response, "version", dialect.version)
    if is_search:
        xml.child(top, dialect.response, "numberOfRecords", "0")
    said = xml.child(top, dialect.response, "diagnostics")
    one = xml.child(said, dialect.diagnostic, "diagnostic")
    xml.child(one, dialect.diagnostic, "uri", refused.uri)
    if refused.details:
        xml.child(one, dialect.diagnostic, "details", refused.details)
    xml.child(one, dialect.diagnostic, "message", refused.message)
    return top


def _explained(asked: dict[str, str], dialect: _Dialect, site: Site, base: str) -> xml.Element:
    top = xml.root(dialect.response, "explainResponse")
    xml.child(top, dialect.response, "version", dialect.version)
    record = xml.child(top, dialect.response, "record")
    xml.child(record, dialect.response, "recordSchema", _EXPLAIN)
    xml.child(record, dialect.response, dialect.escaping, "xml")
    _explain(xml.child(record, dialect.response, "recordData"), dialect, base)
    if asked.get("x-fcs-endpoint-description", "").lower() == "true":
        extra = xml.child(top, dialect.response, "extraResponseData")
        _describe(extra, site, base)
    return top


def _explain(data: xml.Element, dialect: _Dialect, base: str) -> None:
    made = xml.child(data, _EXPLAIN, "explain")
    host, _, port = base.partition("://")[2].rpartition(":")
    server = xml.child(
        made, _EXPLAIN, "serverInfo", protocol="SRU", version=dialect.version, transport="http"
    )
    xml.child(server, _EXPLAIN, "host", host or port)
    xml.child(server, _EXPLAIN, "port", port if host else "80")
    xml.child(server, _EXPLAIN, "database", "sru")
    about = xml.child(made, _EXPLAIN, "databaseInfo")
    xml.child(about, _EXPLAIN, "title", "Corpora served by izwi", lang="en", primary="true")
    schemas = xml.child(made, _EXPLAIN, "schemaInfo")
    schema = xml.child(schemas, _EXPLAIN, "schema", identifier=_RESOURCE, name="fcs")
    xml.child(schema, _EXPLAIN, "title", "CLARIN Content Search", lang="en", primary="true")
    bounds = xml.child(made, _EXPLAIN, "configInfo")
    xml.child(bounds, _EXPLAIN, "default", str(_USUAL_RECORDS), type="numberOfRecords")
    xml.child(bounds, _EXPLAIN, "setting", str(_MOST_RECORDS), type="maximumRecords")


def _describe(parent: xml.Element, site: Site, base: str) -> None:
    """Write which corpora there are and what can be asked of each."""
    made = xml.child(parent, _DESCRIPTION, "EndpointDescription", version="2")
    able = xml.child(made, _DESCRIPTION, "Capabilities")
    for each in ("basic-search", "advanced-search"):
        xml.child(able, _DESCRIPTION, "Capability", f"http://clarin.eu/fcs/capability/{each}")
    views = xml.child(made, _DESCRIPTION, "SupportedDataViews")
    for name, kind in _VIEWS.items():
        given = {"id": name, "delivery-policy": "send-by-default"}
        xml.add(views, _DESCRIPTION, "SupportedDataView", kind, given)
    layers = xml.child(made, _DESCRIPTION, "SupportedLayers")
    for name, kind in (("word", "text"), ("lemma", "lemma"), ("pos", "pos")):
        given = {"id": name, "result-id": f"{_LAYER}{name}"}
        xml.add(layers, _DESCRIPTION, "SupportedLayer", kind, given)
    resources = xml.child(made, _DESCRIPTION, "Resources")
    for name in sorted(site.corpora):
        _describe_corpus(resources, site.corpora[name], base)


def _describe_corpus(resources: xml.Element, corpus: Corpus, base: str) -> None:
    found = corpus.summary()
    resource = xml.child(resources, _DESCRIPTION, "Resource", pid=_pid(corpus, base))
    english = {f"{{{_XML}}}lang": "en"}
    xml.add(resource, _DESCRIPTION, "Title", found.title or found.name, english)
    words = f"{found.tokens:,} tokens in {found.documents:,} documents, version {found.snapshot}"
    xml.add(resource, _DESCRIPTION, "Description", words, english)
    xml.child(resource, _DESCRIPTION, "LandingPageURI", _pid(corpus, base))
    spoken = xml.child(resource, _DESCRIPTION, "Languages")
    for code in found.languages or ("und",):
        xml.child(spoken, _DESCRIPTION, "Language", iso639_3(code))
    xml.child(resource, _DESCRIPTION, "AvailableDataViews", ref="hits adv")
    layers = " ".join(layer for layer, _ in _layers(corpus.attributes))
    xml.child(resource, _DESCRIPTION, "AvailableLayers", ref=layers)


def _pid(corpus: Corpus, base: str) -> str:
    return f"{base}/c/{corpus.name}"


def _layers(attributes: Sequence[str]) -> list[tuple[str, str]]:
    """Return the layers of a corpus and the attributes that hold them."""
    tag = "upos" if "upos" in attributes else "pos"
    pairs = (("word", "word"), ("lemma", "lemma"), ("pos", tag))
    return [(layer, name) for layer, name in pairs if name in attributes]


def _found(asked: dict[str, str], dialect: _Dialect, site: Site, base: str) -> xml.Element:
    schema = asked.get("recordSchema", "") or _RESOURCE
    if schema not in (_RESOURCE, "fcs"):
        raise _Refused(f"{_SRU}66", "Unknown schema for retrieval", schema)
    start = _number(asked, "startRecord", 1, least=1)
    most = min(_number(asked, "maximumRecords", _USUAL_RECORDS, least=0), _MOST_RECORDS)
    corpora = _chosen(asked, site, base)
    views = _views(asked)
    total, records = _search(corpora, asked, start, most)
    if total and start > total:
        raise _Refused(f"{_SRU}61", "First record position out of range", str(start))
    top = xml.root(dialect.response, "searchRetrieveResponse")
    xml.child(top, dialect.response, "version", dialect.version)
    xml.child(top, dialect.response, "numberOfRecords", str(total))
    if records:
        listed = xml.child(top, dialect.response, "records")
        for position, record in enumerate(records, start):
            _write_record(listed, dialect, record, position, views, base)
    if records and start + len(records) <= total:
        xml.child(top, dialect.response, "nextRecordPosition", str(start + len(records)))
    if dialect.version == "2.0":
        exact = "info:srw/vocabulary/resultCountPrecision/1/exact"
        xml.child(top, dialect.response, "resultCountPrecision", exact)
    return top


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


def _write_record(
    listed: xml.Element,
    dialect: _Dialect,
    record: _Record,
    position: int,
    views: Sequence[str],
    base: str,
) -> None:
    made = xml.child(listed, dialect.response, "record")
    xml.child(made, dialect.response, "recordSchema", _RESOURCE)
    xml.child(made, dialect.response, dialect.escaping, "xml")
    data = xml.child(made, dialect.response, "recordData")
    pid = _pid(record.corpus, base)
    resource = xml.child(data, _RESOURCE, "Resource", pid=pid, ref=pid)
    reference = f"{pid}/doc/{record.line.document.id}"
    fragment = xml.child(resource, _RESOURCE, "ResourceFragment", pid=record.line.id, ref=reference)
    for view in views:
        shown = xml.child(fragment, _RESOURCE, "DataView", type=_VIEWS[view])
        if view == "hits":
            _write_hits(shown, record.line)
        else:
            _write_layers(shown, record)
    xml.child(made, dialect.response, "recordPosition", str(position))


def _write_hits(shown: xml.Element, line: KwicLine) -> None:
    result = xml.child(shown, _HITS, "Result", line.left)
    hit = xml.child(result, _HITS, "Hit", line.match)
    hit.tail = xml.clean(line.right)


def _write_layers(shown: xml.Element, record: _Record) -> None:
    """Write the line token by token: where each begins and ends, and its values by layer."""
    made = xml.child(shown, _ADVANCED, "Advanced", unit="item")
    segments = xml.child(made, _ADVANCED, "Segments")
    for number, (begin, end) in enumerate(_spans(record.line)):
        given = {"id": f"s{number}", "start": str(begin), "end": str(end)}
        xml.add(segments, _ADVANCED, "Segment", "", given)
    layers = xml.child(made, _ADVANCED, "Layers")
    names = {"word": "word", "lemma": "lemma"}
    for column, name in enumerate(record.layers):
        layer = xml.child(layers, _ADVANCED, "Layer", id=f"{_LAYER}{names.get(name, 'pos')}")
        for number, token in enumerate(record.line.tokens):
            given = {"ref": f"s{number}"} | ({"highlight": "h1"} if token.is_match else {})
            xml.add(layer, _ADVANCED, "Span", token.values[column], given)


def _spans(line: KwicLine) -> Iterator[tuple[int, int]]:
    """Yield the first and last character of each token, counted from one."""
    place = 1
    for token in line.tokens:
        yield place, place + max(1, len(token.text)) - 1
        place += len(token.text) + token.has_space
