import asyncio

import pytest

from izwi.gather import fetch
from izwi.gather.fetch import PublicResolver, Refused
from izwi.model.errors import SourceError


def resolve(host):
    async def ask():
        resolver = PublicResolver()
        try:
            return await resolver.resolve(host, 80)
        finally:
            await resolver.close()

    return asyncio.run(ask())


def test_name_that_leads_into_a_private_network_is_refused():
    with pytest.raises(Refused) as caught:
        resolve("localhost")

    verdict = caught.value.verdict
    assert (verdict.outcome, verdict.reason, verdict.detail) == (
        "dropped",
        "private-address",
        "localhost",
    )
    assert not caught.value.is_passing


def test_public_address_is_passed_on():
    (found,) = resolve("8.8.8.8")

    assert found["host"] == "8.8.8.8"


BAD = {
    "half an address": "http://[::1",
    "a name of 300 letters": f"http://{'a' * 300}.example/",
    "a name that is turned round": "http://a\u202eb.example/",
    "a file": "file:///nowhere/at/all",
    "another protocol": "gopher://a.example/",
    "a picture": "data:text/html,x",
}


@pytest.mark.parametrize("target", BAD.values(), ids=BAD)
@pytest.mark.parametrize("is_redirect", [False, True])
def test_an_address_that_is_none_is_one_sentence(monkeypatch, target, is_redirect):
    fetched = fetch.fetch

    async def redirecting(session, lead, limits):
        if lead.url == "http://a.example/":
            raise fetch.Redirected(target, 302)
        return await fetched(session, lead, limits)

    monkeypatch.setattr(fetch, "fetch", redirecting)

    with pytest.raises(SourceError, match="was not fetched"):
        fetch.fetch_page("http://a.example/" if is_redirect else target)


def test_redirects_in_a_circle_end(monkeypatch):
    asked = []

    async def circling(session, lead, limits):
        asked.append(lead.url)
        raise fetch.Redirected("http://b.example/" if "a.ex" in lead.url else "//a.example/", 302)

    monkeypatch.setattr(fetch, "fetch", circling)

    with pytest.raises(SourceError, match="redirects more than 5 times"):
        fetch.fetch_page("http://a.example/")
    assert len(asked) == 6


@pytest.mark.parametrize(
    "host",
    ["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "LOCALHOST.", "[::1]", "0",
     "[::ffff:7f00:1]", "127.0.0.1.", "user@127.0.0.1", "[fe80::1%25eth0]"],
)  # fmt: skip
def test_this_machine_is_private_however_it_is_called(host):
    with pytest.raises(SourceError, match="private-address"):
        fetch.fetch_page(f"http://{host}:9/")
