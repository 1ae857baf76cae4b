import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from izwi.cases import accounts as service
from izwi.cases.accounts import (
    FAILURE_SECONDS,
    MOST_FAILURES,
    MOST_FOR_NAME,
    MOST_FROM_ADDRESS,
    MOST_PASSWORD,
    SESSION_SECONDS,
    Accounts,
    accounts_path,
)
from izwi.model.accounts import AccountError, TooManyAttempts

PASSWORD = "sorghum and thunder"


class Clock:
    def __init__(self):
        self.time = 1_000_000.0

    def __call__(self):
        return self.time


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def accounts(tmp_path, clock):
    made = Accounts(tmp_path / "accounts.sqlite", clock)
    made.add("thandi", PASSWORD, "curator")
    return made


def test_accounts_lie_with_the_users_things_not_with_a_corpus(tmp_path, monkeypatch):
    monkeypatch.setenv("IZWI_WORKSPACE", str(tmp_path))

    assert accounts_path() == tmp_path / "accounts.sqlite"
    assert not Accounts(accounts_path()).are_any
    assert not accounts_path().exists()


def test_whoever_has_an_account_signs_in(accounts):
    session = accounts.sign_in("thandi", PASSWORD)

    visitor = accounts.session(session.secret)
    assert (visitor.name, visitor.role) == ("thandi", "curator")
    assert visitor.csrf


@pytest.mark.parametrize(
    ("name", "password"), [("thandi", "wrong"), ("nobody", PASSWORD), ("", ""), ("thandi", "")]
)
def test_a_wrong_name_or_password_begins_no_session(accounts, name, password):
    assert accounts.sign_in(name, password) is None


def test_neither_passwords_nor_secrets_are_in_the_file(accounts):
    session = accounts.sign_in("thandi", PASSWORD)
    token = accounts.make_token("thandi", "backup")

    kept = accounts.path.read_bytes()
    assert b"$argon2id$" in kept
    assert PASSWORD.encode() not in kept
    assert session.secret.encode() not in kept
    assert token.encode() not in kept
    assert accounts.path.stat().st_mode & 0o077 == 0


def test_a_session_ends_after_its_time(accounts, clock):
    session = accounts.sign_in("thandi", PASSWORD)

    clock.time += SESSION_SECONDS + 1

    assert not accounts.session(session.secret).is_known


def test_a_session_ends_when_one_signs_out(accounts):
    session = accounts.sign_in("thandi", PASSWORD)

    accounts.sign_out(session.secret)

    assert not accounts.session(session.secret).is_known


def test_guessing_is_slowed_down_and_forgiven(accounts, clock):
    for _ in range(MOST_FAILURES):
        accounts.sign_in("thandi", "a wrong password", address="192.0.2.1")

    with pytest.raises(TooManyAttempts, match="Wait"):
        accounts.sign_in("thandi", PASSWORD, address="192.0.2.1")

    clock.time += FAILURE_SECONDS + 1
    assert accounts.sign_in("thandi", PASSWORD, address="192.0.2.1")


def rows(accounts, query):
    connection = sqlite3.connect(accounts.path)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def test_guesses_at_the_same_time_are_counted_too(accounts, monkeypatch):
    # As many as may guess are all let in before any of them is answered.
    together = threading.Barrier(MOST_FAILURES, timeout=120)
    monkeypatch.setattr(service, "verified", lambda *_: together.wait() < 0)

    def guess(number):
        try:
            return accounts.sign_in("thandi", f"guess {number}", address="192.0.2.7")
        except TooManyAttempts:
            return "refused"

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(guess, range(12)))

    assert answers.count("refused") == 12 - MOST_FAILURES


def test_who_guesses_a_name_keeps_its_owner_not_out(accounts):
    for _ in range(MOST_FAILURES + 1):
        with suppress(TooManyAttempts):
            accounts.sign_in("thandi", "a wrong password", address="192.0.2.1")

    assert accounts.sign_in("thandi", PASSWORD, address="192.0.2.9")


def test_an_address_that_tries_many_names_has_to_wait(accounts):
    for number in range(MOST_FROM_ADDRESS):
        accounts.sign_in(f"name{number}", "a wrong password", address="192.0.2.1")

    with pytest.raises(TooManyAttempts):
        accounts.sign_in("thandi", PASSWORD, address="192.0.2.1")


def test_guesses_from_many_places_stop_but_for_the_owner(accounts, monkeypatch):
    assert accounts.sign_in("thandi", PASSWORD, address="192.0.2.9")
    with monkeypatch.context() as quick:
        quick.setattr(service, "verified", lambda *_: False)
        for number in range(MOST_FOR_NAME):
            accounts.sign_in("thandi", "a wrong password", address=f"198.51.100.{number}")

    with pytest.raises(TooManyAttempts):
        accounts.sign_in("thandi", PASSWORD, address="203.0.113.1")
    assert accounts.sign_in("thandi", PASSWORD, address="192.0.2.9")

    accounts.change_password("thandi", PASSWORD + "!")
    assert accounts.sign_in("thandi", PASSWORD + "!", address="203.0.113.1")


