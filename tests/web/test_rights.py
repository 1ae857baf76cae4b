"""Who may reach which route: every route and method, as everyone."""

import asyncio
import re

import httpx
import pytest

from izwi.cases.accounts import MOST_FAILURES, SESSION_SECONDS, Accounts
from izwi.web.app import create_app
from izwi.web.session.identity import COOKIE
from izwi.web.session.rights import CuratorPage, CuratorRoute, MemberPage

from .serving import asking

PASSWORD = "sorghum and thunder"
# What anyone may send, beside reading: to sign in, and to keep things of their own.
OPEN = {
    # Protocols whose questions may come as a form; they change nothing.
    ("POST", "/oai"),
    ("POST", "/bonito/run.cgi/{call}"),
    ("POST", "/sru"),
    ("POST", "/sru/"),
    ("POST", "/login"),
    ("POST", "/logout"),
    ("POST", "/c/{corpus}/baskets"),
    ("POST", "/c/{corpus}/baskets/{id}"),
    ("POST", "/c/{corpus}/saved"),
    ("POST", "/c/{corpus}/new"),
}


class Clock:
    time = 1_000_000.0

    def __call__(self):
        return self.time


@pytest.fixture(scope="module")
def clock():
    return Clock()


@pytest.fixture(scope="module")
def accounts(tmp_path_factory, clock):
    made = Accounts(tmp_path_factory.mktemp("accounts") / "accounts.sqlite", clock)
    made.add("thandi", PASSWORD, "curator")
    made.add("rea", PASSWORD, "reader")
    return made


@pytest.fixture(scope="module")
def app(corpus_folder, accounts):
    return create_app([corpus_folder], accounts=accounts)


@pytest.fixture(scope="module")
def stranger(app):
    with asking(app) as client:
        yield client


def routes_of(app):
    """Return every route with each of its methods."""
    return [(method, route) for route in walk(app.routes) for method in sorted(route.methods)]


def walk(routes):
    for route in routes:
        if hasattr(route, "methods") and hasattr(route, "path"):
            yield route
        else:
            inner = (
                getattr(route, "routes", None) or getattr(route, "original_router", route).routes
            )
            yield from walk(inner)


def guarded(app):
    return [
        (method, re.sub(r"{(\w+)(:\w+)?}", _filled, route.path))
        for method, route in routes_of(app)
        if isinstance(route, CuratorRoute | CuratorPage)
    ]


def _filled(found):
    return {"corpus": "tiny", "number": "1"}.get(found[1], "x")


def refusals(client, app, *, headers=None):
    """Return what was not refused, of all that only curators may do."""
    answers = [
        (method, path, client.request(method, path, headers=headers, follow_redirects=False))
        for method, path in guarded(app)
    ]
    return [
        (method, path, answer.status_code)
        for method, path, answer in answers
        if answer.status_code not in (401, 403) and not _leads_to_sign_in(answer)
    ]


def _leads_to_sign_in(answer):
    return answer.status_code == 303 and answer.headers["location"].startswith("/login?next=")


def cookie_of(accounts, name):
    return {"Cookie": f"{COOKIE}={accounts.sign_in(name, PASSWORD).secret}"}


def test_whatever_changes_something_is_for_curators(app):
    free = {
        (method, route.path)
        for method, route in routes_of(app)
        if not isinstance(route, CuratorRoute | CuratorPage | MemberPage)
        and method not in ("GET", "HEAD")
    }

    assert free - OPEN == set()
    assert len(guarded(app)) > 60


def test_strangers_reach_nothing_of_the_curators(app, stranger):
    assert refusals(stranger, app) == []


def test_readers_reach_nothing_of_the_curators(app, stranger, accounts):
    assert refusals(stranger, app, headers=cookie_of(accounts, "rea")) == []


def test_a_readers_token_reaches_nothing_of_the_curators(app, stranger, accounts):
    token = accounts.make_token("rea", "x")

    assert refusals(stranger, app, headers={"Authorization": f"Bearer {token}"}) == []


def test_a_session_that_has_ended_reaches_nothing(app, stranger, accounts, clock):
    headers = cookie_of(accounts, "thandi")
    clock.time += SESSION_SECONDS + 1

    assert refusals(stranger, app, headers=headers) == []


def test_a_forged_cookie_reaches_nothing(app, stranger):
    assert refusals(stranger, app, headers={"Cookie": f"{COOKIE}=thandi"}) == []


@pytest.mark.parametrize("given", ["", "guessed"])
def test_nothing_is_changed_without_the_secret_of_the_forms(app, stranger, accounts, given):
    headers = cookie_of(accounts, "thandi")

    for method, path in guarded(app):
        if method not in ("GET", "HEAD"):
            answer = stranger.request(method, path, headers=headers, data={"csrf": given})
            assert answer.status_code == 403, (method, path)


