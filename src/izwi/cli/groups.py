"""What commands have in common: groups, arguments, and a fast path for values.

Typer asks pydantic about every option, even those left at their defaults, which took a fifth of the
time of a short command. Values that are plainly right are therefore accepted here; typer judges the
others, in its own words.
"""

import os
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from typer.core import TyperCommand, TyperGroup

from izwi.model.errors import QueryError, no_corpus
from izwi.model.notation import is_text


class Command(TyperCommand):
    """A command that does not load pydantic for options that need no validation."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return its options and arguments."""
        return take_plain_values(super().get_params(ctx))


class Group(TyperGroup):
    """A group whose help shows the whole summary of each command."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options before the command."""
        return take_plain_values(super().get_params(ctx))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each command's name and summary."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, each.get_short_help_str(500)) for name, each in commands if each]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


_HELP = {
    "sources": "The places pages come from.",
    "labels": "Labels of pages, for training.",
    "train": "Make models from samples and labels.",
    "evaluate": "Measure parts of izwi against gold data.",
    "import": "Take in what was collected elsewhere.",
    "report": "Reports about a corpus.",
    "language": "Language packs: all that is known of a language.",
    "subcorpora": "Parts of a corpus, saved by name.",
    "portal": "Rules for the pages of one source.",
    "curate": "Decisions against the rules, and the record.",
    "settings": "Keys of corpus.toml, tried and changed.",
    "headwords": "Headwords that are watched for earlier dates.",
    "audit": "Random samples judged by people.",
    "users": "Accounts of the web server.",
}
GROUPS = {name: typer.Typer(help=told, no_args_is_help=True) for name, told in _HELP.items()}
# All commands of izwi; those of a group are in GROUPS.
ALL = typer.Typer()
for _name, _group in GROUPS.items():
    ALL.add_typer(_group, name=_name)
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


_NOT_PLAIN = object()
# What most systems take for a name, and what fits into 64 bits.
_LONGEST_PATH, _LONGEST_NUMBER = 4096, 18


class PlainFirst:
    """Accepts plain values of a parameter and leaves all others to typer."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value of a parameter in the type that its command expects."""
        _refuse_what_nobody_means(value, param)
        plain = _plain(value, param)
        if plain is not _NOT_PLAIN:
            return plain
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def take_plain_values(params: list[Any]) -> list[Any]:
    """Make parameters ask typer only about unusual values, and return them."""
    for param in params:
        # Releases of typer that have no such attribute do not ask pydantic either.
        if hasattr(param, "_runtime_param"):
            param._runtime_param = PlainFirst()
    return params


def _refuse_what_nobody_means(value: Any, param: Any) -> None:
    """Raise QueryError for what no command can use, in fewer words than typer's."""
    annotation = param.type_descriptor.annotation
    kinds = (annotation, *get_args(annotation))
    name = param.opts[0] if param.param_type_name == "option" else param.name.upper()
    for each in value if isinstance(value, list | tuple) else (value,):
        if not isinstance(each, str):
            continue
        # Names of files may be in another encoding.
        if not is_text(each) and (Path not in kinds or "\0" in each):
            raise QueryError(f"{name} is no text: it holds bytes that are no characters.")
        if Path in kinds and len(each) > _LONGEST_PATH:
            raise QueryError(f"{name} is too long for the name of a file: {each[:40]}...")
        if int in kinds and len(each) > _LONGEST_NUMBER:
            raise QueryError(f"{name} is no number that can be used: {each[:40]}...")


def _plain(value: Any, param: Any) -> Any:
    described = param.type_descriptor
    info, kind = described.parameter_info, described.annotation
    is_several = param.multiple or param.nargs == -1
    if value is None:
        return () if is_several else None
    if info.parser is not None or is_several is not isinstance(value, list | tuple):
        return _NOT_PLAIN
    if not is_several:
        return _plain_one(value, kind, info)
    (kind,) = get_args(kind) or (None,)
    found = [_plain_one(each, kind, info) for each in value]
    return _NOT_PLAIN if _NOT_PLAIN in found else found


def _plain_one(value: Any, kind: Any, info: Any) -> Any:
    if kind is str and isinstance(value, str) and is_text(value):
        return value
    if kind in (int, float):
        return _plain_number(value, kind, info)
    if kind is Path and isinstance(value, str | Path):
        return _plain_path(str(value), info)
    return _NOT_PLAIN


def _plain_number(value: Any, kind: type[int | float], info: Any) -> Any:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        value = kind(value)
    if type(value) is not kind or info.clamp:
        return _NOT_PLAIN
    is_low = info.min is not None and value < info.min
    return _NOT_PLAIN if is_low or (info.max is not None and value > info.max) else value


def _plain_path(value: str, info: Any) -> Any:
    has_wishes = info.resolve_path or info.writable or info.path_type or info.allow_dash
    if has_wishes or not (info.file_okay and info.dir_okay and is_text(value)):
        return _NOT_PLAIN
    is_right = os.access(value, os.R_OK) or not (info.exists or os.path.lexists(value))
    return Path(value) if is_right else _NOT_PLAIN


def _there(context: typer.Context, folder: Path) -> Path:
    """Report a folder that is no corpus at once, before anything heavy is imported."""
    is_address = ":/" in str(folder)  # an object store's; what is wrong with it is said there
    if not context.resilient_parsing and not is_address and not (folder / "corpus.toml").exists():
        raise no_corpus(folder)
    return folder


Folder = Annotated[
    Path, typer.Argument(help="The corpus folder.", metavar="FOLDER", callback=_there)
]
Proxy = Annotated[
    str, typer.Option(help="HTTP proxy for all requests.", envvar="IZWI_PROXY", metavar="URL")
]
Workers = Annotated[
    int, typer.Option(help="Processes; 0 is one per core.", envvar="IZWI_WORKERS", min=0)
]
Chart = Annotated[
    Path | None, typer.Option("--chart", help="Draw it into an SVG file.", metavar="FILE")
]
