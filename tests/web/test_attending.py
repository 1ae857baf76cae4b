"""A reader who goes away takes the query along, and every answer says how long it took."""

import asyncio

import pytest

from izwi.model.errors import QueryTimeout
from izwi.query.deadline import Deadline
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
