"""Routes made from the use cases: parameters from the request, the answer as it is or drawn."""

import inspect
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_args
from urllib.parse import parse_qsl, urlencode

import pydantic
from fastapi import APIRouter, Body, Query, Request
from fastapi.routing import APIRoute
from pydantic import create_model
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response

from izwi.cases import all_cases, answer_type
from izwi.cases.case import Case, Doing, Field, Written, fields_of, named, request_of
from izwi.cases.corpus import Corpus, perform
from izwi.cases.long_runs import Started
from izwi.model.errors import QueryError
from izwi.presentation.answer_charts import svg_of
from izwi.web.api.twins import twins
from izwi.web.api.uploads import import_place
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.pages.addresses import (
    bounds_of,
    corpus_address,
    here,
    sent_as,
    translator_here,
    ways_of,
)
from izwi.web.pages.text_menu import text_here
from izwi.web.session.rights import CuratorRoute, Handler, ThisVisitor, curator_router
from izwi.web.site import Site, ThisCorpus, ThisSite, site_address

_TAGS = {"Counts": "analyses", "Words": "words"}
Wrapped = Callable[..., Any]


class CaseRoute(APIRoute):
    """A route that also takes the names by which Python and the command line ask."""

    def get_route_handler(self) -> Handler:
        """Return the handler behind the renaming."""
        handler = super().get_route_handler()

        addresses: Mapping[str, str] = getattr(self.endpoint, "addresses", {})

        async def renamed(request: Request) -> Response:
            text = request.scope["query_string"].decode("latin-1")
            pairs = parse_qsl(text, keep_blank_values=True)
            if any(name in addresses for name, _ in pairs):
                named = [(addresses.get(name, name), value) for name, value in pairs]
                scope = {**request.scope, "query_string": urlencode(named).encode()}
                request = Request(scope, request.receive)
            return await handler(request)

        return renamed


def _addresses(case: Case[Any, Any]) -> dict[str, str]:
    """Return the short names in a case's addresses by the other names of the same things."""
    return {
        name: each.address
        for each in fields_of(case.request)
        if each.says.address
        for name in (each.shown, *each.says.also)
    }


class CuratorCaseRoute(CuratorRoute, CaseRoute):
    """The same for curators, who are asked for their right before anything is read."""


# Routes know no corpus: the applications of a process share them.
@cache
def routers() -> tuple[APIRouter, APIRouter]:
    """Return the routes of all cases that are not made by hand: for everyone, and for curators."""
    everyone = APIRouter(responses=PROBLEMS, route_class=CaseRoute)
    curators = curator_router(CuratorCaseRoute)
    for case in all_cases().values():
        if "route" not in case.by_hand:
            _add_route(curators if case.policy.right == "curator" else everyone, case)
        if case.page:
            add_page(everyone, case)
    return everyone, curators


def _add_route(router: APIRouter, case: Case[Any, Any]) -> None:
    verb, _, path = case.route.partition(" ")
    tags = [] if case.policy.right == "curator" else [_TAGS.get(case.topic, "interface")]
    route = router.api_route(
        path, methods=[verb], summary=case.summary, tags=list(tags), status_code=case.status,
        response_class=_kind_of(case),
    )  # fmt: skip
    if case.is_file:
        route(_filed(endpoint(case.method)))
    elif case.written and case.written.formats:
        route(_written(case, case.written))
    else:
        route(_started(case) if case.policy.holds == "process" else _sent(case, verb))


def _kind_of(case: Case[Any, Any]) -> type[Response]:
    if case.is_file:
        return FileResponse
    is_plain = case.media or (case.written and case.written.formats)
    return Response if is_plain else JSONResponse


def _started(case: Case[Any, Any]) -> Wrapped:
    """Return what starts a run in a process of its own; it is recorded, once done, as theirs."""

    def start(corpus: ThisCorpus, site: ThisSite, visitor: ThisVisitor) -> Started:
        return site.work.start(case.command, corpus, who=visitor.name)

    start.__name__, start.__doc__ = case.method, f"{case.summary} In a process of its own."
    return start


def _filed(answer: Wrapped) -> Wrapped:
    """Return what lets a case write into a folder and sends that as one file, then forgets it."""

    def send(**given: Any) -> FileResponse:
        place = Path(tempfile.mkdtemp(prefix=f"izwi-{answer.__name__}-"))
        form = str(given.get("format", "")).replace("/", "_")
        target = place / "-".join(filter(None, (given["corpus"].name, form)))
        try:
            target.mkdir()
            written = Path(answer(**given, target=target).path)
            if written.is_dir():
                written = Path(shutil.make_archive(str(written), "zip", written))
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
        gone = BackgroundTask(shutil.rmtree, place, ignore_errors=True)
        return FileResponse(written, filename=written.name, background=gone)

    made = _like(answer, send, FileResponse)
    made.__doc__ = f"{answer.__doc__} It is sent as one file."
    return made


