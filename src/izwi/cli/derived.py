"""Commands generated from use cases: options come from the request; the answer is printed."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from izwi.cases import TOOLS, cases_in, tools_in
from izwi.cases.case import (
    Case,
    Doing,
    Field,
    Written,
    fields_of,
    named,
    request_of,
    text_of,
    write_answer,
)
from izwi.cli.groups import GROUPS, AsJson, Chart, Command, Folder
from izwi.model.errors import QueryError

# Answers with a layout of their own: their types, and the functions that print them.
_SHOWN = {
    "Sketch": "tables:show_sketch",
    "SketchDifference": "tables:show_difference",
    "Thesaurus": "tables:show_thesaurus",
    "NewWords": "tables:show_new_words",
    "GoodExamples": "tables:show_examples",
    "Attestations": "tables:show_attestations",
    "RunReport": "render:show_report",
    "CorpusStatus": "render:show_status",
    "CorpusSummary": "render:show_summary",
    "CorpusCard": "render:show_card",
    "Ledger": "render:show_ledger",
    "Concordance": "render:show_concordance",
    "KwicLine": "render:show_line",
    "HostBias": "tables:show_bias",
    "Inventory": "tables:show_inventory",
    # A tuple of lines: by the name of its method.
    "sources": "render:show_sources",
    "doctor": "render:show_findings",
    "list_plugins": "render:show_plugins",
    "list_languages": "measures:show_languages",
    "Annotation": "measures:show_tokens",
    "TaggerScore": "measures:show_tagger",
    "Extraction": "measures:show_page",
    "Truth": "measures:show_truth",
    "ExtractorScores": "measures:show_extractors",
    "evaluate_copies": "measures:show_copies",
    "ngram_tables": "measures:show_ngrams",
    "agreements": "measures:show_agreements",
}
_By = Annotated[str, typer.Option("--by", help="Who does it; you, if absent.")]
_Html = Annotated[Path | None, typer.Option("--html", help="Write it with charts as an HTML page.")]
_OLDER = {"--who": "--by", "--svg": "--chart", "--plot": "--chart"}


class OlderNames(Command):
    """A command that also accepts former names of its options; help shows only the present ones."""

    older: Mapping[str, str] = _OLDER

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options under their present names."""
        end = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [*map(self._today, args[:end]), *args[end:]])

    def _today(self, word: str) -> str:
        name, is_given, value = word.partition("=")
        return f"{self.older.get(name, name)}{is_given}{value}"


def register(app: typer.Typer, module: str) -> None:
    """Add the commands of a module's use cases; two with the same command are one command."""
    by_command: dict[str, list[Case[Any, Any]]] = {}
    for case in _cases_of(module):
        if "command" not in case.by_hand:
            by_command.setdefault(case.command, []).append(case)
    for cases in by_command.values():
        _add(app, *sorted(cases, key=lambda case: bool(case.switch)))


def _cases_of(module: str) -> "Iterable[Case[Any, Any]]":
    return tools_in(module) if module in TOOLS else cases_in(module).values()


def _add(app: typer.Typer, case: Case[Any, Any], *others: Case[Any, Any]) -> None:
    def run(**given: Any) -> None:
        folder = given.pop("folder") if case.has_folder else None
        chosen = next((each for each in others if given[each.switch]), case)
        _refuse_what_is_missing(given, chosen, case, *others)
        _refuse_what_is_passed_over(given, chosen, case, *others)
        _answer(chosen, folder, given)

    taken = {each.name: each for each in _parameters(case, *others)}
    run.__signature__ = Signature(list(taken.values()))  # type: ignore[attr-defined]
    run.__annotations__ = {name: each.annotation for name, each in taken.items()}
    run.__doc__ = case.summary
    fields = [field for each in (case, *others) for field in fields_of(each.request)]
    older = {_option(old): _option(each.shown) for each in fields for old in each.says.also}
    group, _, name = case.command.rpartition(" ")
    (GROUPS[group] if group else app).command(
        name, epilog=f"Example: {case.example}",
        cls=type("CaseCommand", (OlderNames,), {"older": _OLDER | older}),
    )(run)  # fmt: skip


