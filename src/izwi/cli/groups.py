"""Groups of commands that several topics fill: each topic adds its own to these."""

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from izwi.cli.plain_values import take_plain_values


class Command(TyperCommand):
    """A command that starts without a validator where its options need none."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return its options and arguments."""
        return take_plain_values(super().get_params(ctx))


class Group(TyperGroup):
    """Commands whose help lists the summary of each whole."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options that stand before the command."""
        return take_plain_values(super().get_params(ctx))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the names and what each is for."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, each.get_short_help_str(500)) for name, each in commands if each]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


sources_app = typer.Typer(help="The places pages come from.", no_args_is_help=True)
labels_app = typer.Typer(help="Labels of pages, for training.", no_args_is_help=True)
train_app = typer.Typer(help="Make models from samples and labels.", no_args_is_help=True)
evaluate_app = typer.Typer(help="Measure parts of izwi against gold data.", no_args_is_help=True)
import_app = typer.Typer(help="Take in what was collected elsewhere.", no_args_is_help=True)
language_app = typer.Typer(
    help="Language packs: all that is known of a language.", no_args_is_help=True
)
report_app = typer.Typer(help="Reports about a corpus.", no_args_is_help=True)


GROUPS = {
    "sources": sources_app,
    "labels": labels_app,
    "train": train_app,
    "evaluate": evaluate_app,
    "import": import_app,
    "report": report_app,
    "language": language_app,
}


def register(app: typer.Typer) -> None:
    """Add the groups to `izwi`."""
    for name, group in GROUPS.items():
        app.add_typer(group, name=name)