def _written(case: Case[Any, Any], written: Written) -> Wrapped:
    """Return what sends an answer as the file of a format, as its command writes it."""
    answer = endpoint(case.method)

    def send(request: Request, format: str, **given: Any) -> Response:
        address = site_address(request)
        content = named(written.content)(answer(**given), format=format, address=address)
        form = named(written.formats)[format]
        name = f"{given['corpus'].name}-{case.method}.{form.suffix}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, media_type=form.media_type, headers=headers)

    default, told = written.options["format"]
    format_sent = Annotated[str, Query(description=told, examples=[default])]
    own = signature(answer).parameters.values()
    made = _like(answer, send, Response)
    taken = [_by_name("request", Request), *own, _by_name("format", format_sent, default)]
    made.__signature__ = Signature(taken, return_annotation=Response)  # type: ignore[attr-defined]
    return made


def _like(answer: Wrapped, made: Wrapped, kind: Any) -> Wrapped:
    """Return a function that takes what another takes and returns something else."""
    made.__signature__ = signature(answer).replace(return_annotation=kind)  # type: ignore[attr-defined]
    made.__name__, made.__doc__ = answer.__name__, answer.__doc__
    made.addresses = answer.addresses  # type: ignore[attr-defined]
    return made


def _sent(case: Case[Any, Any], verb: str) -> Wrapped:
    """Return the function of a route: the answer as programs get it, a body read where one is."""
    answer = endpoint(case.method)
    kind = signature(answer).return_annotation
    if verb == "GET" and not case.key:
        return answer
    body = _body_of(case) if verb == "POST" else {}

    def send(**given: Any) -> Any:
        if "given" in given:
            sent = given.pop("given")
            given |= {name: getattr(sent, name) for name in type(sent).model_fields}
        found = answer(**given)
        return Response(found, media_type=case.media) if case.media else case.for_programs(found)

    taken = signature(answer).parameters
    parameters = [taken[name] for name in ("corpus", "site")] if body else list(taken.values())
    result = Response if case.media else dict[str, kind] if case.key else kind  # type: ignore[valid-type]
    send.__signature__ = Signature(  # type: ignore[attr-defined]
        [*parameters, *body.values()], return_annotation=result
    )
    send.__annotations__ = {"return": result}
    send.__name__, send.__doc__ = case.method, case.summary
    return send


def _body_of(case: Case[Any, Any]) -> dict[str, Parameter]:
    """Return the parameter that is the body of what is sent: all fields, or the only one."""
    fields = [each for each in fields_of(case.request) if not each.says.is_local]
    for each in fields:
        if each.says.is_body:
            kind: Any = Annotated[list[get_args(each.type)[0]], Body(description=each.says.help)]  # type: ignore[misc]
            return {each.name: _by_name(each.name, kind)}
    described = {each.name: (_body_type(each), _in_body(each)) for each in fields}
    model = create_model(case.request.__name__, **described)  # type: ignore[call-overload]
    example = {each.name: each.says.example for each in fields if each.says.example}
    kind = Annotated[model, Body(examples=[example] if example else None)]
    return {"given": _by_name("given", kind)}


def _body_type(field: Field) -> Any:
    return str if field.type == str | Path else field.type


def _in_body(field: Field) -> Any:
    says = field.says
    noted: dict[str, Any] = {"description": says.help}
    if field.type in (int, float):
        noted |= bounds_of(field)
    return pydantic.Field(... if field.is_needed else field.default, **noted)


@cache
def endpoint(method: str) -> Callable[..., Any]:
    """Return the function that answers a case over HTTP."""
    case = all_cases()[method]
    fields = [each for each in fields_of(case.request) if not each.says.is_local]

    def answer(corpus: Corpus, site: Site, **given: Any) -> Any:
        # What only the server itself gives, such as where a file is written, stays as it is.
        values = given | {
            each.name: _resolved(each, given[each.name], site, corpus)
            for each in fields
            if each.name in given
        }
        found = perform(case, corpus, request_of(case, values), Doing())
        return found if case.public is None else case.public(found, site.without_folders)

    kind = answer_type(case)
    taken = [*_SERVED, *map(_parameter, fields)]
    answer.__signature__ = Signature(taken, return_annotation=kind)  # type: ignore[attr-defined]
    answer.__annotations__ = {"return": kind}
    answer.__name__, answer.__doc__ = method, case.summary
    answer.addresses = _addresses(case)  # type: ignore[attr-defined]
    return answer


def _parameter(field: Field) -> Parameter:
    annotation, default = sent_as(field)
    return _by_name(field.name, annotation, Parameter.empty if field.is_needed else default)


