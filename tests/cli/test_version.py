from importlib.metadata import version

from typer.testing import CliRunner

from izwi.cli.main import app


def test_the_version_is_one_line():
    result = CliRunner().invoke(app, ["--version"])

    assert (result.exit_code, result.stdout) == (0, f"izwi {version('izwi')}\n")


def test_commands_still_work_behind_it():
    assert "Print the version." in CliRunner().invoke(app, ["--help"]).stdout
    assert CliRunner().invoke(app, ["export", "--help"]).exit_code == 0
