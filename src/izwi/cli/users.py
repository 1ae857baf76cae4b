"""`izwi users`: who may sign in to the web server."""

import sys
from typing import Annotated

import typer

from izwi.cli.groups import AsJson

users_app = typer.Typer(help="Accounts of the web server.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="The name to sign in with.", metavar="NAME")]
PasswordStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input.")
]


def register(app: typer.Typer) -> None:
    """Add the commands of this file to `izwi`."""
    users_app.command("add", epilog="Example: izwi users add thandi --role curator")(add)
    users_app.command("list", epilog="Example: izwi users list")(show)
    users_app.command("remove", epilog="Example: izwi users remove thandi")(remove)
    users_app.command("password", epilog="Example: izwi users password thandi")(password)
    users_app.command("token", epilog="Example: izwi users token thandi --label backup")(token)
    app.add_typer(users_app, name="users")


def add(
    name: Name,
    role: Annotated[str, typer.Option(help="reader or curator.")] = "reader",
    password_stdin: PasswordStdin = False,
    as_json: AsJson = False,
) -> None:
    """Make an account; the password is asked for."""
    from typing import cast

    from izwi.cases.accounts import Accounts, accounts_path
    from izwi.model.accounts import Role

    secret = _password(password_stdin)
    user = Accounts(accounts_path()).add(name, secret, cast(Role, role))
    _say(f"Made the {user.role} '{user.name}'.", user, as_json)


def show(as_json: AsJson = False) -> None:
    """List the accounts."""
    from izwi.cases.accounts import Accounts, accounts_path
    from izwi.cli import render

    users = Accounts(accounts_path()).users()
    if as_json:
        render.show_json(users)
        return
    for user in users:
        render.out.print(f"{user.name}\t{user.role}\t{user.made}", markup=False)


def remove(name: Name, as_json: AsJson = False) -> None:
    """Remove an account with its sessions and tokens."""
    from izwi.cases.accounts import Accounts, accounts_path

    Accounts(accounts_path()).remove(name)
    _say(f"Removed '{name}'.", {"removed": name}, as_json)


def password(name: Name, password_stdin: PasswordStdin = False, as_json: AsJson = False) -> None:
    """Change a password and end the account's sessions."""
    from izwi.cases.accounts import Accounts, accounts_path

    Accounts(accounts_path()).change_password(name, _password(password_stdin))
    _say(f"Changed the password of '{name}'.", {"changed": name}, as_json)


def token(
    name: Name,
    label: Annotated[str, typer.Option(help="What it is for.")] = "",
    days: Annotated[int, typer.Option(help="How long it is good.", min=1, max=3660)] = 90,
    as_json: AsJson = False,
) -> None:
    """Make a token for programs; it is shown once."""
    from izwi.cases.accounts import Accounts, accounts_path

    secret = Accounts(accounts_path()).make_token(name, label, days=days)
    _say(secret, {"token": secret}, as_json)


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    asked: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    return asked


def _say(sentence: str, row: object, as_json: bool) -> None:
    from izwi.cli import render

    if as_json:
        render.show_json(row)
    else:
        render.out.print(sentence, markup=False, soft_wrap=True)
