"""Write the reference pages that the code itself can tell; a test checks that they are current.

python tools/generate_reference.py            writes docs/reference/*.md
python tools/generate_reference.py --check    says which pages are out of date
"""

import ast
import dataclasses
import inspect
import re
import sys
from pathlib import Path

import typer.main
from make_methods import METHODS, STUB, methods_source, stub_source
from reference_pages import formats, http, python, reasons
from surfaces import before_and_after

import izwi
from izwi import plugins
from izwi.cases import TOOLS, all_cases, tools_in
from izwi.cases.case import Case
from izwi.cli import groups
from izwi.cli import main as program
from izwi.cli.main import app
from izwi.config.load import SECTIONS
from izwi.model.portal import Portal, Rule

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference"
CATALOGUE = ROOT / "src" / "izwi" / "cli" / "commands.tsv"
GENERATED = "<!-- Made by tools/generate_reference.py from the code; change the code, then run ./run.sh docs. -->"


def catalogue() -> str:
    """Return the table from which `izwi --help` reads the commands, so that it imports none."""
    found: dict[str, list[str]] = {}
    for module in program.MODULES:
        before = _names_registered()
        program.register(module)
        for name in _names_registered() - before:
            found.setdefault(name.split()[0], []).append(module)
    order = [program._name(each) for each in groups.ALL.registered_commands]
    order += [str(each.name) for each in groups.ALL.registered_groups]
    return "".join(
        f"{name}\t{' '.join(dict.fromkeys(found[name]))}\t{_summary(name)}\n" for name in order
    )


def _names_registered() -> set[str]:
    own = {program._name(each) for each in groups.ALL.registered_commands}
    for group in groups.ALL.registered_groups:
        commands = group.typer_instance.registered_commands
        own |= {f"{group.name} {program._name(each)}" for each in commands}
    return own


def _summary(name: str) -> str:
    for command in groups.ALL.registered_commands:
        if program._name(command) == name:
            return (command.help or inspect.getdoc(command.callback) or "").partition("\n\n")[0]
    group = next(each for each in groups.ALL.registered_groups if each.name == name)
    return str(group.typer_instance.info.help)


def pages() -> dict[str, str]:
    """Return the generated pages by file name."""
    return {
        "configuration.md": configuration(),
        "cli.md": command_line(),
        "use-cases.md": use_cases(),
        "http.md": http(GENERATED),
        "python.md": python(GENERATED),
        "formats.md": formats(GENERATED),
        "reasons.md": reasons(GENERATED),
        "before-and-after.md": before_and_after(GENERATED),
    }


def configuration() -> str:
    parts = [
        "# corpus.toml",
        GENERATED,
        "One file describes a corpus. `izwi init` writes a commented one; a key nobody knows is an error with a "
        "suggestion. Settings of the machine (workers, proxy) are options of the commands and `IZWI_*` variables.",
    ]
    for name, kind in SECTIONS.items():
        parts += [f"## [{name}]", inspect.getdoc(kind) or "", _table(kind)]
    parts += [
        "## [[source]]",
        "One table for each source; `type` says which kind, the other keys belong to it. Any source may also have "
        "`paused = true`: nothing of it is fetched until the key is taken out (`izwi sources pause` and `resume`); "
        'and `publication = "The Herald"`: what readers see its documents as part of. Unset, it is what pages (`og:site_name`) and feeds call '
        "their site, and all documents of a site bear the name that most of them have.",
    ]
    for plugin in plugins.installed("izwi.sources"):
        kind = plugins.load("izwi.sources", plugin.name)
        parts += [f'### type = "{plugin.name}"', inspect.getdoc(kind) or "", _table(kind)]
    parts += [
        "### [source.portal]",
        "Rules for the pages of any source, in a table below it (see how-to/add-a-portal.md). A source with a `method` of "
        "its own may also have `options = { ... }` of that method.",
        inspect.getdoc(Portal) or "",
        _table(Portal),
        "Each of `rules` has these keys:",
        _table(Rule),
    ]
    parts += ["## Options of the extractors", "Given in `[extract]` as `options = { ... }`."]
    for plugin in plugins.installed("izwi.extractors"):
        kind = plugins.load("izwi.extractors", plugin.name).Options
        parts += [f'### method = "{plugin.name}"', inspect.getdoc(kind) or "", _table(kind)]
    return "\n\n".join(parts) + "\n"


def command_line() -> str:
    command = typer.main.get_command(app)
    parts = [
        "# The command line",
        GENERATED,
        "Every command takes `--json` for programs and `--help`. Exit status: 0 done, 1 done with failures, "
        "2 could not start (one sentence on standard error says why).",
    ]
    for path, one in _commands(command, ["izwi"]):
        parts += [f"## {' '.join(path)}", (one.help or "").strip(), _parameters(one), _example(one)]
    return "\n\n".join(part for part in parts if part) + "\n"