def _parameters(*cases: Case[Any, Any]) -> Iterator[Parameter]:
    """Yield a command's parameters; its first use case is the one meant without a switch."""
    first = cases[0]
    needed = [{field.name for field in fields_of(case.request)} for case in cases]
    if first.has_folder:
        yield _named("folder", Folder)
    if first.written and first.written.place:
        file = typer.Argument(help=first.written.place, metavar="FILE")
        yield _named("output", Annotated[Path, file])
    seen: set[str] = set()
    for case in cases:
        for field in fields_of(case.request):
            if field.name not in seen:
                seen.add(field.name)
                yield from _taken(field, is_needed=all(field.name in names for names in needed))
        if case.switch and case.switch not in {each.name for each in fields_of(case.request)}:
            flag = typer.Option(_option(case.switch), help=case.summary)
            yield _named(case.switch, Annotated[bool, flag], False)
    if "by" in first.context:
        yield _named("by", _By, "")
    for flag_name, told in first.flags.items():
        flag = typer.Option(_option(flag_name), help=told)
        yield _named(flag_name, Annotated[bool, flag], False)
    if first.written:
        yield from _written_by(first.written)
    if first.html:
        yield _named("html", _Html, None)
    if first.is_drawn:
        yield _named("chart", Chart, None)
    yield _named("as_json", AsJson, False)


def _written_by(written: Written) -> Iterator[Parameter]:
    """Yield the options of the function that makes the file, and the file."""
    for name, (default, told) in written.options.items():
        yield _named(name, Annotated[str, typer.Option(help=told)], default)
    if not written.place:
        file = typer.Option("--output", help="A file; standard output if absent.")
        yield _named("output", Annotated[Path | None, file], None)


def _named(name: str, kind: Any, default: Any = Parameter.empty) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind, default=default)


def _taken(field: Field, *, is_needed: bool) -> Iterator[Parameter]:
    says, (kind, default) = field.says, field.sent
    if says.file is not None and not says.file_option:
        kind = Path
    elif (field.is_several and says.read is None) or says.words:
        kind = list[str]
    elif Path in get_args(kind):
        kind = str if str in get_args(kind) else Path
    if says.prompt == "secret":
        stdin = typer.Option(f"{_option(field.shown)}-stdin", help=says.help)
        yield _named(field.name, Annotated[bool, stdin], False)
        return
    if field.is_needed and is_needed and not says.file_option:
        default = Parameter.empty
    elif field.is_needed or (kind in (Path, list[str]) and not isinstance(default, Path)):
        kind, default = kind | None, None
    yield _named(field.name, Annotated[kind, _noted(field)], default)
    if says.file_option:
        file = typer.Option(_option(says.file_option), help="A file of them.", metavar="FILE")
        yield _named(f"{field.name}_file", Annotated[Path | None, file], None)


def _noted(field: Field) -> Any:
    says = field.says
    shared: dict[str, Any] = {"help": says.help, "metavar": says.metavar or None}
    if says.is_place:
        return typer.Argument(**shared)
    name = _option(field.shown)
    both = f"{name}/--no-{name.removeprefix('--')}" if field.default is True else name
    return typer.Option(both, envvar=says.env or None, prompt=bool(says.prompt), **shared)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _refuse_what_is_missing(
    given: Mapping[str, Any], chosen: Case[Any, Any], *cases: Case[Any, Any]
) -> None:
    """Raise QueryError if a required value is missing, or belongs to another use case."""
    if len(cases) == 1:
        return
    switch = next(_option(case.switch) for case in cases if case.switch)
    for case in cases:
        for field in fields_of(case.request):
            if not field.is_needed:
                continue
            place = (field.says.metavar or field.name).upper()
            name = place if field.says.is_place else _option(field.shown)
            if case is chosen and not given[field.name]:
                raise QueryError(f"Give {name}, or {switch}.")
            is_known = field.name in {each.name for each in fields_of(chosen.request)}
            if case is not chosen and given[field.name] and not is_known:
                raise QueryError(f"Give {name} or {switch}, not both.")


def _refuse_what_is_passed_over(
    given: Mapping[str, Any], chosen: Case[Any, Any], *cases: Case[Any, Any]
) -> None:
    """Raise QueryError if an option says something to another use case: it would do nothing."""
    known = {field.name for field in fields_of(chosen.request)}
    for case in cases:
        for field in fields_of(case.request):
            value = given.get(field.name)
            # What may come from the environment is said of the machine, not to one use case.
            if field.name in known or not value or value == field.sent[1] or field.says.env:
                continue
            name = _option(field.shown)
            if case.switch:
                raise QueryError(f"{name} works only with {_option(case.switch)}.")
            raise QueryError(f"{name} works only without {_option(chosen.switch)}.")


