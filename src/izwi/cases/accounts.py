"""Accounts of a server: made by its owner, used by readers and curators to sign in."""

import hashlib
import re
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from izwi.model.accounts import (
    ANYONE,
    ROLES,
    TOKEN_DAYS,
    AccountError,
    Role,
    Session,
    Token,
    TooManyAttempts,
    User,
    Visitor,
)
from izwi.service.subcorpora import workspace
from izwi.store.people import accounts_file, row_of

LEAST_PASSWORD = 10
MOST_PASSWORD = 1000
SESSION_SECONDS = 12 * 3600
# So many log-ins may fail within so many seconds: for a name from one address, from one address
# for any name, and for a name from all addresses together. Who guesses a name keeps nobody else out
# until very many do, and then the owner still gets in from where they signed in before.
MOST_FAILURES = 5
MOST_FROM_ADDRESS = 20
MOST_FOR_NAME = 50
FAILURE_SECONDS = 300
KNOWN_SECONDS = 30 * 86400
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
# Checked for names nobody has, so that an answer takes as long as for names somebody has.
_NOBODY = (
    "$argon2id$v=19$m=65536,t=3,p=4$X/p0UpRh/lcaJs0B7PEmZA$"
    "U7BSt37+TCxH/nTfsj3GMAh6ARRgF2YJqXv98iMX8Xk"
)
# Each hash takes 64 MB: so many are worked out at once.
_HASHING = threading.BoundedSemaphore(4)


def accounts_path() -> Path:
    """Return the file with the accounts of this user's servers."""
    return workspace() / "accounts.sqlite"