def use_cases() -> str:
    text = (
        "Everything a user does is one method of the corpus (`izwi.open(folder)`), one command and one route; they "
        "take the same arguments and give the same result. Routes that change a corpus need the curator's token."
    )
    parts = ["# Use cases", GENERATED, text]
    topics: dict[str, list[Case]] = {}
    for case in all_cases().values():
        topics.setdefault(case.topic, []).append(case)
    for title, cases in topics.items():
        parts += [f"## {title}", "\n".join(_cases_table(cases))]
    parts += [
        "## Without a corpus",
        "Functions, each with its command; those of the package are `izwi.NAME`, the others are imported from the module named. Nothing of it is "
        "offered over HTTP: they read and write files of this machine, or take long.",
        "\n".join(["| Python | command | what it does |", "|---|---|---|", *_tool_rows()]),
    ]
    return "\n\n".join(parts) + "\n"


def _tool_rows() -> list[str]:
    public = {(home, name): f"izwi.{alias}" for alias, (home, name) in izwi._HOMES.items()}
    rows = []
    for case in (each for module in TOOLS for each in tools_in(module)):
        home, name = case.do.__module__, case.method
        switch = f" --{case.switch.replace('_', '-')}" if case.switch else ""
        python = public.get((home, name), f"{home}.{name}")
        rows.append(f"| `{python}(...)` | `izwi {case.command}{switch}` | {case.summary} |")
    return rows


def _cases_table(cases: list[Case]) -> list[str]:
    return [
        "| Python | command | HTTP | what it does |",
        "|---|---|---|---|",
        *(
            f"| `corpus.{case.method}(...)` | `izwi {case.command}` | `{case.route}` | {case.summary} |"
            for case in cases
        ),
    ]


def _table(kind: type) -> str:
    comments = _comments(kind)
    rows = ["| key | type | default | meaning |", "|---|---|---|---|"]
    for field in dataclasses.fields(kind):
        name = re.sub(
            r"[|]",
            "or",
            str(
                field.type
                if isinstance(field.type, str)
                else getattr(field.type, "__name__", field.type)
            ),
        )
        rows.append(
            f"| `{field.name}` | {name} | {_default(field)} | {comments.get(field.name, '')} |"
        )
    return "\n".join(rows)


def _default(field: "dataclasses.Field[object]") -> str:
    if field.default is not dataclasses.MISSING:
        value = list(field.default) if isinstance(field.default, tuple) else field.default
        return f"`{value!r}`".replace("'", '"')
    return "required" if field.default_factory is dataclasses.MISSING else "empty"


def _comments(kind: type) -> dict[str, str]:
    """Return the comment above each field of a dataclass."""
    lines = inspect.getsource(kind).splitlines()
    tree = ast.parse(inspect.cleandoc("\n".join(lines))).body[0]
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            above = []
            number = node.lineno - 2
            while number >= 0 and lines[number].strip().startswith("#"):
                above.insert(0, lines[number].strip("# ").strip())
                number -= 1
            found[node.target.id] = " ".join(above)
    return found


def _commands(command, path):
    children = getattr(command, "commands", {})
    if not children:
        yield path, command
    for name, child in children.items():
        yield from _commands(child, [*path, name])


def _parameters(command) -> str:
    rows = ["| argument | meaning | default |", "|---|---|---|"]
    for parameter in command.params:
        if parameter.name == "help":
            continue
        flags = ", ".join(f"`{flag}`" for flag in [*parameter.opts, *parameter.secondary_opts])
        label = (
            flags
            if flags.startswith("`-")
            else f"`{parameter.metavar or (parameter.name or '').upper()}`"
        )
        default = parameter.default if isinstance(parameter.default, str | int | float) else ""
        shown = (
            ""
            if (default in ("", False, True) and not isinstance(default, int | float))
            or isinstance(default, bool)
            else f"`{default}`"
        )
        rows.append(f"| {label} | {getattr(parameter, 'help', '') or ''} | {shown} |")
    return "\n".join(rows)


def _example(command) -> str:
    example = (getattr(command, "epilog", "") or "").removeprefix("Example: ")
    return f"```sh\n{example}\n```" if example else ""


def main() -> int:
    stale = []
    made = {CATALOGUE: catalogue(), METHODS: methods_source(), STUB: stub_source()}
    if "--check" not in sys.argv:
        # The pages list the commands of the catalogue, so that it comes first.
        CATALOGUE.write_text(made[CATALOGUE], encoding="utf-8")
        program.catalogue.cache_clear()
    made |= {REFERENCE / name: text for name, text in pages().items()}
    for path, text in made.items():
        name = path.name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in sys.argv:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    sys.stdout.write("".join(f"{name}\n" for name in stale))
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
