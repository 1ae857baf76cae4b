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
}
GROUPS = {name: typer.Typer(help=told, no_args_is_help=True) for name, told in _HELP.items()}
train_app, evaluate_app, report_app = GROUPS["train"], GROUPS["evaluate"], GROUPS["report"]


def register(app: typer.Typer) -> None:
    """Add the groups to `izwi`."""
    for name, group in GROUPS.items():
        app.add_typer(group, name=name)
