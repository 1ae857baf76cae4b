"""Groups of commands that several topics fill: each topic adds its own to these."""

import typer

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