def _by_name(name: str, kind: Any, default: Any = Parameter.empty) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind, default=default)


# What every function that answers is given: of which corpus, on which server.
_SERVED = (_by_name("corpus", ThisCorpus), _by_name("site", ThisSite))


def _resolved(field: Field, value: Any, site: Site, corpus: Corpus) -> Any:
    """Return a value in which names of texts and lists are the server's own: no other files."""
    names, most = field.says.names, field.says.web_most
    if field.is_several and most is not None and len(value) > most:
        raise QueryError(f"At most {most:g} {field.name} at a time, not {len(value)}.")
    if names == "address" and not value.startswith(("http://", "https://")):
        raise QueryError(f"{field.shown} is an address of the web here, not '{value}'.")
    if names in _HERE:
        return _HERE[names](site, corpus, value)
    if field.name in ("sources", "publications"):
        return tuple(each for each in value if each)
    return value


# What a server makes of names, so that they lead to nothing that it does not serve.
_HERE: dict[str, Callable[[Site, Corpus, Any], Any]] = {
    "text": text_here,
    "list": lambda site, corpus, names: lists_here(corpus, names),
    "file": lambda site, corpus, path: import_place(path),
    "corpus": lambda site, corpus, name: site.corpus(name) if name else corpus,
    "translation": lambda site, corpus, name: translator_here(corpus, name),
}


def lists_here(corpus: Corpus, names: Iterable[str]) -> tuple[str, ...]:
    """Return lists that readers may use: no other files of the server's."""
    known = corpus.lists["lists"]
    for name in names:
        if name not in known:
            there = ", ".join(known) or "none"
            raise QueryError(f"There is no list '{name}' here; the lists are: {there}.")
    return tuple(names)


def add_page(router: APIRouter, case: Case[Any, Any]) -> None:
    """Add the page of a case, with its form, its table, its twins and how to repeat it."""
    path = f"/c/{{corpus}}/{case.page}"
    twins(router, path, summary=case.summary)(endpoint(case.method))
    fields = fields_of(case.request)

    def page(request: Request, corpus: Corpus, site: Site, **given: Any) -> HTMLResponse:
        place, found, problem, status = here(request), None, "", 200
        try:
            if all(given[each.name] for each in fields if each.is_needed):
                found = endpoint(case.method)(corpus=corpus, site=site, **given)
        except QueryError as error:
            problem, status = site.without_folders(str(error)), status_of(error)
        version = getattr(found, "snapshot", 0)
        base = site_address(request)
        ways = ways_of(corpus.path.name, case.method, place, version=version, base=base)
        content = {
            "corpus": corpus, "case": case, "fields": fields, "here": place, "found": found,
            "lines": getattr(found, case.lines, ()), "problem": problem, "ways": ways,
        }  # fmt: skip
        return site.pages.page(case.template, content, status=status)

    shown = (
        each.replace(default="") if each.default is Parameter.empty else each
        for each in map(_parameter, fields)
    )
    taken = [_by_name("request", Request), *_SERVED, *shown]
    page.addresses = _addresses(case)  # type: ignore[attr-defined]
    page.__signature__ = Signature(taken, return_annotation=HTMLResponse)  # type: ignore[attr-defined]
    route = router.get(
        path, response_class=HTMLResponse, summary=case.summary, tags=["pages"],
        operation_id=f"{case.method}_page",
    )  # fmt: skip
    route(page)


# Our own rules of colour only; nothing else is loaded or run.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


class SvgResponse(Response):
    """A drawing."""

    media_type = "image/svg+xml"


@cache
def chart_router() -> APIRouter:
    """Return a route that draws for each route whose answer has a chart."""
    made = APIRouter(tags=["charts"], responses=PROBLEMS, route_class=CaseRoute)
    for case in all_cases().values():
        if case.is_drawn:
            path = case.route.removeprefix("GET ")
            name = path.removeprefix("/api/v1/c/{corpus}")
            route = made.get(f"{path}.svg", summary=f"Chart of {name}", response_class=SvgResponse)
            route(_drawing(endpoint(case.method)))
    return made


def _drawing(answer: Callable[..., Any]) -> Callable[..., SvgResponse]:
    """Return a function of the same parameters that draws what another answers."""

    def draw(**parameters: Any) -> SvgResponse:
        address = corpus_address(parameters["corpus"].name, parameters.get("version"))
        drawn = svg_of(answer(**parameters), address)
        return SvgResponse(drawn, headers={"Content-Security-Policy": _POLICY})

    made = _like(answer, draw, SvgResponse)
    made.__name__, made.__doc__ = f"{answer.__name__}_svg", f"Draw it: {inspect.getdoc(answer)}"
    return made
