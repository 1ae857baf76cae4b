"""Routes made from the use cases: parameters from the request, the answer as it is."""

from collections.abc import Callable, Iterable
from functools import cache
from inspect import Parameter, Signature
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Query, Request
from fastapi.routing import APIRoute
from starlette.responses import HTMLResponse, Response

from izwi.cases.case import Case, Doing, Field, fields_of, request_of
from izwi.cases.corpus import Corpus
from izwi.cases.performing import perform
from izwi.cases.registry import all_cases
from izwi.model.errors import QueryError
from izwi.service.wordlists import own_lists
from izwi.web.asking import LONGEST_SECONDS, Version
from izwi.web.choosing import text_here
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.opening import here
from izwi.web.repeating import Call, analysis_ways
from izwi.web.rights import Handler
from izwi.web.site import Site, ThisCorpus, ThisSite
from izwi.web.twins import twins

_TAGS = {"Counts": "analyses", "Words": "words"}


class CaseRoute(APIRoute):
    """A route that also takes the names by which Python and the command line ask."""

    def get_route_handler(self) -> Handler:
        """Return the handler behind the renaming."""
        handler = super().get_route_handler()

        async def renamed(request: Request) -> Response:
            text = request.scope["query_string"].decode("latin-1")
            pairs = parse_qsl(text, keep_blank_values=True)
            if any(name in _address_by_name() for name, _ in pairs):
                named = [(_address_by_name().get(name, name), value) for name, value in pairs]
                scope = {**request.scope, "query_string": urlencode(named).encode()}
                request = Request(scope, request.receive)
            return await handler(request)

        return renamed


@cache
def _address_by_name() -> dict[str, str]:
    """Return the short names in addresses by the other names of the same things."""
    fields = [each for case in all_cases().values() for each in fields_of(case.request)]
    return {
        name: each.address
        for each in fields
        if each.says.address
        for name in (each.shown, *each.says.also)
    }


def routes() -> APIRouter:
    """Return the routes of all cases that are not made by hand."""
    router = APIRouter(responses=PROBLEMS, route_class=CaseRoute)
    for case in all_cases().values():
        if "route" in case.by_hand:
            continue
        path = case.route.removeprefix("GET ")
        route = router.get(path, summary=case.summary, tags=[_TAGS.get(case.topic, "interface")])
        route(endpoint(case.method))
        if case.page:
            add_page(router, case)
    return router


@cache
def endpoint(method: str) -> Callable[..., Any]:
    """Return the function that answers a case over HTTP."""
    case = all_cases()[method]

    def answer(corpus: Corpus, site: Site, **given: Any) -> Any:
        values = {
            each.name: _resolved(each, given[each.name], site, corpus)
            for each in fields_of(case.request)
        }
        return perform(case, corpus, request_of(case, values), Doing())

    answer.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter("corpus", Parameter.KEYWORD_ONLY, annotation=ThisCorpus),
            Parameter("site", Parameter.KEYWORD_ONLY, annotation=ThisSite),
            *(_parameter(each) for each in fields_of(case.request)),
        ],
        return_annotation=case.answer,
    )
    answer.__annotations__ = {"return": case.answer}
    answer.__name__, answer.__doc__ = method, case.summary
    return answer


def _parameter(field: Field) -> Parameter:
    kind, default = field.sent
    says = field.says
    if field.name == "version":
        return Parameter(
            "version", Parameter.KEYWORD_ONLY, default=None,
            annotation=Annotated[Version, Query(alias=field.address)],
        )  # fmt: skip
    noted: dict[str, Any] = {"alias": field.address, "description": says.help}
    noted["examples"] = [says.example] if says.example else None
    if field.name == "timeout":
        assert isinstance(default, float)
        kind, default = float, min(default, LONGEST_SECONDS)
        noted |= {"gt": 0, "le": LONGEST_SECONDS}
    elif kind in (int, float):
        noted |= {
            "ge": says.least if says.web_least is None else says.web_least,
            "le": says.most if says.web_most is None else says.web_most,
        }
    elif field.is_several:
        kind = tuple[str, ...]
    elif kind is not bool:
        kind = str
    return Parameter(
        field.name, Parameter.KEYWORD_ONLY, annotation=Annotated[kind, Query(**noted)],
        default=Parameter.empty if field.is_needed else default,
    )  # fmt: skip


def _resolved(field: Field, value: Any, site: Site, corpus: Corpus) -> Any:
    """Return a value in which names of texts and lists are the server's own: no other files."""
    if field.says.names == "text":
        return text_here(site, corpus, value)
    if field.says.names == "list":
        return lists_here(corpus, value)
    if field.name in ("sources", "publications"):
        return tuple(each for each in value if each)
    return value


def lists_here(corpus: Corpus, names: Iterable[str]) -> tuple[str, ...]:
    """Return lists that readers may use: no other files of the server's."""
    known = own_lists(corpus.path)
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
        call = Call(case.command, case.method, tuple(f.address for f in fields if f.says.is_place))
        version = getattr(found, "snapshot", 0)
        base = str(request.base_url).rstrip("/")
        ways = analysis_ways(corpus.name, call, place, {}, version=version, base=base)
        content = {
            "corpus": corpus, "case": case, "fields": fields, "here": place, "found": found,
            "lines": getattr(found, case.lines, ()), "problem": problem, "ways": ways,
        }  # fmt: skip
        return site.pages.page(case.template, content, status=status)

    taken = [
        Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request),
        Parameter("corpus", Parameter.KEYWORD_ONLY, annotation=ThisCorpus),
        Parameter("site", Parameter.KEYWORD_ONLY, annotation=ThisSite),
        *(
            each.replace(default="") if each.default is Parameter.empty else each
            for each in map(_parameter, fields)
        ),
    ]
    page.__signature__ = Signature(taken, return_annotation=HTMLResponse)  # type: ignore[attr-defined]
    route = router.get(
        path, response_class=HTMLResponse, summary=case.summary, tags=["pages"],
        operation_id=f"{case.method}_page",
    )  # fmt: skip
    route(page)
