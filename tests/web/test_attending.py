"""A reader who goes away takes the query along, and every answer says how long it took."""

import asyncio
import threading

import pytest

from izwi.model.errors import QueryTimeout
from izwi.query.deadline import GONE, TURN, Deadline, Turn, Turns
from izwi.web.attending import Attending


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
    monkeypatch.setattr("izwi.query.deadline.LONG_SECONDS", float("-inf"))
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
    monkeypatch.setattr("izwi.query.deadline.LONG_SECONDS", float("-inf"))
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
    monkeypatch.setattr("izwi.query.deadline.LONG_SECONDS", float("-inf"))
    taken = []

    async def app(scope, receive, send):
        await asyncio.to_thread(lambda: Deadline(None).check())
        taken.append(TURN.get()._turns.taken)
        await answer(send)
        taken.append(TURN.get())

    asked("GET", ["http.request"], app)

    assert taken[0] == 1
    assert taken[1]._turns.taken == 0
