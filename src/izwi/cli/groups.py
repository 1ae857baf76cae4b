"""Groups of commands that several topics fill: each topic adds its own to these."""

import typer

train_app = typer.Typer(help="Make models from samples and labels.", no_args_is_help=True)
evaluate_app = typer.Typer(help="Measure parts of izwi against gold data.", no_args_is_help=True)
import_app = typer.Typer(help="Take in what was collected elsewhere.", no_args_is_help=True)
report_app = typer.Typer(help="Reports about a corpus.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the groups that have commands to `izwi`."""
    groups = {
        "train": train_app,
        "evaluate": evaluate_app,
        "import": import_app,
        "report": report_app,
    }
    for name, group in groups.items():
        if group.registered_commands:
            app.add_typer(group, name=name)