def test_with_the_secret_a_curator_gets_through(stranger, accounts):
    headers = cookie_of(accounts, "thandi")
    page = stranger.get("/admin/c/tiny/audit", headers=headers)
    secret = re.search(r'name="csrf" value="([^"]+)"', page.text)[1]

    answer = stranger.post(
        "/admin/c/tiny/changes/undo", headers=headers, data={"csrf": secret, "number": "77"}
    )

    assert answer.status_code == 400
    assert "There is no change number 77" in answer.text


def test_a_curators_token_gets_through_without_a_form(stranger, accounts):
    headers = {"Authorization": f"Bearer {accounts.make_token('thandi', 'x')}"}

    assert stranger.get("/api/v1/c/tiny/changes", headers=headers).status_code == 200


def test_a_form_sent_by_another_site_is_refused(stranger, accounts):
    headers = {**cookie_of(accounts, "thandi"), "Origin": "https://evil.example"}

    answer = stranger.post("/admin/c/tiny/audit/start", headers=headers)

    assert answer.status_code == 403
    assert "another site" in answer.text


def test_an_origin_that_is_no_address_is_another_site(stranger):
    for path in ("/login", "/c/tiny/baskets"):
        answer = stranger.post(path, headers={"Origin": "http://["})
        assert answer.status_code == 403, path


def test_a_broken_file_of_accounts_is_said_on_a_page(corpus_folder, tmp_path):
    accounts = Accounts(tmp_path / "a.sqlite")
    accounts.path.write_bytes(b"no database " * 100)
    with asking(create_app([corpus_folder], accounts=accounts)) as client:
        headers = {"Cookie": f"{COOKIE}=x"}
        page = client.get("/", headers=headers)
        twin = client.get("/c/tiny.json", headers=headers)

    assert (page.status_code, twin.status_code) == (503, 503)
    assert "cannot be used" in page.text
    assert page.headers["x-frame-options"] == "DENY"
    assert twin.json()["error"]["type"] == "StoreError"


def test_the_owners_token_still_opens_the_pages(corpus_folder):
    with asking(create_app([corpus_folder], curator_token="long secret")) as client:
        assert client.get("/admin").status_code == 401
        headers = {"Authorization": "Bearer long secret"}
        assert client.get("/admin", headers=headers).status_code == 200


class TestSigningIn:
    def test_one_comes_back_to_where_one_was(self, stranger):
        away = stranger.get("/admin/c/tiny/drops?reason=robots", follow_redirects=False)
        form = {"name": "thandi", "password": PASSWORD}
        next_path = httpx.URL(away.headers["location"]).params["next"]

        answer = stranger.post("/login", data={**form, "next": next_path}, follow_redirects=False)

        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/admin/c/tiny/drops")
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        stranger.cookies.clear()

    @pytest.mark.parametrize("path", ["//evil.example", "https://evil.example/", "/\\evil.example"])
    def test_one_is_not_led_to_another_site(self, stranger, path):
        form = {"name": "thandi", "password": PASSWORD, "next": path}

        answer = stranger.post("/login", data=form, follow_redirects=False)

        assert answer.headers["location"] == "/"
        stranger.cookies.clear()

    def test_a_wrong_password_is_said_and_the_name_kept(self, stranger):
        answer = stranger.post("/login", data={"name": "rea", "password": "wrong <b>"})

        assert answer.status_code == 401
        assert "The name or the password is wrong." in answer.text
        assert 'value="rea"' in answer.text

    def test_guessing_is_slowed_down(self, corpus_folder, tmp_path):
        accounts = Accounts(tmp_path / "a.sqlite")
        accounts.add("thandi", PASSWORD, "curator")
        with asking(create_app([corpus_folder], accounts=accounts)) as client:
            form = {"name": "thandi", "password": "a wrong one"}
            statuses = [client.post("/login", data=form).status_code for _ in range(7)]

        assert statuses == [401] * 5 + [429] * 2

    def test_a_form_that_is_too_long_is_not_read_to_its_end(self, app):
        """Strangers may send it: what is read is little, however much they send."""
        read, sent = [], []

        async def receive():
            read.append(1 << 14)
            return {"type": "http.request", "body": b"x" * (1 << 14), "more_body": len(read) < 99}

        async def send(message):
            sent.append(message)

        form = (b"content-type", b"application/x-www-form-urlencoded")
        scope = {
            "type": "http", "http_version": "1.1", "method": "POST", "scheme": "http",
            "path": "/login", "raw_path": b"/login", "query_string": b"", "root_path": "",
            "headers": [(b"host", b"127.0.0.1"), form], "client": ("192.0.2.1", 1),
            "server": ("izwi.example", 80),
        }  # fmt: skip
        asyncio.run(app(scope, receive, send))

        assert sent[0]["status"] == 413
        assert sum(read) < 1 << 17

    def test_signing_out_ends_the_session(self, stranger, accounts):
        headers = cookie_of(accounts, "thandi")
        page = stranger.get("/account", headers=headers)
        secret = re.search(r'name="csrf" value="([^"]+)"', page.text)[1]

        assert stranger.post("/logout", headers=headers).status_code == 403
        stranger.post("/logout", headers=headers, data={"csrf": secret})

        assert stranger.get("/admin", headers=headers, follow_redirects=False).status_code == 303


