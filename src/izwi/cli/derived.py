"""Commands made from the use cases: options from the request, and the answer shown."""

from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from izwi.cases.case import Case, Doing, Field, fields_of, request_of
from izwi.cases.registry import cases_in
from izwi.cli.options import AsJson, Chart, Folder
from izwi.model.errors import QueryError

# Answers that have a form of their own, by their types and the functions that print them.
_SHOWN = {
    "Sketch": "show_sketch",
    "SketchDifference": "show_difference",
    "Thesaurus": "show_thesaurus",
    "NewWords": "show_new_words",
}
# Their defaults come from the environment, as those of the commands made by hand.
_OUTPUT = {"chart": (Chart, None), "as_json": (AsJson, False)}


def register(app: typer.Typer, module: str) -> None:
    """Add the commands of the cases in a module."""
    for case in cases_in(module).values():
        if "command" not in case.by_hand:
            _add(app, case)


def _add(app: typer.Typer, case: Case[Any, Any]) -> None:
    def run(folder: Path, **given: Any) -> None:
        shown = {name: given.pop(name) for name in _OUTPUT if name in given}
        _answer(case, folder, given, **shown)

    parameters = [Parameter("folder", Parameter.KEYWORD_ONLY, annotation=Folder)]
    parameters += [_parameter(each) for each in fields_of(case.request)]
    for name, (kind, default) in _OUTPUT.items():
        if name != "chart" or case.is_drawn:
            parameters.append(
                Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind, default=default)
            )
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    run.__doc__ = case.summary
    app.command(case.command, epilog=f"Example: {case.example}")(run)


def _parameter(field: Field) -> Parameter:
    kind, default = field.sent
    says = field.says
    shared: dict[str, Any] = {"help": says.help, "metavar": says.metavar or None}
    if says.is_place:
        noted: Any = typer.Argument(**shared)
    else:
        noted = typer.Option(*(_option(each) for each in (field.shown, *says.also)), **shared)
    if says.is_file:
        kind, default = Path | None, None
    elif field.is_several:
        kind, default = list[str] | None, None
    elif kind == str | Path:
        kind = str
    return Parameter(
        field.name,
        Parameter.KEYWORD_ONLY,
        annotation=Annotated[kind, noted],
        default=Parameter.empty if field.is_needed else default,
    )


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _answer(
    case: Case[Any, Any],
    path: Path,
    given: dict[str, Any],
    *,
    as_json: bool,
    chart: Path | None = None,
) -> None:
    from izwi.cases.performing import perform
    from izwi.cli import render
    from izwi.service.folder import CorpusFolder

    for field in fields_of(case.request):
        if field.says.is_file:
            given[field.name] = _lines(given[field.name])
    with render.progress(is_quiet=as_json) as listener:
        request = request_of(case, given)
        answer = perform(case, CorpusFolder(path), request, Doing(listener=listener))
    if chart is not None:
        from izwi.cli.drawing import draw

        draw(answer, chart)
    render.show_json(answer) if as_json else _show(case, answer)


def _show(case: Case[Any, Any], answer: Any) -> None:
    name = type(answer).__name__
    if case.columns:
        from izwi.cli import tables

        tables.show_columns(case.columns, getattr(answer, case.lines))
    elif name in _SHOWN:
        from izwi.cli import describing

        getattr(describing, _SHOWN[name])(answer)
    else:
        from izwi.cli import tables

        tables.show(answer)


def _lines(path: Path | None) -> tuple[str, ...]:
    if path is None:
        return ()
    try:
        return tuple(path.read_text(encoding="utf-8").split("\n"))
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"The stop list {path} cannot be read: {error}.") from None
