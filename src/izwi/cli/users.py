"""`izwi users`: who may sign in to the web server."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from izwi.cli.groups import Answer, command

if TYPE_CHECKING:
    from izwi.cases.accounts import Accounts

Name = Annotated[str, typer.Argument(help="The name to sign in with.", metavar="NAME")]
PasswordStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input.")
]


@command("users add", "thandi --role curator")
def add(
    name: Name,
    role: Annotated[str, typer.Option(help="reader or curator.")] = "reader",
    password_stdin: PasswordStdin = False,
) -> Answer:
    """Make an account; the password is asked for."""
    secret = _password(password_stdin)
    user = _accounts().add(name, secret, role)  # type: ignore[arg-type]  # it is checked there
    return Answer(user, [f"Made the {user.role} '{user.name}'."])


@command("users list")
def show() -> Answer:
    """List the accounts."""
    users = _accounts().users()
    return Answer(users, (f"{user.name}\t{user.role}\t{user.made}" for user in users))


@command("users remove", "thandi")
def remove(name: Name) -> Answer:
    """Remove an account with its sessions and tokens."""
    _accounts().remove(name)
    return Answer({"removed": name}, [f"Removed '{name}'."])


@command("users password", "thandi")
def password(name: Name, password_stdin: PasswordStdin = False) -> Answer:
    """Change a password and end the account's sessions."""
    _accounts().change_password(name, _password(password_stdin))
    return Answer({"changed": name}, [f"Changed the password of '{name}'."])


@command("users token", "thandi --label backup")
def token(
    name: Name,
    label: Annotated[str, typer.Option(help="What it is for.")] = "",
    days: Annotated[int, typer.Option(help="How long it is good.", min=1, max=3660)] = 90,
) -> Answer:
    """Make a token for programs; it is shown once."""
    secret = _accounts().make_token(name, label, days=days)
    return Answer({"token": secret}, [secret])


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    asked: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    return asked


def _accounts() -> "Accounts":
    from izwi.cases.accounts import Accounts, accounts_path

    return Accounts(accounts_path())
