"""Every use case has its command, its route and its documentation; every setting and group too."""

import ast
import dataclasses
import importlib
import inspect
import json
import pickle
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
import typer.main

import izwi
from izwi import plugins
from izwi.cases import TOOLS, all_cases, tools_in
from izwi.cases.case import Method, fields_of, named
from izwi.cases.corpus import Corpus, create_corpus
from izwi.cli.main import app as commands
from izwi.config.load import SECTIONS
from izwi.web.app import create_app
from izwi.web.pages.addresses import LONGEST_SECONDS, bounds_of

ROOT = Path(__file__).parent.parent
DOCS = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))


def service_methods() -> list[str]:
    """Return the public methods of the façade that do something for a user."""
    members = inspect.getmembers(Corpus, inspect.isroutine)
    return [name for name, _ in members if not name.startswith("_")]


@cache
def all_commands() -> dict[str, object]:
    return dict(_walk(typer.main.get_command(commands), ""))


def command_names() -> set[str]:
    return set(all_commands())


def _walk(command, name):
    children = getattr(command, "commands", {})
    if not children:
        yield name, command
    for child, one in children.items():
        yield from _walk(one, f"{name} {child}".strip())


@cache
def openapi() -> dict[str, dict]:
    return create_app([]).openapi()["paths"]


def routes() -> set[str]:
    return {f"{method.upper()} {path}" for path, methods in openapi().items() for method in methods}


@pytest.mark.parametrize("method", service_methods())
def test_every_service_method_is_a_documented_use_case(method):
    assert method in all_cases(), f"Corpus.{method} is no use case"
    assert inspect.getdoc(getattr(Corpus, method)), f"Corpus.{method} has no docstring"
    assert f"corpus.{method}(" in DOCS, f"Corpus.{method} is not in the documentation"


def test_a_method_takes_what_its_stub_says():
    stub = ast.parse((ROOT / "src/izwi/cases/methods.pyi").read_text(encoding="utf-8")).body[-1]
    typed = {each.name: each.args for each in stub.body if isinstance(each, ast.FunctionDef)}

    for name, method in inspect.getmembers(Corpus, lambda each: isinstance(each, Method)):
        taken = inspect.signature(method).parameters.values()
        places = [each.name for each in taken if each.kind is not each.KEYWORD_ONLY]
        named = [each.name for each in taken if each.kind is each.KEYWORD_ONLY]
        assert places == [each.arg for each in typed[name].args]
        assert named == [each.arg for each in typed[name].kwonlyargs]


def test_a_method_refuses_what_it_does_not_know(tmp_path):
    corpus = create_corpus(tmp_path / "news", contact="https://example.org/bot")

    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        corpus.versions(colour="red")
    with pytest.raises(TypeError, match="missing a required argument: 'query'"):
        corpus.concordance()


