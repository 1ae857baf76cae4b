import http.client
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest

from tests.demoweb.faults import FaultyWeb


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def _ask(web, url, *, method="GET", timeout=120.0, headers=None):
    """Return what the demo web answers to one request in absolute form."""
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=timeout)
    try:
        connection.request(method, url, headers={"Host": urlsplit(url).netloc, **(headers or {})})
        response = connection.getresponse()
        names = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, names, response.read())
    finally:
        connection.close()


@pytest.fixture(scope="session")
def web():
    with FaultyWeb() as server:
        yield server


@pytest.fixture
def fetch(web):
    return lambda url, **options: _ask(web, url, **options)


@pytest.fixture
def ask():
    return _ask
