"""Who may sign in to the web server: accounts as their owner makes and changes them."""

from typing import TYPE_CHECKING, Annotated, Literal

from izwi.cases.case import Says, each_as, place, sentence
from izwi.cases.functions import function_case
from izwi.model.accounts import TOKEN_DAYS, User

if TYPE_CHECKING:
    from izwi.cases.accounts import Accounts

TOPIC = "Accounts"
Name = Annotated[str, place("The name to sign in with.", metavar="NAME")]
Password = Annotated[str, Says("Read the password from standard input.", prompt="secret")]


def add_user(
    name: Name,
    *,
    role: Annotated[Literal["reader", "curator"], Says("reader or curator.")] = "reader",
    password: Password,
) -> User:
    """Make an account; the password is asked for."""
    return _accounts().add(name, password, role)


def users() -> tuple[User, ...]:
    """List the accounts."""
    return _accounts().users()


def remove_user(name: Name) -> str:
    """Remove an account with its sessions and tokens."""
    _accounts().remove(name)
    return name


def change_password(name: Name, *, password: Password) -> str:
    """Change a password and end the account's sessions."""
    _accounts().change_password(name, password)
    return name


def make_token(
    name: Name,
    *,
    label: Annotated[str, Says("What it is for.")] = "",
    days: Annotated[int, Says("How long it is good.", least=1, most=3660)] = TOKEN_DAYS,
) -> str:
    """Make a token for programs; it is shown once."""
    return _accounts().make_token(name, label, days=days)


def _accounts() -> "Accounts":
    from izwi.cases.accounts import Accounts, accounts_path

    return Accounts(accounts_path())


FUNCTIONS = (
    function_case(add_user, "users add", "thandi --role curator", TOPIC,
                  tells=sentence("Made the {answer.role} '{answer.name}'.")),
    function_case(users, "users list", "", TOPIC, tells=each_as("{0.name}\t{0.role}\t{0.made}")),
    function_case(remove_user, "users remove", "thandi", TOPIC, key="removed",
                  tells=sentence("Removed '{answer}'.")),
    function_case(change_password, "users password", "thandi", TOPIC, key="changed",
                  tells=sentence("Changed the password of '{answer}'.")),
    function_case(make_token, "users token", "thandi --label backup", TOPIC, key="token",
                  tells=sentence("{answer}")),
)  # fmt: skip
