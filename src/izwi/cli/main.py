"""The program `izwi`: its commands by name. A command's module is imported only when it is used."""

import atexit
import gc
import os
import re
import signal
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NamedTuple, NoReturn

import typer
import typer.main
from typer.core import TyperCommand

from izwi.cli.groups import ALL, Command, Group
from izwi.model.accounts import Actor, acting, user_here
from izwi.model.errors import (
    IzwiError,
    QueryError,
    StoreError,
    Terminated,
    environment_error,
    missing_extra,
)

# The modules of commands, in the order of --help.
MODULES = (
    "cases.language_tools", "cases.collection_tools", "cases.page_tools", "cases.users",
    "cases.lines", "cases.counts", "cases.words", "cases.documents", "cases.reports",
    "cases.runs", "cases.takedown", "cases.sources", "cases.labels", "cases.curation",
    "cases.backup", "cases.corpora", "services", "assistant",
)  # fmt: skip


class Entry(NamedTuple):
    """A command before it is imported: its modules and its summary."""

    modules: tuple[str, ...]
    summary: str


@cache
def catalogue() -> dict[str, Entry]:
    """Return izwi's commands by name, from the table that tools/generate_reference.py writes."""
    table = Path(__file__).with_name("commands.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines())
    return {name: Entry(tuple(modules.split()), summary) for name, modules, summary in rows}


class Commands(Group):
    """All commands; an interrupted one says so, where typer would be silent."""

    is_listing = False

    @property
    def commands(self) -> dict[str, Any]:
        """All commands by name, each imported."""
        return {name: _command(name, entry.modules) for name, entry in catalogue().items()}

    @commands.setter
    def commands(self, given: object) -> None:
        """Ignore what typer sets: the catalogue has the commands."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command in the name of this user, or of the one for whom a server started it."""
        who = os.environ.get("IZWI_WHO", "")
        try:
            with acting(Actor(who or user_here(), "web" if who else "command")):
                return super().invoke(ctx)
        except EOFError as error:  # not of a prompt: those are typer's, who takes all for theirs
            raise StoreError(f"A file ends too early: {error}.") from error
        except KeyboardInterrupt as error:
            sys.stderr.write(_interrupted(error))
            raise typer.Exit(_status(error)) from None
        except typer.Abort as error:
            # A prompt says so little for Ctrl-C and for an end of input alike.
            if isinstance(error.__context__, EOFError):
                sys.stderr.write(_UNANSWERED)
                raise typer.Exit(2) from None
            sys.stderr.write("\n" + _interrupted(error))
            raise typer.Exit(130) from None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help from the catalogue: no command is imported for it."""
        self.is_listing = True
        super().format_help(ctx, formatter)
        self.is_listing = False

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands, plug-ins' last."""
        return [*catalogue(), *_plugged_in()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, imported now; only its name and summary while help is listing them."""
        entry = catalogue().get(cmd_name) or _plugged_in().get(cmd_name)
        if entry is None:
            return None
        if self.is_listing:
            return TyperCommand(cmd_name, help=entry.summary)
        return _command(cmd_name, entry.modules)


@cache
def _command(name: str, modules: tuple[str, ...]) -> Any:
    """Return a command, or a group with the commands that its modules add."""
    for module in modules:
        register(module)
    one = typer.Typer(rich_markup_mode=None)
    one.callback()(lambda: None)
    one.registered_commands = [each for each in ALL.registered_commands if _name(each) == name]
    one.registered_groups = [each for each in ALL.registered_groups if each.name == name]
    for command in one.registered_commands:
        _start_quickly(command)
    for group in one.registered_groups:
        group.cls = Group
        for command in group.typer_instance.registered_commands if group.typer_instance else ():
            _start_quickly(command)
    return typer.main.get_group(one).commands[name]


def _start_quickly(command: Any) -> None:
    """Make a command start without pydantic, unless its class does so already."""
    if command.cls is None or not issubclass(command.cls, Command):
        command.cls = Command


@cache
def register(module: str) -> None:
    """Import a module of commands and add them."""
    if module.startswith("cases."):
        from izwi.cli import derived

        derived.register(ALL, module.removeprefix("cases."))
        return
    import_module(f"izwi.cli.{module}")


def _plugged_in() -> dict[str, Entry]:
    """Return the commands of plug-ins (entry points `izwi.cases`), which the catalogue lacks."""
    from izwi.plugins import installed

    if not installed("izwi.cases"):
        return {}
    from izwi.cases import cases_in, plugged_in

    return {
        case.command: Entry((f"cases.{module}",), case.summary)
        for module in plugged_in()
        for case in cases_in(module).values()
    }


def _name(command: Any) -> str:
    return str(command.name or command.callback.__name__.replace("_", "-"))


# A sentence that names what was given need not say all of it.
_LONG_WORD = re.compile(r"(\S{200})\S{100,}")
_BY_SIGNAL = (128 + signal.SIGINT, 128 + signal.SIGTERM)
_UNANSWERED = "\nizwi: nobody is there to answer that. Give it as an option; --help lists them.\n"

app = typer.Typer(
    name="izwi",
    cls=Commands,
    help="Build, grow and search a web corpus, from a URL to a concordance line.",
    epilog="Try it offline: izwi demo",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        typer.echo(f"izwi {version('izwi')}")
        raise typer.Exit


@app.callback()
def izwi(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Accept the options before the command."""


def main() -> NoReturn:
    """Run a command; a user's error is printed as one sentence, with exit status 2."""
    signal.signal(signal.SIGTERM, _terminate)
    _collect_seldom()
    try:
        app()
    except IzwiError as error:
        _fail(error)
    except KeyboardInterrupt as error:
        sys.stderr.write(_interrupted(error))
        _leave(_status(error))
    except SystemExit as leaving:
        if leaving.code in _BY_SIGNAL:
            _leave(int(leaving.code))
        raise
    except BrokenPipeError:
        # The reader of a pipe went away (izwi query ... | head): nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _fail(environment_error(error) or StoreError(f"{error}."))
    except Exception as error:  # the command grade: a fault of ours, said in one sentence
        interrupt = _interrupt_behind(error)
        if interrupt is not None:
            sys.stderr.write(_interrupted(interrupt))
            _leave(_status(interrupt))
        if os.environ.get("IZWI_DEBUG"):
            raise
        known: IzwiError | None = environment_error(error)
        if isinstance(error, UnicodeEncodeError):
            known = StoreError("The name of a file holds bytes that are no characters; rename it.")
        if isinstance(error, UnicodeDecodeError):
            known = StoreError(f"A file cannot be read: {error}.")
        if known is None and isinstance(error, ImportError):
            known = missing_extra(error)
        if known is not None:
            _fail(known)
        words = f"{type(error).__name__}: {error}"
        _fail(IzwiError(f"{words}. This is a fault of izwi; IZWI_DEBUG=1 tells more."))
    sys.exit(0)


def _collect_seldom() -> None:
    """Collect garbage rarely, and not at exit: that was a tenth of a short command's time."""
    gc.set_threshold(50_000, 5, 10)
    atexit.register(gc.freeze)


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    """End on SIGTERM as on Ctrl-C: open files are closed, the report is written."""
    raise Terminated


def _interrupted(error: BaseException) -> str:
    """Return the sentence for a command that a signal ended: what stays, if that was noted."""
    noted = getattr(error, "__notes__", None)
    stays = noted[0] if noted else "what was committed is safe, and the same command goes on."
    return f"izwi: interrupted; {stays}\n"


def _leave(status: int) -> NoReturn:
    """End with a status of a signal.

    Python forgets it, and dies of SIGINT itself, where Ctrl-C met the making of a class.
    """
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def _interrupt_behind(error: BaseException | None) -> KeyboardInterrupt | None:
    """Return the interrupt behind another error, as when it struck while a class was made."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__
    return error


def _status(error: KeyboardInterrupt) -> int:
    """Return the exit status by which shells report that a signal ended a process."""
    return 128 + (signal.SIGTERM if isinstance(error, Terminated) else signal.SIGINT)


def _fail(error: IzwiError) -> NoReturn:
    if "--json" in sys.argv:
        import json

        row = {"error": {"type": type(error).__name__, "message": str(error), **_proposed(error)}}
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    said = [_LONG_WORD.sub(r"\1...", f"izwi: {error}"), *getattr(error, "__notes__", ())]
    sys.stderr.write("\n".join(said) + "\n")
    sys.exit(2)


def _proposed(error: IzwiError) -> dict[str, list[str]]:
    queries = error.proposals if isinstance(error, QueryError) else ()
    return {"proposals": list(queries)} if queries else {}