def test_no_command_route_or_method_of_before_is_lost_without_a_word(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    surfaces = importlib.import_module("surfaces")
    before = json.loads(surfaces.BEFORE.read_text(encoding="utf-8"))
    fewer = {**before, "routes": {**before["routes"], "GET /c/{corpus}/lost": []}}

    now = surfaces.surfaces()

    assert surfaces.unexplained(before, now) == []
    assert surfaces.unexplained(fewer, now) == [("routes", "GET /c/{corpus}/lost", "")]


@pytest.mark.parametrize("case", all_cases().values(), ids=lambda case: case.method)
def test_every_use_case_has_its_command_and_its_route(case):
    assert case.command in command_names()
    assert case.route in routes()


# Pages by hand, and the use cases whose questions they take.
_PAGES = {
    "conc": "concordance", "facets": "concordance", "docs": "documents", "trend": "trend",
    "compare": "compare", "coll": "collocations", "freq": "frequencies", "ngrams": "ngrams",
    "wordlist": "wordlist", "keywords": "keywords", "dispersion": "dispersion", "new": "new_words",
}  # fmt: skip


def _asked(description) -> dict[str, dict]:
    return {each["name"]: each for each in description.get("parameters", ())}


def _addresses() -> dict[str, str]:
    """Return the addresses that are asked by parameters, each with the use case behind it."""
    routed = {
        case.route.removeprefix("GET "): case.method
        for case in all_cases().values()
        if case.route.startswith("GET ") and "route" not in case.by_hand
    }
    pages = {f"/c/{{corpus}}/{page}": method for page, method in _PAGES.items()}
    derived = {
        f"/c/{{corpus}}/{case.page}": name for name, case in all_cases().items() if case.page
    }
    pages |= derived
    return routed | pages | {f"{page}.json": method for page, method in pages.items()}


@pytest.mark.parametrize(("address", "method"), sorted(_addresses().items()))
def test_an_address_says_of_a_parameter_what_its_use_case_says(address, method):
    sent = _asked(openapi()[address]["get"])
    fields = [each for each in fields_of(all_cases()[method].request) if not each.says.is_local]

    for field in fields:
        assert field.address in sent, f"{address} does not take {field.address}"
        schema, said = sent[field.address]["schema"], sent[field.address]["description"]
        assert said == field.says.help
        bounds = [(each.get("minimum"), each.get("maximum")) for each in _kinds(schema)]
        least, most = bounds_of(field).values()
        if field.name == "timeout":
            assert schema["default"] <= LONGEST_SECONDS
        elif not field.is_needed:
            assert (schema.get("default") or None) == (_plain(field.sent[1]) or None)
            assert field.sent[0] not in (int, int | None) or (least, most) in bounds


def _kinds(schema) -> list[dict]:
    return schema.get("anyOf", [schema])


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


TOOL_CASES = [case for module in TOOLS for case in tools_in(module)]


@pytest.mark.parametrize("case", [*all_cases().values(), *TOOL_CASES], ids=lambda case: case.method)
def test_a_command_says_of_an_option_what_its_use_case_says(case):
    if "command" in case.by_hand:
        pytest.skip("its command asks other things, too")
    taken = {each.name: each for each in all_commands()[case.command].params}

    for field in fields_of(case.request):
        option = taken[field.name]
        # Where a switch chooses between two use cases, the first says what the others take, too.
        assert option.help == field.says.help or case.switch
        given = option.default() if callable(option.default) else option.default
        if not field.is_needed:
            assert (given or None) in (field.sent[1] or None, None)


# Values that what does the work knows by a table, and the fields whose help names them.
_TABLES = {
    "concordance.sort": "izwi.model.reading:SORTS",
    "concordance.unit": "izwi.query.concordance:UNITS",
    "concordance.mode": "izwi.query.simple:MODES",
    "keywords.measure": "izwi.analyse.keywords:MEASURES",
    "collocations.measure": "izwi.analyse.collocations:SORTS",
    "trend.by": "izwi.model.analyses:PERIODS",
    "export.format": "izwi.service.exporting:FORMATS",
    "label_queue.order": "izwi.model.curation:ORDERS",
    "decide.decision": "izwi.model.lexicography:DECISIONS",
    "train_language.method": "izwi.text.language.new_language:METHODS",
}


@pytest.mark.parametrize(("field", "table"), _TABLES.items())
def test_the_help_of_a_field_names_every_value_it_takes(field, table):
    method, name = field.split(".")
    cases = {**all_cases(), **{case.method: case for case in TOOL_CASES}}
    (asked,) = [each for each in fields_of(cases[method].request) if each.name == name]
    words = set(re.findall(r"[\w-]+", asked.says.help))

    assert [each for each in named(table) if each not in words] == []


# Written by hand: their answer never ends, or they are a surface themselves.
_BY_HAND = {"watch", "serve", "demo", "mcp"}


def test_every_other_command_is_made_from_a_use_case():
    made = {case.command for case in (*all_cases().values(), *TOOL_CASES)}

    assert command_names() - made == _BY_HAND


# Functions of the package below the use cases, and the commands that take the same.
_ALIKE = {"annotate": "annotate", "extract": "extract", "create": "new_corpus"}


@pytest.mark.parametrize(("name", "method"), _ALIKE.items())
def test_a_function_of_the_package_has_the_defaults_of_its_command(name, method):
    home, function = izwi._HOMES[name]
    offered = inspect.signature(getattr(importlib.import_module(home), function)).parameters
    (case,) = [each for each in TOOL_CASES if each.method == method]
    fields = {each.name: each for each in fields_of(case.request) if not each.is_needed}

    shared = [each for each in fields if each in offered]

    assert shared
    for each in shared:
        assert (fields[each].default or None) == (offered[each].default or None), each


@pytest.mark.parametrize("module", TOOLS)
def test_the_help_of_a_command_without_a_corpus_loads_nothing_that_does_the_work(module):
    code = (
        "import sys; from izwi.cli.main import register\n"
        f"register('cases.{module}')\n"
        "heavy = ('numpy', 'pyarrow', 'lxml', 'pydantic', 'izwi.annotate', 'izwi.store')\n"
        "print([name for name in heavy if name in sys.modules])"
    )

    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert seen.stdout.strip() == "[]"


def test_help_in_python_shows_types_not_what_commands_say_of_them():
    shown = str(inspect.signature(izwi.identify))

    assert shown.startswith("(text: str, *, method: str = 'izwi', model: str | pathlib.Path | None")
    assert "Says" not in shown


def test_every_command_is_documented_with_an_example():
    for name in command_names():
        section = re.search(rf"^## izwi {name}$(.+?)(?=^## |\Z)", DOCS, re.MULTILINE | re.DOTALL)
        assert section, f"izwi {name} is not in the documentation"
        assert f"izwi {name}" in section[1].split("```sh")[-1], f"izwi {name} has no example"


def test_every_command_speaks_json():
    for name in command_names():
        command = typer.main.get_command(commands)
        for part in name.split():
            command = command.commands[part]
        assert "--json" in {option for parameter in command.params for option in parameter.opts}, (
            name
        )


def test_every_key_of_corpus_toml_is_documented():
    for section, kind in SECTIONS.items():
        for field in dataclasses.fields(kind):
            row = re.search(rf"^\| `{field.name}` \|.*\| (\S.+) \|$", DOCS, re.MULTILINE)
            assert row, f"[{section}] {field.name} has no description"


def test_every_built_in_group_of_plug_ins_is_documented():
    for group in plugins.GROUPS:
        if plugins.installed(group):
            assert f"`{group}`" in DOCS, group


def test_generated_pages_are_current():
    script = ROOT / "tools" / "generate_reference.py"

    checked = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, check=False
    )

    assert checked.stdout == "", "run ./run.sh docs and commit the pages"


