import asyncio

import pytest

from izwi.gather.fetch import PublicResolver, Refused


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
