"""A reader who goes away takes the query along, and every answer says how long it took."""

import asyncio
import itertools
import threading

import pytest
from starlette.responses import PlainTextResponse

from izwi.index.limits import GONE, TURN, Deadline, Turn, Turns
from izwi.model.errors import QueryTimeout
from izwi.web.app import create_app
from izwi.web.middleware import PATIENCE, Attending, Patient

from .parsing import one, page_of
from .serving import asking


def asked(method, messages, app):
    """Let a request with some messages through; return what was sent."""
    sent = []

    async def run():
        coming = asyncio.Queue()
        for message in messages:
            coming.put_nowait({"type": message})

        async def send(message):
            sent.append(message)

        await Attending(app)({"type": "http", "method": method}, coming.get, send)

    asyncio.run(run())
    return sent


async def answer(send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def query_in_a_thread(scope, receive, send):
    await asyncio.sleep(0)  # who goes away is heard in the next turn
    deadline = await asyncio.to_thread(Deadline, None)
    deadline.check()
    await answer(send)


def test_a_query_ends_when_its_reader_goes_away():
    with pytest.raises(QueryTimeout, match="cancelled"):
        asked("GET", ["http.request", "http.disconnect"], query_in_a_thread)


def test_a_query_goes_on_while_its_reader_waits():
    assert asked("GET", ["http.request"], query_in_a_thread)


def test_a_change_is_made_even_if_the_reader_goes_away():
    assert asked("POST", ["http.request", "http.disconnect"], query_in_a_thread)


def test_an_answer_says_how_long_it_took():
    async def app(scope, receive, send):
        await answer(send)

    start, _ = asked("GET", ["http.request"], app)

    assert dict(start["headers"])[b"server-timing"].startswith(b"total;dur=")


def long_question(turns, *, gone=None):
    """Return a deadline whose question has become long, and its turn."""
    turn = Turn(turns)
    before, other = TURN.set(turn), GONE.set(gone)
    deadline = Deadline(None)
    TURN.reset(before)
    GONE.reset(other)
    return deadline, turn


def test_a_long_question_waits_for_another_and_a_short_one_does_not(monkeypatch):
    turns = Turns(1)
    first, own = long_question(turns)
    second, other = long_question(turns)
    short, third = long_question(turns)
    short.check()
    monkeypatch.setattr("izwi.index.limits.LONG_SECONDS", float("-inf"))
    first.check()
    waiting = threading.Thread(target=second.check)
    waiting.start()
    while not turns.waiting:
        assert waiting.is_alive()

    assert (own.is_taken, other.is_taken, third.is_taken) == (True, False, False)
    own.give_back()
    waiting.join()
    assert other.is_taken


def test_a_long_question_whose_reader_goes_away_waits_no_longer(monkeypatch):
    monkeypatch.setattr("izwi.index.limits.LONG_SECONDS", float("-inf"))
    turns, gone = Turns(1), threading.Event()
    first, _ = long_question(turns)
    first.check()
    second, other = long_question(turns, gone=gone)
    threading.Timer(0.05, gone.set).start()

    with pytest.raises(QueryTimeout, match="cancelled"):
        second.check()
    assert turns.waiting == 0
    assert not other.is_taken


def test_a_turn_is_given_back_when_the_answer_was_sent(monkeypatch):
    monkeypatch.setattr("izwi.index.limits.LONG_SECONDS", float("-inf"))
    taken = []

    async def app(scope, receive, send):
        await asyncio.to_thread(lambda: Deadline(None).check())
        taken.append(TURN.get()._turns.taken)
        await answer(send)
        taken.append(TURN.get())

    asked("GET", ["http.request"], app)

    assert taken[0] == 1
    assert taken[1]._turns.taken == 0


class Clerk:
    """An application whose pages are made when they are let go, and a Patient in front of it."""

    def __init__(self, monkeypatch, seconds="0.01", is_ready=lambda: True):
        monkeypatch.setenv(PATIENCE, seconds)
        self.made, self.ended, self.ready = [], [], asyncio.Event()
        self.front = Patient(self._app, lambda seconds: PlainTextResponse("waits", 202), is_ready)

    async def _app(self, scope, receive, send):
        self.made.append(scope["path"])
        self.ended.append(GONE.get())
        await self.ready.wait()
        await PlainTextResponse(f"page {scope['path']}")(scope, receive, send)

    async def ask(self, path="/c/tiny/freq", accept=b"text/html", **more):
        sent = []

        async def send(message):
            sent.append(message)

        headers = [(b"accept", accept), *((name.encode(), what) for name, what in more.items())]
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"q=a"}
        await self.front(scope | {"headers": headers}, asyncio.Queue().get, send)
        return sent[0]["status"], sent[1]["body"].decode()