def test_the_pages_of_the_documentation_build_and_link_to_each_other(tmp_path):
    script = ROOT / "tools" / "build_docs.py"
    subprocess.run([sys.executable, script, tmp_path], check=True, capture_output=True)

    for page in tmp_path.rglob("*.html"):
        for link in re.findall(r'(?:href|src)="([^":#]+)', page.read_text(encoding="utf-8")):
            target = (page.parent / link).resolve()
            assert target.exists() or (ROOT / target.relative_to(tmp_path.resolve())).exists(), (
                f"{page.name} links to {link}"
            )


def test_help_starts_without_loading_the_index_or_the_web():
    code = (
        "import sys, izwi.cli.main as m\n"
        "heavy = {'pyarrow', 'numpy', 'fastapi', 'aiohttp', 'pydantic', 'lxml'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )

    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert seen.stdout.strip() == "[]"


def test_a_question_loads_no_part_that_corpus_toml_names(tmp_path):
    (tmp_path / "corpus.toml").write_text(
        '[corpus]\nname = "small"\n[gather]\ncontact = "https://example.org/"\n'
        '[[source]]\ntype = "feed"\nname = "herald"\nurl = "https://example.org/feed"\n'
    )
    code = (
        "import sys, izwi\n"
        "with izwi.open(sys.argv[1]) as corpus:\n"
        "    corpus.concordance('word', sources=('herald',))\n"
        "heavy = ('fastapi', 'aiohttp', 'pydantic', 'lxml', 'izwi.gather', 'izwi.text.extract')\n"
        "print([name for name in heavy if name in sys.modules])"
    )

    seen = subprocess.run(
        [sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True
    )

    assert seen.stdout.strip() == "[]"


def test_the_architecture_page_draws_what_is_there():
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    source = ROOT / "src" / "izwi"
    packages = {path.parent.name for path in source.glob("*/__init__.py")}

    rooms = {f"web/{path.parent.name}" for path in source.glob("web/*/__init__.py")}
    named = set(re.findall(r"`([\w/]+)`", page[page.index("## Packages") :]))
    files = re.findall(r"`((?:\w+/)+\w+\.py)`", page)

    assert packages | rooms <= named, f"missing: {sorted((packages | rooms) - named)}"
    assert [name for name in files if not (source / name).exists()] == []
    assert len(files) > 40


def test_the_architecture_page_leads_newcomers_to_what_is_there():
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    part = page[page.index("## Where is it?") : page.index("## How large it is")]

    named = re.findall(r"`((?:\w+/)+\w+)\.py` `(\w+)`", part)

    assert len(named) > 10
    for module, name in named:
        home = importlib.import_module(f"izwi.{module.replace('/', '.')}")
        assert hasattr(home, name), f"{module}.py has no {name}"


@pytest.mark.parametrize("name", sorted(set(izwi._HOMES) - {"annotate"}))
def test_what_the_package_offers_can_be_sent_to_other_processes(name):
    offered = getattr(izwi, name)

    assert pickle.loads(pickle.dumps(offered)) is offered


def _loaded_by(path: Path, known: set[str]) -> set[str]:
    """Return the modules that a module imports when it is loaded itself."""
    found, waiting = set(), [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                continue
            if isinstance(node, ast.ImportFrom):
                inner = {f"{node.module}.{each.name}" for each in node.names}
                found |= (inner & known) or ({str(node.module)} & known)
            waiting.append(node)
    return found


def test_no_module_needs_itself_to_be_loaded():
    package = Path(izwi.__file__).parent
    homes = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts): path
        for path in package.rglob("*.py")
    }
    names = {name.removesuffix(".__init__"): path for name, path in homes.items()}

    order = TopologicalSorter(
        {name: _loaded_by(path, {*names} - {name}) for name, path in names.items()}
    )

    assert len([*order.static_order()]) == len(names)  # or graphlib.CycleError names the circle


def test_a_folder_has_no_two_classes_of_one_name_and_no_vague_modules():
    package = Path(izwi.__file__).parent
    homes: dict[tuple[str, str], list[str]] = {}
    for path in package.rglob("*.py"):
        assert path.stem not in {"shown", "asking", "choosing", "own", "growing", "utils"}, path
        for each in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(each, ast.ClassDef) and not each.name.startswith("_"):
                home = path.parent.relative_to(package).as_posix()
                homes.setdefault((home, each.name), []).append(path.name)

    assert {key: files for key, files in homes.items() if len(files) > 1} == {}
