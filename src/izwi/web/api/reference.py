"""The page that documents every route, made from the application's own OpenAPI description."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse

from izwi.web.pages.addresses import quoted
from izwi.web.site import ThisSite, site_address

router = APIRouter(tags=["interface"])


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a route takes: its name, where it stands, and what it means."""

    name: str
    place: str
    type: str
    default: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Route:
    """A route as a reader sees it; `anchor` is its place on the page."""

    method: str
    path: str
    summary: str
    meaning: str
    group: str
    parameters: tuple[Parameter, ...]
    example: str
    anchor: str


@router.get("/api/docs", response_class=HTMLResponse, summary="This page")
def api_docs(request: Request, site: ThisSite) -> HTMLResponse:
    """List every route with its parameters and an example."""
    base = site_address(request)
    corpus = next(iter(site.corpora), "CORPUS")
    found = list(routes(request.app.openapi(), base=base, corpus=corpus))
    names = dict.fromkeys(route.group for route in found)
    groups = {name: [route for route in found if route.group == name] for name in names}
    content = {"groups": groups, "is_read_only": not site.has_curators}
    return site.pages.page("docs.html", content)


def routes(openapi: Mapping[str, Any], *, base: str, corpus: str) -> Iterator[Route]:
    """Yield every route of an OpenAPI description; examples begin with `base`."""
    for path, operations in openapi["paths"].items():
        for method, operation in operations.items():
            body = _body_schema(operation, openapi)
            place = _example_path(path.replace("{corpus}", corpus), operation)
            address = base + place + _example_query(operation)
            yield Route(
                method=method.upper(),
                path=path,
                summary=operation.get("summary", ""),
                meaning=operation.get("description", ""),
                group=operation.get("tags", ["interface"])[0],
                parameters=(*_parameters(operation), *_fields(body)),
                example=_example(method.upper(), operation, address),
                anchor=operation["operationId"],
            )


def _parameters(operation: Mapping[str, Any]) -> Iterator[Parameter]:
    for each in operation.get("parameters", ()):
        schema = each.get("schema", {})
        default = _default(schema, is_required=each.get("required", False))
        meaning = each.get("description", "")
        yield Parameter(each["name"], each["in"], _type(schema), default, meaning)


def _fields(schema: Mapping[str, Any]) -> Iterator[Parameter]:
    for name, field in schema.get("properties", {}).items():
        default = _default(field, is_required=name in schema.get("required", ()))
        yield Parameter(name, "body", _type(field), default, field.get("description", ""))


def _default(schema: Mapping[str, Any], *, is_required: bool) -> str:
    if is_required:
        return "required"
    default = schema.get("default")
    return "" if default in (None, "", []) else json.dumps(default)


def _type(schema: Mapping[str, Any]) -> str:
    """Return a type in words.

    >>> _type({"anyOf": [{"type": "integer"}, {"type": "null"}]})
    'integer'
    """
    kinds = [_type(each) for each in schema.get("anyOf", ()) if each.get("type") != "null"]
    if kinds:
        return " or ".join(kinds)
    if schema.get("type") == "array":
        return f"{_type(schema.get('items', {}))}, repeatable"
    return str(schema.get("type", ""))


def _body_schema(operation: Mapping[str, Any], openapi: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the description of a JSON body, empty for a route without one."""
    schema: Mapping[str, Any] = _body(operation).get("schema", {})
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    found: Mapping[str, Any] = openapi["components"]["schemas"][name] if name else schema
    return found


def _body(operation: Mapping[str, Any]) -> Mapping[str, Any]:
    content = operation.get("requestBody", {}).get("content", {})
    found: Mapping[str, Any] = content.get("application/json", {})
    return found


def _example_path(path: str, operation: Mapping[str, Any]) -> str:
    for name, value in _examples(operation, "path").items():
        path = path.replace(f"{{{name}}}", str(value))
    return path


def _example_query(operation: Mapping[str, Any]) -> str:
    given = _examples(operation, "query")
    return f"?{urlencode(given)}" if given else ""


def _examples(operation: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return the first example of each parameter that stands in one place of a request."""
    return {
        each["name"]: each["schema"]["examples"][0]
        for each in operation.get("parameters", ())
        if each["in"] == place and each.get("schema", {}).get("examples")
    }


def _example(method: str, operation: Mapping[str, Any], address: str) -> str:
    parts = ["curl", *([] if method == "GET" else ["-X", method])]
    if operation.get("security"):
        parts += ["-H", quoted("Authorization: Bearer TOKEN")]
    examples = _body(operation).get("schema", {}).get("examples") or []
    if examples:
        parts += ["-H", quoted("Content-Type: application/json")]
        parts += ["-d", quoted(json.dumps(examples[0]))]
    return " ".join([*parts, quoted(address)])