class TestPatience:
    def test_a_page_that_takes_longer_says_so_and_comes_when_asked_again(self, monkeypatch):
        async def walk():
            clerk = Clerk(monkeypatch)
            first, second = await clerk.ask(), await clerk.ask()
            clerk.ready.set()
            third = await clerk.ask()
            return first, second, third, clerk.made

        first, second, third, made = asyncio.run(walk())

        assert first == second == (202, "waits")
        assert third == (200, "page /c/tiny/freq")
        assert made == ["/c/tiny/freq"]

    def test_no_page_says_that_it_takes_longer_while_the_server_loads(self, monkeypatch):
        async def walk():
            looks, was_asked_often = itertools.count(), asyncio.Event()

            def is_ready():
                if next(looks) == 5:
                    was_asked_often.set()
                return clerk.ready.is_set()

            clerk = Clerk(monkeypatch, is_ready=is_ready)
            early = asyncio.create_task(clerk.ask())
            await was_asked_often.wait()
            is_waited_for = not early.done()
            clerk.ready.set()
            return is_waited_for, await early

        assert asyncio.run(walk()) == (True, (200, "page /c/tiny/freq"))

    def test_readers_do_not_get_each_others_pages(self, monkeypatch):
        async def walk():
            clerk = Clerk(monkeypatch)
            for more in ({"cookie": b"a=1"}, {"cookie": b"a=2"}, {"host": b"b"}, {"host": b"c"}):
                await clerk.ask(**more)
            return clerk.made

        assert len(asyncio.run(walk())) == 4

    def test_who_does_not_ask_again_takes_the_question_along(self, monkeypatch):
        async def walk():
            clerk = Clerk(monkeypatch)
            await clerk.ask()
            ((key, pending),) = clerk.front._pending.items()
            clerk.front._leave(key, pending.asked)
            return pending.gone.is_set(), clerk.ended == [pending.gone], clerk.front._pending

        assert asyncio.run(walk()) == (True, True, {})

    @pytest.mark.parametrize(
        ("path", "accept"),
        [("/c/tiny/freq", b"*/*"), ("/c/tiny/freq.xlsx", b"text/html"), ("/api/x", b"text/html"),
         ("/c/tiny/doc/a/archived/frame", b"text/html")],
    )  # fmt: skip
    def test_programs_and_files_wait_for_their_answer(self, monkeypatch, path, accept):
        async def walk():
            clerk = Clerk(monkeypatch)
            asking = asyncio.create_task(clerk.ask(path, accept))
            await asyncio.sleep(0)
            clerk.ready.set()
            return await asking

        assert asyncio.run(walk()) == (200, f"page {path}")

    def test_the_page_that_waits_asks_again_by_itself(self, own_folder, monkeypatch):
        monkeypatch.setenv(PATIENCE, "0.000001")
        with asking(create_app([own_folder])) as client:
            answer = client.get("/c/tiny/wordlist", headers={"Accept": "text/html"})

        assert answer.status_code == 202
        assert one(page_of(answer), "meta[http-equiv=refresh]").get("content") == "1"
        assert "Content-Security-Policy" in answer.headers