def test_a_right_password_leaves_no_failure(accounts):
    accounts.sign_in("nobody", PASSWORD, address="192.0.2.1")
    accounts.sign_in("thandi", "a wrong password", address="192.0.2.2")

    accounts.sign_in("thandi", PASSWORD, address="192.0.2.1")

    kept = sorted(key for (key,) in rows(accounts, "SELECT key FROM failures"))
    assert kept == [
        "from 192.0.2.1",
        "from 192.0.2.2",
        "known thandi 192.0.2.1",
        "name nobody",
        "name nobody from 192.0.2.1",
        "name thandi",
        "name thandi from 192.0.2.2",
    ]


def test_a_password_costs_who_guesses_it_much_work(quick_passwords, monkeypatch):
    hasher, nobodys = quick_passwords
    monkeypatch.setattr("argon2.PasswordHasher", hasher)
    kept = service.hashed(PASSWORD)

    cost = "$argon2id$v=19$m=65536,t=3,p=4$"
    assert kept.startswith(cost)
    assert nobodys.startswith(cost), "names that nobody has must take as long"
    assert service.verified(kept, PASSWORD)
    assert not service.verified(nobodys, PASSWORD)


@pytest.mark.parametrize(
    ("name", "password"), [("x" * 9999, PASSWORD), ("thandi", "x" * (MOST_PASSWORD + 1))]
)
def test_what_nobody_can_have_is_neither_kept_nor_hashed(accounts, monkeypatch, name, password):
    hashed = []
    monkeypatch.setattr(service, "verified", lambda _, given: hashed.append(given))

    assert accounts.sign_in(name, password) is None

    assert hashed == [""]
    assert ("name ",) in rows(accounts, "SELECT key FROM failures")
    assert rows(accounts, "SELECT max(length(key)) FROM failures") == [(11,)]


def test_a_password_is_looked_at_without_a_session(accounts):
    assert accounts.is_password("thandi", PASSWORD)
    assert not accounts.is_password("thandi", "a wrong password")

    assert rows(accounts, "SELECT count(*) FROM sessions") == [(0,)]


def test_ended_sessions_are_not_kept(accounts, clock):
    accounts.sign_in("thandi", PASSWORD)
    clock.time += SESSION_SECONDS + 1

    accounts.sign_in("thandi", PASSWORD)

    assert rows(accounts, "SELECT count(*) FROM sessions") == [(1,)]


def test_an_empty_file_is_filled(tmp_path):
    accounts = Accounts(tmp_path / "accounts.sqlite")
    accounts.path.touch()

    assert accounts.users() == ()
    assert accounts.add("thandi", PASSWORD, "reader").name == "thandi"


def test_a_token_is_good_until_it_ends_or_is_revoked(accounts, clock):
    first, second = (accounts.make_token("thandi", name, days=1) for name in ("a", "b"))
    assert accounts.bearer(first).is_curator
    assert accounts.bearer(first).csrf == ""

    ids = {token.label: token.id for token in accounts.tokens("thandi")}
    accounts.revoke_token("thandi", ids["a"])
    assert not accounts.bearer(first).is_known
    assert accounts.bearer(second).is_known

    clock.time += 86401
    assert not accounts.bearer(second).is_known


def test_a_token_of_another_is_not_ours_to_revoke(accounts):
    accounts.add("rea", PASSWORD, "reader")
    accounts.make_token("thandi", "mine")
    (token,) = accounts.tokens("thandi")

    with pytest.raises(AccountError, match="no such token"):
        accounts.revoke_token("rea", token.id)


def test_an_account_takes_its_sessions_and_tokens_along(accounts):
    session, token = accounts.sign_in("thandi", PASSWORD), accounts.make_token("thandi", "x")

    accounts.remove("thandi")

    assert not accounts.session(session.secret).is_known
    assert not accounts.bearer(token).is_known
    with pytest.raises(AccountError, match="no account 'thandi'"):
        accounts.remove("thandi")


def test_another_password_ends_the_sessions(accounts):
    session = accounts.sign_in("thandi", PASSWORD)

    accounts.change_password("thandi", "millet and lightning")

    assert not accounts.session(session.secret).is_known
    assert accounts.sign_in("thandi", PASSWORD) is None
    assert accounts.sign_in("thandi", "millet and lightning")


@pytest.mark.parametrize(
    ("name", "password", "role", "words"),
    [
        ("Thandi M", PASSWORD, "reader", "cannot be a name"),
        ("new", "short", "reader", "at least 10 characters"),
        ("new", "x" * (MOST_PASSWORD + 1), "reader", "at most 1000 characters"),
        ("new", PASSWORD, "king", "not a role"),
        ("thandi", PASSWORD, "reader", "already"),
    ],
)
def test_an_account_that_makes_no_sense_is_refused(accounts, name, password, role, words):
    with pytest.raises(AccountError, match=words):
        accounts.add(name, password, role)

    assert [user.name for user in accounts.users()] == ["thandi"]