def _answer(case: Case[Any, Any], path: Path | None, given: dict[str, Any]) -> None:
    from izwi.cases.corpus import perform_at, work_lean
    from izwi.cli import render

    if case.policy.holds in ("lock", "process"):
        work_lean()

    is_json = given["as_json"]
    with render.progress(is_quiet=is_json) as listener:
        values = {each.name: _value(each, given) for each in fields_of(case.request)}
        request = request_of(case, values)
        doing = Doing(listener=listener, who=given.get("by", ""))
        answer = perform_at(case, path, request, doing)
    _keep(case, answer, given)
    if case.written and (case.written.place or not is_json):
        _write(case.written, answer, given)
    elif is_json:
        render.show_json(case.for_programs(answer))
    else:
        _show(case, request, answer, path, {name: given[name] for name in case.flags})
    if case.exit is not None and (status := case.exit(answer)):
        raise typer.Exit(status)


def _value(field: Field, given: Mapping[str, Any]) -> Any:
    """Return a field's value, as given or read from the file that was given."""
    says, value = field.says, given[field.name]
    if says.prompt == "secret":
        return sys.stdin.readline().rstrip("\r\n") if value else _prompted(field)
    if value is None and not field.is_needed:
        value = field.default
    elif says.has_stdin and value == "-":
        value = sys.stdin.read()
    elif says.has_stdin and _is_file(value):
        value = _text_in(Path(value))
    elif field.is_several and Path in get_args(field.type):
        value = tuple(map(Path, value))
    elif says.file is not None and not says.file_option:
        value = says.file(value)
    elif says.words is not None:
        value = says.words(value)
    if says.file is not None and says.file_option and given[f"{field.name}_file"]:
        return (*(value or ()), *says.file(given[f"{field.name}_file"]))
    return value


def _is_file(text: str) -> bool:
    """Whether a text is the name of a file that is there."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # longer than a name may be, say
        return False


def _text_in(path: Path) -> str:
    from izwi.cli.render import errors

    errors.print(f"note: {path} is a file; its text is read.", soft_wrap=True, markup=False)
    return text_of(path)


def _prompted(field: Field) -> Any:
    return typer.prompt(field.shown.capitalize(), hide_input=True, confirmation_prompt=True)


def _keep(case: Case[Any, Any], answer: Any, given: Mapping[str, Any]) -> None:
    """Write the files requested in addition to the answer: a chart, a page."""
    chart, page = given.get("chart"), given.get("html")
    if chart is not None:
        from izwi.cli.render import errors
        from izwi.presentation.answer_charts import svg_of

        write_answer(chart, svg_of(answer))
        errors.print(f"Drew {chart}.", soft_wrap=True, markup=False)
    if page is not None:
        write_answer(page, named(case.html)(answer))


def _write(written: Written, answer: Any, given: Mapping[str, Any]) -> None:
    """Write an answer into a file or to standard output, and say so."""
    from izwi.cli import render

    options = {name: given[name] for name in written.options}
    content = named(written.content)(answer, **options)
    if given["output"] is None:
        sys.stdout.buffer.write(content)
        return
    write_answer(given["output"], content)
    if given["as_json"]:
        render.show_json({"pages": len(answer)})
        return
    told = written.told.format(number=len(answer), file=given["output"], **options)
    render.out.print(told, markup=False, soft_wrap=True)


def _show(
    case: Case[Any, Any], asked: Any, answer: Any, folder: Path | None, flags: Mapping[str, bool]
) -> None:
    name = type(answer).__name__
    tells = case.none if case.none and not answer else case.tells
    if tells is not None:
        from izwi.cli import render

        for line in tells(asked, answer, folder or Path()):
            render.out.print(line, markup=False, soft_wrap=True)
    elif case.columns:
        from izwi.cli import tables

        tables.show_columns(case.columns, getattr(answer, case.lines) if case.lines else answer)
    elif isinstance(answer, str):
        sys.stdout.write(answer)
    elif case.method in _SHOWN or name in _SHOWN:
        show = named(f"izwi.cli.{_SHOWN.get(name) or _SHOWN[case.method]}")
        known = {"asked": asked, "folder": folder}
        wanted = signature(show).parameters
        show(answer, **{key: known[key] for key in known if key in wanted}, **flags)
    else:
        from izwi.cli import tables

        tables.show(answer)
