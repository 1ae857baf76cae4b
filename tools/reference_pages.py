"""Reference pages of the HTTP interface, of Python and of export formats, made from the code."""

import ast
import inspect
from typing import Any

from make_methods import stub_source

import izwi
from izwi.cases import all_cases
from izwi.export.conllu import COMMENTS
from izwi.export.parquet import SCHEMA
from izwi.export.vertical import DOCUMENT
from izwi.model.reasons import all_reasons, all_stages, with_settings
from izwi.presentation.quotations import COLUMNS, QUOTATION_FORMATS
from izwi.service.exporting import FORMATS, WACZ
from izwi.web.app import create_app


def http(generated: str) -> str:
    """Return the page of the HTTP interface."""
    parts = [
        "# HTTP",
        generated,
        "Everything is below the address of the site, by default `http://127.0.0.1:8000`. Answers are JSON unless a page or a file is named; "
        "errors are problem details (RFC 9457). Routes marked *curator* need `Authorization: Bearer` with the token in `IZWI_CURATOR_TOKEN`. "
        "The site describes itself at `/openapi.json`.",
    ]
    for path, methods in sorted(create_app([]).openapi()["paths"].items()):
        for method, route in methods.items():
            parts += _route(f"{method.upper()} {path}", route)
    return "\n\n".join(parts) + "\n"


def _route(name: str, route: dict[str, Any]) -> list[str]:
    about = (route.get("description") or route.get("summary") or "").split("\n\n")[0]
    mark = " (*curator*)" if route.get("security") else ""
    parts = [f"## {name}", f"{' '.join(about.split())}{mark}"]
    rows = [_parameter(each) for each in route.get("parameters", []) if each["in"] != "header"]
    if rows:
        head = ["| parameter | in | meaning | default |", "|---|---|---|---|"]
        parts.append("\n".join([*head, *rows]))
    return parts


def _parameter(parameter: dict[str, Any]) -> str:
    schema = parameter.get("schema", {})
    default = schema.get("default")
    shown = "" if default in (None, "", []) else f"`{default}`"
    about = parameter.get("description") or schema.get("description") or ""
    needed = "required" if parameter.get("required") and parameter["in"] == "query" else shown
    return f"| `{parameter['name']}` | {parameter['in']} | {_plain(about)} | {needed} |"


def python(generated: str) -> str:
    """Return the page of the Python interface."""
    parts = [
        "# Python",
        generated,
        "`import izwi`, then `izwi.open(folder)`: a corpus, best in a `with` block. Results are frozen dataclasses; lists of lines are "
        "sequences, many with `.df()` (pandas) and `.pl()` (polars). Every error is an `izwi.IzwiError` with a sentence for people.",
        "## The package",
        "\n".join(["| name | what it does |", "|---|---|", *map(_public, sorted(izwi.__all__))]),
        "## The corpus",
    ]
    methods = ast.parse(stub_source()).body[-1]
    assert isinstance(methods, ast.ClassDef)
    found = {each.name: each for each in methods.body if isinstance(each, ast.FunctionDef)}
    for name in sorted(all_cases()):
        parts += [f"### corpus.{name}", f"```text\n{_signature(found[name])}\n```"]
        parts.append((ast.get_docstring(found[name]) or "").strip())
    return "\n\n".join(parts) + "\n"


def _public(name: str) -> str:
    found = getattr(izwi, name)
    about = (inspect.getdoc(found) or "").split("\n")[0] if callable(found) else ""
    return f"| `izwi.{name}` | {_plain(about)} |"


def _signature(function: ast.FunctionDef) -> str:
    """Return a signature as the source has it: the same with every version of Python."""
    function.args.args = function.args.args[1:]
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({ast.unparse(function.args)}){returns}"


def reasons(generated: str) -> str:
    """Return the reasons for which a page may not be in the corpus."""
    rows = [f"| `{reason}` | {with_settings(reason)} |" for reason in all_reasons()]
    stages = [f"| {name} | `{key}` | {words} |" for key, (name, words) in all_stages().items()]
    parts = [
        "# Reasons",
        generated,
        "Why a page is not in a corpus, as `izwi drops` and the curators' pages name it. `http-404` and the like say what "
        "the site answered. Behind the colon stands the setting that bounds it.",
        "\n".join(["| reason | in words |", "|---|---|", *rows]),
        "## Stages\n\nWhat decides: the section of corpus.toml that says how. `izwi status`, progress and the curators' pages name a stage so, with a "
        "number where several stages do what one section says; `izwi drops` counts those together. Files and `--json` have the short name.",
        "\n".join(["| stage | in files | what it does |", "|---|---|---|", *stages]),
    ]
    return "\n\n".join(parts) + "\n"


def formats(generated: str) -> str:
    """Return the page of the formats of exports and quotations."""
    exports = [f"| `{name}` | {kind.about} |" for name, kind in FORMATS.items()]
    columns = [f"| `{each.name}` | {each.type} |" for each in SCHEMA]
    quotes = [
        f"| `{name}` | `.{form.suffix}` | `{form.media_type}` | {form.about} |"
        for name, form in QUOTATION_FORMATS.items()
    ]
    parts = [
        "# Formats of exports and quotations",
        generated,
        "[How to export](../how-to/export.md), [why they are as they are](../explanation/export.md), [files of a corpus](files.md).",
        "## Exports",
        "\n".join(
            ["| format | what it is |", "|---|---|", *exports, f"| `{WACZ}` | the raw captures |"]
        ),
        "## Columns of JSON Lines and Parquet",
        "CSV has the same but for `text` and `kinds`, lists joined by `; `.",
        "\n".join(["| column | type |", "|---|---|", *columns]),
        "## Attributes of `doc` in vertical text",
        ", ".join(f"`{name}`" for name in DOCUMENT) + ".",
        "## Comments of a document in CoNLL-U",
        "`newdoc id`, then, where they are known, "
        + ", ".join(f"`{name}`" for name in COMMENTS)
        + "; `newpar`, and `kind` where a paragraph is no `p`.",
        "## Quotations",
        "\n".join(["| format | file | media type | what it is |", "|---|---|---|---|", *quotes]),
        "Columns of tables: " + ", ".join(f"`{name}`" for name in COLUMNS) + ".",
    ]
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("|", "or")