@pytest.fixture(scope="module")
def closed(corpus_folder, accounts):
    with asking(create_app([corpus_folder], accounts=accounts, is_closed=True)) as client:
        yield client


class TestOwnAccount:
    def test_strangers_and_ended_sessions_have_none(self, app, stranger):
        for method, route in routes_of(app):
            if isinstance(route, MemberPage):
                answer = stranger.request(method, route.path, follow_redirects=False)
                assert answer.status_code == 401 or _leads_to_sign_in(answer), route.path

    def test_a_reader_sees_their_own_account_and_nobody_elses(self, stranger, accounts):
        answer = stranger.get("/account", headers=cookie_of(accounts, "rea"))

        assert answer.status_code == 200
        assert "rea" in answer.text
        assert "thandi" not in answer.text
        assert answer.headers["cache-control"] == "private, no-store"

    def test_nothing_of_it_changes_without_the_secret_of_the_forms(self, app, stranger, accounts):
        headers = cookie_of(accounts, "rea")
        for method, route in routes_of(app):
            if isinstance(route, MemberPage) and method == "POST":
                assert stranger.post(route.path, headers=headers).status_code == 403, route.path

    def test_a_token_is_shown_once_and_revoked(self, stranger, accounts):
        headers = cookie_of(accounts, "rea")
        secret = re.search(
            r'name="csrf" value="([^"]+)"', stranger.get("/account", headers=headers).text
        )[1]
        form = {"csrf": secret, "label": "my program"}

        shown = stranger.post("/account/token", headers=headers, data=form).text
        token = re.search(r"<code>(izwi_[^<]+)</code>", shown)[1]
        assert accounts.bearer(token).name == "rea"
        assert token not in stranger.get("/account", headers=headers).text

        made = next(each for each in accounts.tokens("rea") if each.label == "my program")
        stranger.post("/account/revoke", headers=headers, data={"csrf": secret, "id": made.id})
        assert not accounts.bearer(token).is_known

    def test_an_old_password_wrong_too_often_hinders_nobody_else(self, corpus_folder, tmp_path):
        accounts = Accounts(tmp_path / "a.sqlite")
        accounts.add("rea", PASSWORD, "reader")
        headers = cookie_of(accounts, "rea")
        with asking(create_app([corpus_folder], accounts=accounts)) as client:
            page = client.get("/account", headers=headers).text
            csrf = re.search(r'name="csrf" value="([^"]+)"', page)[1]

            def change(old):
                form = {"csrf": csrf, "old": old, "new": "millet and lightning"}
                return client.post(
                    "/account/password", headers=headers, data=form, follow_redirects=False
                )

            for number in range(MOST_FAILURES):
                accounts.is_password(f"other{number}", "wrong", address="")
            assert "The old password is wrong." in change("wrong").text
            assert change(PASSWORD).status_code == 303

        assert accounts.is_password("rea", "millet and lightning", address="192.0.2.7")


class TestClosedServer:
    """A server that others reach: nobody reads without an account."""

    def test_nothing_but_the_way_in_is_open(self, closed):
        for method, route in routes_of(create_app([])):
            path = re.sub(r"{(\w+)(:\w+)?}", _filled, route.path)
            if path.startswith(("/login", "/static", "/preferences", "/health")):
                continue
            answer = closed.request(method, path, follow_redirects=False)
            assert answer.status_code == 401 or _leads_to_sign_in(answer), (method, path)

    def test_a_made_up_host_opens_nothing(self, closed):
        headers = {"Host": "izwi.example/login?"}

        assert closed.get("/c/tiny.json", headers=headers).status_code in (401, 421)

    def test_readers_read(self, closed, accounts):
        answer = closed.get("/c/tiny/conc?q=bakkie", headers=cookie_of(accounts, "rea"))

        assert answer.status_code == 200

    def test_a_readers_token_reads(self, closed, accounts):
        headers = {"Authorization": f"Bearer {accounts.make_token('rea', 'x')}"}

        assert closed.get("/c/tiny.json", headers=headers).status_code == 200