@dataclass(frozen=True, slots=True)
class Accounts:
    """The accounts in one file."""

    path: Path
    now: Callable[[], float] = time.time

    @property
    def are_any(self) -> bool:
        """Whether anybody has an account."""
        return self.path.exists() and bool(self.users())

    def users(self) -> tuple[User, ...]:
        """Return everybody with an account, by name."""
        if not self.path.exists():
            return ()
        with accounts_file(self.path) as file:
            rows = file.execute("SELECT name, role, made FROM users ORDER BY name").fetchall()
        return tuple(User(*row) for row in rows)

    def add(self, name: str, password: str, role: Role) -> User:
        """Make an account."""
        if not _NAME.fullmatch(name):
            raise AccountError(
                f"'{name}' cannot be a name; use lower-case letters, digits, '.', '-' and '_'."
            )
        if role not in ROLES:
            raise AccountError(f"'{role}' is not a role; write {' or '.join(ROLES)}.")
        user = User(name, role, self._moment())
        with accounts_file(self.path) as file:
            if row_of(file, "SELECT 1 FROM users WHERE name = ?", name):
                raise AccountError(f"There is already an account '{name}'.")
            row = (name, role, hashed(password), user.made)
            file.execute("INSERT INTO users VALUES (?, ?, ?, ?)", row)
        return user

    def remove(self, name: str) -> None:
        """Remove an account with its sessions and tokens."""
        with accounts_file(self.path) as file:
            if not file.execute("DELETE FROM users WHERE name = ?", (name,)).rowcount:
                raise AccountError(f"There is no account '{name}'.")

    def change_password(self, name: str, password: str) -> None:
        """Give an account another password and end its sessions."""
        with accounts_file(self.path) as file:
            changed = file.execute(
                "UPDATE users SET password = ? WHERE name = ?", (hashed(password), name)
            )
            if not changed.rowcount:
                raise AccountError(f"There is no account '{name}'.")
            file.execute("DELETE FROM sessions WHERE user = ?", (name,))
            # Whoever may do this at the machine is let in at once.
            file.execute(
                "DELETE FROM failures WHERE key = ? OR key GLOB ?",
                (f"name {name}", f"name {name} from *"),
            )

    def sign_in(self, name: str, password: str, *, address: str = "") -> Session | None:
        """Begin a session, or return None if name or password is wrong."""
        if not self.is_password(name, password, address=address):
            return None
        secret, now = secrets.token_urlsafe(32), self.now()
        row = (_digest(secret), name, secrets.token_urlsafe(24), now + SESSION_SECONDS)
        with accounts_file(self.path) as file:
            file.execute("DELETE FROM sessions WHERE expires <= ?", (now,))
            file.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", row)
        return Session(secret, SESSION_SECONDS)

    def is_password(self, name: str, password: str, *, address: str = "") -> bool:
        """Return whether a password is right; too many wrong guesses make further ones wait."""
        if not _NAME.fullmatch(name) or len(password) > MOST_PASSWORD:
            # Nobody has these: they are neither kept nor hashed.
            name = password = ""
        now, known = self.now(), f"known {name} {address}"
        most = {
            f"name {name} from {address}": MOST_FAILURES,
            f"from {address}": MOST_FROM_ADDRESS,
            f"name {name}": MOST_FOR_NAME,
        }
        failures = [(key, now) for key in most]
        with accounts_file(self.path) as file:
            # Counted before it is looked at, so that guesses at the same time count as well.
            if row_of(file, "SELECT 1 FROM failures WHERE key = ?", known):
                del most[f"name {name}"]
            self._refuse_guessers(file, most)
            file.executemany("INSERT INTO failures VALUES (?, ?)", failures)
            row = row_of(file, "SELECT password FROM users WHERE name = ?", name)
        is_right = verified(row[0] if row else _NOBODY, password) and row is not None
        if is_right:
            self._forgive(failures, known)
        return is_right

    def sign_out(self, secret: str) -> None:
        """End a session."""
        if not self.path.exists():
            return
        with accounts_file(self.path) as file:
            file.execute("DELETE FROM sessions WHERE digest = ?", (_digest(secret),))

    def session(self, secret: str) -> Visitor:
        """Return whose session it is; an anonymous visitor if it has ended."""
        return self._visitor(
            "SELECT u.name, u.role, s.csrf FROM sessions s JOIN users u ON u.name = s.user"
            " WHERE s.digest = ? AND s.expires > ?",
            secret,
        )

    def bearer(self, secret: str) -> Visitor:
        """Return whose token it is; an anonymous visitor if it has ended."""
        return self._visitor(
            "SELECT u.name, u.role FROM tokens t JOIN users u ON u.name = t.user"
            " WHERE t.digest = ? AND t.expires > ?",
            secret,
        )

    def make_token(self, name: str, label: str, *, days: int = TOKEN_DAYS) -> str:
        """Make a token for programs and return its secret, which is not kept."""
        secret = f"izwi_{secrets.token_urlsafe(32)}"
        row = (_digest(secret), name, label[:60], self._moment(), self.now() + days * 86400)
        with accounts_file(self.path) as file:
            if row_of(file, "SELECT 1 FROM users WHERE name = ?", name) is None:
                raise AccountError(f"There is no account '{name}'.")
            file.execute("INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", row)
        return secret

    def tokens(self, name: str) -> tuple[Token, ...]:
        """Return the tokens of an account, the newest first."""
        if not self.path.exists():
            return ()
        with accounts_file(self.path) as file:
            rows = file.execute(
                "SELECT label, made, expires, digest FROM tokens WHERE user = ? ORDER BY made DESC",
                (name,),
            ).fetchall()
        return tuple(Token(row[0], row[1], _text(row[2]), row[3][:16]) for row in rows)

    def revoke_token(self, name: str, id: str) -> None:
        """End a token of an account."""
        with accounts_file(self.path) as file:
            ended = file.execute(
                "DELETE FROM tokens WHERE user = ? AND substr(digest, 1, 16) = ?", (name, id)
            )
            if not ended.rowcount:
                raise AccountError("There is no such token.")

    def _visitor(self, query: str, secret: str) -> Visitor:
        if not secret or not self.path.exists():
            return ANYONE
        with accounts_file(self.path) as file:
            row = row_of(file, query, _digest(secret), self.now())
        return Visitor(*row) if row else ANYONE

    def _forgive(self, failures: list[tuple[str, float]], known: str) -> None:
        """Reset the count of wrong guesses after a right one, and remember where it came from."""
        (pair, _), *others = failures
        with accounts_file(self.path) as file:
            file.execute("DELETE FROM failures WHERE key IN (?, ?)", (pair, known))
            file.executemany(
                "DELETE FROM failures WHERE rowid ="
                " (SELECT max(rowid) FROM failures WHERE key = ? AND time = ?)",
                others,
            )
            # Not a failure: a moment to come, until which it stays in the table.
            file.execute("INSERT INTO failures VALUES (?, ?)", (known, self.now() + KNOWN_SECONDS))

    def _refuse_guessers(self, file: sqlite3.Connection, most: Mapping[str, int]) -> None:
        since = self.now() - FAILURE_SECONDS
        # This write comes first: it lets nobody else count until the transaction ends.
        file.execute("DELETE FROM failures WHERE time < ?", (since,))
        query = "SELECT count(*) FROM failures WHERE key = ?"
        if any(row_of(file, query, key)[0] >= allowed for key, allowed in most.items()):
            minutes = FAILURE_SECONDS // 60
            raise TooManyAttempts(
                f"Too many log-ins failed. Wait {minutes} minutes, then try again."
            )

    def _moment(self) -> str:
        return _text(self.now())


def hashed(password: str) -> str:
    """Return the salted hash by which a password can be checked later."""
    from argon2 import PasswordHasher

    if len(password) < LEAST_PASSWORD:
        raise AccountError(f"A password has at least {LEAST_PASSWORD} characters.")
    if len(password) > MOST_PASSWORD:
        raise AccountError(f"A password has at most {MOST_PASSWORD} characters.")
    with _HASHING:
        return PasswordHasher().hash(password)


def verified(known: str, password: str) -> bool:
    """Return whether a password is the one that was hashed."""
    from argon2 import PasswordHasher
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        with _HASHING:
            return PasswordHasher().verify(known, password)
    except (VerificationError, InvalidHashError):
        return False


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _text(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")
